//! Thin liquid of which there is little, solved for directly.
//!
//! Films that walls hold, of what is stiff beside what is soft, are what neither hierarchy does well: coarse grids hold soft liquid as
//! if it were stiff, and aggregates of what walls hold have no motions left that a coarse level could tell. But what is thin is cut in
//! two by few of its faces, and a factorisation in that order takes no longer than aggregation does.

use super::block_matrix::BlockMatrix;
use super::check_system;
use super::fronts::{Factor, Plan};
use crate::error::PreconditionerError;
use crate::matrix::SymmetricMatrix;
use crate::rows::{UnknownPlace, WeightedRows};
use crate::solve::Preconditioner;

/// Unknowns up to which a factorisation is thought of: it holds some 2 to 4 kB of each.
pub(super) const MOST: usize = 30_000;
/// Multiplications an unknown that it may take: as long as the set-up and iterations of aggregation do.
pub(super) const WORK: f64 = 100_000.0;

/// A factorisation of `A = diag(mass) + Gᵀ W G` on a staggered grid, for thin bodies of few unknowns, see the module's head.
#[derive(Debug)]
pub struct ViscousFactor {
    factor: Factor,
}

impl ViscousFactor {
    /// Factors a matrix from [`normal_matrix`](crate::normal_matrix), with the place of each unknown and the rows it was made of: none
    /// where that would take longer than iterations do.
    ///
    /// # Errors
    /// As [`StrainMultigrid::new`](super::StrainMultigrid::new), but that unknowns may share a place.
    pub fn new(
        matrix: &SymmetricMatrix,
        places: &[UnknownPlace],
        rows: &WeightedRows,
    ) -> Result<Option<Self>, PreconditionerError> {
        check_system(matrix, places, rows)?;
        if places.len() > MOST {
            return Ok(None);
        }
        let cells: Vec<[i32; 3]> = places.iter().map(|place| place.cell).collect();
        let blocks = BlockMatrix::of_unknowns(matrix);
        let plan = Plan::new(&blocks, &cells);
        if plan.work() > WORK * places.len() as f64 {
            return Ok(None);
        }
        let factor = rayon::scope(|_| plan.factor());
        Ok(Some(Self { factor }))
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.factor.bytes()
    }
}

impl Preconditioner for ViscousFactor {
    fn apply(&mut self, residual: &[f64], out: &mut [f64]) {
        self.factor
            .solve(residual, |index, value| out[index] = value);
    }
}
