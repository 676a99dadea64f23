//! The smoothed prolongations and what they need (Vaněk, Mandel & Brezina 1996).
//!
//! From the finest level: `P = (1 − ω D̃⁻¹ K) P₀`, where `K = Gᵀ W G` leaves mass out, so that rigid motions of whole
//! bodies stay exactly what they are, and `D̃ = diag(mass) + Σ_rows weight × length × coefficient²` in place of the
//! diagonal: by Cauchy-Schwarz the spectrum of `D̃⁻¹ K` is below 1, which spares estimating it.
//!
//! Coarse matrices are summed in f64: what motions that are nearly rigid cost is a small difference of large numbers.

use ooze_commons::widest;

use super::blocks::Blocks;
use super::pieces::{NONE, Pieces};
use crate::matrix::SymmetricMatrix;
use crate::rows::{Incidence, WeightedRows};
use crate::viscous::block_matrix::{BlockMatrix, DiagonalFactor, add_outer};
use crate::viscous::block_rows::{BlockRows, PartedRows, RowWriter};
use crate::viscous::scales::Scales;

/// The factor of smoothed aggregation, for a spectrum within [0, 1].
const DAMPING: f64 = 4.0 / 3.0;
/// Rows in one chunk of parallel work.
const CHUNK_ROWS: usize = 1024;
/// Aggregates in one chunk of parallel work.
const CHUNK_NODES: usize = 16;

/// The prolongation of the finest level, by its unknowns, and their masses.
pub(super) fn prolongation(
    scales: &Scales,
    rows: &WeightedRows,
    incidence: &Incidence,
    pieces: &Pieces,
) -> BlockRows<f64> {
    PartedRows::build(
        pieces.row.len(),
        pieces.nodes(),
        CHUNK_ROWS,
        |unknown, writer| {
            let own_row = pieces.row[unknown] as usize;
            if pieces.node[unknown] != NONE {
                writer.add(pieces.node[unknown], 1.0, pieces.basis(unknown));
            }
            for &row in incidence.rows(own_row) {
                if pieces.unstrained[row as usize] {
                    continue;
                }
                let (columns, coefficients) = rows.row(row as usize);
                let own: f64 = columns
                    .iter()
                    .zip(coefficients)
                    .filter(|&(&column, _)| column as usize == own_row)
                    .map(|(_, &coefficient)| f64::from(coefficient))
                    .sum();
                let weight = f64::from(rows.weights()[row as usize]);
                let factor = -DAMPING * scales.inverse_bound[own_row] * weight * own;
                for (&column, &coefficient) in columns.iter().zip(coefficients) {
                    let other = pieces.unknown[column as usize] as usize;
                    if pieces.node[other] != NONE {
                        let factor = factor * f64::from(coefficient);
                        writer.add(pieces.node[other], factor, pieces.basis(other));
                    }
                }
            }
            writer.end_row();
        },
    )
    .join()
}

/// The matrix of the aggregates, `Pᵀ A P`.
pub(super) fn coarse_matrix(
    matrix: &SymmetricMatrix,
    cubes: &Blocks,
    pieces: &Pieces,
    prolongation: &BlockRows<f64>,
) -> BlockMatrix {
    // Unknowns and aggregates are sorted by cube: take those of each cube in turn.
    let cube_order = cubes.near_order();
    let mut unknowns = Vec::with_capacity(pieces.row.len());
    let mut nodes = Vec::with_capacity(pieces.nodes());
    for &cube in &cube_order {
        unknowns.extend(cubes.start[cube as usize]..cubes.start[cube as usize + 1]);
        let first = pieces.node_block.partition_point(|&other| other < cube);
        let own = pieces.node_block[first..].iter();
        nodes.extend(
            (first as u32..)
                .zip(own.take_while(|&&other| other == cube))
                .map(|(node, _)| node),
        );
    }
    let product =
        PartedRows::build_in_order(&unknowns, pieces.nodes(), CHUNK_ROWS, |unknown, writer| {
            let task = ProductRow {
                matrix,
                pieces,
                prolongation,
                unknown,
                writer,
            };
            widest(
                #[inline(always)]
                |_| task.run(),
            );
        });
    BlockMatrix::product(&pieces.mode_start, prolongation, &product, &nodes)
}

/// Writes a row of `A P`.
struct ProductRow<'a> {
    matrix: &'a SymmetricMatrix,
    pieces: &'a Pieces,
    prolongation: &'a BlockRows<f64>,
    unknown: usize,
    writer: &'a mut RowWriter,
}

impl ProductRow<'_> {
    #[inline(always)]
    fn run(self) {
        let row = self.pieces.row[self.unknown] as usize;
        let own = (self.unknown, self.matrix.diagonal()[row]);
        let others = self.matrix.row(row).map(|(column, value)| {
            let unknown = self.pieces.unknown[column] as usize;
            (unknown, f64::from(value))
        });
        for (unknown, factor) in std::iter::once(own).chain(others) {
            for run in self.prolongation.runs(unknown) {
                let node = self.prolongation.node[run];
                let values = self.prolongation.values(run);
                self.writer.add(node, factor, values);
            }
        }
        self.writer.end_row();
    }
}

