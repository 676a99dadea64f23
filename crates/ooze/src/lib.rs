//! Animates viscous, elastic and yielding liquids.
//!
//! [`Simulation`] owns a liquid, its solids and its sinks, and advances them frame by frame; [`Recorder`] is the sink that
//! fills a run's folder, from which [`ooze_cache::RunFolder`] reads.

pub mod bench;
pub mod export;
pub mod forecast;
pub mod fuzz;
pub mod pictures;
pub mod plots;
pub mod probes;
pub mod recorder;
pub mod scene_setup;
pub mod simulation;
pub mod validate;

pub use recorder::{CheckpointPolicy, Recorder, Recording};
pub use simulation::{Outcome, Schedule, Simulation, SimulationError};
