//! A matrix as conjugate gradients see it: something that multiplies.

use ooze_commons::reduce::{CHUNK, dot, dot_chunk, ordered_sum};
use rayon::prelude::*;

use crate::floating::FloatingComponents;
use crate::jacobi::bad_diagonal;
use crate::matrix::SymmetricMatrix;

/// A symmetric positive definite or semi-definite matrix that need not be stored: a sparse matrix with a few dense columns
/// beside it, for one, as bodies that move with the liquid add to a pressure system.
///
/// Equal arguments must give equal results, whatever the number of threads.
pub trait Operator: Sync {
    /// Number of unknowns.
    fn size(&self) -> usize;

    /// The diagonal.
    fn diagonal(&self) -> &[f64];

    /// `y = A x`.
    ///
    /// # Panics
    /// Implementations may panic when a vector has another length than the matrix.
    fn multiply(&self, x: &[f64], y: &mut [f64]);

    /// `y = A x`, returning `x · y`.
    fn multiply_dot(&self, x: &[f64], y: &mut [f64]) -> f64 {
        self.multiply(x, y);
        dot(x, y)
    }

    /// `r = b − A x`, returning `r · r`.
    fn residual(&self, b: &[f64], x: &[f64], r: &mut [f64]) -> f64 {
        self.multiply(x, r);
        let chunks = r.par_chunks_mut(CHUNK).zip(b.par_chunks(CHUNK));
        ordered_sum(chunks.map(|(r, b)| {
            for (r, b) in r.iter_mut().zip(b) {
                *r = b - *r;
            }
            dot_chunk(r, r)
        }))
    }

    /// The parts on which constants are a null space; none unless the operator knows of any.
    fn floating_components(&self) -> FloatingComponents {
        FloatingComponents::default()
    }

    /// The first row whose diagonal entry no positive semi-definite matrix can have, with that entry.
    fn bad_diagonal(&self) -> Option<(usize, f64)> {
        let mut rows = self.diagonal().iter().copied().enumerate();
        rows.find(|(_, value)| *value < 0.0)
    }
}

impl Operator for SymmetricMatrix {
    fn size(&self) -> usize {
        self.size()
    }

    fn diagonal(&self) -> &[f64] {
        self.diagonal()
    }

    fn multiply(&self, x: &[f64], y: &mut [f64]) {
        self.multiply(x, y);
    }

    fn multiply_dot(&self, x: &[f64], y: &mut [f64]) -> f64 {
        self.multiply_dot(x, y)
    }

    fn residual(&self, b: &[f64], x: &[f64], r: &mut [f64]) -> f64 {
        self.residual(b, x, r)
    }

    fn floating_components(&self) -> FloatingComponents {
        FloatingComponents::find(self)
    }

    fn bad_diagonal(&self) -> Option<(usize, f64)> {
        bad_diagonal(self)
    }
}
