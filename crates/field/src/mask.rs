//! One bit for each cell of the active tiles: neighbourhood questions about 64 cells at once.

use std::sync::Arc;

use glam::IVec3;
use rayon::prelude::*;

use crate::{Field, NO_TILE, TILE_EDGE, Topology, Value};

/// The bits of a tile: one word for each layer along z, bit `8 y + x` within it. Flat lattices use the first word only.
pub type TileBits = [u64; TILE_EDGE as usize];

const LOWEST_X: u64 = 0x0101_0101_0101_0101;
const LOWEST_Y: u64 = 0xff;

/// A set of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    topology: Arc<Topology>,
    tiles: Vec<TileBits>,
    outside: bool,
}

impl Mask {
    /// The cells whose value satisfies `test`; in tiles that do not exist, whether the outside value does.
    pub fn of<T: Value>(field: &Field<T>, test: impl Fn(T) -> bool + Sync) -> Self {
        let topology = Arc::clone(field.topology());
        let tiles = field
            .values()
            .par_chunks(topology.tile_cells())
            .map(|tile| {
                let mut bits = TileBits::default();
                for (word, layer) in bits.iter_mut().zip(tile.chunks(64)) {
                    for (bit, &value) in layer.iter().enumerate() {
                        *word |= u64::from(test(value)) << bit;
                    }
                }
                bits
            })
            .collect();
        Self {
            topology,
            tiles,
            outside: test(field.outside()),
        }
    }

    /// The cells whose values in two fields on the same tiles satisfy `test` together.
    pub fn of_both<T: Value, U: Value>(
        first: &Field<T>,
        second: &Field<U>,
        test: impl Fn(T, U) -> bool + Sync,
    ) -> Self {
        let mut mask = Self::empty(first.topology());
        let tiles = mask.tiles.par_iter_mut().enumerate();
        tiles.with_min_len(8).for_each(|(slot, bits)| {
            let layers = first
                .tile(slot)
                .chunks(64)
                .zip(second.tile(slot).chunks(64));
            for (word, (first, second)) in bits.iter_mut().zip(layers) {
                for (bit, (&first, &second)) in first.iter().zip(second).enumerate() {
                    *word |= u64::from(test(first, second)) << bit;
                }
            }
        });
        mask.with_outside(test(first.outside(), second.outside()))
    }

    /// No cells of `topology` at all.
    pub fn empty(topology: &Arc<Topology>) -> Self {
        Self {
            topology: Arc::clone(topology),
            tiles: vec![TileBits::default(); topology.tile_count()],
            outside: false,
        }
    }

    /// The same cells in the tiles that exist, and none or all of the others.
    pub fn with_outside(self, outside: bool) -> Self {
        Self { outside, ..self }
    }

    /// The tiles that the cells are taken from.
    pub fn topology(&self) -> &Arc<Topology> {
        &self.topology
    }

    /// The bits of one tile.
    #[inline]
    pub fn tile(&self, slot: usize) -> &TileBits {
        &self.tiles[slot]
    }

    /// The bits of all tiles.
    pub fn tiles(&self) -> &[TileBits] {
        &self.tiles
    }

    /// The bits of all tiles, to change.
    pub fn tiles_mut(&mut self) -> &mut [TileBits] {
        &mut self.tiles
    }

    /// Whether a cell is in the set.
    #[inline]
    pub fn contains(&self, cell: IVec3) -> bool {
        match self.topology.slot_of(cell) {
            NO_TILE => self.outside,
            slot => {
                let local = self.topology.local_of(cell);
                self.tiles[slot as usize][local / 64] >> (local % 64) & 1 == 1
            }
        }
    }

    /// The set and the boxes around its cells that reach so many cells to every side, as far as tiles exist on the way.
    pub fn grown(mut self, cells: u32) -> Self {
        for axis in 0..self.axes() {
            for _ in 0..cells {
                let widened = |slot: usize| {
                    let [below, above] = [false, true].map(|up| self.next(slot, axis, up));
                    let here = self.tile(slot);
                    std::array::from_fn(|layer| here[layer] | below[layer] | above[layer])
                };
                let slots = (0..self.tiles.len()).into_par_iter();
                self.tiles = slots.with_min_len(64).map(widened).collect();
            }
        }
        self
    }

    /// Number of axes along which cells have neighbours: two in flat lattices.
    pub fn axes(&self) -> usize {
        self.topology.lattice().axes()
    }

    /// The bits of the tile next to `slot` along an axis.
    #[inline]
    fn beside(&self, slot: usize, axis: usize, up: bool) -> TileBits {
        let step = [1, 3, 9][axis];
        let entry = if up { 13 + step } else { 13 - step };
        match self.topology.neighbours(slot)[entry] {
            NO_TILE => [if self.outside { u64::MAX } else { 0 }; TILE_EDGE as usize],
            neighbour => self.tiles[neighbour as usize],
        }
    }

