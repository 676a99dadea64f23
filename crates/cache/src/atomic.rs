//! Files that exist whole or not at all: written under a temporary name, flushed to the disk, then renamed.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
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
    let partial = partial_name(path);
    let written = fill(&partial, produce).and_then(|()| fs::rename(&partial, path));
    if let Err(source) = written {
        // The original error matters more than a failure to tidy up after it.
        let _ = fs::remove_file(&partial);
        return Err(CacheError::io("write", path, source));
    }
    sync_folder(path.parent().unwrap_or(Path::new(".")))
}

fn fill(partial: &Path, produce: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::new(File::create(partial)?);
    produce(&mut writer)?;
    writer
        .into_inner()
        .map_err(|error| error.into_error())?
        .sync_all()
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
}
