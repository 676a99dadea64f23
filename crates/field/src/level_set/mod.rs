//! Operators on level sets and on values known near a surface only.

mod components;
mod eikonal;
mod extrapolate;
mod geometry;
mod near_surface;
mod reinitialise;

pub use crate::fraction::volume;
pub use components::{Components, components};
pub use extrapolate::{extrapolate, extrapolate_faces};
pub use geometry::{curvature, curvatures, gradient, normal};
pub use reinitialise::{redistance_inside, reinitialise};
