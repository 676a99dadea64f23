//! How much of an elastic level set stress moves, and how much of it is strained.
//!
//! The level set goes on inside walls, and so does the volume that it bounds. Pressure knows better: it acts through the open part
//! of a face, as if that were what the face weighs, and does no work on what flows between walls if that is how work is counted
//! (Ng, Min & Gibou 2009). If stress pushed faces that weigh their whole volume, what the liquid loses as it is squeezed against a
//! wall and what its strain stores would differ: a cube of jelly that landed on walls which lean across the grid gained several
//! hundredths of its energy. So faces weigh no more for stress than they do for pressure, and rows count for the liquid before
//! the walls alone.

use ooze_field::fraction::VolumeFractions;
use ooze_field::{Field, FieldByAxis};
use rayon::prelude::*;

use crate::boundary::Boundary;
use crate::viscosity::Content;

/// The shares of cells, edges and faces that liquid fills before the walls.
pub(super) struct BeforeWalls {
    cells: Field<f32>,
    edges: FieldByAxis<f32>,
    faces: FieldByAxis<f32>,
}

impl BeforeWalls {
    /// The shares of a liquid that goes on inside walls, negative in `liquid`.
    pub(super) fn of(liquid: &Field<f32>, boundary: &Boundary) -> Self {
        let VolumeFractions {
            mut cells,
            mut faces,
            mut edges,
        } = VolumeFractions::of(liquid);
        let walls = VolumeFractions::of(&boundary.distance);
        multiply(&mut cells, &walls.cells, |walled| 1.0 - walled);
        for (edges, walls) in edges.iter_mut().zip(&walls.edges) {
            multiply(edges, walls, |walled| 1.0 - walled);
        }
        for (faces, open) in faces.iter_mut().zip(&boundary.open) {
            multiply(faces, open, |open| open);
        }
        Self {
            cells,
            edges,
            faces,
        }
    }

    /// The same as stress sees it.
    pub(super) fn content(&self) -> Content<'_> {
        Content {
            cells: &self.cells,
            edges: &self.edges,
            faces: &self.faces,
            full: 1.0,
        }
    }
}

/// Multiplies shares by a function of what walls have at the same places.
fn multiply(shares: &mut Field<f32>, walls: &Field<f32>, factor: impl Fn(f32) -> f32 + Sync) {
    shares.par_tiles_mut().for_each(|(slot, shares)| {
        for (share, &wall) in shares.iter_mut().zip(walls.tile(slot)) {
            *share *= factor(wall);
        }
    });
}
