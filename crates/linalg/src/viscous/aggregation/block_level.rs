//! The level of aggregates: block Gauss-Seidel sweeps by colours of cubes. Diagonal blocks are the identity.

use std::ops::Range;

use rayon::prelude::*;

use super::blocks::{Blocks, COLOURS};
use super::shared::SharedVector;
use crate::viscous::block_matrix::BlockMatrix;

/// Aggregates in one piece of parallel work, about.
const TASK: usize = 24;

/// A block matrix in single precision, with its sweeps.
#[derive(Debug, Default)]
pub(super) struct BlockLevel {
    mode_start: Vec<u32>,
    /// Where the blocks of each aggregate start; earlier aggregates come first.
    block_start: Vec<u32>,
    /// The diagonal block of each aggregate, between those of earlier and those of later ones.
    own_block: Vec<u32>,
    node: Vec<u32>,
    value_start: Vec<u32>,
    value: Vec<f32>,
    tasks: Vec<Vec<Range<usize>>>,
    pub(super) right_hand_side: Vec<f32>,
    pub(super) residual: Vec<f32>,
    pub(super) x: SharedVector,
}

impl BlockLevel {
    /// Takes over a matrix whose aggregates come sorted by cube and whose diagonal blocks are the identity.
    pub(super) fn new(matrix: BlockMatrix, blocks: &Blocks, node_block: &[u32]) -> Self {
        let size = matrix.size();
        let own_block = |node: usize| {
            let range = matrix.blocks(node);
            let earlier =
                matrix.node[range.clone()].partition_point(|&other| (other as usize) < node);
            (range.start + earlier) as u32
        };
        Self {
            own_block: (0..matrix.nodes()).map(own_block).collect(),
            tasks: tasks(blocks, node_block),
            right_hand_side: vec![0.0; size],
            residual: vec![0.0; size],
            x: SharedVector::new(size),
            value: matrix.value.iter().map(|&value| value as f32).collect(),
            mode_start: matrix.mode_start,
            block_start: matrix.block_start,
            node: matrix.node,
            value_start: matrix.value_start,
        }
    }

    /// Number of unknowns.
    pub(super) fn size(&self) -> usize {
        self.x.len()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        4 * (self.value.len() + 2 * self.node.len() + 3 * self.mode_start.len() + 3 * self.size())
    }

    fn modes(&self, node: usize) -> Range<usize> {
        self.mode_start[node] as usize..self.mode_start[node + 1] as usize
    }

    /// Subtracts the product of some of an aggregate's blocks with the solution.
    #[inline]
    fn subtract(&self, blocks: Range<usize>, rest: &mut [f32]) {
        if let Ok(rest) = <&mut [f32; 6]>::try_from(&mut *rest) {
            let mut sums = *rest;
            for block in blocks {
                let first = self.mode_start[self.node[block] as usize] as usize;
                let start = self.value_start[block] as usize;
                let modes = self.modes(self.node[block] as usize).len();
                let columns = self.value[start..start + 6 * modes].as_chunks::<6>().0;
                if let Ok(columns) = <&[[f32; 6]; 6]>::try_from(columns) {
                    let x = self.x.six(first);
                    for mode in 0..6 {
                        for index in 0..6 {
                            sums[index] -= columns[mode][index] * x[mode];
                        }
                    }
                } else {
                    for (column, mode) in columns.iter().zip(first..) {
                        let x = self.x.get(mode);
                        for index in 0..6 {
                            sums[index] -= column[index] * x;
                        }
                    }
                }
            }
            *rest = sums;
            return;
        }
        for block in blocks {
            let other = self.modes(self.node[block] as usize);
            let start = self.value_start[block] as usize;
            let values = &self.value[start..start + rest.len() * other.len()];
            for (column, mode) in values.chunks_exact(rest.len()).zip(other) {
                let x = self.x.get(mode);
                for (rest, value) in rest.iter_mut().zip(column) {
                    *rest -= value * x;
                }
            }
        }
    }

    fn earlier(&self, node: usize) -> Range<usize> {
        self.block_start[node] as usize..self.own_block[node] as usize
    }

    fn later(&self, node: usize) -> Range<usize> {
        self.own_block[node] as usize + 1..self.block_start[node + 1] as usize
    }

    fn relax(&self, node: usize, blocks: [Range<usize>; 2], rest: &mut Vec<f32>) {
        let modes = self.modes(node);
        rest.clear();
        rest.extend_from_slice(&self.right_hand_side[modes.clone()]);
        for blocks in blocks {
            self.subtract(blocks, rest);
        }
        for (mode, &rest) in modes.zip(rest.iter()) {
            self.x.set(mode, rest);
        }
    }

    /// A sweep from zero.
    pub(super) fn sweep_from_zero(&self) {
        for tasks in &self.tasks {
            tasks.par_iter().for_each(|range| {
                let mut rest = Vec::new();
                for node in range.clone() {
                    self.relax(node, [self.earlier(node), 0..0], &mut rest);
                }
            });
        }
    }

    /// The residual after a sweep from zero.
    pub(super) fn find_residual(&mut self) {
        let mut residual = std::mem::take(&mut self.residual);
        let mut parts = Vec::new();
        let mut rest = &mut residual[..];
        for range in self.tasks.iter().flatten() {
            let length = self.mode_start[range.end] - self.mode_start[range.start];
            let own;
            (own, rest) = rest.split_at_mut(length as usize);
            parts.push((range.clone(), own));
        }
        parts.into_par_iter().for_each(|(range, mut residual)| {
            for node in range {
                let own;
                (own, residual) = residual.split_at_mut(self.modes(node).len());
                own.fill(0.0);
                self.subtract(self.later(node), own);
            }
        });
        self.residual = residual;
    }

    /// A sweep in reverse order.
    pub(super) fn sweep_back(&self) {
        for tasks in self.tasks.iter().rev() {
            tasks.par_iter().for_each(|range| {
                let mut rest = Vec::new();
                for node in range.clone().rev() {
                    self.relax(node, [self.earlier(node), self.later(node)], &mut rest);
                }
            });
        }
    }
}

/// Aggregates of whole cubes, in tasks of about equal length, by colour.
fn tasks(blocks: &Blocks, node_block: &[u32]) -> Vec<Vec<Range<usize>>> {
    let mut tasks = vec![Vec::<Range<usize>>::new(); COLOURS];
    let mut first = 0;
    while first < node_block.len() {
        let block = node_block[first];
        let length = node_block[first..].partition_point(|&other| other == block);
        let colour = &mut tasks[blocks.colour(block as usize)];
        match colour.last_mut() {
            Some(last) if last.len() < TASK => last.end = first + length,
            _ => colour.push(first..first + length),
        }
        first += length;
    }
    tasks
}
