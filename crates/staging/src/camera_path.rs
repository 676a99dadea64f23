//! Where the camera stands and looks as time passes.

use glam::Vec3;

use crate::error::{StagingError, require};

/// Position, aim and opening of the camera at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraPose {
    /// Where the camera is, in metres.
    pub eye: Vec3,
    /// The point in the middle of the picture, in metres.
    pub target: Vec3,
    /// Vertical opening angle in degrees.
    pub field_of_view: f32,
}

/// One keyframe of a moving camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraKey {
    /// Time in seconds.
    pub time: f32,
    /// Where the camera is, in metres.
    pub eye: Vec3,
    /// The point it looks at, in metres.
    pub target: Vec3,
    /// Vertical opening angle in degrees; the camera's own when absent.
    pub field_of_view: Option<f32>,
}

/// The camera's motion.
#[derive(Clone, Debug, PartialEq)]
pub enum CameraPath {
    /// Stands still.
    LookAt {
        /// Where the camera is, in metres.
        eye: Vec3,
        /// The point it looks at, in metres.
        target: Vec3,
    },
    /// Circles around a point at constant height.
    Orbit {
        /// The point it looks at, in metres.
        target: Vec3,
        /// Distance from the target in metres.
        distance: f32,
        /// Angle above the horizontal in degrees.
        elevation: f32,
        /// Angle around the vertical axis at time 0 in degrees, counted from +z towards +x.
        azimuth: f32,
        /// Turning rate in degrees per second.
        degrees_per_second: f32,
    },
    /// Passes through keyframes on a smooth curve, resting at the first and the last.
    Keyframes(Vec<CameraKey>),
}

impl CameraPath {
    /// The pose at `time`, with `field_of_view` where the path does not set one.
    pub(crate) fn pose(&self, time: f32, field_of_view: f32) -> CameraPose {
        match self {
            Self::LookAt { eye, target } => CameraPose {
                eye: *eye,
                target: *target,
                field_of_view,
            },
            Self::Orbit {
                target,
                distance,
                elevation,
                azimuth,
                degrees_per_second,
            } => {
                let around = (azimuth + degrees_per_second * time).to_radians();
                CameraPose {
                    eye: *target
                        + *distance * direction_from_angles(around, elevation.to_radians()),
                    target: *target,
                    field_of_view,
                }
            }
            Self::Keyframes(keys) => interpolate(keys, time, field_of_view),
        }
    }

    pub(crate) fn check(&self, up: Vec3, field_of_view: f32) -> Result<(), StagingError> {
        let pose_is_sound = |pose: CameraPose| {
            let view = pose.target - pose.eye;
            pose.eye.is_finite()
                && pose.target.is_finite()
                && view.length() > 0.0
                && view.cross(up).length() > 0.0
        };
        match self {
            Self::LookAt { eye, target } => require(
                pose_is_sound(self.pose(0.0, field_of_view)),
                "camera.path",
                (eye, target),
                "an eye and a target that are finite, differ, and are not in line with `up`",
            ),
            Self::Orbit {
                distance,
                elevation,
                ..
            } => {
                require(
                    *distance > 0.0 && distance.is_finite(),
                    "camera.path.orbit.distance",
                    distance,
                    "positive (metres)",
                )?;
                require(
                    elevation.abs() < 90.0,
                    "camera.path.orbit.elevation",
                    elevation,
                    "between -90 and 90 (degrees, exclusive)",
                )?;
                require(
                    pose_is_sound(self.pose(0.0, field_of_view)),
                    "camera.path.orbit",
                    self,
                    "finite",
                )
            }
            Self::Keyframes(keys) => {
                require(
                    !keys.is_empty(),
                    "camera.path.keyframes",
                    "empty",
                    "at least one key",
                )?;
                for pair in keys.windows(2) {
                    require(
                        pair[0].time < pair[1].time,
                        "camera.path.keyframes.time",
                        pair[1].time,
                        "later than the key before",
                    )?;
                }
                keys.iter().try_for_each(|key| {
                    let pose = CameraPose { eye: key.eye, target: key.target, field_of_view };
                    let opening = key.field_of_view.unwrap_or(field_of_view);
                    require(
                        pose_is_sound(pose) && key.time.is_finite() && opening > 0.0 && opening < 170.0,
                        "camera.path.keyframes",
                        key,
                        "finite, with an eye that differs from its target, and an opening between 0 and 170 degrees",
                    )
                })
            }
        }
    }
}

/// The unit vector at angle `around` the vertical axis (from +z towards +x) and `above` the horizontal, in radians.
pub(crate) fn direction_from_angles(around: f32, above: f32) -> Vec3 {
    Vec3::new(
        around.sin() * above.cos(),
        above.sin(),
        around.cos() * above.cos(),
    )
}

