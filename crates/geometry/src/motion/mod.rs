//! Keyframed motion with uniform scale, and its exact velocities.
//!
//! A pose is given by three tracks (position, orientation, scale) that are constant before their first and after their
//! last key, and by a constant spin that is applied first. A material point X is at x(t) = p(t) + s(t) R(t) S(t) X, so
//! that its velocity is ṗ + ω × (x - p) + (ṡ/s) (x - p) with ω = ω_R + R ω_S: exact, as every track knows its own
//! derivative. Times and tracks are f64, because a day of animation at a millisecond's precision does not fit in f32.

mod error;
mod pose;
mod rotation;
mod screw;
mod track;

use std::f64::consts::{PI, TAU};
use std::fmt::Display;

use glam::{DQuat, DVec3, Quat, Vec3};
use ooze_commons::choice;

use rotation::RotationTrack;
use track::Track;

pub use error::MotionError;
pub use pose::{Pose, Twist};

choice! {
    /// How values run from one keyframe to the next.
    pub enum Interpolation default Linear {
        /// At constant velocity.
        Linear "linear";
        /// Starting and ending at rest.
        Smooth "smooth";
    }
}

/// Some or all parts of a pose at one time; parts left out run on between the keyframes that do give them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Keyframe {
    /// When, in seconds.
    pub time: f64,
    /// Where the object's origin is, in metres.
    pub position: Option<Vec3>,
    /// The orientation (normalised); turns of half a revolution and more need keyframes in between, or a [`Spin`].
    pub rotation: Option<Quat>,
    /// The uniform scale, above zero.
    pub scale: Option<f32>,
    /// How the values given here run to the next keyframe that gives them.
    pub interpolation: Interpolation,
}

/// A constant spin about an axis through the object's origin, fixed in the object; at time zero it is not turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spin {
    /// The axis in the object's own frame; of any length above zero.
    pub axis: Vec3,
    /// Revolutions per second, counter-clockwise seen from the axis' tip.
    pub revolutions_per_second: f64,
}

/// A pose as a function of time.
#[derive(Clone, Debug)]
pub struct Motion {
    positions: Track<3>,
    rotations: RotationTrack,
    scales: Track<1>,
    /// The unit axis and the revolutions per second of the spin.
    spin: (DVec3, f64),
}

/// A pose and its rate of change in double precision.
struct State {
    position: DVec3,
    velocity: DVec3,
    rotation: DQuat,
    angular: DVec3,
    scale: f64,
    scale_rate: f64,
}

impl State {
    fn twist(&self) -> Twist {
        Twist {
            centre: self.position.as_vec3(),
            linear: self.velocity.as_vec3(),
            angular: self.angular.as_vec3(),
            growth: (self.scale_rate / self.scale) as f32,
        }
    }
}

impl Motion {
    /// An object that stays where it is.
    pub fn fixed(pose: Pose) -> Result<Self, MotionError> {
        Self::new(pose, &[], None)
    }

    /// A motion through keyframes of increasing times; parts that no keyframe gives stay as in `rest`.
    pub fn new(
        rest: Pose,
        keyframes: &[Keyframe],
        spin: Option<Spin>,
    ) -> Result<Self, MotionError> {
        let rest = Keyframe {
            position: Some(rest.translation),
            rotation: Some(rest.rotation),
            scale: Some(rest.scale),
            ..Keyframe::default()
        };
        check_keyframe("rest pose", &rest)?;
        check_keyframes(keyframes)?;
        let spin = spin.map_or(Ok((DVec3::Y, 0.0)), |spin| check_spin(&spin))?;

        let vector = |value: Vec3| value.as_dvec3().to_array();
        let quaternion = |value: Quat| value.as_dquat().normalize();
        let scalar = |value: f32| [f64::from(value)];
        Ok(Self {
            positions: Track::new(&keys(keyframes, &rest, |key| key.position.map(vector))),
            rotations: RotationTrack::new(&keys(keyframes, &rest, |key| {
                key.rotation.map(quaternion)
            })),
            scales: Track::new(&keys(keyframes, &rest, |key| key.scale.map(scalar))),
            spin,
        })
    }

    /// Where the object is at `time` (seconds).
    pub fn pose(&self, time: f64) -> Pose {
        let state = self.state(time);
        Pose {
            translation: state.position.as_vec3(),
            rotation: state.rotation.as_quat(),
            scale: state.scale as f32,
        }
    }

    /// The exact rate of change of the pose at `time`; at a keyframe, the rate from there on.
    pub fn twist(&self, time: f64) -> Twist {
        self.state(time).twist()
    }

