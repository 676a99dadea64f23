//! The forces between particles: pressure, viscosity, artificial viscosity and cohesion, in one pass over pairs.
//!
//! Densities count particles, ρ_i = m_i Σ W (Solenthaler & Pajarola 2008), so that liquids of different densities meet
//! without a smeared interface. The published pressure force averages the pressures of a pair, Σ V_j (p_i + p_j)/2 ∇W,
//! which is half of the gradient; here it is their sum, which is the gradient and the derivative of an energy.

use glam::Vec3;
use ooze_core::WallCondition;

use super::tension::{self, Cohesion};
use crate::boundary::contact::Touches;
use crate::boundary::wall::{Moment, WallIntegral};
use crate::kernel::{Kernel, LaplacianWeight};
use crate::neighbours::{Neighbours, Point};
use crate::resolution::Resolution;

/// Kernels of one resolution, scaled so that a lattice at rest has exactly its density and Laplacian.
#[derive(Clone, Debug)]
pub struct Kernels {
    /// Kernel of densities.
    pub density: Kernel,
    /// Kernel of pressure and tension.
    pub pressure: Kernel,
    /// Weights of viscosity and diffusion.
    pub laplacian: LaplacianWeight,
    /// Factor on sums of `density`.
    pub density_scale: f32,
    /// Sum of W behind a wall full of particles at rest.
    pub wall_density: WallIntegral,
    /// ∫ |W′| cos θ behind a wall.
    pub wall_push: WallIntegral,
    /// ∫ of the Laplacian's weight behind a wall.
    pub wall_drag: WallIntegral,
    /// The interaction radius.
    pub radius: f32,
}

impl Kernels {
    /// The kernels of a resolution.
    pub fn new(shapes: [crate::KernelShape; 2], resolution: &Resolution) -> Self {
        let Resolution { radius, space, .. } = *resolution;
        let [density, pressure] = shapes.map(|shape| Kernel::new(shape, radius, space));
        let volume = resolution.particle_volume() as f32;
        let sum = density.value(0.0) + resolution.lattice_sum(|r| density.value(r));
        let laplacian = LaplacianWeight::new(radius, space);
        // Σ V x²/2 w = 1 on the lattice.
        let dimensions = space.dimensions() as f32;
        let moment = resolution.lattice_sum(|r| 0.5 * r * r / dimensions * laplacian.value(r));
        let laplacian = laplacian.scaled(1.0 / (volume * moment));
        let density_scale = 1.0 / (volume * sum);
        let wall = |moment, function: &dyn Fn(f32) -> f32| {
            WallIntegral::new(space, radius, moment, |r| f64::from(function(r as f32)))
        };
        Self {
            density,
            pressure,
            laplacian,
            density_scale,
            // Behind walls there is one particle in each volume at rest.
            wall_density: wall(Moment::Sum, &|r| density.value(r)).scaled(density_scale / volume),
            wall_push: wall(Moment::Towards, &|r| -pressure.slope(r)),
            wall_drag: wall(Moment::Sum, &|r| laplacian.value(r)),
            radius,
        }
    }
}

/// What neighbours need to know of a particle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fluid {
    /// Pressure in Pa.
    pub pressure: f32,
    /// Volume in m³: one over the number of particles a volume.
    pub volume: f32,
    /// Mass in kg.
    pub mass: f32,
    /// Viscosity in Pa s.
    pub viscosity: f32,
}

/// Particles a volume at every point, walls counted as full of them, and the divergence of the velocity in 1/s.
pub fn densities(
    kernels: &Kernels,
    neighbours: &Neighbours,
    points: &[Point],
    flow: &[Point],
    touches: &Touches,
    target: &mut [[f32; 2]],
) {
    let limit = kernels.radius * kernels.radius;
    neighbours.for_each(target, |index, list, [density, divergence]| {
        let (own, moving) = (points[index], flow[index]);
        let mut sum = kernels.density.value(0.0);
        let mut opening = 0.0;
        for &other in list {
            let (away, square) = between(own, points[other as usize]);
            if square < limit && square > 0.0 {
                let distance = square.sqrt();
                let (relative, _) = between(moving, flow[other as usize]);
                sum += kernels.density.value(distance);
                opening -= relative.dot(away) * kernels.pressure.slope(distance) / distance;
            }
        }
        let walls = touches.of(index).iter();
        let walls: f32 = walls
            .map(|touch| kernels.wall_density.at(touch.distance))
            .sum();
        *density = kernels.density_scale * sum + walls;
        *divergence = opening / *density;
    });
}

