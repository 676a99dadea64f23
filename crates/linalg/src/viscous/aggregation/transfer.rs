//! Transfer between two levels.

use ooze_commons::reduce::CHUNK;
use rayon::prelude::*;

use super::shared::SharedVector;
use crate::viscous::block_rows::BlockRows;

/// Aggregates in one piece of parallel work.
const CHUNK_NODES: usize = 32;

/// Prolongation and its transpose.
#[derive(Debug, Default)]
pub(super) struct Transfer {
    rows: BlockRows<f32>,
    /// For each aggregate, the rows that touch it, and where their values start.
    touch_start: Vec<u32>,
    touch: Vec<(u32, u32)>,
    mode_start: Vec<u32>,
}

impl Transfer {
    /// Takes over a prolongation onto aggregates whose motions start as given.
    pub(super) fn new(rows: BlockRows<f64>, mode_start: &[u32]) -> Self {
        let touching = rows.transpose(mode_start.len() - 1);
        let mut touch = touching.touch;
        for (_, run) in &mut touch {
            *run = rows.value_start[*run as usize];
        }
        Self {
            rows: rows.into_single(),
            touch_start: touching.start,
            touch,
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
                let touch = self.touch_start[node] as usize..self.touch_start[node + 1] as usize;
                let touch = &self.touch[touch];
                if let Ok(own) = <&mut [f32; 6]>::try_from(&mut *own) {
                    *own = self.gather_six(touch, fine);
                    continue;
                }
                own.fill(0.0);
                for &(row, start) in touch {
                    let values = &self.rows.value[start as usize..start as usize + own.len()];
                    for (sum, value) in own.iter_mut().zip(values) {
                        *sum += fine[row as usize] * value;
                    }
                }
            }
        });
    }

    /// The sums of an aggregate of six motions, as most are.
    #[inline]
    fn gather_six(&self, touch: &[(u32, u32)], fine: &[f32]) -> [f32; 6] {
        let mut sums = [0.0; 6];
        for &(row, start) in touch {
            let factor = fine[row as usize];
            let values = &self.rows.value[start as usize..start as usize + 6];
            for index in 0..6 {
                sums[index] += factor * values[index];
            }
        }
        sums
    }

    /// `fine += P coarse`.
    pub(super) fn prolong(&self, coarse: &SharedVector, fine: &SharedVector) {
        let rows = (0..self.rows.count()).into_par_iter();
        rows.with_min_len(CHUNK).for_each(|row| {
            let mut sum = fine.get(row);
            let mut six = [0.0; 6];
            for run in self.rows.runs(row) {
                let first = self.mode_start[self.rows.node[run] as usize] as usize;
                let values = self.rows.values(run);
                if let Ok(values) = <&[f32; 6]>::try_from(values) {
                    let coarse = coarse.six(first);
                    for index in 0..6 {
                        six[index] += values[index] * coarse[index];
                    }
                } else {
                    for (mode, value) in values.iter().enumerate() {
                        sum += value * coarse.get(first + mode);
                    }
                }
            }
            fine.set(row, sum + six.iter().sum::<f32>());
        });
    }
}
