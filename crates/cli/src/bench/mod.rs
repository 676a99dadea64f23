//! Whole-scene benchmarks: how cost grows with the liquid and with the box around it, and how many particle-steps a
//! second the machine manages. Reported as ratios wherever that is possible.

mod bodies;
mod table_nine;
mod table_six;
mod workloads;

use std::path::Path;

use ooze_cache::{CacheError, FolderLock, RunWriter};
use ooze_core::{FrameStatistics, SolveSummary};
use ooze_scene::{Scene, SceneErrors};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Recorder;
use crate::scene_setup::{recording, summary};
use crate::validate::figures_of;
use ooze::{Simulation, SimulationError};

pub use bodies::{Crowd, CrowdCost, crowds};
pub use table_nine::{BodyAnimation, FRAME_RATE, TABLE_NINE};
pub use table_six::{Animation, FRAMES_RUN, Speed, TABLE_SIX};
pub use workloads::{WORKLOADS, Workload};

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
    /// Mean seconds of a sub-step alone.
    pub seconds_per_step: f64,
    /// The same with what a run does besides: measuring frames and writing them to the disk.
    pub whole_seconds_per_step: f64,
    /// Millions of particle-steps a second of a whole run.
    pub million_particle_steps_per_second: f64,
    /// Mean pressure iterations of a solve.
    pub pressure_iterations: f64,
    /// Mean viscosity iterations of a solve, and the most that one needed.
    pub viscosity_iterations: (f64, u32),
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
    /// A mesh of it could not be written.
    #[error("no mesh could be written: {0}")]
    Mesh(#[from] std::io::Error),
    /// Its frames could not be written.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

impl Workload {
    /// Runs the workload on the threads there are.
    pub fn run(&self) -> Result<Cost, BenchError> {
        let figures = recorded(&self.scene()?)?;
        // The first frame touches memory for the first time.
        let timed = figures.get(2..).unwrap_or_default();
        let steps: u32 = timed.iter().map(|frame| frame.substeps).sum();
        let mut stages = std::collections::BTreeMap::new();
        let [mut pressure, mut viscosity] = [SolveSummary::default(), SolveSummary::default()];
        for frame in timed {
            for (stage, seconds) in &frame.seconds {
                *stages.entry(stage.clone()).or_default() += seconds / f64::from(steps);
            }
            for (name, sum) in [("pressure", &mut pressure), ("viscosity", &mut viscosity)] {
                if let Some(solves) = frame.solves.get(name) {
                    sum.absorb(solves);
                }
            }
        }
        let of_stage = |name: &str| stages.get(name).copied().unwrap_or_default();
        let whole_seconds_per_step = of_stage("total");
        let seconds_per_step = whole_seconds_per_step - of_stage("measure") - of_stage("output");
        stages.remove("total");
        let particles = figures.last().map_or(0, |frame| frame.particles);
        Ok(Cost {
            workload: self.name.into(),
            threads: rayon::current_num_threads(),
            particles,
            steps,
            seconds_per_step,
            whole_seconds_per_step,
            million_particle_steps_per_second: particles as f64 / whole_seconds_per_step * 1e-6,
            pressure_iterations: mean_iterations(&pressure),
            viscosity_iterations: (mean_iterations(&viscosity), viscosity.iterations_max),
            peak_memory_bytes: figures.last().and_then(|frame| frame.peak_memory_bytes),
            stages,
        })
    }
}

/// Runs a scene as `ooze run` does, frames on the disk included, and returns its figures.
fn recorded(scene: &Scene) -> Result<Vec<FrameStatistics>, BenchError> {
    let folder = std::env::temp_dir().join(format!("ooze-bench-{}", std::process::id()));
    let figures = recorded_in(&folder, scene);
    let _ = std::fs::remove_dir_all(&folder);
    figures
}

fn recorded_in(folder: &Path, scene: &Scene) -> Result<Vec<FrameStatistics>, BenchError> {
    let lock = FolderLock::take(folder)?;
    let writer = RunWriter::create(lock, &scene.source_text, &[])?;
    let info = summary(scene, env!("OOZE_VERSION"), false)?;
    let mut simulation = Simulation::of_scene(scene)?;
    let recorder = Recorder::begin(writer, info, recording(scene))?;
    simulation.add_sink(Box::new(recorder));
    Ok(figures_of(simulation)?)
}

fn mean_iterations(solves: &SolveSummary) -> f64 {
    f64::from(solves.iterations) / f64::from(solves.count.max(1))
}
