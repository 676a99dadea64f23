//! Joins polygons that were found one by one, in parallel, into shared vertices.

use glam::{IVec3, Vec3};
use rustc_hash::FxHashMap;

/// A corner of a triangle. Corners with equal keys are one vertex; they have the same position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    /// Names the vertex on the lattice.
    pub(crate) key: IVec3,
    /// Position in metres.
    pub(crate) position: Vec3,
}

/// Vertices by their keys, numbered as they first appear.
#[derive(Default)]
pub(crate) struct Vertices {
    numbers: FxHashMap<IVec3, u32>,
    positions: Vec<Vec3>,
}

impl Vertices {
    /// The numbers of the corners of polygons, those of new vertices included.
    pub(crate) fn weld<const N: usize>(&mut self, polygons: &[[Corner; N]]) -> Vec<[u32; N]> {
        polygons
            .iter()
            .map(|polygon| polygon.map(|corner| self.number(corner)))
            .collect()
    }

    fn number(&mut self, corner: Corner) -> u32 {
        *self.numbers.entry(corner.key).or_insert_with(|| {
            self.positions.push(corner.position);
            self.positions.len() as u32 - 1
        })
    }

    /// Where they are.
    pub(crate) fn into_positions(self) -> Vec<Vec3> {
        self.positions
    }
}
