//! Area lights as the tracer sees them: points drawn on them, and rays that meet them.

use glam::Vec3;

use crate::math::{disc_point, luminance};
use crate::trace::Ray;
use ooze_staging::{AreaLight, LightShape};

/// An area light with its frame.
#[derive(Clone, Debug)]
pub(crate) struct Lamp {
    centre: Vec3,
    normal: Vec3,
    /// Half sides, or two radii at a right angle.
    half: [Vec3; 2],
    round: bool,
    area: f32,
    /// Mean radiance.
    radiance: Vec3,
    /// How far its edges are darker, as a share of the way to the middle.
    softness: f32,
    /// Radiance in the middle over its mean.
    peak: f32,
    pub(crate) visible: bool,
}

impl Lamp {
    pub(crate) fn new(light: &AreaLight) -> Self {
        let normal = (light.target - light.centre).normalize();
        // Width runs level; straight up or down any direction is level.
        let level = if normal.y.abs() > 0.9999 {
            Vec3::X
        } else {
            normal.cross(Vec3::Y).normalize()
        };
        let rise = level.cross(normal);
        let (half, round, area) = match light.shape {
            LightShape::Rectangle { width, height } => (
                [level * width * 0.5, rise * height * 0.5],
                false,
                width * height,
            ),
            LightShape::Disc { radius } => (
                [level * radius, rise * radius],
                true,
                std::f32::consts::PI * radius * radius,
            ),
        };
        Self {
            centre: light.centre,
            normal,
            half,
            round,
            area,
            radiance: light.radiance,
            softness: light.softness,
            peak: 1.0 / mean_shade(light.softness, round),
            visible: light.visible,
        }
    }

    /// Radiance, over its mean, of the point at an offset from the lamp's middle, in half sides or radii.
    #[inline]
    fn profile(&self, [x, y]: [f32; 2]) -> f32 {
        if self.softness <= 0.0 {
            return 1.0;
        }
        let shade = |inwards: f32| (inwards / self.softness).clamp(0.0, 1.0);
        let share = if self.round {
            shade(1.0 - x.hypot(y))
        } else {
            shade(1.0 - x.abs()) * shade(1.0 - y.abs())
        };
        self.peak * share
    }

    /// The offset of a point of the lamp, in half sides or radii: of a rectangle drawn by its radiance, of a disc uniformly
    /// by area.
    #[inline]
    fn offset(&self, square: [f32; 2]) -> [f32; 2] {
        if self.round {
            disc_point(square)
        } else {
            square.map(|value| trapezoid(2.0 * value - 1.0, self.softness))
        }
    }

    /// Distance at which the ray meets the shining side.
    #[inline]
    pub(crate) fn meet(&self, ray: &Ray) -> Option<f32> {
        self.meeting(ray).map(|(distance, _)| distance)
    }

    /// Radiance of the point where the ray meets the shining side; none where it does not.
    #[inline]
    pub(crate) fn radiance_along(&self, ray: &Ray) -> Vec3 {
        self.meeting(ray).map_or(Vec3::ZERO, |(_, offset)| {
            self.radiance * self.profile(offset)
        })
    }

    /// Distance and offset of the point where the ray meets the shining side.
    #[inline]
    pub(super) fn meeting(&self, ray: &Ray) -> Option<(f32, [f32; 2])> {
        let against = ray.direction.dot(self.normal);
        if against >= 0.0 {
            return None;
        }
        let distance = (self.centre - ray.origin).dot(self.normal) / against;
        if distance <= 0.0 {
            return None;
        }
        let offset = ray.at(distance) - self.centre;
        let [x, y] = self
            .half
            .map(|half| offset.dot(half) / half.length_squared());
        let inside = if self.round {
            x * x + y * y <= 1.0
        } else {
            x.abs() <= 1.0 && y.abs() <= 1.0
        };
        inside.then_some((distance, [x, y]))
    }

    /// Density per solid angle with which the point of the lamp at an offset is found in `direction` at `distance`.
    #[inline]
    pub(super) fn density(&self, direction: Vec3, distance: f32, offset: [f32; 2]) -> f32 {
        let by_area = if self.round {
            1.0
        } else {
            self.profile(offset)
        };
        by_area * distance * distance / (self.area * (-direction.dot(self.normal)).max(1e-6))
    }

