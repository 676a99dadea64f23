//! Symmetric matrices of dense blocks between aggregates, and the Galerkin product that makes them.

use ooze_commons::widest;
use rayon::prelude::*;

use super::block_rows::{BlockRows, PartedRows, Touching};
use crate::matrix::SymmetricMatrix;

/// Aggregates in one chunk of parallel work.
const CHUNK_NODES: usize = 16;

/// A symmetric matrix of blocks; both triangles are stored.
#[derive(Debug, Default)]
pub(super) struct BlockMatrix {
    /// Where the unknowns of each aggregate start, and where the last ones end.
    pub(super) mode_start: Vec<u32>,
    /// Where the blocks of each aggregate start, and where the last ones end.
    pub(super) block_start: Vec<u32>,
    /// The other aggregate of each block, ascending.
    pub(super) node: Vec<u32>,
    /// Where the values of each block start.
    pub(super) value_start: Vec<u32>,
    /// Blocks by columns: the values of one mode of the other aggregate are contiguous.
    pub(super) value: Vec<f64>,
}

/// Blocks of the upper triangle, for a chunk of aggregates: values are by columns.
#[derive(Default)]
struct UpperPart {
    /// Where the blocks of each aggregate start, and its values.
    start: Vec<(usize, usize)>,
    node: Vec<u32>,
    value: Vec<f64>,
}

impl UpperPart {
    /// The others of one of its aggregates, and where the values of the first one start.
    fn others(&self, index: usize) -> (&[u32], usize) {
        let (first, value) = self.start[index];
        let next = self.start.get(index + 1);
        (
            &self.node[first..next.map_or(self.node.len(), |next| next.0)],
            value,
        )
    }
}

/// Makes the upper triangle of `leftᵀ right` for some aggregates.
struct UpperProduct<'a> {
    mode_start: &'a [u32],
    left: &'a BlockRows<f64>,
    touching: &'a Touching,
    right: &'a PartedRows,
    nodes: &'a [u32],
    /// Where the sums of each aggregate start; `u32::MAX` for all before and after.
    slot: &'a mut [u32],
}

impl UpperProduct<'_> {
    #[inline(always)]
    fn run(self) -> UpperPart {
        let modes = |node: usize| (self.mode_start[node + 1] - self.mode_start[node]) as usize;
        let slot = self.slot;
        let mut part = UpperPart::default();
        let (mut found, mut sums) = (Vec::new(), Vec::new());
        for &node in self.nodes {
            let node = node as usize;
            found.clear();
            sums.clear();
            let own = modes(node);
            for &(row, run) in self.touching.of(node) {
                let left = self.left.values(run as usize);
                let (right, runs) = self.right.row(row as usize);
                for other_run in runs {
                    let other = right.node[other_run] as usize;
                    if other < node {
                        continue;
                    }
                    if slot[other] == u32::MAX {
                        slot[other] = sums.len() as u32;
                        found.push(other as u32);
                        sums.resize(sums.len() + own * modes(other), 0.0);
                    }
                    let start = slot[other] as usize;
                    add_outer(&mut sums[start..], left, right.values(other_run));
                }
            }
            found.sort_unstable();
            part.start.push((part.node.len(), part.value.len()));
            for &other in &found {
                let start = slot[other as usize] as usize;
                let size = own * modes(other as usize);
                part.node.push(other);
                part.value.extend_from_slice(&sums[start..start + size]);
                slot[other as usize] = u32::MAX;
            }
        }
        part
    }
}

impl BlockMatrix {
    /// The upper triangle of `leftᵀ right`, which must be symmetric, mirrored. Aggregates are worked through in the
    /// given order, which changes nothing but the time it takes.
    pub(super) fn product(
        mode_start: &[u32],
        left: &BlockRows<f64>,
        right: &PartedRows,
        order: &[u32],
    ) -> Self {
        let nodes = mode_start.len() - 1;
        let touching = left.transpose(nodes);
        let parts: Vec<UpperPart> = order
            .par_chunks(CHUNK_NODES)
            .map_init(
                || vec![u32::MAX; nodes],
                |slot, nodes| {
                    let task = UpperProduct {
                        mode_start,
                        left,
                        touching: &touching,
                        right,
                        nodes,
                        slot,
                    };
                    widest(
                        #[inline(always)]
                        |_| task.run(),
                    )
                },
            )
            .collect();
        Self::mirror(mode_start, &parts, order)
    }

    /// A matrix of which each unknown is an aggregate by itself.
    pub(super) fn of_unknowns(matrix: &SymmetricMatrix) -> Self {
        let all: Vec<u32> = (0..matrix.size() as u32).collect();
        Self::of_part(matrix, &all)
    }

