//! Diffusion of what particles carry: heat, colour, concentration (Müller, Solenthaler, Keiser & Gross 2005, eq. 9).
//!
//! Each pair exchanges the same amount per volume in both directions, so that the total is kept. A step that would be
//! too long for that is taken in parts.

use std::ops::{Add, Mul, Sub};

use ooze_commons::reduce;

use crate::kernel::LaplacianWeight;
use crate::neighbours::{Neighbours, Point};

/// Share of what a particle has that it may exchange at once.
const LARGEST_EXCHANGE: f32 = 0.5;
/// Parts of a step at the most; what would need more spreads more slowly.
const MOST_PARTS: f32 = 64.0;

/// Spreads `values` over neighbours. `rate` is the diffusivity times Δt times a particle's volume.
pub fn spread<T>(
    neighbours: &Neighbours,
    points: &[Point],
    weight: LaplacianWeight,
    rate: f32,
    values: &mut [T],
) where
    T: Copy + Default + Send + Sync + Add<Output = T> + Sub<Output = T> + Mul<f32, Output = T>,
{
    let share = |index: usize, other: u32| {
        let (own, point) = (points[index], points[other as usize]);
        let [x, y, z] = [point[0] - own[0], point[1] - own[1], point[2] - own[2]];
        // Padding is out of reach.
        rate * weight.value((x * x + y * y + z * z).sqrt())
    };
    let mut exchanged = vec![0.0f32; values.len()];
    neighbours.for_each(
        &mut exchanged,
        #[inline(always)]
        |index, list, sum| {
            *sum = list.entries.iter().map(|&other| share(index, other)).sum();
        },
    );
    let largest = reduce::max(&exchanged, |&sum| sum).max(0.0);
    let parts = (largest / LARGEST_EXCHANGE).ceil().clamp(1.0, MOST_PARTS);
    // Beyond the most parts the exchange itself is bounded.
    let part = (1.0 / parts).min(LARGEST_EXCHANGE / largest.max(f32::MIN_POSITIVE));
    for _ in 0..parts as usize {
        let before = values.to_vec();
        neighbours.for_each(
            values,
            #[inline(always)]
            |index, list, value| {
                let mut change = T::default();
                for &other in list.entries {
                    let share = part * share(index, other);
                    if share > 0.0 {
                        change = change + (before[other as usize] - before[index]) * share;
                    }
                }
                *value = *value + change;
            },
        );
    }
}
