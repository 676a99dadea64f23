//! The vertices of a marching-cubes mesh: one on each lattice edge that the surface cuts, numbered by tile.

use glam::IVec3;
use ooze_field::mask::{TileBits, set_cells};
use ooze_field::{NO_TILE, TILE_EDGE};

use crate::tiles::Tiles;

/// The cut edges that belong to a tile. An edge belongs to the tile of its lower sample, or of its upper one where that
/// tile does not exist.
#[derive(Clone, Debug)]
pub(super) struct TileVertices {
    /// Number of the tile's first vertex.
    pub(super) first: u32,
    /// Cut edges by kind: kinds 0 to 2 run upward along x, y, z from a sample of the tile, 3 to 5 downward.
    cut: [TileBits; 6],
    /// For each kind and layer, the number of vertices before it.
    before: [[u16; 8]; 6],
}

impl TileVertices {
    /// The cut edges of the tile in `slot`; its first vertex is still to be set.
    pub(super) fn new(tiles: &Tiles, inside: &[TileBits], slot: usize) -> Self {
        let mut cut = [TileBits::default(); 6];
        for axis in 0..3 {
            let here = &inside[slot];
            let above = next_up(tiles, inside, slot, axis);
            cut[axis] = std::array::from_fn(|z| here[z] ^ above[z]);
            if tiles.neighbours(slot)[13 - [1, 3, 9][axis]] == NO_TILE {
                let lowest = lowest_layer(axis);
                cut[3 + axis] = std::array::from_fn(|z| here[z] & lowest[z]);
            }
        }
        let mut count = 0;
        let before = cut.map(|bits| {
            bits.map(|word| {
                let so_far = count;
                count += word.count_ones() as u16;
                so_far
            })
        });
        Self {
            first: 0,
            cut,
            before,
        }
    }

    /// Number of vertices.
    pub(super) fn count(&self) -> u32 {
        let last: u32 = self.cut[5][7].count_ones();
        u32::from(self.before[5][7]) + last
    }

    /// The edges in the order of their vertices: lower sample, counted from the tile's lowest, and axis.
    pub(super) fn edges(&self) -> impl Iterator<Item = (IVec3, usize)> + '_ {
        self.cut.iter().enumerate().flat_map(|(kind, bits)| {
            let axis = kind % 3;
            set_cells(bits).map(move |local| {
                let local = local as i32;
                let sample = IVec3::new(local & 7, local >> 3 & 7, local >> 6);
                let down = if kind < 3 { 0 } else { 1 };
                (sample - down * IVec3::AXES[axis], axis)
            })
        })
    }

    /// Number of the vertex on the edge of a kind at the sample with index `local`.
    #[inline]
    fn vertex(&self, kind: usize, local: usize) -> u32 {
        let (layer, bit) = (local / 64, local % 64);
        let earlier = self.cut[kind][layer] & ((1 << bit) - 1);
        self.first + u32::from(self.before[kind][layer]) + earlier.count_ones()
    }
}

/// Number of the vertex on the cut edge that runs up an axis from the sample at `lower`, counted from the lowest sample
/// of the tile in `slot`. `place` tells where in `vertices` a tile's entry is.
#[inline]
pub(super) fn vertex_on(
    tiles: &Tiles,
    vertices: &[TileVertices],
    place: &[u32],
    slot: usize,
    lower: IVec3,
    axis: usize,
) -> u32 {
    let (found, kind) = match tiles.find(slot, lower) {
        Some(found) => (found, axis),
        None => (
            tiles
                .find(slot, lower + IVec3::AXES[axis])
                .expect("a cut edge has a sample inside, which exists"),
            3 + axis,
        ),
    };
    vertices[place[found.0] as usize].vertex(kind, found.1)
}

/// For every sample of a tile, whether the next one up an axis is inside.
fn next_up(tiles: &Tiles, inside: &[TileBits], slot: usize, axis: usize) -> TileBits {
    let here = &inside[slot];
    let there = match tiles.neighbours(slot)[13 + [1, 3, 9][axis]] {
        NO_TILE => TileBits::default(),
        neighbour => inside[neighbour as usize],
    };
    let lowest = lowest_layer(axis);
    let last = TILE_EDGE as usize - 1;
    std::array::from_fn(|z| match axis {
        0 => (here[z] & !lowest[z]) >> 1 | (there[z] & lowest[z]) << last,
        1 => here[z] >> 8 | there[z] << 56,
        _ => here.get(z + 1).copied().unwrap_or(there[0]),
    })
}

/// The samples of a tile's lowest layer along an axis.
fn lowest_layer(axis: usize) -> TileBits {
    match axis {
        0 => [0x0101_0101_0101_0101; 8],
        1 => [0xff; 8],
        _ => [u64::MAX, 0, 0, 0, 0, 0, 0, 0],
    }
}
