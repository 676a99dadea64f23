//! What all particle liquids share: the scene they are made from, lists of neighbours, sources, diffusion and measures.

pub mod diffusion;
mod forces;
pub mod kernels;
pub mod layers;
pub mod lists;
pub mod measure;
pub mod motion;
pub mod scales;
pub mod surface;
pub mod surroundings;
pub mod walls;
pub mod yielding;

use glam::Vec3;
use ooze_core::{
    Carried, ChannelData, ChannelRule, Channels, LiquidSetup, Material, Measure, Obstacles,
    ParticleSet, ParticleSources, Solids, StableStep, gather,
};

use crate::CHUNK;
use crate::boundary::contact::{ContactRule, Touches};
use crate::resolution::Resolution;
use crate::state::ParticleState;
pub use forces::apply_forces;
use motion::Contacts;
use rayon::prelude::*;
use surface::SurfaceSense;

/// Interaction radii that a particle or a collider may cross in one step.
const LARGEST_STEP: f32 = 0.25;

/// The scene as particle liquids see it: everything about a liquid that no step changes.
pub struct Basis {
    /// The scene.
    pub setup: LiquidSetup,
    /// Spacing and radius.
    pub resolution: Resolution,
    /// Share of the spacing by which particles are displaced from their lattice at first.
    jitter: f32,
    carried: Carried,
}

impl Basis {
    /// The basis of a scene whose particles carry these channels.
    pub fn new(setup: LiquidSetup, resolution: Resolution, jitter: f32, carried: Carried) -> Self {
        Self {
            setup,
            resolution,
            jitter,
            carried,
        }
    }

