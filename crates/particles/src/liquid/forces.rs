//! Forces on the whole: gravity and others that act at a distance.

use glam::Vec3;
use ooze_core::Force;
use rayon::prelude::*;

use crate::CHUNK;

/// Adds the accelerations of all forces, times `dt`.
pub fn apply_forces(forces: &[Force], positions: &[Vec3], velocities: &mut [Vec3], dt: f32) {
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
