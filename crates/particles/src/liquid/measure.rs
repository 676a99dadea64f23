//! Integral quantities of a particle liquid, and its values at points.

use glam::{DVec3, Vec3};
use ooze_core::{DensityError, Measure};
use ooze_field::reduce;

use crate::kernel::{Kernel, KernelShape};
use crate::particles::Particles;
use crate::resolution::Resolution;

/// Momentum, energy and the like of particles with these masses in kg; `potential` is that of the forces in J/kg.
pub fn of_particles(
    particles: &Particles,
    mass: impl Fn(usize) -> f64 + Sync,
    potential: impl Fn(DVec3) -> f64 + Sync,
    volume: f64,
    expected_volume: f64,
) -> Measure {
    let indices: Vec<u32> = (0..particles.len() as u32).collect();
    let sum =
        |term: &(dyn Fn(usize) -> f64 + Sync)| reduce::sum(&indices, |&index| term(index as usize));
    let vector = |term: &(dyn Fn(usize) -> DVec3 + Sync)| {
        DVec3::from_array(std::array::from_fn(|axis| sum(&|index| term(index)[axis])))
    };
    let momentum = |index: usize| particles.velocity[index].as_dvec3() * mass(index);
    Measure {
        particles: particles.len(),
        volume,
        expected_volume,
        mass: sum(&mass),
        momentum: vector(&momentum),
        angular_momentum: vector(&|index| {
            particles.position[index].as_dvec3().cross(momentum(index))
        }),
        kinetic_energy: sum(&|index| {
            0.5 * mass(index) * particles.velocity[index].as_dvec3().length_squared()
        }),
        potential_energy: sum(&|index| {
            mass(index) * potential(particles.position[index].as_dvec3())
        }),
        elastic_energy: None,
        max_speed: f64::from(max_speed(&particles.velocity)),
        ..Measure::default()
    }
}

/// How much closer particles are than at rest, from their volumes relative to those at rest.
pub fn density_error(volume_shares: &[f32]) -> Option<DensityError> {
    let excess = |share: &f32| f64::from((1.0 / share - 1.0).max(0.0));
    (!volume_shares.is_empty()).then(|| DensityError {
        mean: reduce::sum(volume_shares, excess) / volume_shares.len() as f64,
        max: f64::from(reduce::max(volume_shares, |share| excess(share) as f32)),
    })
}

/// Largest speed; zero without particles.
pub fn max_speed(velocities: &[Vec3]) -> f32 {
    reduce::max(velocities, |velocity| velocity.length_squared())
        .max(0.0)
        .sqrt()
}

/// The mean of `value(particle)` around a point, weighted by a smooth kernel; none where there is no liquid.
pub fn interpolate(
    positions: &[Vec3],
    resolution: &Resolution,
    point: Vec3,
    value: impl Fn(usize) -> Vec3,
) -> Option<Vec3> {
    let radius = 2.0 * resolution.spacing;
    let kernel = Kernel::new(KernelShape::Wendland, radius, resolution.space);
    let mut weight = 0.0;
    let mut sum = DVec3::ZERO;
    for (index, position) in positions.iter().enumerate() {
        let mut away = *position - point;
        if resolution.flat() {
            away.z = 0.0;
        }
        let share = f64::from(kernel.value(away.length()));
        if share > 0.0 {
            weight += share;
            sum += value(index).as_dvec3() * share;
        }
    }
    (weight > 0.0).then(|| (sum / weight).as_vec3())
}
