//! A run that is in the way of a new one: which files of a folder it consists of, and which are not its own.

use std::path::{Path, PathBuf};

use crate::ledger::LEDGER;
use crate::lock::LOCK;
use ooze_files::is_partial;

use crate::{CacheError, FolderLock, Ledger, RunFolder, folders};

/// Folders inside a run's own into which ooze writes what it makes from frames.
const MADE_FOLDERS: [&str; 3] = ["images", "meshes", "export"];

/// A run in a folder that a new one is to begin in.
#[derive(Debug)]
pub struct OlderRun {
    root: PathBuf,
    /// Files of the run, in an order in which they can be removed: whatever is left after a kill is still recognised as
    /// (the rest of) a run.
    own: Vec<PathBuf>,
    /// Folders of the run, which go if they are empty then.
    folders: Vec<PathBuf>,
    frames: usize,
    foreign: Vec<PathBuf>,
}

impl OlderRun {
    /// Looks for a run in a folder that nobody else writes to. Refuses a folder that holds other things, but no run.
    pub fn find(lock: &FolderLock) -> Result<Option<Self>, CacheError> {
        let folder = RunFolder::at(lock.folder());
        let names = folders::file_names(folder.root())?;
        let unimportant = |name: &String| name == LOCK || is_partial(name);
        if names.iter().all(unimportant) {
            return Ok(None);
        }
        if !folder.is_made_by_ooze()? {
            return Err(CacheError::Foreign {
                path: folder.root().into(),
            });
        }
        Self::of(&folder).map(Some)
    }

    fn of(folder: &RunFolder) -> Result<Self, CacheError> {
        let root = folder.root();
        let mut own = vec![folder.checkpoint_path()];
        let mut folders = vec![folder.checkpoint_folder(), folder.frames_folder()];
        let made_folders = MADE_FOLDERS.map(|name| root.join(name));
        for made in made_folders.into_iter().filter(|path| path.is_dir()) {
            own.extend(made_in(&made)?);
            folders.push(made);
        }
        let frames = folder.frames()?;
        own.extend(frames.iter().map(|&frame| folder.particles_path(frame)));
        // The folder's own ledger tells that it is that of a run, and stays until the new run begins one.
        own.extend(made_in(root)?.filter(|path| !path.ends_with(LEDGER)));
        own.extend([
            folder.statistics_path(),
            folder.probes_path(),
            folder.scene_path(),
            folder.info_path(),
        ]);
        own.retain(|path| path.symlink_metadata().is_ok());

        let mut foreign = Vec::new();
        for place in std::iter::once(root).chain(folders.iter().map(PathBuf::as_path)) {
            for name in folders::file_names(place)? {
                let path = place.join(&name);
                let known = name == LOCK || name == LEDGER || is_partial(&name);
                if !known && !own.contains(&path) && !folders.contains(&path) {
                    foreign.push(path);
                }
            }
        }
        Ok(Self {
            root: root.into(),
            own,
            folders,
            frames: frames.len(),
            foreign,
        })
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Number of its frames.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Every file that ooze made.
    pub fn own_files(&self) -> &[PathBuf] {
        &self.own
    }

    /// Files and folders that somebody else put there. They stay.
    pub fn foreign_files(&self) -> &[PathBuf] {
        &self.foreign
    }

    /// Removes the run, and nothing else.
    pub(crate) fn remove(self) -> Result<(), CacheError> {
        self.own.iter().try_for_each(|path| folders::remove(path))?;
        for folder in &self.folders {
            folders::remove_partial_files(folder)?;
            // One in which somebody else's files lie stays.
            let _ = std::fs::remove_dir(folder);
        }
        folders::remove_partial_files(&self.root)
    }
}

/// The files that ooze made in a folder according to its ledger, which comes last.
fn made_in(folder: &Path) -> Result<impl Iterator<Item = PathBuf>, CacheError> {
    let own = Ledger::read(folder)?.own_files()?;
    let names = own.into_iter().chain([LEDGER.to_owned()]);
    Ok(names.map(|name| folder.join(name)))
}
