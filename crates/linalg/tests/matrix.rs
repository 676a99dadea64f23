//! Sparse matrices against dense ones.

mod dense;
mod problems;

use ooze_linalg::SymmetricMatrix;
use problems::Random;

#[test]
fn products_equal_the_dense_ones() {
    let problem = problems::splash(13);
    let count = problem.rhs.len();
    let full = dense::from_sparse(&problem.matrix);
    let x = Random::new(2).vector(count);
    let expected = dense::multiply(&full, &x);
    let close = |found: &[f64], expected: &[f64]| {
        found
            .iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() < 1e-11)
    };

    let mut y = vec![0.0; count];
    problem.matrix.multiply(&x, &mut y);
    assert!(close(&y, &expected));

    let mut z = vec![0.0; count];
    let energy = problem.matrix.multiply_dot(&x, &mut z);
    assert_eq!(y, z);
    assert!((energy - dense::dot(&x, &expected)).abs() < 1e-9);

    let square = problem.matrix.residual(&problem.rhs, &x, &mut z);
    let residual: Vec<f64> = problem
        .rhs
        .iter()
        .zip(&expected)
        .map(|(b, p)| b - p)
        .collect();
    assert!(close(&z, &residual));
    assert!((square - dense::dot(&residual, &residual)).abs() < 1e-9);
}

#[test]
fn rows_and_parts_build_the_same_matrix() {
    let built = problems::splash(20).matrix;
    let parts = SymmetricMatrix::from_parts(
        built.row_starts().to_vec(),
        built.columns().to_vec(),
        built.values().to_vec(),
        built.diagonal().to_vec(),
    )
    .unwrap();
    assert_eq!(parts, built);
    assert!(built.size() > 2048, "more than one chunk");
}

#[test]
fn couplings_and_grounds_add_up() {
    let matrix = SymmetricMatrix::from_rows(3, |row, sink| {
        match row {
            0 => sink.couple(1, 0.25),
            1 => {
                sink.couple(0, 0.25);
                sink.couple(2, 0.0);
            }
            _ => sink.diagonal(0.5),
        }
        sink.ground(2.0);
    })
    .unwrap();
    let expected = vec![
        vec![2.25, -0.25, 0.0],
        vec![-0.25, 2.25, 0.0],
        vec![0.0, 0.0, 2.5],
    ];
    assert_eq!(dense::from_sparse(&matrix), expected);
    assert_eq!(matrix.columns().len(), 2, "closed faces leave no entry");
}

#[test]
fn asymmetry_is_found() {
    for problem in problems::all(12) {
        assert_eq!(problem.matrix.asymmetry(), None, "{}", problem.name);
    }
    let lopsided = |value: f32| {
        SymmetricMatrix::from_rows(3, |row, sink| match row {
            0 => sink.off_diagonal(2, -1.0),
            2 => sink.off_diagonal(0, value),
            _ => {}
        })
        .unwrap()
    };
    assert_eq!(lopsided(-1.0).asymmetry(), None);
    assert_eq!(lopsided(-2.0).asymmetry(), Some((0, 2)));
    assert_eq!(lopsided(0.0).asymmetry(), Some((0, 2)));
}
