//! The camera: its path, lens and shutter, and a framing of its own when none is given.

use glam::Vec3;

use crate::bounds::{corners, or_unit};
use crate::camera_path::{CameraPath, CameraPose, direction_from_angles};
use crate::error::{StagingError, require};
use ooze_geometry::Aabb;

/// A lens with depth of field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Radius of the aperture in metres; larger blurs more.
    pub aperture_radius: f32,
    /// Distance of the plane in focus in metres; the camera's target when absent.
    pub focus_distance: Option<f32>,
}

/// A camera.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands and looks as time passes.
    pub path: CameraPath,
    /// Vertical opening angle in degrees.
    pub field_of_view: f32,
    /// The direction that is up in the picture.
    pub up: Vec3,
    /// Depth of field; everything is sharp when absent.
    pub lens: Option<Lens>,
    /// Time the shutter is open, in seconds, centred on the frame's time; 0 switches motion blur off. Half of a frame's
    /// duration looks like film.
    pub shutter: f32,
}

/// From where a camera that frames its subject looks at it, and how large it shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Framing {
    /// Angle around the vertical axis in degrees, from +z towards +x.
    pub azimuth: f32,
    /// Angle above the horizontal in degrees.
    pub elevation: f32,
    /// Share of the picture that the subject takes up.
    pub fill: f32,
    /// Vertical opening angle in degrees.
    pub field_of_view: f32,
}

impl Default for Framing {
    fn default() -> Self {
        Self {
            azimuth: 32.0,
            elevation: 17.0,
            fill: 0.8,
            field_of_view: default_field_of_view(),
        }
    }
}

fn default_field_of_view() -> f32 {
    28.0
}

fn default_up() -> Vec3 {
    Vec3::Y
}

impl Camera {
    /// A camera standing at `eye` and looking at `target`.
    pub fn look_at(eye: Vec3, target: Vec3) -> Self {
        Self {
            path: CameraPath::LookAt { eye, target },
            field_of_view: default_field_of_view(),
            up: default_up(),
            lens: None,
            shutter: 0.0,
        }
    }

    /// A three-quarter view from slightly above in which `bounds` fills 80 % of a picture of the given aspect ratio
    /// (width over height).
    pub fn framing(bounds: &Aabb, aspect: f32) -> Self {
        Self::framing_with(bounds, aspect, &Framing::default())
    }

    /// As [`Camera::framing`], from the angles and as large as `framing` says.
    pub fn framing_with(bounds: &Aabb, aspect: f32, framing: &Framing) -> Self {
        let bounds = or_unit(bounds);
        let mut camera = Self::look_at(Vec3::ZERO, Vec3::NEG_Z);
        camera.field_of_view = framing.field_of_view;
        let (around, above) = (framing.azimuth.to_radians(), framing.elevation.to_radians());
        let towards = direction_from_angles(around, above);
        let size = bounds.extent().length();
        let half_height = (camera.field_of_view.to_radians() / 2.0).tan();
        let half = [half_height * aspect, half_height];
        let (mut target, mut distance) = (bounds.centre(), 2.0 * size / half_height);
        // Perspective makes centring and distance depend on one another; the iteration contracts quickly.
        for _ in 0..24 {
            let frame = ViewFrame::new(target + towards * distance, target, camera.up);
            let mut lower = [f32::MAX; 2];
            let mut upper = [f32::MIN; 2];
            for corner in corners(&bounds) {
                let local = frame.to_local(corner);
                for axis in 0..2 {
                    let position = local[axis] / local.z.max(0.05 * size) / half[axis];
                    lower[axis] = lower[axis].min(position);
                    upper[axis] = upper[axis].max(position);
                }
            }
            let extent = (0..2)
                .map(|axis| (upper[axis] - lower[axis]) / 2.0)
                .fold(0.0, f32::max);
            let centre: [f32; 2] = std::array::from_fn(|axis| {
                (upper[axis] + lower[axis]) / 2.0 * half[axis] * distance
            });
            target += frame.right * centre[0] + frame.up * centre[1];
            distance = (distance * extent / framing.fill).max(0.05 * size);
        }
        camera.path = CameraPath::LookAt {
            eye: target + towards * distance,
            target,
        };
        camera
    }

