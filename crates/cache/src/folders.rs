//! What is in a folder: names, and what was left half-written.

use std::fs;
use std::io;
use std::path::Path;

use ooze_files::is_partial;

use crate::CacheError;

/// Removes what a killed process left half-written in `folder`.
pub(crate) fn remove_partial_files(folder: &Path) -> Result<(), CacheError> {
    for name in file_names(folder)? {
        if is_partial(&name) {
            remove(&folder.join(name))?;
        }
    }
    Ok(())
}

/// Names of all that a folder holds, sorted; none for a folder that does not exist. Names that are not Unicode are rendered
/// so that no name of ooze's equals them.
pub(crate) fn file_names(folder: &Path) -> Result<Vec<String>, CacheError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            return match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(Vec::new()),
                _ => Err(CacheError::io("list", folder, error)),
            };
        }
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|source| CacheError::io("list", folder, source))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    Ok(names)
}

/// Removes a file; nothing to remove is no error.
pub(crate) fn remove(path: &Path) -> Result<(), CacheError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(CacheError::io("remove", path, error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use ooze_files::WholeFile;

    use super::*;

    #[test]
    fn a_full_disk_is_told_with_what_to_do_about_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let full = ooze_files::write_with(&path, |_| Err(io::ErrorKind::StorageFull.into()));
        let error = CacheError::from(full.unwrap_err()).to_string();
        assert!(error.contains("a.txt"), "{error}");
        assert!(error.contains("free some space"), "{error}");
    }

    #[test]
    fn only_what_ooze_left_half_written_is_tidied_up() {
        let folder = tempfile::tempdir().unwrap();
        let left = WholeFile::create(&folder.path().join("a.txt")).unwrap();
        std::mem::forget(left);
        let foreign = [
            "film.partial",
            ".ooze-a.partial",
            ".ooze-a-1234.partial",
            "ooze-a-0123456789abcdef.partial",
        ];
        for name in foreign {
            fs::write(folder.path().join(name), "mine").unwrap();
        }
        assert_eq!(file_names(folder.path()).unwrap().len(), 5);
        remove_partial_files(folder.path()).unwrap();
        let mut kept = file_names(folder.path()).unwrap();
        kept.sort_unstable();
        let mut expected = foreign;
        expected.sort_unstable();
        assert_eq!(kept, expected);
    }
}
