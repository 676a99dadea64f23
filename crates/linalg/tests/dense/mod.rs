//! Dense matrices as a reference for small problems.
#![allow(dead_code, reason = "each test file uses some of the helpers")]

use ooze_linalg::{Preconditioner, SymmetricMatrix};

/// A square matrix by rows.
pub(crate) type Dense = Vec<Vec<f64>>;

/// All entries of a sparse matrix.
pub(crate) fn from_sparse(matrix: &SymmetricMatrix) -> Dense {
    let count = matrix.size();
    let mut dense = vec![vec![0.0; count]; count];
    for (row, values) in dense.iter_mut().enumerate() {
        values[row] = matrix.diagonal()[row];
        for (column, value) in matrix.row(row) {
            values[column] += f64::from(value);
        }
    }
    dense
}

/// A preconditioner as a matrix: its columns are what it makes of unit vectors.
pub(crate) fn from_preconditioner(preconditioner: &mut dyn Preconditioner, count: usize) -> Dense {
    let mut dense = vec![vec![0.0; count]; count];
    let mut unit = vec![0.0; count];
    let mut image = vec![0.0; count];
    for column in 0..count {
        unit[column] = 1.0;
        preconditioner.apply(&unit, &mut image);
        unit[column] = 0.0;
        for (values, &value) in dense.iter_mut().zip(&image) {
            values[column] = value;
        }
    }
    dense
}

/// The lower Cholesky factor, or the first row whose pivot is not positive.
pub(crate) fn cholesky(matrix: &Dense) -> Result<Dense, usize> {
    let count = matrix.len();
    let mut factor = vec![vec![0.0; count]; count];
    for row in 0..count {
        for column in 0..=row {
            let products = factor[row][..column].iter().zip(&factor[column][..column]);
            let rest = matrix[row][column] - products.map(|(a, b)| a * b).sum::<f64>();
            if row == column {
                if rest <= 0.0 {
                    return Err(row);
                }
                factor[row][row] = rest.sqrt();
            } else {
                factor[row][column] = rest / factor[column][column];
            }
        }
    }
    Ok(factor)
}

/// Solves a positive definite system.
pub(crate) fn solve(matrix: &Dense, rhs: &[f64]) -> Vec<f64> {
    let factor = cholesky(matrix).expect("the reference matrix is positive definite");
    let count = rhs.len();
    let mut x = rhs.to_vec();
    for row in 0..count {
        let known: f64 = (0..row).map(|column| factor[row][column] * x[column]).sum();
        x[row] = (x[row] - known) / factor[row][row];
    }
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count)
            .map(|column| factor[column][row] * x[column])
            .sum();
        x[row] = (x[row] - known) / factor[row][row];
    }
    x
}

/// `A x`.
pub(crate) fn multiply(matrix: &Dense, x: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, x)).collect()
}

/// The inner product.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The 2-norm.
pub(crate) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
