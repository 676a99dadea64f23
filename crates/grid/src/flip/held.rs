//! Particles beside moving walls: they neither lag behind the wall that holds them nor run ahead of it.

use std::borrow::Cow;

use glam::Vec3;
use ooze_core::{BodyId, Gradient, Obstacles, ParticleSet};
use ooze_field::{FieldByAxis, sample_faces};
use rayon::prelude::*;

use super::order::CellOrder;
use crate::boundary::Boundary;
use crate::walls::CONTACT;

/// Cells beyond the reach of walls in which faces hear from particles all around.
const CLEAR_OF_WALLS: f32 = 0.5;

/// The gradients of velocity with which particles speak to the faces: their `own` where they carry them; else those of the moving
/// walls that hold them, and beside those that they glide along those of the `flow` further inside, if it is given; none where no
/// wall moves.
///
/// Faces behind a wall hear from particles on this side of it only. Beside a turning wall, whose velocity grows behind its surface,
/// they would seem to be slower than the wall, and FLIP would add what is missing in every step: a drum would fling its liquid
/// about faster than it turns. Seen from the wall, particles that move with it speak for it wherever the face is. Thick liquid that
/// glides along the wall turns as a whole: viscosity has these faces go on as the flow does further inside, and FLIP would add that.
pub(crate) fn gradients<'a>(
    order: &CellOrder,
    particles: &ParticleSet,
    own: &'a [Gradient],
    (boundary, obstacles): (&Boundary, &Obstacles<'_>),
    flow: Option<&FieldByAxis<f32>>,
) -> Cow<'a, [Gradient]> {
    if !own.is_empty() || !obstacles.any_moves() {
        return Cow::Borrowed(own);
    }
    let cell_size = order.topology.lattice().cell_size;
    let mut gradients = vec![[Vec3::ZERO; 3]; particles.len()];
    let tiles = order.split_by_tile(&mut gradients).into_par_iter();
    tiles.enumerate().for_each(|(slot, gradients)| {
        if !any_moves(boundary, obstacles, slot) {
            return;
        }
        let positions = &particles.position[order.tile_particles(slot)];
        for (gradient, &point) in gradients.iter_mut().zip(positions) {
            match beside(boundary, point, cell_size) {
                Some((body, _)) if holds(obstacles, body) => {
                    *gradient = wall_gradient(obstacles, body, point, cell_size);
                }
                Some((body, share)) if glides(obstacles, body) => {
                    let deeper = (share + CLEAR_OF_WALLS) * cell_size;
                    let inside = point + boundary.outward(point) * deeper;
                    let further = flow.map(|flow| flow_gradient(flow, inside, cell_size));
                    *gradient = further.unwrap_or_default();
                }
                _ => {}
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

/// Whether liquid glides along a wall that moves as it is told. One that follows the liquid is not to be followed by it.
fn glides(obstacles: &Obstacles<'_>, body: BodyId) -> bool {
    let driven = !obstacles.is_fixed(body) && obstacles.free(body).is_none();
    driven && !obstacles.contact(body).condition.holds()
}

/// Whether a wall moves that liquid glides along.
pub(crate) fn any_glides(obstacles: &Obstacles<'_>) -> bool {
    obstacles.any_moves() && obstacles.bodies().any(|body| glides(obstacles, body))
}

/// Whether a wall moves near a tile.
fn any_moves(boundary: &Boundary, obstacles: &Obstacles<'_>, slot: usize) -> bool {
    let mut bodies = boundary.bodies(slot).iter();
    bodies.any(|&body| !obstacles.is_fixed(body))
}

/// The moving wall that holds liquid at a point, and how much: wholly at its surface, and no longer at the end of its reach.
pub(crate) fn held(
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
    point: Vec3,
    cell_size: f32,
) -> Option<(BodyId, f32)> {
    beside(boundary, point, cell_size).filter(|&(body, _)| holds(obstacles, body))
}

/// The wall that a point is beside, and how near: one at its surface, and no longer at the end of its reach.
fn beside(boundary: &Boundary, point: Vec3, cell_size: f32) -> Option<(BodyId, f32)> {
    let reach = CONTACT * cell_size;
    let distance = boundary.distance.sample(point);
    if distance >= reach {
        return None;
    }
    let body = boundary.body_at(point)?;
    Some((body, 1.0 - (distance / reach).clamp(0.0, 1.0)))
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
///
/// Particles of `thick` liquid follow the flow right at a moving wall that they glide along, too. One that the wall has stopped has lost what led it
/// into the wall, and would lose it again with the others as pressure takes it from their mean: it would lead away from the wall,
/// and as the wall turns that would become speed along it. Single particles would run ahead of a drum by a tenth.
pub(crate) fn follow(
    order: &CellOrder,
    particles: &mut ParticleSet,
    velocity: &FieldByAxis<f32>,
    (boundary, obstacles): (&Boundary, &Obstacles<'_>),
    thick: bool,
) {
    if !obstacles.any_moves() {
        return;
    }
    let cell_size = order.topology.lattice().cell_size;
    let flat = order.topology.lattice().flat;
    let positions = &particles.position;
    let tiles = order.split_by_tile(&mut particles.velocity).into_par_iter();
    tiles.enumerate().for_each(|(slot, velocities)| {
        if !any_moves(boundary, obstacles, slot) {
            return;
        }
        let positions = &positions[order.tile_particles(slot)];
        for (own, &point) in velocities.iter_mut().zip(positions) {
            let nearest = beside(boundary, point, cell_size);
            let Some((body, share)) = nearest.filter(|&(body, _)| !obstacles.is_fixed(body)) else {
                continue;
            };
            let mut flow = sample_faces(velocity, point);
            if flat {
                flow.z = 0.0;
            }
            // Only right at the wall: further off it would pull more than viscosity does, and take what FLIP is for.
            let touching = share.powi(4);
            if holds(obstacles, body) {
                *own += (flow - *own) * share;
                *own += (obstacles.velocity(body, point) - *own) * touching;
            } else if thick && glides(obstacles, body) {
                *own += (flow - *own) * touching;
            }
        }
    });
}

/// The gradients of velocities on faces at a point.
fn flow_gradient(flow: &FieldByAxis<f32>, point: Vec3, cell_size: f32) -> Gradient {
    let columns = Vec3::AXES.map(|axis| {
        let half = 0.5 * cell_size * axis;
        (sample_faces(flow, point + half) - sample_faces(flow, point - half)) / cell_size
    });
    std::array::from_fn(|row| Vec3::from_array(columns.map(|column| column[row])))
}

/// The gradients of a body's velocity, which is linear in space.
fn wall_gradient(obstacles: &Obstacles<'_>, body: BodyId, point: Vec3, step: f32) -> Gradient {
    let here = obstacles.velocity(body, point);
    let columns =
        Vec3::AXES.map(|axis| (obstacles.velocity(body, point + axis * step) - here) / step);
    std::array::from_fn(|row| Vec3::from_array(columns.map(|column| column[row])))
}
