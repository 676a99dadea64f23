//! Implicit solves with a viscous system, and the choice of their preconditioner.

use std::sync::Arc;

use ooze_core::{SolveSummary, StepError, StepReport};
use ooze_linalg::{
    GeometricMultigrid, IncompleteCholesky, Jacobi, Preconditioner, PreconditionerError,
    SolveError, StrainMultigrid, StrainMultigridSettings, UnknownPlace, ViscousChoice,
};

use super::system::{STAGE, ViscousSystem};
use crate::solve::{LinearSystem, failed};
use crate::{ViscosityPreconditioner, ViscositySettings};

/// Iterations with the diagonal that are tried before multigrid is built: free flight and liquid at rest need no more of
/// them, whatever the stiffness, and they cost next to nothing.
const CHEAP_ITERATIONS: u32 = 6;
/// Iterations with the diagonal where viscosity is so low, or the step so short, that it alone should do.
const SOFT_ITERATIONS: u32 = 200;
/// Stiffness ν dt/dx² below which the diagonal is faster than aggregation, for liquid that grids do not suit.
const SOFT: f64 = 10.0;
/// Iterations with geometric multigrid: what takes more has strands that it cannot tell apart.
const GEOMETRIC_ITERATIONS: u32 = 25;

/// Solves one system after another right-hand side; preconditioners are built when they are first needed.
pub(super) struct ViscousSolver<'a> {
    system: &'a ViscousSystem,
    places: &'a [UnknownPlace],
    settings: ViscositySettings,
    cheap: Option<LinearSystem>,
    /// With geometric multigrid, once it was asked for; none where that does not suit the liquid.
    geometric: Option<Option<LinearSystem>>,
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
            geometric: None,
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
        let mut choice = self.settings.preconditioner;
        if choice == ViscosityPreconditioner::Automatic {
            if let Some(summary) = self.solve_cheaply(right_hand_side, velocity, &mut spent)? {
                report.solve(STAGE, summary);
                return Ok(());
            }
            choice = ViscosityPreconditioner::Multigrid;
        }
        let chosen = match self.chosen.take() {
            Some(chosen) => chosen,
            None => self.build(choice, self.settings.max_iterations)?,
        };
        let chosen = self.chosen.insert(chosen);
        chosen.solve(STAGE, tolerance, right_hand_side, velocity, spent, report)
    }

    /// Tries the diagonal and geometric multigrid; nothing if both come to the end of their iterations, which are
    /// counted.
    fn solve_cheaply(
        &mut self,
        right_hand_side: &[f64],
        velocity: &mut [f64],
        spent: &mut usize,
    ) -> Result<Option<SolveSummary>, StepError> {
        let tolerance = self.settings.tolerance;
        let mut attempt = |system: &mut LinearSystem| match system.attempt(
            tolerance,
            right_hand_side,
            velocity,
        ) {
            Ok(solve) => {
                let iterations = (*spent + solve.iterations) as u32;
                Ok(Some(SolveSummary::single(iterations, solve.residual, true)))
            }
            Err(SolveError::NotConverged { iterations, .. }) => {
                *spent += iterations;
                Ok(None)
            }
            Err(error) => Err(failed(STAGE, error)),
        };
        let ViscousSystem { matrix, mass, .. } = self.system;
        let stiffness = ViscousChoice::stiffness(matrix, mass);
        let cheap = match self.cheap.take() {
            Some(cheap) => cheap,
            None => {
                let budget = match ViscousChoice::for_stiffness(stiffness) {
                    ViscousChoice::Jacobi => SOFT_ITERATIONS,
                    ViscousChoice::Multigrid => CHEAP_ITERATIONS,
                };
                self.build(ViscosityPreconditioner::Jacobi, budget)?
            }
        };
        if let Some(summary) = attempt(self.cheap.insert(cheap))? {
            return Ok(Some(summary));
        }
        let geometric = match self.geometric.take() {
            Some(geometric) => geometric,
            None => self.build_geometric()?,
        };
        let Some(system) = self.geometric.insert(geometric) else {
            let was_patient = ViscousChoice::for_stiffness(stiffness) == ViscousChoice::Jacobi;
            if was_patient || stiffness >= SOFT {
                return Ok(None);
            }
            return attempt(&mut self.build(ViscosityPreconditioner::Jacobi, SOFT_ITERATIONS)?);
        };
        let summary = attempt(system)?;
        if summary.is_none() {
            // The next right-hand side would meet the same strands.
            self.geometric = Some(None);
        }
        Ok(summary)
    }

    fn build_geometric(&self) -> Result<Option<LinearSystem>, StepError> {
        let ViscousSystem { matrix, rows, .. } = self.system;
        let multigrid = GeometricMultigrid::new(matrix, self.places, rows)
            .map_err(|error| failed(STAGE, error))?;
        Ok(multigrid.map(|multigrid| {
            let matrix = Arc::clone(matrix);
            LinearSystem::new(matrix, Box::new(multigrid), GEOMETRIC_ITERATIONS)
        }))
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
