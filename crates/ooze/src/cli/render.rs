//! `ooze render` and `ooze sheet`: pictures, video and contact sheet of a run, from its cached frames.

use std::fs;
use std::path::{Path, PathBuf};

use ooze::pictures::{PictureError, Studio, subject_bounds};
use ooze_cache::{CacheError, RunFolder};
use ooze_core::Channels;
use ooze_render::{
    ImageSettings, Picture, Quality, RenderError, SheetSettings, VideoWriter, contact_sheet,
    read_png, write_png,
};

use super::arguments::{DRAFT, Display, PictureSize, Render, Sheet};
use super::failure::Failure;
use super::run::use_threads;
use super::source;
use super::words::complain;

/// Frames that are looked at to find out where the liquid goes.
const FRAMES_TO_FRAME: usize = 6;

/// Makes the pictures that are missing, and a video of all of them.
pub(crate) fn render(arguments: Render) -> Result<(), Failure> {
    use_threads(arguments.display.threads)?;
    make_pictures(&arguments)
}

/// A video in draft quality of a run that has just ended.
pub(crate) fn video_of_run(folder: PathBuf, display: Display) -> Result<(), Failure> {
    make_pictures(&Render {
        folder,
        quality: DRAFT.into(),
        size: PictureSize::default(),
        frames: None,
        force: true,
        display,
    })
}

fn make_pictures(arguments: &Render) -> Result<(), Failure> {
    let folder = RunFolder::open(&arguments.folder)?;
    let scene = source::of_run(&folder)?;
    let mut frames = folder.frames()?;
    if let Some(range) = &arguments.frames {
        frames.retain(|frame| range.0.contains(frame));
    }
    if frames.is_empty() {
        return Err(Failure::File {
            path: folder.frames_folder(),
            what: "holds none of the frames that were asked for".into(),
        });
    }
    let PictureSize(width, height) = arguments.size;
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error: PictureError| Failure::Picture { path, error }
    };
    let settings = ImageSettings {
        width,
        height,
        quality: Quality::named(&arguments.quality)
            .map_err(PictureError::from)
            .map_err(failed(&arguments.folder))?,
        ..ImageSettings::default()
    };
    let images = folder.root().join("images");
    fs::create_dir_all(&images).map_err(|error| Failure::File {
        path: images.clone(),
        what: format!("cannot be made: {error}"),
    })?;
    let (frame_rate, name) = (scene.time.frame_rate, scene.name.clone());
    let subject = subject_bounds(&some_frames(&folder, &frames)?);
    let studio = Studio::new(scene, subject).map_err(failed(&arguments.folder))?;
    let target = folder.root().join(format!("{name}.mp4"));
    let mut video = VideoWriter::new(&target, frame_rate)
        .map_err(PictureError::from)
        .map_err(failed(&target))?;
    for (done, &frame) in frames.iter().enumerate() {
        let path = picture_path(&images, frame);
        let time = f64::from(frame) / frame_rate;
        let picture = match reusable(&path, arguments) {
            Some(picture) => picture,
            None => {
                let channels = folder.read_frame(frame)?;
                let picture = studio
                    .picture(&channels, time, &settings)
                    .map_err(failed(&path))?;
                write_png(&path, &picture)
                    .map_err(PictureError::from)
                    .map_err(failed(&path))?;
                picture
            }
        };
        video
            .push(&picture)
            .map_err(PictureError::from)
            .map_err(failed(&target))?;
        report(&arguments.display, done + 1, frames.len());
    }
    video
        .finish()
        .map_err(PictureError::from)
        .map_err(failed(&target))?;
    complain(&format!(
        "wrote {} pictures to {} and {}",
        frames.len(),
        images.display(),
        target.display()
    ));
    Ok(())
}

/// A few frames spread over the run.
fn some_frames(folder: &RunFolder, frames: &[u32]) -> Result<Vec<Channels>, CacheError> {
    let step = frames.len().div_ceil(FRAMES_TO_FRAME);
    let chosen = frames.iter().step_by(step).chain(frames.last());
    chosen.map(|&frame| folder.read_frame(frame)).collect()
}

/// A picture of the right size that an earlier call left.
fn reusable(path: &Path, arguments: &Render) -> Option<Picture> {
    let PictureSize(width, height) = arguments.size;
    let picture = (!arguments.force).then(|| read_png(path).ok())??;
    (picture.width == width && picture.height == height).then_some(picture)
}

fn report(display: &Display, done: usize, all: usize) {
    if !display.quiet {
        complain(&format!("picture {done} of {all}"));
    }
}

fn picture_path(images: &Path, frame: u32) -> PathBuf {
    images.join(format!("frame_{frame:04}.png"))
}

/// Puts pictures from the whole run on one sheet.
pub(crate) fn sheet(arguments: Sheet) -> Result<(), Failure> {
    let folder = RunFolder::open(&arguments.folder)?;
    let images = folder.root().join("images");
    let mut found: Vec<(u32, PathBuf)> = folder
        .frames()?
        .into_iter()
        .map(|frame| (frame, picture_path(&images, frame)))
        .filter(|(_, path)| path.is_file())
        .collect();
    if found.is_empty() {
        return Err(Failure::File {
            path: images,
            what: "holds no pictures; make them with `ooze render`".into(),
        });
    }
    let step = found.len().div_ceil(usize::from(arguments.count));
    found = found.into_iter().step_by(step).collect();
    let target = arguments
        .output
        .unwrap_or_else(|| folder.root().join("sheet.png"));
    let failed = |error: RenderError| Failure::Picture {
        path: target.clone(),
        error: error.into(),
    };
    let pictures = found
        .iter()
        .map(|(frame, path)| Ok((frame.to_string(), read_png(path)?)))
        .collect::<Result<Vec<(String, Picture)>, RenderError>>()
        .map_err(failed)?;
    let sheet = contact_sheet(&pictures, &SheetSettings::default()).map_err(failed)?;
    write_png(&target, &sheet).map_err(failed)?;
    complain(&format!("wrote {}", target.display()));
    Ok(())
}
