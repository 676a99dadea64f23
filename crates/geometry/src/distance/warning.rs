//! What was odd about a mesh and could be put right.

use glam::Vec3;
use thiserror::Error;

use crate::mesh::{short, short_vector};

/// Something odd about a mesh that was put right; worth telling whoever made it.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MeshWarning {
    /// Holes were closed.
    #[error(
        "{count} holes were closed; the largest is {} m across near {}, and all make up {share:.2} % of the surface",
        short(*.largest), short_vector(*.near)
    )]
    Holes {
        /// How many.
        count: usize,
        /// The diameter of the largest in metres.
        largest: f32,
        /// The middle of the largest.
        near: Vec3,
        /// The closed area as a percentage of the surface.
        share: f64,
    },
    /// Edges that end in the middle of other edges were sewn up.
    #[error("{count} seams without width (T-junctions) were sewn up")]
    Seams {
        /// How many.
        count: usize,
    },
    /// Triangles with two corners in one place were left out.
    #[error("{count} triangles without area were left out")]
    Degenerate {
        /// How many.
        count: usize,
    },
    /// Triangles that occur more than once were left out.
    #[error("{count} triangles that repeat others were left out")]
    Repeated {
        /// How many.
        count: usize,
    },
    /// Triangles that lie back to back were left out.
    #[error("{count} triangles of two-sided sheets, which enclose nothing, were left out")]
    TwoSided {
        /// How many.
        count: usize,
    },
    /// Triangles that faced the other way than their neighbours were turned.
    #[error("{count} triangles that face the other way than their neighbours were turned")]
    Turned {
        /// How many.
        count: usize,
    },
    /// The whole mesh or whole pieces of it were inside out.
    #[error("{pieces} of {of} pieces were inside out and were turned")]
    InsideOut {
        /// How many pieces were turned.
        pieces: usize,
        /// How many pieces there are.
        of: usize,
    },
    /// Triangles, or parts of them, with solid or with air on both sides do not count as surface.
    #[error("{count} triangles lie in the solid where pieces overlap, in whole or in part")]
    Inner {
        /// How many.
        count: usize,
    },
}
