//! Every error, reached and read.

use ooze_linalg::{
    IncompleteCholesky, Jacobi, MatrixError, Multigrid, MultigridSettings, Preconditioner,
    PreconditionerError, SolveError, SolveReport, SolveSettings, SolveWorkspace, SymmetricMatrix,
    conjugate_gradients,
};

/// A chain of unknowns, the last one grounded.
fn chain(count: usize) -> SymmetricMatrix {
    SymmetricMatrix::from_rows(count, |row, sink| {
        if row > 0 {
            sink.couple(row - 1, 1.0);
        }
        if row + 1 < count {
            sink.couple(row + 1, 1.0);
        } else {
            sink.ground(1.0);
        }
    })
    .unwrap()
}

fn line(count: usize) -> Vec<[i32; 3]> {
    (0..count as i32).map(|x| [x, 0, 0]).collect()
}

/// Multiplies by a number.
struct Factor(f64);

impl Preconditioner for Factor {
    fn apply(&mut self, residual: &[f64], out: &mut [f64]) {
        for (out, residual) in out.iter_mut().zip(residual) {
            *out = self.0 * residual;
        }
    }
}

fn solve(
    matrix: &SymmetricMatrix,
    factor: f64,
    rhs: &[f64],
    x: &mut [f64],
    settings: SolveSettings,
) -> Result<SolveReport, SolveError> {
    conjugate_gradients(
        matrix,
        &mut Factor(factor),
        rhs,
        x,
        &settings,
        &mut SolveWorkspace::default(),
    )
}

fn assert_says(error: impl std::error::Error, words: &[&str]) {
    let message = error.to_string();
    for word in words {
        assert!(
            message.contains(word),
            "`{message}` does not contain `{word}`"
        );
    }
}

