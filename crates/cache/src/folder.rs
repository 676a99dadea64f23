//! Reading the folder of a run: what lies where.

use std::path::{Path, PathBuf};

use ooze_core::{Checkpoint, Frame, LiquidSetup};

use crate::{
    CacheError, FolderLock, Ledger, PictureTotals, ProbeTable, RunInfo, StatisticsLines, archive,
    checkpoint, folders, frame,
};

/// The folder that a run left behind or is still filling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    root: PathBuf,
}

impl RunFolder {
    /// Opens the folder of a run.
    pub fn open(root: impl Into<PathBuf>) -> Result<Self, CacheError> {
        let folder = Self::at(root);
        if folder.scene_path().is_file() && folder.is_made_by_ooze()? {
            Ok(folder)
        } else {
            Err(CacheError::NotARun { path: folder.root })
        }
    }

    /// Whether ooze began a run here. Names of files tell nothing, since anyone may have a `scene.toml` or `images/`; what
    /// the ledger or the summary says does.
    pub(crate) fn is_made_by_ooze(&self) -> Result<bool, CacheError> {
        let summary = || match self.info() {
            Ok(info) => Ok(info.is_some()),
            // Somebody else's file.
            Err(CacheError::Line { .. }) => Ok(false),
            Err(error) => Err(error),
        };
        Ok(Ledger::read(&self.root)?.is_of_run() || summary()?)
    }

    /// Names a folder without looking at it.
    pub(crate) fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The scene exactly as run.
    pub fn scene_path(&self) -> PathBuf {
        self.root.join("scene.toml")
    }

    /// The summary of the run.
    pub fn info_path(&self) -> PathBuf {
        self.root.join("run.json")
    }

    /// The line of figures a frame.
    pub fn statistics_path(&self) -> PathBuf {
        self.root.join("stats.jsonl")
    }

    /// The row of probe readings a frame.
    pub fn probes_path(&self) -> PathBuf {
        self.root.join("probes.csv")
    }

    /// Where particles, surfaces and whatever else a frame consists of lie.
    pub fn frames_folder(&self) -> PathBuf {
        self.root.join("frames")
    }

    /// One part of one frame: `frames/particles_0001.npz`.
    pub fn frame_part_path(&self, part: &str, frame: u32, extension: &str) -> PathBuf {
        self.frames_folder()
            .join(format!("{part}_{frame:04}.{extension}"))
    }

    /// The archive of a frame.
    pub fn particles_path(&self, frame: u32) -> PathBuf {
        self.frame_part_path("particles", frame, "npz")
    }

    /// Where the checkpoint lies.
    pub fn checkpoint_folder(&self) -> PathBuf {
        self.root.join("checkpoint")
    }

    /// The checkpoint itself.
    pub fn checkpoint_path(&self) -> PathBuf {
        self.checkpoint_folder().join("state.npz")
    }

    /// The text of the scene.
    pub fn scene_text(&self) -> Result<String, CacheError> {
        read_text(&self.scene_path())
    }

    /// The summary of the run; none if it was killed before it could write one.
    pub fn info(&self) -> Result<Option<RunInfo>, CacheError> {
        let path = self.info_path();
        if !path.exists() {
            return Ok(None);
        }
        serde_json::from_str(&read_text(&path)?)
            .map(Some)
            .map_err(|error| CacheError::Line {
                path,
                line: error.line(),
                reason: error.to_string(),
            })
    }

    pub(crate) fn write_info(&self, info: &RunInfo) -> Result<(), CacheError> {
        let path = self.info_path();
        let mut text = serde_json::to_string_pretty(info)
            .map_err(|error| CacheError::unexpected(&path, error.to_string()))?;
        text.push('\n');
        Ok(ooze_files::write(&path, text.as_bytes())?)
    }

    /// Adds to the summary what pictures took, with the right to write into the folder.
    pub fn add_pictures(&self, _lock: &FolderLock, made: &PictureTotals) -> Result<(), CacheError> {
        let Some(mut info) = self.info()? else {
            return Ok(());
        };
        info.pictures.get_or_insert_default().absorb(made);
        self.write_info(&info)
    }

    /// Numbers of the frames that are there, in order.
    pub fn frames(&self) -> Result<Vec<u32>, CacheError> {
        let mut frames: Vec<u32> = folders::file_names(&self.frames_folder())?
            .iter()
            .filter_map(|name| {
                let digits = name.strip_prefix("particles_")?.strip_suffix(".npz")?;
                let frame = digits.parse().ok()?;
                // `particles_+7.npz` is not ooze's.
                self.particles_path(frame).ends_with(name).then_some(frame)
            })
            .collect();
        frames.sort_unstable();
        Ok(frames)
    }

    /// Frames that a run must have had written when it had come to frame `last`, of which every `every`-th is written, but
    /// that are not there.
    pub fn missing_frames(&self, every: u32, last: u32) -> Result<Vec<u32>, CacheError> {
        let there = self.frames()?;
        let wanted = (0..=last).step_by(every.max(1) as usize);
        Ok(wanted
            .filter(|frame| there.binary_search(frame).is_err())
            .collect())
    }

    /// What a frame is known again by: the checksum in the file, which is not compared with the rest.
    pub fn frame_checksum(&self, frame: u32) -> Result<u32, CacheError> {
        archive::stated_checksum(&self.existing_frame(frame)?)
    }

    /// A frame of the scene with that setup, checked against its checksums and against what holds in every frame of the scene.
    pub fn read_frame(&self, number: u32, setup: &LiquidSetup) -> Result<Frame, CacheError> {
        let path = self.existing_frame(number)?;
        frame::taken_from(&path, archive::read(&path)?, setup)
    }

    /// Checks the bytes of a frame against its checksum, which is quicker than to read it.
    pub fn verify_frame(&self, frame: u32) -> Result<(), CacheError> {
        archive::verify(&self.existing_frame(frame)?)
    }

    fn existing_frame(&self, frame: u32) -> Result<PathBuf, CacheError> {
        let path = self.particles_path(frame);
        if path.exists() {
            return Ok(path);
        }
        let frames = self.frames()?;
        Err(CacheError::NoSuchFrame {
            path: self.root.clone(),
            frame,
            available: frames.first().copied().zip(frames.last().copied()),
        })
    }

    /// The figures of each frame.
    pub fn statistics(&self) -> Result<StatisticsLines, CacheError> {
        StatisticsLines::open(&self.statistics_path())
    }

    /// The readings of the probes.
    pub fn probes(&self) -> Result<ProbeTable, CacheError> {
        ProbeTable::read(&self.probes_path())
    }

    /// The state to continue from, if one was written.
    pub fn checkpoint(&self) -> Result<Option<Checkpoint>, CacheError> {
        let path = self.checkpoint_path();
        if !path.exists() {
            return Ok(None);
        }
        checkpoint::read(&path).map(|(checkpoint, _)| Some(checkpoint))
    }
}

fn read_text(path: &Path) -> Result<String, CacheError> {
    std::fs::read_to_string(path).map_err(|source| CacheError::io("read", path, source))
}
