//! Why a step could not be taken. A failed step leaves the liquid as it was.

use glam::Vec3;
use thiserror::Error;

/// The reason that a liquid could not advance.
#[derive(Debug, Error)]
pub enum StepError {
    /// A linear solve failed.
    #[error("the {stage} solve failed: {reason}")]
    Solve {
        /// Which solve.
        stage: &'static str,
        /// What the solver said.
        reason: String,
    },
    /// A value became NaN or infinite.
    #[error(
        "{channel} of particle {identity} became {value} in the {stage} stage; try a smaller `time.cfl` or look for colliders that squeeze the liquid"
    )]
    NotFinite {
        /// Stage after which it was seen.
        stage: &'static str,
        /// The quantity.
        channel: &'static str,
        /// Identity of the first such particle.
        identity: u32,
        /// Its value in words.
        value: String,
    },
    /// A value on a grid became NaN or infinite.
    #[error(
        "the {field} at {point} became {value} in the {stage} stage; try a smaller `time.cfl` or look for colliders that squeeze the liquid"
    )]
    GridNotFinite {
        /// Stage after which it was seen.
        stage: &'static str,
        /// The quantity.
        field: &'static str,
        /// The first such place.
        point: Vec3,
        /// The value there.
        value: f32,
    },
    /// The stable time step is below anything useful.
    #[error(
        "the stable time step fell to {step:.3e} s at t = {time:.4} s (limited by {limit}): the speed is {max_speed:.3e} m/s; {}",
        cause(limit)
    )]
    StepTooSmall {
        /// Simulated time.
        time: f64,
        /// The step that would be needed.
        step: f64,
        /// What limits it.
        limit: &'static str,
        /// Largest speed.
        max_speed: f64,
    },
    /// The simulation would need more memory than it may use.
    #[error(
        "the liquid grew to {tiles} tiles of cells, more than the {allowed} that fit the memory limit"
    )]
    TooLarge {
        /// Tiles needed.
        tiles: usize,
        /// Tiles allowed.
        allowed: usize,
    },
}

/// Why a stable time step became too short to be taken, and what to do about it.
fn cause(limit: &str) -> &'static str {
    match limit {
        "speed of the liquid" => "the motion has probably diverged",
        "speed of a collider" => "a collider moves too fast: look at its keyframes",
        "speed of a body" => {
            "a body moves too fast: look at its start, or whether something flings it about"
        }
        _ => {
            "no motion does that, but the material: take larger cells (`--resolution`), a softer or less viscous material, or a method that treats it implicitly"
        }
    }
}

/// Why a method cannot make a liquid of a scene.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct LiquidError(#[from] Box<dyn std::error::Error + Send + Sync>);
