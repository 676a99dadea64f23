//! Whole-scene benchmarks: how cost grows with the liquid and with the box around it, and how many particle-steps a
//! second the machine manages. Reported as ratios wherever that is possible.

mod workloads;

use ooze_core::SolveSummary;
use ooze_scene::SceneErrors;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::SimulationError;
use crate::validate::figures;

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
    /// Mean seconds of a sub-step.
    pub seconds_per_step: f64,
    /// Millions of particle-steps a second.
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
}

impl Workload {
    /// Runs the workload on the threads there are.
    pub fn run(&self) -> Result<Cost, BenchError> {
        let figures = figures(&self.scene()?)?;
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
            pressure_iterations: mean_iterations(&pressure),
            viscosity_iterations: (mean_iterations(&viscosity), viscosity.iterations_max),
            peak_memory_bytes: figures.last().and_then(|frame| frame.peak_memory_bytes),
            stages,
        })
    }
}

fn mean_iterations(solves: &SolveSummary) -> f64 {
    f64::from(solves.iterations) / f64::from(solves.count.max(1))
}
