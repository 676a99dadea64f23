//! Removing noise: an edge-avoiding à-trous wavelet filter (Dammertz et al. 2010) guided by normals, depth and colour of
//! the first surfaces, with the brightness edge-stop scaled by each pixel's own estimated variance and the variance
//! filtered along, as in the spatial part of SVGF (Schied et al. 2017, eqs. 3 to 5). There is no temporal part: every
//! frame stands alone, so frames can be made in any order.

use glam::Vec3;
use rayon::prelude::*;

use super::film::Film;
use crate::math::luminance;

/// Standard deviations of brightness across which pixels still mix.
const BRIGHTNESS: f32 = 3.0;
/// Exponent of the normals' cosine, as exp(-n (1 - cos)).
const NORMAL: f32 = 48.0;
/// Relative difference of depth, per pixel of distance, across which pixels still mix.
const DEPTH: f32 = 0.02;
/// Difference of albedo across which pixels still mix.
const ALBEDO: f32 = 0.06;
/// Relative error of a pixel from which it may be a speck.
const UNSURE: f32 = 0.2;
/// How much brighter than its third brightest neighbour a speck is at least.
const OUTSHINE: f32 = 2.0;
/// Relative deviation below which a pixel has no noise that could be seen.
const QUIET: f32 = 1e-3;
/// One over the number of steps to a neighbour.
const PER_STEP: [f32; 5] = [1.0, 1.0, 0.5, 1.0 / 3.0, 0.25];
/// The binomial kernel from its centre outwards.
const KERNEL: [f32; 3] = [3.0 / 8.0, 1.0 / 4.0, 1.0 / 16.0];

/// The film with `passes` passes of the filter applied, the first over neighbours, each later one twice as wide.
pub(super) fn denoise(film: &Film, passes: u32) -> Film {
    if passes == 0 {
        return film.clone();
    }
    let guides: Vec<Guide> = (0..film.radiance.len())
        .map(|index| Guide {
            normal: film.normal[index],
            depth: film.depth[index],
            albedo: film.albedo[index],
        })
        .collect();
    let mut values: Vec<Value> = despeckled(film)
        .into_iter()
        .zip(&film.variance)
        .map(|(radiance, &variance)| Value::new(radiance, variance))
        .collect();
    for pass in 0..passes {
        let smooth = smoothed(&values, film.width, film.height);
        values = pass_over(film, &guides, &values, &smooth, 1 << pass);
    }
    Film {
        radiance: values.iter().map(|value| value.radiance).collect(),
        variance: values.iter().map(|value| value.variance).collect(),
        ..film.clone()
    }
}

/// Radiance without specks: a pixel whose own samples disagree and that outshines nearly all its neighbours
/// is dimmed to the third brightest of them.
fn despeckled(film: &Film) -> Vec<Vec3> {
    let (width, height) = (i64::from(film.width), i64::from(film.height));
    (0..film.radiance.len())
        .into_par_iter()
        .map(|here| {
            let radiance = film.radiance[here];
            let brightness = luminance(radiance);
            if film.variance[here].sqrt() < UNSURE * brightness {
                return radiance;
            }
            let (x, y) = (here as i64 % width, here as i64 / width);
            let mut brightest = [0.0_f32; 3];
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                let (column, row) = (x + dx, y + dy);
                if (dx, dy) == (0, 0)
                    || !(0..width).contains(&column)
                    || !(0..height).contains(&row)
                {
                    continue;
                }
                let mut value = luminance(film.radiance[(row * width + column) as usize]);
                for place in &mut brightest {
                    if value > *place {
                        std::mem::swap(place, &mut value);
                    }
                }
            }
            if brightness > OUTSHINE * brightest[2] {
                radiance * (brightest[2] / brightness)
            } else {
                radiance
            }
        })
        .collect()
}

/// Variance averaged over 5×5 pixels: single estimates from few samples are too noisy to steer by. The kernel is a
/// product, so rows are averaged first and their averages along columns.
fn smoothed(values: &[Value], width: u32, height: u32) -> Vec<f32> {
    let (width, height) = (width as usize, height as usize);
    let along_rows: Vec<f32> = (0..values.len())
        .into_par_iter()
        .map(|here| {
            let (row, x) = (here - here % width, here % width);
            weighted_mean(x, width, |column| values[row + column].variance)
        })
        .collect();
    (0..values.len())
        .into_par_iter()
        .map(|here| {
            let (x, y) = (here % width, here / width);
            weighted_mean(y, height, |row| along_rows[row * width + x])
        })
        .collect()
}

/// The mean of up to five values around `place` that lie in a line of `count`, weighted by the kernel.
#[inline]
fn weighted_mean(place: usize, count: usize, value: impl Fn(usize) -> f32) -> f32 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for other in place.saturating_sub(2)..(place + 3).min(count) {
        let weight = KERNEL[place.abs_diff(other)];
        sum += weight * value(other);
        weights += weight;
    }
    sum / weights
}

/// What the filter compares of a pixel, side by side in memory.
#[derive(Clone, Copy)]
struct Guide {
    normal: Vec3,
    depth: f32,
    albedo: Vec3,
}

/// A value that changes from pass to pass.
#[derive(Clone, Copy)]
struct Value {
    radiance: Vec3,
    brightness: f32,
    variance: f32,
}

impl Value {
    fn new(radiance: Vec3, variance: f32) -> Self {
        Self {
            radiance,
            brightness: luminance(radiance),
            variance,
        }
    }
}

