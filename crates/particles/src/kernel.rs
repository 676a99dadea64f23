//! Smoothing kernels of compact support, normalised in two and three dimensions: poly6, spiky and viscosity (Müller,
//! Charypar & Gross 2003, eq. 20-22), the cubic spline (Monaghan & Lattanzio 1985) and Wendland's C² function (1995).
//!
//! All have the radius of their support as their only length. In flat scenes a kernel is two-dimensional and divided by
//! the slab's depth, so that sums over particles are per volume in both cases.

use std::f32::consts::PI;

/// The form of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelShape {
    /// (1 − q²)³: smooth, but its slope vanishes at the centre.
    Poly6,
    /// (1 − q)³: pushes close particles apart.
    Spiky,
    /// Its Laplacian is 6 (1 − q) in three dimensions and never negative.
    Viscosity,
    /// Two cubic pieces.
    CubicSpline,
    /// (1 − q)⁴ (1 + 4q): no pairing of particles.
    Wendland,
}

/// The space that a kernel is normalised for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Space {
    /// Three dimensions.
    Full,
    /// Two dimensions in a slab of this depth in metres.
    Flat {
        /// Depth of the slab.
        depth: f32,
    },
}

impl Space {
    /// Number of dimensions.
    pub fn dimensions(&self) -> i32 {
        match self {
            Self::Full => 3,
            Self::Flat { .. } => 2,
        }
    }

    /// What a length, area or volume measured in `dimensions` coordinates must be multiplied by to be a volume.
    pub fn depth(&self) -> f32 {
        match self {
            Self::Full => 1.0,
            Self::Flat { depth } => *depth,
        }
    }

    /// What of a plane (of a line in flat scenes) lies between two circles (points) around its foot, per unit of radius, and
    /// per unit of thickness a volume.
    pub fn ring(&self, radius: f64) -> f64 {
        match self {
            Self::Full => 2.0 * std::f64::consts::PI * radius,
            Self::Flat { depth } => 2.0 * f64::from(*depth),
        }
    }

    /// Volume between two spheres (discs) around a point, per unit of radius.
    pub fn shell(&self, radius: f64) -> f64 {
        let pi = std::f64::consts::PI;
        match self {
            Self::Full => 4.0 * pi * radius * radius,
            Self::Flat { depth } => 2.0 * pi * radius * f64::from(*depth),
        }
    }
}

/// A kernel of one radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kernel {
    shape: KernelShape,
    inverse_radius: f32,
    scale: f32,
    slope_scale: f32,
}

impl Kernel {
    /// The kernel of that form and radius of support.
    pub fn new(shape: KernelShape, radius: f32, space: Space) -> Self {
        let flat = space.dimensions() == 2;
        let pick = |full: f32, in_plane: f32| if flat { in_plane } else { full };
        let constant = match shape {
            KernelShape::Poly6 => pick(315.0 / (64.0 * PI), 4.0 / PI),
            KernelShape::Spiky => pick(15.0 / PI, 10.0 / PI),
            KernelShape::Viscosity => pick(15.0 / (2.0 * PI), 10.0 / (3.0 * PI)),
            KernelShape::CubicSpline => pick(8.0 / PI, 40.0 / (7.0 * PI)),
            KernelShape::Wendland => pick(21.0 / (2.0 * PI), 7.0 / PI),
        };
        let scale = constant / (radius.powi(space.dimensions()) * space.depth());
        Self {
            shape,
            inverse_radius: 1.0 / radius,
            scale,
            slope_scale: scale / radius,
        }
    }

    /// The value at a distance, in 1/m³.
    #[inline(always)]
    pub fn value(&self, distance: f32) -> f32 {
        let q = distance * self.inverse_radius;
        let rest = (1.0 - q).max(0.0);
        let form = match self.shape {
            KernelShape::Poly6 => (1.0 - q * q).max(0.0).powi(3),
            KernelShape::Spiky => rest.powi(3),
            // Infinite at the centre; there it counts as at a thousandth of the radius.
            KernelShape::Viscosity if q < 1.0 => {
                let q = q.max(1e-3);
                -0.5 * q.powi(3) + q * q + 0.5 / q - 1.0
            }
            KernelShape::Viscosity => 0.0,
            KernelShape::CubicSpline if q < 0.5 => 6.0 * (q.powi(3) - q * q) + 1.0,
            KernelShape::CubicSpline => 2.0 * rest.powi(3),
            KernelShape::Wendland => rest.powi(4) * (1.0 + 4.0 * q),
        };
        self.scale * form
    }

    /// The derivative along the distance, in 1/m⁴; never positive.
    #[inline(always)]
    pub fn slope(&self, distance: f32) -> f32 {
        let q = distance * self.inverse_radius;
        let rest = (1.0 - q).max(0.0);
        let form = match self.shape {
            KernelShape::Poly6 => -6.0 * q * (1.0 - q * q).max(0.0).powi(2),
            KernelShape::Spiky => -3.0 * rest * rest,
            KernelShape::Viscosity if q < 1.0 => {
                let q = q.max(1e-3);
                -1.5 * q * q + 2.0 * q - 0.5 / (q * q)
            }
            KernelShape::Viscosity => 0.0,
            KernelShape::CubicSpline if q < 0.5 => 6.0 * q * (3.0 * q - 2.0),
            KernelShape::CubicSpline => -6.0 * rest * rest,
            KernelShape::Wendland => -20.0 * q * rest.powi(3),
        };
        self.slope_scale * form
    }
}