#[test]
fn too_few_iterations() {
    let settings = SolveSettings {
        relative_tolerance: 1e-6,
        max_iterations: 5,
    };
    let mut x = vec![0.0; 50];
    let error = solve(&chain(50), 1.0, &[1.0; 50], &mut x, settings).unwrap_err();
    let SolveError::NotConverged {
        iterations,
        residual,
        tolerance,
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!((iterations, tolerance), (5, 1e-6));
    assert!(residual > 1e-6 && residual < 100.0);
    // The last iterate is there and its residual is the one reported.
    let mut product = vec![0.0; 50];
    chain(50).multiply(&x, &mut product);
    let square: f64 = product.iter().map(|p| (1.0 - p) * (1.0 - p)).sum();
    assert!((residual - (square / 50.0).sqrt()).abs() < 1e-12);
    assert_says(
        error,
        &[
            "after 5 iterations",
            "allow more iterations",
            "stronger preconditioner",
        ],
    );
}

/// The solution is so much larger than the right-hand side that roundings exceed the tolerance: the solve gives up as
/// soon as a restart gains nothing, long before the last iteration.
#[test]
fn a_tolerance_below_the_roundings() {
    let count = 3000;
    let weight = |row: usize| 1.0 + 0.5 * (row as f32).sin();
    let matrix = SymmetricMatrix::from_rows(count, |row, sink| {
        if row > 0 {
            sink.couple(row - 1, weight(row));
        }
        if row + 1 < count {
            sink.couple(row + 1, weight(row + 1));
        } else {
            sink.ground(0.7);
        }
    })
    .unwrap();
    let settings = SolveSettings {
        relative_tolerance: 1e-13,
        max_iterations: 1_000_000,
    };
    let mut multigrid =
        Multigrid::new(&matrix, &line(count), &MultigridSettings::default()).unwrap();
    let outcome = conjugate_gradients(
        &matrix,
        &mut multigrid,
        &vec![1.0; count],
        &mut vec![0.0; count],
        &settings,
        &mut SolveWorkspace::default(),
    );
    let Err(SolveError::NotConverged {
        iterations,
        residual,
        ..
    }) = outcome
    else {
        panic!("{outcome:?}");
    };
    assert!(
        iterations < 1000 && residual < 1e-8,
        "{iterations} iterations, residual {residual:e}"
    );
}

#[test]
fn a_diagonal_that_cannot_be() {
    for (value, coupled) in [(-1.0, false), (0.0, true)] {
        let matrix = SymmetricMatrix::from_rows(3, |row, sink| match row {
            1 => {
                sink.diagonal(value);
                if coupled {
                    sink.off_diagonal(0, -1.0);
                }
            }
            0 if coupled => {
                sink.off_diagonal(1, -1.0);
                sink.diagonal(1.0);
            }
            _ => sink.ground(1.0),
        })
        .unwrap();
        let error = solve(
            &matrix,
            1.0,
            &[1.0; 3],
            &mut [0.0; 3],
            SolveSettings::default(),
        )
        .unwrap_err();
        assert_eq!(error, SolveError::NegativeDiagonal { row: 1, value });
        assert_says(error, &["row 1", "at least the sum"]);
        let expected = PreconditionerError::Diagonal { row: 1, value };
        assert_eq!(Jacobi::new(&matrix).unwrap_err(), expected);
        assert_eq!(
            IncompleteCholesky::new(&matrix, &line(3)).unwrap_err(),
            expected
        );
        assert_eq!(
            Multigrid::new(&matrix, &line(3), &MultigridSettings::default()).unwrap_err(),
            expected
        );
        assert_says(expected, &["row 1", "positive"]);
    }
}

#[test]
fn a_matrix_that_curves_downwards() {
    let matrix = SymmetricMatrix::from_rows(2, |row, sink| {
        sink.off_diagonal(1 - row, -2.0);
        sink.diagonal(1.0);
    })
    .unwrap();
    let error = solve(
        &matrix,
        1.0,
        &[1.0; 2],
        &mut [0.0; 2],
        SolveSettings::default(),
    )
    .unwrap_err();
    assert_eq!(
        error,
        SolveError::NotPositiveDefinite {
            iteration: 0,
            curvature: -2.0
        }
    );
    assert_says(error, &["iteration 0", "symmetric"]);
}

#[test]
fn a_preconditioner_that_is_not_positive() {
    let error = solve(
        &chain(4),
        -1.0,
        &[1.0; 4],
        &mut [0.0; 4],
        SolveSettings::default(),
    )
    .unwrap_err();
    assert_eq!(
        error,
        SolveError::NotPositiveDefinite {
            iteration: 0,
            curvature: -4.0
        }
    );
}

/// The error of a solve with the usual settings.
fn refused(matrix: &SymmetricMatrix, factor: f64, rhs: &[f64], guess: &[f64]) -> SolveError {
    let mut guess = guess.to_vec();
    solve(matrix, factor, rhs, &mut guess, SolveSettings::default()).unwrap_err()
}

#[test]
fn values_that_are_not_numbers() {
    let matrix = chain(4);
    let not_finite = |place, row| SolveError::NotFinite { place, row };
    let error = refused(&matrix, 1.0, &[0.0, 1.0, f64::NAN, 0.0], &[0.0; 4]);
    assert_eq!(error, not_finite("the right-hand side", 2));
    assert_says(error, &["right-hand side", "row 2", "check the velocities"]);
    let error = refused(&matrix, 1.0, &[1.0; 4], &[0.0, f64::INFINITY, 0.0, 0.0]);
    assert_eq!(error, not_finite("the initial guess", 1));
    let error = refused(&matrix, f64::NAN, &[1.0; 4], &[0.0; 4]);
    assert_eq!(error, not_finite("a search direction", 0));
    // Finite input whose residual overflows.
    let large = SymmetricMatrix::from_rows(4, |_, sink| sink.diagonal(1e200)).unwrap();
    let error = refused(&large, 1.0, &[1.0; 4], &[0.0, 0.0, 0.0, 1e200]);
    assert_eq!(error, not_finite("the residual", 3));
}

#[test]
fn vectors_of_another_size() {
    let matrix = chain(4);
    let size = |vector, found| SolveError::Size {
        vector,
        found,
        expected: 4,
    };
    let error = refused(&matrix, 1.0, &[1.0; 3], &[0.0; 4]);
    assert_eq!(error, size("the right-hand side", 3));
    assert_says(error, &["3 entries", "4 unknowns", "same cells"]);
    let error = refused(&matrix, 1.0, &[1.0; 4], &[0.0; 5]);
    assert_eq!(error, size("the initial guess", 5));
}

#[test]
fn tolerances_that_no_solve_can_reach() {
    for value in [0.0, -1.0, 1e-20, 1.0, f64::NAN] {
        let settings = SolveSettings {
            relative_tolerance: value,
            max_iterations: 10,
        };
        let error = solve(&chain(4), 1.0, &[1.0; 4], &mut [0.0; 4], settings).unwrap_err();
        assert!(matches!(error, SolveError::Tolerance { .. }), "{error}");
        assert_says(error, &[&value.to_string(), "1e-13 to below 1"]);
    }
}

#[test]
fn matrices_whose_arrays_do_not_fit() {
    let parts = |row_start: &[u32], column: &[u32], value: &[f32], diagonal: &[f64]| {
        SymmetricMatrix::from_parts(
            row_start.to_vec(),
            column.to_vec(),
            value.to_vec(),
            diagonal.to_vec(),
        )
        .unwrap_err()
    };
    let error = parts(&[0, 1], &[1, 0], &[-1.0, -1.0], &[1.0, 1.0]);
    assert_eq!(
        error,
        MatrixError::Length {
            array: "row_start",
            found: 2,
            expected: 3
        }
    );
    assert_says(error, &["`row_start` has 2 entries where 3", "same rows"]);
    let error = parts(&[0, 1, 2], &[1, 0], &[-1.0], &[1.0, 1.0]);
    assert_eq!(
        error,
        MatrixError::Length {
            array: "value",
            found: 1,
            expected: 2
        }
    );
    let error = parts(&[0, 1, 3], &[1, 0], &[-1.0, -1.0], &[1.0, 1.0]);
    assert_eq!(
        error,
        MatrixError::Length {
            array: "column",
            found: 2,
            expected: 3
        }
    );
    let error = parts(&[1, 1, 2], &[1, 0], &[-1.0, -1.0], &[1.0, 1.0]);
    assert_eq!(error, MatrixError::RowStart { row: 0, start: 1 });
    let error = parts(&[0, 2, 1], &[1, 0], &[-1.0, -1.0], &[1.0, 1.0]);
    assert_eq!(error, MatrixError::RowStart { row: 2, start: 1 });
    assert_says(error, &["row 2 starts at entry 1", "never fall"]);
    let error = parts(&[0, 1, 2], &[2, 0], &[-1.0, -1.0], &[1.0, 1.0]);
    assert_eq!(
        error,
        MatrixError::Column {
            row: 0,
            column: 2,
            count: 2
        }
    );
    assert_says(error, &["row 0", "column 2", "0..2"]);
    let error = parts(&[0, 1, 2], &[1, 1], &[-1.0, -1.0], &[1.0, 1.0]);
    assert_eq!(
        error,
        MatrixError::Column {
            row: 1,
            column: 1,
            count: 2
        }
    );
    let error = parts(&[0, 1, 2], &[1, 0], &[-1.0, f32::INFINITY], &[1.0, 1.0]);
    assert_eq!(
        error,
        MatrixError::NotFinite {
            row: 1,
            column: 0,
            value: f64::INFINITY
        }
    );
    assert_says(error, &["row 1, column 0 is inf", "weights of that cell"]);
    let error = parts(&[0, 0], &[], &[], &[f64::NEG_INFINITY]);
    assert_eq!(
        error,
        MatrixError::NotFinite {
            row: 0,
            column: 0,
            value: f64::NEG_INFINITY
        }
    );
}

#[test]
fn rows_that_cannot_be_built() {
    let error = SymmetricMatrix::from_rows(3, |row, sink| sink.couple(row + 1, 1.0)).unwrap_err();
    assert_eq!(
        error,
        MatrixError::Column {
            row: 2,
            column: 3,
            count: 3
        }
    );
    let error = SymmetricMatrix::from_rows(usize::MAX, |_, _| {}).unwrap_err();
    assert_eq!(
        error,
        MatrixError::TooLarge {
            entries: usize::MAX,
            limit: u32::MAX as usize - 1
        }
    );
    assert_says(error, &["32-bit", "lower the resolution"]);
    let error =
        SymmetricMatrix::from_rows(3, |_, sink| sink.off_diagonal(usize::MAX, 1.0)).unwrap_err();
    assert_eq!(
        error,
        MatrixError::Column {
            row: 0,
            column: u32::MAX as usize,
            count: 3
        }
    );
}

#[test]
fn preconditioners_that_cannot_be_built() {
    let matrix = chain(4);
    let settings = MultigridSettings::default();
    let expected = PreconditionerError::CoordinateCount {
        coordinates: 3,
        unknowns: 4,
    };
    assert_eq!(
        Multigrid::new(&matrix, &line(3), &settings).unwrap_err(),
        expected
    );
    assert_eq!(
        IncompleteCholesky::new(&matrix, &line(3)).unwrap_err(),
        expected
    );
    assert_says(expected, &["3 lattice coordinates", "4 unknowns"]);

    let mut far = line(4);
    far[2][1] = 3_000_000;
    let error = Multigrid::new(&matrix, &far, &settings).unwrap_err();
    assert_eq!(
        error,
        PreconditionerError::Extent {
            axis: 1,
            low: 0,
            high: 3_000_000,
            limit: 1 << 21
        }
    );
    assert_says(error, &["axis 1", "2097152", "larger cells"]);

    let positive = SymmetricMatrix::from_rows(2, |row, sink| {
        sink.off_diagonal(1 - row, 0.5);
        sink.diagonal(1.0);
    })
    .unwrap();
    let error = Multigrid::new(&positive, &line(2), &settings).unwrap_err();
    assert_eq!(
        error,
        PreconditionerError::PositiveCoupling {
            row: 0,
            column: 1,
            value: 0.5
        }
    );
    assert_says(error, &["row 0, column 1 is 0.5", "another"]);

    for half_sweeps in [0, 1, 17] {
        let error =
            Multigrid::new(&matrix, &line(4), &MultigridSettings { half_sweeps }).unwrap_err();
        assert_eq!(
            error,
            PreconditionerError::HalfSweeps {
                half_sweeps,
                least: 2,
                most: 16
            }
        );
        assert_says(error, &["half sweeps", "2 to 16"]);
    }
}
