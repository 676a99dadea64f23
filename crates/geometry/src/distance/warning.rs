//! What was odd about a mesh and could be put right.

use glam::Vec3;
use thiserror::Error;

use crate::mesh::{short, short_vector};

/// Something odd about a mesh that was put right; worth telling whoever made it.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MeshWarning {
    /// Holes were closed.
    #[error(
        "holes that were closed: {count}, the largest {} m across near {}; together {share:.2} % of the surface",
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
    #[error("seams without width (T-junctions) that were sewn up: {count}")]
    Seams {
        /// How many.
        count: usize,
    },
    /// Triangles with two corners in one place were left out.
    #[error("triangles without area that were left out: {count}")]
    Degenerate {
        /// How many.
        count: usize,
    },
    /// Triangles that occur more than once were left out.
    #[error("triangles that repeat others and were left out: {count}")]
    Repeated {
        /// How many.
        count: usize,
    },
    /// Triangles that lie back to back were left out.
    #[error("triangles of two-sided sheets, which enclose nothing, that were left out: {count}")]
    TwoSided {
        /// How many.
        count: usize,
    },
    /// Triangles that faced the other way than their neighbours were turned.
    #[error("triangles that faced the other way than their neighbours and were turned: {count}")]
    Turned {
        /// How many.
        count: usize,
    },
    /// The whole mesh or whole pieces of it were inside out.
    #[error("pieces that were inside out and were turned: {pieces} of {of}")]
    InsideOut {
        /// How many pieces were turned.
        pieces: usize,
        /// How many pieces there are.
        of: usize,
    },
    /// Triangles, or parts of them, with solid or with air on both sides do not count as surface.
    #[error(
        "triangles that lie in the solid, in whole or in part, because pieces overlap: {count}"
    )]
    Inner {
        /// How many.
        count: usize,
    },
}

impl MeshWarning {
    /// Whether triangles were added or turned, so that the mesh as it was given looks otherwise.
    pub(super) fn tells_of_change(&self) -> bool {
        matches!(
            self,
            Self::Holes { .. } | Self::Turned { .. } | Self::InsideOut { .. }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_read_as_sentences() {
        let holes = MeshWarning::Holes {
            count: 1,
            largest: 0.25,
            near: Vec3::X,
            share: 0.123,
        };
        assert_eq!(
            holes.to_string(),
            "holes that were closed: 1, the largest 0.25 m across near [1, 0, 0]; together 0.12 % of the surface"
        );
        assert_eq!(
            MeshWarning::InsideOut { pieces: 1, of: 3 }.to_string(),
            "pieces that were inside out and were turned: 1 of 3"
        );
    }
}
