//! `ooze video` and `ooze sheet`: a video, a small animated preview or one sheet from pictures that are there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ooze_cache::{Ledger, Origin, RunFolder};
use ooze_render::{
    Picture, PreviewSettings, RenderError, SheetSettings, contact_sheet, read_png, write_png,
    write_preview,
};

use super::arguments::{FrameRange, Sheet, Video};
use super::failure::{Failure, failed};
use super::frames::{images_folder, picture_name, picture_path, selection};
use super::gallery::{video_origin, write_video};
use super::source;
use super::words::complain;
use super::workplace::write_file;

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
    let paths: Vec<PathBuf> = pictures.into_iter().map(|(_, path)| path).collect();
    let origin = video_origin(&paths, frame_rate)?;
    let target = write_file(&folder, arguments.output, &name, origin, |target| {
        if arguments.preview {
            preview(target, &paths, frame_rate)
        } else {
            write_video(target, &paths, frame_rate)
        }
    })?;
    complain(&format!("wrote {}", target.display()));
    Ok(())
}

/// Puts pictures together to a small animated picture.
fn preview(target: &Path, pictures: &[PathBuf], frame_rate: f64) -> Result<(), Failure> {
    let frames = pictures
        .iter()
        .map(|path| read_png(path))
        .collect::<Result<Vec<Picture>, RenderError>>()
        .map_err(failed(target))?;
    let settings = PreviewSettings {
        seconds: frames.len() as f64 / frame_rate,
        ..PreviewSettings::default()
    };
    write_preview(target, &frames, &settings).map_err(failed(target))?;
    Ok(())
}

/// Puts pictures from the whole run on one sheet.
pub(crate) fn sheet(arguments: Sheet) -> Result<(), Failure> {
    let folder = RunFolder::open(&arguments.folder)?;
    let all = pictures(&folder, None)?;
    let found: Vec<(u32, PathBuf)> = spread(all.len(), arguments.count.into())
        .into_iter()
        .map(|index| all[index].clone())
        .collect();
    let paths: Vec<PathBuf> = found.iter().map(|(_, path)| path.clone()).collect();
    let origin = video_origin(&paths, 1.0)?;
    let settings = SheetSettings {
        columns: arguments.columns.into(),
        ..SheetSettings::default()
    };
    let target = write_file(&folder, arguments.output, "sheet.png", origin, |target| {
        let pictures = found
            .into_iter()
            .map(|(frame, path)| Ok((frame.to_string(), read_png(&path)?)))
            .collect::<Result<Vec<(String, Picture)>, RenderError>>()
            .map_err(failed(target))?;
        let sheet = contact_sheet(&pictures, &settings).map_err(failed(target))?;
        write_png(target, &sheet).map_err(failed(target))
    })?;
    complain(&format!("wrote {}", target.display()));
    Ok(())
}

/// The places of `count` of `all` things, spread evenly from the first to the last; all of them where there are no more.
fn spread(all: usize, count: usize) -> Vec<usize> {
    if count >= all {
        return (0..all).collect();
    }
    let steps = count.max(2) - 1;
    let places = (0..count).map(|index| (2 * index * (all - 1) + steps) / (2 * steps));
    places.collect()
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
    refuse_mixed(folder, &found)?;
    Ok(found)
}

/// Pictures of which some were made in another way than the others, because `ooze render` was stopped, show nothing in a row.
fn refuse_mixed(folder: &RunFolder, pictures: &[(u32, PathBuf)]) -> Result<(), Failure> {
    let ledger = Ledger::read(&images_folder(folder))?;
    let recipes: BTreeSet<u32> = ledger
        .files()
        .filter(|(name, _)| {
            pictures
                .iter()
                .any(|(frame, _)| picture_name(*frame) == *name)
        })
        .filter_map(|(_, origin)| origin.map(|from: Origin| from.recipe))
        .collect();
    if recipes.len() < 2 {
        return Ok(());
    }
    Err(Failure::File {
        path: images_folder(folder),
        what: "holds pictures that were made in different ways; make all of them in one way with `ooze render`".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_shows_the_first_and_the_last_frame() {
        assert_eq!(spread(46, 4), [0, 15, 30, 45]);
        assert_eq!(spread(10, 16).len(), 10);
        assert_eq!(spread(10, 1), [0]);
        for (all, count) in [(46, 16), (121, 12), (17, 16), (100, 3)] {
            let places = spread(all, count);
            assert_eq!(places.len(), count);
            assert_eq!((places[0], places[count - 1]), (0, all - 1));
            let steps: Vec<usize> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let (least, most) = (steps.iter().min(), steps.iter().max());
            assert!(
                most.zip(least)
                    .is_some_and(|(most, least)| *least >= 1 && most - least <= 1)
            );
        }
    }
}
