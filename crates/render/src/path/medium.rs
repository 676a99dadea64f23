//! Travelling through a clear body: absorption, and scattering where it is hazy.

use glam::Vec3;
use std::f32::consts::{FRAC_1_PI, TAU};

use super::direct::{Receiver, Response};
use super::{LampRule, Path, Tracer};
use crate::math::{Basis, exponential};
use crate::random::Sampler;
use crate::shade::Medium;
use ooze_staging::Subsurface;

/// Haze scatters mostly forwards, as droplets and crystals do.
const FORWARD: f32 = 0.6;

impl Tracer<'_> {
    /// Carries the path over a distance through `medium`. Returns true when it was scattered on the way and continues in
    /// a new direction, false when it arrived.
    ///
    /// Haze is grey, so distances can be drawn from it alone and absorption remains an exact factor: Beer and Lambert.
    pub(super) fn scatter_in(
        &self,
        medium: &Medium,
        distance: f32,
        path: &mut Path,
        sampler: &mut Sampler,
        gathered: &mut Vec3,
    ) -> bool {
        if medium.haze > 0.0 && path.bounces > 0 {
            let travelled = -(1.0 - sampler.single()).ln() / medium.haze;
            if travelled < distance {
                path.weight *= exponential(-medium.absorption * travelled);
                let point = path.ray.at(travelled);
                let outwards = path.ray.direction;
                let receiver = Receiver {
                    point,
                    normal: None,
                    object: None,
                    time: path.ray.time,
                };
                let respond = |direction: Vec3| {
                    let density = henyey_greenstein(outwards.dot(direction));
                    [Response {
                        share: Vec3::splat(density),
                        density,
                    }]
                };
                *gathered += path.weight * self.lamp_direct(receiver, sampler, |_| point, respond);
                let (direction, density) = scattered(outwards, sampler.pair());
                // Where milkiness is approximated, a few scatterings stand for the many that follow.
                let cost = if self.quality.subsurface == Subsurface::Wrapped {
                    3
                } else {
                    0
                };
                path.bounces = path.bounces.saturating_sub(cost);
                *path = Path {
                    lamps: LampRule::Weighted {
                        density,
                        from: point,
                        normal: None,
                    },
                    sees_backdrop: false,
                    splits: 0,
                    ..path.continued(point, direction)
                };
                return true;
            }
        }
        // Nothing lies behind an open body: then there is no distance to absorb over.
        if distance < f32::MAX {
            path.weight *= exponential(-medium.absorption * distance);
        }
        false
    }
}

/// The phase function of Henyey and Greenstein 1941, by the cosine of the angle between the directions of travel.
#[inline]
fn henyey_greenstein(cosine: f32) -> f32 {
    let denominator = 1.0 + FORWARD * FORWARD - 2.0 * FORWARD * cosine;
    0.25 * FRAC_1_PI * (1.0 - FORWARD * FORWARD) / (denominator * denominator.sqrt())
}

/// A direction drawn from the phase function, and its density.
#[inline]
fn scattered(along: Vec3, square: [f32; 2]) -> (Vec3, f32) {
    let part = (1.0 - FORWARD * FORWARD) / (1.0 - FORWARD + 2.0 * FORWARD * square[0]);
    let cosine = ((1.0 + FORWARD * FORWARD - part * part) / (2.0 * FORWARD)).clamp(-1.0, 1.0);
    let ring = (1.0 - cosine * cosine).max(0.0).sqrt();
    let angle = TAU * square[1];
    let local = Vec3::new(ring * angle.cos(), ring * angle.sin(), cosine);
    (
        Basis::around(along).to_world(local).normalize(),
        henyey_greenstein(cosine),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phase_function_is_normalised_and_its_mean_cosine_is_its_parameter() {
        let count = 20_000;
        let (mut total, mut mean) = (0.0_f64, 0.0_f64);
        for i in 0..count {
            let cosine = 2.0 * (i as f32 + 0.5) / count as f32 - 1.0;
            let value = f64::from(henyey_greenstein(cosine)) * 4.0 * std::f64::consts::PI
                / f64::from(count);
            total += value;
            mean += value * f64::from(cosine);
        }
        assert!(
            (total - 1.0).abs() < 1e-3 && (mean - f64::from(FORWARD)).abs() < 1e-3,
            "{total} {mean}"
        );
        let side = 100;
        let drawn: f64 = (0..side * side)
            .map(|i| {
                let square = [
                    ((i % side) as f32 + 0.5) / side as f32,
                    ((i / side) as f32 + 0.5) / side as f32,
                ];
                f64::from(scattered(Vec3::X, square).0.x)
            })
            .sum::<f64>()
            / f64::from(side * side);
        assert!((drawn - f64::from(FORWARD)).abs() < 1e-3, "{drawn}");
    }
}
