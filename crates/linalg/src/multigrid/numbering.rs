//! The finest level's own numbering: sorted by colour, red before black.

use ooze_commons::reduce::CHUNK;
use rayon::prelude::*;

use super::place::{EXTENT, Place};
use crate::error::PreconditionerError;

/// How the caller's rows and the finest level's unknowns map to one another.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// The caller's row of each unknown.
    pub(super) row: Vec<u32>,
    /// The unknown of each of the caller's rows.
    pub(super) unknown: Vec<u32>,
    /// Number of red unknowns.
    pub(super) red: usize,
}

impl Numbering {
    /// Sorts by colour, keeping the caller's order within each.
    pub(super) fn by_colour(place: &[Place]) -> Self {
        let count = place.len();
        // Unknowns of each colour, by chunk of rows.
        let sizes: Vec<[usize; 2]> = place
            .par_chunks(CHUNK)
            .map(|place| {
                let black = place.iter().map(|place| place.colour()).sum();
                [place.len() - black, black]
            })
            .collect();
        let red = sizes.iter().map(|size| size[0]).sum();
        let mut next = [0, red];
        let mut first = Vec::with_capacity(sizes.len());
        for size in &sizes {
            first.push(next);
            next = [next[0] + size[0], next[1] + size[1]];
        }
        let mut row = vec![0; count];
        let mut unknown = vec![0; count];
        let (red_rows, black_rows) = row.split_at_mut(red);
        let red_rows = split_lengths(red_rows, sizes.iter().map(|size| size[0]));
        let black_rows = split_lengths(black_rows, sizes.iter().map(|size| size[1]));
        red_rows
            .into_par_iter()
            .zip(black_rows)
            .zip(first)
            .zip(unknown.par_chunks_mut(CHUNK).zip(place.par_chunks(CHUNK)))
            .enumerate()
            .for_each(
                |(chunk, (((red_rows, black_rows), first), (unknown, place)))| {
                    let rows = [red_rows, black_rows];
                    let mut filled = [0, 0];
                    let own_rows = chunk * CHUNK..;
                    for ((unknown, place), row) in unknown.iter_mut().zip(place).zip(own_rows) {
                        let colour = place.colour();
                        *unknown = (first[colour] + filled[colour]) as u32;
                        rows[colour][filled[colour]] = row as u32;
                        filled[colour] += 1;
                    }
                },
            );
        Self { row, unknown, red }
    }
}

/// Packs lattice coordinates.
pub(super) fn pack(coordinates: &[[i32; 3]]) -> Result<Vec<Place>, PreconditionerError> {
    let none = || [[i32::MAX; 3], [i32::MIN; 3]];
    let join = |a: [[i32; 3]; 2], b: [[i32; 3]; 2]| {
        let low = [0, 1, 2].map(|axis| a[0][axis].min(b[0][axis]));
        let high = [0, 1, 2].map(|axis| a[1][axis].max(b[1][axis]));
        [low, high]
    };
    let [low, high] = coordinates
        .par_chunks(CHUNK)
        .map(|chunk| chunk.iter().fold(none(), |bounds, &c| join(bounds, [c, c])))
        .reduce(none, join);
    // An even origin keeps blocks and colours of the lattice independent of where the liquid is.
    let origin = low.map(|low| low & !1);
    for axis in 0..3 {
        if i64::from(high[axis]) - i64::from(origin[axis]) >= EXTENT {
            return Err(PreconditionerError::Extent {
                axis,
                low: low[axis],
                high: high[axis],
                limit: EXTENT,
            });
        }
    }
    let pack = |&coordinate: &[i32; 3]| Place::new(coordinate, origin);
    Ok(coordinates
        .par_iter()
        .with_min_len(CHUNK)
        .map(pack)
        .collect())
}

/// Cuts a slice into consecutive pieces.
fn split_lengths<T>(mut slice: &mut [T], lengths: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    let mut pieces = Vec::new();
    for length in lengths {
        let (piece, rest) = slice.split_at_mut(length);
        pieces.push(piece);
        slice = rest;
    }
    pieces
}
