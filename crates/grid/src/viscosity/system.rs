//! The linear system of a viscous liquid.

use std::sync::Arc;

use ooze_core::StepError;
use ooze_linalg::{SymmetricMatrix, WeightedRows, normal_matrix};
use rayon::prelude::*;

use super::faces::Faces;
use super::rows::{RowMaker, Sample, StrainRows};
use super::{ViscousLiquid, weights::Weights};
use crate::solve::failed;

/// Name of the stage in reports and errors.
pub(super) const STAGE: &str = "viscosity";

/// A = diag(mass) + Gᵀ W G, and what walls and held air add to the right-hand side.
pub(super) struct ViscousSystem {
    pub(super) matrix: Arc<SymmetricMatrix>,
    pub(super) rows: WeightedRows,
    /// What walls add to each row's strain rate.
    pub(super) known: Vec<f32>,
    /// Where each row is.
    pub(super) samples: Vec<Sample>,
    /// Relative density times share of liquid, for each unknown.
    pub(super) mass: Vec<f64>,
    /// -Gᵀ W times the known part of the strain.
    driven: Vec<f64>,
}

impl ViscousSystem {
    /// The system for a time step of `dt` seconds.
    pub(super) fn assemble(maker: &RowMaker<'_>, dt: f64) -> Result<Self, StepError> {
        Self::of(maker, maker.rows_of_step(dt))
    }

    /// The system of rows.
    pub(super) fn of(maker: &RowMaker<'_>, strain: StrainRows) -> Result<Self, StepError> {
        let mass = masses(maker.liquid, maker.faces, maker.weights, maker.least_share);
        let mut driven = vec![0.0; mass.len()];
        for (row, &known) in strain.known.iter().enumerate() {
            if known != 0.0 {
                let (columns, coefficients) = strain.rows.row(row);
                let stress = f64::from(strain.rows.weights()[row]) * f64::from(known);
                for (&column, &coefficient) in columns.iter().zip(coefficients) {
                    driven[column as usize] -= f64::from(coefficient) * stress;
                }
            }
        }
        let matrix = normal_matrix(&mass, &strain.rows).map_err(|error| failed(STAGE, error))?;
        Ok(Self {
            matrix: Arc::new(matrix),
            rows: strain.rows,
            known: strain.known,
            samples: strain.samples,
            mass,
            driven,
        })
    }

    /// mass · velocity + what walls drive.
    pub(super) fn right_hand_side(&self, velocity: &[f64]) -> Vec<f64> {
        let parts = self.mass.par_iter().zip(&self.driven).zip(velocity);
        parts
            .map(|((mass, driven), velocity)| mass * velocity + driven)
            .collect()
    }

    /// One row of G times a velocity.
    pub(super) fn strain_rate(&self, row: usize, velocity: &[f64]) -> f64 {
        let (columns, coefficients) = self.rows.row(row);
        let entries = columns.iter().zip(coefficients);
        entries
            .map(|(&column, &coefficient)| f64::from(coefficient) * velocity[column as usize])
            .sum()
    }

    /// The momentum that viscosity and walls take away in one explicit step: GᵀW(G velocity + known).
    pub(super) fn loss(&self, velocity: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; velocity.len()];
        self.matrix.multiply(velocity, &mut product);
        let driven = self.right_hand_side(velocity);
        product
            .par_iter_mut()
            .zip(driven)
            .for_each(|(product, driven)| *product -= driven);
        product
    }
}

/// Relative density times share of liquid, or times what particles there are, but no less than a share.
pub(super) fn masses(
    liquid: &ViscousLiquid<'_>,
    faces: &Faces,
    weights: &Weights,
    least: f64,
) -> Vec<f64> {
    let coupling = liquid.coupling;
    faces.gather(|axis, cell| {
        let share = f64::from(liquid.face_share(weights, axis, cell)).max(least);
        match coupling.density {
            Some(density) => {
                share * f64::from(density[axis].get(cell) / coupling.reference_density)
            }
            None => share,
        }
    })
}
