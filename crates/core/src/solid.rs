//! One solid during a step: what it is, where it stands, how it moves.

use std::sync::Arc;

use glam::{DMat3, DVec3, Vec3};
use ooze_geometry::{Aabb, Pose, Shape, Twist};
use serde::{Deserialize, Serialize};

use crate::{Contact, SpatialInertia};

/// What a solid weighs that the liquid can move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeBody {
    /// Mass in kg.
    pub mass: f64,
    /// Volume in m³; in flat scenes that within the thickness of a cell.
    pub volume: f64,
    /// Centre of mass in the solid's own frame.
    pub centre: Vec3,
    /// Moments of inertia about it in kg m², in the solid's own frame.
    pub inertia: DMat3,
    /// Which translations along the world's axes, and which rotations about them, it cannot make.
    pub locked: [[bool; 3]; 2],
    /// How it moves at the start of the step.
    pub before: BodyVelocity,
    /// How it would move at the end of the step if the liquid left it alone: by gravity, contacts and joints.
    pub unforced: BodyVelocity,
    /// What joints to things that do not give way add to its inertia, about its centre of mass and along the world's axes: how they hold
    /// it against what the liquid does to it in the step.
    pub joined: SpatialInertia,
}

/// The velocity of a body's centre of mass, and its spin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyVelocity {
    /// In m/s.
    pub linear: DVec3,
    /// In radians a second, about the world's axes.
    pub angular: DVec3,
}

/// How a solid that is free moves after a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyMotion {
    /// Momentum in kg m/s.
    pub momentum: [f64; 3],
    /// Angular momentum about the world's origin in kg m²/s.
    pub angular_momentum: [f64; 3],
    /// Kinetic energy in joules.
    pub kinetic_energy: f64,
}

/// A solid between the start and the end of a step. Between two steps it stands where the last one ended.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Name in the scene.
    pub name: String,
    /// Shape in the solid's own frame.
    pub shape: Arc<Shape>,
    /// How liquid behaves at its surface.
    pub contact: Contact,
    /// The share of it that is solid still, if it melts; one of which nothing is left is no obstacle any more.
    pub left: Option<f32>,
    /// Heat in J/K that warms all of it by a kelvin; none if it keeps its temperature whatever passes.
    pub heat_capacity: Option<f64>,
    /// What it weighs, if it is free to follow the liquid.
    pub free: Option<FreeBody>,
    /// Whether it never moves, so that what is computed from its place may be kept.
    pub fixed: bool,
    /// Where it stands at the start of the step.
    pub start: Pose,
    /// Where it will stand at the end of the step.
    pub end: Pose,
    /// The velocity that takes it from one to the other.
    pub twist: Twist,
    /// The velocity with which it goes on from there.
    pub next: Twist,
}

impl Solid {
    /// Signed distance from `point` to the surface of the solid as it stands at a pose, negative inside; never larger in size
    /// than the true distance.
    pub fn distance(&self, pose: &Pose, point: Vec3) -> f32 {
        self.shape.distance(pose.to_local(point)) * pose.scale
    }

    /// A box around the solid as it stands at a pose; infinite if its shape has none.
    pub fn bounds(&self, pose: &Pose) -> Aabb {
        let local = self.shape.bounds();
        if !local.is_finite() {
            return Aabb::EVERYTHING;
        }
        Aabb::from_points(local.corners().map(|corner| pose.to_world(corner)))
    }

    /// Where the material is at the end of the step that was at `point` at its start.
    pub fn carried(&self, point: Vec3) -> Vec3 {
        self.end.to_world(self.start.to_local(point))
    }

    /// How it goes on from the end of the step, if it is free.
    pub fn motion(&self) -> Option<BodyMotion> {
        let FreeBody {
            mass,
            centre,
            inertia,
            ..
        } = self.free?;
        let place = self.end.to_world(centre);
        let velocity = self.next.velocity(place).as_dvec3();
        let turn = DMat3::from_quat(self.end.rotation.as_dquat());
        let angular = self.next.angular.as_dvec3();
        let spin: DVec3 = turn * inertia * turn.transpose() * angular;
        let momentum = mass * velocity;
        Some(BodyMotion {
            momentum: momentum.to_array(),
            angular_momentum: (place.as_dvec3().cross(momentum) + spin).to_array(),
            kinetic_energy: 0.5 * (momentum.dot(velocity) + spin.dot(angular)),
        })
    }

    /// Its temperature in kelvin, if what it gives and takes changes it.
    pub fn changing_temperature(&self) -> Option<f32> {
        let heat = self.heat_capacity.and(self.contact.heat);
        heat.map(|heat| heat.temperature)
    }

    /// Whether all of it has melted.
    pub fn is_gone(&self) -> bool {
        self.left == Some(0.0)
    }

    /// Whether it moves in the step.
    pub fn moves(&self) -> bool {
        let Twist {
            linear,
            angular,
            growth,
            ..
        } = self.twist;
        linear != Vec3::ZERO || angular != Vec3::ZERO || growth != 0.0
    }

    /// An upper bound on the speed of its surface inside `region` from the end of the step on.
    pub fn max_speed(&self, region: Aabb) -> f32 {
        let part = self.bounds(&self.end).intersection(region);
        if part.is_empty() || self.fixed {
            return 0.0;
        }
        // Velocity is affine in position, so its length is largest at a corner.
        let speeds = part
            .corners()
            .map(|corner| self.next.velocity(corner).length());
        speeds.into_iter().fold(0.0, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;

    #[test]
    fn a_free_rod_that_is_turned_and_turns_has_the_momentum_of_its_mass_and_inertia() {
        let pose = Pose {
            translation: Vec3::new(2.0, 0.0, 0.0),
            rotation: Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
            scale: 1.0,
        };
        let twist = Twist {
            centre: pose.translation,
            linear: Vec3::new(0.0, 3.0, 0.0),
            angular: Vec3::new(0.0, 5.0, 0.0),
            growth: 0.0,
        };
        let mut rod = Solid {
            name: "rod".into(),
            shape: Arc::new(Shape::sphere(Vec3::ZERO, 0.1).expect("a fair ball")),
            contact: Contact::default(),
            left: None,
            heat_capacity: None,
            free: None,
            fixed: false,
            start: pose,
            end: pose,
            // What took it here tells nothing of how it goes on.
            twist: Twist {
                angular: Vec3::ZERO,
                ..twist
            },
            next: twist,
        };
        assert_eq!(rod.motion(), None);
        // Its own x axis lies along y now.
        rod.free = Some(FreeBody {
            mass: 4.0,
            volume: 0.004,
            centre: Vec3::ZERO,
            inertia: DMat3::from_diagonal(DVec3::new(0.1, 0.7, 0.9)),
            locked: [[false; 3]; 2],
            before: BodyVelocity::default(),
            unforced: BodyVelocity::default(),
            joined: SpatialInertia::ZERO,
        });
        let motion = rod.motion().expect("it is free");
        let near =
            |found: [f64; 3], expected: DVec3| DVec3::from_array(found).abs_diff_eq(expected, 1e-5);
        assert!(
            near(motion.momentum, DVec3::new(0.0, 12.0, 0.0)),
            "{motion:?}"
        );
        let expected = DVec3::new(0.0, 0.5, 24.0);
        assert!(near(motion.angular_momentum, expected), "{motion:?}");
        assert!(
            (motion.kinetic_energy - 18.0 - 1.25).abs() < 1e-5,
            "{motion:?}"
        );
    }
}
