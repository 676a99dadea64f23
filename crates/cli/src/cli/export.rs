//! `ooze export`: particles and surfaces of a run for other programs, from its cached frames.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ooze_cache::{CacheError, Ledger, Origin, RunFolder, checksum};
use ooze_cli::export::{FrameExport, FrameExportError, Parts, solid_meshes, usd_stage};
use ooze_cli::pictures::{PictureError, subject_of};
use ooze_core::SolidLoad;
use ooze_export::{ExportError, Exporter, FileSequence, SequenceFormat, UsdFile};
use ooze_scene::Scene;
use ooze_staging::StagingError;

use super::arguments::{Export, ExportFormat, ExportParts};
use super::failure::Failure;
use super::frames::{FrameProgress, make_folder, selection};
use super::run::use_threads;
use super::source;
use super::words::{complain, number};
use super::workplace::Workplace;

/// Writes frames for other programs.
pub(crate) fn export(arguments: Export) -> Result<(), Failure> {
    use_threads(arguments.threads)?;
    let job = Job {
        run: RunFolder::open(&arguments.folder)?,
        parts: parts(&arguments)?,
        arguments,
    };
    let (frames, target) = match sequence_format(job.arguments.format) {
        Some(format) => job.sequence(format)?,
        None => job.usd()?,
    };
    complain(&format!(
        "wrote {} to {}",
        number(frames, "frame"),
        target.display()
    ));
    Ok(())
}

/// What is to be exported.
struct Job {
    run: RunFolder,
    parts: Parts,
    arguments: Export,
}

impl Job {
    /// Writes a file a frame; tells how many frames, and where.
    fn sequence(&self, format: SequenceFormat) -> Result<(usize, PathBuf), Failure> {
        let scene = source::of_run(&self.run)?;
        // What cannot be had makes no folder.
        let frames = selected_frames(&self.run, &scene, &self.arguments)?;
        let target = self.workplace()?;
        let ledger = Ledger::read(target.folder())?;
        let solids = solid_meshes(&scene).map_err(|error| unfit_scene(&self.run, error))?;
        let exporter = FileSequence::new(ledger, format).with_solids(solids);
        self.write(&frames, scene, Box::new(exporter), target.folder())?;
        target.tell_of_old_files(&self.run)?;
        Ok((frames.len(), target.folder().into()))
    }

    /// Writes one file: what the user chose, or one named after the scene.
    fn usd(&self) -> Result<(usize, PathBuf), Failure> {
        let scene = source::of_run(&self.run)?;
        let frames = selected_frames(&self.run, &scene, &self.arguments)?;
        let chosen = self.arguments.output.as_deref();
        let mut target = match chosen.filter(|path| is_usd_file(path)) {
            Some(file) => {
                make_folder(file.parent().unwrap_or(Path::new("")))?;
                UsdTarget::File(file.into())
            }
            None => UsdTarget::Folder(self.workplace()?),
        };
        let write = |path: &Path| {
            let file = usd_file(path, &self.run, &scene, self.parts)?;
            self.write(&frames, scene.clone(), Box::new(file), path)
        };
        let path = match &mut target {
            UsdTarget::File(path) => {
                write(path)?;
                path.clone()
            }
            UsdTarget::Folder(folder) => {
                let last = frames.last().copied().unwrap_or(0);
                let name = format!("{}.usdc", scene.name);
                let path = folder.write(&name, self.origin(last)?, write)?;
                folder.tell_of_old_files(&self.run)?;
                path
            }
        };
        Ok((frames.len(), path))
    }

    /// The folder that the files go to.
    fn workplace(&self) -> Result<Workplace, Failure> {
        let chosen = self.arguments.output.as_deref();
        refuse_file_for_folder(chosen, self.arguments.format.name())?;
        Workplace::choose(&self.run, chosen, "export")
    }

    /// What the files of a frame are made from.
    fn origin(&self, frame: u32) -> Result<Origin, Failure> {
        let recipe = format!("{} {:?}", env!("CARGO_PKG_VERSION"), self.parts);
        Ok(Origin {
            recipe: checksum(recipe.as_bytes()),
            data: self.run.frame_checksum(frame)?,
        })
    }

    /// What the liquid did to solids in each frame.
    fn loads(&self) -> Result<BTreeMap<u32, Vec<SolidLoad>>, Failure> {
        let lines = self.run.statistics()?;
        let loads = lines.map(|line| line.map(|line| (line.frame, line.forces)));
        Ok(loads.collect::<Result<_, _>>()?)
    }

