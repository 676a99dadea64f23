//! `run.json`: what was run, where, and what it came to.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::CacheError;
use ooze_core::FrameStatistics;

/// The summary of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// Version of ooze.
    pub version: String,
    /// Name of the scene.
    pub scene: String,
    /// The method that simulated the liquid.
    pub method: String,
    /// Seed of every random choice.
    pub seed: u64,
    /// Frames that the whole run has, the state at the start not counted.
    pub frames: u32,
    /// Frames a second.
    pub frame_rate: f64,
    /// Particles are written at every n-th frame; none where they are not, or where an older version did not say.
    #[serde(default)]
    pub particles_every: Option<u32>,
    /// Whether pictures and a video are made with it, where the user was asked.
    #[serde(default)]
    pub video: Option<bool>,
    /// Where relative paths in the scene begin.
    pub scene_folder: Option<String>,
    /// Files that the scene refers to.
    pub inputs: Vec<InputFile>,
    /// How the run stands.
    pub status: RunStatus,
    /// Where it ran last.
    pub machine: Machine,
    /// What it came to so far.
    pub totals: Totals,
    /// What the pictures that were made with it came to; none where there are none.
    #[serde(default)]
    pub pictures: Option<PictureTotals>,
    /// Things to know about the scene or the run, one a line.
    pub warnings: Vec<String>,
}

/// What bytes are known again by: their CRC-32.
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// A file that a scene refers to, such as a mesh.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    /// Its path when the run began.
    pub path: String,
    /// Its length.
    pub bytes: u64,
    /// CRC-32 of its contents.
    pub checksum: u32,
}

impl InputFile {
    /// Reads a file to know it again.
    pub fn of(path: &Path) -> Result<Self, CacheError> {
        let contents =
            std::fs::read(path).map_err(|source| CacheError::io("read", path, source))?;
        let absolute = std::path::absolute(path);
        Ok(Self {
            path: absolute.as_deref().unwrap_or(path).display().to_string(),
            bytes: contents.len() as u64,
            checksum: checksum(&contents),
        })
    }

    /// Whether another file has the same contents, wherever it lies.
    pub fn has_contents_of(&self, other: &Self) -> bool {
        (self.bytes, self.checksum) == (other.bytes, other.checksum)
    }
}

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    /// It has begun and nothing has been heard since: it is at work, or it was killed.
    Running,
    /// It was stopped by the user and can be resumed.
    Interrupted,
    /// It was stopped by an error.
    Failed(String),
    /// All frames are there.
    Finished,
}

/// The computer that a run ran on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Operating system.
    pub system: String,
    /// Processor architecture.
    pub architecture: String,
    /// Processors that the operating system offers.
    pub processors: usize,
    /// Threads that the run uses.
    pub threads: usize,
}

impl Machine {
    /// This computer, with a run that uses `threads` threads.
    pub fn here(threads: usize) -> Self {
        Self {
            system: std::env::consts::OS.into(),
            architecture: std::env::consts::ARCH.into(),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            threads,
        }
    }
}

/// Sums over the pictures that are made with a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PictureTotals {
    /// Pictures that were made.
    pub pictures: usize,
    /// Wall-clock seconds for finding the liquid's surfaces.
    pub surface_seconds: f64,
    /// Wall-clock seconds for everything else: reading frames, drawing, writing pictures and video.
    pub drawing_seconds: f64,
    /// Largest memory of simulation and pictures in bytes, where the operating system tells.
    pub peak_memory_bytes: Option<u64>,
}

impl PictureTotals {
    /// Adds what pictures took at another time.
    pub fn absorb(&mut self, other: &Self) {
        self.pictures += other.pictures;
        self.surface_seconds += other.surface_seconds;
        self.drawing_seconds += other.drawing_seconds;
        self.peak_memory_bytes = self.peak_memory_bytes.max(other.peak_memory_bytes);
    }
}

/// Sums over the frames of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Finished frames, the state at the start not counted.
    pub frames: u32,
    /// Sub-steps of all frames.
    pub substeps: u64,
    /// Particles in the last frame.
    pub particles: usize,
    /// Simulated seconds.
    pub simulated_seconds: f64,
    /// Wall-clock seconds.
    pub wall_seconds: f64,
    /// Largest memory in bytes, where the operating system tells.
    pub peak_memory_bytes: Option<u64>,
    /// Largest deviation of the volume in size, relative.
    pub volume_drift_max: f64,
    /// The same before surfaces are fitted to the particles' number, for methods that do so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncorrected_drift_max: Option<f64>,
    /// Largest density of a cell relative to that at rest, for those methods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub densest: Option<f64>,
    /// Number of events.
    pub events: usize,
}

impl Totals {
    /// Adds a frame.
    pub fn absorb(&mut self, frame: &FrameStatistics) {
        self.frames = self.frames.max(frame.frame);
        self.substeps += u64::from(frame.substeps);
        self.particles = frame.particles;
        self.simulated_seconds = frame.time;
        self.wall_seconds += frame.seconds.get("total").copied().unwrap_or(0.0);
        self.peak_memory_bytes = self.peak_memory_bytes.max(frame.peak_memory_bytes);
        self.volume_drift_max = self.volume_drift_max.max(frame.volume_drift.abs());
        let uncorrected = frame.uncorrected_drift.map(f64::abs);
        self.uncorrected_drift_max = larger(self.uncorrected_drift_max, uncorrected);
        let densest = frame.packing.map(|packing| packing.densest);
        self.densest = larger(self.densest, densest);
        self.events += frame.events.len();
    }
}

/// The larger of two figures that may both be missing.
fn larger(so_far: Option<f64>, new: Option<f64>) -> Option<f64> {
    match (so_far, new) {
        (Some(so_far), Some(new)) => Some(so_far.max(new)),
        (so_far, new) => so_far.or(new),
    }
}
