//! How the grid's linear solves end: in a summary, in an event where they stop short, or in an error.

use std::sync::Arc;

use ooze_core::{SolveSummary, StepError, StepReport};
use ooze_linalg::{
    Operator, Preconditioner, SolveError, SolveReport, SolveSettings, SolveWorkspace,
    SymmetricMatrix, conjugate_gradients,
};

/// Residual above which an unfinished solve is worse than none.
pub(crate) const USELESS_RESIDUAL: f64 = 1e-2;

/// A matrix with its preconditioner, for as many solves as the matrix stays the same.
pub(crate) struct LinearSystem {
    matrix: Arc<SymmetricMatrix>,
    preconditioner: Box<dyn Preconditioner>,
    max_iterations: usize,
    workspace: SolveWorkspace,
}

impl LinearSystem {
    pub(crate) fn new(
        matrix: Arc<SymmetricMatrix>,
        preconditioner: Box<dyn Preconditioner>,
        max_iterations: u32,
    ) -> Self {
        Self {
            matrix,
            preconditioner,
            max_iterations: max_iterations as usize,
            workspace: SolveWorkspace::default(),
        }
    }

    /// Solves for `solution`, from the guess that it holds, or gets as far as the allowed iterations take it.
    pub(crate) fn attempt(
        &mut self,
        relative_tolerance: f64,
        right_hand_side: &[f64],
        solution: &mut [f64],
    ) -> Result<SolveReport, SolveError> {
        let matrix = Arc::clone(&self.matrix);
        self.attempt_as(
            matrix.as_ref(),
            relative_tolerance,
            right_hand_side,
            solution,
        )
    }

    /// The same for an operator that is like the matrix.
    fn attempt_as(
        &mut self,
        operator: &(impl Operator + ?Sized),
        relative_tolerance: f64,
        right_hand_side: &[f64],
        solution: &mut [f64],
    ) -> Result<SolveReport, SolveError> {
        let settings = SolveSettings {
            relative_tolerance,
            max_iterations: self.max_iterations,
        };
        conjugate_gradients(
            operator,
            self.preconditioner.as_mut(),
            right_hand_side,
            solution,
            &settings,
            &mut self.workspace,
        )
    }

    pub(crate) fn matrix(&self) -> &Arc<SymmetricMatrix> {
        &self.matrix
    }

    /// Solves for `solution`, from the guess that it holds. An unfinished solve that is good enough to use is noted in the
    /// report; anything worse is an error.
    pub(crate) fn solve(
        &mut self,
        name: &'static str,
        relative_tolerance: f64,
        right_hand_side: &[f64],
        solution: &mut [f64],
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let matrix = Arc::clone(&self.matrix);
        self.solve_as(
            matrix.as_ref(),
            (name, relative_tolerance),
            right_hand_side,
            solution,
            report,
        )
    }

    /// The same for an operator that is like the matrix, with the name of the solve and its tolerance.
    pub(crate) fn solve_as(
        &mut self,
        operator: &(impl Operator + ?Sized),
        (name, relative_tolerance): (&'static str, f64),
        right_hand_side: &[f64],
        solution: &mut [f64],
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        if solution.is_empty() {
            return Ok(());
        }
        let solved = self.attempt_as(operator, relative_tolerance, right_hand_side, solution);
        let summary = match solved {
            Ok(solve) => SolveSummary::single(solve.iterations as u32, solve.residual, true),
            Err(SolveError::NotConverged {
                iterations,
                residual,
                tolerance,
            }) if residual < USELESS_RESIDUAL => {
                report.events.push(format!(
                    "{name} solve stopped after {iterations} iterations at a residual of {residual:.1e} \
                     (tolerance {tolerance:.1e})"
                ));
                SolveSummary::single(iterations as u32, residual, false)
            }
            Err(error) => return Err(failed(name, error)),
        };
        report.solve(name, summary);
        Ok(())
    }
}

/// The error of a stage whose system cannot be built or solved.
pub(crate) fn failed(stage: &'static str, reason: impl ToString) -> StepError {
    StepError::Solve {
        stage,
        reason: reason.to_string(),
    }
}
