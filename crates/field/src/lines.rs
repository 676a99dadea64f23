//! Where the cells next to a tile's cells are stored, along the axes, up to two cells away.

use crate::{NO_TILE, Topology};

/// How far the lines reach beyond a tile.
const REACH: usize = 2;

/// The three lines of tiles through one tile, for stencils that need no diagonal neighbours and visit few cells: where
/// most cells of a tile take part, a [`crate::Block`] is the better choice.
pub(crate) struct Lines {
    /// For each axis and each place along it, from two below the tile on: the storage index of the cell at that place
    /// and at zero along the other axes. Beyond every field's end for cells in no tile.
    starts: [[usize; 8 + 2 * REACH]; 3],
}

impl Lines {
    /// The lines through the tile in `slot`. Flat lattices have none along z.
    pub(crate) fn new(topology: &Topology, slot: usize) -> Self {
        let around = topology.neighbours(slot);
        let starts = std::array::from_fn(|axis| {
            std::array::from_fn(|place| {
                // Tiles below, at and above: 0, 1, 2.
                let shifted = place + 8 - REACH;
                let neighbour = around[13 + (shifted >> 3) * [1, 3, 9][axis] - [1, 3, 9][axis]];
                if neighbour == NO_TILE {
                    usize::MAX / 2
                } else {
                    neighbour as usize * topology.tile_cells() + ((shifted & 7) << (3 * axis))
                }
            })
        });
        Self { starts }
    }

    /// Storage index of the cell `step` cells (at most two) from the cell at `local` along an axis; too large for any
    /// field if it is in no tile.
    #[inline]
    pub(crate) fn index(&self, local: usize, axis: usize, step: isize) -> usize {
        let shift = 3 * axis;
        let place = (local >> shift & 7) + REACH;
        self.starts[axis][place.wrapping_add_signed(step)] + (local & !(7 << shift))
    }
}
