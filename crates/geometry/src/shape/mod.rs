//! Solid shapes and their signed distances.

mod error;

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::{Aabb, MeshDistance};

pub use error::ShapeError;

/// Where the wall of a shell lies relative to the surface of the shape it hollows out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellSide {
    /// The whole wall lies inside: the outer surface stays where it was.
    Inside,
    /// Half of the wall lies on either side of the surface.
    Centred,
}

/// A solid with a signed distance; cheap to clone, and free to share between threads.
#[derive(Clone, Debug)]
pub struct Shape {}

#[allow(unused_variables)]
impl Shape {
    /// A box (named so because `box` is a reserved word).
    pub fn cuboid(centre: Vec3, half_extents: Vec3) -> Result<Self, ShapeError> {
        todo!()
    }
    /// A box with rounded edges; `half_extents` include the rounding.
    pub fn rounded_cuboid(
        centre: Vec3,
        half_extents: Vec3,
        radius: f32,
    ) -> Result<Self, ShapeError> {
        todo!()
    }
    /// A ball.
    pub fn sphere(centre: Vec3, radius: f32) -> Result<Self, ShapeError> {
        todo!()
    }
    /// An ellipsoid along the axes.
    pub fn ellipsoid(centre: Vec3, semi_axes: Vec3) -> Result<Self, ShapeError> {
        todo!()
    }
    /// All points within `radius` of the segment from `a` to `b`.
    pub fn capsule(a: Vec3, b: Vec3, radius: f32) -> Result<Self, ShapeError> {
        todo!()
    }
    /// A cylinder between the centres of its two flat ends.
    pub fn cylinder(a: Vec3, b: Vec3, radius: f32) -> Result<Self, ShapeError> {
        todo!()
    }
    /// A cone, truncated when both radii are positive, between the centres of its two flat ends.
    pub fn cone(a: Vec3, b: Vec3, radius_a: f32, radius_b: f32) -> Result<Self, ShapeError> {
        todo!()
    }
    /// A ring around `axis`.
    pub fn torus(
        centre: Vec3,
        axis: Vec3,
        major_radius: f32,
        minor_radius: f32,
    ) -> Result<Self, ShapeError> {
        todo!()
    }
    /// Everything behind the plane through `point`, that is, where `(x - point)·normal < 0`.
    pub fn half_space(point: Vec3, normal: Vec3) -> Result<Self, ShapeError> {
        todo!()
    }
    /// A triangle mesh; uses the sampled grid where the mesh has one ([`MeshDistance::baked`]).
    pub fn mesh(mesh: Arc<MeshDistance>) -> Self {
        todo!()
    }
    /// Everything inside at least one of the shapes.
    pub fn union(shapes: Vec<Shape>) -> Result<Self, ShapeError> {
        todo!()
    }
    /// Everything inside all of the shapes.
    pub fn intersection(shapes: Vec<Shape>) -> Result<Self, ShapeError> {
        todo!()
    }
    /// `shape` without what lies inside any of `removed`.
    pub fn difference(shape: Shape, removed: Vec<Shape>) -> Result<Self, ShapeError> {
        todo!()
    }
    /// A union with fillets of the given radius.
    pub fn smooth_union(shapes: Vec<Shape>, radius: f32) -> Result<Self, ShapeError> {
        todo!()
    }
    /// The shape scaled, then rotated, then moved.
    pub fn transformed(
        self,
        translation: Vec3,
        rotation: Quat,
        scale: f32,
    ) -> Result<Self, ShapeError> {
        todo!()
    }
    /// The hollow shell of the shape, a wall of constant thickness.
    pub fn shell(self, thickness: f32, side: ShellSide) -> Result<Self, ShapeError> {
        todo!()
    }

    /// The signed distance in metres, negative inside.
    pub fn distance(&self, point: Vec3) -> f32 {
        todo!()
    }
    /// The unit direction in which the distance grows fastest.
    pub fn gradient(&self, point: Vec3) -> Vec3 {
        todo!()
    }
    /// A box around the shape; infinite for unbounded shapes.
    pub fn bounds(&self) -> Aabb {
        todo!()
    }
    /// Whether `point` lies inside.
    pub fn contains(&self, point: Vec3) -> bool {
        todo!()
    }
    /// The most by which `|distance|` may exceed the true one: zero for all but sampled meshes.
    pub fn tolerance(&self) -> f32 {
        todo!()
    }
}
