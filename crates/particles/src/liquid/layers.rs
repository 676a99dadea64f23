//! The layers of particles that free bodies take along, and what they weigh beside the bodies themselves.

use glam::{DMat3, DVec3, Vec3};
use ooze_core::{BodyVelocity, FreeBody, ImpulsePart, Solid};
use rayon::prelude::*;

use crate::CHUNK;
use crate::boundary::contact::Touches;

/// A symmetric matrix over velocities and spins about a body's centre of mass, in blocks: momentum = linear · velocity + mixed · spin,
/// angular momentum = mixedᵀ · velocity + angular · spin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    linear: DMat3,
    mixed: DMat3,
    angular: DMat3,
}

impl Inertia {
    const ZERO: Self = Self {
        linear: DMat3::ZERO,
        mixed: DMat3::ZERO,
        angular: DMat3::ZERO,
    };

    /// That of a body as it stands at the end of the step.
    pub fn of_body(free: &FreeBody, solid: &Solid) -> Self {
        let turn = DMat3::from_quat(solid.end.rotation.as_dquat());
        Self {
            linear: DMat3::from_diagonal(DVec3::splat(free.mass)),
            mixed: DMat3::ZERO,
            angular: turn * free.inertia * turn.transpose(),
        }
    }

    /// Adds a mass at a point, which may weigh differently in each direction: m [1, −r×]ᵀ P [1, −r×].
    fn add_point(&mut self, arm: DVec3, mass: DMat3) {
        let columns = DVec3::AXES.map(|axis| arm.cross(axis));
        let cross = DMat3::from_cols(columns[0], columns[1], columns[2]);
        self.linear += mass;
        self.mixed -= mass * cross;
        self.angular -= cross * mass * cross;
    }

    /// The sum of two.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            linear: self.linear + other.linear,
            mixed: self.mixed + other.mixed,
            angular: self.angular + other.angular,
        }
    }

    /// The same among the ways that are not locked; along the others, as hard to move as whatever `filler` says.
    pub fn among(&self, locked: [[bool; 3]; 2], filler: f64) -> Self {
        let [moves, turns] = locked.map(open);
        let mask = |block: DMat3, rows: DVec3, columns: DVec3| {
            DMat3::from_cols(
                block.col(0) * rows * columns.x,
                block.col(1) * rows * columns.y,
                block.col(2) * rows * columns.z,
            )
        };
        let fill = |ways: DVec3| DMat3::from_diagonal((DVec3::ONE - ways) * filler);
        Self {
            linear: mask(self.linear, moves, moves) + fill(moves),
            mixed: mask(self.mixed, moves, turns),
            angular: mask(self.angular, turns, turns) + fill(turns),
        }
    }

    /// The momentum of a motion.
    pub fn momentum(&self, motion: BodyVelocity) -> ImpulsePart {
        let BodyVelocity { linear, angular } = motion;
        ImpulsePart {
            linear: self.linear * linear + self.mixed * angular,
            angular: self.mixed.transpose() * linear + self.angular * angular,
        }
    }

    /// The motion of a momentum: the inverse, by Schur's complement.
    pub fn motion(&self, momentum: ImpulsePart) -> BodyVelocity {
        let inverse = self.angular.inverse();
        let through = self.mixed * inverse;
        let own = self.linear - through * self.mixed.transpose();
        let linear = own.inverse() * (momentum.linear - through * momentum.angular);
        BodyVelocity {
            linear,
            angular: inverse * (momentum.angular - self.mixed.transpose() * linear),
        }
    }
}

/// One along each axis that is open, zero along the others.
pub fn open(locked: [bool; 3]) -> DVec3 {
    DVec3::from_array(locked.map(|locked| f64::from(u8::from(!locked))))
}

/// The layers of particles that bodies take along, by solids and about their centres of mass.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    of: Vec<Inertia>,
}

impl Layers {
    /// What the layer at a solid weighs.
    pub fn at(&self, solid: usize) -> Inertia {
        self.of.get(solid).copied().unwrap_or(Inertia::ZERO)
    }

