//! Solids that melt: particles that are held where their solid takes them as long as they are more solid than molten.
//!
//! They hold heat as all particles do, so that it passes between solid and melt as it does within either, and nothing of it, nor of
//! mass, is lost when one becomes the other. For the flow, cells that are filled with them for the greater part are a wall that moves
//! with the solid: what is beside them sticks to it. Neither weight nor load makes such a solid creep.

use glam::{DMat3, DVec3, Vec3};
use ooze_core::{BodyId, HeldMass, Holder, Obstacles, ParticleSet, Solid};
use ooze_field::{Field, Place};
use ooze_geometry::{Pose, Twist};
use rayon::prelude::*;

use super::step::Advance;
use crate::boundary::Boundary;

/// The share of a particle that has melted when it comes free.
const FREE: f32 = 0.5;

/// Cells that a free body fills at least as long as it is one.
const CRUMB: f64 = 3.0;

/// How a solid moves in a step.
struct Ride {
    /// Where it is at the start and at the end; none if it never moves.
    poses: Option<[Pose; 2]>,
    twist: Twist,
    /// How it goes on from there.
    next: Twist,
}

impl Ride {
    fn of(by: &Holder, solids: &[Solid], time: f64, dt: f64) -> Self {
        match by {
            Holder::Motion(motion) => Self {
                // What stands must not drift by rounding.
                poses: (!motion.is_static())
                    .then_some([time, time + dt].map(|time| motion.pose(time))),
                twist: motion.twist_between(time, time + dt),
                next: motion.twist_between(time, time + dt),
            },
            Holder::Body { body, .. } => {
                let solid = &solids[usize::from(body.0)];
                Self {
                    poses: Some([solid.start, solid.end]),
                    twist: solid.twist,
                    next: solid.next,
                }
            }
        }
    }

    /// Where a point of the solid is at the end.
    fn end(&self, start: Vec3) -> Vec3 {
        match &self.poses {
            Some([before, after]) => after.to_world(before.to_local(start)),
            None => start,
        }
    }
}

/// A particle that a solid takes along.
pub(super) struct HeldPlace {
    particle: usize,
    number: u8,
    start: Vec3,
}

