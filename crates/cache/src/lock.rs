//! The right to write into a folder: one process has it, for as long as it writes there.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{CacheError, folders, own_file};

/// What the file that carries the lock is called. The operating system lets go of the lock when a process ends, in whatever
/// way; the file itself means nothing.
pub(crate) const LOCK: &str = ".lock";

/// The right to write into a folder, held until the last copy of it is dropped.
///
/// It is taken before anything in the folder is looked at: what was seen stays so.
#[derive(Clone, Debug)]
pub struct FolderLock {
    folder: PathBuf,
    _file: Arc<File>,
    made: bool,
}

impl FolderLock {
    /// Takes the lock of a folder, which is made if it is not there.
    pub fn take(folder: &Path) -> Result<Self, CacheError> {
        fs::create_dir_all(folder)
            .map_err(|source| CacheError::io("make the folder", folder, source))?;
        let path = folder.join(LOCK);
        loop {
            let (file, made) = own_file::open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(CacheError::Busy {
                        path: folder.into(),
                    });
                }
                // Some network file systems have no locks: better to write without one than not at all.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(source)) => {
                    return Err(CacheError::io("lock", &path, source));
                }
            }
            // Another process may have tidied the file away between the two calls; its lock is then no lock.
            if own_file::is_at(&file, &path) {
                return Ok(Self {
                    folder: folder.into(),
                    _file: Arc::new(file),
                    made,
                });
            }
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Removes what a killed process left half-written in a folder that the lock covers.
    pub fn tidy(&self, folder: &Path) -> Result<(), CacheError> {
        folders::remove_partial_files(folder)
    }

    /// Gives a folder back as it was before, if nothing was written into it.
    pub fn leave_no_trace(self) {
        if self.made {
            // An empty hidden file that cannot be removed does no harm.
            let _ = fs::remove_file(self.folder.join(LOCK));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_writer_and_then_another() {
        let folder = tempfile::tempdir().unwrap();
        let first = FolderLock::take(folder.path()).unwrap();
        let copy = first.clone();
        drop(first);
        assert!(matches!(
            FolderLock::take(folder.path()),
            Err(CacheError::Busy { .. })
        ));
        drop(copy);
        // A file that a dead process left is no lock.
        let second = FolderLock::take(folder.path()).unwrap();
        second.leave_no_trace();
        assert!(folder.path().join(LOCK).exists(), "it was there before");
    }

    #[test]
    fn whoever_leaves_no_trace_leaves_none() {
        let folder = tempfile::tempdir().unwrap();
        FolderLock::take(folder.path()).unwrap().leave_no_trace();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn one_at_a_time_even_while_the_file_comes_and_goes() {
        let folder = tempfile::tempdir().unwrap();
        let inside = std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let Ok(lock) = FolderLock::take(folder.path()) else {
                            continue;
                        };
                        let others = inside.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                        assert_eq!(others, 0);
                        inside.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                        lock.leave_no_trace();
                    }
                });
            }
        });
    }
}
