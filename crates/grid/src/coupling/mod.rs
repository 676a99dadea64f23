//! Solids that the liquid moves along with itself: velocities of bodies are unknowns of the same solves as pressure and viscosity
//! (Batty, Bertails & Bridson 2007, sec. 4, for pressure).
//!
//! A body of mass M moves with V* if the liquid leaves it alone (gravity, contacts and joints: `FreeBody::unforced`). What the
//! liquid does to it in the step, `I`, makes it V* + M⁻¹ I, and the liquid flows around it as it moves then. If I is told only
//! after the liquid has moved, a body that is lighter than the liquid that it takes along is flung about; here neither is
//! known before the other.
//!
//! All of it is one pair of adjoint operators, between the faces that a body shuts and its motion (`faces`): a face whose area
//! it takes the share 1 − α of moves that much with it, and gives it as much of the difference of pressure. Momentum is
//! therefore handed over without loss, whatever a solve's tolerance. In the projections the motion is eliminated (`operator`); where
//! pressure and viscosity are solved for as one, it is an unknown beside them (`viscosity::stokes`).

mod bodies;
mod faces;
mod operator;
mod patches;

pub(crate) use bodies::{FreeBodies, Six};
pub(crate) use faces::{BodyFace, BodyFaces};
pub(crate) use operator::{BodyRows, WithBodies, work};
pub(crate) use patches::Patches;
