//! What walls do to velocities and particles: velocities inside solids for slip and no-slip, friction, stickiness, and
//! particles that must not pass.

use glam::Vec3;
use ooze_core::{Obstacles, WallCondition};
use ooze_field::{Field, FieldByAxis, Topology, sample_faces};
use rayon::prelude::*;

use super::contact::Contacts;
use super::held::{any_holds, held};
use super::order::CellOrder;
use super::particles::Particles;
use super::reader::FaceReader;
use crate::Sampling;
use crate::boundary::Boundary;

/// Distance in cells up to which a point on a wall counts as inside it.
const TOUCH: f32 = 0.02;
/// Distance in cells that particles keep from walls.
const CLEARANCE: f32 = 0.05;
/// Longest displacement beside the flow, in cells.
const LONGEST_DISPLACEMENT: f32 = 0.2;
/// Pieces that a particle's way is cut into; no step that is stable needs as many.
const MOST_PIECES: f32 = 4096.0;
/// Tries to leave the solids that a particle has entered.
const LEAVING_STEPS: usize = 4;
/// Distance in cells within which friction and stickiness act.
pub(crate) const CONTACT: f32 = 1.0;

/// Gives the faces inside solids the velocity that liquid sliding along the wall (or stuck to it) would have there, so
/// that interpolation near walls does not see stale values.
pub(crate) fn constrain(
    velocity: &mut FieldByAxis<f32>,
    known: &FieldByAxis<u8>,
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
                if open.tile(slot)[local] > 0.0 || known[axis].tile(slot)[local] == 0 {
                    continue;
                }
                let point = lattice.to_world(topology.cell(slot, local).as_vec3() + offset);
                *value = wall_limited(&source, boundary, obstacles, slot, point)[axis];
            }
        });
    }
}

/// Cosine between a wall's normal and a face's above which the face's velocity is the one across the wall.
const ACROSS: f32 = 0.7;

/// Velocities whose gradients turn the liquid: as `constrained`, but across walls those that were continued from the liquid. A
/// wall that the liquid is about to meet, or leaves, would be taken for liquid that stops within a cell.
pub(crate) fn turning(
    constrained: &FieldByAxis<f32>,
    continued: &FieldByAxis<f32>,
    boundary: &Boundary,
) -> FieldByAxis<f32> {
    let mut velocity = constrained.clone();
    for (axis, target) in velocity.iter_mut().enumerate() {
        let open = &boundary.open[axis];
        let topology = target.topology().clone();
        target.par_tiles_mut().for_each(|(slot, tile)| {
            if !boundary.near(slot) {
                return;
            }
            for (local, value) in tile.iter_mut().enumerate() {
                let continued = continued[axis].tile(slot)[local];
                // Deep in walls, where nothing was continued, both are the same.
                let same = value.to_bits() == continued.to_bits();
                if same || open.tile(slot)[local] > 0.0 {
                    continue;
                }
                let point = open.position(topology.cell(slot, local));
                if boundary.outward(point)[axis].abs() > ACROSS {
                    *value = continued;
                }
            }
        });
    }
    velocity
}

/// The velocity at a point in solids of liquid that slides along them, or sticks to them. Where several solids meet,
/// each of them counts: a velocity along the floor must not lead into the wall.
fn wall_limited(
    velocity: &FieldByAxis<f32>,
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
    slot: usize,
    point: Vec3,
) -> Vec3 {
    let touch = TOUCH * velocity[0].topology().lattice().cell_size;
    let nearest = boundary.body_at(point);
    let mut limited = sample_faces(velocity, point);
    for &body in boundary.bodies(slot) {
        if obstacles.distance(body, point) > touch {
            continue;
        }
        let wall = obstacles.velocity(body, point);
        match obstacles.contact(body).condition {
            WallCondition::NoSlip | WallCondition::Sticky => return wall,
            WallCondition::Slip | WallCondition::Separating => {
                // The grid's own gradient is good enough for the nearest body and spares six evaluations of its shape.
                let normal = if nearest == Some(body) && !obstacles.is_side(body) {
                    boundary.outward(point)
                } else {
                    obstacles.outward(body, point, touch)
                };
                limited -= normal * (limited - wall).dot(normal);
            }
        }
    }
    limited
}

