//! A wall as if it were full of liquid at rest: integrals of a radial function over the half-space behind a plane.
//!
//! A particle near a wall misses the neighbours that would be behind it. For a plane at distance d the missing sums are
//! functions of d alone, tabulated once (the idea of Koschier & Bender 2017 for planes, with one dimension left).

use crate::kernel::Space;

/// Intervals of the table.
const INTERVALS: usize = 64;
/// Points of the quadrature over the radius.
const QUADRATURE: u32 = 128;

/// The integral of a radial function beyond a plane, as a function of the plane's distance.
#[derive(Clone, Debug, PartialEq)]
pub struct WallIntegral {
    inverse_interval: f32,
    values: Vec<f32>,
}

/// Which integral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// ∫ f dV.
    Sum,
    /// ∫ f cos θ dV with θ the angle to the wall's normal: the size of ∫ f r̂ dV.
    Towards,
    /// ∫ f cos² θ dV.
    Square,
}

impl WallIntegral {
    /// Tabulates the integral of `function(r)` over the part of a ball of `radius` beyond a plane.
    pub fn new(space: Space, radius: f32, moment: Moment, function: impl Fn(f64) -> f64) -> Self {
        let radius = f64::from(radius);
        let integral = |distance: f64| {
            let step = (radius - distance) / f64::from(QUADRATURE);
            let sum: f64 = (0..QUADRATURE)
                .map(|index| distance + (f64::from(index) + 0.5) * step)
                .map(|r| function(r) * share(space, moment, distance / r) * space.shell(r))
                .sum();
            sum * step
        };
        Self::tabulate(radius, integral)
    }

    /// The same for a wall full of particles in layers `spacing` apart, the first of them half a spacing behind the plane: for
    /// a lattice beside the plane the sums are those of the lattice continued.
    pub fn of_layers(
        space: Space,
        radius: f32,
        spacing: f32,
        moment: Moment,
        function: impl Fn(f64) -> f64,
    ) -> Self {
        let (radius, spacing) = (f64::from(radius), f64::from(spacing));
        // The part of one layer that is within reach.
        let layer = |distance: f64| {
            let longest = (radius * radius - distance * distance).max(0.0).sqrt();
            let step = longest / f64::from(QUADRATURE);
            let sum: f64 = (0..QUADRATURE)
                .map(|index| (f64::from(index) + 0.5) * step)
                .map(|across| {
                    let r = across.hypot(distance);
                    let cosine = distance / r;
                    let weight = match moment {
                        Moment::Sum => 1.0,
                        Moment::Towards => cosine,
                        Moment::Square => cosine * cosine,
                    };
                    function(r) * weight * space.ring(across)
                })
                .sum();
            sum * step * spacing
        };
        Self::tabulate(radius, |distance| {
            (0..)
                .map(|index| distance + (f64::from(index) + 0.5) * spacing)
                .take_while(|&depth| depth < radius)
                .map(layer)
                .sum()
        })
    }

    fn tabulate(radius: f64, integral: impl Fn(f64) -> f64) -> Self {
        let interval = radius / INTERVALS as f64;
        Self {
            inverse_interval: (1.0 / interval) as f32,
            values: (0..=INTERVALS)
                .map(|index| integral(index as f64 * interval) as f32)
                .collect(),
        }
    }

    /// The integral for a plane at that distance; inside the wall it is as on its surface.
    #[inline]
    pub fn at(&self, distance: f32) -> f32 {
        let place = (distance * self.inverse_interval).max(0.0);
        let interval = place as usize;
        if interval >= INTERVALS {
            return 0.0;
        }
        let weight = place - interval as f32;
        self.values[interval] * (1.0 - weight) + self.values[interval + 1] * weight
    }

    /// The integral with all values multiplied.
    pub fn scaled(mut self, factor: f32) -> Self {
        for value in &mut self.values {
            *value *= factor;
        }
        self
    }
}

