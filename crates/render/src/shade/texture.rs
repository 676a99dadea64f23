//! Patterns that fill space, evaluated where a liquid's texture coordinates lead.
//!
//! Where two layers of coordinates show at once, a plain mean of both would be paler than either: deviations from the mean
//! are added in proportion to their shares and divided by the root of the sum of their squares, which keeps the variance of patterns that
//! have nothing to do with one another (Neyret 2003, "Advected textures", sec. 3.3).

use glam::{IVec3, Vec3};
use ooze_staging::{Texture, TexturePattern};

use crate::random::{mix, mix_pair};

/// Share of a pattern's size over which its slope is taken.
const REACH: f32 = 0.05;

/// A point of a surface with its coordinates, and how these change along two directions of the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mapped {
    /// Unit vectors along the surface, at right angles.
    pub(crate) along: [Vec3; 2],
    /// In each layer, coordinates in metres; none in a layer that the mesh does not have.
    pub(crate) layers: [Option<MappedLayer>; 2],
}

/// Coordinates in one layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MappedLayer {
    pub(crate) at: Vec3,
    /// Change of the coordinates for each metre along either direction.
    pub(crate) slopes: [Vec3; 2],
}

/// What a texture does to a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Textured {
    /// What colours are multiplied by.
    pub(crate) tint: f32,
    /// What is taken from the normal before it is made a unit vector again.
    pub(crate) tilt: Vec3,
}

/// The texture at a point.
pub(crate) fn textured(texture: &Texture, mapped: &Mapped) -> Textured {
    let step = REACH * texture.size;
    let mut values = [0.0; 3];
    let mut squares = 0.0;
    for (layer, share) in mapped.layers.iter().zip(texture.shares) {
        let Some(layer) = layer.filter(|_| share > 0.0) else {
            continue;
        };
        squares += share * share;
        let ahead = layer.slopes.map(|slope| layer.at + step * slope);
        for (value, point) in values.iter_mut().zip([layer.at, ahead[0], ahead[1]]) {
            *value += share * deviation(texture.pattern, point / texture.size);
        }
    }
    if squares > 0.0 {
        let contrast = squares.sqrt().recip();
        values = values.map(|value| value * contrast);
    }
    let rise = [1, 2].map(|ahead| texture.relief * (values[ahead] - values[0]) / REACH);
    Textured {
        tint: (1.0 + texture.contrast * values[0]).max(0.0),
        tilt: rise[0] * mapped.along[0] + rise[1] * mapped.along[1],
    }
}

/// How far a pattern deviates from its mean at a point, in sizes of the pattern: from about -1 to 1.
fn deviation(pattern: TexturePattern, point: Vec3) -> f32 {
    let parity = |number: f32| (number.rem_euclid(2.0) >= 1.0) as i32;
    match pattern {
        // Grains of two sizes.
        TexturePattern::Sand => 0.7 * noise(2.0 * point) + 0.5 * noise(4.3 * point),
        TexturePattern::Marble => {
            let wind = noise(0.7 * point) + 0.5 * noise(1.6 * point);
            (2.0 * (point.x + point.y + 1.5 * wind)).sin()
        }
        TexturePattern::Checker => {
            let cell = point.floor();
            let odd = parity(cell.x) ^ parity(cell.y) ^ parity(cell.z);
            1.0 - 2.0 * odd as f32
        }
        TexturePattern::Stripes => 1.0 - 2.0 * parity(point.y.floor()) as f32,
    }
}

/// Smooth noise from -1 to 1: values at the corners of a lattice, blended with a smooth step.
fn noise(point: Vec3) -> f32 {
    let cell = point.floor();
    let share = point - cell;
    let blend = share * share * (Vec3::splat(3.0) - 2.0 * share);
    let corner = cell.as_ivec3();
    let mut sum = 0.0;
    for index in 0..8 {
        let step = IVec3::new(index & 1, index >> 1 & 1, index >> 2);
        let weights = Vec3::select(step.cmpeq(IVec3::ONE), blend, Vec3::ONE - blend);
        let weight = weights.x * weights.y * weights.z;
        sum += weight * corner_value(corner.wrapping_add(step));
    }
    sum
}

/// A number from -1 to 1 for a corner of the lattice.
fn corner_value(corner: IVec3) -> f32 {
    let word = mix_pair(
        mix_pair(mix(corner.x as u32), corner.y as u32),
        corner.z as u32,
    );
    (word >> 8) as f32 * (2.0 / 16_777_216.0) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATTERNS: [TexturePattern; 4] = [
        TexturePattern::Sand,
        TexturePattern::Marble,
        TexturePattern::Checker,
        TexturePattern::Stripes,
    ];

    fn points() -> impl Iterator<Item = Vec3> {
        (0..4096u32).map(|index| {
            let part = |salt: u32| (mix_pair(index, salt) >> 8) as f32 * (40.0 / 16_777_216.0);
            Vec3::new(part(1), part(2), part(3)) - Vec3::splat(20.0)
        })
    }

    #[test]
    fn patterns_deviate_to_both_sides_and_leave_the_mean_alone() {
        for pattern in PATTERNS {
            let values: Vec<f32> = points().map(|point| deviation(pattern, point)).collect();
            let mean = values.iter().sum::<f32>() / values.len() as f32;
            let most = values
                .iter()
                .fold(0.0, |most: f32, value| most.max(value.abs()));
            assert!(mean.abs() < 0.08, "{pattern:?}: {mean}");
            assert!((0.5..1.25).contains(&most), "{pattern:?}: {most}");
        }
    }

    #[test]
    fn two_layers_at_once_are_as_rich_in_contrast_as_one() {
        let spread = |shares: [f32; 2]| {
            let texture = Texture {
                pattern: TexturePattern::Sand,
                size: 1.0,
                contrast: 0.5,
                relief: 0.0,
                shares,
            };
            let tints: Vec<f32> = points()
                .map(|point| {
                    let layer = |at| {
                        Some(MappedLayer {
                            at,
                            slopes: [Vec3::X, Vec3::Y],
                        })
                    };
                    let layers = [layer(point), layer(point + Vec3::splat(57.3))];
                    let along = [Vec3::X, Vec3::Y];
                    textured(&texture, &Mapped { along, layers }).tint
                })
                .collect();
            tints
                .iter()
                .map(|tint| (tint - 1.0) * (tint - 1.0))
                .sum::<f32>()
                / tints.len() as f32
        };
        let (one, both) = (spread([1.0, 0.0]), spread([0.5, 0.5]));
        assert!((both / one - 1.0).abs() < 0.1, "{one} {both}");
    }

    #[test]
    fn bumps_lean_away_from_where_they_rise() {
        let texture = Texture {
            pattern: TexturePattern::Sand,
            size: 0.01,
            contrast: 0.0,
            relief: 0.5,
            shares: [1.0, 0.0],
        };
        let along = [Vec3::X, Vec3::Z];
        let at = Vec3::new(0.0123, 0.5, 0.0456);
        let layers = [Some(MappedLayer { at, slopes: along }), None];
        let found = textured(&texture, &Mapped { along, layers });
        let ahead = deviation(texture.pattern, (at + 1e-5 * Vec3::X) / texture.size);
        let rises = ahead > deviation(texture.pattern, at / texture.size);
        assert_eq!(found.tilt.x > 0.0, rises);
        assert_eq!((found.tint, found.tilt.y), (1.0, 0.0));
    }
}
