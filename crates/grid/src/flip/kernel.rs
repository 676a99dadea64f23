//! Kernels that spread particles onto lattice points and read lattice points back.

use glam::{IVec3, Vec3};
use ooze_field::floor;

/// A product kernel: the weight of a lattice point is the product of one weight for each axis.
pub(crate) trait Kernel: Sync {
    /// Lattice points along an axis that a particle reaches.
    const WIDTH: usize;
    /// Cells beyond its own tile that a particle reaches.
    const RIM: i32;

    /// The first lattice point reached from a coordinate (lattice points lie at whole numbers) along each axis, and the
    /// weights from there on, which add up to one.
    fn weights(coordinate: Vec3) -> (IVec3, [Vec3; 3]);
}

/// The hat function: trilinear weights.
pub(crate) struct Linear;

impl Kernel for Linear {
    const WIDTH: usize = 2;
    const RIM: i32 = 1;

    #[inline(always)]
    fn weights(coordinate: Vec3) -> (IVec3, [Vec3; 3]) {
        let first = floor(coordinate);
        let fraction = coordinate - first.as_vec3();
        (first, [1.0 - fraction, fraction, Vec3::ZERO])
    }
}

/// The quadratic B-spline, half again as wide: smooth enough for one particle a cell.
pub(crate) struct Quadratic;

impl Kernel for Quadratic {
    const WIDTH: usize = 3;
    const RIM: i32 = 2;

    #[inline(always)]
    fn weights(coordinate: Vec3) -> (IVec3, [Vec3; 3]) {
        let nearest = floor(coordinate + 0.5);
        let offset = coordinate - nearest.as_vec3();
        let weights = [
            0.5 * (0.5 - offset) * (0.5 - offset),
            0.75 - offset * offset,
            0.5 * (0.5 + offset) * (0.5 + offset),
        ];
        (nearest - 1, weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<K: Kernel>() {
        for step in -50..50 {
            let coordinate = step as f32 * 0.0837;
            let (first, weights) = K::weights(Vec3::new(0.0, coordinate, 0.0));
            let used: Vec<f32> = weights[..K::WIDTH].iter().map(|weight| weight.y).collect();
            let total: f32 = used.iter().sum();
            let mean: f32 = used
                .iter()
                .enumerate()
                .map(|(step, weight)| weight * (first.y + step as i32) as f32)
                .sum();
            // Partition of unity and reproduction of linear functions.
            assert!((total - 1.0).abs() < 1e-6);
            assert!((mean - coordinate).abs() < 1e-5);
            assert!(used.iter().all(|&weight| weight >= 0.0));
        }
    }

    #[test]
    fn kernels_reproduce_constants_and_linear_functions() {
        check::<Linear>();
        check::<Quadratic>();
    }
}
