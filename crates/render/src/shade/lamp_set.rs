//! All that shines in a picture, and the choice among it: towards what to look for light, and how likely that was.

use glam::Vec3;

use super::embers::Embers;
use super::lamp::{Lamp, LampSample};
use crate::trace::Ray;
use ooze_staging::Surroundings;

/// Farther than anything.
const FAR: f32 = 1e18;

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
                let (direction, radiance, density) = surroundings.sample(choice, square)?;
                let sample = LampSample {
                    direction,
                    distance: FAR,
                    radiance,
                    density,
                };
                (glare, sample)
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
    use crate::shade::lamp::tests::disc;
    use ooze_staging::{AreaLight, LightShape};

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
}
