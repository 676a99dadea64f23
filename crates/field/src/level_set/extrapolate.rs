//! Extrapolation of known values into the cells around, one layer of cells after the other.
//!
//! In each layer an unknown sample with a known face neighbour takes the average of its known neighbours. It reads the
//! layers before only, so that the order of the cells does not matter.

use rayon::prelude::*;

use crate::lines::Lines;
use crate::mask::{Mask, TileBits, set_cells};
use crate::{Blend, Field, FieldByAxis};

/// What a layer adds to a tile: values for the cells in `frontier`, in order.
struct Growth<T> {
    frontier: TileBits,
    values: Vec<T>,
}

/// Extends `values` from the samples whose `known` is not zero into `layers` layers of samples around them, which become
/// known (1). Samples farther away keep their value. Flat lattices have no neighbours along z.
///
/// # Panics
/// If the two fields do not live on the same tiles.
pub fn extrapolate<T: Blend>(values: &mut Field<T>, known: &mut Field<u8>, layers: u32) {
    assert_eq!(
        values.topology().tile_count(),
        known.topology().tile_count(),
        "values and their marks live on the same tiles"
    );
    // Cells in no tile have nothing to give, whatever their outside value says.
    let mut mask = Mask::of(known, |entry| entry != 0).with_outside(false);
    for _ in 0..layers {
        let growth: Vec<Growth<T>> = (0..mask.tiles().len())
            .into_par_iter()
            .with_min_len(8)
            .map(|slot| grow(values, &mask, slot))
            .collect();
        if growth.iter().all(|tile| tile.values.is_empty()) {
            return;
        }
        values
            .par_tiles_mut()
            .zip(known.par_tiles_mut())
            .zip(mask.tiles_mut())
            .zip(&growth)
            .with_min_len(8)
            .for_each(|((((_, values), (_, known)), bits), growth)| {
                for (local, &value) in set_cells(&growth.frontier).zip(&growth.values) {
                    values[local] = value;
                    known[local] = 1;
                }
                for (word, frontier) in bits.iter_mut().zip(growth.frontier) {
                    *word |= frontier;
                }
            });
    }
}

/// [`extrapolate`] for each component of a staggered velocity.
pub fn extrapolate_faces(
    velocity: &mut FieldByAxis<f32>,
    known: &mut FieldByAxis<u8>,
    layers: u32,
) {
    for (component, known) in velocity.iter_mut().zip(known) {
        extrapolate(component, known, layers);
    }
}

/// The values that the next layer brings to the tile in `slot`.
fn grow<T: Blend>(values: &Field<T>, mask: &Mask, slot: usize) -> Growth<T> {
    let mut frontier = mask.any_next(slot);
    let mut count = 0;
    for (word, known) in frontier.iter_mut().zip(mask.tile(slot)) {
        *word &= !known;
        count += word.count_ones();
    }
    let mut grown = Vec::with_capacity(count as usize);
    if count > 0 {
        let lines = Lines::new(mask.topology(), slot);
        let next = mask.all_next(slot);
        for local in set_cells(&frontier) {
            let mut sum = None;
            let mut neighbours = 0;
            for (axis, next) in next.iter().enumerate() {
                for (step, next) in [-1, 1].into_iter().zip(next) {
                    if next[local / 64] >> (local % 64) & 1 == 1 {
                        let value = values.values()[lines.index(local, axis, step)];
                        sum = Some(sum.map_or(value, |sum| sum + value));
                        neighbours += 1;
                    }
                }
            }
            // Every frontier cell has a known neighbour by definition.
            grown.extend(sum.map(|sum: T| sum * (1.0 / neighbours as f32)));
        }
    }
    Growth {
        frontier,
        values: grown,
    }
}
