//! The surface of a liquid from step to step: a level set, with particles that correct it (Goktekin 2011, alg. 9, after
//! Enright et al. 2002).

use std::sync::Arc;

use glam::Vec3;
use ooze_commons::choice;
use rayon::prelude::*;

use super::advection::{Advection, advect};
use super::particles::{ParticleSettings, SurfaceParticles};
use super::reinitialise::reinitialise;
use super::relaxation::{Relaxation, relax_to_distance};
use crate::random::hash;
use crate::{Field, NO_TILE, TopologyBuilder};

choice! {
    /// How the level set becomes a distance again after each step.
    pub enum Reinitialisation {
        /// Distances spread from the surface, which stays where it is.
        Marching "marching";
        /// An equation is relaxed, with WENO and Runge-Kutta (Carlson 2004, sec. 6.2.2).
        Relaxation(Relaxation = Relaxation::USUAL) "relaxation";
    }
}

/// How a surface is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackingSettings {
    /// How the level set is moved.
    pub advection: Advection,
    /// The particles; none for a level set alone.
    pub particles: Option<ParticleSettings>,
    /// How the level set becomes a distance again.
    pub reinitialisation: Reinitialisation,
    /// Distance from the surface up to which the level set is one, in cells.
    pub band: f32,
    /// Steps after which the particles' number is evened out.
    pub reseed_every: u32,
}

impl Default for TrackingSettings {
    fn default() -> Self {
        Self {
            advection: Advection::SemiLagrangian,
            particles: Some(ParticleSettings::default()),
            reinitialisation: Reinitialisation::Marching,
            band: 6.0,
            reseed_every: 10,
        }
    }
}

/// What a surface needs to know of solids.
pub trait TrackingWalls {
    /// Continues a level set into the solids, before it becomes a distance again.
    fn continue_into(&self, phi: &mut Field<f32>);

    /// Whether a point is outside of all solids, so that a particle may be there.
    fn leave_free(&self, point: Vec3) -> bool;
}

/// No walls at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWalls;

impl TrackingWalls for NoWalls {
    fn continue_into(&self, _: &mut Field<f32>) {}

    fn leave_free(&self, _: Vec3) -> bool {
        true
    }
}

/// A level set and its particles.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackedSurface {
    /// The level set, negative in the liquid.
    pub phi: Field<f32>,
    /// The particles.
    pub particles: SurfaceParticles,
    /// Steps taken so far.
    pub steps: u32,
    /// Decides where particles are put.
    pub seed: u64,
}

impl TrackedSurface {
    /// A surface at its start.
    pub fn new(mut phi: Field<f32>, settings: &TrackingSettings, seed: u64) -> Self {
        let band = band_of(&phi, settings);
        reinitialise(&mut phi, band);
        let particles = match &settings.particles {
            Some(particles) => SurfaceParticles::seed(&phi, particles, seed),
            None => SurfaceParticles::default(),
        };
        Self {
            phi,
            particles,
            steps: 0,
            seed,
        }
    }

    /// Moves the surface with the flow for `dt` seconds, in which nothing may move further than the eight cells of a tile;
    /// knowing how far anything moves at the most (`longest_way` in metres, infinite if that is not known) saves time.
    pub fn advance(
        &mut self,
        velocity: &(impl Fn(Vec3) -> Vec3 + Sync),
        dt: f32,
        longest_way: f32,
        settings: &TrackingSettings,
        walls: &(impl TrackingWalls + Sync),
    ) {
        self.phi = advect(&self.phi, velocity, dt, longest_way, settings.advection);
        if let Some(particles) = &settings.particles {
            self.particles.carry(velocity, dt, particles.path);
            self.particles.keep_where(|point| walls.leave_free(point));
            self.particles.correct(&mut self.phi, particles.air);
        }
        walls.continue_into(&mut self.phi);
        self.reinitialise(settings);
        self.steps += 1;
        if let Some(particles) = &settings.particles {
            if self.steps.is_multiple_of(settings.reseed_every) {
                self.particles.correct(&mut self.phi, particles.air);
                let seed = hash(self.seed, u64::from(self.steps));
                self.particles.reseed(&self.phi, particles, seed);
                self.particles.keep_where(|point| walls.leave_free(point));
            } else {
                self.particles.correct_and_fit(&mut self.phi, particles);
            }
        }
    }

    /// Makes the level set a distance again.
    pub fn reinitialise(&mut self, settings: &TrackingSettings) {
        let band = band_of(&self.phi, settings);
        match settings.reinitialisation {
            Reinitialisation::Marching => reinitialise(&mut self.phi, band),
            Reinitialisation::Relaxation(relaxation) => {
                relax_to_distance(&mut self.phi, band, relaxation);
            }
        }
    }
}

fn band_of(phi: &Field<f32>, settings: &TrackingSettings) -> f32 {
    settings.band * phi.topology().lattice().cell_size
}

/// The same level set on the tiles that hold liquid or lie within `reach` cells of it: where the liquid goes, tiles come
/// into being; those it has left disappear.
pub fn retiled(phi: &Field<f32>, reach: i32) -> Field<f32> {
    let topology = phi.topology();
    let builder = TopologyBuilder::new(*topology.lattice());
    let whole: Vec<bool> = (0..topology.tile_count())
        .into_par_iter()
        .map(|slot| phi.tile(slot).iter().all(|&value| value < 0.0))
        .collect();
    (0..topology.tile_count()).into_par_iter().for_each(|slot| {
        let enclosed = whole[slot]
            && topology
                .neighbours(slot)
                .iter()
                .all(|&other| other != NO_TILE && whole[other as usize]);
        // Whatever lies within reach of an enclosed tile lies nearer to one that is not.
        if enclosed {
            builder.mark(topology.tile_lower(slot), 0);
            return;
        }
        for (local, &value) in phi.tile(slot).iter().enumerate() {
            if value < 0.0 {
                builder.mark(topology.cell(slot, local), reach);
            }
        }
    });
    phi.on_tiles(&Arc::new(builder.build()))
}
