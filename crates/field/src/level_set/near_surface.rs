//! The distance of samples next to the surface, from the level set's own values: the sub-cell position of the surface
//! that a reinitialisation must not move.
//!
//! The distance is the root of the level set's expansion to second order along its normal (Halley's step), so that a level
//! set that is a distance already stays as it is to third order in the cell size. Derivatives look towards the surface
//! and take the smoother of two second differences (ENO, Harten et al. 1987), so that creases nearby do not spoil them.
//! In all cases the distance lies between what a plane through the nearest crossing along an axis allows.
//!
//! Differences of samples know a slope only as well as the level set is smooth. A slope that could be one within that
//! error is taken for one, and the value for a distance that needs no change: otherwise sheets, threads, droplets and
//! strongly curved surfaces would lose or gain a little each time.

use crate::Block;

/// Second differences that differ by this share of the slope from one sample to the next are those of a crease or a
/// cut-off: the level set has no expansion there.
const BREAK: f32 = 0.3;

/// Error of a slope that is taken from differences, per squared second difference.
const SLOPE_ERROR: f32 = 0.13;

/// The smaller of two numbers of one sign, zero for numbers of different sign.
#[inline]
fn minmod(a: f32, b: f32) -> f32 {
    if a * b <= 0.0 {
        0.0
    } else if a.abs() < b.abs() {
        a
    } else {
        b
    }
}

/// The distance, in cells, of the sample at `index` of a block with a rim of two cells to the surface that passes between
/// it and at least one of its face neighbours. `axes` is the number of axes of the lattice.
#[inline]
pub(super) fn distance(block: &Block<f32>, index: usize, axes: usize, cell_size: f32) -> f32 {
    let values = block.values();
    let strides = block.strides();
    let sign = if values[index] < 0.0 { -1.0 } else { 1.0 };
    let here = sign * values[index];
    let mut crossing = f32::INFINITY;
    let mut slopes = [0.0_f32; 3];
    let (mut roughness, mut breaks) = (0.0, 0.0);
    for (axis, slope) in slopes.iter_mut().enumerate().take(axes) {
        let stride = strides[axis];
        let below = sign * values[index - stride];
        let above = sign * values[index + stride];
        let (direction, next, beyond) = if above < below {
            (1.0, above, sign * values[index + 2 * stride])
        } else {
            (-1.0, below, sign * values[index - 2 * stride])
        };
        if next <= 0.0 {
            crossing = crossing.min(here / (here - next));
        }
        if next < here {
            let second = below - 2.0 * here + above;
            let next_second = here - 2.0 * next + beyond;
            let smoother = minmod(second, next_second);
            *slope = direction * (next - here - 0.5 * smoother);
            roughness += second.abs().max(next_second.abs());
            breaks += (second - smoother).abs();
        }
    }
    let steepness = slopes.iter().map(|slope| slope * slope).sum::<f32>();
    let mut slope = steepness.sqrt() / cell_size;
    if breaks * breaks < BREAK * BREAK * steepness {
        // Halley: the root of here - g t + curve t² / 2 with g² the steepness, in a form without cancellation.
        let curve = normal_curve(block, index, sign, slopes, axes) / steepness;
        let bend = (2.0 * here * curve / steepness).clamp(-0.5, 0.5);
        slope *= 0.5 * (1.0 + (1.0 - bend).sqrt());
    }
    let error = SLOPE_ERROR * roughness * roughness / steepness;
    slope -= (slope - 1.0).max(-error).min(error);
    // A plane crosses its steepest axis at no less than the distance and at no more than √3 times the distance.
    (here / cell_size / slope).clamp(crossing / 3.0, crossing)
}

/// Second derivative along the slopes' direction, times their square.
#[inline]
fn normal_curve(block: &Block<f32>, index: usize, sign: f32, slopes: [f32; 3], axes: usize) -> f32 {
    let values = block.values();
    let strides = block.strides();
    let mut curve = 0.0;
    for a in 0..axes {
        let along = strides[a];
        let second = values[index - along] - 2.0 * values[index] + values[index + along];
        curve += slopes[a] * slopes[a] * second;
        for b in 0..a {
            let across = strides[b];
            let mixed = values[index + along + across]
                - values[index + along - across]
                - values[index - along + across]
                + values[index - along - across];
            curve += 2.0 * slopes[a] * slopes[b] * 0.25 * mixed;
        }
    }
    sign * curve
}
