//! Preconditioned conjugate gradients (Hestenes & Stiefel 1952; Saad 2003, algorithm 9.1).
//!
//! Vectors and sums are f64. The residual that the recurrence carries drifts from the true one; when it meets the
//! tolerance the true residual is computed, and if that does not, the iteration starts anew from the solution so far.

use ooze_commons::reduce::{CHUNK, dot, dot_chunk, ordered_sum};
use rayon::prelude::*;

use crate::error::SolveError;
use crate::operator::Operator;

/// An approximate inverse of a matrix: symmetric and positive definite.
pub trait Preconditioner: Send + Sync {
    /// `out = M residual`, with `M ≈ A⁻¹`. `&mut self` is for scratch memory only: equal arguments give equal results.
    ///
    /// # Panics
    /// Implementations may panic when a vector has another length than the matrix.
    fn apply(&mut self, residual: &[f64], out: &mut [f64]);
}

/// When a solve ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveSettings {
    /// Largest 2-norm of the residual, relative to the 2-norm of the right-hand side.
    pub relative_tolerance: f64,
    /// Iterations after which the solve is given up.
    pub max_iterations: usize,
}

impl Default for SolveSettings {
    fn default() -> Self {
        Self {
            relative_tolerance: 1e-6,
            max_iterations: 200,
        }
    }
}

/// How a solve went.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SolveReport {
    /// Iterations done.
    pub iterations: usize,
    /// 2-norm of the residual of the returned solution, computed from it, relative to the 2-norm of the right-hand side.
    pub residual: f64,
    /// The same for the initial guess.
    pub initial_residual: f64,
    /// Parts of the matrix that no fixed value holds, see [`Operator::floating_components`].
    pub floating_components: usize,
    /// 2-norm of what was removed from the right-hand side because no solution can produce it (its mean over each
    /// floating component), relative to the right-hand side. The residual does not contain it.
    pub incompatible: f64,
}

/// Scratch memory of a solve; keep it to avoid allocation. It never influences a result.
#[derive(Debug, Default)]
pub struct SolveWorkspace {
    residual: Vec<f64>,
    preconditioned: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
    compatible_rhs: Vec<f64>,
}

/// The smallest relative tolerance that f64 arithmetic reaches on large systems.
const MINIMUM_TOLERANCE: f64 = 1e-13;

/// Solves `A x = rhs` for symmetric positive definite or semi-definite `A`. `x` holds the initial guess and receives
/// the solution.
///
/// Norms are 2-norms, residuals are relative to the norm of `rhs`. A zero `rhs` gives `x = 0` in 0 iterations.
/// Components on which the matrix is singular because no fixed value touches them ([`Operator::floating_components`]) are found;
/// on each, the mean of `rhs` is disregarded (see [`SolveReport::incompatible`]) and `x` has zero mean.
///
/// # Errors
/// See [`SolveError`]. After `NotConverged`, `x` holds the last iterate; after the other errors its content is
/// unspecified.
pub fn conjugate_gradients<A: Operator + ?Sized, P: Preconditioner + ?Sized>(
    matrix: &A,
    preconditioner: &mut P,
    rhs: &[f64],
    x: &mut [f64],
    settings: &SolveSettings,
    workspace: &mut SolveWorkspace,
) -> Result<SolveReport, SolveError> {
    // Inside the pool, each parallel loop starts without waking a thread from outside.
    rayon::scope(|_| {
        check_input(matrix, rhs, x, settings)?;
        solve(matrix, preconditioner, rhs, x, settings, workspace)
    })
}

