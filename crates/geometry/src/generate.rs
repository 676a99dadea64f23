//! Closed triangle meshes from formulas, for scenes and tests.
#![allow(unused_variables)]

use glam::Vec3;

use crate::TriangleMesh;

/// A sphere from an icosahedron whose triangles are split into four `subdivisions` times.
pub fn icosphere(centre: Vec3, radius: f32, subdivisions: u32) -> TriangleMesh {
    todo!()
}
/// A box of twelve triangles.
pub fn cuboid(centre: Vec3, half_extents: Vec3) -> TriangleMesh {
    todo!()
}
/// A ring around the y axis with `major_segments` × `minor_segments` quadrilaterals.
pub fn torus(
    centre: Vec3,
    major_radius: f32,
    minor_radius: f32,
    major_segments: u32,
    minor_segments: u32,
) -> TriangleMesh {
    todo!()
}
/// A cylinder along y with flat ends.
pub fn cylinder(centre: Vec3, radius: f32, half_height: f32, segments: u32) -> TriangleMesh {
    todo!()
}