    /// A direction towards a point drawn on the lamp, which was chosen with the given probability.
    #[inline]
    pub(super) fn sample(
        &self,
        point: Vec3,
        probability: f32,
        square: [f32; 2],
    ) -> Option<LampSample> {
        let [x, y] = self.offset(square);
        if self.profile([x, y]) <= 0.0 {
            return None;
        }
        let offset = self.centre + self.half[0] * x + self.half[1] * y - point;
        let distance = offset.length();
        let direction = offset / distance;
        if distance <= 0.0 || direction.dot(self.normal) >= 0.0 {
            return None;
        }
        let density = probability * self.density(direction, distance, [x, y]);
        Some(LampSample {
            direction,
            distance,
            radiance: self.radiance * self.profile([x, y]),
            density,
        })
    }

    /// A guess of how much this lamp matters at a point, used to choose among lamps: never zero, so none is missed.
    #[inline]
    pub(super) fn importance(&self, point: Vec3, normal: Option<Vec3>) -> f32 {
        let offset = self.centre - point;
        let squared = offset.length_squared();
        let direction = offset / squared.sqrt().max(1e-20);
        let facing = (-direction.dot(self.normal)).max(0.1);
        let lit = normal.map_or(1.0, |normal| normal.dot(direction).max(0.0) + 0.15);
        luminance(self.radiance).max(1e-6) * self.area * facing * lit / (squared + self.area)
    }
}

/// The mean over a lamp's area of how bright it is relative to its middle: a ramp has the mean 1/2 along a straight edge, and
/// towards the rim of a disc the first moment 1/3 besides.
fn mean_shade(softness: f32, round: bool) -> f32 {
    if round {
        1.0 - softness + softness * softness / 3.0
    } else {
        (1.0 - 0.5 * softness).powi(2)
    }
}

/// From an even distribution over [-1, 1] to one that is even in the middle and falls to zero over a share of the way to
/// either end: the inverse of its integral.
#[inline]
fn trapezoid(even: f32, ramp: f32) -> f32 {
    let half = 1.0 - 0.5 * ramp;
    let area = even.abs() * half;
    let place = if area <= 1.0 - ramp {
        area
    } else {
        1.0 - (2.0 * ramp * (half - area)).max(0.0).sqrt()
    };
    place.copysign(even)
}

/// A direction towards a lamp.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LampSample {
    pub(crate) direction: Vec3,
    pub(crate) distance: f32,
    pub(crate) radiance: Vec3,
    /// Density per solid angle, the choice of the lamp included.
    pub(crate) density: f32,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::shade) fn disc(radius: f32, height: f32) -> Lamp {
        Lamp::new(&AreaLight {
            shape: LightShape::Disc { radius },
            centre: Vec3::Y * height,
            target: Vec3::ZERO,
            radiance: Vec3::ONE,
            softness: 0.0,
            visible: true,
        })
    }

    #[test]
    fn soft_edges_keep_the_power() {
        let side = 400;
        for (softness, round) in [(0.3, false), (1.0, false), (0.4, true), (1.0, true)] {
            let mut lamp = disc(0.5, 1.0);
            lamp.round = round;
            lamp.softness = softness;
            lamp.peak = 1.0 / mean_shade(softness, round);
            let total: f64 = (0..side * side)
                .map(|index| {
                    let square = [index % side, index / side]
                        .map(|place| (place as f32 + 0.5) / side as f32);
                    let evenly = if round {
                        disc_point(square)
                    } else {
                        square.map(|value| 2.0 * value - 1.0)
                    };
                    f64::from(lamp.profile(evenly))
                })
                .sum();
            let mean = total / f64::from(side * side);
            assert!((mean - 1.0).abs() < 2e-3, "{softness} {round}: {mean}");
            assert_eq!(lamp.profile([1.0, 0.0]), 0.0);
        }
    }

    #[test]
    fn lamps_shine_from_one_side() {
        let lamp = disc(1.0, 1.0);
        let up = Ray {
            origin: Vec3::ZERO,
            direction: Vec3::Y,
            time: 0.0,
        };
        let down = Ray {
            origin: Vec3::Y * 2.0,
            direction: -Vec3::Y,
            time: 0.0,
        };
        assert_eq!(lamp.meet(&up), Some(1.0));
        assert_eq!(lamp.meet(&down), None);
    }
}
