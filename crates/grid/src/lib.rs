//! Liquids on a staggered grid.

mod boundary;
mod flip;
mod level_set;
mod pressure;
mod settings;
mod solve;
mod stages;
mod viscosity;

pub use flip::{Affine, FlipLiquid, FlipState, Particles, particle_volume};
pub use level_set::{
    LevelSetLiquid, LevelSetSettings, LevelSetState, SurfaceTreatment, VelocityAdvection, WallShape,
};
pub use settings::{
    FlipSettings, Preconditioner, PressureSettings, Sampling, SurfaceCondition, Transfer,
    ViscosityPreconditioner, ViscosityScheme, ViscositySettings, WallWeights,
};
