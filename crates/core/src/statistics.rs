//! The figures of a frame.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    DensityError, FramePart, HeatFlow, HeatMeasure, Measure, Packing, Progress, SolidLoad,
    SolveSummary,
};

/// The figures of one frame. Field names are the keys of the file and are relied upon by users' scripts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrameStatistics {
    /// Number of the frame; 0 is the state at the start.
    pub frame: u32,
    /// Simulated seconds at the end of the frame.
    pub time: f64,
    /// Sub-steps that the frame took.
    pub substeps: u32,
    /// Shortest sub-step in seconds; zero if there was none.
    pub dt_min: f64,
    /// Longest sub-step in seconds.
    pub dt_max: f64,
    /// Number of particles.
    pub particles: usize,
    /// Cells that hold liquid.
    pub liquid_cells: usize,
    /// Volume inside the liquid's surface in cubic metres.
    pub volume: f64,
    /// Deviation of the volume relative to what was seeded, emitted and drained.
    pub volume_drift: f64,
    /// The same of the surface as the particles shape it, for methods that then fit it to their number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncorrected_drift: Option<f64>,
    /// How evenly particles fill the liquid, for those methods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packing: Option<Packing>,
    /// Mass in kilograms.
    pub mass: f64,
    /// Momentum in kg m/s.
    pub momentum: [f64; 3],
    /// Angular momentum about the world's origin in kg m²/s.
    pub angular_momentum: [f64; 3],
    /// Kinetic energy in joules.
    pub kinetic_energy: f64,
    /// Potential energy in joules, from the world's origin on.
    #[serde(default)]
    pub potential_energy: f64,
    /// Energy of elastic strain in joules, for liquids that carry strain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elastic_energy: Option<f64>,
    /// Largest speed in m/s.
    pub max_speed: f64,
    /// Compression of the particles in the last sub-step, for methods that measure it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density_error: Option<DensityError>,
    /// Volume in cubic metres of enclosed air that became liquid in the frame, for methods that fill pockets. Volume correction
    /// takes it from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filled_volume: Option<f64>,
    /// The liquid's heat, for methods that have heat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heat: Option<HeatMeasure>,
    /// Heat that came to it in the frame, by its ways.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heat_flow: Option<HeatFlow>,
    /// What the liquid did to each solid, on average over the frame, for methods that tell it; none at the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forces: Vec<SolidLoad>,
    /// Linear solves by name.
    pub solves: BTreeMap<String, SolveSummary>,
    /// Wall-clock seconds: `total`, and one a stage.
    pub seconds: BTreeMap<String, f64>,
    /// Largest memory the process has had so far in bytes, where the operating system tells.
    pub peak_memory_bytes: Option<u64>,
    /// Things worth telling the user.
    pub events: Vec<String>,
}

impl FrameStatistics {
    /// The figures of a frame that has just been finished at `progress`, whose sub-steps were `part` and gave `forces`.
    pub fn new(
        progress: &Progress,
        part: FramePart,
        measure: &Measure,
        forces: Vec<SolidLoad>,
        peak_memory_bytes: Option<u64>,
    ) -> Self {
        Self {
            frame: progress.frame,
            time: progress.time,
            substeps: part.substeps,
            dt_min: part.dt_min,
            dt_max: part.dt_max,
            particles: measure.particles,
            liquid_cells: part.liquid_cells,
            volume: measure.volume,
            volume_drift: measure.volume_drift(),
            uncorrected_drift: measure.packing.map(|_| measure.uncorrected_drift()),
            packing: measure.packing,
            mass: measure.mass,
            momentum: measure.momentum.to_array(),
            angular_momentum: measure.angular_momentum.to_array(),
            kinetic_energy: measure.kinetic_energy,
            potential_energy: measure.potential_energy,
            elastic_energy: measure.elastic_energy,
            max_speed: measure.max_speed,
            density_error: part.density_error,
            filled_volume: part.filled_volume,
            heat: measure.heat,
            heat_flow: part.heat,
            forces,
            solves: part.solves,
            seconds: part.seconds,
            peak_memory_bytes,
            events: part.events,
        }
    }
}
