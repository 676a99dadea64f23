//! Folders that commands write what they make from frames into: one writer at a time, and nobody else's file is touched.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ooze_cache::{FolderLock, Ledger, Origin, RunFolder};

use super::failure::Failure;
use super::frames::make_folder;
use super::words::{complain, number};

/// A folder in which a command works, locked for as long as it does.
pub(crate) struct Workplace {
    lock: FolderLock,
    /// What ooze has made in it.
    pub(crate) ledger: Ledger,
}

impl Workplace {
    /// The folder that the user chose, or one of that name in the run's own; the run's own itself if the name is empty.
    pub(crate) fn choose(
        run: &RunFolder,
        chosen: Option<&Path>,
        usual: &str,
    ) -> Result<Self, Failure> {
        match chosen {
            Some(chosen) => {
                make_folder(chosen)?;
                if is_inside(chosen, run.root()) {
                    Self::under(FolderLock::take(run.root())?, chosen)
                } else {
                    Self::at(chosen)
                }
            }
            None => Self::under(FolderLock::take(run.root())?, &run.root().join(usual)),
        }
    }

    /// A folder that belongs to no run.
    pub(crate) fn at(folder: &Path) -> Result<Self, Failure> {
        make_folder(folder)?;
        Self::under(FolderLock::take(folder)?, folder)
    }

    /// A folder that a lock covers which is held already.
    pub(crate) fn under(lock: FolderLock, folder: &Path) -> Result<Self, Failure> {
        make_folder(folder)?;
        lock.tidy(folder)?;
        let ledger = Ledger::read(folder)?;
        Ok(Self { lock, ledger })
    }

    /// The right to write into the folder.
    pub(crate) fn lock(&self) -> &FolderLock {
        &self.lock
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        self.ledger.folder()
    }

    /// Writes a file anew, where there is none or one that ooze made.
    pub(crate) fn write(
        &mut self,
        name: &str,
        origin: Origin,
        write: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<PathBuf, Failure> {
        let path = self.ledger.begin(name)?;
        write(&path)?;
        self.ledger.made(name, origin)?;
        Ok(path)
    }

    /// Says which files in the folder were made from frames that the run no longer has, if there are any.
    pub(crate) fn tell_of_old_files(&self, run: &RunFolder) -> Result<(), Failure> {
        let old = old_files(self.folder(), run)?;
        let Some(first) = old.first() else {
            return Ok(());
        };
        let others = match old.len() - 1 {
            0 => String::new(),
            others => format!(" and {}", number(others, "other file")),
        };
        complain(&format!(
            "warning: {first}{others} in {} were made from other frames than those that the run has now",
            self.folder().display(),
        ));
        Ok(())
    }
}

/// Names of files in a folder that were made from frames that the run no longer has.
pub(crate) fn old_files(folder: &Path, run: &RunFolder) -> Result<Vec<String>, Failure> {
    let frames = run.frames()?;
    let data: BTreeSet<u32> = frames
        .iter()
        .filter_map(|&frame| run.frame_checksum(frame).ok())
        .collect();
    let ledger = Ledger::read(folder)?;
    let old = ledger.files().filter(|(name, origin)| {
        is_made_from_frames(name) && origin.is_none_or(|from| !data.contains(&from.data))
    });
    Ok(old.map(|(name, _)| name.into()).collect())
}

/// Whether what a file of that name was made from is a frame: that of a video is its pictures.
fn is_made_from_frames(name: &str) -> bool {
    let extension = Path::new(name).extension();
    match extension.and_then(|extension| extension.to_str()) {
        Some("png") => name.starts_with("frame_"),
        Some(extension) => ["ply", "obj", "vtu", "vtp", "pvd", "csv", "usdc"].contains(&extension),
        None => false,
    }
}

fn is_inside(folder: &Path, root: &Path) -> bool {
    match (folder.canonicalize(), root.canonicalize()) {
        (Ok(folder), Ok(root)) => folder.starts_with(root),
        _ => false,
    }
}

/// Writes one file: where the user says, or under its usual name in the run's folder.
pub(crate) fn write_file(
    run: &RunFolder,
    chosen: Option<PathBuf>,
    usual: &str,
    origin: Origin,
    write: impl FnOnce(&Path) -> Result<(), Failure>,
) -> Result<PathBuf, Failure> {
    match chosen {
        // What the user names is replaced as a whole by a rename, which needs no lock.
        Some(path) => write(&path).map(|()| path),
        None => Workplace::choose(run, None, "")?.write(usual, origin, write),
    }
}
