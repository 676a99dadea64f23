//! Glowing surfaces as lights: triangles drawn in proportion to the power they give off, so that lava lights its
//! surroundings without noise.

use glam::Vec3;

use super::lamp::LampSample;
use crate::math::luminance;

/// A glowing triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ember {
    pub(crate) corners: [Vec3; 3],
    pub(crate) radiance: Vec3,
}

/// All glowing triangles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Embers {
    triangles: Vec<Ember>,
    /// Running sums of brightness times area.
    cumulative: Vec<f64>,
    centre: Vec3,
    /// Squared distance from the centre within which most of the power is.
    spread: f32,
}

impl Embers {
    pub(crate) fn new(triangles: impl Iterator<Item = Ember>) -> Self {
        let mut embers = Self::default();
        let (mut total, mut moment, mut second) = (0.0_f64, glam::DVec3::ZERO, 0.0_f64);
        for ember in triangles {
            let [a, b, c] = ember.corners;
            let power = f64::from(luminance(ember.radiance) * 0.5 * (b - a).cross(c - a).length());
            if power <= 0.0 {
                continue;
            }
            let middle = ((a + b + c) / 3.0).as_dvec3();
            total += power;
            moment += power * middle;
            second += power * middle.length_squared();
            embers.triangles.push(ember);
            embers.cumulative.push(total);
        }
        if total > 0.0 {
            let centre = moment / total;
            embers.centre = centre.as_vec3();
            embers.spread = (second / total - centre.length_squared()).max(0.0) as f32;
        }
        embers
    }

    /// Brightness times area of all.
    fn total(&self) -> f32 {
        self.cumulative.last().copied().unwrap_or(0.0) as f32
    }

    /// A guess of how much the embers matter at a point.
    #[inline]
    pub(super) fn importance(&self, point: Vec3) -> f32 {
        // About half of a closed surface faces any point.
        0.5 * self.total() / (point.distance_squared(self.centre) + self.spread).max(1e-12)
    }

    /// A direction towards a point of an ember drawn by power; the density is without the choice of embers over lamps.
    #[inline]
    pub(super) fn sample(&self, point: Vec3, choice: f32, square: [f32; 2]) -> Option<LampSample> {
        let sought = f64::from(choice) * self.cumulative.last()?;
        let index = self
            .cumulative
            .partition_point(|sum| *sum <= sought)
            .min(self.triangles.len() - 1);
        let ember = &self.triangles[index];
        let [a, b, c] = ember.corners;
        let root = square[0].sqrt();
        let target = a * (1.0 - root) + b * (root * (1.0 - square[1])) + c * (root * square[1]);
        let offset = target - point;
        let distance = offset.length();
        let direction = offset / distance;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let against = -direction.dot(normal);
        if against <= 1e-4 || distance <= 1e-6 {
            return None;
        }
        let density = self.density(ember.radiance, against, distance);
        Some(LampSample {
            direction,
            distance,
            radiance: ember.radiance,
            density,
        })
    }

    /// Density per solid angle of finding a point of the given radiance, seen at a cosine and a distance.
    #[inline]
    pub(super) fn density(&self, radiance: Vec3, cosine: f32, distance: f32) -> f32 {
        luminance(radiance) / self.total().max(1e-20) * distance * distance / cosine.max(1e-4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Sampler;

    #[test]
    fn irradiance_of_a_glowing_square_is_that_of_a_lamp() {
        // A small square of side s at height h straight above: E ≈ L s² / h².
        let (side, height, radiance) = (0.05_f32, 1.0_f32, 3.0_f32);
        let corner = |x: f32, z: f32| Vec3::new(x * side, height, z * side);
        let triangles = [
            [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5)],
            [corner(-0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)],
        ];
        let embers = Embers::new(triangles.iter().map(|&corners| Ember {
            corners,
            radiance: Vec3::splat(radiance),
        }));
        let count = 1024;
        let sum: f64 = (0..count)
            .filter_map(|sample| {
                let mut sampler = Sampler::new(0, 0, sample);
                embers.sample(Vec3::ZERO, sampler.single(), sampler.pair())
            })
            .map(|found| f64::from(found.radiance.x * found.direction.y / found.density))
            .sum();
        let expected = f64::from(radiance * side * side / (height * height));
        assert!(
            (sum / f64::from(count) / expected - 1.0).abs() < 5e-3,
            "{sum}"
        );
    }
}
