//! Implicit solves with a viscous system, and the choice of their preconditioner.

use std::sync::Arc;

use ooze_core::{SolveSummary, StepError, StepReport};
use ooze_linalg::{
    IncompleteCholesky, Jacobi, Preconditioner, PreconditionerError, SolveError, StrainMultigrid,
    StrainMultigridSettings, UnknownPlace, ViscousChoice,
};

use super::system::{STAGE, ViscousSystem};
use crate::solve::{LinearSystem, failed};
use crate::{ViscosityPreconditioner, ViscositySettings};

/// Iterations with the diagonal that are tried before multigrid is built: free flight and liquid at rest need no more of
/// them, whatever the stiffness, and they cost next to nothing.
const CHEAP_ITERATIONS: u32 = 6;
/// Iterations with the diagonal where the liquid is so thin, or the step so short, that it alone should do.
const SOFT_ITERATIONS: u32 = 200;

/// Solves one system after another right-hand side; preconditioners are built when they are first needed.
pub(super) struct ViscousSolver<'a> {
    system: &'a ViscousSystem,
    places: &'a [UnknownPlace],
    settings: ViscositySettings,
    cheap: Option<LinearSystem>,
    chosen: Option<LinearSystem>,
}

impl<'a> ViscousSolver<'a> {
    pub(super) fn new(
        system: &'a ViscousSystem,
        places: &'a [UnknownPlace],
        settings: ViscositySettings,
    ) -> Self {
        Self {
            system,
            places,
            settings,
            cheap: None,
            chosen: None,
        }
    }

    /// Solves for the velocities, from those that are there.
    pub(super) fn solve(
        &mut self,
        right_hand_side: &[f64],
        velocity: &mut [f64],
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        if velocity.is_empty() {
            return Ok(());
        }
        let tolerance = self.settings.tolerance;
        let mut spent = 0;
        let choice = match self.settings.preconditioner {
            ViscosityPreconditioner::Automatic => {
                let cheap = match self.cheap.take() {
                    Some(cheap) => cheap,
                    None => {
                        let ViscousSystem { matrix, mass, .. } = self.system;
                        let budget = match ViscousChoice::new(matrix, mass) {
                            ViscousChoice::Jacobi => SOFT_ITERATIONS,
                            ViscousChoice::Multigrid => CHEAP_ITERATIONS,
                        };
                        self.build(ViscosityPreconditioner::Jacobi, budget)?
                    }
                };
                match self
                    .cheap
                    .insert(cheap)
                    .attempt(tolerance, right_hand_side, velocity)
                {
                    Ok(solve) => {
                        let iterations = solve.iterations as u32;
                        let summary = SolveSummary::single(iterations, solve.residual, true);
                        report.solve(STAGE, summary);
                        return Ok(());
                    }
                    Err(SolveError::NotConverged { iterations, .. }) => spent = iterations,
                    Err(error) => return Err(failed(STAGE, error)),
                }
                ViscosityPreconditioner::Multigrid
            }
            choice => choice,
        };
        let chosen = match self.chosen.take() {
            Some(chosen) => chosen,
            None => self.build(choice, self.settings.max_iterations)?,
        };
        let chosen = self.chosen.insert(chosen);
        chosen.solve(STAGE, tolerance, right_hand_side, velocity, spent, report)
    }

    fn build(
        &self,
        choice: ViscosityPreconditioner,
        max_iterations: u32,
    ) -> Result<LinearSystem, StepError> {
        let preconditioner = self
            .preconditioner(choice)
            .map_err(|error| failed(STAGE, error))?;
        let matrix = Arc::clone(&self.system.matrix);
        Ok(LinearSystem::new(matrix, preconditioner, max_iterations))
    }

    fn preconditioner(
        &self,
        choice: ViscosityPreconditioner,
    ) -> Result<Box<dyn Preconditioner>, PreconditionerError> {
        let matrix = &self.system.matrix;
        Ok(match choice {
            ViscosityPreconditioner::Jacobi => Box::new(Jacobi::new(matrix)?),
            ViscosityPreconditioner::IncompleteCholesky => {
                let cells = self.places.iter().map(|place| place.cell);
                let coordinates: Vec<[i32; 3]> = cells.collect();
                Box::new(IncompleteCholesky::new(matrix, &coordinates)?)
            }
            ViscosityPreconditioner::Multigrid | ViscosityPreconditioner::Automatic => {
                let (rows, settings) = (&self.system.rows, StrainMultigridSettings::default());
                Box::new(StrainMultigrid::new(matrix, self.places, rows, &settings)?)
            }
        })
    }
}
