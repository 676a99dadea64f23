//! The renderer's front door: a world, a camera and settings in, a picture out.

use glam::Vec3;
use rayon::prelude::*;

use crate::error::RenderError;
use crate::image::{Film, Picture};
use crate::math::{disc_point, luminance, tent};
use crate::path::{Features, Tracer};
use crate::random::Sampler;
use crate::trace::Ray;
use crate::world::{Prepared, World};
use ooze_staging::{Camera, ImageSettings, Quality, ViewFrame};

/// Side of the square tiles into which work is cut, in pixels; fixed, so that nothing depends on the number of threads.
const TILE: u32 = 16;
/// Radius of the tent filter over a pixel's neighbourhood, in pixels.
const FILTER_RADIUS: f32 = 0.85;
/// Samples between two looks at a pixel's noise, at most.
const BATCH: u32 = 16;

/// Makes the picture of `world` seen by `camera` at `time` seconds.
pub fn render(
    world: &World,
    camera: &Camera,
    time: f32,
    settings: &ImageSettings,
) -> Result<Picture, RenderError> {
    let film = render_film(world, camera, time, settings)?;
    Ok(film
        .denoised(settings.quality.denoise)
        .develop(settings.exposure, settings.tone))
}

/// Gathers the light of a picture without denoising or developing it.
pub fn render_film(
    world: &World,
    camera: &Camera,
    time: f32,
    settings: &ImageSettings,
) -> Result<Film, RenderError> {
    settings.check()?;
    camera.check()?;
    world.check()?;
    let prepared = Prepared::new(world, camera.shutter, settings.quality.subsurface);
    let tracer = Tracer {
        world: &prepared,
        quality: &settings.quality,
        camera_media: prepared.media_at(camera.pose(time).eye),
    };
    let views = Views::new(camera, time, settings);
    let (width, height) = (settings.width, settings.height);
    let (columns, rows) = (width.div_ceil(TILE), height.div_ceil(TILE));
    let tiles: Vec<Vec<Pixel>> = (0..columns * rows)
        .into_par_iter()
        .map(|tile| {
            let (left, top) = (tile % columns * TILE, tile / columns * TILE);
            (top..height.min(top + TILE))
                .flat_map(|y| (left..width.min(left + TILE)).map(move |x| (x, y)))
                .map(|(x, y)| sample_pixel(&tracer, &views, &settings.quality, x, y))
                .collect()
        })
        .collect();
    Ok(assemble(&tiles, width, height))
}

/// One pixel's averages.
#[derive(Clone, Copy, Default)]
struct Pixel {
    radiance: Vec3,
    variance: f32,
    features: Features,
}

fn assemble(tiles: &[Vec<Pixel>], width: u32, height: u32) -> Film {
    let columns = width.div_ceil(TILE);
    let pixel = |index: u32| -> &Pixel {
        let (x, y) = (index % width, index / width);
        let (column, row) = (x / TILE, y / TILE);
        let tile_width = TILE.min(width - column * TILE);
        &tiles[(row * columns + column) as usize]
            [((y - row * TILE) * tile_width + (x - column * TILE)) as usize]
    };
    let all = || (0..width * height).map(pixel);
    Film {
        width,
        height,
        radiance: all().map(|pixel| pixel.radiance).collect(),
        variance: all().map(|pixel| pixel.variance).collect(),
        albedo: all().map(|pixel| pixel.features.albedo).collect(),
        normal: all().map(|pixel| pixel.features.normal).collect(),
        depth: all().map(|pixel| pixel.features.depth).collect(),
    }
}

