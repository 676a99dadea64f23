//! The finest level: Gauss-Seidel sweeps through all cubes of one colour at a time.
//!
//! Unknowns are sorted by colour, cube and piece, so that a sweep is an ordinary Gauss-Seidel sweep in that order,
//! whatever the number of threads. After a sweep from zero, `(L + D) x = b`, the residual is `−U x`.

use std::ops::Range;

use ooze_commons::reduce::CHUNK;
use rayon::prelude::*;

use super::blocks::{Blocks, COLOURS};
use super::pieces::Pieces;
use super::shared::SharedVector;
use crate::matrix::SymmetricMatrix;

/// Unknowns in one piece of parallel work, about.
const TASK: usize = 2048;

/// The matrix of the finest level in single precision.
#[derive(Debug, Default)]
pub(super) struct FineLevel {
    row_start: Vec<u32>,
    /// Where the couplings with later unknowns start in each row.
    later_start: Vec<u32>,
    column: Vec<u32>,
    value: Vec<f32>,
    inverse_diagonal: Vec<f32>,
    /// Ranges of unknowns that may be swept at the same time, by colour.
    tasks: Vec<Vec<Range<usize>>>,
    pub(super) right_hand_side: Vec<f32>,
    pub(super) residual: Vec<f32>,
    pub(super) x: SharedVector,
}

impl FineLevel {
    /// Sorts a matrix.
    pub(super) fn new(matrix: &SymmetricMatrix, blocks: &Blocks, pieces: &Pieces) -> Self {
        let count = matrix.size();
        let mut level = Self {
            row_start: Vec::with_capacity(count + 1),
            later_start: vec![0; count],
            column: vec![0; matrix.columns().len()],
            value: vec![0.0; matrix.columns().len()],
            inverse_diagonal: vec![0.0; count],
            tasks: tasks(blocks),
            right_hand_side: vec![0.0; count],
            residual: vec![0.0; count],
            x: SharedVector::new(count),
        };
        let mut start = 0;
        level.row_start.push(0);
        for &row in &pieces.row {
            let starts = &matrix.row_starts()[row as usize..];
            start += starts[1] - starts[0];
            level.row_start.push(start);
        }
        // Cut the entries at the boundaries of chunks of rows.
        let mut parts = Vec::new();
        let (mut columns, mut values) = (&mut level.column[..], &mut level.value[..]);
        let chunks = level.later_start.chunks_mut(CHUNK);
        let chunks = chunks.zip(level.inverse_diagonal.chunks_mut(CHUNK));
        for (chunk, (later, inverse)) in chunks.enumerate() {
            let first = chunk * CHUNK;
            let offset = level.row_start[first];
            let length = (level.row_start[first + later.len()] - offset) as usize;
            let (own_columns, own_values);
            (own_columns, columns) = columns.split_at_mut(length);
            (own_values, values) = values.split_at_mut(length);
            parts.push((first, offset, later, inverse, own_columns, own_values));
        }
        parts
            .into_par_iter()
            .for_each(|(first, offset, later, inverse, columns, values)| {
                let mut entries: Vec<(u32, f32)> = Vec::new();
                let mut end = 0;
                for (index, (later, inverse)) in later.iter_mut().zip(inverse).enumerate() {
                    let unknown = first + index;
                    let row = pieces.row[unknown] as usize;
                    let diagonal = matrix.diagonal()[row];
                    *inverse = if diagonal > 0.0 {
                        (1.0 / diagonal) as f32
                    } else {
                        1.0
                    };
                    entries.clear();
                    entries.extend(
                        matrix
                            .row(row)
                            .map(|(column, value)| (pieces.unknown[column], value)),
                    );
                    entries.sort_unstable_by_key(|&(column, _)| column);
                    let earlier =
                        entries.partition_point(|&(column, _)| (column as usize) < unknown);
                    *later = offset + (end + earlier) as u32;
                    for &(column, value) in &entries {
                        columns[end] = column;
                        values[end] = value;
                        end += 1;
                    }
                }
            });
        level
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        8 * self.column.len() + 4 * 6 * self.x.len()
    }

    fn earlier(&self, unknown: usize) -> Range<usize> {
        self.row_start[unknown] as usize..self.later_start[unknown] as usize
    }

    fn later(&self, unknown: usize) -> Range<usize> {
        self.later_start[unknown] as usize..self.row_start[unknown + 1] as usize
    }

    #[inline]
    fn product(&self, entries: Range<usize>) -> f32 {
        let (columns, last_columns) = self.column[entries.clone()].as_chunks::<4>();
        let (values, last_values) = self.value[entries].as_chunks::<4>();
        // Four sums, so that additions need not wait for one another.
        let mut sums = [0.0; 4];
        for (columns, values) in columns.iter().zip(values) {
            for lane in 0..4 {
                sums[lane] += values[lane] * self.x.get(columns[lane] as usize);
            }
        }
        for (lane, (&column, value)) in last_columns.iter().zip(last_values).enumerate() {
            sums[lane] += value * self.x.get(column as usize);
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// A sweep from zero.
    pub(super) fn sweep_from_zero(&self) {
        for tasks in &self.tasks {
            tasks.par_iter().for_each(|range| {
                for unknown in range.clone() {
                    let known = self.product(self.earlier(unknown));
                    let rest = self.right_hand_side[unknown] - known;
                    self.x.set(unknown, rest * self.inverse_diagonal[unknown]);
                }
            });
        }
    }

    /// The residual after a sweep from zero.
    pub(super) fn find_residual(&mut self) {
        let mut residual = std::mem::take(&mut self.residual);
        let chunks = residual.par_chunks_mut(CHUNK).enumerate();
        chunks.for_each(|(chunk, residual)| {
            for (index, residual) in residual.iter_mut().enumerate() {
                *residual = -self.product(self.later(chunk * CHUNK + index));
            }
        });
        self.residual = residual;
    }

    /// A sweep in reverse order.
    pub(super) fn sweep_back(&self) {
        for tasks in self.tasks.iter().rev() {
            tasks.par_iter().for_each(|range| {
                for unknown in range.clone().rev() {
                    let entries =
                        self.row_start[unknown] as usize..self.row_start[unknown + 1] as usize;
                    let rest = self.right_hand_side[unknown] - self.product(entries);
                    self.x.set(unknown, rest * self.inverse_diagonal[unknown]);
                }
            });
        }
    }
}

/// Whole cubes, in tasks of about equal length, by colour.
fn tasks(blocks: &Blocks) -> Vec<Vec<Range<usize>>> {
    let mut tasks = vec![Vec::<Range<usize>>::new(); COLOURS];
    for block in 0..blocks.count() {
        let range = blocks.start[block] as usize..blocks.start[block + 1] as usize;
        let colour = &mut tasks[blocks.colour(block)];
        match colour.last_mut() {
            Some(last) if last.len() < TASK => last.end = range.end,
            _ => colour.push(range),
        }
    }
    tasks
}
