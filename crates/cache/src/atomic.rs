//! Files that exist whole or not at all: written under a temporary name, flushed to the disk, then renamed.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::CacheError;

/// What a file that is still being written is called, after its final name.
const PARTIAL: &str = ".partial";

/// Writes `contents` to `path` so that a reader, also after a crash, sees the old file, or the new one, or none.
pub(crate) fn write(path: &Path, contents: &[u8]) -> Result<(), CacheError> {
    write_with(path, |file| file.write_all(contents))
}

/// As [`write`], for contents that are produced piece by piece.
pub(crate) fn write_with(
    path: &Path,
    produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), CacheError> {
    let mut file = WholeFile::create(path)?;
    produce(&mut file).map_err(|source| CacheError::io("write", path, source))?;
    file.finish()
}

/// A file that appears under its name when it is finished, whole, and not at all if it is dropped before.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    /// None when nothing is left to be tidied up.
    partial: Option<BufWriter<File>>,
}

impl WholeFile {
    /// Begins a file; an older one of that name stays until the new one is finished.
    pub fn create(path: &Path) -> Result<Self, CacheError> {
        let file = File::create(partial_name(path))
            .map_err(|source| CacheError::io("write", path, source))?;
        Ok(Self {
            path: path.into(),
            partial: Some(BufWriter::new(file)),
        })
    }

    /// The name that the file will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Flushes everything to the disk and gives the file its name.
    pub fn finish(mut self) -> Result<(), CacheError> {
        let flushed = self.writer().flush();
        flushed
            .and_then(|()| self.writer().get_ref().sync_all())
            .and_then(|()| fs::rename(partial_name(&self.path), &self.path))
            .map_err(|source| CacheError::io("write", &self.path, source))?;
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
            let _ = fs::remove_file(partial_name(&self.path));
        }
    }
}

fn partial_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(PARTIAL);
    name.into()
}

/// Whether a file of that name is still being written, or was when its writer was killed.
pub(crate) fn is_partial(name: &str) -> bool {
    name.ends_with(PARTIAL)
}

/// Makes renames inside `folder` survive a power cut. Only Unix has a way to ask for that.
fn sync_folder(folder: &Path) -> Result<(), CacheError> {
    if cfg!(unix) {
        File::open(folder)
            .and_then(|handle| handle.sync_all())
            .map_err(|source| CacheError::io("flush", folder, source))?;
    }
    Ok(())
}

/// Removes what a killed process left half-written in `folder`.
pub(crate) fn remove_partial_files(folder: &Path) -> Result<(), CacheError> {
    for name in file_names(folder)? {
        if is_partial(&name) {
            remove(&folder.join(name))?;
        }
    }
    Ok(())
}

/// Names of the files in a folder, sorted; none for a folder that does not exist. Names that are not Unicode are left
/// out: ooze makes none.
pub(crate) fn file_names(folder: &Path) -> Result<Vec<String>, CacheError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(CacheError::io("list", folder, error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|source| CacheError::io("list", folder, source))?;
        names.extend(entry.file_name().into_string().ok());
    }
    names.sort_unstable();
    Ok(names)
}

/// Removes a file or a whole folder; nothing to remove is no error.
pub(crate) fn remove(path: &Path) -> Result<(), CacheError> {
    let removed = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(CacheError::io("remove", path, error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(error.to_string().contains("free some space"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(file_names(folder.path()).unwrap(), ["a.txt"]);
    }

    #[test]
    fn a_file_that_is_dropped_was_never_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"........ and the rest").unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.write_all(b"THE HEAD").unwrap();
        assert_eq!(file_names(folder.path()).unwrap(), ["a.txt.partial"]);
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"THE HEAD and the rest");

        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"other").unwrap();
        drop(file);
        assert_eq!(file_names(folder.path()).unwrap(), ["a.txt"]);
        assert_eq!(fs::read(&path).unwrap(), b"THE HEAD and the rest");
    }
}
