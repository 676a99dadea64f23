//! A sparse symmetric matrix in compressed rows.
//!
//! Off-diagonals are f32: they are face weights, known no better than that. The diagonal is f64 because it is a sum
//! of such weights: a rounded diagonal acts as a spurious source proportional to the pressure itself, and makes the
//! matrix of a closed tank indefinite.

use ooze_commons::reduce::{CHUNK, dot_chunk, ordered_sum};
use rayon::prelude::*;

use crate::error::MatrixError;

/// A sparse symmetric matrix; both triangles are stored, the diagonal apart from the rest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SymmetricMatrix {
    row_start: Vec<u32>,
    column: Vec<u32>,
    value: Vec<f32>,
    diagonal: Vec<f64>,
}

/// Receives the entries of one row.
#[derive(Debug, Default)]
pub struct RowSink {
    column: Vec<u32>,
    value: Vec<f32>,
    diagonal: f64,
}

impl RowSink {
    /// Adds an off-diagonal entry. The transposed entry must be given with its own row; zeros are left out.
    pub fn off_diagonal(&mut self, column: usize, value: f32) {
        if value != 0.0 {
            // An index beyond 32 bits becomes the largest one, which the check of the finished chunk refuses.
            self.column.push(u32::try_from(column).unwrap_or(u32::MAX));
            self.value.push(value);
        }
    }

    /// Adds to the diagonal entry.
    pub fn diagonal(&mut self, value: f64) {
        self.diagonal += value;
    }

    /// Couples the row to another unknown with a weight ≥ 0: −weight off the diagonal, +weight on it.
    pub fn couple(&mut self, column: usize, weight: f32) {
        self.off_diagonal(column, -weight);
        self.diagonal += f64::from(weight);
    }

    /// Couples the row to a fixed value (a free surface) with a weight ≥ 0: +weight on the diagonal.
    pub fn ground(&mut self, weight: f32) {
        self.diagonal += f64::from(weight);
    }
}

/// The rows of one chunk while a matrix is built.
struct BuiltChunk {
    sink: RowSink,
    row_length: Vec<u32>,
    diagonal: Vec<f64>,
}

impl SymmetricMatrix {
    /// A matrix from its arrays: `row_start` has one entry more than there are rows, `column` and `value` hold the
    /// off-diagonals of both triangles row by row.
    ///
    /// # Errors
    /// When the arrays do not fit one another, an index is out of range or a value is not finite. Symmetry is not
    /// checked here, see [`asymmetry`](Self::asymmetry).
    pub fn from_parts(
        row_start: Vec<u32>,
        column: Vec<u32>,
        value: Vec<f32>,
        diagonal: Vec<f64>,
    ) -> Result<Self, MatrixError> {
        let length = |array, found, expected| {
            if found == expected {
                Ok(())
            } else {
                Err(MatrixError::Length {
                    array,
                    found,
                    expected,
                })
            }
        };
        check_size(diagonal.len())?;
        check_size(column.len())?;
        length("row_start", row_start.len(), diagonal.len() + 1)?;
        length("value", value.len(), column.len())?;
        if row_start[0] != 0 {
            return Err(MatrixError::RowStart {
                row: 0,
                start: row_start[0],
            });
        }
        if let Some(row) = (1..row_start.len()).find(|&row| row_start[row] < row_start[row - 1]) {
            return Err(MatrixError::RowStart {
                row,
                start: row_start[row],
            });
        }
        length("column", column.len(), row_start[diagonal.len()] as usize)?;
        let matrix = Self {
            row_start,
            column,
            value,
            diagonal,
        };
        matrix.check_entries()?;
        Ok(matrix)
    }

