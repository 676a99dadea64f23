//! What a USD file shows beside the frames.

use glam::{Mat4, Vec3};
use ooze_geometry::{Pose, TriangleMesh};

use super::material::PreviewSurface;

/// Everything that is known before the first frame.
pub struct Stage {
    /// Name of the scene.
    pub name: String,
    /// Frames a second.
    pub frame_rate: f64,
    /// The liquids, in the order of the frames' surfaces and of the particles' `material`.
    pub liquids: Vec<StageLiquid>,
    /// Diameter of a particle in metres.
    pub particle_diameter: f32,
    /// Whether frames come with surfaces.
    pub surfaces: bool,
    /// What tracers look like, in the order of the tracers' `set`.
    pub tracers: Vec<StageTracers>,
    /// The solids that are shown.
    pub colliders: Vec<StageCollider>,
    /// The camera at a time in seconds.
    pub camera: Box<dyn Fn(f64) -> View>,
}

/// A liquid.
#[derive(Clone, Debug, PartialEq)]
pub struct StageLiquid {
    /// Its name.
    pub name: String,
    /// What it looks like.
    pub look: PreviewSurface,
}

/// What tracers look like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageTracers {
    /// Linear red, green and blue.
    pub colour: Vec3,
    /// Diameter of a point in metres.
    pub diameter: f32,
}

/// A solid.
#[derive(Clone, Debug)]
pub struct StageCollider {
    /// Its name.
    pub name: String,
    /// What it looks like.
    pub look: PreviewSurface,
    /// Its mesh, in its own frame.
    pub mesh: TriangleMesh,
    /// Its place among the solids of a frame.
    pub index: usize,
    /// The collider that it is a copy of, look and all, by its place among the stage's, and where that one's own frame is in its own: it is
    /// nothing but moved there.
    pub copy_of: Option<(usize, Vec3)>,
}

/// From a solid's own frame to the world.
pub(super) fn placement(pose: &Pose) -> Mat4 {
    let scale = Vec3::splat(pose.scale);
    Mat4::from_scale_rotation_translation(scale, pose.rotation, pose.translation)
}

/// What a camera sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where the camera is, in metres.
    pub eye: Vec3,
    /// The point in the middle of the picture, in metres.
    pub target: Vec3,
    /// The direction that is up in the picture.
    pub up: Vec3,
    /// Vertical opening angle in degrees.
    pub field_of_view: f32,
    /// Width over height of the picture.
    pub aspect: f32,
}

impl View {
    /// From the camera's frame, which looks along -z with y up, to the world.
    pub(super) fn placement(&self) -> Mat4 {
        let backward = (self.eye - self.target).normalize_or(Vec3::Z);
        let right = self.up.cross(backward).normalize_or(Vec3::X);
        let up = backward.cross(right);
        Mat4::from_cols(
            right.extend(0.0),
            up.extend(0.0),
            backward.extend(0.0),
            self.eye.extend(1.0),
        )
    }
}
