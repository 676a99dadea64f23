//! Which preconditioner suits a viscosity system.

use rayon::prelude::*;

use crate::matrix::SymmetricMatrix;
use crate::reduce::{CHUNK, ordered_sum};

/// Stiffness from which multigrid is faster than the diagonal.
const STIFF: f64 = 3.0;
/// Strain's part of the diagonal of a face in bulk liquid, in units of mass × ν dt/dx².
const BULK_DIAGONAL: f64 = 8.0;

/// A preconditioner for `diag(mass) + Gᵀ W G`.
///
/// Conjugate gradients with Jacobi need about 33 √s iterations to 1e-6, where s = ν dt/dx², until the shape of the
/// liquid bounds them: 33 at s = 1; 350 at s = 100 and 2000 at s = 10⁶ for pools, sheets and strands on 32 cells; for
/// a ball in free flight 136, 171, 202, 226 at s = 50, 500, 5·10³, 5·10⁴ (16 cells across) and 277, 345, 409, 454 at
/// four times those (32 cells across).
///
/// [`GeometricMultigrid`](crate::GeometricMultigrid) needs 5 to 12 on compact bodies, whatever s, and its set-up and
/// solve cost as much as 60 to 70 iterations with Jacobi: it is ahead from s = 3 on. It declines thin liquid, where
/// [`StrainMultigrid`](crate::StrainMultigrid) needs 10 to 30 iterations, 48 for foams of droplets, whatever s, at the
/// cost of 500 to 600 iterations with Jacobi: there Jacobi stays ahead up to s = 10 at least. Incomplete Cholesky needs
/// half to four fifths of Jacobi's iterations at two and a half times the cost of one, on one thread; it never came first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViscousChoice {
    /// [`Jacobi`](crate::Jacobi).
    Jacobi,
    /// [`GeometricMultigrid`](crate::GeometricMultigrid) where it suits the liquid, or else
    /// [`StrainMultigrid`](crate::StrainMultigrid).
    Multigrid,
}

impl ViscousChoice {
    /// The choice for a matrix from [`normal_matrix`](crate::normal_matrix) and the masses that went into it.
    pub fn new(matrix: &SymmetricMatrix, mass: &[f64]) -> Self {
        Self::for_stiffness(Self::stiffness(matrix, mass))
    }

    /// The choice for a stiffness ν dt/dx².
    pub fn for_stiffness(stiffness: f64) -> Self {
        if stiffness < STIFF {
            Self::Jacobi
        } else {
            Self::Multigrid
        }
    }

    /// The mean stiffness ν dt/dx² of a matrix, weighted by mass; stiff parts of a liquid prevail. Infinite without
    /// mass, 0 without strain.
    pub fn stiffness(matrix: &SymmetricMatrix, mass: &[f64]) -> f64 {
        let sum =
            |values: &[f64]| ordered_sum(values.par_chunks(CHUNK).map(|chunk| chunk.iter().sum()));
        let (diagonal, mass) = (sum(matrix.diagonal()), sum(mass));
        let strain = (diagonal - mass).max(0.0);
        if strain > 0.0 {
            strain / (BULK_DIAGONAL * mass)
        } else {
            0.0
        }
    }
}