    /// The part of a matrix that couples some of its unknowns, ascending, of which each is an aggregate by itself.
    pub(super) fn of_part(matrix: &SymmetricMatrix, unknowns: &[u32]) -> Self {
        let mut number = vec![u32::MAX; matrix.size()];
        for (own, &unknown) in (0..).zip(unknowns) {
            number[unknown as usize] = own;
        }
        let mut blocks = Self {
            mode_start: (0..=unknowns.len() as u32).collect(),
            block_start: vec![0],
            ..Self::default()
        };
        for &unknown in unknowns {
            let row = unknown as usize;
            let own = (row, matrix.diagonal()[row]);
            let mut entries: Vec<(usize, f64)> = matrix
                .row(row)
                .map(|(column, value)| (column, f64::from(value)))
                .filter(|&(column, _)| number[column] != u32::MAX)
                .collect();
            entries.push(own);
            entries.sort_unstable_by_key(|entry| entry.0);
            for (column, value) in entries {
                blocks.node.push(number[column]);
                blocks.value_start.push(blocks.value.len() as u32);
                blocks.value.push(value);
            }
            blocks.block_start.push(blocks.node.len() as u32);
        }
        blocks
    }

    fn mirror(mode_start: &[u32], parts: &[UpperPart], order: &[u32]) -> Self {
        let nodes = mode_start.len() - 1;
        let modes = |node: usize| (mode_start[node + 1] - mode_start[node]) as usize;
        let mut turn = vec![0; nodes];
        for (index, &node) in order.iter().enumerate() {
            turn[node as usize] = index;
        }
        // Blocks of each row: those below the diagonal are met first, in ascending order.
        let mut block_start = vec![0u32; nodes + 1];
        for row in 0..nodes {
            let part = &parts[turn[row] / CHUNK_NODES];
            for &other in part.others(turn[row] % CHUNK_NODES).0 {
                block_start[row + 1] += 1;
                if other as usize != row {
                    block_start[other as usize + 1] += 1;
                }
            }
        }
        for node in 0..nodes {
            block_start[node + 1] += block_start[node];
        }
        let blocks = block_start[nodes] as usize;
        let mut matrix = Self {
            mode_start: mode_start.to_vec(),
            node: vec![0; blocks],
            value_start: vec![0; blocks],
            block_start,
            value: Vec::new(),
        };
        // Where the values of each block come from, and whether they are to be transposed.
        let mut source = vec![(0u32, 0usize, false); blocks];
        let mut next: Vec<u32> = matrix.block_start[..nodes].to_vec();
        for row in 0..nodes {
            let index = turn[row] / CHUNK_NODES;
            let (others, mut start) = parts[index].others(turn[row] % CHUNK_NODES);
            for &other in others {
                let other = other as usize;
                let mut place = |at: usize, node: usize, transposed: bool| {
                    let block = next[at] as usize;
                    next[at] += 1;
                    matrix.node[block] = node as u32;
                    source[block] = (index as u32, start, transposed);
                };
                place(row, other, false);
                if other != row {
                    place(other, row, true);
                }
                start += modes(row) * modes(other);
            }
        }
        // The lower blocks of a row are placed before its upper ones, as rows are visited in order.
        let mut total = 0;
        for node in 0..nodes {
            for block in matrix.blocks(node) {
                matrix.value_start[block] = total as u32;
                total += modes(node) * modes(matrix.node[block] as usize);
            }
        }
        matrix.value = vec![0.0; total];
        for node in 0..nodes {
            for block in matrix.blocks(node) {
                let (part, start, transposed) = source[block];
                let (own, other) = (modes(node), modes(matrix.node[block] as usize));
                let from = &parts[part as usize].value[start..start + own * other];
                let into = matrix.value_start[block] as usize;
                let into = &mut matrix.value[into..into + own * other];
                if transposed {
                    for column in 0..other {
                        for row in 0..own {
                            into[column * own + row] = from[row * other + column];
                        }
                    }
                } else {
                    into.copy_from_slice(from);
                }
            }
        }
        matrix
    }

    /// Number of aggregates.
    pub(super) fn nodes(&self) -> usize {
        self.mode_start.len() - 1
    }

    /// Number of unknowns.
    pub(super) fn size(&self) -> usize {
        self.mode_start[self.nodes()] as usize
    }

    /// Number of unknowns of an aggregate.
    #[inline]
    pub(super) fn modes(&self, node: usize) -> usize {
        (self.mode_start[node + 1] - self.mode_start[node]) as usize
    }

    /// Indices of the blocks of an aggregate.
    #[inline]
    pub(super) fn blocks(&self, node: usize) -> std::ops::Range<usize> {
        self.block_start[node] as usize..self.block_start[node + 1] as usize
    }

    /// The values of a block of an aggregate, by columns.
    #[inline]
    pub(super) fn values(&self, node: usize, block: usize) -> &[f64] {
        let start = self.value_start[block] as usize;
        &self.value[start..start + self.modes(node) * self.modes(self.node[block] as usize)]
    }