/// Cubic Hermite interpolation with the mean slope of the neighbouring spans as tangent, and rest at both ends.
fn interpolate(keys: &[CameraKey], time: f32, field_of_view: f32) -> CameraPose {
    let pose = |key: &CameraKey| {
        [
            key.eye,
            key.target,
            Vec3::X * key.field_of_view.unwrap_or(field_of_view),
        ]
    };
    let upper = keys.partition_point(|key| key.time <= time);
    let values = if upper == 0 || upper == keys.len() {
        pose(&keys[upper.saturating_sub(1)])
    } else {
        let (left, right) = (upper - 1, upper);
        let span = keys[right].time - keys[left].time;
        let tangent = |index: usize, channel: usize| -> Vec3 {
            if index == 0 || index + 1 == keys.len() {
                return Vec3::ZERO;
            }
            let (before, after) = (&keys[index - 1], &keys[index + 1]);
            (pose(after)[channel] - pose(before)[channel]) / (after.time - before.time)
        };
        let t = (time - keys[left].time) / span;
        std::array::from_fn(|channel| {
            let (start, end) = (pose(&keys[left])[channel], pose(&keys[right])[channel]);
            let (slope_start, slope_end) = (
                tangent(left, channel) * span,
                tangent(right, channel) * span,
            );
            let (square, cube) = (t * t, t * t * t);
            start * (2.0 * cube - 3.0 * square + 1.0)
                + slope_start * (cube - 2.0 * square + t)
                + end * (3.0 * square - 2.0 * cube)
                + slope_end * (cube - square)
        })
    };
    CameraPose {
        eye: values[0],
        target: values[1],
        field_of_view: values[2].x,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(time: f32, x: f32) -> CameraKey {
        CameraKey {
            time,
            eye: Vec3::new(x, 1.0, 5.0),
            target: Vec3::ZERO,
            field_of_view: None,
        }
    }

    #[test]
    fn keyframes_are_met_and_held_outside() {
        let path = CameraPath::Keyframes(vec![key(0.0, 0.0), key(1.0, 2.0), key(3.0, 3.0)]);
        for (time, x) in [(-1.0, 0.0), (0.0, 0.0), (1.0, 2.0), (3.0, 3.0), (9.0, 3.0)] {
            assert!(
                (path.pose(time, 30.0).eye.x - x).abs() < 1e-5,
                "time {time}"
            );
        }
    }

    #[test]
    fn keyframed_motion_has_no_kinks_and_rests_at_the_ends() {
        let path = CameraPath::Keyframes(vec![key(0.0, 0.0), key(1.0, 2.0), key(3.0, 3.0)]);
        let step = 1e-3;
        let speed =
            |time: f32| (path.pose(time + step, 30.0).eye - path.pose(time, 30.0).eye) / step;
        assert!((speed(1.0) - speed(1.0 - step)).length() < 0.02);
        assert!(speed(0.0).length() < 0.02 && speed(3.0 - step).length() < 0.02);
        assert!(
            (speed(1.0).x - 1.0).abs() < 0.02,
            "mean slope of the two spans is 3/3"
        );
    }

    #[test]
    fn orbit_keeps_its_distance_and_turns_at_its_rate() {
        let path = CameraPath::Orbit {
            target: Vec3::Y,
            distance: 2.0,
            elevation: 30.0,
            azimuth: 0.0,
            degrees_per_second: 90.0,
        };
        let (start, quarter) = (
            path.pose(0.0, 30.0).eye - Vec3::Y,
            path.pose(1.0, 30.0).eye - Vec3::Y,
        );
        assert!(
            (start.length() - 2.0).abs() < 1e-5
                && (start.y - 1.0).abs() < 1e-5
                && start.x.abs() < 1e-5
        );
        assert!((quarter.x - start.z).abs() < 1e-5 && (quarter.y - 1.0).abs() < 1e-5);
    }

    #[test]
    fn unsound_paths_are_refused() {
        let bad = [
            CameraPath::LookAt {
                eye: Vec3::ONE,
                target: Vec3::ONE,
            },
            CameraPath::LookAt {
                eye: Vec3::Y,
                target: Vec3::ZERO,
            },
            CameraPath::LookAt {
                eye: Vec3::NAN,
                target: Vec3::ZERO,
            },
            CameraPath::Keyframes(vec![]),
            CameraPath::Keyframes(vec![key(1.0, 0.0), key(1.0, 1.0)]),
            CameraPath::Orbit {
                target: Vec3::ZERO,
                distance: 0.0,
                elevation: 0.0,
                azimuth: 0.0,
                degrees_per_second: 0.0,
            },
            CameraPath::Orbit {
                target: Vec3::ZERO,
                distance: 1.0,
                elevation: 90.0,
                azimuth: 0.0,
                degrees_per_second: 0.0,
            },
        ];
        for path in bad {
            assert!(path.check(Vec3::Y, 30.0).is_err(), "{path:?}");
        }
    }
}
