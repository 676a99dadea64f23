//! The words every ooze solver shares: materials, liquids, solids, reports and errors.

mod bodies;
mod channel;
pub mod channel_rules;
mod domain;
mod error;
mod forces;
mod frame;
mod heat;
mod held;
mod impulse;
mod inertia;
mod inventory;
mod keyframed;
pub mod lattice_channel;
mod level_set;
mod liquid;
mod load;
mod material;
mod obstacles;
mod particle_set;
mod particle_sources;
mod progress;
mod report;
pub mod seeding;
mod setup;
mod solid;
mod solids;
mod sources;
mod statistics;
mod tensor;
mod texture;
mod tracers;

pub use bodies::{Body, BodyMass, Joint, JointEnd, JointKind, Motor};
pub use channel::{ChannelData, ChannelError, Channels};
pub use channel_rules::expect_length;
pub use domain::{Domain, Side};
pub use error::{LiquidError, StepError};
pub use forces::Force;
pub use frame::{BodyPose, Frame};
pub use heat::{
    Ambient, BodyHeat, HeatFlow, HeatMeasure, HeatSetup, Heater, HeaterStrength, STEFAN_BOLTZMANN,
    StandingHeater, WallHeat,
};
pub use held::{HeldSolid, Hold, Holder, Remains};
pub use impulse::{Impulse, ImpulsePart};
pub use inertia::SpatialInertia;
pub use inventory::Inventory;
pub use keyframed::{Collider, KeyframedSolids};
pub use level_set::{EscapedParticle, LevelSet};
pub use liquid::{Liquid, LiquidSettings, Measure, StableStep};
pub use load::{Load, SolidLoad};
pub use material::{
    Appearance, Elasticity, EnthalpyCurve, HerschelBulkley, Material, MaterialPreset, MeltingCurve,
    MoltenStrength, Property, Thermal, ViscosityLaw, ViscosityTable,
};
pub use obstacles::Obstacles;
pub use ooze_field::random;
pub use particle_set::{
    Birth, Carried, ChannelRule, Exchange, Gradient, Handle, Mean, ParticleSet, ParticleValue,
    RealChannel, gather,
};
pub use particle_sources::ParticleSources;
pub use progress::{Checkpoint, FramePart, Progress};
pub use report::{CROWDED, DensityError, Packing, SolveSummary, StepReport};
pub use setup::LiquidSetup;
pub use solid::{BodyMotion, BodyVelocity, FreeBody, Solid};
pub use solids::{BodyId, Contact, Solids, WallCondition};
pub use sources::{Drain, Emitter, InitialLiquid, MaterialId, ViscosityGradient};
pub use statistics::FrameStatistics;
pub use tensor::SymmetricTensor;
pub use texture::TextureCoordinates;
pub use tracers::{TracerCloud, Tracers, expect_tracers};
