//! The rigid motion that has the momentum and the angular momentum of velocities in a body (Carlson 2004, eq. 76 to 83 and table 7).
//!
//! With pieces of volumes w Δx³ on faces across an axis e, at r from the centre of mass, both equations are one: of g = (e, r × e),
//! Σ w g gᵀ times the motion is Σ w g u. Mass and inertia on the left come from the same sums as the momenta on the right, so that velocities that
//! are a rigid motion are left as they are.

use super::Immersed;
use super::dense::solve;
use super::pieces::Piece;
use crate::coupling::Six;

/// The motion that velocities at the pieces of a body come to, within what the body is free to do.
pub(super) fn rigid_motion<'a>(
    velocities: impl Iterator<Item = (&'a Piece, f64)>,
    body: &Immersed,
) -> Six {
    let mut matrix = [[0.0; 6]; 6];
    let mut momenta = [0.0; 6];
    for (piece, velocity) in velocities {
        let unit = Six::push(piece.axis, piece.arm, 1.0).to_array();
        for (row, &first) in unit.iter().enumerate() {
            let weighted = piece.share * first;
            momenta[row] += weighted * velocity;
            for (column, &second) in unit.iter().enumerate() {
                matrix[row][column] += weighted * second;
            }
        }
    }
    let unforced = body.unforced();
    let locked = body.free.locked.as_flattened();
    let locked = std::array::from_fn(|motion| locked[motion]);
    match solve(matrix, momenta, locked, unforced.to_array()) {
        Some(motion) => Six::from_slice(&motion),
        // Too little of it is on the grid to tell.
        None => unforced,
    }
}
