//! What walls full of liquid add to the sums of Clavet's liquid: integrals, or particles in the walls (Kasi, sec. 6).
//!
//! A wall answers with the pressure of the particle that it pushes, but does not pull. Published, particles of walls have
//! densities and pressures of their own that evolve; densities are counted here, not evolved. Walls without slip hold
//! particles by contact, whatever they are made of.

use glam::Vec3;

use super::relaxation::{Densities, Displacement};
use crate::boundary::contact::{Touch, Touches};
use crate::boundary::wall::{Moment, WallIntegral};
use crate::liquid::walls::Walls;
use crate::resolution::Resolution;

/// What walls add to sums over neighbours, as functions of their distance.
#[derive(Clone, Debug)]
pub struct WallDensity {
    /// Σ (1 − q).
    pub reach: WallIntegral,
    /// Σ (1 − q)².
    pub density: WallIntegral,
    /// Σ (1 − q)³.
    pub near_density: WallIntegral,
    /// Σ (1 − q) along the normal.
    pub push: WallIntegral,
    /// Σ (1 − q)² along the normal.
    pub near_push: WallIntegral,
}

impl WallDensity {
    /// The integrals of a resolution.
    pub fn new(resolution: &Resolution) -> Self {
        let per_volume = 1.0 / resolution.particle_volume();
        let integral = |moment, power: i32| {
            WallIntegral::new(resolution.space, resolution.radius, moment, |r| {
                per_volume * (1.0 - r / f64::from(resolution.radius)).powi(power)
            })
        };
        Self {
            reach: integral(Moment::Sum, 1),
            density: integral(Moment::Sum, 2),
            near_density: integral(Moment::Sum, 3),
            push: integral(Moment::Towards, 1),
            near_push: integral(Moment::Towards, 2),
        }
    }
}

/// The walls of one step.
#[derive(Clone, Copy)]
pub struct WallParts<'a> {
    /// Integrals by distance.
    pub integrals: &'a WallDensity,
    /// Who touches walls.
    pub touches: &'a Touches,
    /// Particles in walls, if there are any.
    pub particles: &'a Walls,
    /// 1/h.
    pub inverse_radius: f32,
    /// 1 over the volume of a particle in m³.
    pub inverse_volume: f32,
    /// Number of the liquid's particles.
    pub count: usize,
}

impl WallParts<'_> {
    /// The touches that count as integrals.
    fn touches(&self, index: usize) -> &[Touch] {
        match self.particles.lists {
            Some(_) => &[],
            None => self.touches.of(index),
        }
    }

    /// Calls `act` with the way to each of a wall's particles within reach, its weight 1 − q, and how many of the liquid's
    /// particles it stands for.
    fn visit(&self, index: usize, point: Vec3, mut act: impl FnMut(Vec3, f32, f32)) {
        for other in self.particles.near(index, self.count) {
            let away = self.particles.position[other] - point;
            let distance = away.length();
            let weight = 1.0 - distance * self.inverse_radius;
            if weight > 0.0 && distance > 0.0 {
                let share = self.particles.volume[other] * self.inverse_volume;
                act(away / distance, weight, share);
            }
        }
    }

    /// Adds what walls contribute to a particle's densities.
    pub fn add_densities(&self, index: usize, point: Vec3, densities: &mut Densities) {
        for touch in self.touches(index) {
            densities[0] += self.integrals.reach.at(touch.distance);
            densities[1] += self.integrals.density.at(touch.distance);
            densities[2] += self.integrals.near_density.at(touch.distance);
        }
        self.visit(index, point, |_, weight, share| {
            for (power, density) in densities.iter_mut().enumerate() {
                *density += share * weight.powi(power as i32 + 1);
            }
        });
    }

    /// What walls do to a particle with these Δt² P and Δt² Pⁿ.
    pub fn push(&self, index: usize, point: Vec3, pressure: f32, near: f32) -> Displacement {
        let mut pushed = Displacement::default();
        for touch in self.touches(index) {
            let push = pressure * self.integrals.push.at(touch.distance)
                + near * self.integrals.near_push.at(touch.distance);
            pushed.pressed += push.max(0.0);
            pushed.moved += touch.normal * push.max(0.0);
        }
        let mut away_from_particles = Vec3::ZERO;
        self.visit(index, point, |towards, weight, share| {
            let push = share * weight * (pressure + near * weight);
            away_from_particles -= towards * push.max(0.0);
        });
        pushed.pressed += away_from_particles.length();
        pushed.moved += away_from_particles;
        pushed.walls = pushed.moved;
        pushed
    }
}
