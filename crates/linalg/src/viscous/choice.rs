//! Which preconditioner suits a viscosity system.

use ooze_commons::reduce::{CHUNK, ordered_sum};
use rayon::prelude::*;

use super::thickness::thin_share;
use crate::matrix::SymmetricMatrix;
use crate::rows::UnknownPlace;

/// Stiffness from which geometric multigrid is faster than a polynomial, in compact bodies.
const STIFF: f64 = 3.0;
/// The same for bodies that walls hold: beside walls across the grid, coarse grids do not follow the fine one well, and geometric
/// multigrid needs up to five times as many iterations as in free bodies.
const HELD_STIFF: f64 = 100.0;
/// What walls hold, as a share of all stiffness, from which a body is held.
const HELD_SHARE: f64 = 1e-4;
/// Stiffness from which aggregation is faster than a polynomial, in thin liquid.
const THIN_STIFF: f64 = 150.0;
/// Liquid with a larger share of thin cells than this is thin, or too thin to be slender. What sticks out of a body, as ears do, costs
/// geometric multigrid a few iterations, and the set-up of aggregation takes as long as all of them.
const THIN_SHARE: f64 = 0.15;
/// Cells on all sides of those that make a body compact, and of those that make it slender.
const COMPACT: usize = 2;
const SLENDER: usize = 1;
/// Stiffness from which geometric multigrid is faster than a polynomial in slender bodies.
const SLENDER_STIFF: f64 = 100.0;
/// Strain's part of the diagonal of a face in bulk liquid, in units of mass × ν dt/dx².
const BULK_DIAGONAL: f64 = 8.0;
/// Degree of the polynomial over the root of the stiffness: conjugate gradients with the diagonal alone need 43 √s
/// iterations in thin liquid with bulk viscosity.
const DEGREE: f64 = 43.0 / 12.0;

/// A preconditioner for `diag(mass) + Gᵀ W G`.
///
/// Conjugate gradients with the diagonal need 33 √s to 50 √s iterations to 1e-6, where s = ν dt/dx², until the shape of
/// the liquid bounds them. A [`Chebyshev`](crate::Chebyshev) polynomial whose degree grows with √s needs 10 to 22, in the
/// same time within a tenth.
///
/// [`GeometricMultigrid`](crate::GeometricMultigrid) needs 4 to 12 on compact bodies, whatever s, and its set-up and
/// solve cost as much as 60 to 70 iterations with the diagonal: it is ahead from s = 3 on. On bodies that walls hold and
/// whose viscosity varies by up to 10⁷ it needs 18 to 40, a quarter to a half of aggregation's time. Ropes and sheets of three cells and
/// more take it 7 to 25, a quarter of the time of what is for thinner ones. In films and strands
/// of one or two it needs some 9 √s, each as dear as six to eight with the diagonal.
/// [`StrainMultigrid`](crate::StrainMultigrid) needs 15 to 37 there, whatever s, at the cost of 500 to 600 iterations
/// with the diagonal. Incomplete Cholesky needs half to four fifths of Jacobi's iterations at two and a half times the cost
/// of one, on one thread; it never came first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViscousChoice {
    /// [`Chebyshev`](crate::Chebyshev) of this degree.
    Polynomial(usize),
    /// [`GeometricMultigrid`](crate::GeometricMultigrid).
    Geometric,
    /// [`ViscousFactor`](crate::ViscousFactor) where there is little to factor, [`StrainMultigrid`](crate::StrainMultigrid) beyond.
    Aggregation,
}

impl ViscousChoice {
    /// The choice for a matrix from [`normal_matrix`](crate::normal_matrix), the masses that went into it and the places
    /// of its unknowns.
    pub fn new(matrix: &SymmetricMatrix, mass: &[f64], places: &[UnknownPlace]) -> Self {
        Self::of(matrix, mass, places, true)
    }

    /// The same of liquid that glides along walls: what is slender is thin there, since a cycle on grids does not see what walls
    /// let move.
    pub fn gliding(matrix: &SymmetricMatrix, mass: &[f64], places: &[UnknownPlace]) -> Self {
        Self::of(matrix, mass, places, false)
    }

    fn of(matrix: &SymmetricMatrix, mass: &[f64], places: &[UnknownPlace], sticks: bool) -> Self {
        let stiffness = Self::stiffness(matrix, mass);
        let soft = stiffness < STIFF || stiffness < HELD_STIFF && is_held(matrix, mass);
        if soft {
            Self::polynomial(stiffness)
        } else if thin_share(places, COMPACT) <= THIN_SHARE
            || sticks && stiffness >= SLENDER_STIFF && thin_share(places, SLENDER) <= THIN_SHARE
        {
            Self::Geometric
        } else {
            Self::for_thin(stiffness)
        }
    }

    /// The choice for thin liquid, or whatever else grids do not suit.
    pub fn for_thin(stiffness: f64) -> Self {
        if stiffness < THIN_STIFF {
            Self::polynomial(stiffness)
        } else {
            Self::Aggregation
        }
    }

    fn polynomial(stiffness: f64) -> Self {
        Self::Polynomial(degree(stiffness))
    }

    /// The mean stiffness ν dt/dx² of a matrix, weighted by mass; stiff parts of a liquid prevail. Infinite without
    /// mass, 0 without strain.
    pub fn stiffness(matrix: &SymmetricMatrix, mass: &[f64]) -> f64 {
        stiffness_of(sum(matrix.diagonal()) - sum(mass), mass)
    }
}

/// Stiffness by strain's part of the diagonal and the masses.
fn stiffness_of(strain: f64, mass: &[f64]) -> f64 {
    if strain > 0.0 {
        strain / (BULK_DIAGONAL * sum(mass))
    } else {
        0.0
    }
}

/// Degree of the polynomial that suits a stiffness.
fn degree(stiffness: f64) -> usize {
    (DEGREE * stiffness.sqrt()).round().max(1.0) as usize
}

/// Degree of the polynomial that suits liquid of which this is strain's part of the diagonal.
pub(super) fn polynomial_degree(strain: f64, mass: &[f64]) -> usize {
    degree(stiffness_of(strain, mass))
}

/// Whether walls hold a body: moving it as a whole takes more than its mass.
fn is_held(matrix: &SymmetricMatrix, mass: &[f64]) -> bool {
    let shift = vec![1.0; mass.len()];
    let mut force = vec![0.0; mass.len()];
    matrix.multiply(&shift, &mut force);
    let strain = sum(matrix.diagonal()) - sum(mass);
    sum(&force) - sum(mass) > HELD_SHARE * strain
}

fn sum(values: &[f64]) -> f64 {
    ordered_sum(values.par_chunks(CHUNK).map(|chunk| chunk.iter().sum()))
}
