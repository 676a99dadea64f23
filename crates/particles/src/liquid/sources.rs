//! Where particles come from and where they go: initial liquids, emitters, drains and open sides.

use glam::Vec3;
use ooze_core::random::hash;
use ooze_core::seeding::{self, Sites};
use ooze_core::{LiquidSetup, Obstacles};

use crate::particles::{NewParticle, Particles};
use crate::resolution::Resolution;
use crate::state::ParticleState;

/// The values of a material's new particles in a method's channels.
#[derive(Clone, Debug, Default)]
pub struct NewValues {
    /// One for each scalar channel.
    pub scalars: Vec<f32>,
    /// One for each vector channel.
    pub vectors: Vec<Vec3>,
}

/// Seeds, emits and drains for one liquid.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The scene.
    pub setup: &'a LiquidSetup,
    /// The liquid's resolution.
    pub resolution: Resolution,
    /// Share of the spacing by which particles may be displaced from their lattice.
    pub jitter: f32,
    /// Values of new particles, one entry a material.
    pub values: &'a [NewValues],
}

impl Sources<'_> {
    fn sites(&self, seed: u64) -> Sites<'_> {
        Sites {
            domain: &self.setup.domain,
            spacing: self.resolution.spacing,
            jitter: self.jitter,
            seed,
        }
    }

    fn add(&self, state: &mut ParticleState, position: Vec3, velocity: Vec3, material: u8) {
        let values = &self.values[usize::from(material)];
        state.add(NewParticle {
            position,
            velocity,
            material,
            scalars: &values.scalars,
            vectors: &values.vectors,
        });
    }

    /// The state at the start, in particles that have the channels of `template`.
    pub fn seed(&self, template: &Particles, obstacles: &Obstacles<'_>) -> ParticleState {
        let sites = self.sites(self.setup.seed);
        let mut state = ParticleState {
            particles: template.clone(),
            emitted_volume: vec![0.0; self.setup.emitters.len()],
            ..ParticleState::default()
        };
        for (index, liquid) in self.setup.initial.iter().enumerate() {
            let points = seeding::initial_sites(self.setup, index, &sites, obstacles);
            let centre = seeding::centre_of(&points);
            for point in points {
                let velocity = liquid.velocity + liquid.spin.cross(point - centre);
                self.add(&mut state, point, velocity, liquid.material.0);
            }
        }
        state.expected_volume = state.particles.len() as f64 * self.resolution.particle_volume();
        self.emit(&mut state, obstacles, -f64::MIN_POSITIVE, 0.0);
        state
    }

    /// Adds what emitters emit between `from` and `to`, and drives the liquid inside them.
    pub fn emit(&self, state: &mut ParticleState, obstacles: &Obstacles<'_>, from: f64, to: f64) {
        let volume = self.resolution.particle_volume();
        for (index, emitter) in self.setup.emitters.iter().enumerate() {
            if to < emitter.start || from >= emitter.stop {
                continue;
            }
            let Particles {
                position, velocity, ..
            } = &mut state.particles;
            seeding::drive(position, velocity, &self.setup.domain, emitter);
            let sites = self.sites(hash(self.setup.seed, index as u64 + 1));
            let allowance = emitter
                .rate
                .map(|rate| rate * (to.min(emitter.stop) - emitter.start));
            for point in seeding::entering_sites(&sites, emitter, obstacles, from, to) {
                let emitted = state.emitted_volume[index] + volume;
                if allowance.is_some_and(|allowed| emitted > allowed) {
                    break;
                }
                self.add(state, point, emitter.velocity, emitter.material.0);
                state.emitted_volume[index] = emitted;
                state.expected_volume += volume;
            }
        }
    }

    /// Removes the particles inside drains that are open at `time`, and those beyond open sides. Returns who remains, if
    /// anyone is gone.
    pub fn drain(&self, state: &mut ParticleState, time: f64) -> Option<Vec<u32>> {
        let kept = seeding::remaining(self.setup, &state.particles.position, time)?;
        let removed = state.particles.len() - kept.len();
        if removed == 0 {
            return None;
        }
        state.gather(&kept);
        // Neighbours' indices have changed.
        state.sorted_at.clear();
        let each = self.resolution.particle_volume();
        state.expected_volume = seeding::volume_without(state.expected_volume, removed, each);
        Some(kept)
    }
}
