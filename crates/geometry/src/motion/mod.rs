//! Keyframed motion.
#![allow(unused_variables)]

use glam::{Quat, Vec3};
use thiserror::Error;

/// How values run from one keyframe to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// At constant velocity (rotations: constant angular velocity).
    #[default]
    Linear,
    /// With continuous velocity and without overshoot, starting and ending at rest.
    Smooth,
}

/// The value of some or all parts of a pose at one time; parts left out are interpolated from the other keyframes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe {
    /// When, in seconds.
    pub time: f64,
    /// Where the object's origin is, in metres.
    pub position: Option<Vec3>,
    /// The orientation; turns of more than half a revolution need keyframes in between, or a [`Spin`].
    pub rotation: Option<Quat>,
    /// The uniform scale, above zero.
    pub scale: Option<f32>,
    /// How the values given here run to the next keyframe.
    pub interpolation: Interpolation,
}

/// A constant spin about an axis through the object's origin, fixed in the object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spin {
    /// The axis in the object's own frame; of any length above zero.
    pub axis: Vec3,
    /// Revolutions per second, counter-clockwise seen from the axis' tip.
    pub revolutions_per_second: f64,
}

/// A position, orientation and uniform scale: world = translation + rotation · (scale · local).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Where the object's origin is, in metres.
    pub translation: Vec3,
    /// The orientation.
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
        todo!()
    }
    /// Which point of the object is at a place in the world.
    pub fn to_local(&self, world: Vec3) -> Vec3 {
        todo!()
    }
}

/// The rate at which a pose changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist {
    /// The object's origin in the world, in metres.
    pub centre: Vec3,
    /// Velocity of the origin in metres per second.
    pub linear: Vec3,
    /// Angular velocity in radians per second, in the world frame.
    pub angular: Vec3,
    /// Relative growth per second: scale rate over scale.
    pub growth: f32,
}

impl Twist {
    /// The velocity of the material point now at `world_point`.
    pub fn velocity(&self, world_point: Vec3) -> Vec3 {
        todo!()
    }
}

/// A motion that makes no sense.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MotionError {}

/// A pose as a function of time.
#[derive(Clone, Debug)]
pub struct Motion {}

impl Motion {
    /// An object that stays where it is.
    pub fn fixed(pose: Pose) -> Result<Self, MotionError> {
        todo!()
    }
    /// A motion through keyframes; parts that no keyframe gives are taken from `rest`.
    pub fn new(
        rest: Pose,
        keyframes: &[Keyframe],
        spin: Option<Spin>,
    ) -> Result<Self, MotionError> {
        todo!()
    }
    /// Where the object is at `time` (seconds).
    pub fn pose(&self, time: f64) -> Pose {
        todo!()
    }
    /// The exact rate of change of the pose at `time`.
    pub fn twist(&self, time: f64) -> Twist {
        todo!()
    }
    /// The exact velocity at `time` of the material point that is then at `world_point`.
    pub fn velocity(&self, time: f64, world_point: Vec3) -> Vec3 {
        todo!()
    }
    /// Whether the pose never changes.
    pub fn is_static(&self) -> bool {
        todo!()
    }
}
