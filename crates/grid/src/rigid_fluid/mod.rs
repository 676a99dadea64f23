//! Bodies as liquid that is made rigid: the rigid fluid method (Carlson 2004, ch. 5).
//!
//! The Navier-Stokes equations are solved over liquid and bodies as if all of it were liquid, uⁿ → u*. Inside bodies, their other
//! density and what they collided with act then, u* → û (`source`), and their velocities are made those of rigid motions that have
//! the same momentum and angular momentum, û → uⁿ⁺¹ (`projection`). Where a body is, and how much of each cell it takes, is found once
//! a step (`pieces`).
//!
//! Deviations:
//! - uⁿ of a body is how the body itself moves, which is what the last step's projection and its contacts left it with, and
//!   (u* − uⁿ)/Δt + (u*·∇)u* the difference to u* over the step: what moves with a body is carried without loss. The grid's uⁿ
//!   has been mixed with that of liquid in the cells that both share, and a heavy body would lose that much of its own momentum in
//!   each step, however short.
//! - û of eq. 71 is the mean over a cell of liquid, which has u*, and solid, which has u* + Δt S/ρr. Eq. 77 and 78 integrate over the solid, and so
//!   over the latter. With û itself, source terms would count by w² at the rim of a body, and one of eight cells would weigh a tenth
//!   less than it does.
//! - Velocities are taken from faces, with the share of the cube around the face, and not from means at the centres of cells.
//! - An acceleration α turns a body by α × r; eq. 70 has it the other way round.

mod dense;
mod pieces;
mod projection;
mod settings;
mod source;
#[cfg(test)]
mod tests;

use glam::{DMat3, DVec3, IVec3, Vec3};
use ooze_core::{BodyId, Force, FreeBody, Impulse, ImpulsePart, Obstacles, Solid};
use ooze_field::{Field, FieldByAxis, Lattice};
use rayon::prelude::*;

use crate::coupling::Six;
use crate::face_velocity::FaceVelocity;
use pieces::{Pieces, touches};
pub use settings::{BodyCoupling, BodySettings, LoopOrder};
use source::Source;

/// A body that is a part of the liquid for a while.
struct Immersed {
    body: BodyId,
    free: FreeBody,
    /// Where its centre of mass is at the start of the step.
    centre: DVec3,
    /// Its tensor of inertia about that, in the world.
    inertia: DMat3,
    /// Whether the liquid did not touch it in the last step.
    enters: bool,
    pieces: Pieces,
}

/// The bodies that the liquid touches, where they are at the start of a step.
pub(crate) struct ImmersedBodies {
    bodies: Vec<Immersed>,
    /// Those that are free, wet and dry.
    free: Vec<BodyId>,
    settings: BodySettings,
    forces: Vec<Force>,
    dt: f64,
}

/// What a step needs to know besides bodies.
pub(crate) struct Surroundings<'a> {
    pub(crate) obstacles: &'a Obstacles<'a>,
    /// The level set on the lattice of half the cell size.
    pub(crate) phi: &'a Field<f32>,
    pub(crate) lattice: Lattice,
    /// The solids that the liquid touched in the last step.
    pub(crate) wet_before: &'a [u8],
    pub(crate) settings: BodySettings,
    pub(crate) forces: &'a [Force],
    pub(crate) dt: f64,
}

impl ImmersedBodies {
    /// The bodies in a liquid, if any is free.
    pub(crate) fn find(around: &Surroundings<'_>) -> Option<Self> {
        let obstacles = around.obstacles;
        let solids = obstacles.solids().len() as u16;
        let free = (0..solids).map(BodyId);
        let free: Vec<BodyId> = free
            .filter(|&body| obstacles.free(body).is_some())
            .collect();
        if free.is_empty() {
            return None;
        }
        let bodies = free.par_iter();
        let bodies: Vec<Option<Immersed>> = bodies.map(|&body| around.immersed(body)).collect();
        Some(Self {
            bodies: bodies.into_iter().flatten().collect(),
            free,
            settings: around.settings,
            forces: around.forces.to_vec(),
            dt: around.dt,
        })
    }

    /// Whether pressure acts before velocities are carried, too.
    pub(crate) fn presses_twice(&self) -> bool {
        self.settings.loop_order == LoopOrder::Lively
    }

    /// Which of so many solids the liquid touches.
    pub(crate) fn wet(&self, solids: usize) -> Vec<u8> {
        let mut wet = vec![0; solids];
        for body in &self.bodies {
            wet[usize::from(body.body.0)] = 1;
        }
        wet
    }

    /// The tiles that bodies have a part of.
    pub(crate) fn tiles(&self) -> impl Iterator<Item = IVec3> {
        self.bodies.iter().flat_map(|body| body.pieces.tiles())
    }

    /// Makes a level set at cell centres that of liquid and bodies, C = F ∪ R (Carlson 2004, sec. 5.1).
    pub(crate) fn flood(&self, liquid: &mut Field<f32>) {
        for body in &self.bodies {
            body.pieces.flood(liquid);
        }
    }

