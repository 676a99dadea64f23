//! Implicit solves with a viscous system, and the choice of their preconditioner.

use std::sync::Arc;

use ooze_commons::reduce::dot;
use ooze_core::{SolveSummary, StepError, StepReport};
use ooze_linalg::{
    Chebyshev, GeometricMultigrid, IncompleteCholesky, Jacobi, Preconditioner, PreconditionerError,
    SolveError, StiffParts, StrainMultigrid, SymmetricMatrix, UnknownPlace, ViscousChoice,
    ViscousFactor,
};

use super::system::{STAGE, ViscousSystem};
use crate::solve::{LinearSystem, failed};
use crate::{ViscosityPreconditioner, ViscositySettings};

/// Name of iterations that were spent on a preconditioner which did not do, in reports.
pub(super) const ATTEMPTS: &str = "viscosity attempts";
/// Iterations after which another preconditioner than the one that was chosen is worth its set-up.
pub(super) const PATIENCE: u32 = 40;
/// Initial residual over the tolerance below which a few iterations with a polynomial should do: in free flight nothing
/// changes at all, and no preconditioner is worth its set-up.
const QUIET: f64 = 100.0;
/// Those iterations, and the degree.
const QUIET_ITERATIONS: u32 = 4;
const QUIET_DEGREE: usize = 8;

/// Solves one system after another right-hand side; preconditioners are built when they are first needed.
pub(super) struct ViscousSolver<'a> {
    system: &'a ViscousSystem,
    places: &'a [UnknownPlace],
    settings: ViscositySettings,
    /// What the liquid's shape and stiffness suggest, unless that is the last resort itself.
    suggested: Option<LinearSystem>,
    /// What the settings ask for, or the last resort.
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
            suggested: None,
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
        let free = self.settings.preconditioner == ViscosityPreconditioner::Automatic;
        if free && self.chosen.is_none() {
            if self.is_quiet(right_hand_side, velocity) {
                let cycle = polynomial(self.system, QUIET_DEGREE)?;
                let matrix = Arc::clone(&self.system.matrix);
                let mut quiet = LinearSystem::new(matrix, Box::new(cycle), QUIET_ITERATIONS);
                if attempt(&mut quiet, tolerance, right_hand_side, velocity, report)? {
                    return Ok(());
                }
            }
            if self.suggested.is_none() {
                self.suggested = self.suggest()?;
            }
            if let Some(suggested) = &mut self.suggested
                && attempt(suggested, tolerance, right_hand_side, velocity, report)?
            {
                return Ok(());
            }
        }
        let chosen = match self.chosen.take() {
            Some(chosen) => chosen,
            None => self.build()?,
        };
        let chosen = self.chosen.insert(chosen);
        chosen.solve(STAGE, tolerance, right_hand_side, velocity, report)
    }

    /// Whether the velocities nearly solve the system as they are.
    fn is_quiet(&self, right_hand_side: &[f64], velocity: &[f64]) -> bool {
        let mut residual = vec![0.0; velocity.len()];
        let matrix = &self.system.matrix;
        let square = matrix.residual(right_hand_side, velocity, &mut residual);
        let limit = QUIET * self.settings.tolerance;
        square <= limit * limit * dot(right_hand_side, right_hand_side)
    }

    /// What suits the liquid's shape and stiffness, if that is other than aggregation.
    fn suggest(&self) -> Result<Option<LinearSystem>, StepError> {
        let most = PATIENCE.min(self.settings.max_iterations);
        let cycle = suggested_cycle(self.system, self.places, ViscousChoice::new)?;
        let matrix = || Arc::clone(&self.system.matrix);
        Ok(cycle.map(|cycle| LinearSystem::new(matrix(), cycle, most)))
    }

    /// What the settings ask for; aggregation if they leave it open.
    fn build(&self) -> Result<LinearSystem, StepError> {
        let most = self.settings.max_iterations;
        let cycle = chosen_cycle(self.system, self.places, self.settings.preconditioner)?;
        Ok(LinearSystem::new(
            Arc::clone(&self.system.matrix),
            cycle,
            most,
        ))
    }
}

