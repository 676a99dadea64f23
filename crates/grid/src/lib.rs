//! Liquids on a staggered grid.

mod boundary;
mod flip;
mod pressure;
mod settings;

pub use flip::{Affine, FlipLiquid, FlipState, Particles, particle_volume};
pub use settings::{
    FlipSettings, Preconditioner, PressureSettings, Sampling, Transfer, WallWeights,
};
