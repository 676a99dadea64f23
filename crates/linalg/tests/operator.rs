//! Conjugate gradients on matrices that are nowhere stored.

use ooze_linalg::{
    FloatingComponents, Jacobi, Multigrid, MultigridSettings, Operator, SolveError, SolveSettings,
    SolveWorkspace, SymmetricMatrix, conjugate_gradients,
};

/// A sparse matrix and a dense column c beside it: A + c cᵀ.
struct WithColumn {
    matrix: SymmetricMatrix,
    column: Vec<f64>,
    diagonal: Vec<f64>,
}

impl WithColumn {
    fn new(matrix: SymmetricMatrix, column: Vec<f64>) -> Self {
        let squares = column.iter().map(|entry| entry * entry);
        let diagonal = matrix.diagonal().iter().zip(squares);
        Self {
            diagonal: diagonal.map(|(own, added)| own + added).collect(),
            matrix,
            column,
        }
    }
}

impl Operator for WithColumn {
    fn size(&self) -> usize {
        self.matrix.size()
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    fn multiply(&self, x: &[f64], y: &mut [f64]) {
        self.matrix.multiply(x, y);
        let share: f64 = self.column.iter().zip(x).map(|(c, x)| c * x).sum();
        for (y, c) in y.iter_mut().zip(&self.column) {
            *y += c * share;
        }
    }
}

/// A chain of cells; with a free surface at its end, or between two walls.
fn chain(count: usize, open: bool) -> SymmetricMatrix {
    let matrix = SymmetricMatrix::from_rows(count, |row, sink| {
        if row > 0 {
            sink.couple(row - 1, 1.0);
        }
        if row + 1 < count {
            sink.couple(row + 1, 1.0);
        } else if open {
            sink.ground(2.0);
        }
    });
    matrix.expect("a fair matrix")
}

#[test]
fn a_dense_column_beside_a_sparse_matrix_is_solved_with_the_matrix_own_preconditioner() {
    let count = 9000;
    let matrix = chain(count, true);
    let places: Vec<[i32; 3]> = (0..count as i32).map(|x| [x, 0, 0]).collect();
    let multigrid = Multigrid::new(&matrix, &places, &MultigridSettings::default());
    let mut multigrid = multigrid.expect("a fair matrix");
    let column = (0..count)
        .map(|row| {
            if (4000..4100).contains(&row) {
                0.3
            } else {
                0.0
            }
        })
        .collect();
    let operator = WithColumn::new(matrix, column);
    let wanted: Vec<f64> = (0..count).map(|row| (0.001 * row as f64).cos()).collect();
    let mut rhs = vec![0.0; count];
    operator.multiply(&wanted, &mut rhs);
    let settings = SolveSettings {
        relative_tolerance: 1e-11,
        max_iterations: 100,
    };
    let (mut x, mut workspace) = (vec![0.0; count], SolveWorkspace::default());
    let report = conjugate_gradients(
        &operator,
        &mut multigrid,
        &rhs,
        &mut x,
        &settings,
        &mut workspace,
    );
    let report = report.expect("it converges");
    let error = x.iter().zip(&wanted).map(|(x, wanted)| (x - wanted).abs());
    let error = error.fold(0.0, f64::max);
    assert!(error < 1e-4, "{error} after {report:?}");
    // A column is one eigenvalue more.
    assert!(report.iterations < 40, "{report:?}");
    assert_eq!(
        operator.floating_components(),
        FloatingComponents::default()
    );
}

#[test]
fn what_an_operator_does_not_say_of_itself_follows_from_its_products() {
    let count = 9000;
    let matrix = chain(count, false);
    let operator = WithColumn::new(chain(count, false), vec![0.0; count]);
    let x: Vec<f64> = (0..count).map(|row| (0.01 * row as f64).sin()).collect();
    let b: Vec<f64> = (0..count).map(|row| (0.02 * row as f64).cos()).collect();
    let (mut own, mut derived) = (vec![0.0; count], vec![0.0; count]);
    let squares = [
        matrix.residual(&b, &x, &mut own),
        operator.residual(&b, &x, &mut derived),
    ];
    assert_eq!(own, derived);
    assert_eq!(squares[0], squares[1]);
    let curvatures = [
        matrix.multiply_dot(&x, &mut own),
        operator.multiply_dot(&x, &mut derived),
    ];
    assert_eq!(own, derived);
    assert_eq!(curvatures[0], curvatures[1]);
}

#[test]
fn a_negative_diagonal_is_refused() {
    let mut operator = WithColumn::new(chain(4, true), vec![0.0; 4]);
    let mut jacobi = Jacobi::new(&operator.matrix).expect("a fair matrix");
    operator.diagonal[2] = -1.0;
    let outcome = conjugate_gradients(
        &operator,
        &mut jacobi,
        &[1.0; 4],
        &mut [0.0; 4],
        &SolveSettings::default(),
        &mut SolveWorkspace::default(),
    );
    let expected = SolveError::NegativeDiagonal {
        row: 2,
        value: -1.0,
    };
    assert_eq!(outcome, Err(expected));
}
