//! What each weighted row is for the hierarchy.

use ooze_commons::reduce::CHUNK;
use rayon::prelude::*;

use crate::matrix::SymmetricMatrix;
use crate::rows::WeightedRows;

/// A row whose weight is below this fraction of the diagonal of any of its unknowns does not hold them together.
const WEAK: f64 = 0.05;

/// Properties of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RowClass {
    /// Whether it holds its unknowns together, see [`WEAK`].
    pub(super) strong: bool,
    /// Whether all its unknowns lie in one cube.
    pub(super) inside: bool,
}

/// The class of each row.
pub(super) fn classify(
    matrix: &SymmetricMatrix,
    rows: &WeightedRows,
    block_of: &[u32],
) -> Vec<RowClass> {
    let class = |row: usize| {
        let (columns, coefficients) = rows.row(row);
        let weight = f64::from(rows.weights()[row]);
        let mut class = RowClass {
            inside: true,
            strong: true,
        };
        for (&column, &coefficient) in columns.iter().zip(coefficients) {
            let unknown = column as usize;
            let share = weight * f64::from(coefficient * coefficient);
            class.strong &= share > 0.0 && share >= WEAK * matrix.diagonal()[unknown];
            class.inside &= block_of[unknown] == block_of[columns[0] as usize];
        }
        class
    };
    (0..rows.len())
        .into_par_iter()
        .with_min_len(CHUNK)
        .map(class)
        .collect()
}
