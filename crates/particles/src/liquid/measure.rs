//! How dense a particle liquid is, and its values at points.

use glam::{DVec3, Vec3};
use ooze_commons::reduce;
use ooze_core::DensityError;

use crate::kernel::{Kernel, KernelShape};
use crate::resolution::Resolution;

/// How much closer particles are than at rest, from their volumes relative to those at rest.
pub fn density_error(volume_shares: &[f32]) -> Option<DensityError> {
    let excess = |share: &f32| f64::from((1.0 / share - 1.0).max(0.0));
    (!volume_shares.is_empty()).then(|| DensityError {
        mean: reduce::sum(volume_shares, excess) / volume_shares.len() as f64,
        max: f64::from(reduce::max(volume_shares, |share| excess(share) as f32)),
    })
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
