//! Diffusion of what particles carry: heat, colour, concentration (Müller, Solenthaler, Keiser & Gross 2005, eq. 9).
//!
//! Each pair exchanges the same amount per volume in both directions, so that the total is kept. A pair's share a
//! becomes a/(1 + N a), with N neighbours at rest, which no step makes unstable.

use std::ops::{Add, Mul, Sub};

use crate::kernel::LaplacianWeight;
use crate::neighbours::{Neighbours, Point};

/// Neighbours for which the exchange of a long step stays below what a particle has.
const NEIGHBOURS: f32 = 30.0;

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
    let before = values.to_vec();
    neighbours.for_each(values, |index, list, value| {
        let own = points[index];
        let mut change = T::default();
        for &other in list {
            let point = points[other as usize];
            let [x, y, z] = [point[0] - own[0], point[1] - own[1], point[2] - own[2]];
            let share = rate * weight.value((x * x + y * y + z * z).sqrt());
            // Padding is out of reach.
            if share > 0.0 {
                let share = share / (1.0 + NEIGHBOURS * share);
                change = change + (before[other as usize] - before[index]) * share;
            }
        }
        *value = *value + change;
    });
}
