//! One keyframed quantity of N components: piecewise linear or monotone cubic.
//!
//! A smooth stretch is a cubic Hermite polynomial whose slopes at the keys are those of Fritsch & Butland 1984 (a
//! weighted harmonic mean of the neighbouring secants), so that no component overshoots its keys: a collider never
//! moves further than its keyframes say, and a scale never becomes negative. The first and last key are at rest, which
//! makes the velocity continuous everywhere, as the value is constant before and after. Next to a linear stretch a smooth
//! one takes over its velocity as far as that does not make it overshoot.

use super::Interpolation;

/// A value and its derivative in time.
pub(super) type Sample<const N: usize> = ([f64; N], [f64; N]);

/// A moment between two neighbouring keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The key before (or at) the moment.
    pub(super) key: usize,
    /// The fraction of the way to the next key, from 0 to below 1.
    pub(super) fraction: f64,
    /// The seconds from that key to the next.
    pub(super) duration: f64,
}

/// Finds `time` among `times`, or the index of the key that holds before the first and from the last one on.
pub(super) fn locate(times: &[f64], time: f64) -> Result<Place, usize> {
    let after = times.partition_point(|&key| key <= time);
    if after == 0 || after == times.len() {
        return Err(after.saturating_sub(1));
    }
    let key = after - 1;
    let duration = times[after] - times[key];
    Ok(Place {
        key,
        fraction: (time - times[key]) / duration,
        duration,
    })
}

/// The stretch between two keys as its neighbours see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch<const N: usize> {
    pub(super) duration: f64,
    /// The mean rate of change.
    pub(super) secant: [f64; N],
    pub(super) interpolation: Interpolation,
}

/// The rate at a key for the smooth stretch `own` that starts or ends there, given the stretch on the key's other side.
pub(super) fn rate_at_key<const N: usize>(
    own: &Stretch<N>,
    other: Option<&Stretch<N>>,
) -> [f64; N] {
    let Some(other) = other else {
        return [0.0; N];
    };
    std::array::from_fn(|component| {
        let (mine, neighbour) = (own.secant[component], other.secant[component]);
        if mine * neighbour <= 0.0 {
            return 0.0;
        }
        match other.interpolation {
            Interpolation::Linear => mine.signum() * neighbour.abs().min(3.0 * mine.abs()),
            Interpolation::Smooth => {
                let my_weight = own.duration + 2.0 * other.duration;
                let neighbours_weight = other.duration + 2.0 * own.duration;
                (my_weight + neighbours_weight) / (my_weight / mine + neighbours_weight / neighbour)
            }
        }
    })
}

/// A keyframed quantity.
#[derive(Clone, Debug)]
pub(super) struct Track<const N: usize> {
    times: Vec<f64>,
    values: Vec<[f64; N]>,
    stretches: Vec<Stretch<N>>,
}

impl<const N: usize> Track<N> {
    /// A track through keys of increasing times; at least one.
    pub(super) fn new(keys: &[(f64, [f64; N], Interpolation)]) -> Self {
        let stretches = keys
            .windows(2)
            .map(|pair| {
                let duration = pair[1].0 - pair[0].0;
                let secant = std::array::from_fn(|component| {
                    (pair[1].1[component] - pair[0].1[component]) / duration
                });
                Stretch {
                    duration,
                    secant,
                    interpolation: pair[0].2,
                }
            })
            .collect();
        Self {
            times: keys.iter().map(|key| key.0).collect(),
            values: keys.iter().map(|key| key.1).collect(),
            stretches,
        }
    }

