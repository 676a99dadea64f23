//! From linear light to display colours.
//!
//! `Agx` is Sobotka's AgX with the polynomial curve and matrices published by Wrensch 2023 ("Minimal AgX
//! Implementation") and a little of the contrast and saturation of its "punchy" look, which suits liquids. `Filmic` is
//! Hill's fit of the ACES reference and output transforms.

use glam::{Mat3, Vec3, vec3};

use crate::math::luminance;
use ooze_staging::ToneMap;

/// The 8-bit sRGB colour for linear radiance.
pub(super) fn display_colour(radiance: Vec3, tone: ToneMap) -> [u8; 3] {
    let radiance = radiance.max(Vec3::ZERO);
    let encoded = match tone {
        ToneMap::Agx => agx(radiance),
        ToneMap::Filmic => filmic(radiance).map(encode_srgb),
        ToneMap::Linear => radiance.map(encode_srgb),
    };
    encoded
        .to_array()
        .map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8)
}

/// The 8-bit sRGB of a linear colour that is to be shown as it is.
pub(crate) fn encoded_colour(colour: Vec3) -> [u8; 3] {
    display_colour(colour, ToneMap::Linear)
}

fn encode_srgb(linear: f32) -> f32 {
    let linear = linear.clamp(0.0, 1.0);
    if linear <= 0.003_130_8 {
        linear * 12.92
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    }
}

/// Into AgX's working primaries, whose narrowing lets bright colours fade to white.
const INSET: Mat3 = Mat3::from_cols(
    vec3(0.842_479_06, 0.042_328_242, 0.042_375_655),
    vec3(0.078_433_6, 0.878_468_64, 0.078_433_6),
    vec3(0.079_223_745, 0.079_166_13, 0.879_143),
);

fn agx(radiance: Vec3) -> Vec3 {
    const DARKEST: f32 = -12.473_93;
    const BRIGHTEST: f32 = 4.026_069;
    const CONTRAST: f32 = 1.2;
    const SATURATION: f32 = 1.22;
    let stops = (INSET * radiance).map(|value| value.max(1e-10).log2().clamp(DARKEST, BRIGHTEST));
    let x = (stops - Vec3::splat(DARKEST)) / (BRIGHTEST - DARKEST);
    let square = x * x;
    let fourth = square * square;
    let curve = 15.5 * fourth * square - 40.14 * fourth * x + 31.96 * fourth - 6.868 * square * x
        + 0.4298 * square
        + 0.1191 * x
        - Vec3::splat(0.002_32);
    let contrasted = curve.max(Vec3::ZERO).map(|value| value.powf(CONTRAST));
    let grey = Vec3::splat(luminance(contrasted));
    let saturated = grey + (contrasted - grey) * SATURATION;
    // The curve is made for a display of gamma 2.2, as is its inverse matrix.
    (INSET.inverse() * saturated).clamp(Vec3::ZERO, Vec3::ONE)
}

fn filmic(radiance: Vec3) -> Vec3 {
    let input = Mat3::from_cols(
        vec3(0.597_19, 0.076_00, 0.028_40),
        vec3(0.354_58, 0.908_34, 0.133_83),
        vec3(0.048_23, 0.015_66, 0.837_77),
    );
    let output = Mat3::from_cols(
        vec3(1.604_75, -0.102_08, -0.003_27),
        vec3(-0.531_08, 1.108_13, -0.072_76),
        vec3(-0.073_67, -0.006_05, 1.076_02),
    );
    let colour = input * radiance;
    let fitted = (colour * (colour + Vec3::splat(0.024_578_6)) - Vec3::splat(0.000_090_537))
        / (colour * (0.983_729 * colour + Vec3::splat(0.432_951)) + Vec3::splat(0.238_081));
    output * fitted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_meets_the_srgb_anchors() {
        assert_eq!(display_colour(Vec3::ZERO, ToneMap::Linear), [0; 3]);
        assert_eq!(display_colour(Vec3::ONE, ToneMap::Linear), [255; 3]);
        assert_eq!(
            display_colour(Vec3::splat(0.2158), ToneMap::Linear),
            [128; 3]
        );
    }

    #[test]
    fn curves_are_monotonic_keep_grey_grey_and_compress_highlights() {
        for tone in [ToneMap::Agx, ToneMap::Filmic, ToneMap::Linear] {
            let mut last = 0;
            for step in -100..60 {
                let colour = display_colour(Vec3::splat((step as f32 / 10.0).exp2()), tone);
                assert!(colour[0] >= last, "{tone:?} falls at {step}");
                assert!(
                    colour.iter().all(|value| value.abs_diff(colour[0]) <= 3),
                    "{tone:?} tints grey: {colour:?}"
                );
                last = colour[0];
            }
            assert!(last >= 250, "{tone:?} ends at {last}");
        }
        let middle = display_colour(Vec3::splat(0.18), ToneMap::Agx)[0];
        assert!((90..=135).contains(&middle), "{middle}");
        assert!(display_colour(Vec3::ONE, ToneMap::Agx)[0] < 235);
    }
}
