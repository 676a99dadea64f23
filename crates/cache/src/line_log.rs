//! A text file that grows by whole lines, and that is written anew from an earlier length on.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::{CacheError, own_file};

/// A file of lines.
///
/// After a resume, lines beyond the checkpoint tell of frames that are there, but will be written again. Each stays until
/// the new line that takes its place is written, so that a run that cannot go on (on a disk that is still full, say) loses
/// nothing of what is finished.
#[derive(Debug)]
pub(crate) struct LineLog {
    path: PathBuf,
    file: File,
    /// Bytes up to the end of the newest line.
    length: u64,
    /// Lines after it from before the resume.
    earlier: VecDeque<String>,
}

impl LineLog {
    /// Opens the file, makes it if need be, and goes back to a length of `length` bytes.
    pub(crate) fn open(path: &Path, length: u64) -> Result<Self, CacheError> {
        let wrap = |source| CacheError::io("open", path, source);
        let (file, _) = own_file::open(path)?;
        if file.metadata().map_err(wrap)?.len() < length {
            return Err(CacheError::unexpected(
                path,
                "is shorter than when the checkpoint was written; restore it from a copy, or start the run anew with `ooze run --force`",
            ));
        }
        let bytes = std::fs::read(path).map_err(wrap)?;
        let rest = bytes.get(length as usize..).unwrap_or_default();
        let mut log = Self {
            path: path.into(),
            file,
            length,
            earlier: whole_lines(&String::from_utf8_lossy(rest)).collect(),
        };
        // A line that has no end is of no use to anyone.
        log.write_earlier().map_err(wrap)?;
        Ok(log)
    }

    /// Opens the file, makes it if need be, and goes on after its last whole line.
    pub(crate) fn open_at_end(path: &Path) -> Result<Self, CacheError> {
        let lines = read_lines(path)?;
        Self::open(path, lines.iter().map(|line| line.len() as u64 + 1).sum())
    }

    /// Appends a line; on failure the file is as it was.
    pub(crate) fn append(&mut self, line: &str) -> Result<(), CacheError> {
        let replaced = self.earlier.pop_front();
        self.earlier.push_front(line.into());
        if let Err(source) = self.write_earlier() {
            self.earlier.pop_front();
            if let Some(replaced) = replaced {
                self.earlier.push_front(replaced);
            }
            // The room that it took before is still there. If even that fails, readers skip a last line that has no end.
            let _ = self.write_earlier();
            return Err(CacheError::io("append to", &self.path, source));
        }
        self.earlier.pop_front();
        self.length += line.len() as u64 + 1;
        self.file
            .seek(SeekFrom::Start(self.length))
            .map_err(|source| CacheError::io("append to", &self.path, source))?;
        Ok(())
    }

    /// Writes all that comes after `length`.
    fn write_earlier(&mut self) -> io::Result<()> {
        let mut text = String::new();
        for line in &self.earlier {
            text += line;
            text.push('\n');
        }
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.write_all(text.as_bytes())?;
        self.file.set_len(self.length + text.len() as u64)
    }

    /// The newest lines, without those that are to be replaced.
    pub(crate) fn lines(&self) -> Result<Vec<String>, CacheError> {
        let mut lines = read_lines(&self.path)?;
        lines.truncate(lines.len().saturating_sub(self.earlier.len()));
        Ok(lines)
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
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(CacheError::io("read", path, error)),
    };
    Ok(whole_lines(&text).collect())
}

fn whole_lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split_inclusive('\n')
        .filter_map(|line| line.strip_suffix('\n'))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_after_a_checkpoint_stay_until_they_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut log = LineLog::open(&path, 0).unwrap();
        log.append("one").unwrap();
        let length = log.sync().unwrap();
        drop(log);
        std::fs::write(&path, "one\ntwo\nthree\nfou").unwrap();
        assert_eq!(read_lines(&path).unwrap(), ["one", "two", "three"]);
        let mut log = LineLog::open(&path, length).unwrap();
        assert_eq!(log.lines().unwrap(), ["one"]);
        assert_eq!(read_lines(&path).unwrap(), ["one", "two", "three"]);
        log.append("deux").unwrap();
        assert_eq!(log.lines().unwrap(), ["one", "deux"]);
        assert_eq!(read_lines(&path).unwrap(), ["one", "deux", "three"]);
        assert_eq!(log.sync().unwrap(), 9);
        log.append("a longer third line").unwrap();
        log.append("four").unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "one\ndeux\na longer third line\nfour\n"
        );
        assert!(LineLog::open(&path, 100).is_err());
    }
}
