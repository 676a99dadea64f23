//! Signed distance of triangle meshes.

use glam::Vec3;

use crate::{Aabb, MeshError, TriangleMesh};

/// Something odd about a mesh that could be put right.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshWarning {}

/// The signed distance of a triangle mesh.
#[derive(Clone, Debug)]
pub struct MeshDistance {}

#[allow(unused_variables)]
impl MeshDistance {
    /// Builds the search trees; refuses meshes that do not enclose a volume.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, MeshError> {
        todo!()
    }
    /// The same mesh with a narrow-band grid of samples `cell_size` metres apart, which [`Self::sampled`] then uses.
    pub fn baked(&self, cell_size: f32) -> Result<Self, MeshError> {
        todo!()
    }
    /// The exact signed distance, negative inside.
    pub fn distance(&self, point: Vec3) -> f32 {
        todo!()
    }
    /// The distance from the sampled grid if there is one, else the exact one.
    pub fn sampled(&self, point: Vec3) -> f32 {
        todo!()
    }
    /// The nearest point of the surface.
    pub fn closest_point(&self, point: Vec3) -> Vec3 {
        todo!()
    }
    /// How many times the surface winds around `point`: 1 inside, 0 outside.
    pub fn winding_number(&self, point: Vec3) -> f32 {
        todo!()
    }
    /// Unit gradient.
    pub fn sampled_gradient(&self, point: Vec3) -> Vec3 {
        todo!()
    }
    /// Band
    pub fn band(&self) -> f32 {
        todo!()
    }
    /// The smallest box around the surface.
    pub fn bounds(&self) -> Aabb {
        todo!()
    }
    /// The most by which [`Self::sampled`] may exceed the true distance.
    pub fn tolerance(&self) -> f32 {
        todo!()
    }
    /// What was odd about the mesh and how it was put right.
    pub fn warnings(&self) -> &[MeshWarning] {
        todo!()
    }
}
