//! Files that exist whole or not at all: written under a temporary name beside the target, flushed to disk, then renamed.

use std::collections::hash_map::RandomState;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::RenderError;

/// Writes `path` through `fill`; on failure nothing is left behind and an older file stays as it was.
pub(super) fn write_atomically(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), RenderError>,
) -> Result<(), RenderError> {
    let refused = |source: io::Error| RenderError::Write {
        path: path.to_owned(),
        source,
    };
    let temporary = temporary_name(path).map_err(refused)?;
    let finish = || -> Result<(), RenderError> {
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).open(&temporary);
        let mut writer = BufWriter::new(file.map_err(refused)?);
        fill(&mut writer)?;
        writer.flush().map_err(refused)?;
        writer.get_ref().sync_all().map_err(refused)?;
        fs::rename(&temporary, path).map_err(refused)
    };
    let result = finish();
    if result.is_err() {
        // The first error is the one to report; a temporary file that cannot be removed either adds nothing.
        let _ = fs::remove_file(&temporary);
    }
    result
}

/// A name as all of ooze's unfinished files have it: nobody else's files are called so, and it cannot be foreseen, so that
/// no link can lie in wait.
fn temporary_name(path: &Path) -> io::Result<PathBuf> {
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    let random = RandomState::new().build_hasher().finish();
    let mut hidden = std::ffi::OsString::from(".ooze-");
    hidden.push(name);
    hidden.push(format!("-{random:016x}.partial"));
    Ok(path.with_file_name(hidden))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_leaves_the_old_file_and_no_debris() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("picture.png");
        fs::write(&path, b"old").expect("writable");
        let result = write_atomically(&path, |writer| {
            writer.write_all(b"half").expect("writable");
            Err(RenderError::NoFrames { path: path.clone() })
        });
        assert!(result.is_err());
        assert_eq!(fs::read(&path).expect("still there"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    #[test]
    fn unwritable_target_is_named() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("missing").join("picture.png");
        let message = write_atomically(&path, |_| Ok(()))
            .expect_err("no such folder")
            .to_string();
        assert!(
            message.contains("cannot write") && message.contains("missing"),
            "{message}"
        );
        let root = write_atomically(Path::new("/"), |_| Ok(()))
            .expect_err("not a file")
            .to_string();
        assert!(root.contains("names no file"), "{root}");
    }
}
