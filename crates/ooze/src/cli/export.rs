//! `ooze export`: particles and surfaces of a run for other programs, from its cached frames.

use std::path::{Path, PathBuf};

use ooze::export::{FrameExport, FrameExportError, Parts, usd_stage};
use ooze::pictures::{PictureError, subject_bounds};
use ooze_cache::{CacheError, RunFolder};
use ooze_export::{ExportError, Exporter, FileSequence, SequenceFormat, UsdFile};
use ooze_scene::Scene;

use super::arguments::{Export, ExportFormat, ExportParts};
use super::failure::Failure;
use super::frames::{FrameProgress, make_folder, selection, some_frames};
use super::run::use_threads;
use super::source;
use super::words::complain;

/// Writes frames for other programs.
pub(crate) fn export(arguments: Export) -> Result<(), Failure> {
    use_threads(arguments.threads)?;
    let parts = parts(&arguments)?;
    let folder = RunFolder::open(&arguments.folder)?;
    let scene = source::of_run(&folder)?;
    let frames = selected_frames(&folder, &scene, &arguments)?;
    let target = arguments
        .output
        .clone()
        .unwrap_or_else(|| folder.root().join("export"));
    let exporter: Box<dyn Exporter> = match sequence_format(arguments.format) {
        Some(format) => {
            make_folder(&target)?;
            Box::new(FileSequence::new(&target, format))
        }
        None => Box::new(usd_file(&target, &folder, &scene, parts)?),
    };
    let mut export = FrameExport::new(scene, parts, exporter);
    let mut progress = FrameProgress::new("frame", frames.len(), arguments.quiet);
    for &frame in &frames {
        let channels = folder.read_frame(frame)?;
        export
            .write(frame, &channels)
            .map_err(|error| failure(folder.particles_path(frame), error))?;
        progress.advance();
    }
    let file = export
        .finish()
        .map_err(|error| failure(target.clone(), error.into()))?;
    complain(&format!(
        "wrote {} {} to {}",
        frames.len(),
        if frames.len() == 1 { "frame" } else { "frames" },
        file.unwrap_or(target).display()
    ));
    Ok(())
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

/// Begins a USD file: the target itself, or one named after the scene in it.
fn usd_file(
    target: &Path,
    folder: &RunFolder,
    scene: &Scene,
    parts: Parts,
) -> Result<UsdFile, Failure> {
    let extension = target.extension().and_then(|extension| extension.to_str());
    let path = if matches!(extension, Some("usdc" | "usd")) {
        target.to_owned()
    } else {
        target.join(format!("{}.usdc", scene.name))
    };
    make_folder(path.parent().unwrap_or(Path::new("")))?;
    let stage =
        usd_stage(scene, subject_bounds(&some_frames(folder)?), parts).map_err(|error| {
            Failure::Picture {
                path: folder.scene_path(),
                error: PictureError::from(error),
            }
        })?;
    UsdFile::create(&path, stage).map_err(|error| failure(path, error.into()))
}

/// Errors of the operating system name their file; others belong to the frame.
fn failure(path: PathBuf, error: FrameExportError) -> Failure {
    match error {
        FrameExportError::Export(ExportError::File(error)) => Failure::Cache(error),
        error => Failure::Export { path, error },
    }
}
