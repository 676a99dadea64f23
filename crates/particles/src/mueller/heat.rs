//! Heat and colour: diffusion between particles, and heat through the domain's bottom and top.

use super::{COLOUR, MuellerLiquid, TEMPERATURE};
use crate::liquid::diffusion;
use crate::neighbours::{Neighbours, Point};
use crate::particles::Particles;

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
    pub(super) fn swelling(&self, particles: &Particles, index: usize) -> f32 {
        let material = self.basis.material(particles.material[index]);
        let temperature = particles.scalar(TEMPERATURE).get(index);
        let warming = temperature.map_or(0.0, |found| found - material.temperature);
        1.0 + self.settings.expansion(material) * warming
    }

    /// Volumes of particles at rest in m³, and of the point that pads lists.
    pub(super) fn volumes(&self, particles: &Particles) -> Vec<f32> {
        let volume = self.basis.resolution.particle_volume() as f32;
        let own = (0..particles.len()).map(|index| volume * self.swelling(particles, index));
        own.chain([0.0]).collect()
    }

    /// Lets heat and colour spread for `dt` seconds.
    pub(super) fn diffuse(
        &self,
        neighbours: &Neighbours,
        points: &[Point],
        particles: &mut Particles,
        dt: f32,
    ) {
        let settings = &self.settings;
        let volume = self.basis.resolution.particle_volume() as f32;
        let weight = self.kernels.laplacian;
        let coloured = particles.vectors.iter_mut();
        for channel in coloured.filter(|channel| channel.name == COLOUR) {
            let rate = settings.diffusivity * dt * volume;
            diffusion::spread(neighbours, points, weight, rate, &mut channel.values);
        }
        let domain = &self.basis.setup.domain;
        let sides = [
            (settings.bottom_temperature, domain.lower.y, 1.0),
            (settings.top_temperature, domain.upper().y, -1.0),
        ];
        let diffusivity = self.heat_diffusivity();
        let closest = 0.25 * self.basis.resolution.spacing;
        let heated = particles.scalars.iter_mut();
        for channel in heated.filter(|channel| channel.name == TEMPERATURE) {
            let rate = diffusivity * dt * volume;
            diffusion::spread(neighbours, points, weight, rate, &mut channel.values);
            for (wall, height, sign) in sides {
                let Some(wall) = wall else { continue };
                for (value, point) in channel.values.iter_mut().zip(points) {
                    let distance = sign * (point[1] - height);
                    // Behind the wall the temperature goes on as straight as from here to the wall.
                    let flux = self.kernels.wall_flux.at(distance) / distance.max(closest);
                    let share = diffusivity * dt * flux;
                    *value += (wall - *value) * share.min(1.0);
                }
            }
        }
    }
}
