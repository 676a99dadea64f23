//! Area lights as the tracer sees them: points drawn on them, and rays that meet them.

use glam::Vec3;

use super::embers::Embers;
use crate::environment::Surroundings;
use crate::math::{disc_point, luminance};
use crate::settings::{AreaLight, LightShape};
use crate::trace::Ray;

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
    fn meeting(&self, ray: &Ray) -> Option<(f32, [f32; 2])> {
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
    fn density(&self, direction: Vec3, distance: f32, offset: [f32; 2]) -> f32 {
        let by_area = if self.round {
            1.0
        } else {
            self.profile(offset)
        };
        by_area * distance * distance / (self.area * (-direction.dot(self.normal)).max(1e-6))
    }

    /// A direction towards a point drawn on the lamp, which was chosen with the given probability.
    #[inline]
    fn sample(&self, point: Vec3, probability: f32, square: [f32; 2]) -> Option<LampSample> {
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
    fn importance(&self, point: Vec3, normal: Option<Vec3>) -> f32 {
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

/// All lamps, glowing surfaces, and the bright parts of surroundings.
#[derive(Clone, Debug, Default)]
pub(crate) struct LampSet {
    pub(crate) lamps: Vec<Lamp>,
    pub(crate) embers: Embers,
    pub(crate) surroundings: Option<Surroundings>,
}

impl LampSet {
    fn total_importance(&self, point: Vec3, normal: Option<Vec3>) -> f32 {
        let lamps: f32 = self
            .lamps
            .iter()
            .map(|lamp| lamp.importance(point, normal))
            .sum();
        lamps + self.embers.importance(point) + self.glare_importance()
    }

    fn glare_importance(&self) -> f32 {
        self.surroundings
            .as_ref()
            .map_or(0.0, Surroundings::importance)
    }

    /// Draws a direction towards one of the lamps from `point` on a surface with `normal` (none inside a haze).
    #[inline]
    pub(crate) fn sample(
        &self,
        point: Vec3,
        normal: Option<Vec3>,
        choice: f32,
        square: [f32; 2],
    ) -> Option<LampSample> {
        let total = self.total_importance(point, normal);
        if total <= 0.0 {
            return None;
        }
        let mut remaining = choice * total;
        for lamp in &self.lamps {
            let importance = lamp.importance(point, normal);
            if remaining < importance {
                return lamp.sample(point, importance / total, square);
            }
            remaining -= importance;
        }
        let (embers, glare) = (self.embers.importance(point), self.glare_importance());
        let (importance, mut sample) = match &self.surroundings {
            Some(surroundings) if glare > 0.0 && remaining >= embers => {
                let choice = ((remaining - embers) / glare).min(1.0);
                (glare, surroundings.sample(choice, square)?)
            }
            _ => {
                let choice = (remaining / embers).min(1.0);
                (embers, self.embers.sample(point, choice, square)?)
            }
        };
        sample.density *= importance / total;
        Some(sample)
    }

    /// The density with which [`LampSet::sample`] finds a bright part of the surroundings in `direction`.
    #[inline]
    pub(crate) fn glare_density(&self, point: Vec3, normal: Option<Vec3>, direction: Vec3) -> f32 {
        let Some(surroundings) = &self.surroundings else {
            return 0.0;
        };
        let chance = self.glare_importance() / self.total_importance(point, normal).max(1e-20);
        chance * surroundings.density(direction)
    }

    /// The density with which [`LampSet::sample`] finds lamp `index` in `direction` at `distance`.
    #[inline]
    pub(crate) fn lamp_density(
        &self,
        index: usize,
        point: Vec3,
        normal: Option<Vec3>,
        direction: Vec3,
        distance: f32,
    ) -> f32 {
        let lamp = &self.lamps[index];
        let chance = lamp.importance(point, normal) / self.total_importance(point, normal);
        let ray = Ray {
            origin: point,
            direction,
            time: 0.0,
        };
        let offset = lamp.meeting(&ray).map_or([0.0; 2], |(_, offset)| offset);
        chance * lamp.density(direction, distance, offset)
    }

    /// The density with which [`LampSet::sample`] finds a glowing point of the given radiance, met at a cosine.
    #[inline]
    pub(crate) fn ember_density(
        &self,
        radiance: Vec3,
        point: Vec3,
        normal: Option<Vec3>,
        cosine: f32,
        distance: f32,
    ) -> f32 {
        let chance =
            self.embers.importance(point) / self.total_importance(point, normal).max(1e-20);
        chance * self.embers.density(radiance, cosine, distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Sampler;

    fn disc(radius: f32, height: f32) -> Lamp {
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
    fn irradiance_under_a_disc_is_the_closed_form() {
        // On the axis of a disc of radius R at height h: E = π L R² / (R² + h²).
        let (radius, height) = (0.7_f32, 1.3_f32);
        let set = LampSet {
            lamps: vec![disc(radius, height)],
            ..LampSet::default()
        };
        let count = 4096;
        let sum: f64 = (0..count)
            .map(|sample| {
                let mut sampler = Sampler::new(0, 0, sample);
                let found = set
                    .sample(Vec3::ZERO, Some(Vec3::Y), sampler.single(), sampler.pair())
                    .expect("in front");
                f64::from(found.radiance.x * found.direction.y / found.density)
            })
            .sum();
        let expected = std::f32::consts::PI * radius * radius / (radius * radius + height * height);
        assert!((sum / f64::from(count) / f64::from(expected) - 1.0).abs() < 2e-3);
    }

    #[test]
    fn sampled_directions_meet_the_lamp_with_the_stated_density() {
        let set = LampSet {
            lamps: vec![
                disc(0.5, 2.0),
                Lamp::new(&AreaLight {
                    shape: LightShape::Rectangle {
                        width: 1.0,
                        height: 2.0,
                    },
                    centre: Vec3::new(3.0, 1.0, -1.0),
                    target: Vec3::ZERO,
                    radiance: Vec3::splat(2.0),
                    softness: 0.5,
                    visible: true,
                }),
            ],
            ..LampSet::default()
        };
        let mut seen = [0; 2];
        for sample in 0..512 {
            let mut sampler = Sampler::new(5, 5, sample);
            let from = Vec3::new(0.2, 0.0, 0.1);
            let found = set
                .sample(from, Some(Vec3::Y), sampler.single(), sampler.pair())
                .expect("in front");
            let ray = Ray {
                origin: from,
                direction: found.direction,
                time: 0.0,
            };
            let met = set
                .lamps
                .iter()
                .enumerate()
                .find_map(|(index, lamp)| lamp.meet(&ray).map(|distance| (index, distance)));
            let (index, distance) = met.expect("the sampled direction meets a lamp");
            assert!((distance - found.distance).abs() < 1e-4);
            let density = set.lamp_density(index, from, Some(Vec3::Y), found.direction, distance);
            assert!((density / found.density - 1.0).abs() < 1e-3);
            seen[index] += 1;
        }
        assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
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
