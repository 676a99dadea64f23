//! Preconditioning by a polynomial of the matrix: some steps of the Chebyshev iteration of the fourth kind (Lottes 2023,
//! alg. 1) from zero, with a diagonal D of absolute row sums, so that the spectrum of D⁻¹A ends below 1 (Gershgorin).
//!
//! Conjugate gradients need about as many products with the matrix as with the diagonal alone, however many of them are
//! inside the polynomial. But those are in single precision and without sums over all unknowns, so that they cost less.
//! The polynomial is positive on (0, 1] and the same before and after D: symmetric and positive definite.

use std::sync::Arc;

use ooze_commons::reduce::CHUNK;
use rayon::prelude::*;

use crate::error::PreconditionerError;
use crate::jacobi::check_diagonal;
use crate::matrix::SymmetricMatrix;
use crate::solve::Preconditioner;

/// A polynomial of a matrix, see the module's head.
#[derive(Debug, Clone)]
pub struct Chebyshev {
    matrix: Arc<SymmetricMatrix>,
    degree: usize,
    diagonal: Vec<f32>,
    /// The inverse of the absolute row sums.
    inverse_bound: Vec<f32>,
    right_hand_side: Vec<f32>,
    x: Vec<f32>,
    next: Vec<f32>,
    step: Vec<f32>,
}

impl Chebyshev {
    /// The preconditioner of a matrix, which takes `degree` steps; at least one.
    ///
    /// # Errors
    /// When a diagonal entry is negative, or zero in a row with other entries.
    pub fn new(matrix: Arc<SymmetricMatrix>, degree: usize) -> Result<Self, PreconditionerError> {
        check_diagonal(&matrix)?;
        let inverse_bound = (0..matrix.size())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|row| {
                let others: f64 = matrix
                    .row(row)
                    .map(|(_, value)| f64::from(value.abs()))
                    .sum();
                let sum = matrix.diagonal()[row] + others;
                if sum > 0.0 { (1.0 / sum) as f32 } else { 1.0 }
            })
            .collect();
        let diagonal = matrix
            .diagonal()
            .iter()
            .map(|&value| value as f32)
            .collect();
        let blank = vec![0.0; matrix.size()];
        Ok(Self {
            degree: degree.max(1),
            diagonal,
            inverse_bound,
            right_hand_side: blank.clone(),
            x: blank.clone(),
            next: blank.clone(),
            step: blank,
            matrix,
        })
    }

    /// The first step, from zero: `x = gain D⁻¹ b`.
    fn start(&mut self, residual: &[f64], gain: f32) {
        let known = residual
            .par_chunks(CHUNK)
            .zip(self.inverse_bound.par_chunks(CHUNK));
        self.right_hand_side
            .par_chunks_mut(CHUNK)
            .zip(self.step.par_chunks_mut(CHUNK))
            .zip(self.x.par_chunks_mut(CHUNK))
            .zip(known)
            .for_each(|(((b, step), x), (residual, inverse))| {
                for i in 0..b.len() {
                    b[i] = residual[i] as f32;
                    step[i] = gain * inverse[i] * b[i];
                    x[i] = step[i];
                }
            });
    }

    /// `step = keep step + gain D⁻¹ (b − A x)`, `x += step`.
    fn relax(&mut self, keep: f32, gain: f32) {
        let (matrix, x) = (&self.matrix, &self.x);
        let (starts, columns, values) = (matrix.row_starts(), matrix.columns(), matrix.values());
        let (b, diagonal, inverse) = (&self.right_hand_side, &self.diagonal, &self.inverse_bound);
        self.next
            .par_chunks_mut(CHUNK)
            .zip(self.step.par_chunks_mut(CHUNK))
            .enumerate()
            .for_each(|(chunk, (next, step))| {
                for (row, (next, step)) in (chunk * CHUNK..).zip(next.iter_mut().zip(step)) {
                    let entries = starts[row] as usize..starts[row + 1] as usize;
                    let mut rest = b[row] - diagonal[row] * x[row];
                    for (&column, value) in columns[entries.clone()].iter().zip(&values[entries]) {
                        rest -= value * x[column as usize];
                    }
                    *step = keep * *step + gain * inverse[row] * rest;
                    *next = x[row] + *step;
                }
            });
        std::mem::swap(&mut self.x, &mut self.next);
    }
}

impl Preconditioner for Chebyshev {
    fn apply(&mut self, residual: &[f64], out: &mut [f64]) {
        self.start(residual, 4.0 / 3.0);
        for step in 2..=self.degree {
            let k = step as f32;
            let (keep, gain) = (
                (2.0 * k - 3.0) / (2.0 * k + 1.0),
                (8.0 * k - 4.0) / (2.0 * k + 1.0),
            );
            self.relax(keep, gain);
        }
        let parts = out.par_chunks_mut(CHUNK).zip(self.x.par_chunks(CHUNK));
        parts.for_each(|(out, x)| {
            for (out, &x) in out.iter_mut().zip(x) {
                *out = f64::from(x);
            }
        });
    }
}
