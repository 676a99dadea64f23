//! Geometric multigrid for compact bodies of liquid: the same energy on grids each twice as coarse as the one before.
//!
//! A velocity on the coarse grid stands for the fine one that is linear between its faces (`transfer`). Differences and
//! interpolation then commute: a strain sample of the fine grid is a weighted mean of coarse samples p, halved. By
//! Jensen's inequality its energy is at most the mean of theirs, so that the coarse grid has the same form again, with
//! weights `W_p = ¼ Σ p w` (`coarsen`), and resists every motion at least as much as the fine one does: no motion is
//! over-corrected, at any viscosity. Pooling weights by volume instead leaves coarse samples at the surface without
//! weight that fine ones depend on, and iterations then grow with √s. Rigid motions are linear, hence exact on all
//! levels. Masses and what walls hold go over in the same way.
//!
//! - Levels are fields on rows along x (`layout`), and the operator is applied sample by sample, without a matrix
//!   (`level`), in f32: strain is a difference before it is multiplied by a large weight.
//! - Smoothing is by the Chebyshev polynomial of the fourth kind (Lottes 2023) of a bounded diagonal: parallel, and
//!   the same on any number of threads.
//! - The coarsest level is factored (`coarsest`).
//!
//! Deviations from Aanjaneya, Han, Goldade & Batty 2019, who coarsen viscosity on octrees: weights as above, no extra
//! smoothing at the surface (it did not pay), and conjugate gradients around it.
//!
//! The cycle is `p(A) + (1 − p A) P B Pᵀ (1 − A p)` with the same polynomial before and after: symmetric and positive
//! definite. Coarse unknowns are shared by strands that lie closer than two coarse cells: thin bodies are left to
//! [`StrainMultigrid`](super::StrainMultigrid).

mod coarsen;
mod coarsest;
mod finest;
mod layout;
mod level;
mod samples;
mod transfer;

use ooze_commons::reduce::CHUNK;
use rayon::prelude::*;

use super::check_system;
use crate::error::PreconditionerError;
use crate::matrix::SymmetricMatrix;
use crate::rows::{UnknownPlace, WeightedRows};
use crate::solve::Preconditioner;
use coarsest::Coarsest;
use finest::Finest;
use level::Level;
use transfer::{prolong, restrict};

/// Unknowns that are few enough to be solved for directly.
const FEW: usize = 500;
/// Steps of smoothing before and after the coarse correction. On a ball three take as long, at eight iterations instead of six; where
/// viscosity varies and walls hold the liquid, coarse grids correct too little, and more smoothing pays in iterations what it costs.
const DEGREE: usize = 5;
/// The same where stiffness varies by more than `WIDE`: on coarse grids, what is soft beside what is stiff is as stiff.
const DEGREE_WIDE: usize = 8;
const WIDE: f64 = 2e6;

/// Multigrid for `A = diag(mass) + Gᵀ W G` on a staggered grid, for compact bodies, see the module's head.
#[derive(Debug)]
pub struct GeometricMultigrid {
    /// Where each unknown is in the fields of the finest level.
    slot: Vec<u32>,
    unknowns: Vec<usize>,
    level: Vec<Level>,
    coarsest: Coarsest,
    /// Steps of smoothing.
    degree: usize,
}

impl GeometricMultigrid {
    /// Builds the hierarchy of a matrix from [`normal_matrix`](crate::normal_matrix), with the place of each unknown
    /// and the rows it was made of: none where those are not strain samples of a staggered grid, or fill a slab or a large
    /// box sparsely. In sheets, strands and foams iterations grow with the viscosity: see
    /// [`ViscousChoice`](super::ViscousChoice).
    ///
    /// # Errors
    /// As [`StrainMultigrid::new`](super::StrainMultigrid::new).
    pub fn new(
        matrix: &SymmetricMatrix,
        places: &[UnknownPlace],
        rows: &WeightedRows,
    ) -> Result<Option<Self>, PreconditionerError> {
        rayon::scope(|_| {
            check_system(matrix, places, rows)?;
            let finest = Finest::new(matrix, places, rows)?;
            finest.map_or(Ok(None), |finest| {
                Self::build(finest, places.len()).map(Some)
            })
        })
    }

    fn build(finest: Finest, count: usize) -> Result<Self, PreconditionerError> {
        let Finest {
            mut built,
            slot,
            contrast,
        } = finest;
        let mut level = Vec::new();
        let mut unknowns = vec![count];
        while unknowns[level.len()] > FEW {
            let coarse = built.coarsen();
            level.push(built.finish());
            built = coarse;
            unknowns.push(built.unknowns());
        }
        let coarsest = Coarsest::new(&built)?;
        level.push(built.level);
        Ok(Self {
            slot,
            unknowns,
            level,
            coarsest,
            degree: if contrast > WIDE { DEGREE_WIDE } else { DEGREE },
        })
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        4 * self.slot.len()
            + self.level.iter().map(Level::bytes).sum::<usize>()
            + self.coarsest.bytes()
    }

    /// Unknowns on each level, finest first.
    pub fn level_sizes(&self) -> &[usize] {
        &self.unknowns
    }

    fn cycle(&mut self) {
        let last = self.level.len() - 1;
        for index in 0..last {
            let (fine, coarse) = self.level.split_at_mut(index + 1);
            let (fine, coarse) = (&mut fine[index], &mut coarse[0]);
            fine.smooth(self.degree, true);
            fine.find_residual();
            restrict(fine, coarse);
        }
        self.coarsest.solve(&mut self.level[last]);
        for index in (0..last).rev() {
            let (fine, coarse) = self.level.split_at_mut(index + 1);
            let (fine, coarse) = (&mut fine[index], &mut coarse[0]);
            prolong(coarse, fine);
            fine.smooth(self.degree, false);
        }
    }
}

impl Preconditioner for GeometricMultigrid {
    fn apply(&mut self, residual: &[f64], out: &mut [f64]) {
        let b = &mut self.level[0].right_hand_side;
        for (&slot, &residual) in self.slot.iter().zip(residual) {
            b[slot as usize] = residual as f32;
        }
        self.cycle();
        let x = &self.level[0].x;
        let slots = self.slot.par_chunks(CHUNK);
        out.par_chunks_mut(CHUNK)
            .zip(slots)
            .for_each(|(out, slots)| {
                for (out, &slot) in out.iter_mut().zip(slots) {
                    *out = f64::from(x[slot as usize]);
                }
            });
    }
}
