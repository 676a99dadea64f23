//! Liquids on a staggered grid.

mod boundary;
mod elasticity;
mod flip;
mod pressure;
mod settings;
mod solve;
mod viscosity;

pub use elasticity::{PointLaw, Strain, SymmetricTensor, explicit_step};
pub use flip::{Affine, Deformation, FlipLiquid, FlipState, Particles, particle_volume};
pub use settings::{
    Decay, ElasticityScheme, ElasticitySettings, FlipSettings, Preconditioner, PressureSettings,
    Sampling, SurfaceCondition, Transfer, ViscosityPreconditioner, ViscosityScheme,
    ViscositySettings, WallWeights,
};
