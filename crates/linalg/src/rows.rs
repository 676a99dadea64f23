//! Weighted rows `G` and the matrix of their energy, `A = diag(mass) + Gᵀ W G`.
//!
//! That is the form of implicit viscosity (Batty & Bridson 2008, eq. 11): unknowns are velocities on the faces of a
//! staggered grid, each row of `G` is one sample of the strain rate (two faces at a cell's centre, up to four around
//! an edge, fewer at walls) and its weight is viscosity × volume × time step. Preconditioners want the rows besides
//! the matrix: motions without strain are the kernel of `G`, which a sum of its rows no longer shows.

use crate::error::MatrixError;
use crate::matrix::SymmetricMatrix;

/// Sparse rows with a weight each, in compressed form.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedRows {
    row_start: Vec<u32>,
    column: Vec<u32>,
    coefficient: Vec<f32>,
    weight: Vec<f32>,
}

/// Where an unknown of a staggered grid sits: on the lower face of a cell across an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct UnknownPlace {
    /// The cell above the face.
    pub cell: [i32; 3],
    /// The axis across the face, 0 to 2: the component of velocity that lives there.
    pub axis: u8,
}

impl Default for WeightedRows {
    fn default() -> Self {
        Self {
            row_start: vec![0],
            column: Vec::new(),
            coefficient: Vec::new(),
            weight: Vec::new(),
        }
    }
}

impl WeightedRows {
    /// Rows from their arrays: `row_start` has one entry more than there are rows, `column` and `coefficient` hold the
    /// entries row by row, `weight` one value per row.
    ///
    /// # Errors
    /// When the arrays do not fit one another, a coefficient is not finite, or a weight is negative or not finite.
    pub fn from_parts(
        row_start: Vec<u32>,
        column: Vec<u32>,
        coefficient: Vec<f32>,
        weight: Vec<f32>,
    ) -> Result<Self, MatrixError> {
        let rows = Self {
            row_start,
            column,
            coefficient,
            weight,
        };
        rows.check(None)?;
        Ok(rows)
    }

    /// Adds a row. Zero coefficients are left out; a row of zero weight is kept but has no effect.
    pub fn push(&mut self, weight: f32, entries: impl IntoIterator<Item = (u32, f32)>) {
        for (column, coefficient) in entries {
            if coefficient != 0.0 {
                self.column.push(column);
                self.coefficient.push(coefficient);
            }
        }
        self.weight.push(weight);
        self.row_start.push(entry_index(self.column.len()));
    }

    /// Adds the rows of another, for rows that were made in parallel.
    pub fn append(&mut self, other: &Self) {
        let offset = self.column.len();
        self.column.extend_from_slice(&other.column);
        self.coefficient.extend_from_slice(&other.coefficient);
        self.weight.extend_from_slice(&other.weight);
        let starts = other.row_start[1..].iter();
        self.row_start
            .extend(starts.map(|&start| entry_index(offset + start as usize)));
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.weight.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.weight.is_empty()
    }

    /// Weights, one per row.
    pub fn weights(&self) -> &[f32] {
        &self.weight
    }

    /// The same, to be changed.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weight
    }

    /// Where each row starts in [`columns`](Self::columns), and where the last one ends.
    pub fn row_starts(&self) -> &[u32] {
        &self.row_start
    }

    /// Columns of the entries, row by row.
    pub fn columns(&self) -> &[u32] {
        &self.column
    }

    /// Columns and coefficients of one row.
    #[inline]
    pub fn row(&self, row: usize) -> (&[u32], &[f32]) {
        let entries = self.row_start[row] as usize..self.row_start[row + 1] as usize;
        (&self.column[entries.clone()], &self.coefficient[entries])
    }

    /// Checks the arrays, and the columns against the number of unknowns where that is known.
    pub(crate) fn check(&self, unknowns: Option<usize>) -> Result<(), MatrixError> {
        for (array, found, expected) in [
            ("row_start", self.row_start.len(), self.weight.len() + 1),
            ("coefficient", self.coefficient.len(), self.column.len()),
        ] {
            if found != expected {
                return Err(MatrixError::Length {
                    array,
                    found,
                    expected,
                });
            }
        }
        let limit = u32::MAX as usize - 1;
        if self.column.len() > limit {
            return Err(MatrixError::TooLarge {
                entries: self.column.len(),
                limit,
            });
        }
        let mut previous = 0;
        for (row, &start) in self.row_start.iter().enumerate() {
            if start < previous || (row == 0 && start != 0) {
                return Err(MatrixError::RowStart { row, start });
            }
            previous = start;
        }
        if previous as usize != self.column.len() {
            return Err(MatrixError::Length {
                array: "column",
                found: self.column.len(),
                expected: previous as usize,
            });
        }
        let bad_weight = |weight: &f32| !(weight.is_finite() && *weight >= 0.0);
        if let Some(row) = self.weight.iter().position(bad_weight) {
            return Err(MatrixError::Weight {
                row,
                weight: self.weight[row],
            });
        }
        let row_of = |entry: usize| self.row_start.partition_point(|&s| s as usize <= entry) - 1;
        let finite = |coefficient: &f32| coefficient.is_finite();
        if let Some(entry) = self.coefficient.iter().position(|value| !finite(value)) {
            return Err(MatrixError::NotFinite {
                row: row_of(entry),
                column: self.column[entry] as usize,
                value: f64::from(self.coefficient[entry]),
            });
        }
        let Some(count) = unknowns else {
            return Ok(());
        };
        match self.column.iter().position(|&c| c as usize >= count) {
            Some(entry) => Err(MatrixError::WeightedColumn {
                row: row_of(entry),
                column: self.column[entry] as usize,
                count,
            }),
            None => Ok(()),
        }
    }
}

