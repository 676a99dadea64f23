//! Liquids as particles: neighbours, kernels, boundaries, and one folder a published method.

pub mod boundary;
pub mod cases;
mod clavet;
mod kernel;
mod liquid;
mod mueller;
pub mod neighbours;
mod resolution;
mod state;

pub use clavet::{
    ClavetConstants, ClavetLiquid, ClavetSettings, ClavetState, ConstantError, RelaxationOrder,
    RestLattice,
};
pub use kernel::{Kernel, KernelShape, LaplacianWeight, Space};
pub use liquid::walls::WallForm;
pub use mueller::{DensityRule, Kernels, MuellerLiquid, MuellerSettings, ViscosityForm};
pub use resolution::Resolution;
pub use state::ParticleState;

/// Particles that are handled together by one task. What is summed up over neighbours is summed up for each particle by itself:
/// results do not depend on it.
const CHUNK: usize = 256;
