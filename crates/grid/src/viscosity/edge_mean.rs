//! Viscosity where shear is sampled: at edges, between four cells.
//!
//! Shear stress is the same on both sides of an interface, so that resistances add up: between layers the harmonic mean is exact
//! where the interface lies on the edge, and a film of melt runs down what is solid as if that were a wall. Where viscosity
//! changes by equal factors over equal distances, the right one lies between harmonic and geometric: with x half the change of its
//! logarithm from cell to cell it is the geometric mean times x/sinh x, of which the harmonic has x²/3 too little, the geometric
//! x²/6 and the arithmetic 2x²/3 too much.

use crate::ShearMean;

impl ShearMean {
    /// The mean of those viscosities that are known, which are above zero; zero if none is.
    pub(crate) fn of(self, around: [f32; 4]) -> f32 {
        let known = || around.into_iter().filter(|&viscosity| viscosity > 0.0);
        let count = known().count();
        if count == 0 {
            return 0.0;
        }
        match self {
            Self::Harmonic => {
                let resistance: f32 = known().map(|viscosity| 1.0 / viscosity).sum();
                count as f32 / resistance
            }
            Self::Geometric => {
                // Four of the largest leave single precision.
                let product: f64 = known().map(f64::from).product();
                product.powf(1.0 / count as f64) as f32
            }
            Self::Arithmetic => known().sum::<f32>() / count as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_of_what_is_known() {
        let around = [1.0, 16.0, 0.0, 16.0];
        for (mean, expected) in [
            (ShearMean::Harmonic, 3.0 / 1.125),
            (ShearMean::Geometric, 256f32.cbrt()),
            (ShearMean::Arithmetic, 11.0),
        ] {
            assert!((mean.of(around) / expected - 1.0).abs() < 1e-6, "{mean:?}");
            assert_eq!(mean.of([0.0; 4]), 0.0);
            assert!((mean.of([1e12; 4]) / 1e12 - 1.0).abs() < 1e-6, "{mean:?}");
        }
    }
}
