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
/// Exponent of the normals' cosine.
const NORMAL: f32 = 48.0;
/// Relative difference of depth, per pixel of distance, across which pixels still mix.
const DEPTH: f32 = 0.02;
/// Difference of albedo across which pixels still mix.
const ALBEDO: f32 = 0.06;
/// The binomial kernel from its centre outwards.
const KERNEL: [f32; 3] = [3.0 / 8.0, 1.0 / 4.0, 1.0 / 16.0];

/// The film with `passes` passes of the filter applied, the first over neighbours, each later one twice as wide.
pub(super) fn denoise(film: &Film, passes: u32) -> Film {
    let mut radiance = film.radiance.clone();
    let mut variance = film.variance.clone();
    for pass in 0..passes {
        let smooth = smoothed(&variance, film.width, film.height);
        (radiance, variance) = pass_over(film, &radiance, &variance, &smooth, 1 << pass);
    }
    Film {
        radiance,
        variance,
        ..film.clone()
    }
}

/// Variance averaged over 3×3 pixels: single estimates from few samples are too noisy to steer by.
fn smoothed(variance: &[f32], width: u32, height: u32) -> Vec<f32> {
    let (width, height) = (i64::from(width), i64::from(height));
    (0..variance.len() as i64)
        .into_par_iter()
        .map(|index| {
            let (x, y) = (index % width, index / width);
            let (mut sum, mut weights) = (0.0, 0.0);
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                let (column, row) = (x + dx, y + dy);
                if (0..width).contains(&column) && (0..height).contains(&row) {
                    let weight = f32::from(2 - (dx.abs() as i8)) * f32::from(2 - (dy.abs() as i8));
                    sum += weight * variance[(row * width + column) as usize];
                    weights += weight;
                }
            }
            sum / weights
        })
        .collect()
}

fn pass_over(
    film: &Film,
    radiance: &[Vec3],
    variance: &[f32],
    smooth: &[f32],
    stride: i64,
) -> (Vec<Vec3>, Vec<f32>) {
    let (width, height) = (i64::from(film.width), i64::from(film.height));
    (0..radiance.len())
        .into_par_iter()
        .map(|here| {
            let (x, y) = (here as i64 % width, here as i64 / width);
            let brightness = luminance(radiance[here]);
            let tolerance =
                1.0 / (BRIGHTNESS * smooth[here].max(0.0).sqrt() + 1e-4 + 1e-3 * brightness);
            let (normal, depth, albedo) = (film.normal[here], film.depth[here], film.albedo[here]);
            let depth_scale = 1.0 / (DEPTH * depth.max(1e-6));
            let centre = KERNEL[0] * KERNEL[0];
            let (mut colour, mut spread, mut weights) = (
                radiance[here] * centre,
                variance[here] * centre * centre,
                centre,
            );
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
                    // Background against surface never mixes.
                    if (depth == 0.0) != (film.depth[there] == 0.0) {
                        continue;
                    }
                    let cosine = if depth == 0.0 {
                        1.0
                    } else {
                        normal.dot(film.normal[there]).max(0.0)
                    };
                    let distance = ((dx * dx + dy * dy) as f32).sqrt() * stride as f32;
                    let exponent = (luminance(radiance[there]) - brightness).abs() * tolerance
                        + (film.depth[there] - depth).abs() * depth_scale / distance
                        + (film.albedo[there] - albedo).abs().max_element() / ALBEDO;
                    let weight = KERNEL[dx.unsigned_abs() as usize]
                        * KERNEL[dy.unsigned_abs() as usize]
                        * cosine.powf(NORMAL)
                        * (-exponent).exp();
                    colour += weight * radiance[there];
                    spread += weight * weight * variance[there];
                    weights += weight;
                }
            }
            (colour / weights, spread / (weights * weights))
        })
        .unzip()
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
    fn a_picture_without_noise_is_left_alone() {
        let (film, truth) = noisy(32, 32, 0.0);
        assert!(error(&film.denoised(5), &truth) < 1e-4);
    }
}
