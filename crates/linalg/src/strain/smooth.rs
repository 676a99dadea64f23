//! The smoothed prolongations and what they need (Vaněk, Mandel & Brezina 1996).
//!
//! From the finest level: `P = (1 − ω D̃⁻¹ K) P₀`, where `K = Gᵀ W G` leaves mass out, so that rigid motions of whole
//! bodies stay exactly what they are, and `D̃ = diag(mass) + Σ_rows weight × length × coefficient²` in place of the
//! diagonal: by Cauchy-Schwarz the spectrum of `D̃⁻¹ K` is below 1, which spares estimating it.
//!
//! Coarse matrices are summed from strains of the prolongation, `(G P)ᵀ W (G P) + Pᵀ M P`: the strain of a motion that
//! is nearly rigid is small itself, where `Pᵀ (A P)` would be a small difference of large numbers.

use super::block_matrix::{BlockMatrix, DiagonalFactor};
use super::block_rows::BlockRows;
use super::pieces::{NONE, Pieces};
use crate::matrix::SymmetricMatrix;
use crate::rows::{Incidence, WeightedRows};

/// The factor of smoothed aggregation, for a spectrum within [0, 1].
const DAMPING: f64 = 4.0 / 3.0;
/// Rows in one chunk of parallel work.
const CHUNK_ROWS: usize = 1024;
/// Aggregates in one chunk of parallel work.
const CHUNK_NODES: usize = 16;

/// What smoothing needs to know of the finest level's unknowns, by the caller's rows.
#[derive(Debug, Default)]
pub(super) struct Scales {
    pub(super) mass: Vec<f64>,
    /// The inverse of `D̃`.
    inverse_bound: Vec<f64>,
}

impl Scales {
    /// Takes mass and strain apart again.
    pub(super) fn new(matrix: &SymmetricMatrix, rows: &WeightedRows) -> Self {
        let mut scales = Self {
            mass: matrix.diagonal().to_vec(),
            inverse_bound: vec![0.0; matrix.size()],
        };
        for row in 0..rows.len() {
            let (columns, coefficients) = rows.row(row);
            let weight = f64::from(rows.weights()[row]);
            for (&column, &coefficient) in columns.iter().zip(coefficients) {
                let share = weight * f64::from(coefficient) * f64::from(coefficient);
                scales.mass[column as usize] -= share;
                scales.inverse_bound[column as usize] += share * columns.len() as f64;
            }
        }
        for ((mass, bound), diagonal) in scales
            .mass
            .iter_mut()
            .zip(&mut scales.inverse_bound)
            .zip(matrix.diagonal())
        {
            // What is left after subtraction may be rounding.
            *mass = if *mass > ROUNDING * diagonal {
                *mass
            } else {
                0.0
            };
            *bound = if *mass + *bound > 0.0 {
                1.0 / (*mass + *bound)
            } else {
                0.0
            };
        }
        scales
    }
}

/// Masses below this fraction of the diagonal are roundings.
const ROUNDING: f64 = 1e-14;

/// The prolongation of the finest level, by its unknowns, and their masses.
pub(super) fn prolongation(
    scales: &Scales,
    rows: &WeightedRows,
    incidence: &Incidence,
    pieces: &Pieces,
) -> BlockRows<f64> {
    BlockRows::build(pieces.row.len(), CHUNK_ROWS, |unknown, writer| {
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
    })
}

/// The matrix of the aggregates.
pub(super) fn coarse_matrix(
    scales: &Scales,
    rows: &WeightedRows,
    pieces: &Pieces,
    prolongation: &BlockRows<f64>,
) -> BlockMatrix {
    let unknowns = pieces.row.len();
    // Masses and strains alike are rows of the prolongation's energy.
    let energy = BlockRows::build(unknowns + rows.len(), CHUNK_ROWS, |index, writer| {
        let mut add = |unknown: usize, factor: f64| {
            for run in prolongation.runs(unknown) {
                writer.add(prolongation.node[run], factor, prolongation.values(run));
            }
        };
        if index < unknowns {
            add(index, 1.0);
        } else if rows.weights()[index - unknowns] > 0.0 {
            let (columns, coefficients) = rows.row(index - unknowns);
            for (&column, &coefficient) in columns.iter().zip(coefficients) {
                let unknown = pieces.unknown[column as usize] as usize;
                add(unknown, f64::from(coefficient));
            }
        }
        writer.end_row();
    });
    BlockMatrix::product(&pieces.mode_start, &energy, &energy, |row| {
        if row < unknowns {
            scales.mass[pieces.row[row] as usize]
        } else {
            f64::from(rows.weights()[row - unknowns])
        }
    })
}

/// `matrix × rows`, where the rows of one aggregate's motions touch the same aggregates in the same order.
pub(super) fn multiply(matrix: &BlockMatrix, rows: &BlockRows<f64>) -> BlockRows<f64> {
    BlockRows::build(matrix.nodes(), CHUNK_NODES, |node, writer| {
        let own = matrix.modes(node);
        // Blocks by rows, with the aggregate each belongs to and where it starts.
        let mut found: Vec<(u32, usize, usize)> = Vec::new();
        let mut sums: Vec<f64> = Vec::new();
        for block in matrix.blocks(node) {
            let other = matrix.node[block] as usize;
            let values = matrix.values(node, block);
            let first = matrix.mode_start[other] as usize;
            for index in 0..rows.runs(first).len() {
                let target = rows.node[rows.runs(first).start + index];
                let width = rows.values(rows.runs(first).start + index).len();
                let start = match found.iter().find(|entry| entry.0 == target) {
                    Some(entry) => entry.1,
                    None => {
                        found.push((target, sums.len(), width));
                        sums.resize(sums.len() + own * width, 0.0);
                        sums.len() - own * width
                    }
                };
                let sums = &mut sums[start..start + own * width];
                for (mode, column) in values.chunks_exact(own).enumerate() {
                    let factors = rows.values(rows.runs(first + mode).start + index);
                    for (sums, value) in sums.chunks_exact_mut(width).zip(column) {
                        for (sum, factor) in sums.iter_mut().zip(factors) {
                            *sum += value * factor;
                        }
                    }
                }
            }
        }
        for mode in 0..own {
            for &(target, start, width) in &found {
                let from = start + mode * width;
                writer.push(target, &sums[from..from + width]);
            }
            writer.end_row();
        }
    })
}

/// `tentative − damping × product`, where `product` is the matrix times `tentative`.
pub(super) fn smooth(
    matrix: &BlockMatrix,
    tentative: &BlockRows<f64>,
    product: &BlockRows<f64>,
    damping: f64,
) -> BlockRows<f64> {
    BlockRows::build(matrix.nodes(), CHUNK_NODES, |node, writer| {
        for mode in matrix.mode_start[node]..matrix.mode_start[node + 1] {
            for run in product.runs(mode as usize) {
                writer.add(product.node[run], -damping, product.values(run));
            }
            for run in tentative.runs(mode as usize) {
                writer.add(tentative.node[run], 1.0, tentative.values(run));
            }
            writer.end_row();
        }
    })
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
