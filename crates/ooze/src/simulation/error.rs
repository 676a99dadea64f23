//! Why a simulation stopped.

use ooze_core::{ChannelError, LiquidError, StepError};
use ooze_rigid::RigidError;
use thiserror::Error;

use super::SinkError;

/// The reason that a simulation cannot go on from a checkpoint.
#[derive(Debug, Error)]
pub enum RestoreError {
    /// The liquid or the solids cannot be in such a state.
    #[error("the checkpoint does not fit the scene: {0}")]
    Channel(#[from] ChannelError),
    /// The moment is none of this run.
    #[error("the checkpoint is of no moment of this run: {0}")]
    Progress(String),
}

/// The reason that a simulation could not go on.
#[derive(Debug, Error)]
pub enum SimulationError {
    /// The method cannot make such a liquid.
    #[error(transparent)]
    Liquid(#[from] LiquidError),
    /// The bodies cannot be what they are asked to be.
    #[error(transparent)]
    Bodies(#[from] RigidError),
    /// The liquid could not advance.
    #[error("frame {frame}, t = {time:.6} s: {source}")]
    Step {
        /// The frame that was not finished.
        frame: u32,
        /// Simulated seconds up to which all is well.
        time: f64,
        /// What the liquid said.
        source: StepError,
    },
    /// The solids could not be put back to where they were before a failed step.
    #[error("the solids cannot return to t = {time:.6} s: {source}")]
    Rewind {
        /// The time.
        time: f64,
        /// What is the matter.
        source: ChannelError,
    },
    /// A sink could not take what it was given.
    #[error(transparent)]
    Output(SinkError),
}
