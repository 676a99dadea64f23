//! What pictures of a pilot cost.

#[cfg(feature = "pictures")]
use std::time::Instant;

use ooze_core::Frame;
use ooze_scene::Scene;
use serde::{Deserialize, Serialize};

use crate::pictures::PictureError;
#[cfg(feature = "pictures")]
use crate::pictures::Studio;

/// The pictures of a pilot are so many times narrower than the scene's; two of them tell preparing from drawing.
#[cfg(feature = "pictures")]
const NARROWER: [u32; 2] = [8, 3];
/// Pictures are not made smaller than this.
#[cfg(feature = "pictures")]
const LEAST_WIDTH: u32 = 64;

/// What pictures of the pilot's last frame cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct PictureCosts {
    /// Pixels of the larger of two pictures.
    pub(super) pixels: f64,
    /// Finding the surface.
    pub(super) surface_seconds: f64,
    /// Making it ready for rays.
    pub(super) preparing_seconds: f64,
    pub(super) seconds_per_pixel: f64,
}

impl PictureCosts {
    /// Draws a frame twice and sees how long it takes.
    #[cfg(feature = "pictures")]
    pub(super) fn of(coarse: &Scene, frame: &Frame, time: f64) -> Result<Self, PictureError> {
        let timed = |narrower: u32| -> Result<(f64, f64, f64), PictureError> {
            let mut small = coarse.clone();
            let image = &mut small.pictures.image;
            let (width, height) = (image.width, image.height);
            image.width = (width / narrower).clamp(LEAST_WIDTH.min(width), width);
            image.height = (image.width * height).div_ceil(width);
            let pixels = f64::from(image.width) * f64::from(image.height);
            let studio = Studio::of_scene(small)?;
            let start = Instant::now();
            let surfacing = studio.picture(frame, time)?.surfacing;
            let drawing = start.elapsed() - surfacing;
            Ok((pixels, drawing.as_secs_f64(), surfacing.as_secs_f64()))
        };
        let (few, quick, once) = timed(NARROWER[0])?;
        let (many, slow, again) = timed(NARROWER[1])?;
        let seconds_per_pixel = (slow - quick).max(0.0) / (many - few).max(1.0);
        let fixed = quick - seconds_per_pixel * few;
        Ok(Self {
            pixels: many,
            // What came between one of them is not what a surface costs.
            surface_seconds: once.min(again),
            preparing_seconds: fixed.max(0.0),
            seconds_per_pixel,
        })
    }

    /// Nothing, where no pictures are made.
    #[cfg(not(feature = "pictures"))]
    pub(super) fn of(_coarse: &Scene, _frame: &Frame, _time: f64) -> Result<Self, PictureError> {
        Ok(Self::default())
    }
}
