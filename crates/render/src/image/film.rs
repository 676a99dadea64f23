//! Linear light and features, one entry a pixel.

use glam::Vec3;

use super::denoise::denoise;
use super::picture::Picture;
use super::tone::display_colour;
use ooze_staging::ToneMap;

/// A picture in linear light, row by row from the top left.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Radiance, linear RGB.
    pub radiance: Vec<Vec3>,
    /// Estimated variance of each pixel's brightness.
    pub variance: Vec<f32>,
    /// Colour of the first surface that is not clear.
    pub albedo: Vec<Vec3>,
    /// Normal of the first surface; zero where there is none.
    pub normal: Vec<Vec3>,
    /// Distance of the first surface in metres; zero where there is none.
    pub depth: Vec<f32>,
}

impl Film {
    /// Removes noise with `passes` passes of an edge-aware filter.
    pub fn denoised(&self, passes: u32) -> Self {
        denoise(self, passes)
    }

    /// The picture for a display, at an exposure in stops.
    pub fn develop(&self, exposure: f32, tone: ToneMap) -> Picture {
        let gain = exposure.exp2();
        let pixels = self
            .radiance
            .iter()
            .map(|&radiance| display_colour(radiance * gain, tone))
            .collect();
        Picture {
            width: self.width,
            height: self.height,
            pixels,
        }
    }
}