/// An index beyond 32 bits becomes the largest one, which the check of the finished rows refuses.
fn entry_index(entries: usize) -> u32 {
    u32::try_from(entries).unwrap_or(u32::MAX)
}

/// `A = diag(mass) + Gᵀ W G`, exactly symmetric, with the columns of each row in ascending order.
///
/// Off-diagonals are f32 (see [`SymmetricMatrix`]): they are exact where two unknowns share one row only and
/// coefficients are powers of two, as on a staggered grid of cubic cells; motions in the kernel of `G` are then in
/// that of `A − diag(mass)` to f64 precision.
///
/// # Errors
/// When rows name unknowns that have no mass entry, or values are not finite.
pub fn normal_matrix(mass: &[f64], rows: &WeightedRows) -> Result<SymmetricMatrix, MatrixError> {
    rows.check(Some(mass.len()))?;
    let incident = Incidence::new(mass.len(), rows);
    SymmetricMatrix::from_rows(mass.len(), |unknown, sink| {
        let mut entries: [(u32, f64); 32] = [(u32::MAX, 0.0); 32];
        let mut overflow = Vec::new();
        let mut count = 0;
        let mut diagonal = mass[unknown];
        for &row in incident.rows(unknown) {
            let (columns, coefficients) = rows.row(row as usize);
            let weight = f64::from(rows.weights()[row as usize]);
            let own = coefficient_of(columns, coefficients, unknown as u32);
            for (entry, &column) in columns.iter().enumerate() {
                let other = if !incident.repeats {
                    f64::from(coefficients[entry])
                } else if columns[..entry].contains(&column) {
                    continue;
                } else {
                    coefficient_of(columns, coefficients, column)
                };
                // The product of two f32 is exact, hence the same for the transposed entry.
                let value = weight * (own * other);
                if column as usize == unknown {
                    diagonal += value;
                } else if !overflow.is_empty() || count == entries.len() {
                    overflow.push((column, value));
                } else {
                    count = insert(&mut entries, count, column, value);
                }
            }
        }
        sink.diagonal(diagonal);
        if overflow.is_empty() {
            for &(column, value) in &entries[..count] {
                sink.off_diagonal(column as usize, value as f32);
            }
        } else {
            overflow.splice(0..0, entries[..count].iter().copied());
            // A stable sort keeps the order of addition, which the transposed entry shares.
            overflow.sort_by_key(|&(column, _)| column);
            for same in overflow.chunk_by(|a, b| a.0 == b.0) {
                let sum: f64 = same.iter().map(|&(_, value)| value).sum();
                sink.off_diagonal(same[0].0 as usize, sum as f32);
            }
        }
    })
}

/// The coefficient of a column in a row; the sum where the row names it more than once.
#[inline]
fn coefficient_of(columns: &[u32], coefficients: &[f32], column: u32) -> f64 {
    let entries = columns.iter().zip(coefficients);
    let own = entries.filter(|&(&other, _)| other == column);
    own.map(|(_, &coefficient)| f64::from(coefficient)).sum()
}

/// Adds a value to a list of entries in ascending order; returns the new length.
#[inline]
fn insert(entries: &mut [(u32, f64)], count: usize, column: u32, value: f64) -> usize {
    let mut place = count;
    while place > 0 && entries[place - 1].0 > column {
        place -= 1;
    }
    if place > 0 && entries[place - 1].0 == column {
        entries[place - 1].1 += value;
        return count;
    }
    entries.copy_within(place..count, place + 1);
    entries[place] = (column, value);
    count + 1
}

/// The rows of positive weight that touch each unknown, ascending.
pub(crate) struct Incidence {
    start: Vec<u32>,
    row: Vec<u32>,
    /// Whether any row names an unknown twice.
    repeats: bool,
}

impl Incidence {
    /// Sorts the rows by unknown; a row that names an unknown twice is listed once.
    pub(crate) fn new(unknowns: usize, rows: &WeightedRows) -> Self {
        let mut start = vec![0u32; unknowns + 1];
        let mut repeats = false;
        for row in 0..rows.len() {
            if rows.weights()[row] > 0.0 {
                let columns = rows.row(row).0;
                for (entry, &column) in columns.iter().enumerate() {
                    repeats |= columns[..entry].contains(&column);
                    start[column as usize] += 1;
                }
            }
        }
        // Turned into ends, which filling from the back turns into starts.
        let mut end = 0;
        for count in &mut start {
            end += *count;
            *count = end;
        }
        let mut row_of = vec![0; end as usize];
        for row in (0..rows.len()).rev() {
            if rows.weights()[row] > 0.0 {
                for &column in rows.row(row).0 {
                    let place = &mut start[column as usize];
                    *place -= 1;
                    row_of[*place as usize] = row as u32;
                }
            }
        }
        let mut incidence = Self {
            start,
            row: row_of,
            repeats,
        };
        if repeats {
            incidence.drop_repeats(unknowns);
        }
        incidence
    }

    fn drop_repeats(&mut self, unknowns: usize) {
        let (mut from, mut kept) = (0, 0);
        for unknown in 0..unknowns {
            let end = self.start[unknown + 1] as usize;
            self.start[unknown] = kept as u32;
            for entry in from..end {
                if entry == from || self.row[entry] != self.row[entry - 1] {
                    self.row[kept] = self.row[entry];
                    kept += 1;
                }
            }
            from = end;
        }
        self.start[unknowns] = kept as u32;
        self.row.truncate(kept);
    }

    /// The rows that touch an unknown.
    #[inline]
    pub(crate) fn rows(&self, unknown: usize) -> &[u32] {
        &self.row[self.start[unknown] as usize..self.start[unknown + 1] as usize]
    }
}
