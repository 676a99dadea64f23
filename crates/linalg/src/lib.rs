//! Sparse symmetric solvers: conjugate gradients and multigrid preconditioners.
//!
//! The crate knows nothing of liquids: it takes a sparse symmetric matrix, or whatever else multiplies as one
//! ([`Operator`]), a right-hand side and, for the preconditioners that need geometry, one lattice coordinate per unknown.
//!
//! ```
//! use ooze_linalg::{Multigrid, MultigridSettings, SolveSettings, SolveWorkspace, SymmetricMatrix, conjugate_gradients};
//!
//! // A chain of cells between a wall on the left and a free surface on the right.
//! let count = 100;
//! let matrix = SymmetricMatrix::from_rows(count, |row, sink| {
//!     if row > 0 {
//!         sink.couple(row - 1, 1.0);
//!     }
//!     if row + 1 < count {
//!         sink.couple(row + 1, 1.0);
//!     } else {
//!         sink.ground(2.0);
//!     }
//! })?;
//! let coordinates: Vec<[i32; 3]> = (0..count as i32).map(|x| [x, 0, 0]).collect();
//! let mut multigrid = Multigrid::new(&matrix, &coordinates, &MultigridSettings::default())?;
//! let rhs = vec![1.0; count];
//! let mut x = vec![0.0; count];
//! let settings = SolveSettings { relative_tolerance: 1e-6, max_iterations: 100 };
//! let mut workspace = SolveWorkspace::default();
//! let report = conjugate_gradients(&matrix, &mut multigrid, &rhs, &mut x, &settings, &mut workspace)?;
//! assert!(report.residual <= 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every result is the same to the last bit for any number of threads: work is cut into chunks of a fixed
//! length and partial sums are added in the order of the chunks.

mod chebyshev;
mod cholesky;
mod error;
mod floating;
mod jacobi;
mod matrix;
mod multigrid;
mod operator;
mod residuals;
mod rows;
mod solve;
mod tridiagonal;
mod viscous;

pub use chebyshev::Chebyshev;
pub use cholesky::IncompleteCholesky;
pub use error::{MatrixError, PreconditionerError, SolveError};
pub use floating::FloatingComponents;
pub use jacobi::Jacobi;
pub use matrix::{RowSink, SymmetricMatrix};
pub use multigrid::{Multigrid, MultigridSettings};
pub use operator::Operator;
pub use residuals::{Preconditioned, ResidualReport, conjugate_residuals};
pub use rows::{UnknownPlace, WeightedRows, normal_matrix};
pub use solve::{Preconditioner, SolveReport, SolveSettings, SolveWorkspace, conjugate_gradients};
pub use tridiagonal::solve_tridiagonal;
pub use viscous::{GeometricMultigrid, StiffParts, StrainMultigrid, ViscousChoice, ViscousFactor};
