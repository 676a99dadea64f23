//! Multigrid preconditioner for seven-point matrices on irregular domains.

mod aggregate;
mod coarsen;
mod dense;
mod level;
mod network;
mod place;
mod rows;

use rayon::prelude::*;

use crate::error::PreconditionerError;
use crate::jacobi::check_diagonal;
use crate::matrix::SymmetricMatrix;
use crate::reduce::CHUNK;
use crate::solve::Preconditioner;
use aggregate::Aggregates;
use coarsen::coarsen;
use dense::DenseInverse;
use level::Level;
use network::{Network, Numbering};

/// How the hierarchy is used.
#[derive(Debug, Clone, PartialEq)]
pub struct MultigridSettings {
    /// Half sweeps of Gauss-Seidel before the coarse correction, and as many after it.
    pub half_sweeps: usize,
}

impl Default for MultigridSettings {
    fn default() -> Self {
        Self { half_sweeps: 3 }
    }
}

/// The multigrid preconditioner.
#[derive(Debug)]
pub struct Multigrid {
    numbering: Numbering,
    levels: Vec<Level>,
    coarsest: Option<DenseInverse>,
    half_sweeps: usize,
}

/// Levels with at most this many unknowns are solved exactly.
const DENSE: usize = 64;
/// Blocks grow until they reduce the number of unknowns at least by this factor.
const REDUCTION: f64 = 0.8;
const LARGEST_SHIFT: u32 = 20;

impl Multigrid {
    /// Builds the hierarchy for a matrix whose unknowns sit at the given lattice coordinates.
    ///
    /// # Errors
    /// When there is not one coordinate per unknown, coupled unknowns are not face neighbours, or a diagonal entry is
    /// not positive.
    pub fn new(
        matrix: &SymmetricMatrix,
        coordinates: &[[i32; 3]],
        settings: &MultigridSettings,
    ) -> Result<Self, PreconditionerError> {
        if coordinates.len() != matrix.size() {
            return Err(PreconditionerError::CoordinateCount {
                coordinates: coordinates.len(),
                unknowns: matrix.size(),
            });
        }
        check_diagonal(matrix)?;
        rayon::scope(|_| Self::build(matrix, coordinates, settings))
    }

    fn build(
        matrix: &SymmetricMatrix,
        coordinates: &[[i32; 3]],
        settings: &MultigridSettings,
    ) -> Result<Self, PreconditionerError> {
        let (mut network, numbering) = Network::from_matrix(matrix, coordinates)?;
        let mut levels = Vec::new();
        let transfer_colour = settings.half_sweeps % 2;
        let coarsest = loop {
            if network.size() <= DENSE {
                let inverse = DenseInverse::new(&network);
                levels.push(Level::new(network));
                break Some(inverse);
            }
            let mut shift = 1;
            let mut groups = Aggregates::find(&network, shift);
            while shift < LARGEST_SHIFT && groups.count() as f64 > REDUCTION * network.size() as f64
            {
                shift += 1;
                groups = Aggregates::find(&network, shift);
            }
            if groups.count() == 0 {
                levels.push(Level::new(network));
                break None;
            }
            let coarse = coarsen(&network, &groups);
            let (visits, factor) = if 2 * coarse.size() <= network.size() {
                (2, 1.0)
            } else {
                (1, 0.5)
            };
            let mut level = Level::new(network);
            level.connect(&groups, transfer_colour, visits, factor);
            levels.push(level);
            network = coarse;
        };
        Ok(Self {
            numbering,
            levels,
            coarsest,
            half_sweeps: settings.half_sweeps,
        })
    }

    /// Unknowns on each level, finest first.
    pub fn level_sizes(&self) -> Vec<usize> {
        self.levels.iter().map(Level::size).collect()
    }
}

impl Preconditioner for Multigrid {
    fn apply(&mut self, residual: &[f64], out: &mut [f64]) {
        let Some(finest) = self.levels.first_mut() else {
            return;
        };
        finest
            .b
            .par_chunks_mut(CHUNK)
            .zip(self.numbering.row.par_chunks(CHUNK))
            .for_each(|(b, row)| {
                for (b, &row) in b.iter_mut().zip(row) {
                    *b = residual[row as usize] as f32;
                }
            });
        cycle(
            &mut self.levels,
            self.coarsest.as_ref(),
            self.half_sweeps,
            true,
        );
        let finest = &self.levels[0];
        out.par_chunks_mut(CHUNK)
            .zip(self.numbering.unknown.par_chunks(CHUNK))
            .for_each(|(out, unknown)| {
                for (out, &unknown) in out.iter_mut().zip(unknown) {
                    *out = f64::from(finest.x[unknown as usize]);
                }
            });
    }
}

/// One cycle on the first level and those below it.
fn cycle(
    levels: &mut [Level],
    coarsest: Option<&DenseInverse>,
    half_sweeps: usize,
    from_zero: bool,
) {
    let Some((level, coarser)) = levels.split_first_mut() else {
        return;
    };
    if coarser.is_empty()
        && let Some(inverse) = coarsest
    {
        inverse.apply(&level.b, &mut level.x);
        return;
    }
    for half_sweep in 0..half_sweeps {
        if from_zero && half_sweep == 0 {
            level.relax_from_zero(0);
        } else {
            level.relax(half_sweep % 2);
        }
    }
    if let (Some(transfer), Some(coarse)) = (&level.transfer, coarser.first_mut()) {
        let visits = transfer.visits;
        level.restrict(&mut coarse.b);
        let exact = coarser.len() == 1 && coarsest.is_some();
        for visit in 0..if exact { 1 } else { visits } {
            cycle(coarser, coarsest, half_sweeps, visit == 0);
        }
        level.correct(&coarser[0].x);
    }
    for half_sweep in (0..half_sweeps).rev() {
        level.relax(half_sweep % 2);
    }
}
