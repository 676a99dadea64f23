//! The coarsest level: the inverse of a small matrix.

use super::network::Network;

/// Pivots below this fraction of the diagonal belong to a part without ground; its last unknown is set to zero.
const ZERO_PIVOT: f64 = 1e-12;

/// The inverse of a network's matrix, symmetric; a generalised inverse where the matrix is singular.
#[derive(Debug)]
pub(super) struct DenseInverse {
    size: usize,
    value: Vec<f32>,
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
                (0.5 * (matrix[row * size + column] + matrix[column * size + row])) as f32
            })
            .collect();
        Self { size, value }
    }

    /// `x = A⁻¹ b`.
    pub(super) fn apply(&self, b: &[f32], x: &mut [f32]) {
        if self.size == 0 {
            return;
        }
        for (x, row) in x.iter_mut().zip(self.value.chunks_exact(self.size)) {
            *x = row.iter().zip(b).map(|(value, b)| value * b).sum();
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
