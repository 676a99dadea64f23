//! How much of a liquid carries stress, where volumes within its surface do not tell: in liquids that consist of particles, and
//! in level sets beside walls (`level_set/content`).
//!
//! Particles take from the faces around them what a force does there, each by its own mass. A force that works on faces of other
//! masses takes less from the particles, or more, than their strain stores: beside walls, where the liquid's surface is continued
//! and the cells count as full, a cube of jelly that landed gained a hundredth of its energy. So faces weigh what their particles
//! do, and no row counts for more liquid than the particles around it have.

use glam::IVec3;
use ooze_field::{Field, FieldByAxis};

/// Share of a cell below which particles are too few to tell how much a face weighs.
const LEAST_SHARE: f32 = 0.01;

/// What carries stress at cells, edges and faces: for particles the sums of their weights.
#[derive(Clone, Copy)]
pub(crate) struct Content<'a> {
    pub(crate) cells: &'a Field<f32>,
    pub(crate) edges: &'a FieldByAxis<f32>,
    pub(crate) faces: &'a FieldByAxis<f32>,
    /// What it is in full liquid.
    pub(crate) full: f32,
}

impl Content<'_> {
    /// The share of a face's cell that its particles fill; none if there are next to none.
    pub(super) fn face_share(&self, axis: usize, face: IVec3) -> Option<f32> {
        let share = self.faces[axis].get(face) / self.full;
        (share > LEAST_SHARE).then_some(share)
    }

    /// The share of a cell, by its tile, that particles fill.
    pub(super) fn cell_share(&self, slot: usize, local: usize) -> f32 {
        self.cells.tile(slot)[local] / self.full
    }

    /// The same around an edge along an axis.
    pub(super) fn edge_share(&self, edge: usize, slot: usize, local: usize) -> f32 {
        self.edges[edge].tile(slot)[local] / self.full
    }
}
