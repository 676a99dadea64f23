//! The free bodies of a step and how they move.

use std::sync::Arc;

use glam::{DMat3, DVec3, Vec3};
use ooze_core::{BodyId, BodyVelocity, Impulse, ImpulsePart, Obstacles, SpatialInertia};

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
    /// How hard it is to move, with what joints add, and the inverse of that among the ways that are open.
    inertia: SpatialInertia,
    inverse: SpatialInertia,
    /// Translations and rotations that it cannot make.
    locked: [[bool; 3]; 2],
    /// Its radius of gyration about the axis that is hardest to turn about.
    reach: f64,
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
            let moments = turn * free.inertia * turn.transpose();
            let hardest = (0..3).map(|axis| moments.col(axis)[axis]);
            let inertia = SpatialInertia::of_body(free.mass, moments).plus(&free.joined);
            let locked = [still, upright];
            bodies.push(Free {
                body: BodyId(index as u16),
                centre: solid.start.to_world(free.centre).as_dvec3(),
                inertia,
                inverse: inertia.inverse_among(locked),
                locked,
                reach: (hardest.fold(0.0, f64::max) / free.mass).sqrt(),
                unforced: Six {
                    linear: SpatialInertia::open(still) * free.unforced.linear,
                    angular: SpatialInertia::open(upright) * free.unforced.angular,
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

    /// The inertia of a body, for its six motions.
    pub(crate) fn mass(&self, number: usize) -> [[f64; 6]; 6] {
        let inertia = &self.bodies[number].inertia;
        std::array::from_fn(|row| {
            std::array::from_fn(|column| match (row < 3, column < 3) {
                (true, true) => inertia.linear.col(column)[row],
                (true, false) => inertia.mixed.col(column - 3)[row],
                (false, true) => inertia.mixed.col(row - 3)[column],
                (false, false) => inertia.angular.col(column - 3)[row - 3],
            })
        })
    }

    /// The radius of gyration about the axis that is hardest to turn about, in metres.
    pub(crate) fn reach(&self, number: usize) -> f64 {
        self.bodies[number].reach
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

    /// So many times an impulse about a body's centre of mass, as one of pressure.
    pub(crate) fn impulse(&self, number: usize, times: f64, push: Six) -> Impulse {
        let Free { body, centre, .. } = self.bodies[number];
        let linear = times * push.linear;
        let pressure = ImpulsePart {
            linear,
            angular: times * push.angular + centre.cross(linear),
        };
        Impulse {
            pressure,
            ..Impulse::none(body)
        }
    }

    /// What an impulse about its centre of mass makes of a body's motion.
    #[inline]
    pub(crate) fn answer(&self, number: usize, impulse: Six) -> Six {
        let Six { linear, angular } = impulse;
        let inverse = &self.bodies[number].inverse;
        let BodyVelocity { linear, angular } = inverse.motion(ImpulsePart { linear, angular });
        Six { linear, angular }
    }

    /// Which of a body's six motions are possible.
    pub(crate) fn freedom(&self, number: usize) -> [bool; 6] {
        let [still, upright] = self.bodies[number].locked;
        std::array::from_fn(|motion| match motion {
            0..3 => !still[motion],
            _ => !upright[motion - 3],
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
}
