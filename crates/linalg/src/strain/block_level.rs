//! The level of aggregates: block Gauss-Seidel sweeps by colours of cubes. Diagonal blocks are the identity.

use std::ops::Range;

use rayon::prelude::*;

use super::block_matrix::BlockMatrix;
use super::blocks::{Blocks, COLOURS};
use super::shared::SharedVector;

/// Aggregates in one piece of parallel work, about.
const TASK: usize = 24;

/// A block matrix in single precision, with its sweeps.
#[derive(Debug, Default)]
pub(super) struct BlockLevel {
    mode_start: Vec<u32>,
    /// Where the blocks of each aggregate start; earlier aggregates come first.
    block_start: Vec<u32>,
    later_start: Vec<u32>,
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
    pub(super) fn new(matrix: &BlockMatrix, blocks: &Blocks, node_block: &[u32]) -> Self {
        let size = matrix.size();
        let mut level = Self {
            mode_start: matrix.mode_start.clone(),
            block_start: vec![0],
            tasks: tasks(blocks, node_block),
            right_hand_side: vec![0.0; size],
            residual: vec![0.0; size],
            x: SharedVector::new(size),
            ..Self::default()
        };
        let values = matrix.value.len();
        level.value.reserve(values);
        for node in 0..matrix.nodes() {
            let mut later = None;
            for block in matrix.blocks(node) {
                let other = matrix.node[block];
                if other as usize > node && later.is_none() {
                    later = Some(level.node.len() as u32);
                }
                if other as usize != node {
                    level.node.push(other);
                    level.value_start.push(level.value.len() as u32);
                    let values = matrix.values(node, block);
                    level.value.extend(values.iter().map(|&value| value as f32));
                }
            }
            let end = level.node.len() as u32;
            level.later_start.push(later.unwrap_or(end));
            level.block_start.push(end);
        }
        level
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
        for block in blocks {
            let other = self.modes(self.node[block] as usize);
            let start = self.value_start[block] as usize;
            let values = &self.value[start..start + rest.len() * other.len()];
            if let Ok(rest) = <&mut [f32; 6]>::try_from(&mut *rest) {
                for (column, mode) in values.as_chunks::<6>().0.iter().zip(other) {
                    let x = self.x.get(mode);
                    for index in 0..6 {
                        rest[index] -= column[index] * x;
                    }
                }
            } else {
                for (column, mode) in values.chunks_exact(rest.len()).zip(other) {
                    let x = self.x.get(mode);
                    for (rest, value) in rest.iter_mut().zip(column) {
                        *rest -= value * x;
                    }
                }
            }
        }
    }

    fn relax(&self, node: usize, blocks: Range<usize>, rest: &mut Vec<f32>) {
        let modes = self.modes(node);
        rest.clear();
        rest.extend_from_slice(&self.right_hand_side[modes.clone()]);
        self.subtract(blocks, rest);
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
                    let earlier = self.block_start[node] as usize..self.later_start[node] as usize;
                    self.relax(node, earlier, &mut rest);
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
                let later = self.later_start[node] as usize..self.block_start[node + 1] as usize;
                self.subtract(later, own);
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
                    let all = self.block_start[node] as usize..self.block_start[node + 1] as usize;
                    self.relax(node, all, &mut rest);
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
