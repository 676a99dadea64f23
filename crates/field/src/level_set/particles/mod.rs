//! Particles on both sides of a surface that know more about it than the samples do: the particle level set (Enright et al.
//! 2002).
//!
//! Every particle is a small sphere that touches the surface. Where the flow carries one to the other side by more than its
//! radius it has escaped: the level set has gone wrong there, and the sphere tells by how much.
//!
//! Deviation: particles are seeded where they fall and keep their side; they are pushed away from the surface only as far as
//! the smallest radius, instead of being attracted to random distances (their eq. 8), since the whole band is filled anyway.
//! Those of the air give way where liquid meets liquid, or it would never become one.

mod correction;
mod seeding;

use glam::Vec3;
use ooze_commons::choice;
use rayon::prelude::*;

use super::advection::trace_back;
use crate::{Field, FieldReader};

/// Particles that one task handles.
const CHUNK: usize = 4096;

/// How particles sample the surface's surroundings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParticleSettings {
    /// Particles along each axis of a cell.
    pub per_axis: u32,
    /// Distance from the surface up to which there are particles, in cells.
    pub band: f32,
    /// Smallest and largest radius in cells.
    pub radii: [f32; 2],
    /// How particles are carried.
    pub path: PathRule,
    /// What particles of the air do.
    pub air: Air,
}

choice! {
    /// What particles of the air do: they keep the surface from gaining what is not the liquid's.
    pub enum Air {
        /// There are none: the liquid's particles alone correct the surface (as in Foster & Fedkiw 2001). What meets sticks
        /// longest, with more crumbs around it.
        Absent "absent";
        /// They give way in gaps and sharp creases, so that liquid which meets becomes one.
        Yielding "yielding";
        /// They hold the narrowest gap open (Enright et al. 2002), and the surface moves with velocities that go on unchanged into
        /// the air, instead of with air that gives way.
        Holding "holding";
    }
}

impl Default for ParticleSettings {
    fn default() -> Self {
        Self {
            per_axis: 2,
            band: 3.0,
            radii: [0.1, 0.5],
            path: PathRule::Midpoint,
            air: Air::Yielding,
        }
    }
}

impl ParticleSettings {
    /// What Enright et al. 2002 use: particles on both sides, four along each axis of a cell.
    pub const PUBLISHED: Self = Self {
        per_axis: 4,
        band: 3.0,
        radii: [0.1, 0.5],
        path: PathRule::Fourth,
        air: Air::Holding,
    };
}

choice! {
    /// How the paths of particles are integrated.
    pub enum PathRule {
        /// The midpoint rule.
        Midpoint "midpoint";
        /// Fourth-order Runge-Kutta (Carlson 2004, sec. 6.2.4).
        Fourth "runge-kutta-4";
    }
}

/// Where a point is after it has followed a steady flow for `dt` seconds.
#[inline]
pub fn follow(velocity: &impl Fn(Vec3) -> Vec3, start: Vec3, dt: f32, rule: PathRule) -> Vec3 {
    match rule {
        PathRule::Midpoint => trace_back(velocity, start, -dt),
        PathRule::Fourth => {
            let first = velocity(start);
            let second = velocity(start + 0.5 * dt * first);
            let third = velocity(start + 0.5 * dt * second);
            let fourth = velocity(start + dt * third);
            start + dt / 6.0 * (first + 2.0 * (second + third) + fourth)
        }
    }
}

/// The particles, as a structure of arrays of the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceParticles {
    /// Positions in metres.
    pub position: Vec<Vec3>,
    /// Radii in metres.
    pub radius: Vec<f32>,
    /// 1 for particles of the liquid, where the level set is negative, 0 for those of the air.
    pub liquid: Vec<u8>,
}

impl SurfaceParticles {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Lets the particles follow a flow for `dt` seconds.
    pub fn carry(&mut self, velocity: &(impl Fn(Vec3) -> Vec3 + Sync), dt: f32, rule: PathRule) {
        self.position.par_chunks_mut(CHUNK).for_each(|chunk| {
            for position in chunk {
                *position = follow(velocity, *position, dt, rule);
            }
        });
    }

    /// How far each particle is on its own side of a level set, in metres; negative on the other.
    fn depths(&self, phi: &Field<f32>) -> Vec<f32> {
        let reader = FieldReader::of(phi);
        let particles = self.position.par_iter().zip(&self.liquid);
        particles
            .with_min_len(CHUNK)
            .map(|(&position, &liquid)| own_side(reader.sample(position), liquid))
            .collect()
    }

    /// Fits the radii to the particles' depths (Enright et al. 2002, eq. 12); those of escaped particles become the smallest.
    fn fit_radii(&mut self, depths: &[f32], cell_size: f32, settings: &ParticleSettings) {
        let [smallest, largest] = settings.radii.map(|radius| radius * cell_size);
        for (radius, depth) in self.radius.iter_mut().zip(depths) {
            *radius = depth.clamp(smallest, largest);
        }
    }

    /// Keeps the particles at the points that a test likes.
    pub fn keep_where(&mut self, likes: impl Fn(Vec3) -> bool + Sync) {
        let kept: Vec<u32> = (0..self.len() as u32)
            .into_par_iter()
            .filter(|&index| likes(self.position[index as usize]))
            .collect();
        if kept.len() < self.len() {
            *self = self.picked(&kept);
        }
    }

    /// The particles in another order, or some of them.
    fn picked(&self, order: &[u32]) -> Self {
        fn picked<T: Copy + Send + Sync>(values: &[T], order: &[u32]) -> Vec<T> {
            let order = order.par_iter().with_min_len(CHUNK);
            order.map(|&index| values[index as usize]).collect()
        }
        Self {
            position: picked(&self.position, order),
            radius: picked(&self.radius, order),
            liquid: picked(&self.liquid, order),
        }
    }
}

/// How far a particle is on its own side, given the level set's value; negative on the other.
#[inline]
fn own_side(value: f32, liquid: u8) -> f32 {
    if liquid != 0 { -value } else { value }
}
