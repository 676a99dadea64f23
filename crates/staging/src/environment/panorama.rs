//! A panorama in two parts: what is evenly bright is met by chance, as the sky is, and what outshines it, a sun or a window,
//! is sampled as a lamp. Both add up to the picture, so no light is lost or counted twice.

use glam::{Vec3, vec3};
use std::f32::consts::{PI, TAU};
use std::fmt;

use crate::luminance;

/// Pixels across that are kept; larger pictures are averaged down, which keeps their light.
const WIDEST: usize = 2048;
/// Brightness, in means of the picture, above which light counts as a lamp's.
const OUTSHINES: f64 = 4.0;
/// Largest radiance of a pixel.
const BRIGHTEST: f32 = 1e6;

/// A panorama of radiance: columns run once around, rows from straight above to straight below.
#[derive(Clone, PartialEq)]
pub struct EnvironmentPicture {
    width: usize,
    height: usize,
    /// Radiance up to the brightness of a lamp.
    even: Vec<Vec3>,
    /// What is brighter than that.
    glare: Vec<Vec3>,
    /// Running sums of the glare's brightness times solid angle.
    cumulative: Vec<f64>,
}

impl fmt::Debug for EnvironmentPicture {
    /// Tells pictures apart without listing them: size, and a hash of the pixels (Fowler, Noll and Vo).
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self
            .even
            .iter()
            .chain(&self.glare)
            .flat_map(|pixel| pixel.to_array());
        let hash = bits.fold(0xcbf2_9ce4_8422_2325_u64, |hash, value| {
            (hash ^ u64::from(value.to_bits())).wrapping_mul(0x0100_0000_01b3)
        });
        write!(formatter, "{}×{} {hash:016x}", self.width, self.height)
    }
}

impl EnvironmentPicture {
    /// A panorama of `pixels`, row by row from the top left; the reason if there is none.
    pub fn from_pixels(width: usize, height: usize, pixels: Vec<Vec3>) -> Result<Self, String> {
        let count = super::pixel_count(width, height)?;
        if pixels.len() != count {
            return Err(format!(
                "it holds {} pixels in place of {count}",
                pixels.len()
            ));
        }
        if let Some(bad) = pixels
            .iter()
            .position(|pixel| !pixel.is_finite() || pixel.min_element() < 0.0)
        {
            let (column, row) = (bad % width, bad / width);
            return Err(format!(
                "the pixel in column {column}, row {row} is {}; light must be finite and not negative",
                pixels[bad]
            ));
        }
        let (width, height, pixels) = averaged_down(width, height, pixels);
        let mut picture = Self {
            width,
            height,
            even: pixels,
            glare: Vec::new(),
            cumulative: Vec::new(),
        };
        picture.part();
        Ok(picture)
    }

    /// Parts what outshines the rest from it.
    fn part(&mut self) {
        let (mut light, mut angle) = (0.0_f64, 0.0_f64);
        for (index, pixel) in self.even.iter().enumerate() {
            let solid = self.solid_angle(index / self.width);
            light += solid * f64::from(luminance(*pixel));
            angle += solid;
        }
        let limit = (OUTSHINES * light / angle) as f32;
        let mut total = 0.0;
        for index in 0..self.even.len() {
            let pixel = self.even[index].min(Vec3::splat(BRIGHTEST));
            let brightness = luminance(pixel);
            let even = pixel * (limit / brightness.max(limit).max(1e-20));
            let glare = (pixel - even).max(Vec3::ZERO);
            total += self.solid_angle(index / self.width) * f64::from(luminance(glare));
            self.even[index] = even;
            self.glare.push(glare);
            self.cumulative.push(total);
        }
    }

    /// The solid angle of a pixel in `row`: the area between two circles of latitude over the number of columns.
    fn solid_angle(&self, row: usize) -> f64 {
        let cosine = |row: usize| (std::f64::consts::PI * row as f64 / self.height as f64).cos();
        std::f64::consts::TAU / self.width as f64 * (cosine(row) - cosine(row + 1))
    }

