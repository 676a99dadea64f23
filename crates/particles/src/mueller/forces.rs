//! The forces between particles: pressure, viscosity and artificial viscosity, in one pass over pairs.
//!
//! Pressure acts as −V_i Σ V_j (p_i + p_j) ∇W with volumes at rest (Colagrossi & Landrini 2003): the same for both of a
//! pair, so that momentum stays, zero at free surfaces, without a jump where liquids of different densities meet, and the
//! counterpart of the divergence in [`super::density`], so that energy stays too. Müller et al. (2003) take half of it,
//! which is half of the gradient.
//!
//! Viscosity is radial by default, 2 (d + 2) μ Σ V_i V_j (u_ij · r̂) r̂ |W′|/r (Monaghan & Gingold 1983): the only pairwise
//! form that keeps angular momentum and is right at free surfaces (Colagrossi, Antuono, Souto-Iglesias & Le Touzé 2011).

use glam::Vec3;

use super::settings::ViscosityForm;
use crate::liquid::kernels::Kernels;
use crate::liquid::surroundings::{Surroundings, between};
use crate::neighbours::Point;

/// What neighbours need to know of a particle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fluid {
    /// Pressure in Pa.
    pub pressure: f32,
    /// Volume at rest in m³.
    pub volume: f32,
    /// Mass in kg.
    pub mass: f32,
    /// Viscosity in Pa s; of a wall's particles the share of the liquid's own.
    pub viscosity: f32,
}

/// What the forces of a step are made from.
pub struct Pairs<'a> {
    /// Kernels.
    pub kernels: &'a Kernels,
    /// Who is near whom and where.
    pub around: Surroundings<'a>,
    /// Velocities.
    pub flow: &'a [Point],
    /// Pressures, volumes, masses, viscosities.
    pub fluid: &'a [Fluid],
    /// The form of viscosity.
    pub viscosity: ViscosityForm,
    /// α c h of artificial viscosity.
    pub artificial: f32,
    /// The acceleration that pressure balances at rest, in m/s².
    pub gravity: Vec3,
}

/// Acceleration of a particle, and the part of it that walls caused.
#[derive(Clone, Copy, Debug, Default)]
pub struct Acceleration {
    /// The sum in m/s².
    pub all: Vec3,
    /// What walls did, in m/s².
    pub walls: Vec3,
}

/// Accelerations by all pairs and walls.
pub fn accelerations(pairs: &Pairs<'_>, target: &mut [Acceleration]) {
    let Pairs {
        kernels,
        around,
        flow,
        fluid,
        ..
    } = *pairs;
    around.neighbours.for_each(
        target,
        #[inline(always)]
        |index, list, result| {
            let (moving, it) = (flow[index], fluid[index]);
            let mut forces = [Vec3::ZERO; 2];
            around.visit(
                index,
                list,
                kernels.radius,
                #[inline(always)]
                |pair| {
                    let their = fluid[pair.other];
                    let (relative, _) = between(moving, flow[pair.other]);
                    let steepness = kernels.steepness(pair.distance) / pair.distance;
                    let square = pair.distance * pair.distance + kernels.soft_square;
                    let opening = relative.dot(pair.away);
                    let viscosity = if pair.wall {
                        it.viscosity * their.viscosity
                    } else {
                        0.5 * (it.viscosity + their.viscosity)
                    };
                    let push = it.pressure + their.pressure;
                    let artificial = if opening < 0.0 {
                        let density = 0.5 * (it.mass / it.volume + their.mass / their.volume);
                        pairs.artificial * density
                    } else {
                        0.0
                    };
                    let force = match pairs.viscosity {
                        ViscosityForm::Radial => {
                            // Where the liquid's own viscosity calms it, it needs no other.
                            let damping = artificial.max(kernels.radial_viscosity * viscosity);
                            pair.away * ((damping * opening / square - push) * steepness)
                        }
                        ViscosityForm::Laplacian => {
                            let drag = viscosity * kernels.laplacian.value(pair.distance);
                            let push = push - artificial * opening / square;
                            pair.away * (-push * steepness) + relative * drag
                        }
                    };
                    forces[usize::from(pair.wall)] += force * their.volume;
                },
            );
            let [liquid, mut walls] = forces;
            let density = it.mass / it.volume;
            for touch in around.touches(index) {
                // A wall full of liquid, in which pressure grows on as weight makes it grow.
                if it.pressure > 0.0 {
                    let growth = density * pairs.gravity.dot(-touch.normal);
                    let push = 2.0 * it.pressure * kernels.wall_push.at(touch.distance)
                        + growth * kernels.wall_growth.at(touch.distance);
                    walls += touch.normal * push.max(0.0);
                }
                if touch.contact.condition.holds() {
                    // The mirrored liquid moves against the particle: both meet at the wall's velocity.
                    let velocity = Vec3::new(moving[0], moving[1], moving[2]);
                    let drag = 2.0 * it.viscosity * kernels.wall_drag.at(touch.distance);
                    walls += (touch.velocity - velocity) * drag;
                }
            }
            let share = it.volume / it.mass;
            *result = Acceleration {
                all: (liquid + walls) * share,
                walls: walls * share,
            };
        },
    );
}