fn solve<A: Operator + ?Sized, P: Preconditioner + ?Sized>(
    matrix: &A,
    preconditioner: &mut P,
    rhs: &[f64],
    x: &mut [f64],
    settings: &SolveSettings,
    workspace: &mut SolveWorkspace,
) -> Result<SolveReport, SolveError> {
    let rhs_norm = dot(rhs, rhs).sqrt();
    if rhs_norm == 0.0 {
        x.fill(0.0);
        return Ok(SolveReport::default());
    }
    workspace.resize(matrix.size());
    let SolveWorkspace {
        residual,
        preconditioned,
        direction,
        product,
        compatible_rhs,
    } = workspace;
    let floating = matrix.floating_components();
    let mut report = SolveReport {
        floating_components: floating.count(),
        ..SolveReport::default()
    };
    let rhs = if floating.is_empty() {
        rhs
    } else {
        compatible_rhs.clear();
        compatible_rhs.extend_from_slice(rhs);
        floating.project(compatible_rhs);
        // By Pythagoras, as the projection is orthogonal.
        let kept = dot(compatible_rhs, compatible_rhs);
        report.incompatible = (rhs_norm * rhs_norm - kept).max(0.0).sqrt() / rhs_norm;
        floating.project(x);
        &compatible_rhs[..]
    };
    let mut true_residual = matrix.residual(rhs, x, residual).sqrt() / rhs_norm;
    report.initial_residual = true_residual;
    loop {
        if !true_residual.is_finite() {
            return Err(not_finite("the residual", residual));
        }
        report.residual = true_residual;
        if true_residual <= settings.relative_tolerance {
            return Ok(report);
        }
        // Start, or start anew after drift. A restart that gains nothing has met the limit of the arithmetic.
        let before = true_residual;
        let iterations_before = report.iterations;
        let mut energy = 0.0;
        while report.iterations < settings.max_iterations {
            floating.project(residual);
            preconditioner.apply(residual, preconditioned);
            floating.project(preconditioned);
            let next_energy = dot(residual, preconditioned);
            check_curvature(next_energy, report.iterations, preconditioned)?;
            if energy > 0.0 {
                advance_direction(direction, preconditioned, next_energy / energy);
            } else {
                direction.copy_from_slice(preconditioned);
            }
            energy = next_energy;
            let curvature = matrix.multiply_dot(direction, product);
            check_curvature(curvature, report.iterations, product)?;
            let carried = advance_solution(x, residual, direction, product, energy / curvature);
            report.iterations += 1;
            if carried.sqrt() <= settings.relative_tolerance * rhs_norm {
                break;
            }
        }
        floating.project(x);
        true_residual = matrix.residual(rhs, x, residual).sqrt() / rhs_norm;
        let stuck = report.iterations == iterations_before || true_residual > 0.5 * before;
        if true_residual > settings.relative_tolerance
            && (stuck || report.iterations >= settings.max_iterations)
        {
            return Err(SolveError::NotConverged {
                iterations: report.iterations,
                residual: true_residual,
                tolerance: settings.relative_tolerance,
            });
        }
    }
}

/// `direction = preconditioned + ratio direction`.
fn advance_direction(direction: &mut [f64], preconditioned: &[f64], ratio: f64) {
    direction
        .par_chunks_mut(CHUNK)
        .zip(preconditioned.par_chunks(CHUNK))
        .for_each(|(direction, preconditioned)| {
            for (direction, preconditioned) in direction.iter_mut().zip(preconditioned) {
                *direction = preconditioned + ratio * *direction;
            }
        });
}

/// `x += step direction`, `residual −= step product`, returning the square of the residual's norm.
fn advance_solution(
    x: &mut [f64],
    residual: &mut [f64],
    direction: &[f64],
    product: &[f64],
    step: f64,
) -> f64 {
    let chunks = x
        .par_chunks_mut(CHUNK)
        .zip(residual.par_chunks_mut(CHUNK))
        .zip(direction.par_chunks(CHUNK).zip(product.par_chunks(CHUNK)));
    ordered_sum(chunks.map(|((x, residual), (direction, product))| {
        for (x, direction) in x.iter_mut().zip(direction) {
            *x += step * direction;
        }
        for (residual, product) in residual.iter_mut().zip(product) {
            *residual -= step * product;
        }
        dot_chunk(residual, residual)
    }))
}

fn check_curvature(curvature: f64, iteration: usize, vector: &[f64]) -> Result<(), SolveError> {
    if !curvature.is_finite() {
        Err(not_finite("a search direction", vector))
    } else if curvature <= 0.0 {
        Err(SolveError::NotPositiveDefinite {
            iteration,
            curvature,
        })
    } else {
        Ok(())
    }
}

fn check_input<A: Operator + ?Sized>(
    matrix: &A,
    rhs: &[f64],
    x: &[f64],
    settings: &SolveSettings,
) -> Result<(), SolveError> {
    let tolerance = settings.relative_tolerance;
    if !(MINIMUM_TOLERANCE..1.0).contains(&tolerance) {
        return Err(SolveError::Tolerance {
            value: tolerance,
            minimum: MINIMUM_TOLERANCE,
        });
    }
    for (vector, values) in [("the right-hand side", rhs), ("the initial guess", x)] {
        if values.len() != matrix.size() {
            return Err(SolveError::Size {
                vector,
                found: values.len(),
                expected: matrix.size(),
            });
        }
        if values
            .par_chunks(CHUNK)
            .any(|chunk| !chunk.iter().all(|value| value.is_finite()))
        {
            return Err(not_finite(vector, values));
        }
    }
    match matrix.bad_diagonal() {
        Some((row, value)) => Err(SolveError::NegativeDiagonal { row, value }),
        None => Ok(()),
    }
}

fn not_finite(place: &'static str, vector: &[f64]) -> SolveError {
    // Sums may overflow where no single entry does; the first row stands for all then.
    let row = vector
        .iter()
        .position(|value| !value.is_finite())
        .unwrap_or(0);
    SolveError::NotFinite { place, row }
}

impl SolveWorkspace {
    fn resize(&mut self, count: usize) {
        for vector in [
            &mut self.residual,
            &mut self.preconditioned,
            &mut self.direction,
            &mut self.product,
        ] {
            vector.resize(count, 0.0);
        }
    }
}
