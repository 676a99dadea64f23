//! Stiff parts of soft liquid, solved for directly.
//!
//! Crumbs and skins of what has set, in liquid as thin as water: coarse grids hold what is soft beside them as if it were stiff, aggregates
//! that cover all of the liquid cost more than there is to gain, and no polynomial gets from one end of such a spectrum to the other. But
//! what is stiff is little and thin, so that a factorisation of it alone costs next to nothing, and what is soft needs a few steps of
//! a polynomial. The stiff parts are solved between two of those, each for what the one before has left: symmetric and positive definite.

use std::sync::Arc;

use super::block_matrix::BlockMatrix;
use super::check_system;
use super::choice::polynomial_degree;
use super::direct::{MOST, WORK};
use super::fronts::{Factor, Plan};
use crate::chebyshev::Chebyshev;
use crate::error::PreconditionerError;
use crate::matrix::SymmetricMatrix;
use crate::rows::{UnknownPlace, WeightedRows};
use crate::solve::Preconditioner;

/// Weight of a row, its ν dt/dx² that is, up to which a polynomial of a few steps does.
const SOFT: f32 = 3.0;
/// One in this many unknowns at most may be stiff.
const FEW: usize = 4;
/// Steps of the polynomial at least.
const LEAST_DEGREE: usize = 3;

/// Preconditioner for `A = diag(mass) + Gᵀ W G` where little of the liquid is stiff, see the module's head.
#[derive(Debug)]
pub struct StiffParts {
    matrix: Arc<SymmetricMatrix>,
    polynomial: Chebyshev,
    factor: Factor,
    /// The unknowns that stiff rows touch.
    stiff: Vec<u32>,
    /// Scratch memory.
    rest: Vec<f64>,
    stiff_rest: Vec<f64>,
    second: Vec<f64>,
}

impl StiffParts {
    /// For a matrix from [`normal_matrix`](crate::normal_matrix), with the masses and rows that it was made of and the place of each unknown: none
    /// where it is soft all over, or too much of it is stiff.
    ///
    /// # Errors
    /// As [`ViscousFactor::new`](super::ViscousFactor::new).
    pub fn new(
        matrix: &Arc<SymmetricMatrix>,
        mass: &[f64],
        places: &[UnknownPlace],
        rows: &WeightedRows,
    ) -> Result<Option<Self>, PreconditionerError> {
        check_system(matrix, places, rows)?;
        let mut is_stiff = vec![false; places.len()];
        let (mut soft_strain, mut stiff_strain) = (0.0, 0.0);
        for (row, &weight) in rows.weights().iter().enumerate() {
            let (columns, coefficients) = rows.row(row);
            let squares = coefficients.iter().map(|part| f64::from(part * part));
            let strain = f64::from(weight) * squares.sum::<f64>();
            if weight > SOFT {
                stiff_strain += strain;
                for &column in columns {
                    is_stiff[column as usize] = true;
                }
            } else {
                soft_strain += strain;
            }
        }
        let unknowns = 0..places.len() as u32;
        let stiff: Vec<u32> = unknowns.filter(|&row| is_stiff[row as usize]).collect();
        let few = stiff.len() <= MOST.min(places.len() / FEW);
        if !few || stiff_strain <= soft_strain {
            return Ok(None);
        }
        let at = stiff.iter().map(|&row| places[row as usize].cell);
        let cells: Vec<[i32; 3]> = at.collect();
        let blocks = BlockMatrix::of_part(matrix, &stiff);
        let plan = Plan::new(&blocks, &cells);
        if plan.work() > WORK * places.len() as f64 {
            return Ok(None);
        }
        let factor = rayon::scope(|_| plan.factor());
        let degree = polynomial_degree(soft_strain, mass).max(LEAST_DEGREE);
        Ok(Some(Self {
            polynomial: Chebyshev::new(Arc::clone(matrix), degree)?,
            matrix: Arc::clone(matrix),
            factor,
            rest: vec![0.0; places.len()],
            stiff_rest: vec![0.0; stiff.len()],
            second: vec![0.0; places.len()],
            stiff,
        }))
    }

    /// Number of unknowns that are solved for directly.
    pub fn stiff_unknowns(&self) -> usize {
        self.stiff.len()
    }
}

impl Preconditioner for StiffParts {
    fn apply(&mut self, residual: &[f64], out: &mut [f64]) {
        self.polynomial.apply(residual, out);
        self.matrix.residual(residual, out, &mut self.rest);
        for (part, &row) in self.stiff_rest.iter_mut().zip(&self.stiff) {
            *part = self.rest[row as usize];
        }
        let stiff = &self.stiff;
        self.factor.solve(&self.stiff_rest, |index, value| {
            out[stiff[index] as usize] += value
        });
        self.matrix.residual(residual, out, &mut self.rest);
        self.polynomial.apply(&self.rest, &mut self.second);
        for (out, second) in out.iter_mut().zip(&self.second) {
            *out += second;
        }
    }
}
