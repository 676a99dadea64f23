//! Preconditioners for the energy of strains, `A = diag(mass) + Gᵀ W G`, on a staggered grid: implicit viscosity (Batty &
//! Bridson 2008) at any viscosity.
//!
//! Compact and slender bodies are for `geometric`, thin ones for `direct` where there is little of them and for `aggregation` beyond,
//! soft liquid with stiff crumbs for `stiff_parts`; `choice` tells which of the others suits a system.

mod aggregation;
mod block_matrix;
mod block_rows;
mod choice;
mod direct;
mod fronts;
mod geometric;
mod scales;
mod stiff_parts;
mod thickness;

use crate::error::PreconditionerError;
use crate::jacobi::check_diagonal;
use crate::matrix::SymmetricMatrix;
use crate::rows::{UnknownPlace, WeightedRows};

pub use aggregation::StrainMultigrid;
pub use choice::ViscousChoice;
pub use direct::ViscousFactor;
pub use geometric::GeometricMultigrid;
pub use stiff_parts::StiffParts;

/// What every hierarchy demands of a system.
fn check_system(
    matrix: &SymmetricMatrix,
    places: &[UnknownPlace],
    rows: &WeightedRows,
) -> Result<(), PreconditionerError> {
    if places.len() != matrix.size() {
        return Err(PreconditionerError::CoordinateCount {
            coordinates: places.len(),
            unknowns: matrix.size(),
        });
    }
    if let Some(unknown) = places.iter().position(|place| place.axis > 2) {
        return Err(PreconditionerError::Axis {
            unknown,
            axis: places[unknown].axis,
        });
    }
    rows.check(Some(matrix.size()))?;
    check_diagonal(matrix)
}
