//! Filling the folder of a run.

use std::fs::{self, File, TryLockError};
use std::path::Path;

use ooze_core::lattice_channel::is_of_particles;
use ooze_core::{ChannelError, Channels};

use crate::archive::{self, Content};
use crate::checkpoint::{self, Surroundings};
use crate::line_log::LineLog;
use crate::{CacheError, Checkpoint, FrameStatistics, RunFolder, RunInfo, atomic, probes};

/// The one process that writes to the folder of a run.
#[derive(Debug)]
pub struct RunWriter {
    folder: RunFolder,
    scene_checksum: u32,
    statistics: LineLog,
    probes: LineLog,
    probe_columns: Vec<String>,
    /// Held for as long as the writer lives; the operating system lets go of it even if the process is killed.
    _lock: File,
}

impl RunWriter {
    /// Begins a run in a new or empty folder; with `force`, an older run in it is removed first.
    pub fn create(
        root: &Path,
        scene_text: &str,
        probe_columns: &[String],
        force: bool,
    ) -> Result<Self, CacheError> {
        let folder = RunFolder::at(root);
        fs::create_dir_all(root)
            .map_err(|source| CacheError::io("make the folder", root, source))?;
        refuse_to_overwrite(&folder, force)?;
        let lock = lock(&folder)?;
        remove_run(&folder)?;
        // From here on the folder is that of a run: it can be resumed, if only from the beginning.
        atomic::write(&folder.scene_path(), scene_text.as_bytes())?;
        make_folders(&folder)?;
        Self::begin(folder, lock, scene_text, probe_columns)
    }

    /// Continues a run after its checkpoint, which is returned; none if it was killed before it wrote one, and begins anew.
    /// Statistics and probe readings that are newer than the checkpoint are cut off.
    pub fn resume(
        folder: RunFolder,
        probe_columns: &[String],
    ) -> Result<(Self, Option<Checkpoint>), CacheError> {
        let lock = lock(&folder)?;
        let scene_text = folder.scene_text()?;
        make_folders(&folder)?;
        for part in [
            folder.root(),
            &folder.frames_folder(),
            &folder.checkpoint_folder(),
        ] {
            atomic::remove_partial_files(part)?;
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
            _lock: lock,
        };
        Ok((writer, Some(checkpoint)))
    }

    fn begin(
        folder: RunFolder,
        lock: File,
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
            _lock: lock,
        })
    }

    /// The folder that is being filled.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Writes the particles of a frame.
    pub fn write_frame(&mut self, frame: u32, channels: &Channels) -> Result<(), CacheError> {
        let path = self.folder.particles_path(frame);
        check_lengths(channels).map_err(|source| CacheError::channel(&path, source))?;
        let members: Vec<_> = channels
            .iter()
            .map(|(name, data)| (format!("{name}.npy"), Content::Array(data)))
            .collect();
        archive::write(&path, &members)
    }

    /// Appends the figures of a frame.
    pub fn append_statistics(&mut self, statistics: &FrameStatistics) -> Result<(), CacheError> {
        let line = statistics.to_line(&self.folder.statistics_path())?;
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
        let path = self.folder.info_path();
        let mut text = serde_json::to_string_pretty(info)
            .map_err(|error| CacheError::unexpected(&path, error.to_string()))?;
        text.push('\n');
        atomic::write(&path, text.as_bytes())
    }
}

fn lock(folder: &RunFolder) -> Result<File, CacheError> {
    let path = folder.lock_path();
    let file = File::create(&path).map_err(|source| CacheError::io("write", &path, source))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(CacheError::Busy {
            path: folder.root().into(),
        }),
        // Some network file systems have no locks: better to run without one than not at all.
        Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {
            Ok(file)
        }
        Err(TryLockError::Error(source)) => Err(CacheError::io("lock", &path, source)),
    }
}

fn make_folders(folder: &RunFolder) -> Result<(), CacheError> {
    for path in [folder.frames_folder(), folder.checkpoint_folder()] {
        fs::create_dir_all(&path)
            .map_err(|source| CacheError::io("make the folder", &path, source))?;
    }
    Ok(())
}

fn refuse_to_overwrite(folder: &RunFolder, force: bool) -> Result<(), CacheError> {
    let mut names = atomic::file_names(folder.root())?;
    names.retain(|name| name != ".lock" && !atomic::is_partial(name));
    if names.is_empty() {
        return Ok(());
    }
    let holds_run = run_files(folder).iter().any(|path| path.exists());
    match (holds_run, force) {
        (true, true) => Ok(()),
        (true, false) => Err(CacheError::Exists {
            path: folder.root().into(),
        }),
        (false, _) => Err(CacheError::Foreign {
            path: folder.root().into(),
        }),
    }
}

/// What a run consists of, in an order in which it can be removed: whatever is left after a kill is still recognised as
/// (the rest of) a run.
fn run_files(folder: &RunFolder) -> [std::path::PathBuf; 8] {
    [
        folder.checkpoint_folder(),
        folder.root().join("images"),
        folder.root().join("export"),
        folder.frames_folder(),
        folder.statistics_path(),
        folder.probes_path(),
        folder.info_path(),
        folder.scene_path(),
    ]
}

fn remove_run(folder: &RunFolder) -> Result<(), CacheError> {
    run_files(folder)
        .iter()
        .try_for_each(|path| atomic::remove(path))
}

/// All channels of a frame but those of a level set describe the same particles.
fn check_lengths(channels: &Channels) -> Result<(), ChannelError> {
    let mut expected = None;
    for (name, data) in channels.iter().filter(|(name, _)| is_of_particles(name)) {
        let expected = *expected.get_or_insert(data.len());
        if data.len() != expected {
            return Err(ChannelError::WrongLength {
                name: name.into(),
                found: data.len(),
                expected,
            });
        }
    }
    Ok(())
}