impl Advance<'_> {
    /// The numbers of the particles' solids; none where a scene has none that melt.
    fn holders(&self) -> &[u8] {
        let carried = &self.particles.carried;
        carried.optional(self.liquid.channels.frozen)
    }

    /// How the solids move in the step, by their numbers.
    fn rides(&self) -> Vec<Option<Ride>> {
        let mut rides: Vec<Option<Ride>> = Vec::new();
        let initial = self.liquid.setup.initial.iter();
        for hold in initial.filter_map(|liquid| liquid.hold.as_ref()) {
            let number = usize::from(hold.number);
            rides.resize_with(rides.len().max(number + 1), || None);
            let solids = self.obstacles.solids();
            rides[number] = Some(Ride::of(&hold.by, solids, self.time, self.dt));
        }
        rides
    }

    /// Lets the cells that solids fill move with them, whatever pushes.
    pub(super) fn hold(&self, boundary: &mut Boundary) {
        let holders = self.holders();
        if holders.iter().all(|&number| number == 0) {
            return;
        }
        let order = self.order;
        let each = order.topology.tile_cells();
        let bodies = self.held_bodies();
        let volume = order.topology.lattice().cell_volume();
        let full = (volume / self.liquid.particle_volume()).round() as usize;
        let mut solid = Field::new(&order.topology, Place::Cell, 0u8);
        solid.par_tiles_mut().for_each(|(slot, tile)| {
            for (local, number) in tile.iter_mut().enumerate() {
                let own = &holders[order.cell_particles(slot * each + local)];
                let held = own.iter().filter(|&&number| number != 0).count();
                let largest = own.iter().copied().fold(0, u8::max);
                // Where a body leaves room beside it, liquid will come; what stands is a wall there.
                let room = match bodies.get(usize::from(largest)) {
                    Some(Some(_)) => own.len().max(full),
                    _ => own.len(),
                };
                if held > 0 && 2 * held >= room {
                    *number = largest;
                }
            }
        });
        let rides = self.rides();
        boundary.hold(solid, bodies, |number, point| {
            let ride = rides.get(usize::from(number))?.as_ref()?;
            Some(ride.twist.velocity(point))
        });
    }

    /// The free bodies among the solids, by their numbers.
    fn held_bodies(&self) -> Vec<Option<BodyId>> {
        let mut bodies = Vec::new();
        for hold in self
            .liquid
            .setup
            .initial
            .iter()
            .flat_map(|liquid| &liquid.hold)
        {
            let number = usize::from(hold.number);
            bodies.resize(bodies.len().max(number + 1), None);
            if let Holder::Body { body, .. } = hold.by {
                bodies[number] = Some(body);
            }
        }
        bodies
    }

    /// Lets go of what is no longer solid, and of crumbs of free bodies: they are liquid that still holds its cold.
    pub(super) fn free_molten(&mut self) {
        let bodies = self.held_bodies();
        let channels = &self.liquid.channels;
        let Some((frozen, heat)) = channels.frozen.zip(channels.heat) else {
            return;
        };
        let (holders, melted) = self.particles.carried.pair_mut(frozen, heat.melted);
        let mut left = vec![0; bodies.len()];
        for (number, &mut melted) in holders.iter_mut().zip(melted) {
            if melted >= FREE {
                *number = 0;
            }
            left[usize::from(*number)] += 1;
        }
        let fewest = (CRUMB / self.liquid.particle_volume()
            * self.liquid.setup.domain.lattice().cell_volume()) as usize;
        for number in holders {
            let index = usize::from(*number);
            if bodies[index].is_some() && left[index] < fewest {
                *number = 0;
            }
        }
    }

    /// What is solid still of the free bodies, which stand where they are at the end of the step.
    pub(super) fn left_of_bodies(&self, arrived: &Obstacles<'_>) -> Vec<HeldMass> {
        let spacing = self.liquid.particle_volume().cbrt();
        let (holders, particles) = (self.holders(), &self.particles);
        let bodies = self.held_bodies().into_iter().enumerate();
        let bodies = bodies.filter_map(|(number, body)| Some((number, body?)));
        let left = bodies.map(|(number, body)| {
            let pose = &arrived.solids()[usize::from(body.0)].end;
            let own = (0..holders.len()).filter(|&index| usize::from(holders[index]) == number);
            let points: Vec<(DVec3, f64)> = own
                .map(|index| {
                    let mass = self.liquid.particle_mass(particles.material[index]);
                    (pose.to_local(particles.position[index]).as_dvec3(), mass)
                })
                .collect();
            held_mass(body, &points, spacing)
        });
        left.collect()
    }

    /// The particles that solids hold, where they are before they move.
    pub(super) fn held_places(&self) -> Vec<HeldPlace> {
        let held = self.holders().iter().enumerate();
        held.filter(|(_, number)| **number != 0)
            .map(|(particle, &number)| HeldPlace {
                particle,
                number,
                start: self.particles.position[particle],
            })
            .collect()
    }

    /// Takes those particles to where their solids are at the end of the step, unless a wall is there.
    pub(super) fn take_along(&mut self, held: &[HeldPlace], arrived: &Obstacles<'_>) {
        let rides = self.rides();
        let ParticleSet {
            position, velocity, ..
        } = &mut self.particles;
        for place in held {
            let Some(Some(ride)) = rides.get(usize::from(place.number)) else {
                continue;
            };
            let end = ride.end(place.start);
            let free = || {
                let nearest = arrived.nearest(end);
                nearest.is_none_or(|(distance, _)| distance > 0.0)
            };
            if ride.poses.is_none() || free() {
                position[place.particle] = end;
            }
            velocity[place.particle] = ride.next.velocity(end);
        }
    }
}

/// What cubes of liquid weigh together: their centres, their masses and their width are given.
fn held_mass(body: BodyId, points: &[(DVec3, f64)], width: f64) -> HeldMass {
    let mass: f64 = points.iter().map(|(_, mass)| mass).sum();
    let weighted: DVec3 = points.iter().map(|(point, mass)| *mass * *point).sum();
    let centre = if mass > 0.0 {
        weighted / mass
    } else {
        DVec3::ZERO
    };
    let mut inertia = DMat3::ZERO;
    for (point, mass) in points {
        let arm = *point - centre;
        let own = arm.length_squared() + width * width / 6.0;
        let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
        inertia += *mass * (DMat3::from_diagonal(DVec3::splat(own)) - outer);
    }
    let ways = (0..27).filter(|&way| way != 13).map(|way: i32| {
        let along = |step: i32| f64::from(way / step % 3 - 1);
        DVec3::new(along(1), along(3), along(9))
    });
    let corners = ways.filter_map(|way| {
        let along = |point: &&(DVec3, f64)| point.0.dot(way);
        let furthest = points.iter().max_by(|a, b| along(a).total_cmp(&along(b)))?;
        Some((furthest.0 + 0.5 * width * way).as_vec3())
    });
    HeldMass {
        body,
        mass,
        centre,
        inertia,
        corners: corners.collect(),
    }
}
