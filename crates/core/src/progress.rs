//! How far a run has come, and the state from which it can go on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Channels, DensityError, HeatFlow, Impulse, SolveSummary, StepReport};

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
    /// Heat that came from outside so far, for methods that have heat.
    #[serde(default)]
    pub heat: Option<HeatFlow>,
    /// What the liquid did to the solids so far, as in [`StepReport::impulses`] but with angular impulses about the solids' own
    /// origins.
    #[serde(default)]
    pub impulses: Vec<Impulse>,
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
            heat: self.heat,
            impulses: std::mem::take(&mut self.impulses),
            body_heat: Vec::new(),
        };
        sum.absorb(step);
        self.solves = sum.solves;
        self.seconds = sum.seconds;
        self.events = sum.events;
        self.liquid_cells = sum.liquid_cells;
        self.density_error = sum.density_error;
        self.filled_volume = sum.filled_volume;
        self.heat = sum.heat;
        self.impulses = sum.impulses;
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
