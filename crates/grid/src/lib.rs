//! Liquids on a staggered grid.

mod boundary;
mod flip;
mod pressure;
mod settings;
mod solve;
mod viscosity;

pub use flip::{Affine, FlipLiquid, FlipState, Particles, particle_volume};
pub use settings::{
    FlipSettings, Preconditioner, PressureSettings, Sampling, SurfaceCondition, Transfer,
    ViscosityPreconditioner, ViscosityScheme, ViscositySettings, WallWeights,
};
