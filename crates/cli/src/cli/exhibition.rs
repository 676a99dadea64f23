//! Pictures that are made while a simulation goes on, each as soon as its frame is written, and the video at the end.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ooze::simulation::{Finished, Moment, Sink, SinkError};
use ooze_cache::{FolderLock, RunFolder};
use ooze_scene::Scene;

use super::failure::Failure;
use super::frames::IMAGES;
use super::gallery::Gallery;
use super::interrupt::Interrupt;
use super::words::complain;
use super::workplace::Workplace;
use super::{render, run};

/// What Ctrl-C does while a picture is made.
const PROMISE: &str =
    "stopping; a checkpoint will be written, and a video of the pictures that there are";

/// The pictures of a run that goes on.
pub(crate) struct Exhibition {
    gallery: Arc<Mutex<Gallery>>,
    made: Arc<AtomicUsize>,
    interrupt: Interrupt,
}

impl Exhibition {
    /// Opens the gallery of a run whose folder is locked.
    pub(crate) fn open(
        run: &RunFolder,
        lock: &FolderLock,
        scene: &Scene,
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let images = Workplace::under(lock.clone(), &run.root().join(IMAGES))?;
        let screen = Workplace::under(lock.clone(), run.root())?;
        let gallery = Gallery::open(run.clone(), scene.clone(), images, Some(screen))?;
        Ok(Self {
            gallery: Arc::new(Mutex::new(gallery)),
            made: Arc::default(),
            interrupt: interrupt.clone(),
        })
    }

    /// The sink that makes the picture of each frame when it is written. Pictures are made from the frame as it is on the
    /// disk, between two steps: they change nothing about the simulation, and are the same as those made afterwards.
    pub(crate) fn sink(&self, every: u32) -> Box<dyn Sink> {
        Box::new(PictureSink {
            gallery: self.gallery.clone(),
            made: self.made.clone(),
            interrupt: self.interrupt.clone(),
            every,
        })
    }

    /// How many pictures there are.
    pub(crate) fn count(&self) -> Arc<AtomicUsize> {
        self.made.clone()
    }

    /// Makes the pictures that are still missing, unless the user wants to stop, and the video of all that there are.
    pub(crate) fn finish(&self, frames: &[u32], quiet: bool) -> Result<(), Failure> {
        let mut gallery = lock(&self.gallery);
        gallery.settle_colours(quiet)?;
        let filled = if self.interrupt.is_wanted() {
            Ok(())
        } else {
            render::fill(&mut gallery, frames, false, quiet, &self.interrupt)
        };
        render::finish(&mut gallery, quiet)?;
        gallery.note_totals()?;
        filled
    }
}

fn lock(gallery: &Mutex<Gallery>) -> MutexGuard<'_, Gallery> {
    gallery.lock().unwrap_or_else(PoisonError::into_inner)
}

struct PictureSink {
    gallery: Arc<Mutex<Gallery>>,
    made: Arc<AtomicUsize>,
    interrupt: Interrupt,
    /// Every n-th frame is written.
    every: u32,
}

impl Sink for PictureSink {
    fn frame(&mut self, moment: &Moment, _finished: &mut Finished) -> Result<(), SinkError> {
        let frame = moment.progress.frame;
        if !frame.is_multiple_of(self.every) {
            return Ok(());
        }
        let mut gallery = lock(&self.gallery);
        if gallery.waits_for_values() {
            return Ok(());
        }
        self.interrupt.promise(PROMISE);
        let made = match gallery.has(frame) {
            Ok(true) => Ok(true),
            Ok(false) => gallery.make(frame, &self.interrupt),
            Err(error) => Err(error),
        };
        self.interrupt.promise(run::PROMISE);
        match made {
            Ok(true) => {
                self.made.fetch_add(1, Ordering::Relaxed);
            }
            Ok(false) => {}
            // The simulation is worth more than its pictures, which can be made afterwards.
            Err(error) => complain(&format!(
                "warning: no picture of frame {frame}: {error}\nThe simulation goes on; what is missing is tried again at its end."
            )),
        }
        Ok(())
    }
}
