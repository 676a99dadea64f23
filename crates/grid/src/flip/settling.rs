//! Evens out seeded particles before the first step.
//!
//! Jittered sites leave some cells too full and others too empty. The density correction would mend that in the first
//! frames, which lifts the liquid a little while time already runs: energy out of nothing. So it acts before the start, also
//! where steps do without it.

use glam::Vec3;
use ooze_core::{Obstacles, ParticleSet, StepError, StepReport};
use ooze_field::face_fields;

use super::walls::{self, SmallShifts};
use super::{FlipLiquid, ROUNDS_PER_STEP, seeding, spread};
use crate::boundary::Boundary;
use crate::pressure::{Coupling, PressureSystem};

/// Rounds of density correction: each halves what the last has left.
const ROUNDS: usize = 6;

impl FlipLiquid {
    /// Moves the points that initial liquids are seeded at apart where they crowd. Where a solve fails they stay as they
    /// are: the first step meets the same system, and tells.
    pub(super) fn settle(&mut self, seeds: &mut [Vec<Vec3>], obstacles: &Obstacles<'_>) {
        let sources = seeding::sources(&self.setup, self.settings.sampling);
        let (mut particles, _) = sources.fill(&self.state.particles.carried, seeds);
        particles.velocity.fill(Vec3::ZERO);
        self.state.particles = particles;
        for _ in 0..ROUNDS {
            if self.state.particles.is_empty() || self.spread_once(obstacles).is_err() {
                return;
            }
        }
        let particles = &self.state.particles;
        let settled = particles.identity_order();
        for (point, &index) in seeds.iter_mut().flatten().zip(&settled) {
            *point = particles.position[index as usize];
        }
    }

    fn spread_once(&mut self, obstacles: &Obstacles<'_>) -> Result<(), StepError> {
        let settings = self.settings;
        let (order, _) = self.sort_particles();
        let mut particles = std::mem::take(&mut self.spare);
        let weights = settings.pressure.wall_weights;
        let boundary = Boundary::rasterize(&order.topology, obstacles, weights, &mut self.fixed);
        let ParticleSet {
            position: positions,
            carried,
            ..
        } = &mut particles;
        let touching = &mut carried[self.channels.touching];
        let solids = (&boundary, obstacles);
        let surface = self.wrap(&order, positions, touching, solids, ROUNDS_PER_STEP);
        let coupling = Coupling {
            liquid: &surface.distance,
            boundary: &boundary,
            density: None,
            reference_density: self.reference_density(),
        };
        let mut system = PressureSystem::assemble(&coupling, settings.pressure)?;
        let (sampling, mut report) = (settings.sampling, StepReport::default());
        let displacement = spread::displacement(
            &order,
            positions,
            &mut system,
            &coupling,
            sampling,
            &mut report,
        )?;
        let aside = SmallShifts {
            faces: Some(&displacement),
            shifts: &[],
            mobility: &[],
        };
        let still = face_fields(&order.topology, 0.0);
        let at_rest = &mut particles;
        walls::carry(&order, at_rest, &still, aside, &boundary, obstacles, 0.0);
        self.spare = std::mem::replace(&mut self.state.particles, particles);
        Ok(())
    }
}
