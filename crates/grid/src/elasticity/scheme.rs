//! How long an elastic step may be, and how much of it must be implicit.

use ooze_core::Elasticity;

use crate::{Decay, ElasticityScheme};

/// Share of dx √(ρ/μ_e) that an explicit step may be long (Goktekin 2011, sec. 3.3.2, asks for less than one). The fastest
/// wave that the staggered grid holds has ω² = 12 μ_e/(ρ dx²) before pressure acts on it, and ω dt must be below 2.
const COURANT: f64 = 0.5;
/// Explicit steps that an implicit one may be long, by waves. Spinning discs flutter at twenty, and at five their
/// momentum is not quite kept.
const LONGEST_IMPLICIT: f64 = 3.0;
/// Decay times of strain that an explicit step may be long: stress that comes and goes within a step would not be felt.
const DECAY_TIMES: f64 = 0.5;

/// The longest explicit step in seconds for the stiffest liquid, by its modulus over density in m²/s² and by its decay
/// rate, and the name of what limits it. Infinite for liquids that are not elastic.
pub(crate) fn explicit_limit(
    stiffness: f64,
    decay_rate: f64,
    cell_size: f64,
) -> (f64, &'static str) {
    let waves = COURANT * cell_size / stiffness.max(f64::MIN_POSITIVE).sqrt();
    let decay = DECAY_TIMES / decay_rate.max(f64::MIN_POSITIVE);
    if waves <= decay {
        (waves, "elastic waves")
    } else {
        (decay, "decay of elastic strain")
    }
}

/// The longest explicit step of one material in seconds, and what limits it.
pub fn explicit_step(law: &Elasticity, density: f32, cell_size: f32) -> (f64, &'static str) {
    let stiffness = f64::from(law.modulus / density);
    explicit_limit(stiffness, f64::from(law.decay_rate), f64::from(cell_size))
}

/// The longest step in seconds of an implicit scheme. It would be stable at any length without pressure; but the force of old
/// strain is made free of divergence before the implicit solve, for the sake of liquid at rest, and pressure does not know how
/// little liquid there is around faces at the surface: what it takes from them the solve cannot take back, and beyond some
/// explicit steps surfaces flutter. Viscosity takes up stress that old strain would otherwise have to.
pub(crate) fn implicit_limit(
    law: &Elasticity,
    density: f32,
    viscosity: f32,
    cell_size: f32,
) -> f64 {
    let stiffness = f64::from(law.modulus / density);
    let (waves, _) = explicit_limit(stiffness, 0.0, f64::from(cell_size));
    LONGEST_IMPLICIT * waves + 2.0 * f64::from(viscosity / law.modulus)
}

/// What bounds the steps of an elastic liquid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepBounds {
    /// The [`explicit_limit`].
    pub(crate) explicit: (f64, &'static str),
    /// The shortest [`implicit_limit`] of its materials.
    pub(crate) implicit: f64,
    /// The largest decay rate in 1/s.
    pub(crate) decay_rate: f64,
}

impl StepBounds {
    /// The longest step in seconds, and what limits it. Liquid that may leave a wall asks for explicit steps: whether it does is
    /// found from stress that acts explicitly.
    pub(crate) fn longest(
        &self,
        scheme: ElasticityScheme,
        decay: Decay,
        may_leave: impl Fn() -> bool,
    ) -> (f64, &'static str) {
        match scheme {
            ElasticityScheme::Explicit => self.explicit,
            ElasticityScheme::Automatic if may_leave() => self.explicit,
            _ if decay == Decay::Explicit && self.decay_rate * self.implicit > 1.0 => {
                (1.0 / self.decay_rate, "decay of elastic strain")
            }
            _ => (self.implicit, "elastic waves"),
        }
    }
}

/// How much of the stress that a step adds acts in the step itself: 0 is explicit, 1 implicit.
///
/// With the share θ, a wave of ω dt = 2 dt/limit or less is stable if θ ≥ (1 − (limit/dt)²)/2; twice as much is taken,
/// since pressure, which acts apart from elasticity, can make the implicit part half as stiff. It costs the least damping:
/// a step just beyond the explicit limit is hardly damped.
pub(crate) fn implicitness(scheme: ElasticityScheme, limit: f64, dt: f64) -> f64 {
    match scheme {
        ElasticityScheme::Explicit => 0.0,
        ElasticityScheme::Implicit => 1.0,
        ElasticityScheme::Automatic => (1.0 - (limit / dt).powi(2)).max(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_that_of_the_stiffest_part() {
        // Modulus 4000 Pa, 1000 kg/m³, 1 cm: half of 1 cm / 2 m/s.
        let (waves, name) = explicit_limit(4.0, 1.0, 0.01);
        assert!((waves - 0.0025).abs() < 1e-12);
        assert_eq!(name, "elastic waves");
        let (decay, name) = explicit_limit(4.0, 1000.0, 0.01);
        assert!((decay - 0.0005).abs() < 1e-12);
        assert_eq!(name, "decay of elastic strain");
    }

    #[test]
    fn the_automatic_scheme_is_implicit_only_beyond_the_limit() {
        let share = |dt| implicitness(ElasticityScheme::Automatic, 1e-3, dt);
        assert_eq!(share(0.9e-3), 0.0);
        assert!(share(1.1e-3) > 0.0 && share(1.1e-3) < 0.2);
        assert!(share(0.1) > 0.99);
        // The oscillator u' = −ω² x, x' = u in steps with that share never grows, even if the implicit part is half as stiff.
        for stretch in [0.5, 1.0, 1.5, 3.0, 10.0, 100.0] {
            let theta = 0.5 * share(stretch * 1e-3);
            for tenth in 1..=9 {
                let turn = 2.0 * stretch * f64::from(tenth) / 10.0;
                let (mut u, mut x) = (1.0, 0.5);
                let mut largest: f64 = 0.0;
                for _ in 0..2000 {
                    u = (u - turn * x) / (1.0 + theta * turn * turn);
                    x += turn * u;
                    largest = largest.max(u.abs().max(x.abs()));
                }
                assert!(largest < 10.0, "{stretch} {turn}: {largest}");
            }
        }
    }
}
