//! Placement of an object in the world, and the rate at which it changes.

use glam::{Quat, Vec3};

/// A position, orientation and uniform scale: world = translation + rotation · (scale · local).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Where the object's origin is, in metres.
    pub translation: Vec3,
    /// The orientation, a unit quaternion.
    pub rotation: Quat,
    /// The uniform scale.
    pub scale: f32,
}

impl Pose {
    /// The pose that changes nothing.
    pub const IDENTITY: Self = Self {
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        scale: 1.0,
    };

    /// Where a point of the object is in the world.
    pub fn to_world(&self, local: Vec3) -> Vec3 {
        self.translation + self.rotation * (self.scale * local)
    }

    /// Which point of the object is at a place in the world.
    pub fn to_local(&self, world: Vec3) -> Vec3 {
        self.rotation.inverse() * (world - self.translation) / self.scale
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// The rate at which a pose changes, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist {
    /// The object's origin, in metres.
    pub centre: Vec3,
    /// The velocity of the origin, in metres per second.
    pub linear: Vec3,
    /// The angular velocity, in radians per second.
    pub angular: Vec3,
    /// The relative growth: the rate of the scale over the scale, per second.
    pub growth: f32,
}

impl Twist {
    /// The velocity of the material point that is now at `world_point`.
    pub fn velocity(&self, world_point: Vec3) -> Vec3 {
        let offset = world_point - self.centre;
        self.linear + self.angular.cross(offset) + self.growth * offset
    }
}
