//! The finest level, from the caller's rows.

use ooze_commons::reduce::CHUNK;
use rayon::prelude::*;

use super::super::scales::Scales;
use super::coarsen::Built;
use super::layout::{Extents, Layout};
use super::level::{AXES, Level, SAMPLES};
use super::samples::{Sample, classify};
use crate::error::PreconditionerError;
use crate::matrix::SymmetricMatrix;
use crate::rows::{UnknownPlace, WeightedRows};

/// Boxes with more rows along x than this many times the unknowns are not worth a table.
const SPARSE: i64 = 4;
/// One in this many rows may be something else than a strain sample.
const STRANGE: usize = 10;

/// The finest level and where each unknown is in its fields.
pub(super) struct Finest {
    pub(super) built: Built,
    pub(super) slot: Vec<u32>,
    /// The largest stiffness over the smallest.
    pub(super) contrast: f64,
}

impl Finest {
    /// Puts a system onto a grid; none if it does not fit one.
    pub(super) fn new(
        matrix: &SymmetricMatrix,
        places: &[UnknownPlace],
        rows: &WeightedRows,
    ) -> Result<Option<Self>, PreconditionerError> {
        let Some(extents) = extents(places) else {
            return Ok(None);
        };
        let layout = Layout::new(&extents);
        let slot: Vec<u32> = places
            .par_iter()
            .with_min_len(CHUNK)
            .map(|place| {
                let [x, y, z] = place.cell;
                let row = layout.find(y, z).expect("rows of unknowns are stored");
                row.index(AXES, usize::from(place.axis), x) as u32
            })
            .collect();
        let mut active = vec![0.0; AXES * layout.places];
        for (unknown, &slot) in slot.iter().enumerate() {
            if active[slot as usize] > 0.0 {
                let is_same = |place: &UnknownPlace| *place == places[unknown];
                return Err(PreconditionerError::SamePlace {
                    first: places.iter().position(is_same).unwrap_or(unknown),
                    second: unknown,
                    cell: places[unknown].cell,
                });
            }
            active[slot as usize] = 1.0;
        }
        let samples: Vec<Sample> = (0..rows.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|row| classify(rows, places, row))
            .collect();
        let is_bulk = |sample: &Sample| matches!(sample, Sample::Bulk { .. });
        let mut level = Level::new(layout, samples.iter().any(is_bulk));
        let scales = Scales::new(matrix, rows);
        for (&slot, &mass) in slot.iter().zip(&scales.mass) {
            level.mass[slot as usize] = mass as f32;
        }
        let mut built = Built {
            counts: level.count_faces(&active),
            ground: vec![0.0; active.len()],
            level,
            active,
        };
        let strange = built.weigh(rows, &samples, &slot);
        let contrast = scales.contrast(matrix);
        Ok((STRANGE * strange <= rows.len()).then_some(Self {
            built,
            slot,
            contrast,
        }))
    }
}

/// The extents of the unknowns; none if they fill a slab or a large box sparsely.
fn extents(places: &[UnknownPlace]) -> Option<Extents> {
    let (mut low, mut high) = ([i32::MAX; 3], [i32::MIN; 3]);
    for place in places {
        for axis in 0..3 {
            low[axis] = low[axis].min(place.cell[axis]);
            high[axis] = high[axis].max(place.cell[axis]);
        }
    }
    let size = |axis: usize| i64::from(high[axis]) - i64::from(low[axis]) + 1;
    let rows = size(1).saturating_mul(size(2));
    let limit = SPARSE * places.len() as i64;
    // Along x, the space between two bodies is stored.
    if size(2) <= 1 || rows > limit || rows.saturating_mul(size(0)) > 64 * limit {
        return None;
    }
    let mut extents = Extents::new([low[1], low[2]], [high[1], high[2]]);
    for place in places {
        let [x, y, z] = place.cell;
        extents.add(y, z, x, x);
    }
    Some(extents)
}

impl Built {
    /// Gives samples their weights; returns how many rows are no samples although they couple unknowns.
    fn weigh(&mut self, rows: &WeightedRows, samples: &[Sample], slot: &[u32]) -> usize {
        let mut strange = 0;
        for (row, sample) in samples.iter().enumerate() {
            let (columns, coefficients) = rows.row(row);
            let weight = rows.weights()[row];
            if columns.is_empty() || weight <= 0.0 {
                continue;
            }
            let length = columns.len() as f32;
            let square = coefficients.iter().map(|c| c * c).sum::<f32>() / length;
            let layout = &self.level.layout;
            match *sample {
                Sample::Strain {
                    cell: [x, y, z],
                    sample,
                } => {
                    let own = layout.find(y, z).expect("rows of samples are stored");
                    let index = own.index(SAMPLES, sample, x);
                    if self.counts[index] == length {
                        // Differences to walls are steeper, which holds their unknowns and not the others.
                        let squares = coefficients.iter().map(|c| c * c);
                        let least = squares.clone().fold(f32::INFINITY, f32::min);
                        self.level.weight[index] += weight * least;
                        for (&column, square) in columns.iter().zip(squares) {
                            self.ground[slot[column as usize] as usize] +=
                                weight * (square - least);
                        }
                        continue;
                    }
                }
                Sample::Bulk { cell: [x, y, z] } => {
                    let own = layout.find(y, z).expect("rows of samples are stored");
                    self.level.bulk[own.index(1, 0, x)] += weight * square;
                    continue;
                }
                Sample::Other => {}
            }
            strange += usize::from(columns.len() > 1);
            // By Cauchy-Schwarz, it holds each of its unknowns no more than this.
            for (&column, &coefficient) in columns.iter().zip(coefficients) {
                self.ground[slot[column as usize] as usize] +=
                    weight * coefficient * coefficient * length;
            }
        }
        strange
    }
}
