//! Universal Scene Description: a whole run in one binary layer.
//!
//! ```text
//! /<scene>                  Xform, the default prim
//!   /looks/<liquid>         Material (UsdPreviewSurface)
//!   /liquids/<liquid>       Mesh, its points and triangles sampled at every frame
//!   /particles              Points, with a primvar for each channel
//!   /tracers                Points
//!   /colliders/<collider>   Mesh, written once and moved by a sampled matrix; many of the same shape and look
//!                           PointInstancer, the mesh below it
//!   /camera                 Camera
//! ```
//!
//! A time code is the number of a frame; y is up and the unit is a metre, as everywhere in ooze. Meshes carry velocities,
//! because points of one frame are not those of the next and cannot be interpolated.

mod coding;
mod crate_file;
mod geometry;
mod instances;
mod material;
mod stage;
mod track;
mod tree;
mod value;

use std::io;
use std::path::{Path, PathBuf};

use glam::{Mat4, Vec3};
use ooze_cache::CacheError;
use ooze_files::WholeFile;

use crate::ExportSolid;
use crate::names::{identifier, identifiers};
use crate::{ExportError, ExportFrame, Exporter};
use crate_file::CrateFile;
use instances::{Alike, State};
use track::Tracks;
use tree::{Layer, Prim};

pub use material::PreviewSurface;
pub use stage::{Stage, StageCollider, StageLiquid, StageTracers, View};

/// A USD file that is being written.
pub struct UsdFile {
    file: CrateFile<WholeFile>,
    path: PathBuf,
    stage: Stage,
    frames: Vec<Moment>,
    /// One for each liquid.
    surfaces: Vec<Tracks>,
    particles: Tracks,
    tracers: Tracks,
}

/// A frame that has been written.
struct Moment {
    /// Number of the frame.
    time_code: f64,
    /// Simulated seconds.
    seconds: f64,
    /// Where the solids stand, and how they move.
    solids: Vec<State>,
}

impl UsdFile {
    /// Begins a file.
    pub fn create(path: &Path, stage: Stage) -> Result<Self, ExportError> {
        let file = WholeFile::create(path).map_err(CacheError::from)?;
        let surfaces = stage.liquids.iter().map(|_| Tracks::default()).collect();
        Ok(Self {
            file: CrateFile::new(file).map_err(|source| failed(path, source))?,
            path: path.into(),
            stage,
            frames: Vec::new(),
            surfaces,
            particles: Tracks::default(),
            tracers: Tracks::default(),
        })
    }

    fn sample(&mut self, frame: &ExportFrame) -> io::Result<()> {
        let time = f64::from(frame.number);
        self.frames.push(Moment {
            time_code: time,
            seconds: frame.time,
            solids: frame.solids.iter().map(ExportSolid::state).collect(),
        });
        for (tracks, surface) in self.surfaces.iter_mut().zip(frame.surfaces) {
            geometry::sample_mesh(&mut self.file, tracks, time, &surface.mesh)?;
        }
        if let Some(channels) = frame.particles {
            geometry::sample_particles(
                &mut self.file,
                &mut self.particles,
                time,
                channels,
                &self.stage.liquids,
                self.stage.particle_diameter,
            )?;
        }
        if let Some(channels) = frame.tracers {
            let (file, looks) = (&mut self.file, &self.stage.tracers);
            geometry::sample_tracers(file, &mut self.tracers, time, channels, looks)?;
        }
        Ok(())
    }

    fn close(self) -> io::Result<WholeFile> {
        let Self {
            mut file,
            stage,
            frames,
            surfaces,
            particles,
            tracers,
            ..
        } = self;
        let layer = layer(&mut file, &stage, &frames, surfaces, [particles, tracers])?;
        tree::finish(file, layer)
    }
}

impl Exporter for UsdFile {
    fn write(&mut self, frame: &ExportFrame) -> Result<(), ExportError> {
        frame.check()?;
        let (found, expected) = (frame.solids.len(), self.stage.colliders.len());
        let colliders = self.stage.colliders.iter();
        if colliders.map(|collider| collider.index).max() >= Some(found) {
            return Err(ExportError::Solids {
                frame: frame.number,
                found,
                expected,
            });
        }
        self.sample(frame)
            .map_err(|source| failed(&self.path, source))
    }

    fn finish(self: Box<Self>) -> Result<Option<PathBuf>, ExportError> {
        let path = self.path.clone();
        let file = self.close().map_err(|source| failed(&path, source))?;
        file.finish().map_err(CacheError::from)?;
        Ok(Some(path))
    }
}

fn failed(path: &Path, source: io::Error) -> ExportError {
    CacheError::io("write", path, source).into()
}

