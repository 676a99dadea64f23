//! What walls do to particles: friction and stickiness, and no particle passes.

use glam::Vec3;
use ooze_core::{Handle, Obstacles, ParticleSet};
use ooze_field::{FieldByAxis, Topology};
use rayon::prelude::*;

use super::contact::Contacts;
use super::held::{any_holds, held};
use super::order::CellOrder;
use super::reader::FaceReader;
use crate::Sampling;
use crate::boundary::Boundary;
use crate::walls::{Traction, is_rough};

/// Distance in cells that particles keep from walls.
const CLEARANCE: f32 = 0.05;
/// Longest displacement beside the flow, in cells.
const LONGEST_DISPLACEMENT: f32 = 0.2;
/// Pieces that a particle's way is cut into; no step that is stable needs as many.
const MOST_PIECES: f32 = 4096.0;
/// Tries to leave the solids that a particle has entered.
const LEAVING_STEPS: usize = 4;

/// Friction and stickiness on the particles next to walls that are wet, as those particles tell that have the flag `touching`.
/// `densities` are by material.
pub(crate) fn touch(
    order: &CellOrder,
    particles: &mut ParticleSet,
    touching: Handle<u8>,
    traction: &Traction<'_>,
    (densities, sampling): (&[f32], Sampling),
) {
    if !is_rough(traction.obstacles) {
        return;
    }
    let ParticleSet {
        position,
        velocity,
        material,
        carried,
        ..
    } = particles;
    let contacts = Contacts::new(order, position, &carried[touching], sampling);
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

/// Small displacements beside the flow.
#[derive(Clone, Copy)]
pub(crate) struct SmallShifts<'a> {
    /// On faces.
    pub(crate) faces: Option<&'a FieldByAxis<f32>>,
    /// Of the particles themselves; none if the list is empty.
    pub(crate) shifts: &'a [Vec3],
    /// How much of both each particle takes; all if the list is empty.
    pub(crate) mobility: &'a [f32],
}

/// Moves particles through the velocity field (midpoint rule) and aside, and keeps them out of solids.
pub(crate) fn carry(
    order: &CellOrder,
    particles: &mut ParticleSet,
    velocity: &FieldByAxis<f32>,
    aside: SmallShifts<'_>,
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
    let mobility_of = |particle: usize| aside.mobility.get(particle).copied().unwrap_or(1.0);
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
                let mobility = mobility_of(particle);
                if let Some(aside) = aside {
                    step += mobility * aside.sample(start).clamp_length_max(longest);
                }
                let end = start + step + mobility * shift_of(particle);
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
