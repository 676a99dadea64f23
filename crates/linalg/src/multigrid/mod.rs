//! Multigrid preconditioner for seven-point matrices on irregular domains.
//!
//! Made for pressure: liquids of any shape with cut cells of any weight, surfaces at any distance (ghost-fluid
//! diagonals a hundred times the others), thin walls, droplets, sheets one cell thick, and slabs of one cell (two
//! dimensions). The hierarchy is rebuilt whenever the liquid moves, so that setting it up must cost no more than a few
//! iterations.
//!
//! - Coarser levels: groups of the connected unknowns of one block of 2³ cells share a value (`aggregate`), with weights
//!   that account for the longer way between centres (`coarsen`).
//! - Smoothing: Gauss-Seidel by two colours, in half sweeps; as many after the coarse correction as before, in reverse
//!   order (`level`). After a half sweep the residual of its colour is zero, so that only the other colour's is handed
//!   down, and only the other colour takes the correction.
//! - Coarsest level: the inverse of a small matrix (`dense`).
//!
//! Coarser levels are visited twice (W-cycles), which costs a third more in three dimensions and makes the number of
//! iterations independent of the resolution, as V-cycles with piecewise constant interpolation do not.
//!
//! # Why the cycle is symmetric and positive definite
//!
//! Let P be the interpolation, C the coarse matrix, B the coarse solver. The corrected error is S* (1 − P B Pᵀ A) S
//! with S, S* adjoint in the inner product of A, and ‖S‖ < 1. Weights are at least half the Galerkin product's, hence
//! C ≥ ½ Pᵀ A P, and the middle factor has its spectrum within [−1, 1] if B ≤ C⁻¹; the eigenvalues λ of the whole
//! preconditioned matrix then lie strictly between 0 and 2. B ≤ C⁻¹ holds for the exact inverse, for two cycles, whose
//! eigenvalues are λ (2 − λ) ≤ 1, and for one cycle with half its correction, which is done where a level has more
//! than half the unknowns of the one above it, lest the cost grows with every level.
//!
//! Levels are stored and cycled in f32.

mod aggregate;
mod coarsen;
mod couplings;
mod dense;
mod level;
mod network;
mod numbering;
mod place;

use std::ops::RangeInclusive;

use ooze_commons::reduce::CHUNK;
use rayon::prelude::*;

use crate::error::PreconditionerError;
use crate::jacobi::check_diagonal;
use crate::matrix::SymmetricMatrix;
use crate::solve::Preconditioner;
use aggregate::Aggregates;
use coarsen::coarsen;
use dense::DenseInverse;
use level::Level;
use network::Network;
use numbering::Numbering;

/// Levels with at most this many unknowns are solved exactly.
const DENSE: usize = 64;
/// Blocks are made larger as long as there are more groups than this fraction of the unknowns.
const REDUCTION: f64 = 0.8;
/// Blocks of `2^20` cells a side hold half of the largest lattice.
const LARGEST_SHIFT: u32 = 20;
/// Sensible numbers of half sweeps; a single one would leave black unknowns to the coarse correction alone.
const HALF_SWEEPS: RangeInclusive<usize> = 2..=16;

/// How the hierarchy is used.
#[derive(Debug, Clone, PartialEq)]
pub struct MultigridSettings {
    /// Half sweeps of Gauss-Seidel before the coarse correction, and as many after it; 2 to 16. Three give the least
    /// total time on pressure problems.
    pub half_sweeps: usize,
}

impl Default for MultigridSettings {
    fn default() -> Self {
        Self { half_sweeps: 3 }
    }
}

/// The multigrid preconditioner, see the module's head.
#[derive(Debug)]
pub struct Multigrid {
    numbering: Numbering,
    levels: Vec<Level>,
    coarsest: Option<DenseInverse>,
    half_sweeps: usize,
}

