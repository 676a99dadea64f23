//! Whole-scene benchmarks: how cost grows with the liquid and with the box around it, and how many particle-steps a
//! second the machine manages. Reported as ratios wherever that is possible.

use ooze_scene::{Scene, SceneErrors};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::SimulationError;
use crate::validate::figures;

/// A scene whose cost is measured.
pub struct Workload {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// Side of the box in metres.
    side: f64,
    /// Cells a metre.
    cells_per_metre: f64,
    /// Upper corner of the block of water.
    block: [f64; 3],
    /// Frames to run; the first is not counted.
    frames: u32,
}

/// All workloads.
pub const WORKLOADS: [Workload; 5] = [
    Workload {
        name: "block",
        summary: "a block of 110 000 particles collapses in a box of 64³ cells",
        side: 1.0,
        cells_per_metre: 64.0,
        block: [0.375, 0.375, 0.375],
        frames: 8,
    },
    Workload {
        name: "block-in-large-box",
        summary: "the same block in a box of 8 times the volume",
        side: 2.0,
        cells_per_metre: 64.0,
        block: [0.375, 0.375, 0.375],
        frames: 8,
    },
    Workload {
        name: "two-blocks",
        summary: "twice the liquid in the same box",
        side: 1.0,
        cells_per_metre: 64.0,
        block: [0.375, 0.375, 0.75],
        frames: 8,
    },
    Workload {
        name: "million",
        summary: "a block of 1 000 000 particles collapses in a box of 128³ cells",
        side: 1.0,
        cells_per_metre: 128.0,
        block: [0.390_625; 3],
        frames: 3,
    },
    Workload {
        name: "million-quiet",
        summary: "a pool of 1 000 000 particles at rest in a box of 64³ cells",
        side: 1.0,
        cells_per_metre: 64.0,
        block: [1.0, 0.4768, 1.0],
        frames: 3,
    },
];

/// What running a workload cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Name of the workload.
    pub workload: String,
    /// Threads used.
    pub threads: usize,
    /// Particles at the end.
    pub particles: usize,
    /// Sub-steps that were timed.
    pub steps: u32,
    /// Mean seconds of a sub-step.
    pub seconds_per_step: f64,
    /// Millions of particle-steps a second.
    pub million_particle_steps_per_second: f64,
    /// Mean pressure iterations of a solve.
    pub pressure_iterations: f64,
    /// Largest memory of the process in bytes, where the operating system tells.
    pub peak_memory_bytes: Option<u64>,
    /// Mean seconds of each stage of a sub-step.
    pub stages: std::collections::BTreeMap<String, f64>,
}

/// A workload that could not be run.
#[derive(Debug, Error)]
pub enum BenchError {
    /// Its scene is wrong.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// Its simulation failed.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

impl Workload {
    /// The workload of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        WORKLOADS.iter().find(|workload| workload.name == name)
    }

    fn scene(&self) -> Result<Scene, SceneErrors> {
        let Self {
            name,
            side,
            cells_per_metre,
            block: [x, y, z],
            frames,
            ..
        } = self;
        let cells = (side * cells_per_metre).round();
        let text = format!(
            "name = \"{name}\"\n\
             [domain]\nsize = [{side}, {side}, {side}]\ncells = {cells}\n\
             [time]\nframe_rate = 60\nframes = {frames}\n\
             [method]\npressure = {{ tolerance = 1e-5 }}\n\
             [[liquid]]\nmaterial = \"water\"\n\
             shape.box = {{ lower = [0, 0, 0], upper = [{x}, {y}, {z}] }}\n"
        );
        Scene::parse(&text, name, "")
    }

    /// Runs the workload on the threads there are.
    pub fn run(&self) -> Result<Cost, BenchError> {
        let figures = figures(&self.scene()?)?;
        // The first frame touches memory for the first time.
        let timed = figures.get(2..).unwrap_or_default();
        let steps: u32 = timed.iter().map(|frame| frame.substeps).sum();
        let mut stages = std::collections::BTreeMap::new();
        let mut solves = ooze_core::SolveSummary::default();
        for frame in timed {
            for (stage, seconds) in &frame.seconds {
                *stages.entry(stage.clone()).or_default() += seconds / f64::from(steps);
            }
            if let Some(pressure) = frame.solves.get("pressure") {
                solves.absorb(pressure);
            }
        }
        let measuring: f64 = stages.remove("measure").unwrap_or_default();
        let seconds_per_step = stages.remove("total").unwrap_or_default() - measuring;
        let particles = figures.last().map_or(0, |frame| frame.particles);
        Ok(Cost {
            workload: self.name.into(),
            threads: rayon::current_num_threads(),
            particles,
            steps,
            seconds_per_step,
            million_particle_steps_per_second: particles as f64 / seconds_per_step * 1e-6,
            pressure_iterations: f64::from(solves.iterations) / f64::from(solves.count.max(1)),
            peak_memory_bytes: figures.last().and_then(|frame| frame.peak_memory_bytes),
            stages,
        })
    }
}
