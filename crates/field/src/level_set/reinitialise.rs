//! Reinitialisation: a level set becomes the signed distance to its own surface again.
//!
//! Samples next to the surface take their distance from the level set itself (`near_surface`), which keeps the surface
//! where it is. From there the upwind solution of |∇φ| = 1 spreads outward by group marching (Kim 2001): a fast marching
//! method that settles all samples up to a limit at once and needs no queue. All samples of a round are updated from
//! the round before, so that the result depends neither on the number of threads nor on the tiles. Deviations: groups
//! are improved over two rounds in parallel instead of two passes in opposite order, and differences are second order
//! where they can be.

use std::sync::Arc;

use rayon::prelude::*;

use super::eikonal::Batch;
use super::near_surface;
use crate::lines::Lines;
use crate::mask::{Mask, TileBits, set_cells};
use crate::{Block, Field};

/// Changes of less than this share of a cell do not spread.
const TOLERANCE: f32 = 1e-4;
/// Cells by which the limit grows in each round. With 0.6 members of a group begin to be settled too early.
const ADVANCE: f32 = 0.45;

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
    let topology = Arc::clone(phi.topology());
    let negative = Mask::of(phi, |value| value < 0.0);
    let near: Vec<Update> = (0..topology.tile_count())
        .into_par_iter()
        .with_min_len(4)
        .map_init(
            || Block::new(&topology, 2, 0.0),
            |scratch, slot| measure(phi, &negative, slot, inside_only, band, scratch),
        )
        .collect();
    phi.par_tiles_mut().for_each(|(_, tile)| {
        for value in tile.iter_mut() {
            if *value < 0.0 {
                *value = -band;
            } else if !inside_only {
                *value = band;
            }
        }
    });
    let fronts = near
        .into_iter()
        .zip(negative.tiles())
        .map(|(update, negative)| Front {
            open: std::array::from_fn(|layer| {
                let region = if inside_only {
                    negative[layer]
                } else {
                    u64::MAX
                };
                region & !update.cells[layer]
            }),
            waiting: update.cells,
            leaving: TileBits::default(),
            update,
        })
        .collect();
    march(phi, fronts, band);
    if !inside_only {
        phi.limit_outside(band);
    }
}

/// The progress of a tile.
struct Front {
    /// Cells that may still change.
    open: TileBits,
    /// Cells with news for their neighbours.
    waiting: TileBits,
    /// Cells that spread in the round before the last: about to be settled.
    leaving: TileBits,
    update: Update,
}

/// Spreads distances from the cells that wait over the open ones, in groups (Kim 2001): in each round those cells
/// spread that lie nearer to the surface than a limit, which grows from round to round. The group and the one after it
/// may still improve its members; after that they are settled.
fn march(phi: &mut Field<f32>, mut fronts: Vec<Front>, band: f32) {
    let topology = Arc::clone(phi.topology());
    let cell_size = topology.lattice().cell_size;
    let mut sources = Mask::empty(&topology);
    let mut limit = cell_size;
    loop {
        phi.par_tiles_mut()
            .zip(&mut fronts)
            .zip(sources.tiles_mut())
            .with_min_len(4)
            .for_each(|(((_, tile), front), sources)| {
                *sources = front.advance(tile, sources, limit)
            });
        if fronts.iter().all(|front| is_empty(&front.waiting))
            && sources.tiles().iter().all(is_empty)
        {
            return;
        }
        fronts
            .par_iter_mut()
            .enumerate()
            .with_min_len(4)
            .for_each_init(Batch::new, |batch, (slot, front)| {
                front.update = spread(phi, &sources, &front.open, slot, band, batch);
            });
        limit += ADVANCE * cell_size;
    }
}

impl Front {
    /// Writes the new values and settles the group that has spread; returns the next one: the waiting cells within the
    /// limit.
    fn advance(&mut self, tile: &mut [f32], departed: &TileBits, limit: f32) -> TileBits {
        for (local, &value) in set_cells(&self.update.cells).zip(&self.update.values) {
            tile[local] = value;
        }
        for (layer, departed) in departed.iter().enumerate() {
            self.waiting[layer] |= self.update.changed[layer];
            self.open[layer] &= !self.leaving[layer];
            self.leaving[layer] = *departed;
        }
        let mut group = TileBits::default();
        for local in set_cells(&self.waiting) {
            let near = tile[local].abs() <= limit;
            group[local / 64] |= u64::from(near) << (local % 64);
        }
        for (waiting, group) in self.waiting.iter_mut().zip(group) {
            *waiting &= !group;
        }
        group
    }
}

fn is_empty(bits: &TileBits) -> bool {
    bits.iter().all(|&word| word == 0)
}

/// The signed distances of a tile's samples next to the surface.
fn measure(
    phi: &Field<f32>,
    negative: &Mask,
    slot: usize,
    inside_only: bool,
    band: f32,
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
    let mut values = Vec::new();
    if !is_empty(&cells) {
        scratch.load(phi, slot);
        let cell_size = phi.topology().lattice().cell_size;
        values.extend(set_cells(&cells).map(|local| {
            let index = scratch.at(phi.topology().local_cell(local));
            let distance = near_surface::distance(scratch, index, negative.axes(), cell_size);
            (cell_size * distance)
                .min(band)
                .copysign(scratch.values()[index])
        }));
    }
    Update {
        cells,
        changed: cells,
        values,
    }
}

/// New values of the open cells of a tile that are next to a source nearer to the surface than themselves.
fn spread(
    phi: &Field<f32>,
    sources: &Mask,
    open: &TileBits,
    slot: usize,
    band: f32,
    batch: &mut Batch,
) -> Update {
    let mut update = Update {
        cells: sources.any_next(slot),
        changed: TileBits::default(),
        values: Vec::new(),
    };
    for (word, open) in update.cells.iter_mut().zip(open) {
        *word &= open;
    }
    if is_empty(&update.cells) {
        return update;
    }
    let cell_size = phi.topology().lattice().cell_size;
    let per_cell = 1.0 / cell_size;
    let lines = Lines::new(phi.topology(), slot);
    let next = sources.all_next(slot);
    let tile = phi.tile(slot);
    // Cells in no tile are far from the surface.
    let distance = |index: usize, scale: f32| {
        let value = phi.values().get(index);
        value.map_or(f32::INFINITY, |&value| scale * value)
    };
    let candidates = update.cells;
    update.cells = TileBits::default();
    batch.clear();
    for local in set_cells(&candidates) {
        let scale = per_cell.copysign(tile[local]);
        let here = scale * tile[local];
        let mut affected = false;
        for (axis, next) in next.iter().enumerate().take(sources.axes()) {
            let below = distance(lines.index(local, axis, -1), scale);
            let above = distance(lines.index(local, axis, 1), scale);
            let [from_below, from_above] =
                next.map(|next| next[local / 64] >> (local % 64) & 1 == 1);
            affected |= (from_below & (below < here)) | (from_above & (above < here));
            let step = if above < below { 2 } else { -2 };
            batch.set(
                axis,
                below.min(above),
                distance(lines.index(local, axis, step), scale),
            );
        }
        batch.push(affected);
        update.cells[local / 64] |= u64::from(affected) << (local % 64);
    }
    update.values.extend_from_slice(batch.solve());
    for (local, value) in set_cells(&update.cells).zip(&mut update.values) {
        let distance = ((cell_size * *value).min(band)).copysign(tile[local]);
        let news = (distance - tile[local]).abs() > TOLERANCE * cell_size;
        update.changed[local / 64] |= u64::from(news) << (local % 64);
        *value = distance;
    }
    update
}