/// What suits the shape and stiffness of a liquid, if that is other than aggregation; `choose` tells by what it chooses.
pub(super) fn suggested_cycle(
    system: &ViscousSystem,
    places: &[UnknownPlace],
    choose: fn(&SymmetricMatrix, &[f64], &[UnknownPlace]) -> ViscousChoice,
) -> Result<Option<Box<dyn Preconditioner>>, StepError> {
    let ViscousSystem {
        matrix, rows, mass, ..
    } = system;
    let parts = StiffParts::new(matrix, mass, places, rows);
    if let Some(parts) = parts.map_err(|error| failed(STAGE, error))? {
        return Ok(Some(Box::new(parts)));
    }
    let mut choice = choose(matrix, mass, places);
    if choice == ViscousChoice::Geometric {
        let multigrid = GeometricMultigrid::new(matrix, places, rows);
        if let Some(multigrid) = multigrid.map_err(|error| failed(STAGE, error))? {
            return Ok(Some(Box::new(multigrid)));
        }
        choice = ViscousChoice::for_thin(ViscousChoice::stiffness(matrix, mass));
    }
    match choice {
        ViscousChoice::Polynomial(degree) => Ok(Some(Box::new(polynomial(system, degree)?))),
        ViscousChoice::Geometric | ViscousChoice::Aggregation => {
            let factor = ViscousFactor::new(matrix, places, rows);
            let factor = factor.map_err(|error| failed(STAGE, error))?;
            Ok(factor.map(|factor| Box::new(factor) as Box<dyn Preconditioner>))
        }
    }
}

/// What a choice asks for; aggregation if it leaves that open.
pub(super) fn chosen_cycle(
    system: &ViscousSystem,
    places: &[UnknownPlace],
    choice: ViscosityPreconditioner,
) -> Result<Box<dyn Preconditioner>, StepError> {
    let matrix = &system.matrix;
    let cycle = || -> Result<Box<dyn Preconditioner>, PreconditionerError> {
        Ok(match choice {
            ViscosityPreconditioner::Jacobi => Box::new(Jacobi::new(matrix)?),
            ViscosityPreconditioner::IncompleteCholesky => {
                let cells = places.iter().map(|place| place.cell);
                let coordinates: Vec<[i32; 3]> = cells.collect();
                Box::new(IncompleteCholesky::new(matrix, &coordinates)?)
            }
            ViscosityPreconditioner::Multigrid | ViscosityPreconditioner::Automatic => {
                Box::new(StrainMultigrid::new(matrix, places, &system.rows)?)
            }
        })
    };
    cycle().map_err(|error| failed(STAGE, error))
}

fn polynomial(system: &ViscousSystem, degree: usize) -> Result<Chebyshev, StepError> {
    let polynomial = Chebyshev::new(Arc::clone(&system.matrix), degree);
    polynomial.map_err(|error| failed(STAGE, error))
}

/// Whether a preconditioner solves a system; its iterations are counted as attempts if not.
fn attempt(
    system: &mut LinearSystem,
    tolerance: f64,
    right_hand_side: &[f64],
    velocity: &mut [f64],
    report: &mut StepReport,
) -> Result<bool, StepError> {
    let (name, summary) = match system.attempt(tolerance, right_hand_side, velocity) {
        Ok(solve) => {
            let iterations = solve.iterations as u32;
            let summary = SolveSummary::single(iterations, solve.residual, true);
            (STAGE, summary)
        }
        Err(SolveError::NotConverged {
            iterations,
            residual,
            ..
        }) => {
            let summary = SolveSummary::single(iterations as u32, residual, false);
            (ATTEMPTS, summary)
        }
        Err(error) => return Err(failed(STAGE, error)),
    };
    report.solve(name, summary);
    Ok(name == STAGE)
}
