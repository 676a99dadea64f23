//! Generalised conjugate residuals (Eisenstat, Elman & Schultz 1983): for systems that are neither definite nor symmetric, with a
//! preconditioner that need be neither, and that may be another in each iteration.
//!
//! Each iteration takes what the preconditioner makes of the residual as a direction, and goes along it and along all directions
//! before it as far as makes the residual smallest. Unlike minimal residuals for symmetric systems it keeps the directions: two
//! vectors an iteration. After [`KEPT`] of them it starts anew.

use ooze_commons::reduce::{CHUNK, ordered_sum};
use rayon::prelude::*;

use crate::error::SolveError;

/// Directions that are kept; beyond, the solve starts anew from where it is.
const KEPT: usize = 60;
/// What orthogonalisation may leave of a vector before it has to be done again: less is mostly rounding.
const CANCELLED: f64 = 0.1;
/// What it may leave before the vector counts as one of those that are kept already.
const NOTHING: f64 = 1e-12;

/// A system of equations that multiplies, and that knows roughly how it is solved.
///
/// Equal arguments must give equal results, whatever the number of threads.
pub trait Preconditioned {
    /// `product = S x`.
    fn multiply(&mut self, x: &[f64], product: &mut [f64]);

    /// Roughly the solution of `S correction = residual`. `&mut self` is for scratch memory only.
    fn precondition(&mut self, residual: &[f64], correction: &mut [f64]);

    /// Whether a solution is good enough whose residual asks for this correction.
    fn is_solved(&self, correction: &[f64], x: &[f64]) -> bool;
}

/// How a solve by conjugate residuals went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResidualReport {
    /// Iterations done.
    pub iterations: usize,
    /// The norm of the residual over that of the initial one.
    pub residual: f64,
    /// Whether the solution is good enough.
    pub solved: bool,
}

/// Solves `S x = rhs`, from the guess in `x`, until the system says that it is solved or for so many iterations. Residuals are
/// measured with a weight for each equation, which makes equations of different units comparable.
///
/// # Errors
/// When a residual is not finite.
///
/// # Panics
/// When lengths differ.
pub fn conjugate_residuals(
    system: &mut impl Preconditioned,
    weights: &[f64],
    rhs: &[f64],
    x: &mut [f64],
    max_iterations: usize,
) -> Result<ResidualReport, SolveError> {
    let count = rhs.len();
    assert!(
        count == x.len() && count == weights.len(),
        "vectors of a system differ in length"
    );
    let mut residual = vec![0.0; count];
    system.multiply(x, &mut residual);
    combine(&mut residual, -1.0, rhs, 1.0);
    let initial = weighted_dot(weights, &residual, &residual).sqrt();
    let mut kept: Vec<Direction> = Vec::new();
    let mut correction = vec![0.0; count];
    let mut report = ResidualReport {
        iterations: 0,
        residual: 1.0,
        solved: false,
    };
    loop {
        let norm = weighted_dot(weights, &residual, &residual).sqrt();
        if !norm.is_finite() {
            let row = residual.iter().position(|value| !value.is_finite());
            return Err(SolveError::NotFinite {
                place: "the residual",
                row: row.unwrap_or(0),
            });
        }
        report.residual = if initial > 0.0 { norm / initial } else { 0.0 };
        if norm == 0.0 {
            report.solved = true;
            return Ok(report);
        }
        system.precondition(&residual, &mut correction);
        report.solved = system.is_solved(&correction, x);
        if report.solved || report.iterations == max_iterations {
            return Ok(report);
        }
        if kept.len() == KEPT {
            kept.clear();
        }
        let mut product = vec![0.0; count];
        system.multiply(&correction, &mut product);
        let mut direction = Direction {
            way: std::mem::replace(&mut correction, vec![0.0; count]),
            product,
        };
        if !direction.orthogonalise(&kept, weights) {
            return Ok(report);
        }
        let step = weighted_dot(weights, &direction.product, &residual);
        combine(x, 1.0, &direction.way, step);
        combine(&mut residual, 1.0, &direction.product, -step);
        kept.push(direction);
        report.iterations += 1;
    }
}

/// A direction and what the system makes of it, a unit vector.
struct Direction {
    way: Vec<f64>,
    product: Vec<f64>,
}

impl Direction {
    /// Takes off what others have of it already; tells whether anything is left.
    fn orthogonalise(&mut self, others: &[Self], weights: &[f64]) -> bool {
        let norm = |product: &[f64]| weighted_dot(weights, product, product).sqrt();
        let mut before = norm(&self.product);
        let least = NOTHING * before;
        let mut after = before;
        for _ in 0..2 {
            for other in others {
                let share = weighted_dot(weights, &other.product, &self.product);
                combine(&mut self.product, 1.0, &other.product, -share);
                combine(&mut self.way, 1.0, &other.way, -share);
            }
            after = norm(&self.product);
            if after > CANCELLED * before {
                break;
            }
            before = after;
        }
        if after <= least || !after.is_finite() {
            return false;
        }
        for vector in [&mut self.product, &mut self.way] {
            let chunks = vector.par_chunks_mut(CHUNK);
            chunks.for_each(|chunk| chunk.iter_mut().for_each(|value| *value /= after));
        }
        true
    }
}

