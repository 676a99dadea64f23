//! `ooze export`: particles and surfaces of a run for other programs, from its cached frames.

use std::fs;
use std::path::{Path, PathBuf};

use ooze::export::{FrameExport, FrameExportError, Parts, usd_stage};
use ooze::pictures::{PictureError, subject_bounds};
use ooze_cache::{CacheError, RunFolder};
use ooze_core::Channels;
use ooze_export::{ExportError, Exporter, FileSequence, SequenceFormat, UsdFile};
use ooze_scene::Scene;

use super::arguments::{Export, ExportFormat, ExportParts};
use super::failure::Failure;
use super::run::use_threads;
use super::source;
use super::words::complain;

/// Frames that are looked at to find out where the liquid goes.
const FRAMES_TO_FRAME: usize = 6;

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
        None => Box::new(usd_file(&target, &folder, &frames, &scene, parts)?),
    };
    let mut export = FrameExport::new(scene, parts, exporter);
    for (done, &frame) in frames.iter().enumerate() {
        let channels = folder.read_frame(frame)?;
        export
            .write(frame, &channels)
            .map_err(|error| failure(folder.particles_path(frame), error))?;
        if !arguments.quiet {
            complain(&format!("frame {} of {}", done + 1, frames.len()));
        }
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
    let mut frames = folder.frames()?;
    let available = frames.first().copied().zip(frames.last().copied());
    if let Some(range) = &arguments.frames {
        frames.retain(|frame| range.0.contains(frame));
    }
    if frames.is_empty() {
        return Err(Failure::File {
            path: folder.frames_folder(),
            what: "holds none of the frames that were asked for".into(),
        });
    }
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
    frames: &[u32],
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
    let some: Vec<Channels> = frames
        .iter()
        .step_by(frames.len().div_ceil(FRAMES_TO_FRAME))
        .chain(frames.last())
        .map(|&frame| folder.read_frame(frame))
        .collect::<Result<_, CacheError>>()?;
    let stage =
        usd_stage(scene, subject_bounds(&some), parts).map_err(|error| Failure::Picture {
            path: folder.scene_path(),
            error: PictureError::from(error),
        })?;
    UsdFile::create(&path, stage).map_err(|error| failure(path, error.into()))
}

fn make_folder(path: &Path) -> Result<(), Failure> {
    if path == Path::new("") {
        return Ok(());
    }
    fs::create_dir_all(path).map_err(|error| Failure::File {
        path: path.to_owned(),
        what: format!("cannot be made: {error}; choose another folder with `-o`"),
    })
}

/// Errors of the operating system name their file; others belong to the frame.
fn failure(path: PathBuf, error: FrameExportError) -> Failure {
    match error {
        FrameExportError::Export(ExportError::File(error)) => Failure::Cache(error),
        error => Failure::Export { path, error },
    }
}
