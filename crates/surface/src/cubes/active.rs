//! The cubes between samples through which the surface passes, found row by row with bits.

use glam::IVec3;
use ooze_field::{NO_TILE, mask::TileBits};

use crate::tiles::{Tiles, neighbour_step};

/// A tile's samples and those around it, one bit each: row `(z + 1) * 10 + y + 1` has bit `x + 1`, each from -1 to 8.
#[derive(Clone, Debug)]
pub(crate) struct TileRows {
    rows: [u16; 100],
}

/// A cube between eight samples, named by its lowest one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveCube {
    /// The lowest sample, counted from the tile's lowest; from -1 to 7.
    pub(crate) lower: IVec3,
    /// Which corners are inside: bit `x + 2 y + 4 z`.
    pub(crate) inside: u8,
}

impl TileRows {
    /// The bits of the tile in `slot` and around it; nothing is inside where there are no tiles.
    pub(crate) fn load(tiles: &Tiles, inside: &[TileBits], slot: usize) -> Self {
        let around = tiles.neighbours(slot);
        let byte = |entry: usize, y: usize, z: usize| match around[entry] {
            NO_TILE => 0,
            neighbour => (inside[neighbour as usize][z] >> (8 * y)) as u8,
        };
        let rows = std::array::from_fn(|row| {
            let (y, z) = (row % 10 + 7, row / 10 + 7);
            let first = 9 * (z >> 3) + 3 * (y >> 3);
            let [below, here, above] =
                [0, 1, 2].map(|column| u16::from(byte(first + column, y & 7, z & 7)));
            below >> 7 | here << 1 | (above & 1) << 9
        });
        Self { rows }
    }

    /// Whether all samples, those around the tile included, are on one side.
    pub(crate) fn uniform(&self) -> bool {
        self.rows.iter().all(|&row| row == 0) || self.rows.iter().all(|&row| row == 0x3ff)
    }

    /// Calls `found` for each cube that the surface passes through and that belongs to the tile.
    ///
    /// A cube belongs to the first of the existing tiles that hold one of its samples, so that the cubes at the ends of
    /// the tiles are found, and found once.
    pub(crate) fn for_each_active(
        &self,
        tiles: &Tiles,
        slot: usize,
        mut found: impl FnMut(ActiveCube),
    ) {
        for row in 0..81 {
            let (y, z) = (row % 9, row / 9);
            let first = 10 * z + y;
            let four = [0, 1, 10, 11].map(|step| self.rows[first + step]);
            let any = four[0] | four[1] | four[2] | four[3];
            let all = four[0] & four[1] & four[2] & four[3];
            let mut active = (any | any >> 1) & !(all & all >> 1) & 0x1ff;
            while active != 0 {
                let x = active.trailing_zeros();
                active &= active - 1;
                let lower = IVec3::new(x as i32, y as i32, z as i32) - 1;
                if owns(tiles, slot, lower) {
                    let pair = |row: usize| (four[row] >> x & 3) as u8;
                    found(ActiveCube {
                        lower,
                        inside: pair(0) | pair(1) << 2 | pair(2) << 4 | pair(3) << 6,
                    });
                }
            }
        }
    }
}

/// Whether the tile in `slot` is the first of the existing tiles that hold samples of the cube at `lower`.
#[inline]
pub(crate) fn owns(tiles: &Tiles, slot: usize, lower: IVec3) -> bool {
    // Its lowest sample lies in this tile, which no other tile of the cube can then precede.
    if lower.min_element() >= 0 {
        return true;
    }
    let touched = |entry: usize| {
        let step = neighbour_step(entry);
        let upper = (lower + 1) >> 3;
        step.cmpge(lower >> 3).all() && step.cmple(upper).all()
    };
    !(0..13).any(|entry| tiles.neighbours(slot)[entry] != NO_TILE && touched(entry))
}
