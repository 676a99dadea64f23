//! Making pictures on threads of their own, so that Ctrl-C need not wait for one to be finished.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use ooze_cache::{CacheError, RunFolder};
use ooze_cli::pictures::{Drawn, PictureError, Studio};
use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

use super::failure::Failure;
use super::interrupt::Interrupt;

/// How often to look whether the user wants to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// A picture that could not be made.
#[derive(Debug, Error)]
pub(crate) enum PaintingError {
    /// The frame cannot be read.
    #[error(transparent)]
    Frame(#[from] CacheError),
    /// The frame cannot be drawn.
    #[error(transparent)]
    Picture(#[from] PictureError),
}

/// Draws frames of a run, one after the other.
pub(crate) struct Painter {
    orders: Sender<u32>,
    pictures: Receiver<Result<Drawn, PaintingError>>,
    thread: Option<JoinHandle<()>>,
}

impl Painter {
    /// Starts the threads: as many as everything else has, which rest meanwhile.
    pub(crate) fn new(
        run: RunFolder,
        studio: Arc<Studio>,
        frame_rate: f64,
    ) -> Result<Self, Failure> {
        let refused = |error: &dyn std::fmt::Display| {
            Failure::Usage(format!("cannot start threads for pictures: {error}"))
        };
        let pool = ThreadPoolBuilder::new()
            .num_threads(rayon::current_num_threads())
            .build()
            .map_err(|error| refused(&error))?;
        let (orders, ordered) = mpsc::channel();
        let (finished, pictures) = mpsc::channel();
        let work = move || {
            for frame in ordered {
                let picture = draw(&pool, &run, &studio, frame, frame_rate);
                if finished.send(picture).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("pictures".into())
            .spawn(work)
            .map_err(|error| refused(&error))?;
        Ok(Self {
            orders,
            pictures,
            thread: Some(thread),
        })
    }

    /// The picture of a frame; none if the user wants to stop before it is finished.
    pub(crate) fn picture(
        &mut self,
        frame: u32,
        interrupt: &Interrupt,
    ) -> Result<Option<Drawn>, PaintingError> {
        if self.orders.send(frame).is_err() {
            self.pass_panic_on();
        }
        loop {
            if interrupt.is_wanted() {
                return Ok(None);
            }
            match self.pictures.recv_timeout(PATIENCE) {
                Ok(picture) => return picture.map(Some),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.pass_panic_on(),
            }
        }
    }

    /// The thread ends early only if it panics: a bug there is one here.
    fn pass_panic_on(&mut self) -> ! {
        let panic = self.thread.take().map(JoinHandle::join);
        match panic {
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            _ => panic!("the thread for pictures ended"),
        }
    }
}

fn draw(
    pool: &ThreadPool,
    run: &RunFolder,
    studio: &Studio,
    frame: u32,
    frame_rate: f64,
) -> Result<Drawn, PaintingError> {
    pool.install(|| {
        let parts = run.read_frame(frame, &studio.scene().setup)?;
        Ok(studio.picture(&parts, f64::from(frame) / frame_rate)?)
    })
}