    fn write(
        &self,
        frames: &[u32],
        scene: Scene,
        exporter: Box<dyn Exporter>,
        target: &Path,
    ) -> Result<(), Failure> {
        let setup = scene.setup.clone();
        let export = FrameExport::new(scene, self.parts, exporter);
        let mut export = export.with_loads(self.loads()?);
        let mut progress = FrameProgress::new("frame", "ETA", frames.len(), self.arguments.quiet);
        for &frame in frames {
            let parts = self.run.read_frame(frame, &setup)?;
            export
                .write(frame, self.origin(frame)?, &parts)
                .map_err(|error| failure(self.run.particles_path(frame), error))?;
            progress.advance();
        }
        progress.end();
        export
            .finish()
            .map_err(|error| failure(target.into(), error.into()))?;
        Ok(())
    }
}

/// Where a USD file goes.
enum UsdTarget {
    /// To the file that the user named.
    File(PathBuf),
    /// To one named after the scene.
    Folder(Workplace),
}

fn is_usd_file(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("usdc" | "usd"))
}

/// Files that ooze or others write are no names for a folder: `-o shot.ply` was not meant as one.
pub(crate) fn refuse_file_for_folder(chosen: Option<&Path>, format: &str) -> Result<(), Failure> {
    const FILES: [&str; 12] = [
        "ply", "obj", "vtk", "vtu", "vtp", "pvd", "csv", "usd", "usda", "usdc", "usdz", "npz",
    ];
    let Some(chosen) = chosen.filter(|chosen| !chosen.is_dir()) else {
        return Ok(());
    };
    let extension = chosen.extension().and_then(|extension| extension.to_str());
    let Some(extension) = extension.filter(|extension| FILES.contains(extension)) else {
        return Ok(());
    };
    let possible = if format == "usd" {
        "usd is written in binary to a file that ends in .usdc or .usd, or to a folder".into()
    } else {
        format!("{format} is written as a file a frame, so `-o` names a folder")
    };
    Err(Failure::Usage(format!(
        "`-o {}` names a .{extension} file, but {possible}",
        chosen.display()
    )))
}

/// What to write, which the format must have a place for.
fn parts(arguments: &Export) -> Result<Parts, Failure> {
    let possible = match sequence_format(arguments.format) {
        Some(format) => Parts {
            particles: format.has_particles(),
            surfaces: format.has_surfaces(),
        },
        None => Parts {
            particles: true,
            surfaces: true,
        },
    };
    let Some(what) = arguments.what else {
        return Ok(possible);
    };
    let wanted = Parts {
        particles: what != ExportParts::Surface,
        surfaces: what != ExportParts::Particles,
    };
    for (wanted, possible, what, others) in [
        (
            wanted.particles,
            possible.particles,
            "particles",
            "ply, vtk, usd or csv",
        ),
        (
            wanted.surfaces,
            possible.surfaces,
            "surfaces",
            "ply, obj, vtk or usd",
        ),
    ] {
        if wanted && !possible {
            return Err(Failure::Usage(format!(
                "the format has no place for {what}; choose another with `--format`: {others}"
            )));
        }
    }
    Ok(wanted)
}

fn sequence_format(format: ExportFormat) -> Option<SequenceFormat> {
    match format {
        ExportFormat::Ply => Some(SequenceFormat::Ply),
        ExportFormat::Obj => Some(SequenceFormat::Obj),
        ExportFormat::Vtk => Some(SequenceFormat::Vtk),
        ExportFormat::Csv => Some(SequenceFormat::Csv),
        ExportFormat::Usd => None,
    }
}

/// The frames that were asked for, without a gap between them.
fn selected_frames(
    folder: &RunFolder,
    scene: &Scene,
    arguments: &Export,
) -> Result<Vec<u32>, Failure> {
    let frames = selection(folder, arguments.frames.as_ref())?;
    let available = frames.first().copied().zip(frames.last().copied());
    let gap = frames
        .windows(2)
        .find(|pair| pair[1] - pair[0] > scene.output.every);
    if let Some(pair) = gap {
        return Err(Failure::Cache(CacheError::NoSuchFrame {
            path: folder.root().to_owned(),
            frame: pair[0] + scene.output.every,
            available,
        }));
    }
    Ok(frames)
}

/// Begins a USD file.
fn usd_file(
    path: &Path,
    folder: &RunFolder,
    scene: &Scene,
    parts: Parts,
) -> Result<UsdFile, Failure> {
    let stage = usd_stage(scene, subject_of(scene), parts);
    let stage = stage.map_err(|error| unfit_scene(folder, error))?;
    UsdFile::create(path, stage).map_err(|error| failure(path.into(), error.into()))
}

/// A scene of which nothing can be shown.
fn unfit_scene(folder: &RunFolder, error: StagingError) -> Failure {
    Failure::Picture {
        path: folder.scene_path(),
        error: PictureError::from(error),
    }
}

/// Errors of the operating system name their file; others belong to the frame.
fn failure(path: PathBuf, error: FrameExportError) -> Failure {
    match error {
        FrameExportError::Export(ExportError::File(error)) => Failure::Cache(error),
        error => Failure::Export { path, error },
    }
}
