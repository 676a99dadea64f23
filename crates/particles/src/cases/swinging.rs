//! A flat drop that swings about its round form, by linear theory.
//!
//! Without viscosity ω² = 6 σ/(ρ R³); a little of it makes the swing decay at 4 ν/R². With more, vorticity from the surface
//! reaches into the drop and both change (for balls Prosperetti 1980). In the plane, with u = ∇φ + ∇×ψ, φ = A r² cos 2θ,
//! ψ = B J₂(k r) sin 2θ, k² = s/ν and all in proportion to e^(−s t), the surface bears no shear and the pressure of its
//! tension if, in units of R,
//!
//! ```text
//! B (2 k J′ + (k² − 8) J) = 4 A
//! s² A − 2 ν s (2 A + 2 B (k J′ − J)) + ω² (A + B J) = 0
//! ```
//!
//! The real part of s is the decay, the imaginary part the frequency.

use std::ops::{Add, Div, Mul, Sub};

use ooze_core::{LiquidSetup, Material};

use super::drop_in_space;

/// A flat drop under surface tension, stretched at first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwingingDrop {
    /// Radius in metres.
    pub radius: f32,
    /// Factor by which it is stretched.
    pub stretch: f32,
    /// Surface tension in N/m.
    pub tension: f32,
    /// Kinematic viscosity in m²/s.
    pub viscosity: f32,
}

impl SwingingDrop {
    /// A drop of one centimetre, which swings three times a second.
    pub const CENTIMETRE: Self = Self {
        radius: 0.01,
        stretch: 1.1,
        tension: 0.07,
        viscosity: 5e-5,
    };

    const DENSITY: f32 = 1000.0;

    /// The scene, with the drop `across` cells across.
    pub fn setup(&self, across: i32) -> LiquidSetup {
        let viscosity = Self::DENSITY * self.viscosity;
        let material = Material::newtonian("drop", Self::DENSITY, viscosity, self.tension);
        drop_in_space(material, self.radius, self.stretch, across)
    }

    /// ω of ω² = 6 σ/(ρ R³), in 1/s: the frequency without viscosity.
    pub fn ideal_frequency(&self) -> f64 {
        f64::from(6.0 * self.tension / (Self::DENSITY * self.radius.powi(3))).sqrt()
    }

    /// 4 ν/R² in 1/s: the decay of the amplitude with little viscosity.
    pub fn ideal_decay(&self) -> f64 {
        f64::from(4.0 * self.viscosity / (self.radius * self.radius))
    }

    /// Frequency and decay with the drop's viscosity, in 1/s.
    pub fn frequency_and_decay(&self) -> (f64, f64) {
        let frequency = self.ideal_frequency();
        let viscosity = 0.25 * self.ideal_decay();
        let residual = |rate| residual(rate, viscosity, frequency * frequency);
        // Newton's method from the limit of little viscosity.
        let mut rate = Complex(self.ideal_decay(), frequency);
        for _ in 0..50 {
            let step = Complex(1e-6 * frequency, 0.0);
            let slope = (residual(rate + step) - residual(rate - step)) / (step + step);
            rate = rate - residual(rate) / slope;
        }
        (rate.1, rate.0)
    }

    /// Two swings and a little.
    pub fn end(&self) -> f64 {
        2.2 * std::f64::consts::TAU / self.ideal_frequency()
    }
}

/// The second equation of theory with A = 1 and B from the first, in units of the radius.
fn residual(rate: Complex, viscosity: f64, square: f64) -> Complex {
    let real = |value: f64| Complex(value, 0.0);
    let k = (rate / real(viscosity)).root();
    let bessel = bessel(2, k);
    // k J₂′ = 2 J₂ − k J₃.
    let slope = real(2.0) * bessel - k * self::bessel(3, k);
    let vortical = real(4.0) / (real(2.0) * slope + (k * k - real(8.0)) * bessel);
    let strain = real(2.0) + real(2.0) * vortical * (slope - bessel);
    rate * rate - real(2.0 * viscosity) * rate * strain
        + real(square) * (real(1.0) + vortical * bessel)
}

/// J_n of a complex number, by its series: good up to sizes of some tens, viscosities of a millionth of ω R² and above.
fn bessel(order: u32, z: Complex) -> Complex {
    let quarter = Complex(-0.25, 0.0) * z * z;
    let mut term = Complex(1.0, 0.0);
    for factor in 1..=order {
        term = term * z / Complex(2.0 * f64::from(factor), 0.0);
    }
    let mut sum = term;
    for index in 1..100 {
        term = term * quarter / Complex(f64::from(index * (index + order)), 0.0);
        sum = sum + term;
    }
    sum
}

/// A complex number: real and imaginary part.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Complex(f64, f64);

impl Complex {
    /// The square root with a positive real part.
    fn root(self) -> Self {
        let size = self.0.hypot(self.1);
        let real = (0.5 * (size + self.0)).sqrt();
        Self(real, (0.5 * (size - self.0)).sqrt().copysign(self.1))
    }
}

impl Add for Complex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(
            self.0 * other.0 - self.1 * other.1,
            self.0 * other.1 + self.1 * other.0,
        )
    }
}

impl Div for Complex {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let square = other.0 * other.0 + other.1 * other.1;
        self * Self(other.0 / square, -other.1 / square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_of_bessel_functions_have_known_values() {
        // J₂(1) and J₃(5), and J₂(i) = −I₂(1).
        for (order, z, expected) in [
            (2, Complex(1.0, 0.0), 0.114_903_484_931_9),
            (3, Complex(5.0, 0.0), 0.364_831_230_613_7),
            (2, Complex(0.0, 1.0), -0.135_747_669_767_0),
        ] {
            let found = bessel(order, z);
            assert!((found.0 - expected).abs() < 1e-12, "{found:?}");
            assert!(found.1.abs() < 1e-12, "{found:?}");
        }
    }

    #[test]
    fn little_viscosity_is_the_limit_of_theory_and_more_slows_the_decay() {
        let drop = SwingingDrop {
            viscosity: 5e-7,
            ..SwingingDrop::CENTIMETRE
        };
        let (frequency, decay) = drop.frequency_and_decay();
        assert!((frequency / drop.ideal_frequency() - 1.0).abs() < 1e-4);
        assert!((decay / drop.ideal_decay() - 1.0).abs() < 0.02, "{decay}");
        // The layer of vorticity takes a share √(ν/(2 ω R²)) of the decay to first order.
        let thickness = (0.25 * drop.ideal_decay() / drop.ideal_frequency()).sqrt();
        let expected = 1.0 - thickness * std::f64::consts::FRAC_1_SQRT_2;
        assert!((decay / drop.ideal_decay() - expected).abs() < 1e-3);
    }
}
