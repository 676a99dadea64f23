//! Densities: counted, ρ_i = m_i Σ W (Solenthaler & Pajarola 2008), and how they change by the flow.
//!
//! Counted densities are wrong near free surfaces and carry the noise of the packing, which a stiff state equation turns
//! into forces. Evolved densities follow the continuity equation instead, dJ/dt = −J ∇·u with J = ρ/ρ₀ (Monaghan 1994), and
//! differences between neighbours that are neither weight nor flow diffuse (Molteni & Colagrossi 2009; the hydrostatic part
//! is left out of the differences as by Fourtakas, Dominguez, Vacondio & Rogers 2019).

use glam::Vec3;

use crate::liquid::kernels::Kernels;
use crate::liquid::surroundings::{Surroundings, between};
use crate::neighbours::Point;

/// How far a density by the flow may be from the counted one, relative to the density at rest.
const STRAY: f32 = 0.1;

/// What sums over a particle's neighbours say of its density.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Particles a volume, relative to those at rest: walls count as full.
    pub counted: f32,
    /// Divergence of the velocity in 1/s.
    pub divergence: f32,
    /// Rate of diffusion of J in 1/s.
    pub diffusion: f32,
}

impl Sums {
    /// A density J that the flow has changed, kept near the counted one. Both agree to some hundredths inside a liquid,
    /// and at a surface the flow's is right; but a droplet that flies and lands meets nothing that would bring its own
    /// back, and dJ/dt = −J ∇·u makes it grow the faster the larger it is, until its pressure is a blast.
    pub fn near_counted(&self, compression: f32) -> f32 {
        let (least, most) = (self.counted.min(1.0), self.counted.max(1.0));
        compression.clamp(least - STRAY, most + STRAY)
    }
}

/// What sums are made from.
pub struct Flow<'a> {
    /// Kernels.
    pub kernels: &'a Kernels,
    /// Who is near whom and where.
    pub around: Surroundings<'a>,
    /// Velocities; the fourth number is a particle's density at rest.
    pub flow: &'a [Point],
    /// Pressure by the state equation before this step, and volume.
    pub fluid: &'a [[f32; 2]],
    /// The acceleration that pressure balances at rest, in m/s².
    pub gravity: Vec3,
    /// The speed of sound in m/s.
    pub sound_speed: f32,
    /// δ: strength of the diffusion.
    pub diffusion: f32,
    /// Volume of a particle at rest in m³.
    pub volume: f32,
}

/// Sums at every particle.
pub fn sums(input: &Flow<'_>, target: &mut [Sums]) {
    let Flow {
        kernels,
        around,
        flow,
        fluid,
        ..
    } = *input;
    // δ h c of the published form, whose smoothing length is half of the radius, times the Laplacian's 2.
    let strength = input.diffusion * kernels.radius / input.sound_speed;
    around.neighbours.for_each(
        target,
        #[inline(always)]
        |index, list, sums| {
            let own = around.first + index;
            let (moving, [pressure, _]) = (flow[own], fluid[own]);
            let mut count = kernels.density.value(0.0);
            let mut opening = 0.0;
            let mut diffusion = 0.0;
            around.visit(
                index,
                list,
                kernels.radius,
                #[inline(always)]
                |pair| {
                    let their = flow[pair.other];
                    let [their_pressure, volume] = fluid[pair.other];
                    let (relative, _) = between(moving, their);
                    let steepness = kernels.steepness(pair.distance) / pair.distance;
                    count += kernels.density.value(pair.distance) * volume / input.volume;
                    opening += relative.dot(pair.away) * steepness * volume;
                    if !pair.wall {
                        let density = 0.5 * (moving[3] + their[3]);
                        let excess =
                            their_pressure - pressure - density * input.gravity.dot(pair.away);
                        diffusion += strength * excess / density * steepness * volume;
                    }
                },
            );
            let mut counted = input.volume * kernels.density_scale * count;
            for touch in around.touches(index) {
                let velocity = Vec3::new(moving[0], moving[1], moving[2]) - touch.velocity;
                counted += input.volume * kernels.wall_density.at(touch.distance);
                // The liquid behind the wall moves as the mirror shows it.
                opening += 2.0 * velocity.dot(touch.normal) * kernels.wall_push.at(touch.distance);
            }
            *sums = Sums {
                counted,
                divergence: opening,
                diffusion,
            };
        },
    );
}

#[cfg(test)]
mod tests {
    use super::Sums;

    #[test]
    fn densities_by_the_flow_stay_near_the_counted_ones() {
        let counted = |counted| Sums {
            counted,
            ..Sums::default()
        };
        // Inside the liquid and at its surface the flow is right.
        assert_eq!(counted(1.02).near_counted(1.04), 1.04);
        assert_eq!(counted(0.5).near_counted(0.98), 0.98);
        // A droplet alone in the air is not under pressure, nor is one that has been flung into the liquid without limit.
        assert!(counted(0.1).near_counted(3.4) < 1.11);
        assert!(counted(1.3).near_counted(3.4) < 1.41);
        assert!(counted(1.0).near_counted(0.2) > 0.89);
    }
}
