//! Integral quantities of particles.

use glam::DVec3;
use ooze_commons::reduce;

use super::ParticleSet;
use crate::{LiquidSetup, Measure};

impl ParticleSet {
    /// Momentum, energy and the like of particles that stand for `particle_volume` cubic metres each; what only a method knows,
    /// such as the volume inside the liquid's surface, is left out.
    pub fn measure(&self, setup: &LiquidSetup, particle_volume: f64) -> Measure {
        let indices: Vec<u32> = (0..self.len() as u32).collect();
        let mass = |index: usize| {
            let material = usize::from(self.material[index]);
            f64::from(setup.materials[material].density) * particle_volume
        };
        let sum = |term: &(dyn Fn(usize) -> f64 + Sync)| {
            reduce::sum(&indices, |&index| term(index as usize))
        };
        let vector = |term: &(dyn Fn(usize) -> DVec3 + Sync)| {
            DVec3::from_array(std::array::from_fn(|axis| sum(&|index| term(index)[axis])))
        };
        let momentum = |index: usize| self.velocity[index].as_dvec3() * mass(index);
        Measure {
            particles: self.len(),
            mass: sum(&mass),
            momentum: vector(&momentum),
            angular_momentum: vector(&|index| {
                self.position[index].as_dvec3().cross(momentum(index))
            }),
            kinetic_energy: sum(&|index| {
                0.5 * mass(index) * self.velocity[index].as_dvec3().length_squared()
            }),
            potential_energy: sum(&|index| {
                mass(index) * setup.potential(self.position[index].as_dvec3())
            }),
            max_speed: f64::from(self.max_speed()),
            ..Measure::default()
        }
    }

    /// Largest speed in m/s; zero without particles.
    pub fn max_speed(&self) -> f32 {
        reduce::max(&self.velocity, |velocity| velocity.length_squared())
            .max(0.0)
            .sqrt()
    }
}
