//! Where particles come from and where they go: initial liquids, emitters, drains and open sides, on the lattice of sites
//! that all methods share.

use glam::Vec3;

use crate::random::hash;
use crate::seeding::{self, Sites};
use crate::{Birth, Carried, Inventory, LiquidSetup, MaterialId, Obstacles, ParticleSet};

/// Seeds, emits and drains the particles of one liquid.
#[derive(Clone, Copy)]
pub struct ParticleSources<'a> {
    /// The scene.
    pub setup: &'a LiquidSetup,
    /// Distance of neighbouring particles at rest in metres.
    pub spacing: f32,
    /// Share of the spacing by which particles may be displaced from their lattice along each axis.
    pub jitter: f32,
    /// Volume that one particle stands for, in cubic metres.
    pub particle_volume: f64,
}

impl ParticleSources<'_> {
    fn sites(&self, seed: u64) -> Sites<'_> {
        Sites {
            domain: &self.setup.domain,
            spacing: self.spacing,
            jitter: self.jitter,
            seed,
        }
    }

    /// Where the particles of each initial liquid start. Where two overlap, the first in the scene wins.
    pub fn initial_points(&self, obstacles: &Obstacles<'_>) -> Vec<Vec<Vec3>> {
        let sites = self.sites(self.setup.seed);
        (0..self.setup.initial.len())
            .map(|index| seeding::initial_sites(self.setup, index, &sites, obstacles))
            .collect()
    }

    /// Particles that carry these channels, at the points of each initial liquid, and what emitters have already emitted when
    /// time begins.
    pub fn seed(
        &self,
        carried: &Carried,
        points: &[Vec<Vec3>],
        obstacles: &Obstacles<'_>,
    ) -> (ParticleSet, Inventory) {
        let (mut particles, mut inventory) = self.fill(carried, points);
        let start = (-f64::MIN_POSITIVE, 0.0);
        self.emit(&mut particles, &mut inventory, obstacles, start);
        (particles, inventory)
    }

    /// Particles that carry these channels, at the points of each initial liquid.
    pub fn fill(&self, carried: &Carried, points: &[Vec<Vec3>]) -> (ParticleSet, Inventory) {
        let mut particles = ParticleSet::carrying(carried);
        let mut inventory = Inventory {
            emitted_volume: vec![0.0; self.setup.emitters.len()],
            ..Inventory::default()
        };
        for (liquid, points) in self.setup.initial.iter().zip(points) {
            let MaterialId(material) = liquid.material;
            let centre = seeding::centre_of(points);
            for &position in points {
                let birth = Birth::at_start(position, self.setup, liquid);
                let velocity = liquid.velocity + liquid.spin.cross(position - centre);
                particles.push(&birth, velocity, inventory.new_identity(), material);
            }
        }
        inventory.expected_volume = particles.len() as f64 * self.particle_volume;
        (particles, inventory)
    }

    /// Adds what emitters emit between two moments, and drives the liquid inside them. A first moment before an emitter's start
    /// fills its region. Texture coordinates that fall due are given anew.
    pub fn emit(
        &self,
        particles: &mut ParticleSet,
        inventory: &mut Inventory,
        obstacles: &Obstacles<'_>,
        (from, to): (f64, f64),
    ) {
        if let Some(texture) = &self.setup.texture {
            texture.renew(particles, (from, to));
        }
        let volume = self.particle_volume;
        for (index, emitter) in self.setup.emitters.iter().enumerate() {
            if to < emitter.start || from >= emitter.stop {
                continue;
            }
            let ParticleSet {
                position, velocity, ..
            } = particles;
            seeding::drive(position, velocity, &self.setup.domain, emitter);
            let sites = self.sites(hash(self.setup.seed, index as u64 + 1));
            let allowance = emitter
                .rate
                .map(|rate| rate * (to.min(emitter.stop) - emitter.start));
            let MaterialId(material) = emitter.material;
            for position in seeding::entering_sites(&sites, emitter, obstacles, from, to) {
                let emitted = inventory.emitted_volume[index] + volume;
                if allowance.is_some_and(|allowed| emitted > allowed) {
                    break;
                }
                let birth = Birth::emitted(position, self.setup, emitter);
                let identity = inventory.new_identity();
                particles.push(&birth, emitter.velocity, identity, material);
                inventory.emitted_volume[index] = emitted;
                inventory.expected_volume += volume;
            }
        }
    }

    /// Removes the particles inside drains that are open at `time`, and those beyond open sides. Returns who remains, if
    /// anyone is gone.
    pub fn drain(
        &self,
        particles: &mut ParticleSet,
        inventory: &mut Inventory,
        time: f64,
    ) -> Option<Vec<u32>> {
        let kept = seeding::remaining(self.setup, &particles.position, time)?;
        let removed = particles.len() - kept.len();
        if removed == 0 {
            return None;
        }
        particles.gather(&kept);
        let (expected, each) = (inventory.expected_volume, self.particle_volume);
        inventory.expected_volume = seeding::volume_without(expected, removed, each);
        Some(kept)
    }
}
