//! Connected pieces of a set of cells.

use glam::IVec3;
use ooze_commons::DisjointSets;
use rayon::prelude::*;

use crate::mask::{Mask, TileBits, set_cells};
use crate::{Block, Field, NO_TILE, Place};

/// The connected pieces (over faces) of a set of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Components {
    /// The piece that a cell belongs to, from 1 on in the order of their first cells in storage; 0 for cells not in the
    /// set.
    pub labels: Field<u32>,
    /// Number of pieces.
    pub count: u32,
}

/// The connected pieces of the cells in which a level set is negative.
pub fn components(phi: &Field<f32>) -> Components {
    Components::of(&Mask::of(phi, |value| value < 0.0), phi.place())
}

impl Components {
    /// The connected pieces of a set of cells that exist.
    pub fn of(cells: &Mask, place: Place) -> Self {
        let topology = cells.topology();
        // Each tile alone first.
        let pieces: Vec<Vec<TileBits>> = cells
            .tiles()
            .par_iter()
            .with_min_len(8)
            .map(|bits| pieces_of_tile(*bits))
            .collect();
        let mut labels = Field::new(topology, place, 0);
        let first_labels: Vec<u32> = pieces
            .iter()
            .scan(1, |next, pieces| {
                let first = *next;
                *next += pieces.len() as u32;
                Some(first)
            })
            .collect();
        labels
            .par_tiles_mut()
            .zip(&pieces)
            .with_min_len(8)
            .for_each(|((slot, tile), pieces)| {
                for (label, piece) in (first_labels[slot]..).zip(pieces) {
                    for local in set_cells(piece) {
                        tile[local] = label;
                    }
                }
            });
        // Then pieces that touch across a face between tiles are one. The smallest label of a piece stands for it.
        let total = pieces.iter().map(Vec::len).sum::<usize>();
        let mut joined = DisjointSets::new(total + 1);
        for slot in 0..topology.tile_count() {
            for axis in 0..cells.axes() {
                join_upward(&labels, cells, slot, axis, &mut joined);
            }
        }
        // The lowest label of a piece stands for it and comes first, so one pass in order numbers all.
        let mut count = 0;
        let mut numbers = vec![0; joined.len()];
        for label in 1..joined.len() {
            let root = joined.root(label as u32) as usize;
            if root == label {
                count += 1;
                numbers[label] = count;
            } else {
                numbers[label] = numbers[root];
            }
        }
        labels
            .values_mut()
            .par_iter_mut()
            .with_min_len(4096)
            .for_each(|label| *label = numbers[*label as usize]);
        Self { labels, count }
    }

    /// The labels, spread to the 26 cells around each piece, the lowest label first.
    pub fn spread(&self) -> Field<u32> {
        let topology = self.labels.topology();
        let flat = topology.lattice().flat;
        let mut wider = Field::new(topology, self.labels.place(), 0);
        wider.par_tiles_mut().for_each_init(
            || Block::new(topology, 1, 0u32),
            |block, (slot, tile)| {
                let own = self.labels.tile(slot);
                if own.iter().all(|&label| label > 0) {
                    tile.copy_from_slice(own);
                    return;
                }
                block.load(&self.labels, slot);
                if block.values().iter().all(|&label| label == 0) {
                    return;
                }
                let depth = if flat { 0 } else { 1 };
                for (local, owner) in tile.iter_mut().enumerate() {
                    let place = topology.local_cell(local);
                    *owner = block.get(place);
                    if *owner > 0 {
                        continue;
                    }
                    for z in -depth..=depth {
                        for y in -1..=1 {
                            let row = block.at(place + IVec3::new(-1, y, z));
                            for &label in &block.values()[row..row + 3] {
                                if label > 0 && (*owner == 0 || label < *owner) {
                                    *owner = label;
                                }
                            }
                        }
                    }
                }
            },
        );
        wider
    }
}

/// The connected pieces of a tile's set of cells, in the order of their first cells.
fn pieces_of_tile(cells: TileBits) -> Vec<TileBits> {
    let mut rest = cells;
    let mut pieces = Vec::new();
    while let Some(layer) = rest.iter().position(|&word| word != 0) {
        let mut piece = TileBits::default();
        piece[layer] = rest[layer] & rest[layer].wrapping_neg();
        loop {
            let grown = grow(&piece, &rest);
            if grown == piece {
                break;
            }
            piece = grown;
        }
        for (rest, piece) in rest.iter_mut().zip(piece) {
            *rest &= !piece;
        }
        pieces.push(piece);
    }
    pieces
}

