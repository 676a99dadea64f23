//! What ooze has made in a folder, and from what: `.ooze-made.jsonl`.
//!
//! Pictures, surfaces and exports lie in folders where people put files of their own, and stay when the frames that they
//! were made from are replaced. The ledger tells both apart: a file is ooze's if its contents are those that the ledger
//! says, whatever its name, and it is up to date if the ledger says that it was made from what is there now. All other files
//! are never removed nor replaced.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::CacheError;
use crate::line_log::{self, LineLog};

/// What the ledger of a folder is called.
pub(crate) const LEDGER: &str = ".ooze-made.jsonl";

/// What a file was made from, as far as it matters whether that has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Checksum of how it was made.
    pub recipe: u32,
    /// Checksum of what it was made from.
    pub data: u32,
}

/// The contents of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Seal {
    bytes: u64,
    checksum: u32,
}

/// A line of the ledger.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    /// The folder is that of a run.
    Run {
        /// The version of ooze that began it.
        run: String,
    },
    /// A file was finished.
    Made {
        made: String,
        #[serde(flatten)]
        seal: Seal,
        #[serde(flatten)]
        origin: Origin,
    },
    /// A file is about to be written, over an older one of ooze or where there was none.
    Begun { begun: String },
}

/// What is known about a file.
#[derive(Debug, Default)]
struct History {
    /// All contents that ooze gave it.
    seals: Vec<Seal>,
    /// What it was last made from; none while it is being made.
    origin: Option<Origin>,
}

/// How a file stands to its ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// There is no such file.
    Missing,
    /// It is as ooze made it, from this; none if ooze was killed before it could tell.
    Made(Option<Origin>),
    /// It is somebody else's, or somebody changed it.
    Foreign,
}

/// What ooze has made in a folder.
#[derive(Debug)]
pub struct Ledger {
    folder: PathBuf,
    run: Option<String>,
    files: BTreeMap<String, History>,
    /// Opened when the first line is written.
    log: Option<LineLog>,
}

impl Ledger {
    /// Reads the ledger of a folder; an empty one if there is none.
    pub fn read(folder: &Path) -> Result<Self, CacheError> {
        let mut ledger = Self {
            folder: folder.into(),
            run: None,
            files: BTreeMap::new(),
            log: None,
        };
        for line in line_log::read_lines(&ledger.path())? {
            // A line that cannot be read says nothing; the file that it was about is then taken for somebody else's.
            if let Ok(line) = serde_json::from_str(&line) {
                ledger.take_in(line);
            }
        }
        Ok(ledger)
    }

    fn take_in(&mut self, line: Line) {
        match line {
            Line::Run { run } => self.run = Some(run),
            Line::Begun { begun } => self.files.entry(begun).or_default().origin = None,
            Line::Made { made, seal, origin } => {
                let history = self.files.entry(made).or_default();
                history.seals.push(seal);
                history.origin = Some(origin);
            }
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.join(LEDGER)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the folder is that of a run.
    pub(crate) fn is_of_run(&self) -> bool {
        self.run.is_some()
    }

    /// Begins the ledger of a new run's folder, in place of an older one.
    pub(crate) fn begin_run(folder: &Path, version: &str) -> Result<(), CacheError> {
        let path = folder.join(LEDGER);
        let line = Line::Run {
            run: version.into(),
        };
        let text = format!("{}\n", text_of(&line, &path)?);
        Ok(ooze_files::write(&path, text.as_bytes())?)
    }

    /// Names of all files that ooze ever made in the folder and that are still as it made them.
    pub fn own_files(&self) -> Result<Vec<String>, CacheError> {
        let mut own = Vec::new();
        for name in self.files.keys() {
            if matches!(self.standing(name)?, Standing::Made(_)) {
                own.push(name.clone());
            }
        }
        Ok(own)
    }

    /// Files that are there under names that ooze gave, and what they were last made from as far as that is known. Their
    /// contents are not looked at.
    pub fn files(&self) -> impl Iterator<Item = (&str, Option<Origin>)> {
        let there = |name: &str| self.folder.join(name).is_file();
        let files = self.files.iter();
        files
            .map(|(name, history)| (name.as_str(), history.origin))
            .filter(move |(name, _)| there(name))
    }

    /// How a file in the folder stands to the ledger.
    pub fn standing(&self, name: &str) -> Result<Standing, CacheError> {
        let path = self.folder.join(name);
        match std::fs::symlink_metadata(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Standing::Missing);
            }
            Err(error) => return Err(CacheError::io("read", &path, error)),
            Ok(metadata) if !metadata.is_file() => return Ok(Standing::Foreign),
            Ok(_) => {}
        }
        let Some(history) = self.files.get(name) else {
            return Ok(Standing::Foreign);
        };
        let Some(origin) = history.origin else {
            return Ok(Standing::Made(None));
        };
        let seal = seal_of(&path)?;
        Ok(if history.seals.last() == Some(&seal) {
            Standing::Made(Some(origin))
        } else if history.seals.contains(&seal) {
            Standing::Made(None)
        } else {
            Standing::Foreign
        })
    }

