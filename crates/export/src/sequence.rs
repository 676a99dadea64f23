//! A file a frame: `particles_0001.ply`, `tracers_0001.ply`, `surface_0001.obj`; of several surfaces each has its own files,
//! `surface_honey_0001.obj`. Solids are in a table of all frames, or points in files a frame, `solids_0001.vtp`, beside a file with the mesh
//! of each in its own frame, `solid_spoon.vtp`.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::PathBuf;

use ooze_cache::{CacheError, Ledger, Origin};
use ooze_core::Channels;
use ooze_files::WholeFile;
use ooze_geometry::{TriangleMesh, write_obj, write_ply};

use crate::names::{identifiers, word};
use crate::poses::Poses;
use crate::vtk::{self, Collection};
use crate::{ExportError, ExportFrame, Exporter, NamedMesh, csv, ply};

/// A format with a file a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceFormat {
    /// Binary PLY: particles with every channel a property, surfaces with normals, velocities, colours, temperatures.
    Ply,
    /// Wavefront OBJ text: surfaces with normals. Particles are left out, since there is no place for what they carry.
    Obj,
    /// Comma-separated text: particles, every channel a column, and a table with the poses of solids. Surfaces are left out.
    Csv,
    /// VTK's XML: `.vtu` particles and `.vtp` surfaces with everything they carry, and a `.pvd` collection of each.
    Vtk,
}

/// Writes what belongs to a time in seconds.
type Write<T> = fn(&T, f64, &mut WholeFile) -> io::Result<()>;

impl SequenceFormat {
    /// Whether the format has a place for particles.
    pub fn has_particles(self) -> bool {
        self.particles().is_some()
    }

    /// Whether the format has a place for surfaces.
    pub fn has_surfaces(self) -> bool {
        self.surfaces().is_some()
    }

    /// Ending and writer of files with particles.
    fn particles(self) -> Option<(&'static str, Write<Channels>)> {
        match self {
            Self::Ply => Some(("ply", |channels, _, file| ply::write(channels, file))),
            Self::Csv => Some(("csv", |channels, _, file| csv::write(channels, file))),
            Self::Vtk => Some(("vtu", |channels, time, file| {
                vtk::write_particles(channels, time, file)
            })),
            Self::Obj => None,
        }
    }

    /// Ending and writer of files with surfaces.
    fn surfaces(self) -> Option<(&'static str, Write<TriangleMesh>)> {
        match self {
            Self::Ply => Some(("ply", |mesh, _, file| write_ply(mesh, file))),
            Self::Obj => Some(("obj", |mesh, _, file| write_obj(mesh, file))),
            Self::Vtk => Some(("vtp", |mesh, time, file| {
                vtk::write_surface(mesh, time, file)
            })),
            Self::Csv => None,
        }
    }
}

/// A sequence of files that is being written.
pub struct FileSequence {
    /// Of the folder that the files go to: only files that ooze made are replaced.
    ledger: Ledger,
    format: SequenceFormat,
    /// The files of each series, for formats that list them.
    collections: BTreeMap<String, Collection>,
    /// Meshes of solids in their own frames.
    solids: Vec<NamedMesh>,
    poses: Poses,
    /// What the last frame comes from.
    last: Origin,
}

impl FileSequence {
    /// Begins a sequence in a folder that exists.
    pub fn new(ledger: Ledger, format: SequenceFormat) -> Self {
        Self {
            ledger,
            format,
            collections: BTreeMap::new(),
            solids: Vec::new(),
            poses: Poses::default(),
            last: Origin::default(),
        }
    }

    /// The same with the meshes of solids, in their own frames, for formats with a place for them.
    pub fn with_solids(self, solids: Vec<NamedMesh>) -> Self {
        Self { solids, ..self }
    }

    /// Writes a file and notes what it was made from.
    fn write_noted(
        &mut self,
        name: &str,
        origin: Origin,
        write: impl FnOnce(&mut WholeFile) -> io::Result<()>,
    ) -> Result<(), CacheError> {
        ooze_files::write_with(&self.ledger.begin(name)?, write)?;
        self.ledger.made(name, origin)
    }

    /// Writes one file of a series.
    fn write_file(
        &mut self,
        series: &str,
        extension: &str,
        frame: &ExportFrame,
        write: impl FnOnce(&mut WholeFile) -> io::Result<()>,
    ) -> Result<(), ExportError> {
        let name = format!("{series}_{:04}.{extension}", frame.number);
        self.write_noted(&name, frame.origin, write)?;
        self.last = frame.origin;
        if self.format == SequenceFormat::Vtk {
            let collection = self.collections.entry(series.into()).or_default();
            collection.push(frame.time, name);
        }
        Ok(())
    }
}

impl Exporter for FileSequence {
    fn write(&mut self, frame: &ExportFrame) -> Result<(), ExportError> {
        frame.check()?;
        if let Some((extension, write)) = self.format.particles() {
            let clouds = [("particles", frame.particles), ("tracers", frame.tracers)];
            for (series, channels) in clouds {
                if let Some(channels) = channels {
                    self.write_file(series, extension, frame, |file| {
                        write(channels, frame.time, file)
                    })?;
                }
            }
        }
        match self.format {
            SequenceFormat::Csv => self.poses.push(frame),
            SequenceFormat::Vtk if !frame.solids.is_empty() => {
                self.write_file("solids", "vtp", frame, |file| {
                    vtk::write_solids(frame.solids, frame.time, file)
                })?;
            }
            _ => {}
        }
        if let Some((extension, write)) = self.format.surfaces() {
            for surface in frame.surfaces {
                let series = match frame.surfaces {
                    [_] => "surface".into(),
                    _ => format!("surface_{}", word(&surface.name)),
                };
                self.write_file(&series, extension, frame, |file| {
                    write(&surface.mesh, frame.time, file)
                })?;
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Option<PathBuf>, ExportError> {
        let origin = self.last;
        if let Some(table) = self.poses.text() {
            self.write_noted("poses.csv", origin, |file| file.write_all(table.as_bytes()))?;
        }
        if self.format == SequenceFormat::Vtk {
            let solids = std::mem::take(&mut self.solids);
            let names = identifiers(solids.iter().map(|solid| &*solid.name));
            for (NamedMesh { mesh, .. }, name) in solids.iter().zip(names) {
                self.write_noted(&format!("solid_{name}.vtp"), origin, |file| {
                    vtk::write_surface(mesh, 0.0, file)
                })?;
            }
        }
        for (series, collection) in std::mem::take(&mut self.collections) {
            self.write_noted(&format!("{series}.pvd"), origin, |file| {
                file.write_all(collection.text().as_bytes())
            })?;
        }
        Ok(None)
    }
}
