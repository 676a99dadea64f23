//! The newest complete state of a run, from which it continues bit for bit.
//!
//! A checkpoint is one archive, `checkpoint/state.npz`: the arrays of the liquid and of the solids, and a header with the
//! moment it was taken at. It may lie inside a frame, so the header also holds what the frame has added up so far. A new
//! checkpoint replaces the old one by a rename: there is always a whole one.

use std::collections::BTreeMap;
use std::path::Path;

use ooze_core::{Channels, DensityError, SolveSummary, StepReport};
use serde::{Deserialize, Serialize};

use crate::CacheError;
use crate::archive::{self, Content, Contents};

const HEADER: &str = "checkpoint.json";
/// Raised when the meaning of a checkpoint changes.
const VERSION: u32 = 1;
/// Sub-steps that no frame takes.
const MOST_SUBSTEPS: u32 = 1 << 30;

/// How far a run has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Frames that are finished, the first one (the state at the start) not counted.
    pub frame: u32,
    /// Simulated seconds.
    pub time: f64,
    /// What the unfinished frame has added up so far.
    pub part: FramePart,
}

/// What the sub-steps of one frame add up to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FramePart {
    /// Sub-steps taken.
    pub substeps: u32,
    /// Shortest sub-step in seconds; zero before the first.
    pub dt_min: f64,
    /// Longest sub-step in seconds.
    pub dt_max: f64,
    /// Longest sub-step that is still tried in this frame after a longer one failed.
    pub step_limit: Option<f64>,
    /// Linear solves by name.
    pub solves: BTreeMap<String, SolveSummary>,
    /// Wall-clock seconds by stage.
    pub seconds: BTreeMap<String, f64>,
    /// Things worth telling the user.
    pub events: Vec<String>,
    /// Cells that held liquid in the last sub-step.
    pub liquid_cells: usize,
    /// Compression of the particles in the last sub-step, for methods that measure it.
    #[serde(default)]
    pub density_error: Option<DensityError>,
    /// Volume in cubic metres of enclosed air that became liquid, for methods that fill pockets.
    #[serde(default)]
    pub filled_volume: Option<f64>,
}

impl FramePart {
    /// Adds a sub-step of `dt` seconds.
    pub fn absorb(&mut self, dt: f64, step: StepReport) {
        self.dt_min = if self.substeps == 0 {
            dt
        } else {
            self.dt_min.min(dt)
        };
        self.dt_max = self.dt_max.max(dt);
        self.substeps += 1;
        let mut sum = StepReport {
            solves: std::mem::take(&mut self.solves),
            seconds: std::mem::take(&mut self.seconds),
            events: std::mem::take(&mut self.events),
            liquid_cells: self.liquid_cells,
            density_error: self.density_error,
            filled_volume: self.filled_volume,
        };
        sum.absorb(step);
        self.solves = sum.solves;
        self.seconds = sum.seconds;
        self.events = sum.events;
        self.liquid_cells = sum.liquid_cells;
        self.density_error = sum.density_error;
        self.filled_volume = sum.filled_volume;
    }
}

/// Everything that the rest of a run depends on, the scene apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    /// How far the run has come.
    pub progress: Progress,
    /// The liquid's saved state.
    pub liquid: Channels,
    /// The solids' saved state.
    pub solids: Channels,
}

/// What a checkpoint says about the files around it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Surroundings {
    /// Length of `stats.jsonl` in bytes.
    pub statistics_bytes: u64,
    /// Length of `probes.csv` in bytes.
    pub probes_bytes: u64,
    /// Checksum of `scene.toml`.
    pub scene_checksum: u32,
}

#[derive(Serialize, Deserialize)]
struct Header {
    version: u32,
    #[serde(flatten)]
    progress: Progress,
    #[serde(flatten)]
    surroundings: Surroundings,
}

impl Checkpoint {
    fn members<'a>(&'a self, header: &'a [u8]) -> Vec<(String, Content<'a>)> {
        let mut members = vec![(HEADER.to_owned(), Content::Raw(header))];
        for (group, channels) in [("liquid", &self.liquid), ("solids", &self.solids)] {
            for (name, data) in channels.iter() {
                members.push((format!("{group}/{name}.npy"), Content::Array(data)));
            }
        }
        members
    }
}