impl Multigrid {
    /// Builds the hierarchy for a matrix whose unknowns sit at the given lattice coordinates.
    ///
    /// Couplings between others than face neighbours (periodic domains, say) are allowed but slow convergence.
    ///
    /// # Errors
    /// When there is not one coordinate per unknown, an off-diagonal entry is positive, a diagonal entry is not, the
    /// lattice is larger than two million cells along an axis, or the settings are out of range.
    pub fn new(
        matrix: &SymmetricMatrix,
        coordinates: &[[i32; 3]],
        settings: &MultigridSettings,
    ) -> Result<Self, PreconditionerError> {
        let half_sweeps = settings.half_sweeps;
        if !HALF_SWEEPS.contains(&half_sweeps) {
            let (least, most) = (*HALF_SWEEPS.start(), *HALF_SWEEPS.end());
            return Err(PreconditionerError::HalfSweeps {
                half_sweeps,
                least,
                most,
            });
        }
        if coordinates.len() != matrix.size() {
            return Err(PreconditionerError::CoordinateCount {
                coordinates: coordinates.len(),
                unknowns: matrix.size(),
            });
        }
        rayon::scope(|_| {
            check_diagonal(matrix)?;
            let (network, numbering) = Network::from_matrix(matrix, coordinates)?;
            let (levels, coarsest) = build_levels(network, half_sweeps % 2);
            Ok(Self {
                numbering,
                levels,
                coarsest,
                half_sweeps,
            })
        })
    }

    /// Unknowns on each level, finest first.
    pub fn level_sizes(&self) -> Vec<usize> {
        self.levels.iter().map(Level::size).collect()
    }
}

/// All levels, finest first, and the inverse of the last one unless smoothing alone serves it.
fn build_levels(
    mut network: Network,
    transfer_colour: usize,
) -> (Vec<Level>, Option<DenseInverse>) {
    let mut levels = Vec::new();
    loop {
        if network.size() <= DENSE {
            let inverse = DenseInverse::new(&network);
            levels.push(Level::new(network));
            return (levels, Some(inverse));
        }
        let groups = group(&network, transfer_colour);
        if groups.count() == 0 {
            levels.push(Level::new(network));
            return (levels, None);
        }
        let coarse = coarsen(&network, &groups);
        let solved_at_once = coarse.size() <= DENSE || !coarse.has_couplings();
        let (visits, factor) = if solved_at_once {
            (1, 1.0)
        } else if 2 * coarse.size() <= network.size() {
            (2, 1.0)
        } else {
            (1, 0.5)
        };
        let mut level = Level::new(network);
        level.connect(groups, transfer_colour, visits, factor);
        levels.push(level);
        network = coarse;
    }
}

/// Groups of a network, in blocks large enough to join something.
fn group(network: &Network, transfer_colour: usize) -> Aggregates {
    let mut shift = 1;
    loop {
        let groups = Aggregates::find(network, shift, transfer_colour);
        let few = groups.count() as f64 <= REDUCTION * network.size() as f64;
        if few || shift == LARGEST_SHIFT {
            return groups;
        }
        shift += 1;
    }
}

impl Preconditioner for Multigrid {
    fn apply(&mut self, residual: &[f64], out: &mut [f64]) {
        let finest = &mut self.levels[0];
        let right_hand_side = finest.b.par_chunks_mut(CHUNK);
        let rows = self.numbering.row.par_chunks(CHUNK);
        right_hand_side.zip(rows).for_each(|(b, row)| {
            for (b, &row) in b.iter_mut().zip(row) {
                *b = residual[row as usize] as f32;
            }
        });
        let coarsest = self.coarsest.as_mut();
        cycle(&mut self.levels, coarsest, self.half_sweeps, true);
        let finest = &self.levels[0];
        let unknowns = self.numbering.unknown.par_chunks(CHUNK);
        let solution = out.par_chunks_mut(CHUNK);
        solution.zip(unknowns).for_each(|(out, unknown)| {
            for (out, &unknown) in out.iter_mut().zip(unknown) {
                *out = f64::from(finest.x[unknown as usize]);
            }
        });
    }
}

/// One cycle on the first level and those below it.
fn cycle(
    levels: &mut [Level],
    mut coarsest: Option<&mut DenseInverse>,
    half_sweeps: usize,
    from_zero: bool,
) {
    let Some((level, coarser)) = levels.split_first_mut() else {
        return;
    };
    if coarser.is_empty()
        && let Some(inverse) = &mut coarsest
    {
        inverse.apply(&level.b, &mut level.x);
        return;
    }
    for half_sweep in 0..half_sweeps {
        if from_zero && half_sweep == 0 {
            level.relax_red_from_zero();
        } else {
            level.relax(half_sweep % 2);
        }
    }
    if let Some(coarse) = coarser.first_mut() {
        level.restrict(&mut coarse.b, from_zero);
        for visit in 0..level.visits() {
            let coarsest = coarsest.as_deref_mut();
            cycle(coarser, coarsest, half_sweeps, visit == 0);
        }
        level.correct(&coarser[0].x);
    }
    for half_sweep in (0..half_sweeps).rev() {
        level.relax(half_sweep % 2);
    }
}