    /// Whether the value never changes.
    pub(super) fn is_constant(&self) -> bool {
        self.values.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// The value and its rate at `time`; at a key, the rate from there on.
    pub(super) fn sample(&self, time: f64) -> Sample<N> {
        let place = match locate(&self.times, time) {
            Ok(place) => place,
            Err(key) => return (self.values[key], [0.0; N]),
        };
        let (start, end) = (&self.values[place.key], &self.values[place.key + 1]);
        let stretch = &self.stretches[place.key];
        let fraction = place.fraction;
        match stretch.interpolation {
            Interpolation::Linear => {
                let value = std::array::from_fn(|component| {
                    start[component] + fraction * (end[component] - start[component])
                });
                (value, stretch.secant)
            }
            Interpolation::Smooth => {
                let before = place.key.checked_sub(1).map(|key| &self.stretches[key]);
                let rates = [
                    rate_at_key(stretch, before),
                    rate_at_key(stretch, self.stretches.get(place.key + 1)),
                ];
                hermite([start, end], &rates, &place)
            }
        }
    }
}

/// The cubic with given values and rates at both ends, and its rate.
fn hermite<const N: usize>(
    values: [&[f64; N]; 2],
    rates: &[[f64; N]; 2],
    place: &Place,
) -> Sample<N> {
    let &Place {
        fraction, duration, ..
    } = place;
    let rest = 1.0 - fraction;
    let value = |component: usize| {
        let end_share = fraction * fraction * (3.0 - 2.0 * fraction);
        let (start, end) = (values[0][component], values[1][component]);
        start + end_share * (end - start) + duration * fraction * rest * rest * rates[0][component]
            - duration * fraction * fraction * rest * rates[1][component]
    };
    let rate = |component: usize| {
        let secant = (values[1][component] - values[0][component]) / duration;
        6.0 * fraction * rest * secant
            + rest * (1.0 - 3.0 * fraction) * rates[0][component]
            + fraction * (3.0 * fraction - 2.0) * rates[1][component]
    };
    (std::array::from_fn(value), std::array::from_fn(rate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interpolation::{Linear, Smooth};

    fn scalar(keys: &[(f64, f64, Interpolation)]) -> Track<1> {
        let keys: Vec<_> = keys.iter().map(|key| (key.0, [key.1], key.2)).collect();
        Track::new(&keys)
    }

    fn times(from: f64, to: f64) -> impl Iterator<Item = f64> {
        (0..=1000).map(move |step| from + (to - from) * f64::from(step) / 1000.0)
    }

    #[test]
    fn passes_through_its_keys_and_rests_outside() {
        let keys = [
            (0.5, 1.0, Smooth),
            (1.0, 3.0, Linear),
            (2.5, -1.0, Smooth),
            (3.0, 0.0, Smooth),
        ];
        let track = scalar(&keys);
        for (time, value, _) in keys {
            assert!((track.sample(time).0[0] - value).abs() < 1e-12);
        }
        for (time, value) in [(-7.0, 1.0), (0.4999, 1.0), (3.0, 0.0), (99.0, 0.0)] {
            assert_eq!(track.sample(time), ([value], [0.0]));
        }
    }

    #[test]
    fn rate_is_the_derivative() {
        let track = scalar(&[
            (0.0, 1.0, Smooth),
            (1.0, 3.0, Smooth),
            (2.5, 3.5, Linear),
            (3.0, 6.0, Smooth),
            (4.0, 2.0, Smooth),
        ]);
        let step = 1e-6;
        for time in times(-0.5, 4.5) {
            let time = time + 1e-4;
            let numeric =
                (track.sample(time + step).0[0] - track.sample(time - step).0[0]) / (2.0 * step);
            assert!(
                (numeric - track.sample(time).1[0]).abs() < 1e-6,
                "at {time}"
            );
        }
    }

    #[test]
    fn smooth_tracks_have_continuous_rates_and_do_not_overshoot() {
        let keys = [
            (0.0, 1.0, Smooth),
            (0.1, 1.5, Smooth),
            (2.0, 1.6, Smooth),
            (2.2, 9.0, Smooth),
        ];
        let track = scalar(&keys);
        for (key, _, _) in keys {
            let jump = track.sample(key + 1e-9).1[0] - track.sample(key - 1e-9).1[0];
            assert!(jump.abs() < 1e-4, "rate jumps by {jump} at {key}");
        }
        let mut previous = 1.0;
        for time in times(0.0, 2.2) {
            let value = track.sample(time).0[0];
            assert!(value >= previous - 1e-12, "goes back at {time}");
            previous = value;
        }
        // A key that is a peak stays the peak.
        let peak = scalar(&[(0.0, 0.0, Smooth), (1.0, 5.0, Smooth), (4.0, 1.0, Smooth)]);
        assert!(times(0.0, 4.0).all(|time| peak.sample(time).0[0] <= 5.0));
        assert_eq!(peak.sample(1.0).1, [0.0]);
    }

    #[test]
    fn smooth_takes_over_the_velocity_of_linear() {
        let track = scalar(&[(0.0, 0.0, Linear), (1.0, 2.0, Smooth), (2.0, 3.0, Linear)]);
        assert!((track.sample(1.0 - 1e-9).1[0] - 2.0).abs() < 1e-6);
        assert!((track.sample(1.0).1[0] - 2.0).abs() < 1e-12);
        // Three times the secant is the most that does not overshoot.
        let steep = scalar(&[(0.0, 0.0, Linear), (1.0, 9.0, Smooth), (2.0, 10.0, Linear)]);
        assert_eq!(steep.sample(1.0).1, [3.0]);
        assert!(times(1.0, 2.0).all(|time| steep.sample(time).0[0] <= 10.0));
    }
}