    /// The Cholesky factor of each diagonal block, with its inverse.
    pub(super) fn factor_diagonal(&self) -> Vec<DiagonalFactor> {
        (0..self.nodes())
            .into_par_iter()
            .with_min_len(CHUNK_NODES)
            .map(|node| {
                let size = self.modes(node);
                let mut blocks = self.blocks(node);
                match blocks.find(|&block| self.node[block] as usize == node) {
                    Some(block) => DiagonalFactor::new(self.values(node, block), size),
                    None => DiagonalFactor::new(&vec![0.0; size * size], size),
                }
            })
            .collect()
    }

    /// Goes over to unknowns for which the diagonal blocks are the identity: `L⁻¹ A L⁻ᵀ`.
    pub(super) fn normalise(&mut self, factors: &[DiagonalFactor]) {
        let mut values = std::mem::take(&mut self.value);
        let mut rest = &mut values[..];
        let mut parts = Vec::new();
        for node in 0..self.nodes() {
            let blocks = self.blocks(node);
            let lengths = blocks.map(|block| self.modes(self.node[block] as usize));
            let own;
            (own, rest) = rest.split_at_mut(self.modes(node) * lengths.sum::<usize>());
            parts.push((node, own));
        }
        parts
            .into_par_iter()
            .with_min_len(CHUNK_NODES)
            .for_each(|(node, mut values)| {
                let own = self.modes(node);
                let mut scratch = Vec::new();
                for block in self.blocks(node) {
                    let other = self.node[block] as usize;
                    let width = self.modes(other);
                    let block;
                    (block, values) = values.split_at_mut(own * width);
                    scratch.clear();
                    scratch.resize(own * width, 0.0);
                    // Columns times the other's L⁻ᵀ, then each column times the own L⁻¹.
                    let inverse = &factors[other].inverse;
                    for (column, sums) in scratch.chunks_exact_mut(own.max(1)).enumerate() {
                        for (from, values) in block.chunks_exact(own).enumerate().take(column + 1) {
                            let factor = inverse[column * width + from];
                            for (sum, value) in sums.iter_mut().zip(values) {
                                *sum += factor * value;
                            }
                        }
                    }
                    let inverse = &factors[node].inverse;
                    for (result, column) in
                        block.chunks_exact_mut(own).zip(scratch.chunks_exact(own))
                    {
                        for (row, result) in result.iter_mut().enumerate() {
                            let factors = inverse[row * own..=row * own + row].iter();
                            *result = factors.zip(column).map(|(a, b)| a * b).sum();
                        }
                    }
                }
            });
        self.value = values;
    }
}

/// Pivots below this fraction of the diagonal are zero.
const ZERO_PIVOT: f64 = 1e-13;

/// The inverse of the Cholesky factor, `L⁻¹` with `D = L Lᵀ`, by rows. Motions without energy of their own are taken out: their rows of `L⁻¹` are zero.
#[derive(Debug, Default)]
pub(super) struct DiagonalFactor {
    pub(super) inverse: Vec<f64>,
}

impl DiagonalFactor {
    fn new(matrix: &[f64], size: usize) -> Self {
        let mut factor = vec![0.0; size * size];
        let mut inverse = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..=row {
                let products: f64 = (0..column)
                    .map(|k| factor[row * size + k] * factor[column * size + k])
                    .sum();
                let rest = matrix[column * size + row] - products;
                factor[row * size + column] = if row == column {
                    let dead = rest <= ZERO_PIVOT * matrix[row * size + row];
                    if dead { 0.0 } else { rest.sqrt() }
                } else if factor[column * size + column] > 0.0 {
                    rest / factor[column * size + column]
                } else {
                    0.0
                };
            }
            let pivot = factor[row * size + row];
            if pivot > 0.0 {
                inverse[row * size + row] = 1.0 / pivot;
                for column in 0..row {
                    let sum: f64 = (column..row)
                        .map(|k| factor[row * size + k] * inverse[k * size + column])
                        .sum();
                    inverse[row * size + column] = -sum / pivot;
                }
            }
        }
        Self { inverse }
    }
}

/// `sums += left ⊗ right`, where the sums of one entry of `right` are contiguous.
#[inline(always)]
pub(super) fn add_outer(sums: &mut [f64], left: &[f64], right: &[f64]) {
    if let (Ok(left), Ok(right)) = (<&[f64; 6]>::try_from(left), <&[f64; 6]>::try_from(right)) {
        for (sums, right) in sums.as_chunks_mut::<6>().0.iter_mut().zip(right) {
            for index in 0..6 {
                sums[index] += left[index] * right;
            }
        }
        return;
    }
    for (sums, right) in sums.chunks_exact_mut(left.len()).zip(right) {
        for (sum, left) in sums.iter_mut().zip(left) {
            *sum += left * right;
        }
    }
}