/// The cells of `within` that are in a piece or next to it. Within a layer the growth runs on to the layer's ends.
fn grow(piece: &TileBits, within: &TileBits) -> TileBits {
    const NOT_LOWEST_X: u64 = !0x0101_0101_0101_0101;
    const NOT_HIGHEST_X: u64 = !0x8080_8080_8080_8080;
    let mut grown = *piece;
    let mut below = 0;
    for (layer, word) in grown.iter_mut().enumerate() {
        let above = piece.get(layer + 1).copied().unwrap_or(0);
        let mut bits = (*word | below | above) & within[layer];
        loop {
            let next = (bits
                | bits << 1 & NOT_LOWEST_X
                | bits >> 1 & NOT_HIGHEST_X
                | bits << 8
                | bits >> 8)
                & within[layer];
            if next == bits {
                break;
            }
            bits = next;
        }
        *word = bits;
        below = bits;
    }
    grown
}

/// Joins the pieces of a tile with those of the next tile up an axis.
fn join_upward(
    labels: &Field<u32>,
    cells: &Mask,
    slot: usize,
    axis: usize,
    joined: &mut DisjointSets,
) {
    let topology = labels.topology();
    let above = topology.neighbours(slot)[13 + [1, 3, 9][axis]];
    if above == NO_TILE {
        return;
    }
    let mut face = TileBits::default();
    match axis {
        0 => face = [0x8080_8080_8080_8080; 8],
        1 => face = [0xff << 56; 8],
        _ => face[7] = u64::MAX,
    }
    let next = cells.next(slot, axis, true);
    for layer in 0..8 {
        face[layer] &= cells.tile(slot)[layer] & next[layer];
    }
    let (here, there) = (labels.tile(slot), labels.tile(above as usize));
    let mut last = (0, 0);
    for local in set_cells(&face) {
        let pair = (here[local], there[local & !(7 << (3 * axis))]);
        // Rows of cells mostly repeat the pair before.
        if pair != last {
            joined.join(pair.0, pair.1);
            last = pair;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::{Lattice, Topology};

    /// Plain flood fill, cell by cell in storage order.
    fn flooded(phi: &Field<f32>) -> (Field<u32>, u32) {
        let topology = phi.topology();
        let axes = topology.lattice().axes();
        let mut labels = Field::new(topology, Place::Cell, 0);
        let mut count = 0;
        for index in 0..phi.values().len() {
            let cells = topology.tile_cells();
            let start = topology.cell(index / cells, index % cells);
            if phi.get(start) >= 0.0 || labels.get(start) != 0 {
                continue;
            }
            count += 1;
            labels.set(start, count);
            let mut stack = vec![start];
            while let Some(cell) = stack.pop() {
                for axis in 0..axes {
                    for next in [cell - IVec3::AXES[axis], cell + IVec3::AXES[axis]] {
                        if phi.get(next) < 0.0
                            && labels.get(next) == 0
                            && topology.index(next).is_some()
                        {
                            labels.set(next, count);
                            stack.push(next);
                        }
                    }
                }
            }
        }
        (labels, count)
    }

    #[test]
    fn pieces_equal_those_of_a_flood_fill() {
        for flat in [false, true] {
            for share in [20, 45, 60, 75, 100] {
                let lattice = Lattice::new(Vec3::ZERO, 1.0, IVec3::new(37, 29, 26), flat);
                let topology = Arc::new(Topology::full(lattice));
                let phi = Field::from_cells(&topology, Place::Cell, 1.0, |cell| {
                    let mixed = cell
                        .dot(IVec3::new(7919, 104_729, 1_299_709))
                        .wrapping_mul(0x9e37_79b1_u32 as i32);
                    if (mixed >> 8).rem_euclid(100) < share {
                        -1.0
                    } else {
                        1.0
                    }
                });
                let found = components(&phi);
                let (labels, count) = flooded(&phi);
                assert_eq!(found.count, count);
                assert!(found.labels == labels, "flat {flat}, {share} %");
                if share == 100 {
                    assert_eq!(count, 1);
                }
            }
        }
    }
}
