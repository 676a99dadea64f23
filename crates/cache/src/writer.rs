//! Filling the folder of a run.

use std::fs;

use ooze_core::{Checkpoint, Frame, FrameStatistics};

use crate::checkpoint::{self, Surroundings};
use crate::line_log::LineLog;
use crate::{
    CacheError, FolderLock, Ledger, OlderRun, RunFolder, RunInfo, StatisticsLines, folders, frame,
    probes, statistics,
};

/// The one process that writes to the folder of a run.
#[derive(Debug)]
pub struct RunWriter {
    folder: RunFolder,
    scene_checksum: u32,
    statistics: LineLog,
    probes: LineLog,
    probe_columns: Vec<String>,
    lock: FolderLock,
}

impl RunWriter {
    /// Begins a run in a folder that holds none.
    pub fn create(
        lock: FolderLock,
        scene_text: &str,
        probe_columns: &[String],
    ) -> Result<Self, CacheError> {
        if OlderRun::find(&lock)?.is_some() {
            return Err(CacheError::Exists {
                path: lock.folder().into(),
            });
        }
        Self::create_in(lock, scene_text, probe_columns)
    }

    /// Begins a run in place of an older one, which is removed.
    pub fn replace(
        lock: FolderLock,
        older: OlderRun,
        scene_text: &str,
        probe_columns: &[String],
    ) -> Result<Self, CacheError> {
        older.remove()?;
        Self::create_in(lock, scene_text, probe_columns)
    }

    fn create_in(
        lock: FolderLock,
        scene_text: &str,
        probe_columns: &[String],
    ) -> Result<Self, CacheError> {
        let folder = RunFolder::at(lock.folder());
        folders::remove_partial_files(folder.root())?;
        Ledger::begin_run(folder.root(), env!("CARGO_PKG_VERSION"))?;
        // From here on the folder is that of a run: it can be resumed, if only from the beginning.
        ooze_files::write(&folder.scene_path(), scene_text.as_bytes())?;
        make_folders(&folder)?;
        Self::begin(folder, lock, scene_text, probe_columns)
    }

    /// Continues a run after its checkpoint, which is returned; none if it was killed before it wrote one, and begins anew.
    /// Statistics and probe readings that are newer than the checkpoint are replaced one by one.
    pub fn resume(
        lock: FolderLock,
        probe_columns: &[String],
    ) -> Result<(Self, Option<Checkpoint>), CacheError> {
        let folder = RunFolder::open(lock.folder())?;
        let scene_text = folder.scene_text()?;
        make_folders(&folder)?;
        for part in [
            folder.root(),
            &folder.frames_folder(),
            &folder.checkpoint_folder(),
        ] {
            folders::remove_partial_files(part)?;
        }
        if !folder.checkpoint_path().exists() {
            return Self::begin(folder, lock, &scene_text, probe_columns).map(|run| (run, None));
        }
        let (checkpoint, surroundings) = checkpoint::read(&folder.checkpoint_path())?;
        let scene_checksum = crc32fast::hash(scene_text.as_bytes());
        if scene_checksum != surroundings.scene_checksum {
            return Err(CacheError::SceneChanged {
                path: folder.scene_path(),
            });
        }
        let statistics = LineLog::open(&folder.statistics_path(), surroundings.statistics_bytes)?;
        let probes = LineLog::open(&folder.probes_path(), surroundings.probes_bytes)?;
        let writer = Self {
            folder,
            scene_checksum,
            statistics,
            probes,
            probe_columns: probe_columns.to_vec(),
            lock,
        };
        Ok((writer, Some(checkpoint)))
    }

    fn begin(
        folder: RunFolder,
        lock: FolderLock,
        scene_text: &str,
        probe_columns: &[String],
    ) -> Result<Self, CacheError> {
        let statistics = LineLog::open(&folder.statistics_path(), 0)?;
        let mut probes = LineLog::open(&folder.probes_path(), 0)?;
        probes.append(&probes::header_line(probe_columns))?;
        Ok(Self {
            folder,
            scene_checksum: crc32fast::hash(scene_text.as_bytes()),
            statistics,
            probes,
            probe_columns: probe_columns.to_vec(),
            lock,
        })
    }

    /// The folder that is being filled.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// The right to write into the folder.
    pub fn lock(&self) -> &FolderLock {
        &self.lock
    }

    /// The figures of all frames up to where the run stands; those that it will write again are left out.
    pub fn statistics(&self) -> Result<StatisticsLines, CacheError> {
        let lines = self.statistics.lines()?;
        Ok(StatisticsLines::of(&self.folder.statistics_path(), lines))
    }

    /// Writes a frame.
    pub fn write_frame(&mut self, number: u32, frame: &Frame) -> Result<(), CacheError> {
        frame::write(&self.folder.particles_path(number), frame)
    }

    /// Appends the figures of a frame.
    pub fn append_statistics(&mut self, statistics: &FrameStatistics) -> Result<(), CacheError> {
        let line = statistics::line(statistics, &self.folder.statistics_path())?;
        self.statistics.append(&line)
    }

    /// Appends the readings of all probes, in the order of the columns.
    pub fn append_probes(
        &mut self,
        frame: u32,
        time: f64,
        readings: &[Option<f64>],
    ) -> Result<(), CacheError> {
        let path = self.folder.probes_path();
        let line = probes::row_line(&path, &self.probe_columns, frame, time, readings)?;
        self.probes.append(&line)
    }

    /// Replaces the checkpoint. What was appended so far belongs to it and is flushed first.
    pub fn write_checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), CacheError> {
        let surroundings = Surroundings {
            statistics_bytes: self.statistics.sync()?,
            probes_bytes: self.probes.sync()?,
            scene_checksum: self.scene_checksum,
        };
        checkpoint::write(&self.folder.checkpoint_path(), checkpoint, &surroundings)
    }

    /// Replaces the summary.
    pub fn write_info(&mut self, info: &RunInfo) -> Result<(), CacheError> {
        self.folder.write_info(info)
    }
}

fn make_folders(folder: &RunFolder) -> Result<(), CacheError> {
    for path in [folder.frames_folder(), folder.checkpoint_folder()] {
        fs::create_dir_all(&path)
            .map_err(|source| CacheError::io("make the folder", &path, source))?;
    }
    Ok(())
}
