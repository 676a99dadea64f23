//! The free bodies of a step and how they move.

use std::sync::Arc;

use glam::{DMat3, DVec3, Vec3};
use ooze_core::{BodyId, Impulse, Obstacles};

/// A velocity and a spin, or an impulse and its moment about the centre of mass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Six {
    pub(crate) linear: DVec3,
    pub(crate) angular: DVec3,
}

impl Six {
    /// What a velocity along an axis at a point `arm` from the centre is of this motion.
    #[inline]
    pub(crate) fn along(self, axis: usize, arm: DVec3) -> f64 {
        (self.linear + self.angular.cross(arm))[axis]
    }

    /// A push along an axis at a point `arm` from the centre: the adjoint of [`Six::along`].
    #[inline]
    pub(crate) fn push(axis: usize, arm: DVec3, size: f64) -> Self {
        let linear = DVec3::AXES[axis] * size;
        Self {
            linear,
            angular: arm.cross(linear),
        }
    }

    /// Adds so many times another.
    #[inline]
    pub(crate) fn add(&mut self, times: f64, other: Self) {
        self.linear += times * other.linear;
        self.angular += times * other.angular;
    }

    /// Its six numbers.
    pub(crate) fn to_array(self) -> [f64; 6] {
        let [x, y, z] = self.linear.to_array();
        let [turn_x, turn_y, turn_z] = self.angular.to_array();
        [x, y, z, turn_x, turn_y, turn_z]
    }

    /// That of six numbers.
    pub(crate) fn from_slice(values: &[f64]) -> Self {
        Self {
            linear: DVec3::from_slice(values),
            angular: DVec3::from_slice(&values[3..]),
        }
    }
}

/// A body that the liquid can move.
#[derive(Clone, Debug)]
struct Free {
    body: BodyId,
    /// Where its centre of mass is at the start of the step.
    centre: DVec3,
    mass: f64,
    inertia: DMat3,
    inverse_mass: DVec3,
    inverse_inertia: DMat3,
    /// How it moves without the liquid.
    unforced: Six,
    /// How it moves now.
    velocity: Six,
}

/// All bodies that the liquid can move.
#[derive(Clone, Debug, Default)]
pub(crate) struct FreeBodies {
    bodies: Vec<Free>,
    /// Place in `bodies` of each solid, or `NOT_FREE`.
    place: Arc<[u16]>,
}

/// Marks solids that the liquid cannot move.
const NOT_FREE: u16 = u16::MAX;

