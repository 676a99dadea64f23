//! What resists being moved and turned.

use glam::{DMat3, DVec3};

use crate::{BodyVelocity, ImpulsePart};

/// A symmetric matrix over a velocity and a spin about a body's centre of mass, in blocks: momentum = linear · velocity + mixed · spin,
/// angular momentum = mixedᵀ · velocity + angular · spin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpatialInertia {
    /// From velocities to momenta.
    pub linear: DMat3,
    /// From spins to momenta.
    pub mixed: DMat3,
    /// From spins to angular momenta.
    pub angular: DMat3,
}

impl SpatialInertia {
    /// Nothing resists.
    pub const ZERO: Self = Self {
        linear: DMat3::ZERO,
        mixed: DMat3::ZERO,
        angular: DMat3::ZERO,
    };

    /// That of a body, whose tensor of inertia is told in the world's frame.
    pub fn of_body(mass: f64, inertia: DMat3) -> Self {
        Self {
            linear: DMat3::from_diagonal(DVec3::splat(mass)),
            mixed: DMat3::ZERO,
            angular: inertia,
        }
    }

    /// Adds a mass at a point, which may weigh differently in each direction: m [1, −r×]ᵀ P [1, −r×].
    pub fn add_point(&mut self, arm: DVec3, mass: DMat3) {
        let columns = DVec3::AXES.map(|axis| arm.cross(axis));
        let cross = DMat3::from_cols(columns[0], columns[1], columns[2]);
        self.linear += mass;
        self.mixed -= mass * cross;
        self.angular -= cross * mass * cross;
    }

    /// Adds what resists along one way only, a velocity and a spin together.
    pub fn add_way(&mut self, linear: DVec3, angular: DVec3, weight: f64) {
        let outer = |rows: DVec3, columns: DVec3| {
            DMat3::from_cols(rows * columns.x, rows * columns.y, rows * columns.z)
        };
        self.linear += outer(linear, linear) * weight;
        self.mixed += outer(linear, angular) * weight;
        self.angular += outer(angular, angular) * weight;
    }

    /// The sum of two.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            linear: self.linear + other.linear,
            mixed: self.mixed + other.mixed,
            angular: self.angular + other.angular,
        }
    }

    /// The same among the ways that are not locked, translations and rotations; along the others, as hard to move as whatever `filler`
    /// says.
    pub fn among(&self, locked: [[bool; 3]; 2], filler: f64) -> Self {
        let [moves, turns] = locked.map(Self::open);
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

    /// One along each axis that is open, zero along the others.
    pub fn open(locked: [bool; 3]) -> DVec3 {
        DVec3::from_array(locked.map(|locked| f64::from(u8::from(!locked))))
    }

    /// The momentum of a motion.
    pub fn momentum(&self, motion: BodyVelocity) -> ImpulsePart {
        let BodyVelocity { linear, angular } = motion;
        ImpulsePart {
            linear: self.linear * linear + self.mixed * angular,
            angular: self.mixed.transpose() * linear + self.angular * angular,
        }
    }

    /// The inverse among the ways that are not locked, by Schur's complement; zero along the others.
    pub fn inverse_among(&self, locked: [[bool; 3]; 2]) -> Self {
        let Self {
            linear,
            mixed,
            angular,
        } = self.among(locked, 1.0);
        let turning = angular.inverse();
        let through = mixed * turning;
        let moving = (linear - through * mixed.transpose()).inverse();
        let inverse = Self {
            linear: moving,
            mixed: moving * through * -1.0,
            angular: turning + through.transpose() * moving * through,
        };
        inverse.among(locked, 0.0)
    }

    /// The motion of a momentum, where this is the inverse of what resists.
    pub fn motion(&self, momentum: ImpulsePart) -> BodyVelocity {
        let ImpulsePart { linear, angular } = momentum;
        BodyVelocity {
            linear: self.linear * linear + self.mixed * angular,
            angular: self.mixed.transpose() * linear + self.angular * angular,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd() -> SpatialInertia {
        let mut inertia = SpatialInertia::ZERO;
        for (arm, mass) in [
            (DVec3::new(0.3, -0.1, 0.2), 2.0),
            (DVec3::new(-0.2, 0.4, 0.1), 1.0),
            (DVec3::new(0.1, 0.2, -0.5), 3.0),
        ] {
            inertia.add_point(arm, DMat3::IDENTITY * mass);
        }
        inertia
    }

    #[test]
    fn points_that_move_with_a_body_have_the_momentum_of_their_velocities() {
        let motion = BodyVelocity {
            linear: DVec3::new(1.0, -2.0, 0.5),
            angular: DVec3::new(0.3, 4.0, -1.0),
        };
        let arm = DVec3::X * 0.5;
        let mut lone = SpatialInertia::ZERO;
        lone.add_point(arm, DMat3::IDENTITY * 2.0);
        let momentum = lone.momentum(motion);
        let velocity = motion.linear + motion.angular.cross(arm);
        assert!(momentum.linear.abs_diff_eq(velocity * 2.0, 1e-12));
        let moment = arm.cross(velocity * 2.0);
        assert!(momentum.angular.abs_diff_eq(moment, 1e-12));
    }

    #[test]
    fn motions_are_what_momenta_come_from() {
        let motion = BodyVelocity {
            linear: DVec3::new(1.0, -2.0, 0.5),
            angular: DVec3::new(0.3, 4.0, -1.0),
        };
        let inverse = crowd().inverse_among([[false; 3]; 2]);
        let back = inverse.motion(crowd().momentum(motion));
        assert!(back.linear.abs_diff_eq(motion.linear, 1e-9), "{back:?}");
        assert!(back.angular.abs_diff_eq(motion.angular, 1e-9), "{back:?}");
    }

    #[test]
    fn locked_ways_answer_to_nothing() {
        let locked = [[true, false, false], [true, true, false]];
        let push = ImpulsePart {
            linear: DVec3::new(5.0, 1.0, 1.0),
            angular: DVec3::new(3.0, 0.0, 2.0),
        };
        let motion = crowd().inverse_among(locked).motion(push);
        let still = [motion.linear.x, motion.angular.x, motion.angular.y];
        assert_eq!(still, [0.0; 3]);
        assert!(motion.angular.z.abs() > 0.1);
        // What it gains the push has done, and nothing of that along locked ways.
        let gained = crowd().momentum(motion);
        assert!((gained.linear.y - 1.0).abs() < 1e-9 && (gained.angular.z - 2.0).abs() < 1e-9);
    }
}