    /// Column and row of a direction, as numbers of pixels from the top left.
    #[inline]
    fn place(&self, direction: Vec3) -> [f32; 2] {
        let around = direction.x.atan2(-direction.z) / TAU + 0.5;
        let down = direction.y.clamp(-1.0, 1.0).acos() / PI;
        [around * self.width as f32, down * self.height as f32]
    }

    /// The pixel that `direction` falls into.
    #[inline]
    fn pixel(&self, direction: Vec3) -> usize {
        let [across, down] = self.place(direction);
        let column = (across as usize).min(self.width - 1);
        let row = (down as usize).min(self.height - 1);
        row * self.width + column
    }

    /// Radiance from `direction` that does not count as a lamp's, blended between pixels.
    #[inline]
    pub(super) fn radiance(&self, direction: Vec3) -> Vec3 {
        let [across, down] = self.place(direction).map(|place| place - 0.5);
        let (left, top) = (across.floor(), down.floor());
        let row = |offset: i64| (top as i64 + offset).clamp(0, self.height as i64 - 1) as usize;
        let column = |offset: i64| (left as i64 + offset).rem_euclid(self.width as i64) as usize;
        let value = |x: i64, y: i64| self.even[row(y) * self.width + column(x)];
        let upper = value(0, 0).lerp(value(1, 0), across - left);
        let lower = value(0, 1).lerp(value(1, 1), across - left);
        upper.lerp(lower, down - top)
    }

    /// Radiance from `direction` that counts as a lamp's.
    #[inline]
    pub(super) fn glare(&self, direction: Vec3) -> Vec3 {
        self.glare[self.pixel(direction)]
    }

    /// Brightness of what counts as lamps, over all directions.
    #[inline]
    pub(super) fn glare_power(&self) -> f64 {
        self.cumulative.last().copied().unwrap_or(0.0)
    }

    /// Density per solid angle with which [`EnvironmentPicture::sample`] finds `direction`.
    #[inline]
    pub(super) fn density(&self, direction: Vec3) -> f32 {
        self.density_of(self.pixel(direction))
    }

    fn density_of(&self, pixel: usize) -> f32 {
        (f64::from(luminance(self.glare[pixel])) / self.glare_power().max(1e-30)) as f32
    }

    /// A direction drawn by the brightness of what counts as lamps, its radiance and its density.
    pub(super) fn sample(&self, choice: f32, square: [f32; 2]) -> Option<(Vec3, Vec3, f32)> {
        let total = self.glare_power();
        if total <= 0.0 {
            return None;
        }
        let sought = f64::from(choice) * total;
        let pixel = self
            .cumulative
            .partition_point(|sum| *sum <= sought)
            .min(self.glare.len() - 1);
        let (column, row) = (pixel % self.width, pixel / self.width);
        let around = TAU * ((column as f32 + square[0]) / self.width as f32 - 0.5);
        let cosine = |row: usize| (PI * row as f32 / self.height as f32).cos();
        let up = cosine(row) + (cosine(row + 1) - cosine(row)) * square[1];
        let ring = (1.0 - up * up).max(0.0).sqrt();
        let direction = vec3(ring * around.sin(), up, -ring * around.cos());
        Some((direction, self.glare[pixel], self.density_of(pixel)))
    }

    /// Mean radiance near the zenith, near the horizon and near the nadir.
    pub(super) fn averages(&self) -> [Vec3; 3] {
        let mut sums = [(Vec3::ZERO, 0.0_f32); 3];
        for (index, (even, glare)) in self.even.iter().zip(&self.glare).enumerate() {
            let row = index / self.width;
            let third = 3 * row / self.height;
            let solid = self.solid_angle(row) as f32;
            sums[third].0 += solid * (*even + *glare);
            sums[third].1 += solid;
        }
        sums.map(|(light, angle)| light / angle.max(1e-20))
    }
}

