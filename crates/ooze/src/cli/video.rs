//! `ooze video` and `ooze sheet`: a video, a small animated preview or one sheet from pictures that are there.

use std::path::PathBuf;

use ooze_cache::RunFolder;
use ooze_render::{
    Picture, PreviewSettings, RenderError, SheetSettings, VideoWriter, contact_sheet, read_png,
    write_png, write_preview,
};

use super::arguments::{FrameRange, Sheet, Video};
use super::failure::Failure;
use super::frames::{images_folder, picture_path, selection};
use super::render::failed;
use super::source;
use super::words::complain;

/// Puts pictures together to a video, or to a small animated picture.
pub(crate) fn video(arguments: Video) -> Result<(), Failure> {
    let folder = RunFolder::open(&arguments.folder)?;
    let scene = source::of_run(&folder)?;
    let pictures = pictures(&folder, arguments.frames.as_ref())?;
    let usual = scene.pictures.frame_rate.unwrap_or(scene.time.frame_rate);
    let frame_rate = arguments.frame_rate.unwrap_or(usual);
    if !(frame_rate.is_finite() && frame_rate > 0.0) {
        return Err(Failure::Usage(format!(
            "{frame_rate} frames a second cannot be shown; the rate must be above 0"
        )));
    }
    let name = if arguments.preview {
        "preview.png".into()
    } else {
        format!("{}.mp4", scene.name)
    };
    let target = arguments.output.unwrap_or_else(|| folder.root().join(name));
    if arguments.preview {
        let frames = pictures
            .iter()
            .map(|(_, path)| read_png(path))
            .collect::<Result<Vec<Picture>, RenderError>>()
            .map_err(failed(&target))?;
        let settings = PreviewSettings {
            seconds: frames.len() as f64 / frame_rate,
            ..PreviewSettings::default()
        };
        write_preview(&target, &frames, &settings).map_err(failed(&target))?;
    } else {
        let mut video = VideoWriter::new(&target, frame_rate).map_err(failed(&target))?;
        for (_, path) in &pictures {
            let picture = read_png(path).map_err(failed(path))?;
            video.push(&picture).map_err(failed(&target))?;
        }
        video.finish().map_err(failed(&target))?;
    }
    complain(&format!("wrote {}", target.display()));
    Ok(())
}

/// Puts pictures from the whole run on one sheet.
pub(crate) fn sheet(arguments: Sheet) -> Result<(), Failure> {
    let folder = RunFolder::open(&arguments.folder)?;
    let found = pictures(&folder, None)?;
    let step = found.len().div_ceil(usize::from(arguments.count));
    let target = arguments
        .output
        .unwrap_or_else(|| folder.root().join("sheet.png"));
    let pictures = found
        .into_iter()
        .step_by(step)
        .map(|(frame, path)| Ok((frame.to_string(), read_png(&path)?)))
        .collect::<Result<Vec<(String, Picture)>, RenderError>>()
        .map_err(failed(&target))?;
    let settings = SheetSettings {
        columns: arguments.columns.into(),
        ..SheetSettings::default()
    };
    let sheet = contact_sheet(&pictures, &settings).map_err(failed(&target))?;
    write_png(&target, &sheet).map_err(failed(&target))?;
    complain(&format!("wrote {}", target.display()));
    Ok(())
}

/// The pictures of a run that are there, of which there must be some.
pub(crate) fn pictures(
    folder: &RunFolder,
    range: Option<&FrameRange>,
) -> Result<Vec<(u32, PathBuf)>, Failure> {
    let found: Vec<(u32, PathBuf)> = selection(folder, range)?
        .into_iter()
        .map(|frame| (frame, picture_path(folder, frame)))
        .filter(|(_, path)| path.is_file())
        .collect();
    if found.is_empty() {
        return Err(Failure::File {
            path: images_folder(folder),
            what: "holds no pictures; make them with `ooze render`".into(),
        });
    }
    Ok(found)
}
