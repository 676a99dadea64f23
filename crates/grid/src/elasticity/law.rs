//! What a step does to the strain at one point (Goktekin 2011, eq. 2.23).
//!
//! The gradient of velocity is constant during the step. Strain turns by half the step's angle, grows and flows in that
//! middle position, and turns by the other half: rigid motion rotates it exactly, and shear with rotation is second-order
//! accurate. Growth and flow together, x' = D − α (x − γ x/‖x‖) beyond the yield strain, are integrated exactly with the
//! direction of flow held fast: exact for loading along the strain, for relaxation, and for a yield strain of zero.

use glam::{Mat3, Quat, Vec3};
use ooze_core::Elasticity;

use super::SymmetricTensor;
use crate::{Decay, ElasticitySettings};

/// A step of the strain at a point.
#[derive(Clone, Copy, Debug)]
pub struct PointLaw {
    /// Seconds.
    dt: f32,
    /// Whether strain turns with the liquid.
    rotation: bool,
    decay: Decay,
    /// Two in flat scenes.
    axes: usize,
}

impl PointLaw {
    /// A step of `dt` seconds; `axes` is two in flat scenes, else three.
    pub fn new(settings: &ElasticitySettings, dt: f32, axes: usize) -> Self {
        Self {
            dt,
            rotation: settings.rotation,
            decay: settings.decay,
            axes,
        }
    }

    /// The strain after the step, where velocity has this gradient.
    #[inline]
    pub fn advance(
        &self,
        strain: SymmetricTensor,
        gradient: &[Vec3; 3],
        law: &Elasticity,
    ) -> SymmetricTensor {
        self.strained(strain, SymmetricTensor::rate(gradient), gradient, law)
    }

    /// The same where strain grows at a `rate` of its own, and the gradient only turns it.
    #[inline]
    pub(crate) fn strained(
        &self,
        strain: SymmetricTensor,
        rate: SymmetricTensor,
        gradient: &[Vec3; 3],
        law: &Elasticity,
    ) -> SymmetricTensor {
        let growth = rate.deviator(self.axes) * self.dt;
        if !self.rotation {
            return self.grown(strain, growth, law);
        }
        let turn = half_turn(gradient, self.dt);
        self.grown(strain.rotated(&turn), growth, law)
            .rotated(&turn)
    }

    /// The strain after it has grown by `growth` in the step and flowed meanwhile.
    #[inline]
    fn grown(
        &self,
        strain: SymmetricTensor,
        growth: SymmetricTensor,
        law: &Elasticity,
    ) -> SymmetricTensor {
        let loaded = strain + growth;
        match self.decay {
            Decay::Exact => flowed(strain, growth, law, self.dt),
            Decay::Explicit => {
                // Eq. 3.29d: the flow of the loaded strain for the whole step.
                let size = loaded.norm();
                let excess = (size - law.yield_strain).max(0.0);
                if excess > 0.0 {
                    loaded * (1.0 - self.dt * law.decay_rate * excess / size)
                } else {
                    loaded
                }
            }
        }
    }
}

/// The rotation by half the angle by which liquid with this gradient of velocity turns in `dt` seconds.
#[inline]
fn half_turn(gradient: &[Vec3; 3], dt: f32) -> Mat3 {
    let vorticity = Vec3::new(
        gradient[2].y - gradient[1].z,
        gradient[0].z - gradient[2].x,
        gradient[1].x - gradient[0].y,
    );
    // Liquid turns at half its vorticity.
    Mat3::from_quat(Quat::from_scaled_axis(0.25 * dt * vorticity))
}

/// Strain that grows evenly by `growth` in `dt` seconds and flows while it is beyond the yield strain.
#[inline]
fn flowed(
    strain: SymmetricTensor,
    growth: SymmetricTensor,
    law: &Elasticity,
    dt: f32,
) -> SymmetricTensor {
    let loaded = strain + growth;
    let yields = law.yield_strain;
    let (before, after) = (strain.norm(), loaded.norm());
    if before <= yields && after <= yields {
        return loaded;
    }
    if after <= yields {
        // It unloads: what was beyond flows first.
        return relaxed(strain, law, dt) + growth;
    }
    // Nothing flows before the strain reaches the yield strain, at `start` of the way.
    let start = if before < yields {
        crossing(strain, growth, yields)
    } else {
        0.0
    };
    let rest = (1.0 - start) * dt;
    let from = strain + growth * start;
    let share = (-law.decay_rate * rest).exp();
    let along = loaded * (yields / after);
    along * (1.0 - share)
        + from * share
        + growth * ((1.0 - start) * mean_decay(law.decay_rate * rest))
}

/// Where between 0 and 1 `strain + s growth` reaches the size `yields`, from below.
#[inline]
fn crossing(strain: SymmetricTensor, growth: SymmetricTensor, yields: f32) -> f32 {
    let square = growth.dot(growth).max(f32::MIN_POSITIVE);
    let mixed = strain.dot(growth) / square;
    let rest = (yields * yields - strain.dot(strain)) / square;
    let root = (mixed * mixed + rest).max(0.0).sqrt();
    (root - mixed).clamp(0.0, 1.0)
}

/// (1 − e^(−x))/x: the mean of a decay over the time in which it goes `x` decay times.
#[inline]
fn mean_decay(x: f32) -> f32 {
    if x < 1e-3 {
        1.0 - 0.5 * x
    } else {
        -(-x).exp_m1() / x
    }
}

/// Strain that is left alone for `dt` seconds: what is beyond the yield strain flows away.
#[inline]
pub(crate) fn relaxed(strain: SymmetricTensor, law: &Elasticity, dt: f32) -> SymmetricTensor {
    let size = strain.norm();
    if size <= law.yield_strain {
        return strain;
    }
    let left = law.yield_strain + (size - law.yield_strain) * (-law.decay_rate * dt).exp();
    strain * (left / size)
}

/// Share of the strain that grows in a step of `dt` seconds which is still there at its end: less than one where the
/// strain flows. Long steps of a flowing liquid then have its creep viscosity μ_e/(2α), not the modulus times the step.
#[inline]
pub(crate) fn softening(strain: SymmetricTensor, law: &Elasticity, dt: f32) -> f32 {
    if strain.norm() < law.yield_strain {
        1.0
    } else {
        mean_decay(law.decay_rate * dt)
    }
}
