//! Opening files that grow in place. What ooze writes must not go where a link points: somebody else's file may lie there.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use crate::CacheError;

/// Opens a file to write into it, as it is; makes it if there is none. The second value tells whether it was made.
/// A link is refused.
pub(crate) fn open(path: &Path) -> Result<(File, bool), CacheError> {
    let wrap = |source| CacheError::io("open", path, source);
    // A new file is made only where there is nothing, not even a link that leads nowhere.
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(file) => return Ok((file, true)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(wrap(error)),
    }
    if !fs::symlink_metadata(path).map_err(wrap)?.is_file() {
        return Err(CacheError::unexpected(
            path,
            "is a link or a folder, and ooze writes through none; move it away",
        ));
    }
    let file = OpenOptions::new().write(true).open(path).map_err(wrap)?;
    Ok((file, false))
}

/// Whether an open file is still the one that a path names.
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(open), Ok(there)) = (file.metadata(), fs::symlink_metadata(path)) else {
        return false;
    };
    same_file(&open, &there)
}

#[cfg(unix)]
fn same_file(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Elsewhere a file that is open cannot be replaced by another.
#[cfg(not(unix))]
fn same_file(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_are_not_followed_wherever_they_lead() {
        let folder = tempfile::tempdir().unwrap();
        let diary = folder.path().join("diary");
        fs::write(&diary, "dear diary").unwrap();
        for (name, target) in [("to_diary", "diary"), ("to_nothing", "nothing")] {
            let link = folder.path().join(name);
            std::os::unix::fs::symlink(target, &link).unwrap();
            let message = open(&link).unwrap_err().to_string();
            assert!(message.contains("is a link"), "{message}");
        }
        assert_eq!(fs::read(&diary).unwrap(), b"dear diary");
        assert!(!folder.path().join("nothing").exists());
    }
}
