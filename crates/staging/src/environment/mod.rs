//! Surroundings from a picture: a panorama wrapped around everything, which lights it and is mirrored in it.

#[cfg(feature = "exr")]
mod open_exr;
mod panorama;
mod radiance;

pub use panorama::EnvironmentPicture;

use glam::{Mat3, Vec3};
use std::path::Path;
use std::sync::Arc;

use crate::Sky;
use crate::error::{StagingError, require};

/// Most pixels that are read of a picture.
const MOST_PIXELS: usize = 1 << 27;

/// A picture of surroundings and how it is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Surroundings {
    /// The picture.
    pub picture: Arc<EnvironmentPicture>,
    /// By how many degrees it is turned about the vertical axis; at 0 its middle lies towards -z.
    pub turn: f32,
    /// Factor on its radiance.
    pub brightness: f32,
    /// Whether the camera sees it in place of the stage's backdrop.
    pub visible: bool,
}

impl Surroundings {
    /// From the world's directions to the picture's.
    fn turned(&self, direction: Vec3) -> Vec3 {
        Mat3::from_rotation_y(-self.turn.to_radians()) * direction
    }

    /// Radiance from `direction` without what is sampled as a lamp.
    #[inline]
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        self.brightness * self.picture.radiance(self.turned(direction))
    }

    /// Radiance from `direction` of what is sampled as a lamp.
    #[inline]
    pub fn glare(&self, direction: Vec3) -> Vec3 {
        self.brightness * self.picture.glare(self.turned(direction))
    }

    /// Density per solid angle with which [`Surroundings::sample`] finds `direction`.
    #[inline]
    pub fn density(&self, direction: Vec3) -> f32 {
        self.picture.density(self.turned(direction))
    }

    /// A guess of how much the bright parts matter anywhere: about half of them is on any surface's side.
    #[inline]
    pub fn importance(&self) -> f32 {
        0.5 * self.brightness * self.picture.glare_power() as f32
    }

    /// A direction towards a bright part, drawn by brightness, with its radiance and the density with which it is found.
    pub fn sample(&self, choice: f32, square: [f32; 2]) -> Option<(Vec3, Vec3, f32)> {
        let (direction, radiance, density) = self.picture.sample(choice, square)?;
        let direction = Mat3::from_rotation_y(self.turn.to_radians()) * direction;
        Some((direction, self.brightness * radiance, density))
    }

    /// A smooth sky of about the same light.
    pub fn as_sky(&self) -> Sky {
        let [zenith, horizon, nadir] = self.picture.averages();
        Sky {
            zenith: self.brightness * zenith,
            horizon: self.brightness * horizon,
            nadir: self.brightness * nadir,
        }
    }

    pub(crate) fn check(&self) -> Result<(), StagingError> {
        require(
            self.brightness.is_finite() && self.brightness >= 0.0,
            "lights.surroundings.brightness",
            self.brightness,
            "finite and not negative",
        )?;
        require(
            self.turn.is_finite(),
            "lights.surroundings.turn",
            self.turn,
            "finite (degrees)",
        )
    }
}

impl EnvironmentPicture {
    /// Reads a panorama from a `.hdr` (Radiance) or `.exr` (OpenEXR) file.
    pub fn read(path: &Path) -> Result<Self, StagingError> {
        let fault = |reason: String| StagingError::Environment {
            path: path.to_owned(),
            reason,
        };
        let extension = path
            .extension()
            .map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        let parse: fn(&[u8]) -> Result<Raw, String> = match extension.as_deref() {
            Some("hdr" | "pic") => radiance::parse,
            #[cfg(feature = "exr")]
            Some("exr") => open_exr::parse,
            #[cfg(not(feature = "exr"))]
            Some("exr") => return Err(fault("this ooze is built without OpenEXR".into())),
            _ => {
                return Err(fault(
                    "its name must end in .hdr (Radiance) or .exr (OpenEXR)".into(),
                ));
            }
        };
        let bytes = std::fs::read(path).map_err(|source| StagingError::Read {
            path: path.to_owned(),
            source,
        })?;
        let raw = parse(&bytes).map_err(fault)?;
        Self::from_pixels(raw.width, raw.height, raw.pixels).map_err(fault)
    }
}

/// Pixels as a file holds them, from the top left, row by row.
pub(crate) struct Raw {
    width: usize,
    height: usize,
    pixels: Vec<Vec3>,
}

/// The number of pixels of a picture, if there are some and not too many.
fn pixel_count(width: usize, height: usize) -> Result<usize, String> {
    match width.checked_mul(height) {
        Some(count) if (1..=MOST_PIXELS).contains(&count) => Ok(count),
        _ => Err(format!(
            "it is {width}×{height} pixels large; there must be between 1 and {MOST_PIXELS} pixels in all"
        )),
    }
}
