//! A tile with a rim of its neighbours' cells, copied into one dense array: stencils then need no look-ups.

use glam::IVec3;

use crate::{Field, NO_TILE, Topology, Value};

/// A dense copy of a tile and the cells within `rim` of it. Scratch memory: reuse it from tile to tile.
#[derive(Clone, Debug)]
pub struct Block<T> {
    rim: i32,
    size: IVec3,
    values: Vec<T>,
    /// A tile that does not exist.
    blank: Vec<T>,
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
            blank: Vec::new(),
        }
    }

    /// Copies the tile in `slot` and its rim from a field.
    pub fn load(&mut self, field: &Field<T>, slot: usize) {
        // Rows of known length are copied without calls: the usual rims have code of their own.
        match self.rim {
            1 => self.load_rim::<1>(field, slot),
            2 => self.load_rim::<2>(field, slot),
            3 => self.load_rim::<3>(field, slot),
            4 => self.load_rim::<4>(field, slot),
            5 => self.load_rim::<5>(field, slot),
            6 => self.load_rim::<6>(field, slot),
            7 => self.load_rim::<7>(field, slot),
            8 => self.load_rim::<8>(field, slot),
            _ => self.load_rim::<0>(field, slot),
        }
    }

    fn load_rim<const RIM: usize>(&mut self, field: &Field<T>, slot: usize) {
        let topology = field.topology();
        self.blank.clear();
        self.blank.resize(topology.tile_cells(), field.outside());
        let tiles = topology.neighbours(slot).map(|neighbour| match neighbour {
            NO_TILE => self.blank.as_slice(),
            neighbour => field.tile(neighbour as usize),
        });
        let depth = topology.tile_depth();
        let rows = self.values.chunks_exact_mut(8 + 2 * RIM);
        for (row, target) in rows.enumerate() {
            let (y, z) = (row % (8 + 2 * RIM), row / (8 + 2 * RIM));
            let shifted_y = y + 8 - RIM;
            // A flat lattice repeats its one layer along z.
            let shifted_z = if depth == 1 { 8 } else { z + 8 - RIM };
            let first = 9 * (shifted_z >> 3) + 3 * (shifted_y >> 3);
            let local = 64 * (shifted_z & 7) + 8 * (shifted_y & 7);
            let [below, here, above] =
                [0, 1, 2].map(|column| &tiles[first + column][local..local + 8]);
            target[..RIM].copy_from_slice(&below[8 - RIM..]);
            target[RIM..RIM + 8].copy_from_slice(here);
            target[RIM + 8..].copy_from_slice(&above[..RIM]);
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
            for rim in 0..=8 {
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
