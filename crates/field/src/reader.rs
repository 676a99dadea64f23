//! Values copied so that interpolating them at many points is quick.

use std::sync::Arc;

use glam::Vec3;
use rayon::prelude::*;

use crate::field::{interpolate, slopes, split};
use crate::{Blend, Block, Field, NO_TILE, Topology};

/// Values tile by tile, `EDGE` of them along a tile's edges and those on the upper borders again: no reading leaves its tile.
/// Where there are no tiles, the value outside is read.
#[derive(Clone, Debug)]
pub struct Reader<T, const EDGE: usize> {
    topology: Arc<Topology>,
    /// x fastest.
    values: Vec<T>,
    outside: T,
    /// Where the value of the first cell is.
    origin: Vec3,
    /// Values along a metre.
    per_metre: f32,
}

impl<T: Blend, const EDGE: usize> Reader<T, EDGE> {
    /// Values along the edge of a tile, both ends included.
    pub(crate) const ENDS: usize = EDGE + 1;

    /// A reader for the tiles of a topology. `fill` writes a tile's values, x fastest, given its slot; it has scratch memory
    /// from `scratch`. The value of the first cell is at `offset` in it, in units of cells.
    pub(crate) fn new<S>(
        topology: &Arc<Topology>,
        offset: Vec3,
        outside: T,
        scratch: impl Fn() -> S + Sync + Send,
        fill: impl Fn(&mut S, usize, &mut [T]) + Sync + Send,
    ) -> Self {
        let lattice = topology.lattice();
        let in_tile = Self::in_tile(topology);
        let mut values = vec![outside; in_tile * topology.tile_count()];
        let tiles = values.par_chunks_exact_mut(in_tile).enumerate();
        tiles.for_each_init(scratch, |scratch, (slot, values)| {
            fill(scratch, slot, values);
        });
        Self {
            topology: Arc::clone(topology),
            values,
            outside,
            origin: lattice.to_world(offset),
            per_metre: Self::PER_CELL as f32 / lattice.cell_size,
        }
    }

    /// Values along a cell.
    const PER_CELL: usize = EDGE / crate::TILE_EDGE as usize;

    fn in_tile(topology: &Topology) -> usize {
        let layers = if topology.lattice().flat {
            1
        } else {
            Self::ENDS
        };
        Self::ENDS * Self::ENDS * layers
    }

    /// The eight values around a point, x fastest, with the fractions between them; none where there are no tiles.
    #[inline]
    fn corners(&self, point: Vec3) -> Option<([T; 8], Vec3)> {
        let (node, mut fraction) = split((point - self.origin) * self.per_metre);
        let slot = self
            .topology
            .slot_of(node >> Self::PER_CELL.trailing_zeros() as i32);
        if slot == NO_TILE {
            return None;
        }
        let mut local = node & (EDGE as i32 - 1);
        let mut layer = Self::ENDS * Self::ENDS;
        if self.topology.lattice().flat {
            (local.z, fraction.z, layer) = (0, 0.0, 0);
        }
        let [x, y, z] = local.to_array().map(|index| index as usize);
        let row = Self::ENDS;
        let first = slot as usize * Self::in_tile(&self.topology) + x + row * (y + row * z);
        // One bounds check for all eight.
        let values = &self.values[first..first + layer + row + 2];
        let at = |corner: usize| {
            let (y, z) = (corner >> 1 & 1, corner >> 2);
            values[(corner & 1) + row * y + layer * z]
        };
        Some((std::array::from_fn(at), fraction))
    }

    /// Trilinear interpolation at a point.
    #[inline]
    pub fn sample(&self, point: Vec3) -> T {
        match self.corners(point) {
            Some((corners, fraction)) => interpolate(corners, fraction),
            None => self.outside,
        }
    }
}

/// A reader of a field.
pub type FieldReader = Reader<f32, 8>;

impl FieldReader {
    /// Copies a field.
    pub fn of(field: &Field<f32>) -> Self {
        let topology = field.topology();
        let scratch = || Block::new(topology, 1, 0.0);
        let offset = field.place().offset();
        Self::new(
            topology,
            offset,
            field.outside(),
            scratch,
            |block, slot, values| {
                block.load(field, slot);
                let [_, row, layer] = block.strides();
                for (index, target) in values.chunks_exact_mut(Self::ENDS).enumerate() {
                    let (y, z) = (index % Self::ENDS, index / Self::ENDS);
                    let first = 1 + row * (y + 1) + layer * (z + 1);
                    target.copy_from_slice(&block.values()[first..first + Self::ENDS]);
                }
            },
        )
    }

    /// The trilinear interpolant at a point, and its gradient per metre.
    #[inline]
    pub fn sample_with_gradient(&self, point: Vec3) -> (f32, Vec3) {
        match self.corners(point) {
            Some((corners, fraction)) => {
                let gradient = slopes(corners, fraction) * self.per_metre;
                (interpolate(corners, fraction), gradient)
            }
            None => (self.outside, Vec3::ZERO),
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::IVec3;

    use super::*;
    use crate::random::uniform;
    use crate::{Lattice, Place, TopologyBuilder};

    #[test]
    fn reads_equal_those_of_the_field() {
        for flat in [false, true] {
            for place in [Place::Cell, Place::Node] {
                let lattice = Lattice::new(Vec3::new(0.3, -0.2, 0.0), 0.25, IVec3::splat(24), flat);
                let builder = TopologyBuilder::new(lattice);
                builder.mark(IVec3::new(10, 10, 10), 5);
                let topology = Arc::new(builder.build());
                let field = Field::from_cells(&topology, place, 0.5, |cell| {
                    uniform(3, cell.dot(IVec3::new(1, 1000, 1_000_000)) as u64)
                });
                let reader = FieldReader::of(&field);
                for index in 0..4000 {
                    // Up to the lowest sample and the end of the uppermost cell; beyond, readers know of no tile.
                    let pick = |axis| 0.5 + 15.4 * uniform(axis, index);
                    let point = lattice.to_world(Vec3::new(pick(7), pick(8), pick(9)));
                    let (value, gradient) = reader.sample_with_gradient(point);
                    assert!((value - field.sample(point)).abs() < 2e-5, "{point}");
                    assert_eq!(value, reader.sample(point));
                    let expected = field.sample_gradient(point);
                    assert!(
                        gradient.abs_diff_eq(expected, 1e-3),
                        "{gradient} {expected}"
                    );
                }
            }
        }
    }
}
