//! What can go wrong in this crate, and what to do about it.

use thiserror::Error;

/// A matrix that cannot be built.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MatrixError {
    /// The arrays of a matrix do not fit one another.
    #[error(
        "matrix array `{array}` has {found} entries where {expected} are needed; build all arrays from the same rows"
    )]
    Length {
        /// Which array.
        array: &'static str,
        /// Its length.
        found: usize,
        /// The length it should have.
        expected: usize,
    },
    /// Row starts that fall from one row to the next, or do not begin with 0.
    #[error(
        "row {row} starts at entry {start}, before the row above it ends; row starts must begin with 0 and never fall"
    )]
    RowStart {
        /// The row.
        row: usize,
        /// Where it claims to start.
        start: u32,
    },
    /// An entry outside the matrix, or on its diagonal.
    #[error(
        "row {row} has an off-diagonal entry in column {column}; allowed are 0..{count} except the row itself"
    )]
    Column {
        /// The row.
        row: usize,
        /// The column at fault.
        column: usize,
        /// Number of unknowns.
        count: usize,
    },
    /// An entry that is not a number.
    #[error("the entry of row {row}, column {column} is {value}; check the weights of that cell")]
    NotFinite {
        /// The row.
        row: usize,
        /// The column; equal to the row for the diagonal.
        column: usize,
        /// The value.
        value: f64,
    },
    /// A weighted row that names an unknown which does not exist.
    #[error("weighted row {row} names unknown {column}; allowed are 0..{count}")]
    WeightedColumn {
        /// The row.
        row: usize,
        /// The unknown at fault.
        column: usize,
        /// Number of unknowns.
        count: usize,
    },
    /// A weight that gives no energy.
    #[error("weighted row {row} has the weight {weight}; give a finite weight of at least 0")]
    Weight {
        /// The row.
        row: usize,
        /// The weight.
        weight: f32,
    },
    /// More unknowns or entries than 32-bit indices can name.
    #[error(
        "{entries} unknowns or entries exceed the {limit} that 32-bit indices can name; lower the resolution"
    )]
    TooLarge {
        /// How many there are.
        entries: usize,
        /// How many there may be.
        limit: usize,
    },
}

/// A preconditioner that cannot be built.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PreconditionerError {
    /// Weighted rows that do not fit the matrix.
    #[error("the weighted rows of a matrix do not fit it: {0}")]
    Rows(#[from] MatrixError),
    /// An axis that does not exist.
    #[error("unknown {unknown} sits across axis {axis}; allowed are 0, 1 and 2")]
    Axis {
        /// The unknown.
        unknown: usize,
        /// Its axis.
        axis: u8,
    },
    /// Two unknowns on one face.
    #[error(
        "unknowns {first} and {second} sit on the same face of cell {cell:?}; number each face once"
    )]
    SamePlace {
        /// One of the two.
        first: usize,
        /// The other one.
        second: usize,
        /// The cell above the face.
        cell: [i32; 3],
    },
    /// Not one lattice coordinate per unknown.
    #[error("{coordinates} lattice coordinates were given for {unknowns} unknowns; give one each")]
    CoordinateCount {
        /// Number of coordinates.
        coordinates: usize,
        /// Number of unknowns.
        unknowns: usize,
    },
    /// A lattice too large to be numbered.
    #[error(
        "coordinates along axis {axis} run from {low} to {high}; at most {limit} cells fit, use larger cells"
    )]
    Extent {
        /// 0, 1 or 2.
        axis: usize,
        /// Smallest coordinate.
        low: i32,
        /// Largest coordinate.
        high: i32,
        /// Largest number of cells along an axis.
        limit: i64,
    },
    /// A number of half sweeps that makes no sense.
    #[error(
        "{half_sweeps} half sweeps were asked for; give {least} to {most}, 3 is fastest as a rule"
    )]
    HalfSweeps {
        /// What was asked for.
        half_sweeps: usize,
        /// Smallest number allowed.
        least: usize,
        /// Largest number allowed.
        most: usize,
    },
    /// An off-diagonal entry above zero, which no weight between cells gives.
    #[error(
        "the entry of row {row}, column {column} is {value}; multigrid needs off-diagonals of at most 0, use another \
         preconditioner for this matrix"
    )]
    PositiveCoupling {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The entry.
        value: f32,
    },
    /// A diagonal that no positive definite matrix has.
    #[error(
        "the diagonal of row {row} is {value}; a positive (semi-)definite matrix needs it positive, or 0 in an empty row"
    )]
    Diagonal {
        /// The row.
        row: usize,
        /// The diagonal entry.
        value: f64,
    },
}

/// A solve that did not end well.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SolveError {
    /// The residual is still above the tolerance after the last allowed iteration; `x` holds the best solution so far.
    #[error(
        "no convergence: relative residual {residual:.3e} after {iterations} iterations, tolerance {tolerance:.3e}; \
         allow more iterations, loosen the tolerance or use a stronger preconditioner"
    )]
    NotConverged {
        /// Iterations done.
        iterations: usize,
        /// True residual, relative to the right-hand side.
        residual: f64,
        /// Residual asked for.
        tolerance: f64,
    },
    /// A diagonal entry is negative, or zero in a row with other entries.
    #[error(
        "the matrix is not positive definite: the diagonal of row {row} is {value}; the diagonal must be at least the \
         sum of the weights of its row"
    )]
    NegativeDiagonal {
        /// The row.
        row: usize,
        /// Its diagonal.
        value: f64,
    },
    /// A search direction along which the matrix curves downwards.
    #[error(
        "the matrix or the preconditioner is not positive definite: curvature {curvature:.3e} in iteration {iteration}; \
         check that the matrix is symmetric and that each diagonal is at least the sum of the weights of its row"
    )]
    NotPositiveDefinite {
        /// Iteration in which it showed.
        iteration: usize,
        /// `pᵀAp` or `rᵀMr`, whichever was not positive.
        curvature: f64,
    },
    /// A value that is not a number, in the input or grown during the solve.
    #[error(
        "{place} is not finite at row {row}; check the velocities and weights that went into that cell"
    )]
    NotFinite {
        /// Which vector.
        place: &'static str,
        /// The first row at fault.
        row: usize,
    },
    /// Vectors that do not fit the matrix.
    #[error(
        "{vector} has {found} entries for a matrix of {expected} unknowns; build both from the same cells"
    )]
    Size {
        /// Which vector.
        vector: &'static str,
        /// Its length.
        found: usize,
        /// The number of unknowns.
        expected: usize,
    },
    /// A tolerance that no solve can reach.
    #[error("relative tolerance {value} is not usable; give a value from {minimum:e} to below 1")]
    Tolerance {
        /// The tolerance given.
        value: f64,
        /// The smallest allowed.
        minimum: f64,
    },
}
