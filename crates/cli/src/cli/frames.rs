//! What commands that work through the frames of a run share: which frames, and how far they have come.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ooze_cache::RunFolder;

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

/// The folder in a run's own that pictures go to.
pub(crate) const IMAGES: &str = "images";

/// What the picture of a frame is called.
pub(crate) fn picture_name(frame: u32) -> String {
    format!("frame_{frame:04}.png")
}

/// The picture of a frame.
pub(crate) fn picture_path(folder: &RunFolder, frame: u32) -> PathBuf {
    images_folder(folder).join(picture_name(frame))
}

/// The folder that pictures go to.
pub(crate) fn images_folder(folder: &RunFolder) -> PathBuf {
    folder.root().join(IMAGES)
}

/// Shows how many of the frames are done: a bar on a terminal, lines elsewhere.
pub(crate) struct FrameProgress {
    what: &'static str,
    /// What the remaining time leads to, as `ETA`.
    until: &'static str,
    all: usize,
    done: usize,
    start: Instant,
    quiet: bool,
    bar: Option<ProgressBar>,
}

impl FrameProgress {
    pub(crate) fn new(what: &'static str, until: &'static str, all: usize, quiet: bool) -> Self {
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let template = format!("{{bar:30}} {{msg}} {{pos}}/{{len}}, {until} {{eta}}");
            let style = ProgressStyle::with_template(&template)
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let target = ProgressDrawTarget::stderr();
            ProgressBar::with_draw_target(Some(all as u64), target)
                .with_style(style)
                .with_message(what)
        });
        Self {
            what,
            until,
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
                let until = self.until;
                complain(&format!("{what} {done}/{all}, {until} {}", duration(left)));
            }
            None => {}
        }
    }

    /// No more will be done.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
