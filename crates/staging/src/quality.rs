//! How much work goes into a picture, its size, and how its light becomes colours.

use ooze_commons::choice;

use crate::error::{StagingError, require};

choice! {
    /// How much work goes into a picture.
    pub enum QualityPreset default Draft {
        /// Half a second a picture on two cores, when in a hurry: two samples, short paths, strongly filtered.
        Preview "preview";
        /// A second or two a picture: few samples, strongly filtered.
        Draft "draft";
        /// Path traced with many samples.
        Final "final";
    }
}

/// How milky bodies are shaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subsurface {
    /// Light is followed on its walk below the surface.
    Walk,
    /// Light wraps around the terminator and shines through thin parts: quick, free of noise, not exact.
    Wrapped,
}

/// The work that goes into a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Samples that every pixel receives; powers of two are spread best.
    pub samples: u32,
    /// Samples that a noisy pixel receives at most.
    pub samples_max: u32,
    /// Sampling of a pixel stops when the relative error of its brightness is estimated below this.
    pub noise: f32,
    /// Bounces off diffuse and milky surfaces.
    pub diffuse_bounces: u32,
    /// Bounces of any kind.
    pub bounces: u32,
    /// Surfaces at which a path follows both its reflection and what lies below, rather than one of them at random.
    pub splits: u32,
    /// How milky bodies are shaded.
    pub subsurface: Subsurface,
    /// Passes of the edge-aware filter that removes the remaining noise, each twice as wide as the one before; 0 leaves
    /// the picture as sampled.
    pub denoise: u32,
    /// Largest brightness of one sample, which keeps rare bright paths from leaving specks.
    pub clamp: f32,
}

impl From<QualityPreset> for Quality {
    fn from(preset: QualityPreset) -> Self {
        match preset {
            QualityPreset::Preview => Self::preview(),
            QualityPreset::Draft => Self::draft(),
            QualityPreset::Final => Self::finished(),
        }
    }
}

impl Quality {
    /// A picture in half a second on two cores, for a quick look: two samples, short paths, strongly filtered.
    pub fn preview() -> Self {
        Self {
            samples: 2,
            samples_max: 2,
            noise: 0.2,
            diffuse_bounces: 0,
            bounces: 6,
            denoise: 4,
            ..Self::draft()
        }
    }

    /// A picture in about a second: few samples, strongly filtered.
    pub fn draft() -> Self {
        Self {
            samples: 4,
            samples_max: 8,
            noise: 0.07,
            diffuse_bounces: 1,
            bounces: 12,
            splits: 1,
            subsurface: Subsurface::Wrapped,
            denoise: 5,
            clamp: 6.0,
        }
    }

    /// A picture to show: path traced with many samples, lightly filtered.
    pub fn finished() -> Self {
        Self {
            samples: 32,
            samples_max: 128,
            noise: 0.03,
            diffuse_bounces: 5,
            bounces: 24,
            splits: 2,
            subsurface: Subsurface::Walk,
            denoise: 4,
            clamp: 12.0,
        }
    }

    /// Refuses values that no picture can be made with.
    pub fn check(&self) -> Result<(), StagingError> {
        require(
            (1..=65_536).contains(&self.samples),
            "quality.samples",
            self.samples,
            "between 1 and 65536",
        )?;
        require(
            (self.samples..=65_536).contains(&self.samples_max),
            "quality.samples_max",
            self.samples_max,
            "between `samples` and 65536",
        )?;
        require(
            self.noise >= 0.0,
            "quality.noise",
            self.noise,
            "zero or positive",
        )?;
        require(
            (1..=1024).contains(&self.bounces),
            "quality.bounces",
            self.bounces,
            "between 1 and 1024",
        )?;
        require(
            self.splits <= 8,
            "quality.splits",
            self.splits,
            "between 0 and 8",
        )?;
        require(
            self.denoise <= 8,
            "quality.denoise",
            self.denoise,
            "between 0 and 8",
        )?;
        require(self.clamp > 0.0, "quality.clamp", self.clamp, "positive")
    }
}

choice! {
    /// How linear light becomes the colours of a screen.
    pub enum ToneMap {
        /// Soft shoulder; bright colours fade to white as on film.
        Agx "agx";
        /// Steeper and more saturated.
        Filmic "filmic";
        /// Clipped.
        Linear "linear";
    }
}

/// Size and treatment of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageSettings {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Exposure in stops: +1 doubles the brightness.
    pub exposure: f32,
    /// How light becomes colour.
    pub tone: ToneMap,
    /// How much work goes into it.
    pub quality: Quality,
}

impl Default for ImageSettings {
    fn default() -> Self {
        Self {
            width: 640,
            height: 360,
            exposure: 0.0,
            tone: ToneMap::Agx,
            quality: Quality::draft(),
        }
    }
}

impl ImageSettings {
    /// Largest accepted width or height.
    pub const SIZE_LIMIT: u32 = 16_384;

    /// Refuses values that no picture can be made with.
    pub fn check(&self) -> Result<(), StagingError> {
        let range = 1..=Self::SIZE_LIMIT;
        if !range.contains(&self.width) || !range.contains(&self.height) {
            return Err(StagingError::ImageSize {
                width: self.width,
                height: self.height,
                limit: Self::SIZE_LIMIT,
            });
        }
        require(
            self.exposure.is_finite() && self.exposure.abs() <= 30.0,
            "image.exposure",
            self.exposure,
            "between -30 and 30 (stops)",
        )?;
        self.quality.check()
    }
}