    /// Whether a file is there, as ooze made it, from what is there now.
    pub fn is_current(&self, name: &str, origin: Origin) -> Result<bool, CacheError> {
        Ok(self.standing(name)? == Standing::Made(Some(origin)))
    }

    /// Announces that a file is about to be written. Refuses if one of that name is there that ooze did not make.
    /// Returns the file's path.
    pub fn begin(&mut self, name: &str) -> Result<PathBuf, CacheError> {
        let path = self.folder.join(name);
        if self.standing(name)? == Standing::Foreign {
            return Err(CacheError::NotOurs { path });
        }
        self.note(Line::Begun { begun: name.into() })?;
        Ok(path)
    }

    /// Notes what a file that was announced and is now written was made from.
    pub fn made(&mut self, name: &str, origin: Origin) -> Result<(), CacheError> {
        let seal = seal_of(&self.folder.join(name))?;
        self.note(Line::Made {
            made: name.into(),
            seal,
            origin,
        })
    }

    fn note(&mut self, line: Line) -> Result<(), CacheError> {
        let path = self.path();
        let text = text_of(&line, &path)?;
        let log = match &mut self.log {
            Some(log) => log,
            none => none.insert(LineLog::open_at_end(&path)?),
        };
        log.append(&text)?;
        // What the line announces comes next, and must not be on the disk before it.
        log.sync()?;
        self.take_in(line);
        Ok(())
    }
}

fn text_of(line: &Line, path: &Path) -> Result<String, CacheError> {
    serde_json::to_string(line).map_err(|error| CacheError::unexpected(path, error.to_string()))
}

fn seal_of(path: &Path) -> Result<Seal, CacheError> {
    let wrap = |source| CacheError::io("read", path, source);
    let mut file = File::open(path).map_err(wrap)?;
    let mut hasher = crc32fast::Hasher::new();
    let mut buffer = vec![0; 1 << 18];
    let mut bytes = 0;
    loop {
        let count = file.read(&mut buffer).map_err(wrap)?;
        if count == 0 {
            let checksum = hasher.finalize();
            return Ok(Seal { bytes, checksum });
        }
        hasher.update(&buffer[..count]);
        bytes += count as u64;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const FIRST: Origin = Origin { recipe: 1, data: 2 };
    const SECOND: Origin = Origin { recipe: 1, data: 3 };

    fn make(ledger: &mut Ledger, name: &str, contents: &str, origin: Origin) {
        let path = ledger.begin(name).unwrap();
        ooze_files::write(&path, contents.as_bytes()).unwrap();
        ledger.made(name, origin).unwrap();
    }

    #[test]
    fn files_are_known_by_their_contents_and_not_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::read(folder.path()).unwrap();
        make(&mut ledger, "a.png", "one", FIRST);
        make(&mut ledger, "b.png", "two", FIRST);
        fs::write(folder.path().join("c.png"), "a photo").unwrap();
        fs::write(folder.path().join("b.png"), "painted over").unwrap();
        // Another process sees the same.
        for mut ledger in [ledger, Ledger::read(folder.path()).unwrap()] {
            assert!(ledger.is_current("a.png", FIRST).unwrap());
            assert!(!ledger.is_current("a.png", SECOND).unwrap());
            for foreign in ["b.png", "c.png"] {
                assert_eq!(ledger.standing(foreign).unwrap(), Standing::Foreign);
                let message = ledger.begin(foreign).unwrap_err().to_string();
                assert!(message.contains(foreign), "{message}");
            }
            assert_eq!(ledger.standing("d.png").unwrap(), Standing::Missing);
            assert_eq!(ledger.own_files().unwrap(), ["a.png"]);
        }
    }

    #[test]
    fn a_process_may_be_killed_at_any_moment() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let again = || Ledger::read(folder.path()).unwrap();
        make(&mut again(), "a.png", "one", FIRST);
        // Before the file was replaced, and after it, but before the ledger knew.
        for contents in ["one", "two"] {
            again().begin("a.png").unwrap();
            fs::write(&path, contents).unwrap();
            let standing = again().standing("a.png").unwrap();
            assert_eq!(standing, Standing::Made(None));
        }
        // While a line was written.
        let mut text = fs::read(folder.path().join(LEDGER)).unwrap();
        text.extend(b"{\"made\": \"a.p");
        fs::write(folder.path().join(LEDGER), text).unwrap();
        make(&mut again(), "a.png", "three", SECOND);
        assert!(again().is_current("a.png", SECOND).unwrap());
        // What was made before is still ooze's, though not what it should be.
        fs::write(&path, "one").unwrap();
        let standing = again().standing("a.png").unwrap();
        assert_eq!(standing, Standing::Made(None));
    }
}
