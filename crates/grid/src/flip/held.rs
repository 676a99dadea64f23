//! Particles that moving walls hold: they neither lag behind the wall nor run ahead of it.

use std::borrow::Cow;

use glam::Vec3;
use ooze_core::{BodyId, Gradient, Obstacles, ParticleSet};
use ooze_field::{FieldByAxis, sample_faces};
use rayon::prelude::*;

use super::order::CellOrder;
use crate::boundary::Boundary;
use crate::walls::CONTACT;

/// The gradients of velocity with which particles speak to the faces: their `own` where they carry them; else those of the moving
/// walls that hold them; none where no wall moves.
///
/// Faces behind a wall hear from particles on this side of it only. Beside a turning wall, whose velocity grows behind its surface,
/// they would seem to be slower than the wall, and FLIP would add what is missing in every step: a drum would fling its liquid
/// about faster than it turns. Seen from the wall, particles that move with it speak for it wherever the face is.
pub(crate) fn gradients<'a>(
    order: &CellOrder,
    particles: &ParticleSet,
    own: &'a [Gradient],
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
) -> Cow<'a, [Gradient]> {
    if !own.is_empty() || !obstacles.any_moves() {
        return Cow::Borrowed(own);
    }
    let cell_size = order.topology.lattice().cell_size;
    let mut gradients = vec![[Vec3::ZERO; 3]; particles.len()];
    let tiles = order.split_by_tile(&mut gradients).into_par_iter();
    tiles.enumerate().for_each(|(slot, gradients)| {
        if !any_holds(boundary, obstacles, slot) {
            return;
        }
        let positions = &particles.position[order.tile_particles(slot)];
        for (gradient, &point) in gradients.iter_mut().zip(positions) {
            if let Some((body, _)) = held(boundary, obstacles, point, cell_size) {
                *gradient = wall_gradient(obstacles, body, point, cell_size);
            }
        }
    });
    Cow::Owned(gradients)
}

/// Whether a moving wall may hold liquid in a tile.
pub(crate) fn any_holds(boundary: &Boundary, obstacles: &Obstacles<'_>, slot: usize) -> bool {
    let bodies = boundary.bodies(slot).iter();
    obstacles.any_moves() && bodies.copied().any(|body| holds(obstacles, body))
}

fn holds(obstacles: &Obstacles<'_>, body: BodyId) -> bool {
    obstacles.contact(body).condition.holds() && !obstacles.is_fixed(body)
}

/// The moving wall that holds liquid at a point, and how much: wholly at its surface, and no longer at the end of its reach.
pub(crate) fn held(
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
    point: Vec3,
    cell_size: f32,
) -> Option<(BodyId, f32)> {
    let reach = CONTACT * cell_size;
    let distance = boundary.distance.sample(point);
    if distance >= reach {
        return None;
    }
    let body = boundary.body_at(point)?;
    holds(obstacles, body).then(|| (body, 1.0 - (distance / reach).clamp(0.0, 1.0)))
}

/// How free liquid at a point is of moving walls that hold it.
pub(crate) fn freedom(boundary: &Boundary, obstacles: &Obstacles<'_>, point: Vec3) -> f32 {
    if !obstacles.any_moves() {
        return 1.0;
    }
    let cell_size = boundary.distance.topology().lattice().cell_size;
    held(boundary, obstacles, point, cell_size).map_or(1.0, |(_, share)| 1.0 - share)
}

/// Takes particles along with the moving walls that hold them: what FLIP lets each of them keep of its own fades towards the wall,
/// where there is no other velocity than the wall's. Each of them would get all that the wall gives their mean, the fastest too. On
/// faces that the wall cuts, pressure that stops what flows into it pushes some of that along it, which the wall does not allow.
pub(crate) fn follow(
    order: &CellOrder,
    particles: &mut ParticleSet,
    velocity: &FieldByAxis<f32>,
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
) {
    if !obstacles.any_moves() {
        return;
    }
    let cell_size = order.topology.lattice().cell_size;
    let flat = order.topology.lattice().flat;
    let positions = &particles.position;
    let tiles = order.split_by_tile(&mut particles.velocity).into_par_iter();
    tiles.enumerate().for_each(|(slot, velocities)| {
        if !any_holds(boundary, obstacles, slot) {
            return;
        }
        let positions = &positions[order.tile_particles(slot)];
        for (own, &point) in velocities.iter_mut().zip(positions) {
            if let Some((body, share)) = held(boundary, obstacles, point, cell_size) {
                let mut flow = sample_faces(velocity, point);
                if flat {
                    flow.z = 0.0;
                }
                *own += (flow - *own) * share;
                // Only right at the wall, or it would pull more than viscosity does.
                *own += (obstacles.velocity(body, point) - *own) * share.powi(4);
            }
        }
    });
}

/// The gradients of a body's velocity, which is linear in space.
fn wall_gradient(obstacles: &Obstacles<'_>, body: BodyId, point: Vec3, step: f32) -> Gradient {
    let here = obstacles.velocity(body, point);
    let columns =
        Vec3::AXES.map(|axis| (obstacles.velocity(body, point + axis * step) - here) / step);
    std::array::from_fn(|row| Vec3::from_array(columns.map(|column| column[row])))
}
