//! Operators on level sets and on values known near a surface only.

mod eikonal;
mod extrapolate;
mod near_surface;
mod reinitialise;

pub use extrapolate::{extrapolate, extrapolate_faces};
pub use reinitialise::{redistance_inside, reinitialise};
