//! The pictures of a run and the video of them: which are there, which are out of date, which are still to be made.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ooze::simulation::peak_bytes;
use ooze_cache::{CacheError, InputFile, Origin, PictureTotals, RunFolder, checksum};
use ooze_cli::pictures::{Studio, natural_range, short, unit, widened};
use ooze_commons::Choice;
use ooze_render::write_png;
#[cfg(feature = "video")]
use ooze_render::{VideoWriter, read_png};
use ooze_scene::Scene;

use super::failure::{Failure, failed};
use super::frames::picture_name;
use super::interrupt::Interrupt;
use super::painter::{Painter, PaintingError};
use super::words::{complain, number};
use super::workplace::Workplace;

/// The scene with which the pictures beside it were made.
const RECIPE: &str = "recipe.toml";

/// The pictures of a run in one folder, all made in the same way.
pub(crate) struct Gallery {
    run: RunFolder,
    images: Workplace,
    /// Where the video goes, if not beside the pictures.
    screen: Option<Workplace>,
    video_name: String,
    shown_rate: f64,
    /// Checksum of how pictures are made.
    recipe: u32,
    scene_text: String,
    painter: Painter,
    /// The scene, while it is open which values its colours stand for: those of the whole run.
    unscaled: Option<Scene>,
    /// What was made since the gallery was opened.
    totals: PictureTotals,
}

impl Gallery {
    /// Opens a gallery; `images` is the folder of the pictures, and `screen` that of the video if it is another.
    pub(crate) fn open(
        run: RunFolder,
        scene: Scene,
        images: Workplace,
        screen: Option<Workplace>,
    ) -> Result<Self, Failure> {
        let frame_rate = scene.time.frame_rate;
        let shown_rate = scene.pictures.frame_rate.unwrap_or(frame_rate);
        let video_name = format!("{}.mp4", scene.name);
        let scene_text = scene.source_text.clone();
        let waits = scene.pictures.colouring.as_ref().is_some_and(|colouring| {
            colouring.range.is_none() && natural_range(colouring.channel).is_none()
        });
        let unscaled = waits.then(|| scene.clone());
        let studio = Studio::of_scene(scene).map_err(failed(run.root()))?;
        let recipe = studio.recipe();
        let painter = Painter::new(run.clone(), Arc::new(studio), frame_rate)?;
        Ok(Self {
            run,
            images,
            screen,
            video_name,
            shown_rate,
            recipe,
            scene_text,
            painter,
            unscaled,
            totals: PictureTotals::default(),
        })
    }

    /// Whether pictures have to wait for the end of the run, whose values their colours stand for.
    pub(crate) fn waits_for_values(&self) -> bool {
        self.unscaled.is_some()
    }

    /// Finds the values of the run that colours stand for, where that is open, and tells them unless `quiet`.
    pub(crate) fn settle_colours(&mut self, quiet: bool) -> Result<(), Failure> {
        let Some(mut scene) = self.unscaled.take() else {
            return Ok(());
        };
        let Some(mut colouring) = scene.pictures.colouring else {
            return Ok(());
        };
        let channel = colouring.channel;
        for frame in self.run.frames()? {
            let parts = self.run.read_frame(frame, &scene.setup)?;
            colouring.range =
                widened(colouring.range, &parts, channel).map_err(failed(self.run.root()))?;
        }
        if let Some([low, high]) = colouring.range.filter(|_| !quiet) {
            complain(&format!(
                "colours: {} from {} to {} {}; others with `--set 'pictures.colour_by.range=[low, high]'`",
                channel.word(),
                short(low),
                short(high),
                unit(channel)
            ));
        }
        scene.pictures.colouring = Some(colouring);
        let frame_rate = scene.time.frame_rate;
        let studio = Studio::of_scene(scene).map_err(failed(self.run.root()))?;
        self.recipe = studio.recipe();
        self.painter = Painter::new(self.run.clone(), Arc::new(studio), frame_rate)?;
        Ok(())
    }

    /// The folder of the pictures.
    pub(crate) fn folder(&self) -> &Path {
        self.images.folder()
    }

    fn origin(&self, frame: u32) -> Result<Origin, Failure> {
        Ok(Origin {
            recipe: self.recipe,
            data: self.run.frame_checksum(frame)?,
        })
    }

    /// Whether the picture of a frame is there, made from this very frame in this very way.
    pub(crate) fn has(&self, frame: u32) -> Result<bool, Failure> {
        let origin = self.origin(frame)?;
        Ok(self
            .images
            .ledger
            .is_current(&picture_name(frame), origin)?)
    }

