//! Colliders that melt: particles that are held where their solid takes them as long as they are more solid than molten.
//!
//! They hold heat as all particles do, so that it passes between solid and melt as it does within either, and nothing of it, nor of
//! mass, is lost when one becomes the other. For the flow, cells that are filled with them for the greater part are a wall that moves
//! with the solid: what is beside them sticks to it. Neither weight nor load makes such a solid creep.

use glam::Vec3;
use ooze_core::{Holder, Obstacles, ParticleSet};
use ooze_field::{Field, Place};
use ooze_geometry::{Motion, Pose, Twist};
use rayon::prelude::*;

use super::step::Advance;
use crate::boundary::Boundary;

/// The share of a particle that has melted when it comes free.
const FREE: f32 = 0.5;

/// How a solid moves in a step.
struct Ride {
    /// Where it is at the start and at the end; none if it never moves.
    poses: Option<[Pose; 2]>,
    twist: Twist,
}

impl Ride {
    fn of(motion: &Motion, time: f64, dt: f64) -> Self {
        let poses = [time, time + dt].map(|time| motion.pose(time));
        Self {
            // What stands must not drift by rounding.
            poses: (!motion.is_static()).then_some(poses),
            twist: motion.twist_between(time, time + dt),
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
    pub(super) fn holders(&self) -> &[u8] {
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
            if let Holder::Motion(motion) = &hold.by {
                rides[number] = Some(Ride::of(motion, self.time, self.dt));
            }
        }
        rides
    }

    /// Lets the cells that solids fill move with them, whatever pushes.
    pub(super) fn hold(&self, boundary: &mut Boundary) {
        let holders = self.holders();
        let rides = self.rides();
        let driven = |number: u8| matches!(rides.get(usize::from(number)), Some(Some(_)));
        if !holders.iter().any(|&number| driven(number)) {
            return;
        }
        let order = self.order;
        let each = order.topology.tile_cells();
        let mut solid = Field::new(&order.topology, Place::Cell, 0u8);
        solid.par_tiles_mut().for_each(|(slot, tile)| {
            for (local, number) in tile.iter_mut().enumerate() {
                let own = &holders[order.cell_particles(slot * each + local)];
                let held = own.iter().filter(|&&number| driven(number)).count();
                if held > 0 && 2 * held >= own.len() {
                    let numbers = own.iter().copied().filter(|&number| driven(number));
                    *number = numbers.fold(0, u8::max);
                }
            }
        });
        boundary.hold(solid, |number, point| {
            let ride = rides.get(usize::from(number))?.as_ref()?;
            Some(ride.twist.velocity(point))
        });
    }

    /// Lets go of what is no longer solid, and of crumbs of bodies.
    pub(super) fn free_molten(&mut self) {
        let channels = &self.liquid.channels;
        if let Some((frozen, heat)) = channels.frozen.zip(channels.heat) {
            let (holders, melted) = self.particles.carried.pair_mut(frozen, heat.melted);
            for (number, &mut melted) in holders.iter_mut().zip(melted) {
                if melted >= FREE {
                    *number = 0;
                }
            }
            self.liquid.free_crumbs(holders);
        }
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
            velocity[place.particle] = ride.twist.velocity(end);
        }
    }
}
