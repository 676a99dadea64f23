//! Steps that all particle liquids share.

use glam::Vec3;
use ooze_core::Force;
use rayon::prelude::*;

use crate::neighbours::{FAR_AWAY, Neighbours, Point, Rows};
use crate::particles::CHUNK;
use crate::resolution::Resolution;
use crate::state::ParticleState;

/// Positions for inner loops, with a fourth number, and the point that pads lists.
pub(crate) fn points_of(positions: &[Vec3], fourth: impl Fn(usize) -> f32 + Sync) -> Vec<Point> {
    let mut points = Vec::with_capacity(positions.len() + 1);
    positions
        .par_iter()
        .with_min_len(CHUNK)
        .enumerate()
        .map(|(index, position)| [position.x, position.y, position.z, fourth(index)])
        .collect_into_vec(&mut points);
    points.push(FAR_AWAY);
    points
}

/// Lists of neighbours from where particles were sorted.
pub(crate) fn find_neighbours(state: &ParticleState, resolution: &Resolution) -> Neighbours {
    let radius = resolution.radius + state.list_margin;
    let rows = Rows::of_sorted(&state.sorted_at, radius, resolution.flat(), 0);
    Neighbours::find(&state.sorted_at, &[&rows], state.sorted_at.len() as u32)
}

/// Accelerations by all forces.
pub(crate) fn apply_forces(forces: &[Force], positions: &[Vec3], velocities: &mut [Vec3], dt: f32) {
    velocities
        .par_iter_mut()
        .with_min_len(CHUNK)
        .zip(positions)
        .for_each(|(velocity, &position)| {
            for force in forces {
                *velocity += force.acceleration(position) * dt;
            }
        });
}
