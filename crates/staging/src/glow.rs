//! The colour of hot bodies: Planck's law through the CIE 1931 observer (the multi-lobe fit of Wyman, Sloan and Shirley
//! 2013, JCGT 2(2), eq. 4) to linear Rec. 709, clipped to that gamut and scaled to luminance 1.

use glam::{Mat3, Vec3, vec3};
use std::sync::LazyLock;

use crate::{Glow, luminance};

const LOWEST: f32 = 500.0;
const STEP: f32 = 50.0;
const ENTRIES: usize = 240;

static COLOURS: LazyLock<Vec<Vec3>> = LazyLock::new(|| {
    (0..ENTRIES)
        .map(|entry| black_body_colour(LOWEST + STEP * entry as f32))
        .collect()
});

impl Glow {
    /// Radiance at a temperature in kelvin.
    pub fn radiance_at(&self, temperature: f32) -> Vec3 {
        let ratio = (temperature / self.reference_temperature).max(0.0);
        self.radiance * ratio.powf(self.falloff) * colour(temperature)
    }
}

/// The tabulated colour of a black body.
fn colour(temperature: f32) -> Vec3 {
    let position = ((temperature - LOWEST) / STEP).clamp(0.0, (ENTRIES - 1) as f32);
    let entry = (position as usize).min(ENTRIES - 2);
    COLOURS[entry].lerp(COLOURS[entry + 1], position - entry as f32)
}

fn black_body_colour(temperature: f32) -> Vec3 {
    let xyz: Vec3 = (0..81)
        .map(|step| {
            let wavelength = 380.0 + 5.0 * step as f32;
            observer(wavelength) * planck(wavelength, temperature)
        })
        .sum();
    let to_rgb = Mat3::from_cols(
        vec3(3.240_454_2, -0.969_266, 0.055_643_4),
        vec3(-1.537_138_5, 1.876_010_8, -0.204_025_9),
        vec3(-0.498_531_4, 0.041_556, 1.057_225_2),
    );
    let rgb = (to_rgb * (xyz / xyz.y)).max(Vec3::ZERO);
    rgb / luminance(rgb)
}

/// Spectral radiance up to a factor that depends on temperature alone: the exponent is taken relative to 780 nm, so that
/// cool bodies do not underflow.
fn planck(wavelength: f32, temperature: f32) -> f32 {
    const SECOND_RADIATION_CONSTANT: f64 = 1.438_776_9e7;
    let (wavelength, temperature) = (f64::from(wavelength), f64::from(temperature));
    let exponent = |length: f64| SECOND_RADIATION_CONSTANT / (length * temperature);
    let relative =
        (exponent(780.0) - exponent(wavelength)).exp() / (1.0 - (-exponent(wavelength)).exp());
    (relative * (500.0 / wavelength).powi(5)) as f32
}

/// The colour-matching functions of the CIE 1931 standard observer.
fn observer(wavelength: f32) -> Vec3 {
    let lobe = |height: f32, centre: f32, below: f32, above: f32| -> f32 {
        let t = (wavelength - centre) * if wavelength < centre { below } else { above };
        height * (-0.5 * t * t).exp()
    };
    vec3(
        lobe(0.362, 442.0, 0.0624, 0.0374)
            + lobe(1.056, 599.8, 0.0264, 0.0323)
            + lobe(-0.065, 501.1, 0.0490, 0.0382),
        lobe(0.821, 568.8, 0.0213, 0.0247) + lobe(0.286, 530.9, 0.0613, 0.0322),
        lobe(1.217, 437.0, 0.0845, 0.0278) + lobe(0.681, 459.0, 0.0385, 0.0725),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn daylight_is_white_and_embers_are_red() {
        let daylight = colour(6504.0);
        assert!(
            (daylight - Vec3::ONE).abs().max_element() < 0.06,
            "{daylight}"
        );
        let ember = colour(1000.0);
        assert!(ember.x > 6.0 * ember.y && ember.z < 0.02, "{ember}");
        let lamp = colour(2800.0);
        assert!(
            lamp.x > lamp.y && lamp.y > lamp.z && lamp.z > 0.05,
            "{lamp}"
        );
    }

    #[test]
    fn hotter_is_never_redder_or_darker() {
        let glow = Glow {
            radiance: 1.0,
            reference_temperature: 1300.0,
            falloff: 8.0,
            default_temperature: 300.0,
        };
        let mut last = glow.radiance_at(600.0);
        for step in 1..100 {
            let next = glow.radiance_at(600.0 + 20.0 * step as f32);
            assert!(luminance(next) > luminance(last));
            assert!(
                next.y / next.x >= last.y / last.x - 1e-5,
                "{next} after {last}"
            );
            last = next;
        }
        assert!((luminance(glow.radiance_at(1300.0)) - 1.0).abs() < 0.01);
    }
}
