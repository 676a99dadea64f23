//! Parts of a matrix that no fixed value holds in place.
//!
//! In a tank full of liquid, with walls all around, pressure is known up to a constant: every row of the matrix sums
//! to zero and the matrix is singular. Several such pockets may exist beside liquid with a free surface. Each is a
//! connected component of the matrix whose rows all sum to zero; on it, constants are the null space, a right-hand
//! side has a solution only when it sums to zero, and the solution is made unique by a zero mean.

use ooze_commons::reduce::{CHUNK, ordered_sum};
use rayon::prelude::*;

use crate::matrix::SymmetricMatrix;

/// Row sums below this fraction of the diagonal count as zero: a few roundings of the f64 diagonal.
const ZERO_ROW_SUM: f64 = 1e-12;

/// Up-and-down sweeps that spread contact with fixed values before the exact search takes over.
const SWEEPS: usize = 2;

/// The connected components of a matrix on which constants are a null space, see the module's head.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FloatingComponents {
    /// Rows of all components, ascending within each component.
    rows: Vec<u32>,
    /// Where each component starts in `rows`, and where the last one ends.
    start: Vec<usize>,
}

impl FloatingComponents {
    /// Finds the floating components of a matrix.
    pub fn find(matrix: &SymmetricMatrix) -> Self {
        let count = matrix.size();
        let mut grounded = vec![false; count];
        grounded
            .par_chunks_mut(CHUNK)
            .enumerate()
            .for_each(|(chunk, grounded)| {
                for (grounded, row) in grounded.iter_mut().zip(chunk * CHUNK..) {
                    let sum = matrix.diagonal()[row]
                        + matrix
                            .row(row)
                            .map(|(_, value)| f64::from(value))
                            .sum::<f64>();
                    *grounded = sum.abs() > ZERO_ROW_SUM * matrix.diagonal()[row].abs();
                }
            });
        // Contact with a fixed value is inherited from neighbours. Two sweeps reach nearly every row, cheaply.
        let inherit = |grounded: &mut [bool], row: usize| {
            if !grounded[row] {
                grounded[row] = matrix.row(row).any(|(column, _)| grounded[column]);
            }
        };
        for _ in 0..SWEEPS {
            (0..count).for_each(|row| inherit(&mut grounded, row));
            (0..count).rev().for_each(|row| inherit(&mut grounded, row));
            if grounded.iter().all(|&grounded| grounded) {
                return Self::default();
            }
        }
        Self::search(matrix, grounded)
    }

    /// The exact search among the rows that are not yet known to be grounded.
    fn search(matrix: &SymmetricMatrix, grounded: Vec<bool>) -> Self {
        let mut visited = grounded.clone();
        let mut floating = Self {
            rows: Vec::new(),
            start: vec![0],
        };
        let mut stack = Vec::new();
        for seed in 0..matrix.size() {
            if visited[seed] {
                continue;
            }
            let first = floating.rows.len();
            let mut touches_ground = false;
            visited[seed] = true;
            stack.push(seed);
            while let Some(row) = stack.pop() {
                floating.rows.push(row as u32);
                for (column, _) in matrix.row(row) {
                    touches_ground |= grounded[column];
                    if !visited[column] {
                        visited[column] = true;
                        stack.push(column);
                    }
                }
            }
            if touches_ground {
                floating.rows.truncate(first);
            } else {
                floating.rows[first..].sort_unstable();
                floating.start.push(floating.rows.len());
            }
        }
        floating
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// The rows of one component, ascending.
    pub fn rows(&self, component: usize) -> &[u32] {
        &self.rows[self.start[component]..self.start[component + 1]]
    }

    /// Subtracts the mean over each component: the projection onto the range of the matrix.
    ///
    /// # Panics
    /// When the vector is shorter than the matrix.
    pub fn project(&self, vector: &mut [f64]) {
        for component in 0..self.count() {
            let rows = self.rows(component);
            let sum = ordered_sum(
                rows.par_chunks(CHUNK)
                    .map(|rows| rows.iter().map(|&row| vector[row as usize]).sum::<f64>()),
            );
            let mean = sum / rows.len() as f64;
            for &row in rows {
                vector[row as usize] -= mean;
            }
        }
    }
}
