//! What walls do to velocities and particles: velocities inside solids for slip and no-slip, friction, stickiness, and
//! particles that must not pass.

use glam::Vec3;
use ooze_core::{Obstacles, WallCondition};
use ooze_field::{Field, FieldByAxis, sample_faces};
use rayon::prelude::*;

use super::order::CellOrder;
use super::particles::Particles;
use crate::boundary::Boundary;

/// Distance in cells that particles keep from walls.
const CLEARANCE: f32 = 0.05;
/// Distance in cells within which friction and stickiness act.
const CONTACT: f32 = 1.0;

/// Gives the faces inside solids the velocity that liquid sliding along the wall (or stuck to it) would have there, so
/// that interpolation near walls does not see stale values.
pub(crate) fn constrain(
    velocity: &mut FieldByAxis<f32>,
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
) {
    let source = velocity.clone();
    for (axis, target) in velocity.iter_mut().enumerate() {
        let topology = target.topology().clone();
        let lattice = *topology.lattice();
        if lattice.flat && axis == 2 {
            continue;
        }
        let offset = target.place().offset();
        let open = &boundary.open[axis];
        target.par_tiles_mut().for_each(|(slot, tile)| {
            if !boundary.near(slot) {
                return;
            }
            for (local, value) in tile.iter_mut().enumerate() {
                if open.tile(slot)[local] > 0.0 {
                    continue;
                }
                let point = lattice.to_world(topology.cell(slot, local).as_vec3() + offset);
                let Some(body) = boundary.body_at(point) else {
                    continue;
                };
                let wall = obstacles.velocity(body, point);
                *value = match obstacles.contact(body).condition {
                    WallCondition::NoSlip | WallCondition::Sticky => wall[axis],
                    WallCondition::Slip => {
                        let normal = boundary.outward(point);
                        let relative = sample_faces(&source, point) - wall;
                        (wall + relative - normal * relative.dot(normal))[axis]
                    }
                };
            }
        });
    }
}

/// Friction and stickiness on the particles next to walls. `pressure` is in pascals, `densities` by material.
pub(crate) fn touch(
    order: &CellOrder,
    particles: &mut Particles,
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
    pressure: &Field<f32>,
    densities: &[f32],
    dt: f32,
) {
    let acts = |body| {
        let contact = obstacles.contact(body);
        contact.friction > 0.0 || contact.condition == WallCondition::Sticky
    };
    if !obstacles.bodies().any(acts) {
        return;
    }
    let cell_size = order.topology.lattice().cell_size;
    let Particles {
        position,
        velocity,
        material,
        ..
    } = particles;
    velocity
        .par_iter_mut()
        .zip(position.par_iter())
        .zip(material.par_iter())
        .for_each(|((velocity, &point), &material)| {
            let distance = boundary.distance.sample(point);
            if distance > CONTACT * cell_size {
                return;
            }
            let Some(body) = boundary.body_at(point) else {
                return;
            };
            let contact = obstacles.contact(body);
            let wall = obstacles.velocity(body, point);
            let relative = *velocity - wall;
            match contact.condition {
                WallCondition::Sticky => {
                    // The velocity falls to the wall's own across the layer of contact.
                    let freedom = (distance / (CONTACT * cell_size)).clamp(0.0, 1.0);
                    *velocity = wall + relative * freedom;
                }
                WallCondition::Slip | WallCondition::NoSlip => {
                    let normal = boundary.outward(point);
                    let sliding = relative - normal * relative.dot(normal);
                    let speed = sliding.length();
                    // Coulomb: the wall's traction, friction times pressure, slows a layer one cell thick.
                    let density = densities[usize::from(material)];
                    let push = pressure.sample(point).max(0.0);
                    let loss = contact.friction * push * dt / (density * cell_size);
                    if speed > 0.0 {
                        *velocity -= sliding * (loss / speed).min(1.0);
                    }
                }
            }
        });
}

/// Moves particles through the velocity field (midpoint rule) and keeps them out of solids.
pub(crate) fn carry(
    order: &CellOrder,
    particles: &mut Particles,
    velocity: &FieldByAxis<f32>,
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
    dt: f32,
) {
    let topology = &order.topology;
    let lattice = *topology.lattice();
    let Particles {
        position,
        velocity: own,
        age,
        ..
    } = particles;
    position
        .par_iter_mut()
        .zip(own.par_iter_mut())
        .zip(age.par_iter_mut())
        .for_each(|((position, own), age)| {
            *age += dt;
            let start = *position;
            let slope = sample_faces(velocity, start);
            let middle = sample_faces(velocity, start + slope * (0.5 * dt));
            let mut step = middle * dt;
            if lattice.flat {
                step.z = 0.0;
            }
            let slot = topology.slot_of(lattice.cell_of(start));
            let end = start + step;
            // Walls further than the band are out of reach of a step that stays within it.
            let may_touch = boundary.near(slot as usize) || step.length() > 2.0 * lattice.cell_size;
            *position = if may_touch {
                stop_at_walls(start, end, own, boundary, obstacles, lattice.cell_size)
            } else {
                end
            };
        });
}

/// Follows a particle from `start` to `end`; where it would enter a solid it stops, is put outside, and loses the
/// velocity into the wall.
fn stop_at_walls(
    start: Vec3,
    end: Vec3,
    own: &mut Vec3,
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
    cell_size: f32,
) -> Vec3 {
    let clearance = CLEARANCE * cell_size;
    let path = end - start;
    let length = path.length();
    if boundary.distance.sample(start) > length + clearance {
        return end;
    }
    // Steps of half a cell cannot jump over a wall that the grid can hold.
    let pieces = (length / (0.5 * cell_size)).ceil().max(1.0) as i32;
    let mut point = start;
    for piece in 1..=pieces {
        point = start + path * (piece as f32 / pieces as f32);
        if boundary.distance.sample(point) < clearance {
            point = put_outside(point, boundary, clearance);
            if let Some(body) = boundary.body_at(point) {
                let normal = boundary.outward(point);
                let relative = *own - obstacles.velocity(body, point);
                *own -= normal * relative.dot(normal).min(0.0);
            }
            break;
        }
    }
    point
}

/// The nearest point outside solids; a few steps suffice, since the field is a distance.
fn put_outside(mut point: Vec3, boundary: &Boundary, clearance: f32) -> Vec3 {
    for _ in 0..4 {
        let distance = boundary.distance.sample(point);
        if distance >= clearance {
            break;
        }
        point += boundary.outward(point) * (clearance - distance);
    }
    point
}