/// Friction and stickiness on the particles next to walls that are wet. `pressure` is in pascals, `densities` by material.
pub(crate) fn touch(
    order: &CellOrder,
    particles: &mut Particles,
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
    pressure: &Field<f32>,
    (densities, sampling): (&[f32], Sampling),
    dt: f32,
) {
    if !is_rough(obstacles) {
        return;
    }
    let traction = Traction {
        boundary,
        obstacles,
        pressure,
        cell_size: order.topology.lattice().cell_size,
        dt,
    };
    let Particles {
        position,
        velocity,
        material,
        touching,
        ..
    } = particles;
    let contacts = Contacts::new(order, position, touching, sampling);
    velocity
        .par_iter_mut()
        .zip(position.par_iter())
        .zip(material.par_iter())
        .for_each(|((velocity, &point), &material)| {
            if traction.reaches(point) && contacts.wet(traction.foot(point)) {
                let density = densities[usize::from(material)];
                *velocity = traction.act(point, *velocity, density);
            }
        });
}

/// Whether a wall holds liquid by friction or stickiness.
pub(crate) fn is_rough(obstacles: &Obstacles<'_>) -> bool {
    obstacles.bodies().any(|body| {
        let contact = obstacles.contact(body);
        contact.friction > 0.0 || contact.condition == WallCondition::Sticky
    })
}

/// What walls do to the liquid next to them during a step.
pub(crate) struct Traction<'a> {
    pub(crate) boundary: &'a Boundary,
    pub(crate) obstacles: &'a Obstacles<'a>,
    /// In pascals.
    pub(crate) pressure: &'a Field<f32>,
    pub(crate) cell_size: f32,
    pub(crate) dt: f32,
}

impl Traction<'_> {
    /// Whether a wall is near enough to act on a point.
    #[inline]
    pub(crate) fn reaches(&self, point: Vec3) -> bool {
        self.boundary.distance.sample(point) <= CONTACT * self.cell_size
    }

    /// The point on the wall nearest to one before it.
    pub(crate) fn foot(&self, point: Vec3) -> Vec3 {
        point - self.boundary.outward(point) * self.boundary.distance.sample(point)
    }

    /// The velocity after the wall has acted at a point that it reaches.
    #[inline]
    pub(crate) fn act(&self, point: Vec3, velocity: Vec3, density: f32) -> Vec3 {
        let (boundary, obstacles, cell_size) = (self.boundary, self.obstacles, self.cell_size);
        let distance = boundary.distance.sample(point);
        let Some(body) = boundary.body_at(point) else {
            return velocity;
        };
        let contact = obstacles.contact(body);
        let wall = obstacles.velocity(body, point);
        let relative = velocity - wall;
        match contact.condition {
            WallCondition::Sticky => {
                // The velocity falls to the wall's own across the layer of contact.
                let freedom = (distance / (CONTACT * cell_size)).clamp(0.0, 1.0);
                wall + relative * freedom
            }
            WallCondition::Slip | WallCondition::Separating | WallCondition::NoSlip => {
                let normal = boundary.outward(point);
                let sliding = relative - normal * relative.dot(normal);
                let speed = sliding.length();
                // Coulomb: the wall's traction, friction times pressure, slows a layer one cell thick.
                let push = self.pressure.sample(point).max(0.0);
                let loss = contact.friction * push * self.dt / (density * cell_size);
                if speed > 0.0 {
                    velocity - sliding * (loss / speed).min(1.0)
                } else {
                    velocity
                }
            }
        }
    }
}

/// Small displacements beside the flow.
#[derive(Clone, Copy)]
pub(crate) struct Aside<'a> {
    /// On faces.
    pub(crate) faces: Option<&'a FieldByAxis<f32>>,
    /// Of the particles themselves; none if the list is empty.
    pub(crate) shifts: &'a [Vec3],
}