    /// For every cell of a tile, whether the next cell along `axis` (upward or downward) is in the set.
    #[inline]
    pub fn next(&self, slot: usize, axis: usize, up: bool) -> TileBits {
        let here = &self.tiles[slot];
        let there = self.beside(slot, axis, up);
        std::array::from_fn(|z| match (axis, up) {
            (0, true) => (here[z] >> 1 & !(LOWEST_X << 7)) | (there[z] & LOWEST_X) << 7,
            (0, false) => (here[z] << 1 & !LOWEST_X) | (there[z] >> 7 & LOWEST_X),
            (1, true) => here[z] >> 8 | there[z] << 56,
            (1, false) => here[z] << 8 | (there[z] >> 56 & LOWEST_Y),
            (_, true) => here.get(z + 1).copied().unwrap_or(there[0]),
            (_, false) => z.checked_sub(1).map_or(there[7], |below| here[below]),
        })
    }

    /// For every axis, downward and upward: [`Mask::next`]. Flat lattices have no neighbours along z.
    pub fn all_next(&self, slot: usize) -> [[TileBits; 2]; 3] {
        std::array::from_fn(|axis| {
            [false, true].map(|up| {
                if axis < self.axes() {
                    self.next(slot, axis, up)
                } else {
                    TileBits::default()
                }
            })
        })
    }

    /// For every cell of a tile, whether one of its face neighbours is in the set.
    pub fn any_next(&self, slot: usize) -> TileBits {
        let mut any = TileBits::default();
        for axis in 0..self.axes() {
            for up in [false, true] {
                let next = self.next(slot, axis, up);
                for (word, next) in any.iter_mut().zip(next) {
                    *word |= next;
                }
            }
        }
        any
    }
}

/// Local indices of the set bits of a tile, in order.
pub fn set_cells(bits: &TileBits) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(layer, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                64 * layer + bit
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{Lattice, Place, TopologyBuilder};

    #[test]
    fn a_set_grows_by_boxes_around_its_cells() {
        for flat in [false, true] {
            let lattice = Lattice::new(Vec3::ZERO, 1.0, IVec3::splat(30), flat);
            let topology = Arc::new(Topology::full(lattice));
            let chosen = [IVec3::new(3, 9, 0), IVec3::new(15, 16, 23)];
            let chosen = chosen.map(|cell| if flat { cell.with_z(0) } else { cell });
            let field = Field::from_cells(&topology, Place::Cell, 0, |cell| {
                u8::from(chosen.contains(&cell))
            });
            let set = Mask::of(&field, |value| value != 0);
            for reach in 0..4 {
                let grown = set.clone().grown(reach);
                for slot in 0..topology.tile_count() {
                    for local in 0..topology.tile_cells() {
                        let cell = topology.cell(slot, local);
                        let near = |&other: &IVec3| {
                            let apart = (cell - other).abs().max_element();
                            apart <= reach as i32
                        };
                        let expected = chosen.iter().any(near);
                        assert_eq!(grown.contains(cell), expected, "{cell} {reach}");
                    }
                }
            }
        }
    }

    #[test]
    fn shifted_bits_equal_single_look_ups() {
        for flat in [false, true] {
            let lattice = Lattice::new(Vec3::ZERO, 1.0, IVec3::splat(30), flat);
            let builder = TopologyBuilder::new(lattice);
            builder.mark(IVec3::new(9, 9, 9), 4);
            builder.mark(IVec3::new(25, 3, 12), 1);
            let topology = Arc::new(builder.build());
            let field = Field::from_cells(&topology, Place::Cell, 0, |cell| {
                u8::from(cell.dot(IVec3::new(31, 17, 7)).rem_euclid(5) < 2)
            });
            let mask = Mask::of(&field, |value| value != 0);
            for slot in 0..topology.tile_count() {
                let any = mask.any_next(slot);
                let mut expected_any = TileBits::default();
                for axis in 0..mask.axes() {
                    for up in [false, true] {
                        let next = mask.next(slot, axis, up);
                        for local in 0..topology.tile_cells() {
                            let step = IVec3::AXES[axis] * if up { 1 } else { -1 };
                            let expected = field.get(topology.cell(slot, local) + step);
                            let bit = next[local / 64] >> (local % 64) & 1;
                            assert_eq!(bit, u64::from(expected), "{axis} {up} {local}");
                            expected_any[local / 64] |= bit << (local % 64);
                        }
                    }
                }
                assert_eq!(any, expected_any);
                let listed: Vec<usize> = set_cells(mask.tile(slot)).collect();
                let tile = field.tile(slot);
                let plain: Vec<usize> = (0..tile.len()).filter(|&local| tile[local] != 0).collect();
                assert_eq!(listed, plain);
            }
        }
    }
}
