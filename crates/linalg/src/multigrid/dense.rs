//! The coarsest level: the inverse of a small matrix.

use ooze_commons::reduce::dot_chunk;

use super::network::Network;

/// Pivots below this fraction of the diagonal belong to a part without ground; its last unknown is set to zero.
const ZERO_PIVOT: f64 = 1e-12;

/// The inverse of a network's matrix, symmetric; a generalised inverse where the matrix is singular.
#[derive(Debug)]
pub(super) struct DenseInverse {
    value: Vec<f64>,
    /// The right-hand side in f64.
    b: Vec<f64>,
}

impl DenseInverse {
    /// Inverts by Gauss-Jordan elimination without exchanges, which is stable for definite matrices.
    pub(super) fn new(network: &Network) -> Self {
        let size = network.size();
        let mut matrix = vec![0.0f64; size * size];
        let mut diagonal = vec![0.0f64; size];
        for row in 0..size {
            diagonal[row] = f64::from(network.nodes[row].ground);
            for coupling in network.row(row) {
                matrix[row * size + coupling.column as usize] = -f64::from(coupling.weight);
                diagonal[row] += f64::from(coupling.weight);
            }
            matrix[row * size + row] = diagonal[row];
        }
        sweep_all(&mut matrix, &diagonal);
        // Roundings differ on the two sides of the diagonal: their mean is symmetric.
        let value = (0..size * size)
            .map(|index| {
                let (row, column) = (index / size, index % size);
                0.5 * (matrix[row * size + column] + matrix[column * size + row])
            })
            .collect();
        Self {
            value,
            b: vec![0.0; size],
        }
    }

    /// `x = A⁻¹ b`. In f64: where chambers leak through slits, the inverse is a large constant plus what matters.
    pub(super) fn apply(&mut self, b: &[f32], x: &mut [f32]) {
        for (wide, &b) in self.b.iter_mut().zip(b) {
            *wide = f64::from(b);
        }
        for (row, x) in x.iter_mut().enumerate().take(self.b.len()) {
            let values = &self.value[row * self.b.len()..(row + 1) * self.b.len()];
            *x = dot_chunk(values, &self.b) as f32;
        }
    }
}

/// In-place inversion, pivot by pivot; rows and columns of vanishing pivots end as zero.
fn sweep_all(matrix: &mut [f64], diagonal: &[f64]) {
    let size = diagonal.len();
    for pivot_row in 0..size {
        let pivot = matrix[pivot_row * size + pivot_row];
        let mut scaled: Vec<f64> = matrix[pivot_row * size..(pivot_row + 1) * size].to_vec();
        if pivot <= ZERO_PIVOT * diagonal[pivot_row] {
            for other in 0..size {
                matrix[pivot_row * size + other] = 0.0;
                matrix[other * size + pivot_row] = 0.0;
            }
            continue;
        }
        for value in &mut scaled {
            *value /= pivot;
        }
        scaled[pivot_row] = 1.0 / pivot;
        for (row, values) in matrix.chunks_exact_mut(size).enumerate() {
            if row == pivot_row {
                values.copy_from_slice(&scaled);
                continue;
            }
            let factor = values[pivot_row];
            if factor == 0.0 {
                continue;
            }
            values[pivot_row] = 0.0;
            for (value, scaled) in values.iter_mut().zip(&scaled) {
                *value -= factor * scaled;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::SymmetricMatrix;

    fn invert(matrix: &SymmetricMatrix, coordinates: &[[i32; 3]]) -> Vec<Vec<f32>> {
        let (network, numbering) = Network::from_matrix(matrix, coordinates).unwrap();
        let mut inverse = DenseInverse::new(&network);
        let count = matrix.size();
        let column = |column: usize| {
            let mut b = vec![0.0; count];
            b[numbering.unknown[column] as usize] = 1.0;
            let mut x = vec![0.0; count];
            inverse.apply(&b, &mut x);
            (0..count)
                .map(|row| x[numbering.unknown[row] as usize])
                .collect()
        };
        (0..count).map(column).collect()
    }

    #[test]
    fn a_chain_has_its_known_inverse() {
        // Weight 1 between neighbours, ground 1 at one end: the inverse is min(i, j) + 1.
        let count = 9;
        let matrix = SymmetricMatrix::from_rows(count, |row, sink| {
            if row > 0 {
                sink.couple(row - 1, 1.0);
            } else {
                sink.ground(1.0);
            }
            if row + 1 < count {
                sink.couple(row + 1, 1.0);
            }
        })
        .unwrap();
        let coordinates: Vec<[i32; 3]> = (0..count as i32).map(|x| [x, 0, 0]).collect();
        let inverse = invert(&matrix, &coordinates);
        for (column, values) in inverse.iter().enumerate() {
            for (row, &value) in values.iter().enumerate() {
                assert!((value - (row.min(column) + 1) as f32).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn a_part_without_ground_gets_a_generalised_inverse() {
        // Two unknowns coupled by 0.5, a third one grounded by 4.
        let matrix = SymmetricMatrix::from_rows(3, |row, sink| match row {
            2 => sink.ground(4.0),
            _ => sink.couple(1 - row, 0.5),
        })
        .unwrap();
        let inverse = invert(&matrix, &[[0, 0, 0], [1, 0, 0], [5, 0, 0]]);
        // A G A = A for the pair: the difference of its values is right, one of them is zero.
        let difference = inverse[0][0] - inverse[0][1] - inverse[1][0] + inverse[1][1];
        assert!((difference - 2.0).abs() < 1e-6);
        assert!(inverse[0][0] * inverse[1][1] == 0.0 && inverse[0][1] == 0.0);
        assert_eq!(inverse[2], [0.0, 0.0, 0.25]);
    }
}