/// `matrix × rows`, where the rows of one aggregate's motions touch the same aggregates in the same order; so do
/// those of the result.
pub(super) fn multiply(matrix: &BlockMatrix, rows: &BlockRows<f64>, nodes: usize) -> PartedRows {
    PartedRows::build(matrix.nodes(), nodes, CHUNK_NODES, |node, writer| {
        let task = NodeProduct {
            matrix,
            rows,
            node,
            writer,
        };
        widest(
            #[inline(always)]
            |_| task.run(),
        );
    })
}

/// Writes the rows of one aggregate's motions of `matrix × rows`.
struct NodeProduct<'a> {
    matrix: &'a BlockMatrix,
    rows: &'a BlockRows<f64>,
    node: usize,
    writer: &'a mut RowWriter,
}

impl NodeProduct<'_> {
    #[inline(always)]
    fn run(self) {
        let (matrix, rows) = (self.matrix, self.rows);
        let own = matrix.modes(self.node);
        // Blocks by rows, with the aggregate each belongs to, where it starts and how wide it is.
        let mut found: Vec<(u32, usize, usize)> = Vec::new();
        let mut sums: Vec<f64> = Vec::new();
        for block in matrix.blocks(self.node) {
            let other = matrix.node[block] as usize;
            let values = matrix.values(self.node, block);
            let first = matrix.mode_start[other] as usize;
            for (index, run) in rows.runs(first).enumerate() {
                let target = rows.node[run];
                let width = rows.values(run).len();
                let start = match found.iter().find(|entry| entry.0 == target) {
                    Some(entry) => entry.1,
                    None => {
                        found.push((target, sums.len(), width));
                        sums.resize(sums.len() + own * width, 0.0);
                        sums.len() - own * width
                    }
                };
                let sums = &mut sums[start..start + own * width];
                let factors = |mode: usize| rows.values(rows.runs(first + mode).start + index);
                if let (Ok(sums), Ok(values), 6) = (
                    <&mut [[f64; 6]; 6]>::try_from(sums.as_chunks_mut().0),
                    <&[[f64; 6]; 6]>::try_from(values.as_chunks().0),
                    width,
                ) {
                    add_product_six(sums, values, factors);
                    continue;
                }
                for (mode, column) in values.chunks_exact(own).enumerate() {
                    add_outer(sums, factors(mode), column);
                }
            }
        }
        for mode in 0..own {
            for &(target, start, width) in &found {
                let from = start + mode * width;
                self.writer.push(target, &sums[from..from + width]);
            }
            self.writer.end_row();
        }
    }
}

/// `sums += matrix × rows` for six motions each, as most aggregates have: the sums of a row stay in registers. The
/// matrix is given by columns.
#[inline(always)]
fn add_product_six<'a>(
    sums: &mut [[f64; 6]; 6],
    matrix: &[[f64; 6]; 6],
    row: impl Fn(usize) -> &'a [f64],
) {
    let mut rows = [[0.0; 6]; 6];
    for mode in 0..6 {
        rows[mode].copy_from_slice(&row(mode)[..6]);
    }
    for (own, sums) in sums.iter_mut().enumerate() {
        let mut sum = *sums;
        for mode in 0..6 {
            let factor = matrix[mode][own];
            for index in 0..6 {
                sum[index] += factor * rows[mode][index];
            }
        }
        *sums = sum;
    }
}

/// `tentative − damping × product`, where `product` is the matrix times `tentative`.
pub(super) fn smooth(
    matrix: &BlockMatrix,
    tentative: &BlockRows<f64>,
    product: &PartedRows,
    damping: f64,
    nodes: usize,
) -> BlockRows<f64> {
    PartedRows::build(matrix.nodes(), nodes, CHUNK_NODES, |node, writer| {
        for mode in matrix.mode_start[node]..matrix.mode_start[node + 1] {
            let (product, runs) = product.row(mode as usize);
            for run in runs {
                writer.add(product.node[run], -damping, product.values(run));
            }
            for run in tentative.runs(mode as usize) {
                writer.add(tentative.node[run], 1.0, tentative.values(run));
            }
            writer.end_row();
        }
    })
    .join()
}

/// Goes over to the unknowns of a normalised matrix: `P L⁻ᵀ`.
pub(super) fn normalise(prolongation: &mut BlockRows<f64>, factors: &[DiagonalFactor]) {
    let mut values = std::mem::take(&mut prolongation.value);
    let mut scratch = Vec::new();
    for (run, &node) in prolongation.node.iter().enumerate() {
        let range =
            prolongation.value_start[run] as usize..prolongation.value_start[run + 1] as usize;
        let values = &mut values[range];
        let inverse = &factors[node as usize].inverse;
        scratch.clear();
        scratch.extend_from_slice(values);
        for (column, value) in values.iter_mut().enumerate() {
            let row = &inverse[column * scratch.len()..(column + 1) * scratch.len()];
            *value = row.iter().zip(&scratch).map(|(a, b)| a * b).sum();
        }
    }
    prolongation.value = values;
}
