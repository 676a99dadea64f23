//! What commands that work through the frames of a run share: which frames, and how far they have come.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ooze_cache::{CacheError, RunFolder};
use ooze_core::Channels;

use super::arguments::FrameRange;
use super::failure::Failure;
use super::words::{complain, duration};

/// The frames of a run that were asked for, of which there must be some.
pub(crate) fn selection(
    folder: &RunFolder,
    range: Option<&FrameRange>,
) -> Result<Vec<u32>, Failure> {
    let mut frames = folder.frames()?;
    if let Some(range) = range {
        frames.retain(|frame| range.0.contains(frame));
    }
    if frames.is_empty() {
        return Err(Failure::File {
            path: folder.frames_folder(),
            what: "holds none of the frames that were asked for".into(),
        });
    }
    Ok(frames)
}

/// Makes a folder to write to.
pub(crate) fn make_folder(path: &Path) -> Result<(), Failure> {
    if path == Path::new("") {
        return Ok(());
    }
    fs::create_dir_all(path).map_err(|error| Failure::File {
        path: path.to_owned(),
        what: format!("cannot be made: {error}; choose another folder with `-o`"),
    })
}

/// A few frames spread over the run, to find out where the liquid goes.
pub(crate) fn some_frames(folder: &RunFolder) -> Result<Vec<Channels>, CacheError> {
    const LOOKED_AT: usize = 6;
    let frames = folder.frames()?;
    let step = frames.len().div_ceil(LOOKED_AT).max(1);
    let chosen = frames.iter().step_by(step).chain(frames.last());
    chosen.map(|&frame| folder.read_frame(frame)).collect()
}

/// The picture of a frame.
pub(crate) fn picture_path(folder: &RunFolder, frame: u32) -> PathBuf {
    images_folder(folder).join(format!("frame_{frame:04}.png"))
}

/// The folder that pictures go to.
pub(crate) fn images_folder(folder: &RunFolder) -> PathBuf {
    folder.root().join("images")
}

/// Shows how many of the frames are done: a bar on a terminal, lines elsewhere.
pub(crate) struct FrameProgress {
    what: &'static str,
    all: usize,
    done: usize,
    start: Instant,
    quiet: bool,
    bar: Option<ProgressBar>,
}

impl FrameProgress {
    pub(crate) fn new(what: &'static str, all: usize, quiet: bool) -> Self {
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{bar:30} {msg} {pos}/{len}, ETA {eta}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let target = ProgressDrawTarget::stderr();
            ProgressBar::with_draw_target(Some(all as u64), target)
                .with_style(style)
                .with_message(what)
        });
        Self {
            what,
            all,
            done: 0,
            start: Instant::now(),
            quiet,
            bar,
        }
    }

    /// One more is done.
    pub(crate) fn advance(&mut self) {
        self.done += 1;
        match &self.bar {
            Some(bar) => bar.inc(1),
            None if !self.quiet => {
                let rest = self.all - self.done;
                let left = self.start.elapsed() * rest as u32 / self.done as u32;
                let (what, done, all) = (self.what, self.done, self.all);
                complain(&format!("{what} {done}/{all}, ETA {}", duration(left)));
            }
            None => {}
        }
        if self.done == self.all
            && let Some(bar) = &self.bar
        {
            bar.finish_and_clear();
        }
    }
}
