//! Tridiagonal systems by elimination without pivoting (Thomas 1949).

use thiserror::Error;

/// A tridiagonal system that cannot be solved.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TridiagonalError {
    /// Elimination met a pivot that is zero or not finite.
    #[error(
        "pivot {value} in row {row}: the system is singular or needs row exchanges; make the diagonal at least the sum \
         of its neighbours"
    )]
    Pivot {
        /// The row.
        row: usize,
        /// The pivot.
        value: f64,
    },
    /// Arrays of different lengths.
    #[error(
        "{array} has {found} entries where the right-hand side has {expected}; give one entry per row each"
    )]
    Length {
        /// Which array.
        array: &'static str,
        /// Its length.
        found: usize,
        /// The length of the right-hand side.
        expected: usize,
    },
}

/// Solves `lower[i] x[i−1] + diagonal[i] x[i] + upper[i] x[i+1] = rhs[i]`; the solution replaces `rhs`.
///
/// `lower[0]` and the last entry of `upper` are ignored. Stable without row exchanges for diagonally dominant and for
/// symmetric positive definite systems.
///
/// # Errors
/// When the arrays differ in length or a pivot is zero or not finite; `rhs` is then left half eliminated.
pub fn solve(
    lower: &[f64],
    diagonal: &[f64],
    upper: &[f64],
    rhs: &mut [f64],
) -> Result<(), TridiagonalError> {
    let expected = rhs.len();
    for (array, found) in [
        ("lower", lower.len()),
        ("diagonal", diagonal.len()),
        ("upper", upper.len()),
    ] {
        if found != expected {
            return Err(TridiagonalError::Length {
                array,
                found,
                expected,
            });
        }
    }
    // `ratio[i]` is the eliminated upper diagonal: x[i] = rhs[i] − ratio[i] x[i+1].
    let mut ratio = vec![0.0; expected];
    for row in 0..expected {
        let (above, above_ratio) = if row == 0 {
            (0.0, 0.0)
        } else {
            (rhs[row - 1], ratio[row - 1])
        };
        let below = if row == 0 { 0.0 } else { lower[row] };
        let pivot = diagonal[row] - below * above_ratio;
        if pivot == 0.0 || !pivot.is_finite() {
            return Err(TridiagonalError::Pivot { row, value: pivot });
        }
        ratio[row] = upper[row] / pivot;
        rhs[row] = (rhs[row] - below * above) / pivot;
    }
    for row in (0..expected.saturating_sub(1)).rev() {
        rhs[row] -= ratio[row] * rhs[row + 1];
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recovers_a_known_solution() {
        let count = 200;
        let lower: Vec<f64> = (0..count).map(|i| -1.0 - 0.3 * (i as f64).sin()).collect();
        let upper: Vec<f64> = (0..count).map(|i| -1.0 + 0.3 * (i as f64).cos()).collect();
        let diagonal: Vec<f64> = (0..count).map(|i| 2.7 + 0.01 * i as f64).collect();
        let exact: Vec<f64> = (0..count).map(|i| (0.1 * i as f64).sin() + 0.2).collect();
        let mut rhs: Vec<f64> = (0..count)
            .map(|i| {
                let left = if i > 0 { lower[i] * exact[i - 1] } else { 0.0 };
                let right = if i + 1 < count {
                    upper[i] * exact[i + 1]
                } else {
                    0.0
                };
                left + diagonal[i] * exact[i] + right
            })
            .collect();
        solve(&lower, &diagonal, &upper, &mut rhs).unwrap();
        for (found, exact) in rhs.iter().zip(&exact) {
            assert!((found - exact).abs() < 1e-13);
        }
    }

    #[test]
    fn one_row_and_no_row() {
        let mut rhs = [6.0];
        solve(&[9.0], &[2.0], &[9.0], &mut rhs).unwrap();
        assert_eq!(rhs, [3.0]);
        solve(&[], &[], &[], &mut []).unwrap();
    }

    #[test]
    fn a_zero_pivot_is_named() {
        // The second pivot is 1 − 1 · 1 = 0.
        let error = solve(&[0.0, 1.0], &[1.0, 1.0], &[1.0, 0.0], &mut [1.0, 1.0]).unwrap_err();
        assert_eq!(error, TridiagonalError::Pivot { row: 1, value: 0.0 });
        assert!(error.to_string().contains("row 1"), "{error}");
        let error = solve(&[0.0], &[f64::NAN], &[0.0], &mut [1.0]).unwrap_err();
        assert!(matches!(error, TridiagonalError::Pivot { row: 0, .. }));
    }

    #[test]
    fn lengths_must_agree() {
        let error = solve(&[0.0], &[1.0, 1.0], &[0.0, 0.0], &mut [1.0, 1.0]).unwrap_err();
        assert_eq!(
            error,
            TridiagonalError::Length {
                array: "lower",
                found: 1,
                expected: 2
            }
        );
    }
}