/// `vector = own · vector + share · other`.
fn combine(vector: &mut [f64], own: f64, other: &[f64], share: f64) {
    let chunks = vector.par_chunks_mut(CHUNK).zip(other.par_chunks(CHUNK));
    chunks.for_each(|(vector, other)| {
        for (value, other) in vector.iter_mut().zip(other) {
            *value = own * *value + share * other;
        }
    });
}

/// The inner product of two vectors with a weight for each entry.
fn weighted_dot(weights: &[f64], a: &[f64], b: &[f64]) -> f64 {
    let chunks = weights.par_chunks(CHUNK);
    let chunks = chunks.zip(a.par_chunks(CHUNK)).zip(b.par_chunks(CHUNK));
    ordered_sum(chunks.map(|((weights, a), b)| {
        let mut lanes = [0.0; 8];
        let (head, tail) = weights.as_chunks::<8>();
        let ((head_a, tail_a), (head_b, tail_b)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
        for ((weight, a), b) in head.iter().zip(head_a).zip(head_b) {
            for lane in 0..8 {
                lanes[lane] += weight[lane] * a[lane] * b[lane];
            }
        }
        let rest = tail.iter().zip(tail_a).zip(tail_b);
        let rest: f64 = rest.map(|((weight, a), b)| weight * a * b).sum();
        lanes.iter().sum::<f64>() + rest
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small dense system, preconditioned by its diagonal.
    struct Dense {
        rows: Vec<Vec<f64>>,
        tolerance: f64,
    }

    impl Preconditioned for Dense {
        fn multiply(&mut self, x: &[f64], product: &mut [f64]) {
            for (product, row) in product.iter_mut().zip(&self.rows) {
                *product = row.iter().zip(x).map(|(a, x)| a * x).sum();
            }
        }

        fn precondition(&mut self, residual: &[f64], correction: &mut [f64]) {
            for (index, correction) in correction.iter_mut().enumerate() {
                let diagonal = self.rows[index][index];
                *correction = residual[index] / if diagonal == 0.0 { 1.0 } else { diagonal };
            }
        }

        fn is_solved(&self, correction: &[f64], _: &[f64]) -> bool {
            correction.iter().all(|value| value.abs() < self.tolerance)
        }
    }

    /// Neither symmetric nor definite.
    fn system() -> Dense {
        let rows = vec![
            vec![4.0, 1.0, 0.0, 2.0],
            vec![-1.0, 3.0, 1.0, 0.0],
            vec![0.5, 0.0, -2.0, 1.0],
            vec![2.0, -1.0, 1.0, 0.0],
        ];
        Dense {
            rows,
            tolerance: 1e-12,
        }
    }

    #[test]
    fn as_many_iterations_as_unknowns_solve_a_system_that_is_not_definite() {
        let exact = [1.0, -2.0, 3.0, 0.5];
        let mut rhs = [0.0; 4];
        let mut system = system();
        system.multiply(&exact, &mut rhs);
        let mut x = [0.0; 4];
        let weights = [1.0, 0.1, 2.0, 1.0];
        let report = conjugate_residuals(&mut system, &weights, &rhs, &mut x, 10).expect("finite");
        assert!(report.solved && report.iterations <= 4, "{report:?}");
        for (x, exact) in x.iter().zip(exact) {
            assert!((x - exact).abs() < 1e-10, "{x} {exact}");
        }
    }

    #[test]
    fn a_solution_takes_no_iteration_and_a_bad_one_says_so() {
        let exact = [1.0, -2.0, 3.0, 0.5];
        let mut rhs = [0.0; 4];
        let mut system = system();
        system.multiply(&exact, &mut rhs);
        let mut x = exact;
        let report = conjugate_residuals(&mut system, &[1.0; 4], &rhs, &mut x, 10).expect("finite");
        assert_eq!((report.iterations, report.solved), (0, true));
        let mut x = [0.0; 4];
        let report = conjugate_residuals(&mut system, &[1.0; 4], &rhs, &mut x, 1).expect("finite");
        assert!(!report.solved && report.iterations == 1 && report.residual < 1.0);
        let broken = [f64::NAN; 4];
        let failed = conjugate_residuals(&mut system, &[1.0; 4], &broken, &mut [0.0; 4], 10);
        assert!(matches!(failed, Err(SolveError::NotFinite { .. })));
    }
}