    /// Where the camera is and looks at `time`.
    pub fn pose(&self, time: f32) -> CameraPose {
        self.path.pose(time, self.field_of_view)
    }

    /// Refuses values that no picture can be made with.
    pub fn check(&self) -> Result<(), StagingError> {
        require(
            self.field_of_view > 0.0 && self.field_of_view < 170.0,
            "camera.field_of_view",
            self.field_of_view,
            "between 0 and 170 (degrees, exclusive)",
        )?;
        require(
            self.up.is_finite() && self.up.length() > 0.0,
            "camera.up",
            self.up,
            "a finite direction",
        )?;
        require(
            self.shutter >= 0.0 && self.shutter.is_finite(),
            "camera.shutter",
            self.shutter,
            "zero or positive (seconds)",
        )?;
        if let Some(lens) = self.lens {
            require(
                lens.aperture_radius >= 0.0 && lens.aperture_radius.is_finite(),
                "camera.lens.aperture_radius",
                lens.aperture_radius,
                "zero or positive (metres)",
            )?;
            if let Some(focus) = lens.focus_distance {
                require(
                    focus > 0.0 && focus.is_finite(),
                    "camera.lens.focus_distance",
                    focus,
                    "positive (metres)",
                )?;
            }
        }
        self.path.check(self.up, self.field_of_view)
    }
}

/// The axes of a view: `right` and `up` in the picture, `forward` into it.
#[derive(Clone, Copy, Debug)]
pub struct ViewFrame {
    /// Where the camera stands.
    pub eye: Vec3,
    /// To the right in the picture.
    pub right: Vec3,
    /// Upwards in the picture.
    pub up: Vec3,
    /// Into the picture.
    pub forward: Vec3,
}

impl ViewFrame {
    /// The axes at `eye`, looking at `target`, with `up` upright in the picture.
    pub fn new(eye: Vec3, target: Vec3, up: Vec3) -> Self {
        let forward = (target - eye).normalize();
        let right = forward.cross(up).normalize();
        Self {
            eye,
            right,
            up: right.cross(forward),
            forward,
        }
    }

    fn to_local(self, point: Vec3) -> Vec3 {
        let offset = point - self.eye;
        Vec3::new(
            offset.dot(self.right),
            offset.dot(self.up),
            offset.dot(self.forward),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framing_fills_eighty_percent_and_centres() {
        let boxes = [
            Aabb {
                lower: Vec3::new(-1.0, 0.0, -0.2),
                upper: Vec3::new(1.0, 0.4, 0.2),
            },
            Aabb {
                lower: Vec3::new(5.0, 5.0, 5.0),
                upper: Vec3::new(5.02, 5.3, 5.02),
            },
            Aabb {
                lower: Vec3::splat(-30.0),
                upper: Vec3::splat(40.0),
            },
        ];
        for bounds in boxes {
            for aspect in [16.0 / 9.0, 1.0, 0.5] {
                let camera = Camera::framing(&bounds, aspect);
                let pose = camera.pose(0.0);
                let frame = ViewFrame::new(pose.eye, pose.target, camera.up);
                let half_height = (pose.field_of_view.to_radians() / 2.0).tan();
                let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
                for corner in corners(&bounds) {
                    let local = frame.to_local(corner);
                    for (axis, half) in [half_height * aspect, half_height].into_iter().enumerate()
                    {
                        low[axis] = low[axis].min(local[axis] / local.z / half);
                        high[axis] = high[axis].max(local[axis] / local.z / half);
                    }
                }
                let fill = (0..2)
                    .map(|axis| (high[axis] - low[axis]) / 2.0)
                    .fold(0.0, f32::max);
                assert!((fill - 0.8).abs() < 0.01, "{bounds:?} {aspect}: {fill}");
                assert!(
                    (0..2).all(|axis| (high[axis] + low[axis]).abs() < 0.02),
                    "{low:?} {high:?}"
                );
            }
        }
    }

    #[test]
    fn framing_of_nothing_is_still_a_sound_camera() {
        assert!(Camera::framing(&Aabb::EMPTY, 1.5).check().is_ok());
        let point = Aabb {
            lower: Vec3::ONE,
            upper: Vec3::ONE,
        };
        assert!(Camera::framing(&point, 1.5).check().is_ok());
    }
}