    fn sources(&self) -> ParticleSources<'_> {
        ParticleSources {
            setup: &self.setup,
            spacing: self.resolution.spacing,
            jitter: self.jitter,
            particle_volume: self.resolution.particle_volume(),
        }
    }

    /// The state at the start.
    pub fn seed(&self, solids: &dyn Solids) -> ParticleState {
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let sources = self.sources();
        let points = sources.initial_points(&obstacles);
        let (particles, inventory) = sources.seed(&self.carried, &points, &obstacles);
        ParticleState {
            particles,
            inventory,
            ..ParticleState::default()
        }
    }

    /// Removes what drains and open sides take, adds what emitters emit between `from` and `to`. If anyone is gone or
    /// new, returns who of those before remains.
    pub fn drain_and_emit(
        &self,
        state: &mut ParticleState,
        solids: &dyn Solids,
        from: f64,
        to: f64,
    ) -> Option<Vec<u32>> {
        let ParticleState {
            particles,
            inventory,
            sorted_at,
            ..
        } = state;
        let count = particles.len();
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let kept = self.sources().drain(particles, inventory, to);
        let remaining = particles.len();
        self.sources()
            .emit(particles, inventory, &obstacles, (from, to));
        let grown = particles.len() != remaining;
        if kept.is_none() && !grown {
            return None;
        }
        // Neighbours' indices have changed.
        sorted_at.clear();
        Some(kept.unwrap_or_else(|| (0..count as u32).collect()))
    }

    /// The material of that index.
    pub fn material(&self, index: u8) -> &Material {
        &self.setup.materials[usize::from(index)]
    }

    /// What decides over contact, for the strongest pull of sticky walls in m/s².
    pub fn contacts<'a>(&self, touches: &'a Touches, stickiness: f32) -> Contacts<'a> {
        Contacts {
            touches,
            rule: ContactRule {
                spacing: self.resolution.spacing,
                stickiness,
                stick_reach: self.resolution.radius,
            },
            flat: self.resolution.flat(),
        }
    }

    /// Who touches walls at these points.
    pub fn touches(&self, points: &[Vec3], obstacles: &Obstacles<'_>) -> Touches {
        let Resolution {
            radius, spacing, ..
        } = self.resolution;
        Touches::find(points, obstacles, radius, spacing, self.resolution.flat())
    }

    /// The shortest of a method's own limits and of those that the speeds of liquid and colliders set.
    pub fn stable_step(
        &self,
        state: &ParticleState,
        solids: &dyn Solids,
        own: &[(f64, &'static str)],
    ) -> StableStep {
        let reach = f64::from(LARGEST_STEP * self.resolution.radius);
        let speed = f64::from(state.particles.max_speed());
        let walls = f64::from(Obstacles::new(&self.setup.domain, solids).max_speed());
        let speeds = [
            (reach / speed, "speed of the liquid"),
            (reach / walls, "speed of a collider"),
        ];
        let shortest = own.iter().chain(&speeds).min_by(|a, b| a.0.total_cmp(&b.0));
        let &(seconds, limit) = shortest.unwrap_or(&(f64::INFINITY, "nothing"));
        StableStep { seconds, limit }
    }

    /// Integral quantities beside solids. `volume_shares` are the particles' volumes relative to those at rest; without them
    /// all are one.
    pub fn measure(
        &self,
        state: &ParticleState,
        solids: &dyn Solids,
        volume_shares: &[f32],
    ) -> Measure {
        let ParticleState { particles, .. } = state;
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        Measure {
            volume: self.volume_where(state, volume_shares, |_| true),
            expected_volume: state.inventory.expected_volume,
            trapped: obstacles.trapped(&particles.position, self.resolution.spacing),
            ..particles.measure(&self.setup, self.resolution.particle_volume())
        }
    }

    /// Volume of the particles where `inside` holds: by their shares, or as at rest where they miss neighbours.
    pub fn volume_where(
        &self,
        state: &ParticleState,
        volume_shares: &[f32],
        inside: impl Fn(Vec3) -> bool + Sync,
    ) -> f64 {
        let positions = &state.particles.position;
        let indices: Vec<u32> = (0..positions.len() as u32).collect();
        let shares = ooze_commons::reduce::sum(&indices, |&index| {
            if !inside(positions[index as usize]) {
                return 0.0;
            }
            let share = volume_shares.get(index as usize);
            share.map_or(1.0, |&share| f64::from(share.min(1.0)))
        });
        shares * self.resolution.particle_volume()
    }

    /// A sense of the surface of a liquid beside solids.
    pub fn surface_sense(&self, state: &ParticleState, solids: &dyn Solids) -> SurfaceSense {
        let mut sense = SurfaceSense::new(&self.resolution);
        let positions = &state.particles.position;
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        sense.feel(&self.touches(positions, &obstacles), positions.len());
        sense
    }

    /// The channels of a frame, with the normals that a sense of the surface finds, if there is one. `volumes` are the
    /// particles' volumes in m³.
    pub fn channels(
        &self,
        state: &ParticleState,
        sense: Option<&SurfaceSense>,
        volumes: impl Fn() -> Vec<f32>,
    ) -> Channels {
        let particles = &state.particles;
        let mut channels = particles.frame();
        if let Some(sense) = sense {
            let mut normals = sense.normals(state, &volumes());
            gather(&mut normals, &particles.identity_order());
            channels.insert("normal", ChannelData::Vector(normals));
        }
        channels
    }

    /// The mean of `value(particle)` around a point; none where there is no liquid.
    pub fn value_at<T>(&self, state: &ParticleState, point: Vec3, value: T) -> Option<Vec3>
    where
        T: Fn(usize) -> Vec3,
    {
        measure::interpolate(&state.particles.position, &self.resolution, point, value)
    }

    /// Velocity at a point; none where there is no liquid.
    pub fn velocity_at(&self, state: &ParticleState, point: Vec3) -> Option<Vec3> {
        let velocity = &state.particles.velocity;
        self.value_at(state, point, |index| velocity[index])
    }
}

/// Colours that spread between particles.
pub fn colour() -> ChannelRule<Vec3> {
    ChannelRule::new("colour", |birth| birth.material.appearance.colour).in_frames()
}

/// Positions after moving on for `seconds` with their velocities.
pub fn positions_ahead(particles: &ParticleSet, seconds: f32) -> Vec<Vec3> {
    let ParticleSet {
        position, velocity, ..
    } = particles;
    let pairs = position.par_iter().with_min_len(CHUNK).zip(velocity);
    pairs
        .map(|(position, velocity)| *position + *velocity * seconds)
        .collect()
}
