//! The level at which a surface encloses a given volume.

use rayon::prelude::*;

/// Surfaces tried at most; three are typical.
const TRIES: usize = 12;

/// Where to look for the level.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelRange {
    /// The level that is right for an ideal arrangement of particles.
    pub(super) nominal: f32,
    /// The lowest level allowed; volume grows with the level.
    pub(super) lowest: f32,
    /// The highest level allowed.
    pub(super) highest: f32,
    /// About how fast the function grows across the surface, per metre.
    pub(super) steepness: f32,
}

/// Bins into which values are counted to guess a level: far finer than the guess is good.
const BINS: usize = 256;
/// Values that are counted at once.
const CHUNK: usize = 1 << 14;

impl LevelRange {
    /// The same range, beginning with the level at which the samples themselves enclose `wanted` samples' worth of volume.
    /// A sample's cell counts as the share of it that lies below the level, taking the function to be as steep as it is
    /// across a surface. Meshes differ from it by what bubbles and droplets of a few samples come to, a percent at most.
    pub(super) fn guessed(self, values: &[f32], cell_size: f32, wanted: f64) -> Self {
        let half_width = 0.5 * self.steepness * cell_size;
        let (lowest, highest) = (self.lowest - half_width, self.highest + half_width);
        let bin_size = (highest - lowest) / BINS as f32;
        let bin_of = |value: f32| {
            let bin = ((value - lowest) / bin_size).floor();
            (bin < BINS as f32).then_some(bin.max(0.0) as usize)
        };
        let counts = values
            .par_chunks(CHUNK)
            .map(|values| {
                let mut counts = [0_u64; BINS];
                for bin in values.iter().filter_map(|&value| bin_of(value)) {
                    counts[bin] += 1;
                }
                counts
            })
            .reduce(
                || [0; BINS],
                |first, second| std::array::from_fn(|bin| first[bin] + second[bin]),
            );
        let enclosed = |level: f32| -> f64 {
            let shares = counts.iter().enumerate().map(|(bin, &count)| {
                let value = lowest + (bin as f32 + 0.5) * bin_size;
                let share = (0.5 + 0.5 * (level - value) / half_width).clamp(0.0, 1.0);
                f64::from(share) * count as f64
            });
            shares.sum()
        };
        let (mut below, mut above) = (self.lowest, self.highest);
        for _ in 0..16 {
            let middle = 0.5 * (below + above);
            if enclosed(middle) < wanted {
                below = middle;
            } else {
                above = middle;
            }
        }
        Self {
            nominal: 0.5 * (below + above),
            ..self
        }
    }
}

/// A surface at some level.
#[derive(Clone, Debug)]
pub(super) struct Trial<T> {
    pub(super) level: f32,
    /// Volume that it encloses.
    pub(super) volume: f64,
    /// Area of what moves with the level.
    pub(super) area: f64,
    pub(super) shape: T,
}

/// The surface that encloses `target`, or one near an end of the range where none does: a surface that would have to be
/// inflated beyond recognition keeps its shape instead.
///
/// The secant method, within the bounds that the surfaces so far have set, until the volume's relative error is within the
/// tolerance.
pub(super) fn match_volume<T>(
    range: LevelRange,
    target: f64,
    tolerance: f64,
    surface: impl Fn(f32) -> Trial<T>,
) -> Trial<T> {
    let excess_of = |trial: &Trial<T>| trial.volume / target - 1.0;
    let mut best = surface(range.nominal);
    let mut best_excess = excess_of(&best);
    let (mut lower, mut upper) = (range.lowest, range.highest);
    let mut last = (range.nominal, best_excess);
    // Volume grows by the area times the way that the surface moves.
    let mut slope = best.area / (target * f64::from(range.steepness));
    for _ in 1..TRIES {
        if best_excess.abs() <= tolerance {
            break;
        }
        if last.1 < 0.0 {
            lower = lower.max(last.0);
        } else {
            upper = upper.min(last.0);
        }
        let secant = last.0 - (last.1 / slope) as f32;
        let level = if secant > lower && secant < upper {
            secant
        } else {
            0.5 * (lower + upper)
        };
        let tried = surface(level);
        let excess = excess_of(&tried);
        slope = (excess - last.1) / f64::from(level - last.0);
        last = (level, excess);
        if excess.abs() < best_excess.abs() {
            best = tried;
            best_excess = excess;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn the_level_is_found_in_few_tries_or_the_end_of_the_range_taken() {
        let range = LevelRange {
            nominal: -0.5,
            lowest: -0.9,
            highest: -0.1,
            steepness: 1.0,
        };
        let tries = Cell::new(0);
        let surface = |level: f32| {
            tries.set(tries.get() + 1);
            let volume = f64::from(3.0 * (level + 0.4)).exp();
            Trial {
                level,
                volume,
                // A tetrahedron's.
                area: 7.2 * volume.powf(2.0 / 3.0),
                shape: (),
            }
        };
        for wanted in [-0.8_f32, -0.52, -0.5, -0.3, -0.12] {
            tries.set(0);
            let target = f64::from(3.0 * (wanted + 0.4)).exp();
            let found = match_volume(range, target, 1e-4, surface);
            assert!(
                (found.level - wanted).abs() < 1e-4,
                "{wanted} {}",
                found.level
            );
            assert!(tries.get() <= 7, "{wanted}: {}", tries.get());
        }
        let found = match_volume(range, 1e3, 1e-4, surface);
        assert!(found.level > -0.11 && found.level <= range.highest);
        let found = match_volume(range, 1e-6, 1e-4, surface);
        assert!(found.level < -0.89 && found.level >= range.lowest);
    }
}
