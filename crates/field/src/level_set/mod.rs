//! Operators on level sets and on values known near a surface only.

mod extrapolate;

pub use extrapolate::{extrapolate, extrapolate_faces};