    /// Refuses to put pictures of some frames beside others that were made in another way, or from other frames: no video
    /// could be made of them.
    pub(crate) fn refuse_to_mix(&self, frames: &[u32]) -> Result<(), Failure> {
        let mut others = 0;
        for frame in self.run.frames()? {
            let there = self.folder().join(picture_name(frame)).exists();
            if there && !frames.contains(&frame) && !self.has(frame)? {
                others += 1;
            }
        }
        if others == 0 {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "{} holds {} of other frames that were made in another way (or from an older run), which these would not fit; put these elsewhere with `-o`, or make all anew without `--frames`",
            self.folder().display(),
            number(others, "picture"),
        )))
    }

    /// Makes the picture of a frame anew; false if the user wants to stop before it is finished.
    pub(crate) fn make(&mut self, frame: u32, interrupt: &Interrupt) -> Result<bool, Failure> {
        let start = Instant::now();
        let origin = self.origin(frame)?;
        let name = picture_name(frame);
        let path = self.folder().join(&name);
        let drawn = match self.painter.picture(frame, interrupt) {
            Ok(Some(drawn)) => drawn,
            Ok(None) => return Ok(false),
            Err(PaintingError::Frame(error)) => return Err(error.into()),
            Err(PaintingError::Picture(error)) => return Err(Failure::Picture { path, error }),
        };
        self.write_recipe()?;
        self.images.write(&name, origin, |path| {
            write_png(path, &drawn.picture).map_err(failed(path))
        })?;
        self.totals.pictures += 1;
        self.note_time(start, drawn.surfacing);
        Ok(true)
    }

    /// Adds the time since `start`, so much of which went into surfaces.
    fn note_time(&mut self, start: Instant, surfacing: Duration) {
        let drawing = start.elapsed().saturating_sub(surfacing);
        self.totals.surface_seconds += surfacing.as_secs_f64();
        self.totals.drawing_seconds += drawing.as_secs_f64();
    }

    /// Writes into the run's summary what its pictures took.
    pub(crate) fn note_totals(&mut self) -> Result<(), Failure> {
        let mut totals = std::mem::take(&mut self.totals);
        totals.peak_memory_bytes = peak_bytes();
        Ok(self.run.add_pictures(self.images.lock(), &totals)?)
    }

    /// Puts the scene, changes included, beside pictures that are made with it.
    fn write_recipe(&mut self) -> Result<(), Failure> {
        let origin = Origin {
            recipe: self.recipe,
            data: 0,
        };
        if !self.images.ledger.is_current(RECIPE, origin)? {
            let text = &self.scene_text;
            self.images.write(RECIPE, origin, |path| {
                Ok(ooze_files::write(path, text.as_bytes()).map_err(CacheError::from)?)
            })?;
        }
        Ok(())
    }

    /// Says which pictures were made from frames that are no longer there, if there are any.
    pub(crate) fn tell_of_old_pictures(&self) -> Result<(), Failure> {
        self.images.tell_of_old_files(&self.run)
    }

    /// Makes a video of all pictures that are there and up to date; none if there are no pictures.
    pub(crate) fn write_video(&mut self) -> Result<Option<(PathBuf, usize)>, Failure> {
        let mut shown = Vec::new();
        for frame in self.run.frames()? {
            if self.has(frame)? {
                shown.push(self.folder().join(picture_name(frame)));
            }
        }
        if shown.is_empty() {
            return Ok(None);
        }
        let start = Instant::now();
        let origin = video_origin(&shown, self.shown_rate)?;
        let (name, shown_rate) = (&self.video_name, self.shown_rate);
        let screen = self.screen.as_mut().unwrap_or(&mut self.images);
        let target = if screen.ledger.is_current(name, origin)? {
            screen.folder().join(name)
        } else {
            screen.write(name, origin, |target| {
                write_video(target, &shown, shown_rate)
            })?
        };
        self.note_time(start, Duration::ZERO);
        Ok(Some((target, shown.len())))
    }
}

/// What a video of some pictures is made from.
pub(crate) fn video_origin(pictures: &[PathBuf], frame_rate: f64) -> Result<Origin, Failure> {
    let mut data = Vec::new();
    for picture in pictures {
        let known = InputFile::of(picture)?;
        data.extend(known.checksum.to_le_bytes());
    }
    Ok(Origin {
        recipe: checksum(&frame_rate.to_le_bytes()),
        data: checksum(&data),
    })
}

/// Puts pictures together to a video.
#[cfg(feature = "video")]
pub(crate) fn write_video(
    target: &Path,
    pictures: &[PathBuf],
    frame_rate: f64,
) -> Result<(), Failure> {
    let mut video = VideoWriter::new(target, frame_rate).map_err(failed(target))?;
    for path in pictures {
        let picture = read_png(path).map_err(failed(path))?;
        video.push(&picture).map_err(failed(target))?;
    }
    video.finish().map_err(failed(target))?;
    Ok(())
}

/// Refuses.
#[cfg(not(feature = "video"))]
pub(crate) fn write_video(
    _target: &Path,
    _pictures: &[PathBuf],
    _frame_rate: f64,
) -> Result<(), Failure> {
    Err(Failure::lacks("video"))
}
