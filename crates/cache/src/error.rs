//! What can go wrong with the files of a run. Each message names the path and says what to do.

use std::io;
use std::path::{Path, PathBuf};

use ooze_core::ChannelError;
use ooze_files::FileError;
use thiserror::Error;

/// A failure to write or to read the files of a run.
#[derive(Debug, Error)]
pub enum CacheError {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}{}", path.display(), advice(source))]
    Io {
        /// What was attempted, as a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A new run would overwrite an older one.
    #[error(
        "{} already holds a run; continue it with `ooze resume`, replace it with `--force`, or choose another folder with `-o`",
        path.display()
    )]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// The folder for a new run holds other things.
    #[error(
        "{} is not empty and was not made by ooze; choose an empty or new folder with `-o`",
        path.display()
    )]
    Foreign {
        /// The folder.
        path: PathBuf,
    },
    /// A file that would be replaced is somebody else's.
    #[error(
        "{} is there already, and ooze did not make it, or it was changed since; move it away, or choose another folder with `-o`",
        path.display()
    )]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// The folder to read from is not that of a run.
    #[error("{} is not the folder of a run: it holds no scene.toml and run.json that ooze wrote", path.display())]
    NotARun {
        /// The folder.
        path: PathBuf,
    },
    /// Another process writes to the folder at this moment.
    #[error(
        "{} is in use by another ooze process; wait until it ends, stop it first, or choose another folder with `-o`",
        path.display()
    )]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// A file ends too early.
    #[error("{} is truncated; {}", path.display(), repair(path))]
    Truncated {
        /// The file.
        path: PathBuf,
    },
    /// A file's checksum does not fit its contents.
    #[error("{} was altered: {part} does not match its checksum; {}", path.display(), repair(path))]
    Altered {
        /// The file.
        path: PathBuf,
        /// The part of it that is damaged.
        part: String,
    },
    /// A file is whole, but not what was expected.
    #[error("{}: {reason}", path.display())]
    Unexpected {
        /// The file.
        path: PathBuf,
        /// What is the matter.
        reason: String,
    },
    /// A value that must not reach a file is NaN or infinite.
    #[error(
        "`{channel}` of item {item} is not a finite number; nothing was written to {}",
        path.display()
    )]
    NotFinite {
        /// The file it was meant for.
        path: PathBuf,
        /// The channel or the key.
        channel: String,
        /// Index of the first such item; for a line of text, the frame.
        item: usize,
    },
    /// The channels of a file do not fit what it is read for.
    #[error("{}: {source}", path.display())]
    Channel {
        /// The file.
        path: PathBuf,
        /// What is the matter.
        source: ChannelError,
    },
    /// A line of a text file makes no sense.
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from one.
        line: usize,
        /// What is the matter.
        reason: String,
    },
    /// The scene in the folder is not the one that the checkpoint belongs to.
    #[error(
        "{} was changed after the checkpoint was written; put the old text back, or start anew with `ooze run`",
        path.display()
    )]
    SceneChanged {
        /// The scene file.
        path: PathBuf,
    },
    /// The run has no such frame.
    #[error("frame {frame} is not in {}; it has {}", path.display(), describe(.available))]
    NoSuchFrame {
        /// The folder of the run.
        path: PathBuf,
        /// The frame that was asked for.
        frame: u32,
        /// First and last frame that are there.
        available: Option<(u32, u32)>,
    },
}

impl From<FileError> for CacheError {
    fn from(error: FileError) -> Self {
        Self::io(error.action, &error.path, error.source)
    }
}

impl CacheError {
    /// Wraps an error of the operating system.
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io {
            action,
            path: path.into(),
            source,
        }
    }

    /// Wraps a complaint about channels.
    pub(crate) fn channel(path: &Path, source: ChannelError) -> Self {
        Self::Channel {
            path: path.into(),
            source,
        }
    }

    /// A file that is whole but not what was expected.
    pub(crate) fn unexpected(path: &Path, reason: impl Into<String>) -> Self {
        Self::Unexpected {
            path: path.into(),
            reason: reason.into(),
        }
    }
}

/// What to do about an error of the operating system, as the end of a sentence.
fn advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "; free some space and give the command again: what was finished before is whole (an unfinished run is continued with `ooze resume`)"
        }
        io::ErrorKind::PermissionDenied
        | io::ErrorKind::ReadOnlyFilesystem
        | io::ErrorKind::NotADirectory => "; choose a folder that you may write to with `-o`",
        _ => "",
    }
}

/// How to get a good copy of a damaged file.
fn repair(path: &Path) -> &'static str {
    let in_checkpoint = path
        .parent()
        .is_some_and(|folder| folder.ends_with("checkpoint"));
    if in_checkpoint {
        "restore it from a copy, or start the run anew with `ooze run --force`"
    } else {
        "restore it from a copy, or run the scene again"
    }
}

fn describe(available: &Option<(u32, u32)>) -> String {
    match available {
        Some((first, last)) => format!("frames {first} to {last}"),
        None => "no frames yet".into(),
    }
}