    /// Gives the places of bodies that have come into the liquid in this step the velocities of these.
    pub(crate) fn enter(&self, velocity: &mut FieldByAxis<f32>) {
        for body in self.bodies.iter().filter(|body| body.enters) {
            body.mix(velocity, body.before());
        }
    }

    /// Lets forces act on bodies as far as these weigh more than liquid, if that comes before pressure.
    pub(crate) fn weigh(
        &self,
        velocity: &mut FieldByAxis<f32>,
        density: impl Fn(IVec3) -> f32 + Sync,
    ) {
        if !self.settings.buoyant_weight {
            return;
        }
        for body in &self.bodies {
            let own = body.density();
            body.pieces.change(velocity, |piece, value| {
                let excess = own / f64::from(density(piece.cell)) - 1.0;
                value + piece.share * excess * self.fall(body, piece.axis, piece.arm)
            });
        }
    }

    /// Velocity along an axis that forces add in the step at a point of a body.
    fn fall(&self, body: &Immersed, axis: usize, arm: DVec3) -> f64 {
        let point = (body.centre + arm).as_vec3();
        let accelerations = self.forces.iter();
        let sum: Vec3 = accelerations.map(|force| force.acceleration(point)).sum();
        f64::from(sum[axis]) * self.dt
    }

    /// Has density and collisions of bodies act on the velocities u*, which become û, and adds what the liquid did to each of the
    /// free bodies. `density` tells the liquid's in a cell in kg/m³.
    pub(crate) fn act(
        &self,
        grid: &mut FaceVelocity,
        density: impl Fn(IVec3) -> f32 + Sync,
        impulses: &mut Vec<Impulse>,
    ) {
        let sources = self.bodies.par_iter();
        let sources: Vec<Source> = sources
            .map(|body| self.source(body, grid, &density))
            .collect();
        let mut done: Vec<Impulse> = self.free.iter().map(|&body| Impulse::none(body)).collect();
        for (body, source) in self.bodies.iter().zip(&sources) {
            source.apply(&body.pieces, &mut grid.velocity);
            let place = self.free.binary_search(&body.body);
            if let Ok(place) = place {
                done[place].pressure = body.impulse(source.motion);
            }
        }
        for impulse in done {
            let place = impulses.partition_point(|known| known.body < impulse.body);
            impulses.insert(place, impulse);
        }
    }

    /// Makes velocities in bodies those of the motions that the bodies have now (Carlson 2004, eq. 80). `solids` are theirs at the end
    /// of the step.
    pub(crate) fn make_rigid(&self, velocity: &mut FieldByAxis<f32>, solids: &[Solid]) {
        for body in &self.bodies {
            let solid = &solids[usize::from(body.body.0)];
            let centre = solid.end.to_world(body.free.centre);
            let motion = Six {
                linear: solid.next.velocity(centre).as_dvec3(),
                angular: solid.next.angular.as_dvec3(),
            };
            body.mix(velocity, motion);
        }
    }
}

impl Surroundings<'_> {
    /// A free body, if the liquid touches it.
    fn immersed(&self, body: BodyId) -> Option<Immersed> {
        let free = self.obstacles.free(body)?;
        let solid = &self.obstacles.solids()[usize::from(body.0)];
        let topology = pieces::tiles_around(&self.lattice, self.obstacles.bounds(body))?;
        let distance = pieces::distances(&topology, |point| self.obstacles.distance(body, point));
        if !touches(&distance, self.phi) {
            return None;
        }
        let centre = solid.start.to_world(free.centre).as_dvec3();
        let turn = DMat3::from_quat(solid.start.rotation.as_dquat());
        let known = self.wet_before.get(usize::from(body.0));
        Some(Immersed {
            body,
            free,
            centre,
            inertia: turn * free.inertia * turn.transpose(),
            enters: known.is_none_or(|&wet| wet == 0),
            pieces: Pieces::of(distance, centre),
        })
    }
}

impl Immersed {
    /// In kg/m³.
    fn density(&self) -> f64 {
        self.free.mass / self.free.volume
    }

    /// How it moves at the start of the step.
    fn before(&self) -> Six {
        let before = self.free.before;
        Six {
            linear: before.linear,
            angular: before.angular,
        }
    }

    /// How it would move at the end of the step without the liquid.
    fn unforced(&self) -> Six {
        let unforced = self.free.unforced;
        Six {
            linear: unforced.linear,
            angular: unforced.angular,
        }
    }

    /// Gives its places so much of the velocities of a motion as it takes of them.
    fn mix(&self, velocity: &mut FieldByAxis<f32>, motion: Six) {
        self.pieces.change(velocity, |piece, value| {
            value + piece.share * (motion.along(piece.axis, piece.arm) - value)
        });
    }

    /// What it takes to have it move in some way at the end of the step.
    fn impulse(&self, motion: Six) -> ImpulsePart {
        let unforced = self.unforced();
        let linear = self.free.mass * (motion.linear - unforced.linear);
        let angular = self.inertia * (motion.angular - unforced.angular);
        ImpulsePart {
            linear,
            angular: angular + self.centre.cross(linear),
        }
    }
}
