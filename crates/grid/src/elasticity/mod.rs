//! Elastic strain with plastic flow, for liquids that bounce, creep and stand (Goktekin 2011).
//!
//! Stress is viscous stress plus μ_e times the elastic strain ε (eq. 2.9), and the strain follows
//!
//! ```text
//! Dε/Dt = W ε − ε W + (∇u + ∇uᵀ)/2 − α ε′/‖ε′‖ max(0, ‖ε′‖ − γ)        (eq. 2.23)
//! ```
//!
//! where W is the spin, γ the yield strain and α the decay rate. What is here does not know how strain is carried: by
//! particles, or by a level-set liquid's own transport.
//!
//! - `law`: the equation above at one point, for one step;
//! - `melting`: the law of what melts and sets, and what becomes of strain then;
//! - `strain`: strain on the staggered grid, diagonal at cell centres, off-diagonal at edges (sec. 3.1), its update there
//!   (sec. 3.5) and its conditions at walls and surfaces (sec. 3.6);
//! - `surroundings`: what that update reads around a cell;
//! - `scheme`: how long a step may be and how much of it must be implicit;
//! - the force is the adjoint of viscosity's strain operator with viscosity's volume weights, and lives beside it
//!   (`viscosity::adjoint`): internal forces add up to nothing and turn nothing.
//!
//! The implicit step: stress at its end is μ_e (ε + dt ε̇(u_new)), so that the step is the viscous solve with the
//! viscosity μ + dt μ_e/2 and the force of the old strain. That force acts before the first projection, with gravity: what
//! pressure and elasticity hold together at rest stays at rest exactly.
//!
//! Deviations from the thesis: the force above instead of plain differences (which belong to its preset,
//! [`Strain::divergence`]); rotation is exact, by the angle of the step; decay is integrated exactly, so that α dt may be
//! large; strain has no trace, since the liquid is incompressible and what the grid leaves of a divergence must not
//! add up.

mod law;
mod melting;
mod scheme;
mod strain;
mod surroundings;
#[cfg(test)]
mod tests;

pub use law::PointLaw;
pub(crate) use law::{relaxed, softening};
pub(crate) use melting::{MaterialLaw, kept_strain};
pub use ooze_core::SymmetricTensor;
pub use scheme::explicit_step;
pub(crate) use scheme::{StepBounds, explicit_limit, implicit_limit, implicitness};
pub use strain::Strain;
