//! A text file that grows by whole lines and can be cut back to an earlier length.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::CacheError;

/// A file of lines.
#[derive(Debug)]
pub(crate) struct LineLog {
    path: PathBuf,
    file: File,
    length: u64,
}

impl LineLog {
    /// Opens the file, makes it if need be, and cuts it to `length` bytes.
    pub(crate) fn open(path: &Path, length: u64) -> Result<Self, CacheError> {
        let wrap = |source| CacheError::io("open", path, source);
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(wrap)?;
        if file.metadata().map_err(wrap)?.len() < length {
            return Err(CacheError::unexpected(
                path,
                "is shorter than when the checkpoint was written; restore it from a copy, or start the run anew with `ooze run --force`",
            ));
        }
        let mut log = Self {
            path: path.into(),
            file,
            length,
        };
        log.cut().map_err(wrap)?;
        Ok(log)
    }

    fn cut(&mut self) -> std::io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length))?;
        Ok(())
    }

    /// Appends a line; on failure the file is as it was.
    pub(crate) fn append(&mut self, line: &str) -> Result<(), CacheError> {
        let text = format!("{line}\n");
        if let Err(source) = self.file.write_all(text.as_bytes()) {
            // If even the cut fails, readers skip a last line that has no end, and a resume cuts it off.
            let _ = self.cut();
            return Err(CacheError::io("append to", &self.path, source));
        }
        self.length += text.len() as u64;
        Ok(())
    }

    /// Makes sure that all lines are on the disk, and returns the length of the file in bytes.
    pub(crate) fn sync(&mut self) -> Result<u64, CacheError> {
        self.file
            .sync_data()
            .map_err(|source| CacheError::io("flush", &self.path, source))?;
        Ok(self.length)
    }
}

/// The lines of a log. A last line that has no end, from a process that was killed while it wrote, is left out.
pub(crate) fn read_lines(path: &Path) -> Result<Vec<String>, CacheError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(CacheError::io("read", path, error)),
    };
    Ok(text
        .split_inclusive('\n')
        .filter_map(|line| line.strip_suffix('\n'))
        .map(str::to_owned)
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_cut_back_and_grows_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut log = LineLog::open(&path, 0).unwrap();
        log.append("one").unwrap();
        let length = log.sync().unwrap();
        log.append("two").unwrap();
        drop(log);
        std::fs::write(&path, "one\ntwo\nthr").unwrap();
        assert_eq!(read_lines(&path).unwrap(), ["one", "two"]);
        let mut log = LineLog::open(&path, length).unwrap();
        log.append("deux").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ndeux\n");
        assert!(LineLog::open(&path, 100).is_err());
    }
}