/// The picture with whole blocks of pixels averaged where it is wider than is kept.
fn averaged_down(width: usize, height: usize, pixels: Vec<Vec3>) -> (usize, usize, Vec<Vec3>) {
    let block = width.div_ceil(WIDEST);
    if block <= 1 {
        return (width, height, pixels);
    }
    let (columns, rows) = (width.div_ceil(block), height.div_ceil(block));
    let mean = |index: usize| {
        let (left, top) = (index % columns * block, index / columns * block);
        let inside = (top..(top + block).min(height))
            .flat_map(|y| (left..(left + block).min(width)).map(move |x| y * width + x));
        let (sum, count) = inside.fold((Vec3::ZERO, 0.0), |(sum, count), pixel| {
            (sum + pixels[pixel], count + 1.0)
        });
        sum / count
    };
    (columns, rows, (0..columns * rows).map(mean).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A dim room with one bright window.
    fn window() -> EnvironmentPicture {
        let (width, height) = (64, 32);
        let mut pixels = vec![Vec3::splat(0.2); width * height];
        for row in 8..12 {
            for column in 20..25 {
                pixels[row * width + column] = vec3(50.0, 40.0, 30.0);
            }
        }
        EnvironmentPicture::from_pixels(width, height, pixels).expect("sound")
    }

    #[test]
    fn drawn_directions_have_the_stated_density_and_find_all_glare() {
        let picture = window();
        let side = 64;
        let mut estimate = Vec3::ZERO;
        for index in 0..side * side {
            let square =
                [index % side, index / side].map(|place| (place as f32 + 0.5) / side as f32);
            let choice = (index as f32 * 0.618_034).fract();
            let (direction, radiance, density) = picture.sample(choice, square).expect("a window");
            assert!((picture.density(direction) / density - 1.0).abs() < 1e-3);
            estimate += radiance / density / (side * side) as f32;
        }
        // The window's solid angle times its radiance less what counts as even.
        let sum: Vec3 = (0..picture.glare.len())
            .map(|pixel| picture.glare[pixel] * picture.solid_angle(pixel / 64) as f32)
            .sum();
        assert!(
            (estimate / sum - Vec3::ONE).abs().max_element() < 0.02,
            "{estimate} {sum}"
        );
    }

    #[test]
    fn both_parts_add_up_to_the_picture() {
        let picture = window();
        let bright = (0..picture.even.len())
            .filter(|&pixel| {
                (picture.even[pixel] + picture.glare[pixel] - vec3(50.0, 40.0, 30.0)).length()
                    < 1e-3
            })
            .count();
        assert_eq!(bright, 20);
        let far = vec3(0.485_410_2, 0.352_671_15, -0.8);
        assert!((picture.radiance(far) - Vec3::splat(0.2)).length() < 1e-5);
        assert_eq!(picture.glare(far), Vec3::ZERO);
    }

    #[test]
    fn large_pictures_keep_their_light() {
        let (width, height) = (4096, 8);
        let pixels = (0..width * height)
            .map(|index| Vec3::splat((index % 4) as f32))
            .collect();
        let picture = EnvironmentPicture::from_pixels(width, height, pixels).expect("sound");
        assert_eq!((picture.width, picture.height), (2048, 4));
        let [zenith, horizon, nadir] = picture.averages();
        assert!(
            [zenith, horizon, nadir]
                .iter()
                .all(|mean| (mean.x - 1.5).abs() < 1e-3)
        );
    }

    #[test]
    fn light_that_cannot_be_is_named_by_its_place() {
        let mut pixels = vec![Vec3::ONE; 12];
        pixels[7].y = f32::NAN;
        let reason = EnvironmentPicture::from_pixels(4, 3, pixels).expect_err("not a number");
        assert!(reason.contains("column 3, row 1"), "{reason}");
    }
}
