//! Transfer between two levels.

use rayon::prelude::*;

use super::block_rows::{BlockRows, Touching};
use super::shared::SharedVector;
use crate::reduce::CHUNK;

/// Aggregates in one piece of parallel work.
const CHUNK_NODES: usize = 32;

/// Prolongation and its transpose.
#[derive(Debug, Default)]
pub(super) struct Transfer {
    rows: BlockRows<f32>,
    touching: Touching,
    mode_start: Vec<u32>,
}

impl Transfer {
    /// Takes over a prolongation onto aggregates whose motions start as given.
    pub(super) fn new(rows: &BlockRows<f64>, mode_start: &[u32]) -> Self {
        Self {
            rows: rows.to_single(),
            touching: rows.transpose(mode_start.len() - 1),
            mode_start: mode_start.to_vec(),
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let rows = &self.rows;
        // Each run has an aggregate, a start, and a row and a run in the transpose.
        4 * (rows.value.len() + 4 * rows.node.len() + rows.count() + 2 * self.mode_start.len())
    }

    /// `coarse = Pᵀ fine`.
    pub(super) fn restrict(&self, fine: &[f32], coarse: &mut [f32]) {
        let nodes = self.mode_start.len() - 1;
        let mut parts = Vec::new();
        let mut rest = coarse;
        for chunk in 0..nodes.div_ceil(CHUNK_NODES) {
            let range = chunk * CHUNK_NODES..nodes.min((chunk + 1) * CHUNK_NODES);
            let length = self.mode_start[range.end] - self.mode_start[range.start];
            let own;
            (own, rest) = rest.split_at_mut(length as usize);
            parts.push((range, own));
        }
        parts.into_par_iter().for_each(|(range, mut coarse)| {
            for node in range {
                let modes = self.mode_start[node + 1] - self.mode_start[node];
                let own;
                (own, coarse) = coarse.split_at_mut(modes as usize);
                own.fill(0.0);
                for &(row, run) in self.touching.of(node) {
                    add(own, fine[row as usize], self.rows.values(run as usize));
                }
            }
        });
    }

    /// `fine += P coarse`.
    pub(super) fn prolong(&self, coarse: &SharedVector, fine: &SharedVector) {
        let rows = (0..self.rows.count()).into_par_iter();
        rows.with_min_len(CHUNK).for_each(|row| {
            let mut sum = fine.get(row);
            for run in self.rows.runs(row) {
                let first = self.mode_start[self.rows.node[run] as usize] as usize;
                for (mode, value) in self.rows.values(run).iter().enumerate() {
                    sum += value * coarse.get(first + mode);
                }
            }
            fine.set(row, sum);
        });
    }
}

#[inline]
fn add(sums: &mut [f32], factor: f32, values: &[f32]) {
    if let (Ok(sums), Ok(values)) = (
        <&mut [f32; 6]>::try_from(&mut *sums),
        <&[f32; 6]>::try_from(values),
    ) {
        for index in 0..6 {
            sums[index] += factor * values[index];
        }
        return;
    }
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += factor * value;
    }
}
