//! Files that exist whole or not at all: written under a temporary name, flushed to the disk, then renamed.

use std::collections::hash_map::RandomState;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {path}: {source}")]
pub struct FileError {
    /// What was tried, as a verb.
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// The system's reason.
    pub source: io::Error,
}

impl FileError {
    fn new(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self {
            action,
            path: path.into(),
            source,
        }
    }
}

/// A file that is still being written is called `.ooze-NAME-DIGITS.partial`: no one else's files are called so, and the
/// digits cannot be foreseen, so that no link can lie in wait.
const PARTIAL: (&str, &str) = (".ooze-", ".partial");
/// Hexadecimal digits in such a name.
const DIGITS: usize = 16;

/// Writes `contents` to `path` so that a reader, also after a crash, sees the old file, or the new one, or none.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), FileError> {
    write_with(path, |file| file.write_all(contents))
}

/// As [`write()`], for contents that are produced piece by piece.
pub fn write_with(
    path: &Path,
    produce: impl FnOnce(&mut WholeFile) -> io::Result<()>,
) -> Result<(), FileError> {
    let mut file = WholeFile::create(path)?;
    produce(&mut file).map_err(|source| FileError::new("write", path, source))?;
    file.finish()
}

/// A file that appears under its name when it is finished, whole, and not at all if it is dropped before.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    partial_path: PathBuf,
    /// None when nothing is left to be tidied up.
    partial: Option<BufWriter<File>>,
}

impl WholeFile {
    /// Begins a file; an older one of that name stays until the new one is finished.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let wrap = |source| FileError::new("write", path, source);
        let partial_path = partial_path(path).map_err(wrap)?;
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&partial_path)
            .map_err(wrap)?;
        Ok(Self {
            path: path.into(),
            partial_path,
            partial: Some(BufWriter::new(file)),
        })
    }

    /// The name that the file will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Flushes everything to the disk and gives the file its name.
    pub fn finish(mut self) -> Result<(), FileError> {
        let flushed = self.writer().flush();
        flushed
            .and_then(|()| self.writer().get_ref().sync_all())
            .and_then(|()| fs::rename(&self.partial_path, &self.path))
            .map_err(|source| FileError::new("write", &self.path, source))?;
        self.partial = None;
        let folder = self.path.parent().filter(|folder| *folder != Path::new(""));
        sync_folder(folder.unwrap_or(Path::new(".")))
    }

    fn writer(&mut self) -> &mut BufWriter<File> {
        self.partial
            .as_mut()
            .expect("taken by `finish` alone, which consumes the file")
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

impl Seek for WholeFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.writer().seek(position)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(writer) = self.partial.take() {
            // What the buffer still holds belongs to a file that is not wanted any more, and a failure to tidy up
            // matters less than what went wrong before.
            let _ = writer.into_parts();
            let _ = fs::remove_file(&self.partial_path);
        }
    }
}

fn partial_path(path: &Path) -> io::Result<PathBuf> {
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    // The standard library seeds its hash maps with numbers that nobody can guess.
    let random = RandomState::new().build_hasher().finish();
    let mut partial = std::ffi::OsString::from(PARTIAL.0);
    partial.push(name);
    partial.push(format!("-{random:0DIGITS$x}{}", PARTIAL.1));
    Ok(path.with_file_name(partial))
}

/// Whether ooze is still writing a file of that name, or was when it was killed.
pub fn is_partial(name: &str) -> bool {
    let middle = name
        .strip_prefix(PARTIAL.0)
        .and_then(|name| name.strip_suffix(PARTIAL.1));
    middle
        .and_then(|middle| middle.rsplit_once('-'))
        .is_some_and(|(_, digits)| {
            digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        })
}

/// Makes renames inside `folder` survive a power cut. Only Unix has a way to ask for that.
fn sync_folder(folder: &Path) -> Result<(), FileError> {
    if cfg!(unix) {
        File::open(folder)
            .and_then(|handle| handle.sync_all())
            .map_err(|source| FileError::new("flush", folder, source))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn a_failed_write_keeps_the_old_file_and_leaves_no_debris() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, b"old").unwrap();
        let error = write_with(&path, |file| {
            file.write_all(b"half of the new")?;
            Err(io::ErrorKind::StorageFull.into())
        })
        .unwrap_err();
        assert!(error.to_string().contains("a.txt"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn a_file_that_is_dropped_was_never_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"........ and the rest").unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.write_all(b"THE HEAD").unwrap();
        let found = names(folder.path());
        assert!(found.len() == 1 && is_partial(&found[0]), "{found:?}");
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"THE HEAD and the rest");

        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"other").unwrap();
        drop(file);
        assert_eq!(names(folder.path()), ["a.txt"]);
        assert_eq!(fs::read(&path).unwrap(), b"THE HEAD and the rest");
    }

    #[test]
    fn a_file_that_cannot_be_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("a.txt");
        let message = write(&path, b"lost").unwrap_err().to_string();
        assert!(
            message.contains("cannot write") && message.contains("missing"),
            "{message}"
        );
        let root = write(Path::new("/"), b"lost").unwrap_err().to_string();
        assert!(root.contains("names no file"), "{root}");
    }
}
