//! The diagonal preconditioner.

use ooze_commons::reduce::CHUNK;
use rayon::prelude::*;

use crate::error::PreconditionerError;
use crate::matrix::SymmetricMatrix;
use crate::solve::Preconditioner;

/// Divides by the diagonal.
#[derive(Debug, Clone)]
pub struct Jacobi {
    inverse_diagonal: Vec<f64>,
}

impl Jacobi {
    /// The preconditioner of a matrix. Empty rows with a zero diagonal (a cell enclosed by walls) are left alone.
    ///
    /// # Errors
    /// When a diagonal entry is negative, or zero in a row with other entries.
    pub fn new(matrix: &SymmetricMatrix) -> Result<Self, PreconditionerError> {
        check_diagonal(matrix)?;
        Ok(Self::of_diagonal(matrix.diagonal()))
    }

    /// The preconditioner of a matrix with that diagonal, none of whose entries is negative.
    pub fn of_diagonal(diagonal: &[f64]) -> Self {
        let invert = |&value: &f64| if value > 0.0 { 1.0 / value } else { 1.0 };
        Self {
            inverse_diagonal: diagonal.iter().map(invert).collect(),
        }
    }
}

impl Preconditioner for Jacobi {
    fn apply(&mut self, residual: &[f64], out: &mut [f64]) {
        out.par_chunks_mut(CHUNK)
            .zip(residual.par_chunks(CHUNK))
            .zip(self.inverse_diagonal.par_chunks(CHUNK))
            .for_each(|((out, residual), inverse)| {
                for ((out, residual), inverse) in out.iter_mut().zip(residual).zip(inverse) {
                    *out = residual * inverse;
                }
            });
    }
}

/// The diagonal must be positive, or zero in an empty row.
pub(crate) fn check_diagonal(matrix: &SymmetricMatrix) -> Result<(), PreconditionerError> {
    match bad_diagonal(matrix) {
        Some((row, value)) => Err(PreconditionerError::Diagonal { row, value }),
        None => Ok(()),
    }
}

/// The first diagonal entry that a positive semi-definite matrix cannot have.
pub(crate) fn bad_diagonal(matrix: &SymmetricMatrix) -> Option<(usize, f64)> {
    let starts = matrix.row_starts();
    let rows = matrix.diagonal().par_iter().enumerate();
    let is_bad =
        |row: usize, value: f64| value < 0.0 || (value == 0.0 && starts[row] < starts[row + 1]);
    rows.with_min_len(CHUNK)
        .find_first(|&(row, &value)| is_bad(row, value))
        .map(|(row, &value)| (row, value))
}
