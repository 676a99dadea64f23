//! Lamps and sky.

use glam::{Vec3, vec3};

use crate::bounds::or_unit;
use crate::camera_path::direction_from_angles;
use crate::environment::Surroundings;
use crate::error::{StagingError, require};
use ooze_geometry::Aabb;

/// The outline of an area light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightShape {
    /// A rectangle, level along its width.
    Rectangle {
        /// Horizontal side in metres.
        width: f32,
        /// Other side in metres.
        height: f32,
    },
    /// A disc.
    Disc {
        /// Radius in metres.
        radius: f32,
    },
}

/// A flat lamp that shines from one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AreaLight {
    /// Its outline.
    pub shape: LightShape,
    /// Its centre in metres.
    pub centre: Vec3,
    /// The point it faces, in metres.
    pub target: Vec3,
    /// Radiance, linear RGB; a white diffuse surface that the lamp filled the sky of would have this brightness.
    pub radiance: Vec3,
    /// How far from its edges towards its middle it gets darker, 0 (not at all: a hard edge in reflections) to 1 (all the
    /// way). Its power stays the same, so the middle gets brighter.
    pub softness: f32,
    /// Whether the camera sees it; reflections always do.
    pub visible: bool,
}

/// A dome of light around everything: radiance by direction, blended smoothly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sky {
    /// Radiance from straight above, linear RGB.
    pub zenith: Vec3,
    /// Radiance from the horizon.
    pub horizon: Vec3,
    /// Radiance from straight below (seen where there is no ground).
    pub nadir: Vec3,
}

impl Sky {
    /// The same radiance from everywhere.
    pub fn uniform(radiance: Vec3) -> Self {
        Self {
            zenith: radiance,
            horizon: radiance,
            nadir: radiance,
        }
    }

    /// Radiance arriving from `direction` (a unit vector pointing at the sky).
    #[inline]
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        let end = if direction.y >= 0.0 {
            self.zenith
        } else {
            self.nadir
        };
        // The square root makes the gradient steep near the horizon, as a real sky's is.
        self.horizon.lerp(end, direction.y.abs().sqrt())
    }
}

/// All the light there is.
#[derive(Clone, Debug, PartialEq)]
pub struct Lights {
    /// Lamps.
    pub area: Vec<AreaLight>,
    /// Sky.
    pub sky: Sky,
    /// A picture of surroundings in place of the sky.
    pub surroundings: Option<Surroundings>,
}

/// How soft the edges of a studio's lamps are: cloth over a frame is brightest in the middle.
const SOFT_BOX: f32 = 0.55;

impl Lights {
    /// A photographer's studio around `bounds`: a large soft box high on the left as key, a tall strip behind on the
    /// right as rim, and low strips on both sides that streams and rims of vessels mirror, under a soft dome.
    pub fn studio(bounds: &Aabb) -> Self {
        let bounds = or_unit(bounds);
        let size = bounds.extent().length();
        let target = bounds.centre();
        let lamp = |azimuth: f32,
                    elevation: f32,
                    distance: f32,
                    width: f32,
                    height: f32,
                    radiance: Vec3| AreaLight {
            shape: LightShape::Rectangle {
                width: width * size,
                height: height * size,
            },
            centre: target
                + direction_from_angles(azimuth.to_radians(), elevation.to_radians())
                    * (distance * size),
            target,
            radiance,
            softness: SOFT_BOX,
            visible: false,
        };
        Self {
            area: vec![
                lamp(-48.0, 48.0, 2.0, 1.0, 0.8, vec3(1.0, 0.95, 0.88) * 30.0),
                lamp(152.0, 30.0, 2.2, 0.5, 1.5, vec3(0.92, 0.97, 1.0) * 24.0),
                lamp(100.0, 8.0, 1.6, 0.35, 1.3, vec3(1.0, 0.97, 0.93) * 9.0),
                lamp(-75.0, 6.0, 1.8, 0.25, 1.2, vec3(0.94, 0.97, 1.0) * 7.0),
            ],
            sky: Sky {
                zenith: vec3(0.24, 0.26, 0.30),
                horizon: vec3(0.16, 0.165, 0.175),
                nadir: vec3(0.08, 0.08, 0.08),
            },
            surroundings: None,
        }
    }

