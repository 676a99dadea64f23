//! What each unknown of a system resists by its mass, and at most in all.

use crate::matrix::SymmetricMatrix;
use crate::rows::WeightedRows;

/// Masses below this fraction of the diagonal are roundings.
const ROUNDING: f64 = 1e-14;
/// Share of its cell that an unknown's mass must fill for its stiffness to count: that of slivers means nothing.
const SUBSTANTIAL: f64 = 0.5;

/// Masses and bounds of the unknowns, by the caller's rows.
#[derive(Debug, Default)]
pub(super) struct Scales {
    pub(super) mass: Vec<f64>,
    /// The inverse of `D̃ = diag(mass) + Σ_rows weight × length × coefficient²`, a bound of the matrix.
    pub(super) inverse_bound: Vec<f64>,
}

impl Scales {
    /// Takes mass and strain apart again.
    pub(super) fn new(matrix: &SymmetricMatrix, rows: &WeightedRows) -> Self {
        let mut scales = Self {
            mass: matrix.diagonal().to_vec(),
            inverse_bound: vec![0.0; matrix.size()],
        };
        for row in 0..rows.len() {
            let (columns, coefficients) = rows.row(row);
            let weight = f64::from(rows.weights()[row]);
            for (&column, &coefficient) in columns.iter().zip(coefficients) {
                let share = weight * f64::from(coefficient) * f64::from(coefficient);
                scales.mass[column as usize] -= share;
                scales.inverse_bound[column as usize] += share * columns.len() as f64;
            }
        }
        for ((mass, bound), diagonal) in scales
            .mass
            .iter_mut()
            .zip(&mut scales.inverse_bound)
            .zip(matrix.diagonal())
        {
            // What is left after subtraction may be rounding.
            *mass = if *mass > ROUNDING * diagonal {
                *mass
            } else {
                0.0
            };
            *bound = if *mass + *bound > 0.0 {
                1.0 / (*mass + *bound)
            } else {
                0.0
            };
        }
        scales
    }

    /// The largest stiffness of an unknown over the smallest; infinite where some have none.
    pub(super) fn contrast(&self, matrix: &SymmetricMatrix) -> f64 {
        let unknowns = matrix.diagonal().iter().zip(&self.mass);
        let substantial = unknowns.filter(|&(_, &mass)| mass > SUBSTANTIAL);
        let stiffness = substantial.map(|(diagonal, mass)| (diagonal - mass) / mass);
        let (least, most) = stiffness.fold((f64::INFINITY, 0.0), |(least, most), own| {
            (f64::min(least, own), f64::max(most, own))
        });
        if least < most { most / least } else { 1.0 }
    }
}
