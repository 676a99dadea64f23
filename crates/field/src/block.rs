//! A tile with a rim of its neighbours' cells, copied into one dense array: stencils then need no look-ups.

use glam::IVec3;

use crate::{Field, NO_TILE, Topology, Value};

/// A dense copy of a tile and the cells within `rim` of it. Scratch memory: reuse it from tile to tile.
#[derive(Clone, Debug)]
pub struct Block<T> {
    rim: i32,
    size: IVec3,
    values: Vec<T>,
}

impl<T: Value> Block<T> {
    /// Room for a tile of `topology` with `rim` cells (at most 8) around it, filled with `value`.
    pub fn new(topology: &Topology, rim: i32, value: T) -> Self {
        assert!(
            (0..=8).contains(&rim),
            "a rim reaches the next tile at most"
        );
        let size = IVec3::new(8, 8, topology.tile_depth()) + 2 * rim;
        Self {
            rim,
            size,
            values: vec![value; size.element_product() as usize],
        }
    }

    /// Copies the tile in `slot` and its rim from a field.
    pub fn load(&mut self, field: &Field<T>, slot: usize) {
        let topology = field.topology();
        let depth = topology.tile_depth();
        let neighbours = topology.neighbours(slot);
        // Spans of the block in each neighbour along an axis: rim below, the tile itself, rim above.
        let segments = |rim: i32| [(8 - rim, rim, 0), (0, 8, rim), (0, rim, rim + 8)];
        for z in 0..self.size.z {
            // A flat lattice repeats its one layer along z.
            let (tile_z, local_z) = if depth == 1 {
                (1, 0)
            } else {
                let shifted = z - self.rim + 8;
                (shifted >> 3, shifted & 7)
            };
            for y in 0..self.size.y {
                let shifted = y - self.rim + 8;
                let (tile_y, local_y) = (shifted >> 3, shifted & 7);
                let row = ((z * self.size.y + y) * self.size.x) as usize;
                for (tile_x, (from, length, to)) in segments(self.rim).into_iter().enumerate() {
                    let neighbour = neighbours[(tile_z * 9 + tile_y * 3) as usize + tile_x];
                    let target = &mut self.values[row + to as usize..][..length as usize];
                    if neighbour == NO_TILE {
                        target.fill(field.outside());
                    } else {
                        let first = ((local_z * 8 + local_y) * 8 + from) as usize;
                        let source = &field.tile(neighbour as usize)[first..];
                        target.copy_from_slice(&source[..length as usize]);
                    }
                }
            }
        }
    }

    /// Place in [`Block::values`] of the cell at `local`, counted from the tile's lowest cell; each component from
    /// `-rim` to `7 + rim`.
    #[inline]
    pub fn at(&self, local: IVec3) -> usize {
        let shifted = local + self.rim;
        ((shifted.z * self.size.y + shifted.y) * self.size.x + shifted.x) as usize
    }

    /// Distance in [`Block::values`] between neighbours along each axis.
    #[inline]
    pub fn strides(&self) -> [usize; 3] {
        [
            1,
            self.size.x as usize,
            (self.size.x * self.size.y) as usize,
        ]
    }

    /// The copied values, x fastest.
    #[inline]
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The copied values, x fastest, to work on in place.
    #[inline]
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// Number of cells along each axis, rim included.
    #[inline]
    pub fn size(&self) -> IVec3 {
        self.size
    }

    /// The value at `local`, counted from the tile's lowest cell.
    #[inline]
    pub fn get(&self, local: IVec3) -> T {
        self.values[self.at(local)]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::{Lattice, Place, TopologyBuilder};

    #[test]
    fn a_block_equals_single_look_ups() {
        for flat in [false, true] {
            let lattice = Lattice::new(Vec3::ZERO, 1.0, IVec3::splat(30), flat);
            let builder = TopologyBuilder::new(lattice);
            builder.mark(IVec3::new(9, 9, 9), 4);
            builder.mark(IVec3::new(25, 3, 12), 1);
            let topology = Arc::new(builder.build());
            let field = Field::from_cells(&topology, Place::Cell, -7, |cell| {
                cell.dot(IVec3::new(1, 100, 10_000))
            });
            for rim in [1, 3] {
                let mut block = Block::new(&topology, rim, 0);
                for slot in 0..topology.tile_count() {
                    block.load(&field, slot);
                    let depth = topology.tile_depth();
                    for z in -rim..depth + rim {
                        for y in -rim..8 + rim {
                            for x in -rim..8 + rim {
                                let local = IVec3::new(x, y, z);
                                let cell = topology.tile_lower(slot) + local;
                                assert_eq!(block.get(local), field.get(cell), "{cell} flat {flat}");
                            }
                        }
                    }
                }
            }
        }
    }
}
