//! Weighted rows and the matrix of their energy, against a plain sum.

mod dense;
mod problems;

use ooze_linalg::{MatrixError, WeightedRows, normal_matrix};
use problems::Random;
use proptest::prelude::*;

/// Random rows on a number of unknowns, some of weight zero, some naming an unknown twice.
fn random_rows(unknowns: u32, count: usize, seed: u64) -> WeightedRows {
    let mut random = Random::new(seed);
    let mut rows = WeightedRows::default();
    for row in 0..count {
        let entries: Vec<(u32, f32)> = (0..row % 6)
            .map(|_| {
                let column = (random.symmetric() + 1.0) * 0.5 * f64::from(unknowns);
                (column as u32, random.symmetric() as f32)
            })
            .collect();
        rows.push((random.symmetric() as f32).max(0.0), entries);
    }
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn the_normal_matrix_is_the_sum_of_its_rows(
        unknowns in 1u32..60, count in 0usize..400, seed in any::<u64>()
    ) {
        let rows = random_rows(unknowns, count, seed);
        let mass: Vec<f64> = (0..unknowns).map(|i| 0.5 + f64::from(i)).collect();
        let matrix = normal_matrix(&mass, &rows).unwrap();
        prop_assert_eq!(matrix.asymmetry(), None);
        let size = unknowns as usize;
        let mut expected = vec![vec![0.0; size]; size];
        for (i, &mass) in mass.iter().enumerate() {
            expected[i][i] = mass;
        }
        for row in 0..rows.len() {
            let (columns, coefficients) = rows.row(row);
            for (&i, &a) in columns.iter().zip(coefficients) {
                for (&j, &b) in columns.iter().zip(coefficients) {
                    expected[i as usize][j as usize] +=
                        f64::from(rows.weights()[row]) * f64::from(a) * f64::from(b);
                }
            }
        }
        let found = dense::from_sparse(&matrix);
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            prop_assert!((found - expected).abs() < 1e-5, "{} instead of {}", found, expected);
        }
    }
}

/// With coefficients of ±1 and pairs that meet once, motions without strain cost exactly the mass.
#[test]
fn motions_without_strain_cost_nothing() {
    let mut rows = WeightedRows::default();
    for i in 0..99 {
        rows.push(1e6 / (3.0 + i as f32), [(i, -1.0), (i + 1, 1.0)]);
    }
    let matrix = normal_matrix(&vec![1e-3; 100], &rows).unwrap();
    let mut product = vec![0.0; 100];
    matrix.multiply(&vec![1.0; 100], &mut product);
    assert!(product.iter().all(|value| (value - 1e-3).abs() < 1e-9));
}

#[test]
fn appended_rows_are_those_of_one_list() {
    let whole = random_rows(50, 90, 3);
    let mut joined = WeightedRows::default();
    for range in [0..20, 20..21, 21..90] {
        let mut part = WeightedRows::default();
        for row in range {
            let (columns, coefficients) = whole.row(row);
            let entries = columns.iter().copied().zip(coefficients.iter().copied());
            part.push(whole.weights()[row], entries);
        }
        joined.append(&part);
    }
    assert_eq!(joined, whole);
}

#[test]
fn faults_are_named() {
    let rows = |start: &[u32], column: &[u32], coefficient: &[f32], weight: &[f32]| {
        WeightedRows::from_parts(
            start.to_vec(),
            column.to_vec(),
            coefficient.to_vec(),
            weight.to_vec(),
        )
    };
    assert!(rows(&[0, 2], &[0, 1], &[1.0, -1.0], &[2.0]).is_ok());
    let error = rows(&[0, 2], &[0, 1], &[1.0, -1.0], &[]).unwrap_err();
    assert!(matches!(
        error,
        MatrixError::Length {
            array: "row_start",
            ..
        }
    ));
    let error = rows(&[0, 3], &[0, 1], &[1.0, -1.0], &[1.0]).unwrap_err();
    assert!(matches!(
        error,
        MatrixError::Length {
            array: "column",
            ..
        }
    ));
    let error = rows(&[0, 2, 1], &[0, 1], &[1.0, -1.0], &[1.0, 1.0]).unwrap_err();
    assert_eq!(error, MatrixError::RowStart { row: 2, start: 1 });
    let error = rows(&[0, 1, 2], &[0, 1], &[1.0, f32::NAN], &[1.0, 1.0]).unwrap_err();
    assert!(matches!(
        error,
        MatrixError::NotFinite {
            row: 1,
            column: 1,
            ..
        }
    ));
    for weight in [-1.0, f32::INFINITY] {
        let error = rows(&[0, 1, 2], &[0, 1], &[1.0, 1.0], &[1.0, weight]).unwrap_err();
        assert_eq!(error, MatrixError::Weight { row: 1, weight });
        assert!(error.to_string().contains("row 1"), "{error}");
    }
    let named = rows(&[0, 1, 2], &[0, 7], &[1.0, 1.0], &[1.0, 1.0]).unwrap();
    assert_eq!(
        normal_matrix(&[1.0; 7], &named).unwrap_err(),
        MatrixError::WeightedColumn {
            row: 1,
            column: 7,
            count: 7
        }
    );
}

#[test]
fn nothing_is_a_matrix_too() {
    let matrix = normal_matrix(&[], &WeightedRows::default()).unwrap();
    assert_eq!(matrix.size(), 0);
    let matrix = normal_matrix(&[2.0, 3.0], &WeightedRows::default()).unwrap();
    assert_eq!(matrix.diagonal(), [2.0, 3.0]);
}