/// The weight w(r) for which ∇²A ≈ Σ V_j (A_j − A_i) w(r_ij): the Laplacian of the viscosity kernel in three dimensions
/// (Müller et al. 2003, eq. 22), and in two the same linear form with the second moment that makes it exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaplacianWeight {
    inverse_radius: f32,
    scale: f32,
}

impl LaplacianWeight {
    /// The weight of that radius.
    pub fn new(radius: f32, space: Space) -> Self {
        let constant = match space {
            Space::Full => 45.0 / PI,
            Space::Flat { .. } => 40.0 / PI,
        };
        Self {
            inverse_radius: 1.0 / radius,
            scale: constant / (radius.powi(space.dimensions() + 2) * space.depth()),
        }
    }

    /// The weight at a distance, in 1/m⁵.
    #[inline(always)]
    pub fn value(&self, distance: f32) -> f32 {
        self.scale * (1.0 - distance * self.inverse_radius).max(0.0)
    }

    /// The weight with all values multiplied.
    pub fn scaled(self, factor: f32) -> Self {
        Self {
            scale: self.scale * factor,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [KernelShape; 5] = [
        KernelShape::Poly6,
        KernelShape::Spiky,
        KernelShape::Viscosity,
        KernelShape::CubicSpline,
        KernelShape::Wendland,
    ];
    const SPACES: [Space; 2] = [Space::Full, Space::Flat { depth: 0.03 }];

    /// The midpoint rule over the support.
    fn integral(space: Space, radius: f32, integrand: impl Fn(f64) -> f64) -> f64 {
        let count = 20_000;
        let step = f64::from(radius) / f64::from(count);
        (0..count)
            .map(|index| (f64::from(index) + 0.5) * step)
            .map(|distance| integrand(distance) * space.shell(distance) * step)
            .sum()
    }

    #[test]
    fn kernels_integrate_to_one() {
        for space in SPACES {
            for shape in SHAPES {
                let kernel = Kernel::new(shape, 0.07, space);
                let total = integral(space, 0.07, |r| f64::from(kernel.value(r as f32)));
                // The viscosity kernel is cut off at its singular centre.
                let tolerance = if shape == KernelShape::Viscosity {
                    2e-3
                } else {
                    1e-4
                };
                assert!(
                    (total - 1.0).abs() < tolerance,
                    "{shape:?} {space:?}: {total}"
                );
            }
        }
    }

    #[test]
    fn slopes_are_derivatives_and_vanish_at_the_border() {
        for space in SPACES {
            for shape in SHAPES {
                let kernel = Kernel::new(shape, 0.5, space);
                for step in 2..50 {
                    let distance = step as f32 * 0.0103;
                    let delta = 5e-4;
                    let difference = (kernel.value(distance + delta)
                        - kernel.value(distance - delta))
                        / (2.0 * delta);
                    let slope = kernel.slope(distance);
                    let tolerance = 0.01 * kernel.slope(0.05).abs() + 0.01 * slope.abs();
                    assert!(
                        (slope - difference).abs() < tolerance,
                        "{shape:?} at {distance}: {slope} {difference}"
                    );
                    assert!(slope <= 0.0);
                }
                assert_eq!(kernel.slope(0.5), 0.0);
                assert_eq!(kernel.value(0.6), 0.0);
            }
        }
    }

    #[test]
    fn gradients_recover_a_linear_field() {
        // ∫ x ∂W/∂x dV = −1, that is ∫ r W′(r) dV = −d.
        for space in SPACES {
            for shape in SHAPES {
                let kernel = Kernel::new(shape, 0.2, space);
                let moment = integral(space, 0.2, |r| r * f64::from(kernel.slope(r as f32)));
                let expected = -f64::from(space.dimensions());
                let tolerance = if shape == KernelShape::Viscosity {
                    0.02
                } else {
                    1e-3
                };
                assert!((moment - expected).abs() < tolerance, "{shape:?}: {moment}");
            }
        }
    }

    #[test]
    fn the_laplacian_weight_recovers_a_parabola_and_is_the_viscosity_kernel_s() {
        for space in SPACES {
            let weight = LaplacianWeight::new(0.3, space);
            let dimensions = f64::from(space.dimensions());
            // The Laplacian of x²/2 is 1, and the mean of x² over directions is r²/d.
            let total = integral(space, 0.3, |r| {
                0.5 * r * r / dimensions * f64::from(weight.value(r as f32))
            });
            assert!((total - 1.0).abs() < 1e-3, "{space:?}: {total}");
        }
        let kernel = Kernel::new(KernelShape::Viscosity, 0.3, Space::Full);
        let weight = LaplacianWeight::new(0.3, Space::Full);
        for step in 4..14 {
            let (r, delta) = (step as f32 * 0.02, 1e-3);
            let curvature = (kernel.slope(r + delta) - kernel.slope(r - delta)) / (2.0 * delta);
            let laplacian = curvature + 2.0 * kernel.slope(r) / r;
            let expected = weight.value(r);
            assert!(
                (laplacian - expected).abs() < 0.02 * weight.value(0.0),
                "{r}: {laplacian} {expected}"
            );
        }
    }
}
