//! Modified incomplete Cholesky factorisation without fill, MIC(0), as in Bridson 2015, *Fluid Simulation for
//! Computer Graphics*, sec. 5.2.4: the lower triangle of `A` is kept and only the diagonal factored, dropped fill-in is
//! moved to the diagonal by a fraction τ = 0.97, and the plain diagonal is taken where the pivot falls below σ = 0.25
//! of it.
//!
//! Deviations: written for rows of any length, so that it serves every symmetric matrix. Moving fill-in to the diagonal
//! is right for M-matrices only, whose smooth errors it keeps exact; with positive off-diagonals (viscosity) it ruins
//! the factor, so that τ = 0 is taken there: plain IC(0). Elimination follows the lattice (z slowest, x fastest),
//! whatever order the unknowns come in. Sequential by nature.

use crate::error::PreconditionerError;
use crate::jacobi::check_diagonal;
use crate::matrix::SymmetricMatrix;
use crate::solve::Preconditioner;

/// Fraction of the dropped fill-in that is moved to the diagonal.
const MODIFICATION: f64 = 0.97;
/// Pivots below this fraction of the diagonal are replaced by the diagonal.
const SAFETY: f64 = 0.25;

/// The modified incomplete Cholesky preconditioner.
#[derive(Debug, Clone)]
pub struct IncompleteCholesky {
    /// `order[position]` is the row eliminated at that position.
    order: Vec<u32>,
    /// Entries with rows eliminated before, then entries with rows eliminated after, as positions.
    lower_start: Vec<u32>,
    upper_start: Vec<u32>,
    column: Vec<u32>,
    value: Vec<f32>,
    /// 1/√pivot of each position.
    inverse_root: Vec<f64>,
    intermediate: Vec<f64>,
}

impl IncompleteCholesky {
    /// Factors a matrix whose unknowns sit at the given lattice coordinates.
    ///
    /// # Errors
    /// When there is not one coordinate per unknown or a diagonal entry is not positive.
    pub fn new(
        matrix: &SymmetricMatrix,
        coordinates: &[[i32; 3]],
    ) -> Result<Self, PreconditionerError> {
        let count = matrix.size();
        if coordinates.len() != count {
            return Err(PreconditionerError::CoordinateCount {
                coordinates: coordinates.len(),
                unknowns: count,
            });
        }
        check_diagonal(matrix)?;
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_key(|&row| {
            let [x, y, z] = coordinates[row as usize];
            [z, y, x]
        });
        let mut position = vec![0; count];
        for (place, &row) in order.iter().enumerate() {
            position[row as usize] = place as u32;
        }
        let mut factor = Self {
            order,
            lower_start: Vec::with_capacity(count + 1),
            upper_start: Vec::with_capacity(count),
            column: Vec::with_capacity(matrix.columns().len()),
            value: Vec::with_capacity(matrix.columns().len()),
            inverse_root: vec![0.0; count],
            intermediate: vec![0.0; count],
        };
        factor.lower_start.push(0);
        for place in 0..count {
            for below in [true, false] {
                for (column, value) in matrix.row(factor.order[place] as usize) {
                    let column = position[column];
                    if (column < place as u32) == below {
                        factor.column.push(column);
                        factor.value.push(value);
                    }
                }
                if below {
                    factor.upper_start.push(factor.column.len() as u32);
                }
            }
            factor.lower_start.push(factor.column.len() as u32);
        }
        factor.find_pivots(matrix);
        Ok(factor)
    }

    fn find_pivots(&mut self, matrix: &SymmetricMatrix) {
        let count = self.order.len();
        let modification = if self.value.iter().any(|&value| value > 0.0) {
            0.0
        } else {
            MODIFICATION
        };
        let later_sum: Vec<f64> = (0..count)
            .map(|place| self.upper(place).map(|(_, value)| value).sum())
            .collect();
        for place in 0..count {
            let diagonal = matrix.diagonal()[self.order[place] as usize];
            let mut pivot = diagonal;
            for (earlier, value) in self.lower(place) {
                let inverse = self.inverse_root[earlier] * self.inverse_root[earlier];
                let dropped = later_sum[earlier] - value;
                pivot -= (value * value + modification * value * dropped) * inverse;
            }
            if pivot < SAFETY * diagonal {
                pivot = diagonal;
            }
            self.inverse_root[place] = if pivot > 0.0 { 1.0 / pivot.sqrt() } else { 1.0 };
        }
    }

    fn lower(&self, place: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.entries(self.lower_start[place], self.upper_start[place])
    }

    fn upper(&self, place: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.entries(self.upper_start[place], self.lower_start[place + 1])
    }

    fn entries(&self, from: u32, to: u32) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = from as usize..to as usize;
        self.column[range.clone()]
            .iter()
            .zip(&self.value[range])
            .map(|(&column, &value)| (column as usize, f64::from(value)))
    }
}

impl Preconditioner for IncompleteCholesky {
    fn apply(&mut self, residual: &[f64], out: &mut [f64]) {
        let count = self.order.len();
        let mut solved = std::mem::take(&mut self.intermediate);
        for place in 0..count {
            let mut sum = residual[self.order[place] as usize];
            for (earlier, value) in self.lower(place) {
                sum -= value * self.inverse_root[earlier] * solved[earlier];
            }
            solved[place] = sum * self.inverse_root[place];
        }
        for place in (0..count).rev() {
            let mut sum = solved[place];
            for (later, value) in self.upper(place) {
                sum -= value * self.inverse_root[place] * solved[later];
            }
            solved[place] = sum * self.inverse_root[place];
            out[self.order[place] as usize] = solved[place];
        }
        self.intermediate = solved;
    }
}
