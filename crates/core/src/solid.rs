//! One solid during a step: what it is, where it stands, how it moves.

use std::sync::Arc;

use glam::Vec3;
use ooze_geometry::{Aabb, Pose, Shape, Twist};

use crate::Contact;

/// A solid between the start and the end of a step. Between two steps it stands where the last one ended.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Name in the scene.
    pub name: String,
    /// Shape in the solid's own frame.
    pub shape: Arc<Shape>,
    /// How liquid behaves at its surface.
    pub contact: Contact,
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
        Aabb::from_points(corners(local).map(|corner| pose.to_world(corner)))
    }

    /// Where the material is at the end of the step that was at `point` at its start.
    pub fn carried(&self, point: Vec3) -> Vec3 {
        self.end.to_world(self.start.to_local(point))
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
        let speeds = corners(part).map(|corner| self.next.velocity(corner).length());
        speeds.fold(0.0, f32::max)
    }
}

fn corners(bounds: Aabb) -> impl Iterator<Item = Vec3> {
    (0..8).map(move |corner| {
        let pick = |axis: usize| {
            if corner >> axis & 1 == 0 {
                bounds.lower[axis]
            } else {
                bounds.upper[axis]
            }
        };
        Vec3::new(pick(0), pick(1), pick(2))
    })
}
