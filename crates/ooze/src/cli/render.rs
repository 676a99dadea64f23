//! `ooze render`: pictures and a video of a run from its cached frames.

use std::fs;
use std::path::{Path, PathBuf};

use ooze::pictures::{PictureError, Studio, subject_bounds};
use ooze_cache::RunFolder;
use ooze_render::{Picture, VideoWriter, read_png, write_png};
use ooze_scene::{Override, Scene};

use super::arguments::{Display, Render};
use super::failure::Failure;
use super::frames::{
    FrameProgress, images_folder, make_folder, picture_path, selection, some_frames,
};
use super::run::use_threads;
use super::source;
use super::words::complain;

/// Makes the pictures that are missing, and a video of all of them.
pub(crate) fn render(arguments: Render) -> Result<(), Failure> {
    use_threads(arguments.again.display.threads)?;
    let folder = RunFolder::open(&arguments.folder)?;
    let scene = source::of_run_with(&folder, &overrides(&arguments))?;
    let frames = selection(&folder, arguments.again.frames.as_ref())?;
    let job = Job {
        folder,
        scene,
        frames,
        force: arguments.again.force,
        quiet: arguments.again.display.quiet,
    };
    job.carry_out()
}

/// Pictures and a video of a run that has just ended, as its scene wants them.
pub(crate) fn video_of_run(root: &Path, scene: &Scene, display: &Display) -> Result<(), Failure> {
    let folder = RunFolder::open(root)?;
    let frames = folder.frames()?;
    if frames.is_empty() {
        // The scene asked for no particle frames, so there is nothing to show.
        return Ok(());
    }
    let job = Job {
        folder,
        scene: scene.clone(),
        frames,
        force: false,
        quiet: display.quiet,
    };
    job.carry_out()
}

/// The keys of the scene that flags stand for.
fn overrides(arguments: &Render) -> Vec<Override> {
    let mut texts = arguments.again.set.clone();
    if let Some(quality) = &arguments.quality {
        texts.push(quality_key(quality));
    }
    if let Some(size) = arguments.size {
        texts.push(format!("pictures.width={}", size.0));
        texts.push(format!("pictures.height={}", size.1));
    }
    texts.iter().map(|text| Override::set(text)).collect()
}

/// The key of the scene that `--quality` stands for.
pub(crate) fn quality_key(quality: &str) -> String {
    format!("pictures.quality=\"{quality}\"")
}

/// Pictures that are to be made.
struct Job {
    folder: RunFolder,
    scene: Scene,
    frames: Vec<u32>,
    force: bool,
    quiet: bool,
}

impl Job {
    fn carry_out(self) -> Result<(), Failure> {
        let images = images_folder(&self.folder);
        make_folder(&images)?;
        let (frame_rate, name) = (self.scene.time.frame_rate, self.scene.name.clone());
        let shown_rate = self.scene.pictures.frame_rate.unwrap_or(frame_rate);
        let root = self.folder.root().to_owned();
        let subject = subject_bounds(&some_frames(&self.folder)?);
        let studio = Studio::new(self.scene, subject).map_err(failed(&root))?;
        let keep = !self.force && is_current(&images, &studio.recipe())?;
        let target = root.join(format!("{name}.mp4"));
        let mut video = VideoWriter::new(&target, shown_rate).map_err(failed(&target))?;
        let mut progress = FrameProgress::new("picture", self.frames.len(), self.quiet);
        for &frame in &self.frames {
            let path = picture_path(&self.folder, frame);
            let picture = match read_png(&path) {
                Ok(picture) if keep => picture,
                _ => {
                    let time = f64::from(frame) / frame_rate;
                    make_picture(&self.folder, &studio, frame, time, &path)?
                }
            };
            video.push(&picture).map_err(failed(&target))?;
            progress.advance();
        }
        video.finish().map_err(failed(&target))?;
        if !self.quiet {
            let (count, images) = (self.frames.len(), images.display());
            complain(&format!(
                "wrote {count} pictures to {images} and {}",
                target.display()
            ));
        }
        Ok(())
    }
}

fn make_picture(
    folder: &RunFolder,
    studio: &Studio,
    frame: u32,
    time: f64,
    path: &Path,
) -> Result<Picture, Failure> {
    let channels = folder.read_frame(frame)?;
    let picture = studio.picture(&channels, time).map_err(failed(path))?;
    write_png(path, &picture).map_err(failed(path))?;
    Ok(picture)
}

/// Turns what went wrong with a picture into a failure that names the file.
pub(crate) fn failed<E: Into<PictureError>>(path: &Path) -> impl FnOnce(E) -> Failure {
    let path: PathBuf = path.to_owned();
    move |error| Failure::Picture {
        path,
        error: error.into(),
    }
}

/// Whether older pictures in the folder were made in the same way; notes the way for next time.
fn is_current(images: &Path, recipe: &str) -> Result<bool, Failure> {
    let path = images.join("recipe.txt");
    if fs::read_to_string(&path).is_ok_and(|old| old == recipe) {
        return Ok(true);
    }
    // Pictures of another recipe must not be taken for ones of this if the work is interrupted.
    for entry in fs::read_dir(images).into_iter().flatten().flatten() {
        if entry
            .path()
            .extension()
            .is_some_and(|extension| extension == "png")
        {
            fs::remove_file(entry.path()).map_err(|error| Failure::File {
                path: entry.path(),
                what: format!("an older picture cannot be removed: {error}"),
            })?;
        }
    }
    fs::write(&path, recipe).map_err(|error| Failure::File {
        path,
        what: format!("cannot be written: {error}"),
    })?;
    Ok(false)
}
