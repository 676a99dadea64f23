//! Colours for numbers: a helix in OKLab (Ottosson 2020, "A perceptual color space for image processing"), from dark violet over red
//! to bright yellow. Lightness and hue change steadily at one chroma, so that equal steps of the number are equal steps to
//! the eye, and printed in grey it still tells more from less.

use glam::{Vec3, vec3};

/// Lightness of the least and of the greatest number.
const LIGHTNESS: [f32; 2] = [0.33, 0.90];
/// Hue of both in degrees; between them lie magenta, red and orange.
const HUE: [f32; 2] = [288.0, 462.0];
/// Chroma of all: as much as a display can show at both ends.
const CHROMA: f32 = 0.135;

/// The linear colour for a share between 0 and 1.
pub fn mapped_colour(share: f32) -> Vec3 {
    let share = share.clamp(0.0, 1.0);
    let between = |ends: [f32; 2]| ends[0] + share * (ends[1] - ends[0]);
    let hue = between(HUE).to_radians();
    let colour = linear_of(vec3(
        between(LIGHTNESS),
        CHROMA * hue.cos(),
        CHROMA * hue.sin(),
    ));
    colour.clamp(Vec3::ZERO, Vec3::ONE)
}

/// Linear Rec. 709 of a colour in OKLab.
fn linear_of(lab: Vec3) -> Vec3 {
    let root = vec3(
        lab.x + 0.396_337_78 * lab.y + 0.215_803_76 * lab.z,
        lab.x - 0.105_561_346 * lab.y - 0.063_854_17 * lab.z,
        lab.x - 0.089_484_18 * lab.y - 1.291_485_5 * lab.z,
    );
    let cone = root * root * root;
    vec3(
        cone.dot(vec3(4.076_741_7, -3.307_711_6, 0.230_969_94)),
        cone.dot(vec3(-1.268_438, 2.609_757_4, -0.341_319_4)),
        cone.dot(vec3(-0.004_196_086_3, -0.703_418_6, 1.707_614_7)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::luminance;

    /// OKLab of a linear colour.
    fn lab(colour: Vec3) -> Vec3 {
        let root = vec3(
            colour.dot(vec3(0.412_221_46, 0.536_332_55, 0.051_445_995)),
            colour.dot(vec3(0.211_903_5, 0.680_699_5, 0.107_396_96)),
            colour.dot(vec3(0.088_302_46, 0.281_718_85, 0.629_978_7)),
        )
        .map(f32::cbrt);
        vec3(
            root.dot(vec3(0.210_454_26, 0.793_617_8, -0.004_072_047)),
            root.dot(vec3(1.977_998_5, -2.428_592_2, 0.450_593_7)),
            root.dot(vec3(0.025_904_037, 0.782_771_77, -0.808_675_77)),
        )
    }

    #[test]
    fn equal_steps_look_equal_and_more_is_brighter() {
        let colours: Vec<Vec3> = (0..=20)
            .map(|step| mapped_colour(step as f32 / 20.0))
            .collect();
        let steps = colours.windows(2).map(|pair| {
            assert!(luminance(pair[1]) > luminance(pair[0]));
            lab(pair[0]).distance(lab(pair[1]))
        });
        let steps: Vec<f32> = steps.collect();
        let mean = steps.iter().sum::<f32>() / steps.len() as f32;
        for step in steps {
            assert!((step / mean - 1.0).abs() < 0.1, "{step} {mean}");
        }
    }

    #[test]
    fn numbers_beyond_the_ends_have_the_colours_of_the_ends() {
        assert_eq!(mapped_colour(-3.0), mapped_colour(0.0));
        assert_eq!(mapped_colour(1.5), mapped_colour(1.0));
    }
}