impl Progress {
    /// Checks that this is a moment of a run of so many frames, and that nothing that was counted is beyond reason. The error
    /// says what is the matter.
    pub fn check(&self, frames: u32, frame_rate: f64) -> Result<(), String> {
        let Self { frame, time, part } = self;
        if *frame > frames {
            return Err(format!(
                "frame {frame} is finished, but the run has only {frames}"
            ));
        }
        // The time is a sum of sub-steps: it meets the end of a frame but for rounding.
        let (start, slack) = (f64::from(*frame), 1e-6 * f64::from(frames.max(1)));
        let place = time * frame_rate;
        if !(start - slack..start + 1.0 + slack).contains(&place) {
            return Err(format!(
                "the time {time} s is not within frame {}, at {frame_rate} frames a second",
                u64::from(*frame) + 1
            ));
        }
        if part.substeps > MOST_SUBSTEPS {
            return Err(format!(
                "{} sub-steps of one frame are beyond reason",
                part.substeps
            ));
        }
        let lengths = [part.dt_min, part.dt_max, part.step_limit.unwrap_or(0.0)];
        match lengths.into_iter().find(|seconds| *seconds < 0.0) {
            Some(seconds) => Err(format!("a sub-step of {seconds} s leads back")),
            None => Ok(()),
        }
    }
}

fn header(
    path: &Path,
    checkpoint: &Checkpoint,
    surroundings: &Surroundings,
) -> Result<Vec<u8>, CacheError> {
    let header = Header {
        version: VERSION,
        progress: checkpoint.progress.clone(),
        surroundings: surroundings.clone(),
    };
    serde_json::to_vec_pretty(&header)
        .map_err(|error| CacheError::unexpected(path, error.to_string()))
}

pub(crate) fn write(
    path: &Path,
    checkpoint: &Checkpoint,
    surroundings: &Surroundings,
) -> Result<(), CacheError> {
    let header = header(path, checkpoint, surroundings)?;
    archive::write(path, &checkpoint.members(&header))
}

/// The bytes that a checkpoint has as a file, with right checksums whatever it holds.
pub(crate) fn bytes(
    path: &Path,
    checkpoint: &Checkpoint,
    surroundings: &Surroundings,
) -> Result<Vec<u8>, CacheError> {
    let header = header(path, checkpoint, surroundings)?;
    archive::sealed(path, &checkpoint.members(&header))
}

pub(crate) fn read(path: &Path) -> Result<(Checkpoint, Surroundings), CacheError> {
    taken_from(path, archive::read(path)?)
}

/// The checkpoint that an archive from `path` holds.
pub(crate) fn taken_from(
    path: &Path,
    contents: Contents,
) -> Result<(Checkpoint, Surroundings), CacheError> {
    let header = contents
        .raw
        .iter()
        .find(|(name, _)| name == HEADER)
        .ok_or_else(|| CacheError::unexpected(path, "holds no checkpoint"))?;
    let header: Header = serde_json::from_slice(&header.1).map_err(|error| {
        CacheError::unexpected(
            path,
            format!("was written by another version of ooze ({error}); continue with that one"),
        )
    })?;
    if header.version != VERSION {
        return Err(CacheError::unexpected(
            path,
            format!(
                "is a checkpoint of version {}, and this ooze reads version {VERSION}; continue with the ooze that wrote it",
                header.version
            ),
        ));
    }
    let mut checkpoint = Checkpoint {
        progress: header.progress,
        ..Checkpoint::default()
    };
    for (name, data) in contents.arrays.iter() {
        if let Some(name) = name.strip_prefix("liquid/") {
            checkpoint.liquid.insert(name, data.clone());
        } else if let Some(name) = name.strip_prefix("solids/") {
            checkpoint.solids.insert(name, data.clone());
        }
    }
    Ok((checkpoint, header.surroundings))
}
