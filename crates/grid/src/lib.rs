//! Liquids on a staggered grid.

mod boundary;
mod coupling;
mod elasticity;
mod enclosures;
mod face_velocity;
mod flip;
mod gaps;
mod heat;
mod level_set;
mod marker_and_cell;
mod moments;
mod momentum;
mod pressure;
mod reactions;
mod rigid_fluid;
mod separation;
mod settings;
mod solve;
mod stages;
mod viscosity;
mod walls;

pub use elasticity::{PointLaw, Strain, SymmetricTensor, explicit_step};
pub use flip::{FlipLiquid, FlipState};
pub use level_set::{
    CellChannels, ElasticForce, LevelSetLiquid, LevelSetSettings, LevelSetState, Mixture,
    SurfaceTreatment, VelocityAdvection, WallShape,
};
pub use marker_and_cell::{
    Convection, Diffusion, EdgeMean, MarkerLiquid, MarkerSettings, MarkerState, OuterFaces,
    WallFaces,
};
pub use ooze_field::level_set::{
    Advection, Air, ParticleSettings, PathRule, Reinitialisation, Relaxation, TrackingSettings,
};
pub use rigid_fluid::{BodyCoupling, BodySettings, LoopOrder};
pub use settings::{
    Decay, ElasticityScheme, ElasticitySettings, FlipSettings, PressurePreconditioner,
    PressureSettings, Sampling, ShearMean, SurfaceCondition, Transfer, ViscosityPreconditioner,
    ViscosityScheme, ViscositySettings, ViscousPressure, WallWeights,
};
