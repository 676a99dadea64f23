//! Reinitialisation: a level set becomes the signed distance to its own surface again.
//!
//! Samples next to the surface take their distance from the level set itself (`near_surface`), which keeps the surface
//! where it is. From there the upwind solution of |∇φ| = 1 spreads by the fast iterative method (Jeong & Whitaker
//! 2008) with all samples of a round updated at once from the round before (Jacobi), so that the result depends neither
//! on the number of threads nor on the tiles. Deviation: differences are second order where they can be.

use rayon::prelude::*;

use super::eikonal::{self, Upwind};
use super::near_surface;
use crate::mask::{Mask, TileBits, set_cells};
use crate::{Block, Field};

/// Changes of less than this share of a cell do not spread.
const TOLERANCE: f32 = 1e-5;

/// Makes `phi` the signed distance to its surface up to `band` (metres, at least two cells) on both sides; it is ±`band`
/// farther away.
///
/// The surface stays where it is. The level set counts as `outside` where there are no tiles; that value is limited to
/// ±`band` too. Cost and spread follow the surface, not the number of tiles.
pub fn reinitialise(phi: &mut Field<f32>, band: f32) {
    solve(phi, band, false);
}

/// Makes the negative values of `phi` the distance to its surface, down to -`band`; other values stay as they are.
pub fn redistance_inside(phi: &mut Field<f32>, band: f32) {
    solve(phi, band, true);
}

/// New values for some cells of a tile, in order.
struct Update {
    cells: TileBits,
    /// Those cells whose values changed enough to matter to their neighbours.
    changed: TileBits,
    values: Vec<f32>,
}

fn solve(phi: &mut Field<f32>, band: f32, inside_only: bool) {
    let cell_size = phi.topology().lattice().cell_size;
    let band_cells = band / cell_size;
    let negative = Mask::of(phi, |value| value < 0.0);
    let near: Vec<Update> = par_tiles(phi, |scratch, slot| {
        measure(phi, &negative, slot, inside_only, scratch)
    });
    let mut changed = Mask::empty(phi.topology());
    // Cells that are open to change.
    let mut open = Mask::empty(phi.topology());
    for (slot, update) in near.iter().enumerate() {
        changed.tiles_mut()[slot] = update.cells;
        open.tiles_mut()[slot] = std::array::from_fn(|layer| {
            let region = if inside_only {
                negative.tile(slot)[layer]
            } else {
                u64::MAX
            };
            region & !update.cells[layer]
        });
    }
    phi.par_tiles_mut()
        .zip(&near)
        .for_each(|((_, tile), near)| {
            for value in tile.iter_mut() {
                if *value < 0.0 {
                    *value = -band;
                } else if !inside_only {
                    *value = band;
                }
            }
            for (local, &distance) in set_cells(&near.cells).zip(&near.values) {
                let distance = (cell_size * distance).min(band);
                tile[local] = distance.copysign(tile[local]);
            }
        });
    // News of the surface moves by a cell a round, along the axes only; the rounds beyond that correct a few cells
    // behind creases.
    let rounds = (2.0 * band_cells * 3.0_f32.sqrt()).ceil() as usize + 4;
    for _ in 0..rounds {
        let updates: Vec<Update> = par_tiles(phi, |scratch, slot| {
            spread(phi, &changed, &open, slot, band_cells, scratch)
        });
        if updates.iter().all(|update| update.values.is_empty()) {
            break;
        }
        phi.par_tiles_mut()
            .zip(&updates)
            .for_each(|((_, tile), update)| {
                for (local, &value) in set_cells(&update.cells).zip(&update.values) {
                    tile[local] = value;
                }
            });
        for (bits, update) in changed.tiles_mut().iter_mut().zip(&updates) {
            *bits = update.changed;
        }
    }
    if !inside_only {
        phi.limit_outside(band);
    }
}

/// Runs `work` on every tile with a block of rim two as scratch memory; results are in the tiles' order.
fn par_tiles(
    phi: &Field<f32>,
    work: impl Fn(&mut Block<f32>, usize) -> Update + Sync + Send,
) -> Vec<Update> {
    (0..phi.topology().tile_count())
        .into_par_iter()
        .with_min_len(4)
        .map_init(|| Block::new(phi.topology(), 2, 0.0), work)
        .collect()
}

fn is_empty(bits: &TileBits) -> bool {
    bits.iter().all(|&word| word == 0)
}

/// The distances, in cells, of a tile's samples next to the surface.
fn measure(
    phi: &Field<f32>,
    negative: &Mask,
    slot: usize,
    inside_only: bool,
    scratch: &mut Block<f32>,
) -> Update {
    let here = negative.tile(slot);
    let mut cells = TileBits::default();
    let layers = phi.topology().tile_depth() as usize;
    for axis in 0..negative.axes() {
        for up in [false, true] {
            let next = negative.next(slot, axis, up);
            for layer in 0..layers {
                cells[layer] |= here[layer] ^ next[layer];
            }
        }
    }
    if inside_only {
        for (word, negative) in cells.iter_mut().zip(here) {
            *word &= negative;
        }
    }
    let cell_size = phi.topology().lattice().cell_size;
    let mut values = Vec::new();
    if !is_empty(&cells) {
        scratch.load(phi, slot);
        values.extend(set_cells(&cells).map(|local| {
            let index = scratch.at(phi.topology().local_cell(local));
            near_surface::distance(scratch, index, negative.axes(), cell_size)
        }));
    }
    // The level set's scale is free, and so is the unit of the distances: cells.
    Update {
        cells,
        changed: cells,
        values,
    }
}

/// New values of the open cells of a tile next to changed ones.
fn spread(
    phi: &Field<f32>,
    changed: &Mask,
    open: &Mask,
    slot: usize,
    band: f32,
    scratch: &mut Block<f32>,
) -> Update {
    let mut cells = changed.any_next(slot);
    for (word, open) in cells.iter_mut().zip(open.tile(slot)) {
        *word &= open;
    }
    let mut update = Update {
        cells,
        changed: TileBits::default(),
        values: Vec::new(),
    };
    if is_empty(&cells) {
        return update;
    }
    scratch.load(phi, slot);
    let topology = phi.topology();
    let cell_size = topology.lattice().cell_size;
    let (values, strides) = (scratch.values(), scratch.strides());
    for local in set_cells(&cells) {
        let index = scratch.at(topology.local_cell(local));
        let scale = 1.0_f32.copysign(values[index]) / cell_size;
        let mut axes = [Upwind {
            near: f32::INFINITY,
            far: f32::INFINITY,
        }; 3];
        for axis in 0..changed.axes() {
            let stride = strides[axis];
            let below = scale * values[index - stride];
            let above = scale * values[index + stride];
            axes[axis] = if above < below {
                Upwind {
                    near: above,
                    far: scale * values[index + 2 * stride],
                }
            } else {
                Upwind {
                    near: below,
                    far: scale * values[index - 2 * stride],
                }
            };
        }
        let distance = eikonal::distance(axes).min(band);
        if (distance - scale * values[index]).abs() > TOLERANCE {
            update.changed[local / 64] |= 1 << (local % 64);
        }
        update
            .values
            .push((cell_size * distance).copysign(values[index]));
    }
    update
}
