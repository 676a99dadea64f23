//! Viscosity impulses (Clavet, Beaudoin & Poulin 2005, algorithm 5): approaching pairs lose radial velocity.
//!
//! Published, impulses are applied one pair after the other. Here all act on the velocities before, in as many sweeps
//! as keep them stable, up to [`MOST_SWEEPS`]; beyond, a pair's share of its approach is bounded by 2/N, with N the number
//! of neighbours at rest, so that all pairs of a particle together cannot reverse its motion however viscous the liquid
//! is. The change is the same for both of a pair: momentum stays.

use glam::Vec3;

use crate::neighbours::{LANES, Neighbours, Point, sum_lanes};

/// Sweeps over all pairs in one step at the most. Liquids that would need more seem less viscous than they are.
pub const MOST_SWEEPS: f32 = 32.0;

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

/// Changes velocities. The fourth number of `points` is a particle's mass, that of `flow` (its velocity) its σ.
pub fn apply(
    rule: ViscosityRule,
    neighbours: &Neighbours,
    points: &[Point],
    flow: &[Point],
    velocities: &mut [Vec3],
) {
    neighbours.for_each(velocities, |index, list, velocity| {
        let (own, moving) = (points[index], flow[index]);
        let mut change = [[0.0f32; LANES]; 3];
        for block in list.as_chunks::<LANES>().0 {
            let mut away = [[0.0f32; LANES]; 3];
            let mut relative = [[0.0f32; LANES]; 3];
            let mut mass = [0.0f32; LANES];
            let mut linear = [0.0f32; LANES];
            for lane in 0..LANES {
                let (other, its) = (&points[block[lane] as usize], &flow[block[lane] as usize]);
                for axis in 0..3 {
                    away[axis][lane] = other[axis] - own[axis];
                    relative[axis][lane] = moving[axis] - its[axis];
                }
                mass[lane] = other[3];
                linear[lane] = 0.5 * (its[3] + moving[3]);
            }
            for lane in 0..LANES {
                let [x, y, z] = [away[0][lane], away[1][lane], away[2][lane]];
                let square = x * x + y * y + z * z;
                let distance = square.sqrt();
                let inverse = 1.0 / distance.max(f32::MIN_POSITIVE);
                let along = relative[0][lane] * x + relative[1][lane] * y + relative[2][lane] * z;
                let approach = (along * inverse).max(0.0);
                let loss = rule.loss(distance * rule.inverse_radius, approach, linear[lane]);
                let share = mass[lane] / (mass[lane] + own[3]);
                let impulse = share * loss * approach * inverse;
                change[0][lane] += impulse * x;
                change[1][lane] += impulse * y;
                change[2][lane] += impulse * z;
            }
        }
        *velocity -= Vec3::from_array(change.map(sum_lanes));
    });
}