/// Moves particles through the velocity field (midpoint rule) and aside, and keeps them out of solids.
pub(crate) fn carry(
    order: &CellOrder,
    particles: &mut Particles,
    velocity: &FieldByAxis<f32>,
    aside: Aside<'_>,
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
    dt: f32,
) {
    let topology = &order.topology;
    let lattice = *topology.lattice();
    let longest = LONGEST_DISPLACEMENT * lattice.cell_size;
    let [lowest, highest] = [Vec3::NEG_INFINITY, Vec3::INFINITY]
        .map(|far| obstacles.confined(far, CLEARANCE * lattice.cell_size));
    let tiles = order
        .split_by_tile(&mut particles.position)
        .into_par_iter()
        .zip(order.split_by_tile(&mut particles.velocity))
        .zip(order.split_by_tile(&mut particles.age));
    let shift_of = |particle: usize| aside.shifts.get(particle).copied().unwrap_or(Vec3::ZERO);
    tiles.enumerate().for_each_init(
        || (FaceReader::new(velocity), aside.faces.map(FaceReader::new)),
        |(flow, aside), (slot, ((positions, velocities), ages))| {
            if positions.is_empty() {
                return;
            }
            flow.enter(slot);
            if let Some(aside) = aside {
                aside.enter(slot);
            }
            for age in ages {
                *age += dt;
            }
            let near = boundary.near(slot);
            let holds = any_holds(boundary, obstacles, slot);
            let particles = order.tile_particles(slot);
            for ((position, own), particle) in positions.iter_mut().zip(velocities).zip(particles) {
                let start = *position;
                let slope = flow.sample(start);
                let mut step = flow.sample(start + slope * (0.5 * dt)) * dt;
                if let Some(aside) = aside {
                    step += aside.sample(start).clamp_length_max(longest);
                }
                let end = start + step + shift_of(particle);
                // Walls beyond the band are out of reach of a step that stays within it.
                let long = step.length_squared() > 9.0 * lattice.cell_size * lattice.cell_size;
                let held = holds.then(|| held(boundary, obstacles, start, lattice.cell_size));
                *position = if long || near {
                    let stopped = stop_at_walls(start, end, own, topology, boundary, obstacles);
                    // Where solids leave no room at all, a particle stays in the domain.
                    stopped.max(lowest).min(highest)
                } else {
                    end
                };
                // A turning wall turns the velocity of what it holds: left to point where it did, it would lead out of the drum.
                if let Some((body, share)) = held.flatten() {
                    let velocity = |point: Vec3| obstacles.velocity(body, point);
                    *own += (velocity(*position) - velocity(start)) * share;
                }
            }
        },
    );
}

/// Follows a particle from `start` to `end`; where it would enter a solid it stops, is put outside, and loses the
/// velocity into the wall.
fn stop_at_walls(
    start: Vec3,
    end: Vec3,
    own: &mut Vec3,
    topology: &Topology,
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
) -> Vec3 {
    let lattice = topology.lattice();
    let path = end - start;
    let length = path.length();
    // A corner of the particle's cell is at most its diagonal away; further than that and nothing is met.
    let corner = boundary.distance.get(lattice.cell_of(start));
    if corner > length + 2.0 * lattice.cell_size {
        return end;
    }
    let clearance = CLEARANCE * lattice.cell_size;
    let distance = |point: Vec3| {
        boundary.exact_distance(obstacles, topology.slot_of(lattice.cell_of(point)), point)
    };
    // A wall that has come over a particle drives it ahead: only where it ends counts.
    let overrun = || distance(start).is_some_and(|nearest| nearest.0 < 0.0);
    // Steps of half a cell cannot jump over a wall that the grid can hold.
    let pieces = (length / (0.5 * lattice.cell_size)).ceil();
    let pieces = pieces.clamp(1.0, MOST_PIECES) as i32;
    for piece in 1..=pieces {
        let mut point = start + path * (piece as f32 / pieces as f32);
        // The grid's distance errs by less than a cell, and is cheaper than the solids' own.
        if boundary.distance.sample(point) > lattice.cell_size {
            continue;
        }
        let mut stopped = false;
        // Two walls may meet here: leaving one can mean entering the other.
        for _ in 0..LEAVING_STEPS {
            let Some((depth, body)) = distance(point).filter(|nearest| nearest.0 < clearance)
            else {
                break;
            };
            if !stopped && piece < pieces && overrun() {
                break;
            }
            let normal = obstacles.outward(body, point, clearance);
            point += normal * (clearance - depth);
            let relative = *own - obstacles.velocity(body, point);
            *own -= normal * relative.dot(normal).min(0.0);
            stopped = true;
        }
        if stopped {
            // A corner may leave no way out but back.
            let blocked = distance(point).is_some_and(|nearest| nearest.0 < 0.0) && !overrun();
            return if blocked { start } else { point };
        }
    }
    end
}