/// A quick exp(-x) for weights, which need not be exact: (1 - x/16)¹⁶, zero from x = 16.
#[inline]
fn falloff(x: f32) -> f32 {
    let root = (1.0 - x * (1.0 / 16.0)).max(0.0);
    let fourth = (root * root) * (root * root);
    (fourth * fourth) * (fourth * fourth)
}

/// One pass: every pixel becomes a mean of 5×5 pixels `stride` apart, weighted by likeness.
fn pass_over(
    film: &Film,
    guides: &[Guide],
    values: &[Value],
    smooth: &[f32],
    stride: i64,
) -> Vec<Value> {
    let (width, height) = (i64::from(film.width), i64::from(film.height));
    (0..values.len())
        .into_par_iter()
        .map(|here| {
            let (x, y) = (here as i64 % width, here as i64 / width);
            let (guide, value) = (&guides[here], &values[here]);
            let deviation = smooth[here].max(0.0).sqrt();
            if deviation <= QUIET * value.brightness {
                return *value;
            }
            let tolerance = 1.0 / (BRIGHTNESS * deviation + 1e-4 + 1e-3 * value.brightness);
            let depth_scale = 1.0 / (DEPTH * guide.depth.max(1e-6) * stride as f32);
            let centre = KERNEL[0] * KERNEL[0];
            let mut radiance = value.radiance * centre;
            let (mut variance, mut weights) = (value.variance * centre * centre, centre);
            for dy in -2..=2_i64 {
                let row = y + dy * stride;
                if !(0..height).contains(&row) {
                    continue;
                }
                for dx in -2..=2_i64 {
                    let column = x + dx * stride;
                    if (dx == 0 && dy == 0) || !(0..width).contains(&column) {
                        continue;
                    }
                    let there = (row * width + column) as usize;
                    let (other_guide, other) = (&guides[there], &values[there]);
                    // Background against surface never mixes; among itself it has no normal to compare.
                    if (guide.depth == 0.0) != (other_guide.depth == 0.0) {
                        continue;
                    }
                    let bend = if guide.depth == 0.0 {
                        0.0
                    } else {
                        1.0 - guide.normal.dot(other_guide.normal)
                    };
                    let steps = (dx.unsigned_abs() + dy.unsigned_abs()) as usize;
                    let exponent = (other.brightness - value.brightness).abs() * tolerance
                        + (other_guide.depth - guide.depth).abs() * (depth_scale * PER_STEP[steps])
                        + (other_guide.albedo - guide.albedo).abs().max_element() * (1.0 / ALBEDO)
                        + NORMAL * bend;
                    let kernel =
                        KERNEL[dx.unsigned_abs() as usize] * KERNEL[dy.unsigned_abs() as usize];
                    let weight = kernel * falloff(exponent);
                    radiance += weight * other.radiance;
                    variance += weight * weight * other.variance;
                    weights += weight;
                }
            }
            Value::new(radiance / weights, variance / (weights * weights))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Sampler;

    /// Noise around two flat halves that differ in brightness and albedo.
    fn noisy(width: u32, height: u32, amplitude: f32) -> (Film, Vec<f32>) {
        let truth: Vec<f32> = (0..width * height)
            .map(|index| if index % width < width / 2 { 0.2 } else { 0.8 })
            .collect();
        let radiance = truth
            .iter()
            .enumerate()
            .map(|(index, &value)| {
                Vec3::splat(value + amplitude * (Sampler::new(index as u32, 0, 0).single() - 0.5))
            })
            .collect();
        let count = truth.len();
        let film = Film {
            width,
            height,
            radiance,
            variance: vec![amplitude * amplitude / 12.0; count],
            albedo: truth.iter().map(|&value| Vec3::splat(value)).collect(),
            normal: vec![Vec3::Z; count],
            depth: vec![1.0; count],
        };
        (film, truth)
    }

    fn error(film: &Film, truth: &[f32]) -> f64 {
        let squares: f64 = film
            .radiance
            .iter()
            .zip(truth)
            .map(|(found, truth)| f64::from(found.x - truth).powi(2))
            .sum();
        (squares / truth.len() as f64).sqrt()
    }

    #[test]
    fn noise_falls_and_edges_stay() {
        let (film, truth) = noisy(64, 48, 0.2);
        let filtered = film.denoised(4);
        assert!(
            error(&filtered, &truth) < 0.15 * error(&film, &truth),
            "{} {}",
            error(&filtered, &truth),
            error(&film, &truth)
        );
        let row = 20 * 64;
        assert!(
            (filtered.radiance[row + 31].x - 0.2).abs() < 0.05
                && (filtered.radiance[row + 32].x - 0.8).abs() < 0.05
        );
    }

    #[test]
    fn a_speck_is_removed_and_a_sure_highlight_stays() {
        let (mut film, _) = noisy(32, 32, 0.0);
        film.radiance[10 * 32 + 5] = Vec3::splat(6.0);
        film.variance[10 * 32 + 5] = 9.0;
        film.radiance[20 * 32 + 5] = Vec3::splat(6.0);
        let filtered = film.denoised(1);
        assert!((filtered.radiance[10 * 32 + 5].x - 0.2).abs() < 1e-3);
        assert!(filtered.radiance[20 * 32 + 5].x > 5.0);
    }

    #[test]
    fn a_picture_without_noise_is_left_alone() {
        let (film, truth) = noisy(32, 32, 0.0);
        assert!(error(&film.denoised(5), &truth) < 1e-4);
    }
}