/// The share of a sphere (circle) whose angle to the normal has a cosine above `cosine`, weighted by the moment.
fn share(space: Space, moment: Moment, cosine: f64) -> f64 {
    let pi = std::f64::consts::PI;
    let cosine = cosine.min(1.0);
    match (space, moment) {
        (Space::Full, Moment::Sum) => 0.5 * (1.0 - cosine),
        (Space::Full, Moment::Towards) => 0.25 * (1.0 - cosine * cosine),
        (Space::Full, Moment::Square) => (1.0 - cosine.powi(3)) / 6.0,
        (Space::Flat { .. }, Moment::Sum) => cosine.acos() / pi,
        (Space::Flat { .. }, Moment::Towards) => (1.0 - cosine * cosine).sqrt() / pi,
        (Space::Flat { .. }, Moment::Square) => {
            (cosine.acos() + cosine * (1.0 - cosine * cosine).sqrt()) / (2.0 * pi)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_at_the_particle_is_half_of_space_and_one_at_the_radius_is_nothing() {
        let pi = std::f64::consts::PI;
        let volumes = [
            (Space::Full, 4.0 / 3.0 * pi * 0.008),
            (Space::Flat { depth: 0.5 }, pi * 0.04 * 0.5),
        ];
        for (space, volume) in volumes {
            let wall = WallIntegral::new(space, 0.2, Moment::Sum, |_| 1.0);
            assert!((f64::from(wall.at(0.0)) - 0.5 * volume).abs() < 1e-4 * volume);
            assert_eq!(wall.at(0.2), 0.0);
            assert_eq!(wall.at(-1.0), wall.at(0.0));
        }
    }

    #[test]
    fn many_layers_are_a_full_wall_and_few_are_a_lattice() {
        for space in [Space::Full, Space::Flat { depth: 0.5 }] {
            for moment in [Moment::Sum, Moment::Towards, Moment::Square] {
                let fading = |r: f64| (1.0 - r).powi(3);
                let full = WallIntegral::new(space, 1.0, moment, fading);
                let layers = WallIntegral::of_layers(space, 1.0, 0.02, moment, fading);
                for distance in [0.1, 0.3, 0.6] {
                    let (a, b) = (full.at(distance), layers.at(distance));
                    assert!((a - b).abs() < 0.01 * full.at(0.0), "{moment:?}: {a} {b}");
                }
            }
        }
        // One layer, half a unit behind the plane: at a distance of 0.1 only its part within 0.8 of the foot is in reach.
        let disc = WallIntegral::of_layers(Space::Full, 1.0, 1.0, Moment::Sum, |_| 1.0);
        let expected = std::f32::consts::PI * (1.0 - 0.6 * 0.6);
        assert!((disc.at(0.1) / expected - 1.0).abs() < 0.02);
    }

    #[test]
    fn a_spherical_cap_has_its_volume_and_its_moment() {
        // A cap of a unit ball beyond z = 0.4: volume π (2 − 3·0.4 + 0.4³)/3, and ∫ z/r · r dV = ∫ z dV = π (1 − 0.16)²/4.
        let pi = std::f32::consts::PI;
        let sum = WallIntegral::new(Space::Full, 1.0, Moment::Sum, |_| 1.0);
        assert!((sum.at(0.4) - pi * (2.0 - 1.2 + 0.064) / 3.0).abs() < 1e-3);
        let towards = WallIntegral::new(Space::Full, 1.0, Moment::Towards, |r| r);
        assert!((towards.at(0.4) - pi * 0.84 * 0.84 / 4.0).abs() < 1e-3);
        // ∫ cos² θ r² dV = ∫ z² dV = π (2/15 − 0.4³/3 + 0.4⁵/5).
        let square = WallIntegral::new(Space::Full, 1.0, Moment::Square, |r| r * r);
        let expected = pi * (2.0 / 15.0 - 0.4f32.powi(3) / 3.0 + 0.4f32.powi(5) / 5.0);
        assert!((square.at(0.4) - expected).abs() < 1e-3);
        // Flat: a segment of a unit disc, ∫ x dA = 2/3 (1 − 0.16)^1.5.
        let flat = WallIntegral::new(Space::Flat { depth: 1.0 }, 1.0, Moment::Towards, |r| r);
        assert!((flat.at(0.4) - 2.0 / 3.0 * 0.84f32.powf(1.5)).abs() < 1e-3);
        // ∫ x² dA of half a disc is π/8.
        let half = WallIntegral::new(Space::Flat { depth: 1.0 }, 1.0, Moment::Square, |r| r * r);
        assert!((half.at(0.0) - pi / 8.0).abs() < 1e-3);
    }
}