/// Samples one pixel until it is quiet or has had its share.
fn sample_pixel(tracer: &Tracer<'_>, views: &Views, quality: &Quality, x: u32, y: u32) -> Pixel {
    let mut sum = Pixel::default();
    let (mut mean, mut squares) = (0.0_f64, 0.0_f64);
    let mut count = 0;
    while count < quality.samples_max {
        let target = if count == 0 {
            quality.samples
        } else {
            quality.samples_max.min(count + BATCH.min(quality.samples))
        };
        while count < target {
            let mut sampler = Sampler::new(x, y, count);
            let ray = views.ray(x, y, &mut sampler);
            let (light, features) = tracer.sample(ray, &mut sampler);
            let light = clamped(light, quality.clamp);
            count += 1;
            // Welford's running variance.
            let brightness = f64::from(luminance(light));
            let deviation = brightness - mean;
            mean += deviation / f64::from(count);
            squares += deviation * (brightness - mean);
            sum.radiance += light;
            sum.features.albedo += features.albedo;
            sum.features.albedo_weight += features.albedo_weight;
            sum.features.normal += features.normal;
            sum.features.depth += features.depth;
        }
        let error = (squares / f64::from(count) / f64::from(count.max(2) - 1)).sqrt();
        // Relative to brightness, but forgiving in the dark, where the eye sees less than a ratio says.
        if error < f64::from(quality.noise) * (mean + 0.05) {
            break;
        }
    }
    let share = 1.0 / count as f32;
    Pixel {
        radiance: sum.radiance * share,
        variance: (squares / f64::from(count) / f64::from(count.max(2) - 1)) as f32,
        features: Features {
            albedo: sum.features.albedo / sum.features.albedo_weight.max(1.0),
            albedo_weight: sum.features.albedo_weight * share,
            normal: sum.features.normal.normalize_or_zero(),
            depth: sum.features.depth * share,
        },
    }
}

/// Light with its brightness limited; anything not finite counts as dark.
fn clamped(light: Vec3, limit: f32) -> Vec3 {
    if !light.is_finite() {
        return Vec3::ZERO;
    }
    light * (limit / light.max_element().max(limit))
}

/// The camera over the shutter interval.
struct Views {
    open: ViewFrame,
    close: ViewFrame,
    /// Half height and half width of the picture at unit distance, when the shutter opens and closes.
    half_heights: [f32; 2],
    aperture: f32,
    focus: f32,
    moving: bool,
    width: f32,
    height: f32,
}

impl Views {
    fn new(camera: &Camera, time: f32, settings: &ImageSettings) -> Self {
        let half = 0.5 * camera.shutter;
        let poses = [camera.pose(time - half), camera.pose(time + half)];
        let frame = |index: usize| ViewFrame::new(poses[index].eye, poses[index].target, camera.up);
        let middle = camera.pose(time);
        let focus = camera
            .lens
            .and_then(|lens| lens.focus_distance)
            .unwrap_or_else(|| middle.eye.distance(middle.target));
        Self {
            open: frame(0),
            close: frame(1),
            half_heights: poses.map(|pose| (0.5 * pose.field_of_view.to_radians()).tan()),
            aperture: camera.lens.map_or(0.0, |lens| lens.aperture_radius),
            focus,
            moving: camera.shutter > 0.0,
            width: settings.width as f32,
            height: settings.height as f32,
        }
    }

    /// A ray through pixel (`x`, `y`), jittered over the pixel filter, the lens and the shutter interval. Samples are
    /// drawn in proportion to the filter (Ernst, Stamminger and Greiner 2006), so each counts the same.
    fn ray(&self, x: u32, y: u32, sampler: &mut Sampler) -> Ray {
        let [jitter_x, jitter_y] = sampler.pair().map(|value| FILTER_RADIUS * tent(value));
        let time = if self.moving {
            sampler.single() - 0.5
        } else {
            0.0
        };
        let blend = time + 0.5;
        let mix = |pick: fn(&ViewFrame) -> Vec3| pick(&self.open).lerp(pick(&self.close), blend);
        let (eye, forward) = (mix(|frame| frame.eye), mix(|frame| frame.forward));
        let (right, up) = (mix(|frame| frame.right), mix(|frame| frame.up));
        let half_height =
            self.half_heights[0] + (self.half_heights[1] - self.half_heights[0]) * blend;
        let across =
            (2.0 * (x as f32 + 0.5 + jitter_x) / self.width - 1.0) * half_height * self.width
                / self.height;
        let down = (2.0 * (y as f32 + 0.5 + jitter_y) / self.height - 1.0) * half_height;
        let towards = forward + right * across - up * down;
        if self.aperture == 0.0 {
            return Ray {
                origin: eye,
                direction: towards.normalize(),
                time,
            };
        }
        let [lens_x, lens_y] = disc_point(sampler.pair()).map(|value| value * self.aperture);
        let origin = eye + right * lens_x + up * lens_y;
        let direction = (eye + towards * self.focus - origin).normalize();
        Ray {
            origin,
            direction,
            time,
        }
    }
}
