//! Where a solve begins.
//!
//! Velocities that a projection has balanced are the solution already where liquid moves as a rigid body, in free fall above all, and
//! beginning with them keeps such motion to the last digit. Where walls hold thick liquid they are far from it: they are those of
//! water that runs apart, and from there to a creep that is ten thousand times slower takes as many iterations as all that
//! comes after. A piece that walls hold begins at rest if that leaves less to be done; not where liquid glides along walls across the grid, whose
//! answer (`schur`) corrects no velocities, so that outflow must be small from the start.

use ooze_commons::DisjointSets;

use super::system::StokesSystem;

/// What walls hold of a piece, as a share of its stiffness, beyond which it is held: less comes of roundings.
const HELD_SHARE: f64 = 1e-6;

/// What is summed up over the faces of a piece.
#[derive(Clone, Copy, Default)]
struct Piece {
    /// Momentum that is left over with the velocities that there are, and at rest, in units that make faces comparable.
    moving: f64,
    resting: f64,
    /// What moving all of it takes beyond its mass, and its stiffness.
    held: f64,
    stiffness: f64,
}

/// Lets pieces of liquid begin at rest that walls hold, where that leaves less to be done than the velocities in `solution`.
pub(super) fn rest_what_is_held(
    system: &StokesSystem,
    right_hand_side: &[f64],
    solution: &mut [f64],
) {
    let faces = system.faces();
    let (matrix, mass) = (&system.viscous.matrix, &system.viscous.mass);
    let mut done = vec![0.0; solution.len()];
    system.multiply(solution, &mut done);
    let mut shifted = vec![0.0; faces];
    matrix.multiply(&vec![1.0; faces], &mut shifted);
    let mut sets = DisjointSets::new(faces);
    for face in 0..faces {
        for (other, _) in matrix.row(face) {
            sets.join(face as u32, other as u32);
        }
    }
    let roots = (0..faces as u32).map(|face| sets.root(face) as usize);
    let piece_of: Vec<usize> = roots.collect();
    let mut pieces = vec![Piece::default(); faces];
    for (face, &piece) in piece_of.iter().enumerate() {
        let piece = &mut pieces[piece];
        let (unit, side) = (system.units[face], right_hand_side[face]);
        piece.moving += unit * (side - done[face]).powi(2);
        piece.resting += unit * side.powi(2);
        piece.held += shifted[face] - mass[face];
        piece.stiffness += matrix.diagonal()[face] - mass[face];
    }
    for (velocity, &piece) in solution.iter_mut().zip(&piece_of) {
        let piece = &pieces[piece];
        if piece.held > HELD_SHARE * piece.stiffness && piece.resting < piece.moving {
            *velocity = 0.0;
        }
    }
}
