//! Kernels that spread particles onto lattice points and read lattice points back.

/// A product kernel: the weight of a lattice point is the product of one weight for each axis.
pub(crate) trait Kernel: Sync {
    /// Lattice points along an axis that a particle reaches.
    const WIDTH: usize;
    /// Cells beyond its own tile that a particle reaches.
    const RIM: i32;

    /// The first lattice point reached from `coordinate` (lattice points lie at whole numbers) and the weights from
    /// there on, which add up to one.
    fn weights(coordinate: f32) -> (i32, [f32; 3]);
}

/// The hat function: trilinear weights.
pub(crate) struct Linear;

impl Kernel for Linear {
    const WIDTH: usize = 2;
    const RIM: i32 = 1;

    #[inline(always)]
    fn weights(coordinate: f32) -> (i32, [f32; 3]) {
        let first = coordinate.floor();
        let fraction = coordinate - first;
        (first as i32, [1.0 - fraction, fraction, 0.0])
    }
}

/// The quadratic B-spline, half again as wide: smooth enough for one particle a cell.
pub(crate) struct Quadratic;

impl Kernel for Quadratic {
    const WIDTH: usize = 3;
    const RIM: i32 = 2;

    #[inline(always)]
    fn weights(coordinate: f32) -> (i32, [f32; 3]) {
        let nearest = (coordinate + 0.5).floor();
        let offset = coordinate - nearest;
        let weights = [
            0.5 * (0.5 - offset) * (0.5 - offset),
            0.75 - offset * offset,
            0.5 * (0.5 + offset) * (0.5 + offset),
        ];
        (nearest as i32 - 1, weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<K: Kernel>() {
        for step in -50..50 {
            let coordinate = step as f32 * 0.0837;
            let (first, weights) = K::weights(coordinate);
            let used = &weights[..K::WIDTH];
            let total: f32 = used.iter().sum();
            let mean: f32 = used
                .iter()
                .enumerate()
                .map(|(step, weight)| weight * (first + step as i32) as f32)
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
