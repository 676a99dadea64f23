//! Heat and colour: diffusion between particles, and heat through the domain's bottom and top.

use ooze_core::{Domain, ParticleSet, Side};

use super::MuellerLiquid;
use crate::liquid::diffusion;
use crate::neighbours::{Neighbours, Point};

/// Temperatures of a domain's bottom and top in kelvin; none where they pass no heat.
pub(super) fn plates(domain: &Domain) -> [Option<f32>; 2] {
    domain.sides[1].map(|side| match side {
        Side::Closed(contact) => contact.heat.map(|wall| wall.temperature),
        Side::Open => None,
    })
}

impl MuellerLiquid {
    /// Diffusivity of heat in m²/s.
    pub(super) fn heat_diffusivity(&self) -> f32 {
        let own = self.basis.setup.materials.iter().filter_map(|material| {
            let thermal = material.thermal?;
            Some(thermal.diffusivity(material.density))
        });
        let settings = &self.settings;
        settings
            .heat_diffusivity
            .unwrap_or_else(|| own.fold(0.0, f32::max))
    }

    /// How much more volume than at its material's own temperature a particle takes.
    pub(super) fn swelling(&self, particles: &ParticleSet, index: usize) -> f32 {
        let material = self.basis.material(particles.material[index]);
        let temperature = particles
            .carried
            .optional(self.channels.temperature)
            .get(index);
        let warming = temperature.map_or(0.0, |found| found - material.temperature);
        1.0 + self.settings.expansion(material) * warming
    }

    /// Volumes of particles at rest in m³, and of the point that pads lists.
    pub(super) fn volumes(&self, particles: &ParticleSet) -> Vec<f32> {
        let volume = self.basis.resolution.particle_volume() as f32;
        let own = (0..particles.len()).map(|index| volume * self.swelling(particles, index));
        own.chain([0.0]).collect()
    }

    /// Lets heat and colour spread for `dt` seconds.
    pub(super) fn diffuse(
        &self,
        neighbours: &Neighbours,
        points: &[Point],
        particles: &mut ParticleSet,
        dt: f32,
    ) {
        let settings = &self.settings;
        let volume = self.basis.resolution.particle_volume() as f32;
        let weight = self.kernels.laplacian;
        if let Some(colour) = self.channels.colour {
            let rate = settings.diffusivity * dt * volume;
            let colours = &mut particles.carried[colour];
            diffusion::spread(neighbours, points, weight, rate, colours);
        }
        let Some(temperature) = self.channels.temperature else {
            return;
        };
        let temperatures = &mut particles.carried[temperature];
        let diffusivity = self.heat_diffusivity();
        let rate = diffusivity * dt * volume;
        diffusion::spread(neighbours, points, weight, rate, temperatures);
        let domain = &self.basis.setup.domain;
        let [bottom, top] = plates(domain);
        let sides = [(bottom, domain.lower.y, 1.0), (top, domain.upper().y, -1.0)];
        let closest = 0.25 * self.basis.resolution.spacing;
        for (wall, height, sign) in sides {
            let Some(wall) = wall else { continue };
            for (value, point) in temperatures.iter_mut().zip(points) {
                let distance = sign * (point[1] - height);
                // Behind the wall the temperature goes on as straight as from here to the wall.
                let flux = self.kernels.wall_flux.at(distance) / distance.max(closest);
                let share = diffusivity * dt * flux;
                *value += (wall - *value) * share.min(1.0);
            }
        }
    }
}