impl FreeBodies {
    /// The free ones among the obstacles, which stand where they are at the start of the step. In `flat` scenes they move within
    /// the plane.
    pub(crate) fn of(obstacles: &Obstacles<'_>, flat: bool) -> Self {
        let mut bodies = Vec::new();
        let mut place = vec![NOT_FREE; obstacles.solids().len()];
        for (index, solid) in obstacles.solids().iter().enumerate() {
            let Some(free) = obstacles.free(BodyId(index as u16)) else {
                continue;
            };
            let [mut still, mut upright] = free.locked;
            if flat {
                still[2] = true;
                (upright[0], upright[1]) = (true, true);
            }
            place[index] = bodies.len() as u16;
            let turn = DMat3::from_quat(solid.start.rotation.as_dquat());
            let inertia = turn * free.inertia * turn.transpose();
            bodies.push(Free {
                body: BodyId(index as u16),
                centre: solid.start.to_world(free.centre).as_dvec3(),
                inverse_mass: open(still) / free.mass,
                inverse_inertia: inverse_where(inertia, upright),
                mass: free.mass,
                inertia,
                unforced: Six {
                    linear: open(still) * free.unforced.linear,
                    angular: open(upright) * free.unforced.angular,
                },
                velocity: Six::default(),
            });
        }
        for free in &mut bodies {
            free.velocity = free.unforced;
        }
        Self {
            bodies,
            place: place.into(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.bodies.len()
    }

    /// The number of a solid among the free ones.
    #[inline]
    pub(crate) fn number(&self, body: BodyId) -> Option<usize> {
        let place = *self.place.get(usize::from(body.0))?;
        (place != NOT_FREE).then_some(usize::from(place))
    }

    /// Mass and tensor of inertia of a body, for its six motions.
    pub(crate) fn mass(&self, number: usize) -> [[f64; 6]; 6] {
        let Free { mass, inertia, .. } = self.bodies[number];
        std::array::from_fn(|row| {
            std::array::from_fn(|column| match (row < 3, column < 3) {
                (true, true) if row == column => mass,
                (false, false) => inertia.col(column - 3)[row - 3],
                _ => 0.0,
            })
        })
    }

    /// The radius of gyration about the axis that is hardest to turn about, in metres.
    pub(crate) fn reach(&self, number: usize) -> f64 {
        let Free { mass, inertia, .. } = self.bodies[number];
        let moments = [0, 1, 2].map(|axis| inertia.col(axis)[axis]);
        (moments.into_iter().fold(0.0, f64::max) / mass).sqrt()
    }

    /// The way from a body's centre of mass to a point.
    #[inline]
    pub(crate) fn arm(&self, number: usize, point: Vec3) -> DVec3 {
        point.as_dvec3() - self.bodies[number].centre
    }

    /// How a body moves now.
    #[inline]
    pub(crate) fn velocity(&self, number: usize) -> Six {
        self.bodies[number].velocity
    }

    /// What an impulse about its centre of mass makes of a body's motion.
    #[inline]
    pub(crate) fn answer(&self, number: usize, impulse: Six) -> Six {
        let free = &self.bodies[number];
        Six {
            linear: free.inverse_mass * impulse.linear,
            angular: free.inverse_inertia * impulse.angular,
        }
    }

    /// Which of a body's six motions are possible.
    pub(crate) fn freedom(&self, number: usize) -> [bool; 6] {
        let free = &self.bodies[number];
        let turns = free.inverse_inertia;
        std::array::from_fn(|motion| match motion {
            0..3 => free.inverse_mass[motion] > 0.0,
            _ => turns.col(motion - 3)[motion - 3] > 0.0,
        })
    }

    /// Has the bodies move as the impulses of the step make them so far, about the world's origin and by solids.
    pub(crate) fn follow(&mut self, impulses: impl Fn(BodyId) -> Impulse) {
        for number in 0..self.bodies.len() {
            let Free { body, centre, .. } = self.bodies[number];
            let total = impulses(body).total().about(centre);
            let impulse = Six {
                linear: total.linear,
                angular: total.angular,
            };
            let change = self.answer(number, impulse);
            let free = &mut self.bodies[number];
            free.velocity = free.unforced;
            free.velocity.add(1.0, change);
        }
    }
}

/// One along each axis that is not locked, zero along the others.
fn open(locked: [bool; 3]) -> DVec3 {
    DVec3::from_array(locked.map(|locked| if locked { 0.0 } else { 1.0 }))
}

/// The inverse of a tensor of inertia among the rotations that are not locked, zero for those that are.
fn inverse_where(inertia: DMat3, locked: [bool; 3]) -> DMat3 {
    let mut open = inertia;
    for axis in (0..3).filter(|&axis| locked[axis]) {
        for other in 0..3 {
            open.col_mut(axis)[other] = 0.0;
            open.col_mut(other)[axis] = 0.0;
        }
        open.col_mut(axis)[axis] = 1.0;
    }
    let mut inverse = open.inverse();
    for axis in (0..3).filter(|&axis| locked[axis]) {
        inverse.col_mut(axis)[axis] = 0.0;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushes_are_the_adjoint_of_velocities() {
        let motion = Six {
            linear: DVec3::new(0.3, -1.0, 2.0),
            angular: DVec3::new(1.5, 0.2, -0.7),
        };
        let arm = DVec3::new(0.1, 0.4, -0.3);
        for axis in 0..3 {
            let push = Six::push(axis, arm, 2.0);
            let work = push.linear.dot(motion.linear) + push.angular.dot(motion.angular);
            assert!((work - 2.0 * motion.along(axis, arm)).abs() < 1e-12);
        }
    }

    #[test]
    fn locked_rotations_answer_to_nothing_and_the_others_as_a_hinge_does() {
        let inertia = DMat3::from_cols(
            DVec3::new(2.0, 0.3, 0.1),
            DVec3::new(0.3, 3.0, 0.2),
            DVec3::new(0.1, 0.2, 4.0),
        );
        let hinge = inverse_where(inertia, [true, true, false]);
        let answer = hinge * DVec3::new(5.0, -2.0, 8.0);
        assert!(
            answer.abs_diff_eq(DVec3::new(0.0, 0.0, 2.0), 1e-12),
            "{answer}"
        );
        let all = inverse_where(inertia, [false; 3]) * inertia;
        assert!(all.abs_diff_eq(DMat3::IDENTITY, 1e-12));
        assert_eq!(inverse_where(inertia, [true; 3]), DMat3::ZERO);
    }
}