    /// Those of particles of some masses beside solids, which they touch within `reach`.
    pub fn around(
        touches: &Touches,
        positions: &[Vec3],
        mass: impl Fn(usize) -> f32 + Sync,
        reach: f32,
        solids: &[Solid],
    ) -> Self {
        if solids.iter().all(|solid| solid.free.is_none()) {
            return Self::default();
        }
        let centre = |solid: &Solid| {
            let free = solid.free.as_ref()?;
            Some(solid.end.to_world(free.centre).as_dvec3())
        };
        let centres: Vec<Option<DVec3>> = solids.iter().map(centre).collect();
        let chunks: Vec<Vec<Inertia>> = positions
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, points)| {
                let mut sums = vec![Inertia::ZERO; solids.len()];
                for (local, point) in points.iter().enumerate() {
                    let index = chunk * CHUNK + local;
                    for touch in touches.of(index) {
                        let number = usize::from(touch.body.0);
                        let Some(Some(centre)) = centres.get(number) else {
                            continue;
                        };
                        let share = (1.0 - touch.distance / reach).clamp(0.0, 1.0);
                        let normal = touch.normal.as_dvec3();
                        let columns = normal.to_array().map(|size| normal * size);
                        let across = DMat3::from_cols(columns[0], columns[1], columns[2]);
                        let drawn = touch.contact.condition.holds() || touch.contact.friction > 0.0;
                        let ways = if drawn { DMat3::IDENTITY } else { across };
                        let weight = f64::from(mass(index) * share);
                        sums[number].add_point(point.as_dvec3() - *centre, ways * weight);
                    }
                }
                sums
            })
            .collect();
        let mut of = vec![Inertia::ZERO; solids.len()];
        for chunk in &chunks {
            for (sum, part) in of.iter_mut().zip(chunk) {
                *sum = sum.plus(part);
            }
        }
        Self { of }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motions_are_what_momenta_come_from() {
        let mut inertia = Inertia::ZERO;
        for (arm, mass) in [
            (DVec3::new(0.3, -0.1, 0.2), 2.0),
            (DVec3::new(-0.2, 0.4, 0.1), 1.0),
            (DVec3::new(0.1, 0.2, -0.5), 3.0),
        ] {
            inertia.add_point(arm, DMat3::IDENTITY * mass);
        }
        let motion = BodyVelocity {
            linear: DVec3::new(1.0, -2.0, 0.5),
            angular: DVec3::new(0.3, 4.0, -1.0),
        };
        // Points that move with a body have the momentum of their velocities.
        let lone = {
            let mut lone = Inertia::ZERO;
            lone.add_point(DVec3::X * 0.5, DMat3::IDENTITY * 2.0);
            lone.momentum(motion)
        };
        let velocity = motion.linear + motion.angular.cross(DVec3::X * 0.5);
        assert!(lone.linear.abs_diff_eq(velocity * 2.0, 1e-12));
        let moment = (DVec3::X * 0.5).cross(velocity * 2.0);
        assert!(lone.angular.abs_diff_eq(moment, 1e-12));
        let back = inertia.motion(inertia.momentum(motion));
        assert!(back.linear.abs_diff_eq(motion.linear, 1e-9), "{back:?}");
        assert!(back.angular.abs_diff_eq(motion.angular, 1e-9), "{back:?}");
    }

    #[test]
    fn locked_ways_answer_to_nothing() {
        let mut inertia = Inertia::ZERO;
        inertia.add_point(DVec3::new(0.3, -0.1, 0.2), DMat3::IDENTITY * 2.0);
        inertia.add_point(DVec3::new(-0.2, 0.4, 0.1), DMat3::IDENTITY);
        let locked = [[true, false, false], [true, true, false]];
        let push = ImpulsePart {
            linear: DVec3::new(0.0, 1.0, 1.0),
            angular: DVec3::new(0.0, 0.0, 2.0),
        };
        let motion = inertia.among(locked, 1.0).motion(push);
        assert_eq!(
            (motion.linear.x, motion.angular.x, motion.angular.y),
            (0.0, 0.0, 0.0)
        );
        assert!(motion.angular.z.abs() > 0.1);
    }
}