    /// Builds a matrix row by row, in parallel: `fill` is called once for each row, in no particular order.
    ///
    /// # Errors
    /// When an index is out of range or a value is not finite.
    pub fn from_rows(
        count: usize,
        fill: impl Fn(usize, &mut RowSink) + Sync,
    ) -> Result<Self, MatrixError> {
        check_size(count)?;
        let chunks: Vec<BuiltChunk> = (0..count.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let rows = chunk * CHUNK..count.min((chunk + 1) * CHUNK);
                let mut sink = RowSink {
                    column: Vec::with_capacity(16 * rows.len()),
                    value: Vec::with_capacity(16 * rows.len()),
                    diagonal: 0.0,
                };
                let mut row_length = Vec::with_capacity(rows.len());
                let mut diagonal = Vec::with_capacity(rows.len());
                for row in rows {
                    let before = sink.column.len();
                    sink.diagonal = 0.0;
                    fill(row, &mut sink);
                    row_length.push((sink.column.len() - before) as u32);
                    diagonal.push(sink.diagonal);
                }
                BuiltChunk {
                    sink,
                    row_length,
                    diagonal,
                }
            })
            .collect();
        let entries = chunks.iter().map(|chunk| chunk.sink.column.len()).sum();
        check_size(entries)?;
        let mut matrix = Self {
            row_start: Vec::with_capacity(count + 1),
            column: Vec::with_capacity(entries),
            value: Vec::with_capacity(entries),
            diagonal: Vec::with_capacity(count),
        };
        matrix.row_start.push(0);
        let mut start = 0;
        for chunk in chunks {
            for length in chunk.row_length {
                start += length;
                matrix.row_start.push(start);
            }
            matrix.column.extend_from_slice(&chunk.sink.column);
            matrix.value.extend_from_slice(&chunk.sink.value);
            matrix.diagonal.extend_from_slice(&chunk.diagonal);
        }
        matrix.check_entries()?;
        Ok(matrix)
    }

    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.diagonal.len()
    }

    /// The diagonal.
    pub fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    /// Where each row starts in [`columns`](Self::columns) and [`values`](Self::values), and where the last one ends.
    pub fn row_starts(&self) -> &[u32] {
        &self.row_start
    }

    /// Columns of the off-diagonals, row by row.
    pub fn columns(&self) -> &[u32] {
        &self.column
    }

    /// Values of the off-diagonals, row by row.
    pub fn values(&self) -> &[f32] {
        &self.value
    }

    /// Columns and values of the off-diagonals of one row.
    #[inline]
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let entries = self.row_start[row] as usize..self.row_start[row + 1] as usize;
        self.column[entries.clone()]
            .iter()
            .zip(&self.value[entries])
            .map(|(&column, &value)| (column as usize, value))
    }

    /// `y = A x`.
    ///
    /// # Panics
    /// When a vector has another length than the matrix.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        self.check_vectors(x, y);
        y.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, y)| {
            for (y, row) in y.iter_mut().zip(chunk * CHUNK..) {
                *y = self.row_product(row, x);
            }
        });
    }

    /// `y = A x`, returning `x · y`.
    ///
    /// # Panics
    /// When a vector has another length than the matrix.
    pub fn multiply_dot(&self, x: &[f64], y: &mut [f64]) -> f64 {
        self.check_vectors(x, y);
        let chunks = y.par_chunks_mut(CHUNK).zip(x.par_chunks(CHUNK)).enumerate();
        ordered_sum(chunks.map(|(chunk, (y, own_x))| {
            for (y, row) in y.iter_mut().zip(chunk * CHUNK..) {
                *y = self.row_product(row, x);
            }
            dot_chunk(own_x, y)
        }))
    }

    /// `r = b − A x`, returning `r · r`.
    ///
    /// # Panics
    /// When a vector has another length than the matrix.
    pub fn residual(&self, b: &[f64], x: &[f64], r: &mut [f64]) -> f64 {
        self.check_vectors(x, r);
        assert_eq!(
            b.len(),
            self.size(),
            "right-hand side and matrix differ in size"
        );
        ordered_sum(r.par_chunks_mut(CHUNK).enumerate().map(|(chunk, r)| {
            for (r, row) in r.iter_mut().zip(chunk * CHUNK..) {
                *r = b[row] - self.row_product(row, x);
            }
            dot_chunk(r, r)
        }))
    }

    /// The first entry whose transposed entry is missing or differs, if any; for checks while a matrix is developed.
    pub fn asymmetry(&self) -> Option<(usize, usize)> {
        (0..self.size()).find_map(|row| {
            self.row(row)
                .find(|&(column, value)| {
                    !self
                        .row(column)
                        .any(|transposed| transposed == (row, value))
                })
                .map(|(column, _)| (row, column))
        })
    }

    #[inline]
    fn row_product(&self, row: usize, x: &[f64]) -> f64 {
        let mut sum = self.diagonal[row] * x[row];
        for (column, value) in self.row(row) {
            sum += f64::from(value) * x[column];
        }
        sum
    }

    fn check_vectors(&self, x: &[f64], y: &[f64]) {
        assert_eq!(x.len(), self.size(), "vector and matrix differ in size");
        assert_eq!(y.len(), self.size(), "result and matrix differ in size");
    }

    fn check_entries(&self) -> Result<(), MatrixError> {
        let faults: Vec<Option<MatrixError>> = (0..self.size().div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                (chunk * CHUNK..self.size().min((chunk + 1) * CHUNK))
                    .find_map(|row| self.fault_in_row(row))
            })
            .collect();
        faults.into_iter().flatten().next().map_or(Ok(()), Err)
    }

    fn fault_in_row(&self, row: usize) -> Option<MatrixError> {
        if !self.diagonal[row].is_finite() {
            return Some(MatrixError::NotFinite {
                row,
                column: row,
                value: self.diagonal[row],
            });
        }
        self.row(row).find_map(|(column, value)| {
            if column >= self.size() || column == row {
                Some(MatrixError::Column {
                    row,
                    column,
                    count: self.size(),
                })
            } else if !value.is_finite() {
                Some(MatrixError::NotFinite {
                    row,
                    column,
                    value: f64::from(value),
                })
            } else {
                None
            }
        })
    }
}

fn check_size(entries: usize) -> Result<(), MatrixError> {
    // One index is kept free so that sums of indices and "none" marks fit.
    let limit = u32::MAX as usize - 1;
    if entries > limit {
        Err(MatrixError::TooLarge { entries, limit })
    } else {
        Ok(())
    }
}