/// What the forces of a step are made from.
pub struct Pairs<'a> {
    /// Kernels.
    pub kernels: &'a Kernels,
    /// Neighbours.
    pub neighbours: &'a Neighbours,
    /// Positions; the fourth number is a particle's material.
    pub points: &'a [Point],
    /// Velocities.
    pub flow: &'a [Point],
    /// Pressures, volumes, masses, viscosities.
    pub fluid: &'a [Fluid],
    /// Attractions.
    pub cohesion: &'a Cohesion,
    /// Who touches walls.
    pub touches: &'a Touches,
    /// α c h of artificial viscosity.
    pub artificial: f32,
}

/// Acceleration of a particle, and the part of it that walls caused.
#[derive(Clone, Copy, Debug, Default)]
pub struct Acceleration {
    /// The sum in m/s².
    pub all: Vec3,
    /// What the pressure of walls did, in m/s².
    pub pressed: f32,
}

/// Accelerations by all pairs and walls.
pub fn accelerations(pairs: &Pairs<'_>, target: &mut [Acceleration]) {
    let Pairs {
        kernels,
        points,
        flow,
        fluid,
        ..
    } = *pairs;
    let limit = kernels.radius * kernels.radius;
    let soft = 0.01 * limit;
    let coheres = pairs.cohesion.is_active();
    pairs
        .neighbours
        .for_each(target, |index, list, acceleration| {
            let (own, moving, it) = (points[index], flow[index], fluid[index]);
            let mut force = Vec3::ZERO;
            let mut cohesion = Vec3::ZERO;
            let attraction = &pairs.cohesion.attraction[own[3] as usize];
            for &other in list {
                let (away, square) = between(own, points[other as usize]);
                // Padding is out of reach.
                if square >= limit || square == 0.0 {
                    continue;
                }
                let distance = square.sqrt();
                let their = fluid[other as usize];
                let (relative, _) = between(moving, flow[other as usize]);
                // ∇W points from the particle to its neighbour.
                let gradient = away * (-kernels.pressure.slope(distance) / distance);
                let mut push = it.pressure + their.pressure;
                let opening = relative.dot(away);
                if opening < 0.0 {
                    let density = 0.5 * (it.mass / it.volume + their.mass / their.volume);
                    push -= pairs.artificial * density * opening / (square + soft);
                }
                let mut pull = gradient * -push;
                let viscosity = 0.5 * (it.viscosity + their.viscosity);
                pull += relative * (viscosity * kernels.laplacian.value(distance));
                force += pull * their.volume;
                if coheres {
                    let shape = tension::shape(distance / kernels.radius);
                    let strength = attraction[points[other as usize][3] as usize];
                    cohesion += away * (strength * shape / distance);
                }
            }
            let mut pressed = 0.0;
            for touch in pairs.touches.of(index) {
                // A wall full of liquid with the particle's own pressure.
                let push = 2.0 * it.pressure.max(0.0) * kernels.wall_push.at(touch.distance);
                force += touch.normal * push;
                pressed += push;
                if touch.contact.condition != WallCondition::Slip {
                    // The mirrored liquid moves against the particle: both meet at the wall's velocity.
                    let velocity = Vec3::new(moving[0], moving[1], moving[2]);
                    let drag = 2.0 * it.viscosity * kernels.wall_drag.at(touch.distance);
                    force += (touch.velocity - velocity) * drag;
                }
            }
            let share = it.volume / it.mass;
            *acceleration = Acceleration {
                all: force * share + cohesion / it.mass,
                pressed: pressed * share,
            };
        });
}

/// The way from one point to another, and its square.
#[inline(always)]
pub fn between(from: Point, to: Point) -> (Vec3, f32) {
    let away = Vec3::new(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    let [x, y, z] = away.to_array();
    (away, x * x + y * y + z * z)
}
