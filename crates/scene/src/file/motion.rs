//! Keys of rotations and motions.

use glam::Vec3;

use super::TABLES;
use ooze_geometry::Interpolation;

use crate::keys::{Vector, degrees, metres, number, seconds, table, vector};
use crate::place::Placed;

table! {
    /// A turn by the right-hand rule: the thumb along the axis, the fingers turn.
    struct RotationKeys "rotation" {
        /// Direction of the axis.
        axis: Vec3 [Vector::direction()] required;
        /// The angle.
        angle: f64 [degrees()] required;
    }
}

table! {
    /// Where a collider is at any time. Its shape is given in the body's own frame, whose origin is placed here.
    struct MotionKeys "motion" {
        /// Where the body's origin is as far as no keyframe says otherwise.
        position: Vec3 [vector(metres())] default(Vec3::ZERO);
        /// How the body is turned as far as no keyframe says otherwise.
        rotation: RotationKeys [()] optional;
        /// Factor on the body's size as far as no keyframe says otherwise.
        scale: f64 [number("").between(1e-3, 1e3)] default(1.0);
        /// Moments at which position, rotation or scale are prescribed, in the order of time.
        keyframes: Vec<Placed<KeyframeKeys>> [TABLES] section;
        /// A constant turning on top of it.
        spin: SpinKeys [()] optional;
    }
}

table! {
    /// One moment of a motion. What it leaves out runs on from the keyframes that say it.
    struct KeyframeKeys "keyframe" {
        /// When.
        time: f64 [seconds()] required;
        /// Where the body's origin is.
        position: Vec3 [vector(metres())] optional;
        /// How the body is turned; by less than half a turn from the keyframe before.
        rotation: RotationKeys [()] optional;
        /// Factor on the body's size.
        scale: f64 [number("").between(1e-3, 1e3)] optional;
        /// How the values run from here to the next keyframe.
        interpolation: Interpolation [()] default(Interpolation::Smooth);
    }
}

table! {
    /// A constant turning about an axis through the body's origin.
    struct SpinKeys "spin" {
        /// Direction of the axis in the body's own frame.
        axis: Vec3 [Vector::direction()] required;
        /// Turns per second, by the right-hand rule.
        turns_per_second: f64 [number("1/s").between(-1000.0, 1000.0)] required;
    }
}