    /// The constant twist that takes the pose at `from` to the pose at `to`, a later time (seconds): a screw. Of an object
    /// that turns by half a revolution or more on the way, which its poses do not tell, the twist halfway.
    pub fn twist_between(&self, from: f64, to: f64) -> Twist {
        let seconds = to - from;
        let halfway = self.state(0.5 * (from + to));
        if halfway.angular.length() * seconds >= PI {
            return halfway.twist();
        }
        screw::between(&self.state(from), &self.state(to), seconds)
    }

    /// The exact velocity at `time` of the material point that is then at `world_point`.
    ///
    /// For many points at one time, ask for the [`Motion::twist`] once.
    pub fn velocity(&self, time: f64, world_point: Vec3) -> Vec3 {
        self.twist(time).velocity(world_point)
    }

    /// Whether the pose never changes.
    pub fn is_static(&self) -> bool {
        self.spin.1 == 0.0
            && self.positions.is_constant()
            && self.rotations.is_constant()
            && self.scales.is_constant()
    }

    fn state(&self, time: f64) -> State {
        let (position, velocity) = self.positions.sample(time);
        let (keyed, keyed_angular) = self.rotations.sample(time);
        let ([scale], [scale_rate]) = self.scales.sample(time);
        let (axis, revolutions_per_second) = self.spin;
        // Whole revolutions are dropped before they cost precision.
        let phase = (revolutions_per_second * time).fract() * TAU;
        State {
            position: DVec3::from_array(position),
            velocity: DVec3::from_array(velocity),
            rotation: (keyed * DQuat::from_axis_angle(axis, phase)).normalize(),
            angular: keyed_angular + keyed * axis * (revolutions_per_second * TAU),
            scale,
            scale_rate,
        }
    }
}

/// The keys of one part of the pose, or the part's value at rest when no keyframe gives it.
fn keys<T>(
    keyframes: &[Keyframe],
    rest: &Keyframe,
    part: impl Fn(&Keyframe) -> Option<T>,
) -> Vec<(f64, T, Interpolation)> {
    let key = |keyframe: &Keyframe| {
        part(keyframe).map(|value| (keyframe.time, value, keyframe.interpolation))
    };
    let keys: Vec<_> = keyframes.iter().filter_map(key).collect();
    if keys.is_empty() {
        key(rest).into_iter().collect()
    } else {
        keys
    }
}

fn check_keyframes(keyframes: &[Keyframe]) -> Result<(), MotionError> {
    let place = |index: usize| format!("keyframe {}", index + 1);
    for (index, keyframe) in keyframes.iter().enumerate() {
        check_keyframe(&place(index), keyframe)?;
    }
    for (index, pair) in keyframes.windows(2).enumerate() {
        let [earlier, later] = [pair[0].time, pair[1].time];
        let allowed = || format!("after keyframe {}, {earlier} s", index + 1);
        require(later > earlier, &place(index + 1), "time", later, allowed)?;
    }
    Ok(())
}

fn check_keyframe(place: &str, keyframe: &Keyframe) -> Result<(), MotionError> {
    let finite = || "finite".into();
    require(
        keyframe.time.is_finite(),
        place,
        "time",
        keyframe.time,
        finite,
    )?;
    if let Some(position) = keyframe.position {
        require(position.is_finite(), place, "position", position, finite)?;
    }
    if let Some(rotation) = keyframe.rotation {
        let usable = rotation.is_finite() && rotation.length_squared() > 1e-12;
        require(usable, place, "rotation", rotation, || {
            "finite and not all zero".into()
        })?;
    }
    if let Some(scale) = keyframe.scale {
        let usable = scale.is_finite() && scale > 0.0;
        require(usable, place, "scale", scale, || {
            "finite and above 0".into()
        })?;
    }
    Ok(())
}

/// The unit axis and the revolutions per second.
fn check_spin(spin: &Spin) -> Result<(DVec3, f64), MotionError> {
    let axis = spin
        .axis
        .as_dvec3()
        .try_normalize()
        .filter(|_| spin.axis.is_finite());
    require(axis.is_some(), "spin", "axis", spin.axis, || {
        "finite and not zero".into()
    })?;
    let speed = spin.revolutions_per_second;
    require(
        speed.is_finite(),
        "spin",
        "revolutions_per_second",
        speed,
        || "finite".into(),
    )?;
    Ok((axis.unwrap_or_default(), speed))
}

fn require(
    good: bool,
    place: &str,
    parameter: &'static str,
    value: impl Display,
    allowed: impl FnOnce() -> String,
) -> Result<(), MotionError> {
    if good {
        return Ok(());
    }
    Err(MotionError {
        place: place.to_owned(),
        parameter,
        value: value.to_string(),
        allowed: allowed(),
    })
}

#[cfg(test)]
mod tests;