    /// A clear sky around `bounds` with a sun, at angles in degrees as those of a camera that stood there.
    pub fn daylight(bounds: &Aabb, azimuth: f32, elevation: f32, brightness: f32) -> Self {
        /// Distance of the sun in sizes of the subject, and the angle of its radius: wider than the real one's quarter of
        /// a degree, as through a thin veil, for soft shadows.
        const SUN: (f32, f32) = (60.0, 1.5);
        let bounds = or_unit(bounds);
        let distance = SUN.0 * bounds.extent().length();
        let target = bounds.centre();
        let towards = direction_from_angles(azimuth.to_radians(), elevation.to_radians());
        // A low sun is dimmer and redder: its light has more air to pass.
        let air = 1.0 / (elevation.to_radians().sin() + 0.08);
        let passed = (-air * vec3(0.06, 0.12, 0.26)).exp();
        Self {
            area: vec![AreaLight {
                shape: LightShape::Disc {
                    radius: distance * SUN.1.to_radians().tan(),
                },
                centre: target + towards * distance,
                target,
                radiance: 1500.0 * brightness * passed,
                softness: 0.0,
                visible: false,
            }],
            sky: Sky {
                zenith: vec3(0.20, 0.36, 0.75) * brightness,
                horizon: vec3(0.75, 0.85, 0.95) * brightness,
                nadir: vec3(0.16, 0.15, 0.13) * brightness,
            },
            surroundings: None,
        }
    }

    /// Nothing but the light of a picture of surroundings.
    pub fn of_picture(surroundings: Surroundings) -> Self {
        Self {
            area: Vec::new(),
            sky: surroundings.as_sky(),
            surroundings: Some(surroundings),
        }
    }

    /// Low light in which glowing bodies carry the picture.
    pub fn dusk(bounds: &Aabb) -> Self {
        let mut lights = Self::studio(bounds);
        for lamp in &mut lights.area {
            lamp.radiance *= vec3(0.14, 0.17, 0.22);
        }
        lights.sky = Sky {
            zenith: vec3(0.030, 0.038, 0.055),
            horizon: vec3(0.055, 0.050, 0.060),
            nadir: vec3(0.010, 0.010, 0.012),
        };
        lights
    }

    /// Refuses values that no picture can be made with.
    pub fn check(&self) -> Result<(), StagingError> {
        if let Some(surroundings) = &self.surroundings {
            surroundings.check()?;
        }
        let sound = |radiance: Vec3| radiance.is_finite() && radiance.min_element() >= 0.0;
        for radiance in [self.sky.zenith, self.sky.horizon, self.sky.nadir] {
            require(
                sound(radiance),
                "lights.sky",
                radiance,
                "finite and not negative",
            )?;
        }
        for lamp in &self.area {
            require(
                sound(lamp.radiance),
                "lights.area.radiance",
                lamp.radiance,
                "finite and not negative",
            )?;
            let sides = match lamp.shape {
                LightShape::Rectangle { width, height } => [width, height],
                LightShape::Disc { radius } => [radius, radius],
            };
            require(
                sides.iter().all(|side| side.is_finite() && *side > 0.0),
                "lights.area.shape",
                lamp.shape,
                "of positive size (metres)",
            )?;
            require(
                (0.0..=1.0).contains(&lamp.softness),
                "lights.area.softness",
                lamp.softness,
                "between 0 and 1",
            )?;
            require(
                lamp.centre.is_finite() && lamp.target.is_finite() && lamp.centre != lamp.target,
                "lights.area.target",
                lamp.target,
                "finite and different from the centre",
            )?;
        }
        Ok(())
    }
}
