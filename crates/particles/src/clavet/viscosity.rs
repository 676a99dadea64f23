//! Viscosity impulses (Clavet, Beaudoin & Poulin 2005, algorithm 5): approaching pairs lose radial velocity.
//!
//! Published, impulses are applied one pair after the other. Here all act together, on the velocities before. Where that is
//! not stable a step is taken in stages of a Runge-Kutta-Legendre scheme (Meyer, Balsara & Aslam 2012, RKL1): s of them reach
//! as far as s (s + 1)/2 sweeps. There are [`MOST_STAGES`] at the most; beyond, and where particles crowd, a pair's share of
//! its approach is bounded, so that all pairs of a particle together cannot reverse its motion however viscous the liquid
//! is. The change is the same for both of a pair: momentum stays.

use glam::Vec3;

use crate::neighbours::{LANES, Neighbours, Point, away, sum_lanes};

/// Stages of one step at the most. Liquids that would need more seem less viscous than they are.
const MOST_STAGES: u32 = 12;
/// Shares of their approach that all neighbours of a particle may lose in one sweep, in dimensions: where neighbours come from
/// all sides the particle itself loses this share of its motion.
const SWEEP: f32 = 2.0 / 3.0;

/// How a step's viscosity is split into stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stages {
    /// Number of stages.
    pub count: u32,
    /// Shares of their approach that the neighbours of a particle lose in each sweep that stages are made from.
    pub shares: f32,
}

impl Stages {
    /// The stages that are stable if all neighbours of a particle together lose `shares` of their approach.
    pub fn new(shares: f32, dimensions: i32) -> Self {
        let limit = SWEEP * dimensions as f32;
        let reached = |count: u32| (count * (count + 1) / 2) as f32;
        let enough = (1..MOST_STAGES).find(|&count| shares <= limit * reached(count));
        let count = enough.unwrap_or(MOST_STAGES);
        Self {
            count,
            shares: (shares / reached(count)).min(limit),
        }
    }

    /// Sweeps that the stages reach as far as.
    pub fn sweeps(&self) -> f32 {
        (self.count * (self.count + 1) / 2) as f32
    }
}

/// Factors of a stage: Y_j = μ (Y_{j−1} + sweep) + ν Y_{j−2} (Meyer et al. 2012, eq. 14).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageFactors {
    /// μ.
    pub last: f32,
    /// ν.
    pub before_last: f32,
}

impl StageFactors {
    /// The factors of the j-th stage, counted from one.
    pub fn of(stage: u32) -> Self {
        let stage = stage as f32;
        Self {
            last: (2.0 * stage - 1.0) / stage,
            before_last: (1.0 - stage) / stage,
        }
    }
}

/// What the stage needs to know beside positions and velocities.
#[derive(Clone, Copy, Debug)]
pub struct ViscosityRule {
    /// 1/h.
    pub inverse_radius: f32,
    /// Largest share of an approach that one pair may lose.
    pub largest_loss: f32,
    /// Quadratic viscosity β.
    pub quadratic: f32,
    /// Δt.
    pub dt: f32,
}

impl ViscosityRule {
    /// The share of a pair's approach that is lost.
    #[inline(always)]
    pub fn loss(&self, q: f32, approach: f32, linear: f32) -> f32 {
        let weight = (1.0 - q).max(0.0);
        let share = self.dt * weight * (linear + self.quadratic * approach);
        share.min(self.largest_loss)
    }
}

/// Takes one stage. The fourth number of `points` is a particle's mass, that of `flow` (its velocity after the last stage) its
/// σ. `velocities` holds what they were before the last stage, and receives what they are after this one.
pub fn apply(
    rule: ViscosityRule,
    factors: StageFactors,
    neighbours: &Neighbours,
    points: &[Point],
    flow: &[Point],
    velocities: &mut [Vec3],
) {
    neighbours.for_each(
        velocities,
        #[inline(always)]
        |index, list, velocity| {
            let (own, moving) = (points[index], flow[index]);
            let mut change = [[0.0f32; LANES]; 3];
            for block in list.blocks() {
                let (other, its) = (block.of(points), block.of(flow));
                for lane in 0..LANES {
                    let [x, y, z] = away(own, &other, lane);
                    let [u, v, w] = away(moving, &its, lane).map(|relative| -relative);
                    let mass = other[3][lane];
                    let linear = 0.5 * (its[3][lane] + moving[3]);
                    let square = x * x + y * y + z * z;
                    let distance = square.sqrt();
                    let inverse = 1.0 / distance.max(f32::MIN_POSITIVE);
                    let along = u * x + v * y + w * z;
                    let approach = (along * inverse).max(0.0);
                    let loss = rule.loss(distance * rule.inverse_radius, approach, linear);
                    let share = mass / (mass + own[3]);
                    let impulse = share * loss * approach * inverse;
                    change[0][lane] += impulse * x;
                    change[1][lane] += impulse * y;
                    change[2][lane] += impulse * z;
                }
            }
            let swept = Vec3::new(moving[0], moving[1], moving[2])
                - Vec3::from_array(change.map(sum_lanes));
            *velocity = swept * factors.last + *velocity * factors.before_last;
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_multiply_a_decay_by_legendre_polynomials() {
        // One stage is Euler's; s stages on u' = −λ u give P_s(1 − λ Δt 2/(s² + s)), close to e^(−λ Δt).
        for (count, expected) in [(1, 0.5_f32), (2, 0.541_666_6), (3, 0.555_555_5)] {
            let decay = 0.5;
            let sweep = decay * 2.0 / (count * (count + 1)) as f32;
            let (mut before, mut now) = (1.0_f32, 1.0_f32);
            for stage in 1..=count {
                let StageFactors { last, before_last } = StageFactors::of(stage);
                let next = last * (now - sweep * now) + before_last * before;
                (before, now) = (now, next);
            }
            let x = 1.0 - sweep;
            let legendre = match count {
                1 => x,
                2 => 0.5 * (3.0 * x * x - 1.0),
                _ => 0.5 * (5.0 * x.powi(3) - 3.0 * x),
            };
            assert!((now - legendre).abs() < 1e-5, "{count}: {now} {legendre}");
            assert!((now - expected).abs() < 0.02, "{count}: {now} {expected}");
        }
    }

    #[test]
    fn stages_are_as_many_as_are_needed_and_no_more_than_allowed() {
        assert_eq!(Stages::new(0.1, 3).count, 1);
        assert_eq!(Stages::new(2.0, 3).count, 1);
        assert_eq!(Stages::new(5.9, 3).count, 2);
        let many = Stages::new(1e6, 2);
        assert_eq!(many.count, MOST_STAGES);
        assert!((many.shares - 4.0 / 3.0).abs() < 1e-6);
    }
}
