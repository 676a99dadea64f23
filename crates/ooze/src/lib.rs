//! Animates viscous, elastic and yielding liquids.
//!
//! [`Simulation`] owns a liquid, its solids and its sinks, and advances them frame by frame.

pub mod probes;
pub mod scene_setup;
pub mod simulation;

pub use simulation::{Outcome, Schedule, Simulation, SimulationError};