/// Everything that comes after the last frame.
fn layer(
    file: &mut CrateFile<WholeFile>,
    stage: &Stage,
    frames: &[Moment],
    surfaces: Vec<Tracks>,
    [particles, tracers]: [Tracks; 2],
) -> io::Result<Layer> {
    let paths = Paths::of(stage);
    let alike = instances::find(&stage.colliders);
    let times: Vec<f64> = frames.iter().map(|frame| frame.time_code).collect();
    let mut root = Prim::new(file, "Xform", &paths.root);
    root.field("kind", file.token("component"));
    root.adopt(looks(file, stage, &paths, &alike, &surfaces)?);
    if stage.surfaces {
        root.adopt(liquids(file, stage, &paths, surfaces)?);
    }
    if particles.has("points") {
        root.adopt(geometry::points_prim(
            file,
            "particles",
            particles,
            stage.liquids.first().map_or(Vec3::ONE, |l| l.look.colour),
            Some(stage.particle_diameter),
            stage.surfaces,
        )?);
    }
    if tracers.has("points") {
        let colour = Vec3::ONE;
        let prim = geometry::points_prim(file, "tracers", tracers, colour, None, false)?;
        root.adopt(prim);
    }
    if !stage.colliders.is_empty() {
        root.adopt(colliders(file, stage, &paths, &alike, (&times, frames))?);
    }
    let seconds = frames.iter().map(|frame| frame.seconds);
    let views: Vec<View> = seconds.map(|seconds| (stage.camera)(seconds)).collect();
    root.adopt(geometry::camera_prim(file, "camera", &times, &views)?);

    let first = times.first().copied().unwrap_or(0.0);
    let last = times.last().copied().unwrap_or(0.0);
    let about = file.string("written by ooze; lengths in metres");
    let fields = vec![
        ("documentation", about),
        ("defaultPrim", file.token(&paths.root)),
        ("upAxis", file.token("Y")),
        ("metersPerUnit", file.double(1.0)?),
        ("startTimeCode", file.double(first)?),
        ("endTimeCode", file.double(last)?),
        ("timeCodesPerSecond", file.double(stage.frame_rate)?),
        ("framesPerSecond", file.double(stage.frame_rate)?),
    ];
    Ok(Layer { fields, root })
}

/// What prims are called.
struct Paths {
    root: String,
    liquids: Vec<String>,
    colliders: Vec<String>,
    /// Of the liquids, then of the colliders.
    looks: Vec<String>,
}

impl Paths {
    fn of(stage: &Stage) -> Self {
        let liquids = || stage.liquids.iter().map(|liquid| liquid.name.as_str());
        let colliders = || stage.colliders.iter().map(|solid| solid.name.as_str());
        Self {
            root: identifier(&stage.name),
            liquids: identifiers(liquids()),
            colliders: identifiers(colliders()),
            looks: identifiers(liquids().chain(colliders())),
        }
    }

    /// Path of the scope that holds the materials.
    fn looks_scope(&self) -> String {
        format!("/{}/looks", self.root)
    }

    fn look(&self, index: usize) -> String {
        format!("{}/{}", self.looks_scope(), self.looks[index])
    }

    fn collider_look(&self, index: usize) -> String {
        self.look(self.liquids.len() + index)
    }
}

/// The materials of liquids and colliders.
fn looks(
    file: &mut CrateFile<WholeFile>,
    stage: &Stage,
    paths: &Paths,
    alike: &[Alike],
    surfaces: &[Tracks],
) -> io::Result<Prim> {
    let mut scope = Prim::new(file, "Scope", "looks");
    let of_liquids = stage.liquids.iter().zip(surfaces);
    let of_liquids = of_liquids.map(|(liquid, tracks)| (liquid.look, tracks.has(geometry::COLOUR)));
    let of_colliders = stage.colliders.iter().map(|solid| (solid.look, false));
    let all = of_liquids.chain(of_colliders).zip(&paths.looks);
    for (index, ((look, vertex_colours), name)) in all.enumerate() {
        // Copies have the look of what they are copies of.
        let copied = |alike: &Alike| {
            let copies = &alike.members[1..];
            copies
                .iter()
                .any(|copy| paths.liquids.len() + copy == index)
        };
        if alike.iter().any(copied) {
            continue;
        }
        let place = paths.looks_scope();
        scope.adopt(material::prim(file, &place, name, &look, vertex_colours)?);
    }
    Ok(scope)
}

fn liquids(
    file: &mut CrateFile<WholeFile>,
    stage: &Stage,
    paths: &Paths,
    surfaces: Vec<Tracks>,
) -> io::Result<Prim> {
    let mut group = Prim::new(file, "Xform", "liquids");
    for (index, tracks) in surfaces.into_iter().enumerate() {
        let colour = stage.liquids[index].look.colour;
        let (name, look) = (&paths.liquids[index], paths.look(index));
        group.adopt(geometry::mesh_prim(file, name, tracks, colour, &look)?);
    }
    Ok(group)
}

fn colliders(
    file: &mut CrateFile<WholeFile>,
    stage: &Stage,
    paths: &Paths,
    alike: &[Alike],
    (times, frames): (&[f64], &[Moment]),
) -> io::Result<Prim> {
    const NAME: &str = "colliders";
    let mut group = Prim::new(file, "Xform", NAME);
    let place = format!("/{}/{NAME}", paths.root);
    for copies in alike {
        // The prim takes the name of the first, which has none of its own then.
        let first = copies.members[0];
        let named = (place.as_str(), paths.colliders[first].as_str());
        let states: Vec<&[State]> = frames.iter().map(|frame| &*frame.solids).collect();
        let moved = (times, &*states);
        let look = paths.collider_look(first);
        group.adopt(copies.prim(file, named, &stage.colliders, moved, &look)?);
    }
    for (index, solid) in stage.colliders.iter().enumerate() {
        if alike.iter().any(|copies| copies.members.contains(&index)) {
            continue;
        }
        let (name, look) = (&paths.colliders[index], paths.collider_look(index));
        let mesh = geometry::still_mesh(file, &solid.mesh)?;
        let mut prim = geometry::mesh_prim(file, name, mesh, solid.look.colour, &look)?;
        let poses = frames.iter().map(|frame| &frame.solids[solid.index].0);
        let placements: Vec<Mat4> = poses.map(stage::placement).collect();
        geometry::place(file, &mut prim, times, &placements)?;
        group.adopt(prim);
    }
    Ok(group)
}
