//! Indexed triangle meshes: the common currency of readers, surface extraction, rendering and exporters.

mod edges;
mod fault;

use glam::{DVec3, Vec3};

use crate::{Aabb, Pose};

pub use edges::EdgeReport;
pub(crate) use edges::edge_uses;
pub use fault::{MeshError, MeshFault};
pub(crate) use fault::{short, short_vector};

/// An indexed triangle mesh with optional per-vertex attributes.
///
/// Triangles wind counter-clockwise seen from outside. An attribute vector is either empty or has one entry a vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// Vertex positions in metres.
    pub positions: Vec<Vec3>,
    /// Vertex indices of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Unit vertex normals.
    pub normals: Vec<Vec3>,
    /// Vertex velocities in metres per second, for motion blur.
    pub velocities: Vec<Vec3>,
    /// Linear RGB vertex colours.
    pub colours: Vec<Vec3>,
    /// Vertex temperatures in kelvin.
    pub temperatures: Vec<f32>,
    /// Texture coordinates of vertices: where their liquid was when these were given, in metres. Liquids whose coordinates are given
    /// anew from time to time have two layers of them.
    pub rest_positions: [Vec<Vec3>; 2],
}

impl TriangleMesh {
    /// The three corners of triangle `index`.
    pub fn corners(&self, index: usize) -> [Vec3; 3] {
        self.triangles[index].map(|vertex| self.positions[vertex as usize])
    }

    /// Adds another mesh; attributes that only one of the two has are dropped.
    pub fn append(&mut self, other: Self) {
        let (own, offset) = (self.positions.len(), self.positions.len() as u32);
        let added = other.positions.len();
        join(&mut self.normals, own, other.normals, added);
        join(&mut self.velocities, own, other.velocities, added);
        join(&mut self.colours, own, other.colours, added);
        join(&mut self.temperatures, own, other.temperatures, added);
        for (layer, others) in self.rest_positions.iter_mut().zip(other.rest_positions) {
            join(layer, own, others, added);
        }
        self.positions.extend(other.positions);
        let moved = other.triangles.into_iter();
        self.triangles
            .extend(moved.map(|triangle| triangle.map(|vertex| vertex + offset)));
    }

    /// Moves the mesh from its own frame to where a pose puts it.
    pub fn place(&mut self, pose: &Pose) {
        for position in &mut self.positions {
            *position = pose.to_world(*position);
        }
        for normal in &mut self.normals {
            *normal = pose.rotation * *normal;
        }
    }

    /// The enclosed volume by the divergence theorem; meaningful for closed meshes.
    pub fn volume(&self) -> f64 {
        self.corners_in_double()
            .map(|[a, b, c]| a.dot(b.cross(c)))
            .sum::<f64>()
            / 6.0
    }

    /// The total area of the triangles in square metres.
    pub fn area(&self) -> f64 {
        self.corners_in_double()
            .map(|[a, b, c]| (b - a).cross(c - a).length())
            .sum::<f64>()
            / 2.0
    }

    /// The smallest box around all vertices; empty for a mesh without vertices.
    pub fn bounds(&self) -> Aabb {
        Aabb::from_points(self.positions.iter().copied())
    }

    fn corners_in_double(&self) -> impl Iterator<Item = [DVec3; 3]> {
        (0..self.triangles.len()).map(|index| self.corners(index).map(|corner| corner.as_dvec3()))
    }
}
/// Joins an attribute of `own` vertices with that of `added` ones, if all have it.
fn join<T>(values: &mut Vec<T>, own: usize, others: Vec<T>, added: usize) {
    if values.len() == own && others.len() == added {
        values.extend(others);
    } else {
        values.clear();
    }
}
