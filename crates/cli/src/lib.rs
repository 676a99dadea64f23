//! What the `ooze` command does with simulations: records, draws, plots and exports them, and holds them against theory.
//!
//! [`Recorder`] is the sink that fills a run's folder, from which [`ooze_cache::RunFolder`] reads.

pub mod bench;
pub mod export;
pub mod forecast;
pub mod fuzz;
pub mod pictures;
#[cfg(feature = "pictures")]
pub mod plots;
pub mod recorder;
pub mod scene_setup;
pub mod validate;

pub use recorder::{CheckpointPolicy, Recorder, Recording};
