//! Joins triangles that were found one by one, in parallel, into a mesh with shared vertices.

use glam::{IVec3, Vec3};
use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

use crate::tiles::order_key;

/// A corner of a triangle. Corners with equal keys are one vertex; they have the same position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    /// Names the vertex on the lattice.
    pub(crate) key: IVec3,
    /// Position in metres.
    pub(crate) position: Vec3,
}

/// The mesh of some triangles; vertices are numbered in the order of their keys, x fastest.
pub(crate) fn weld(triangles: &[[Corner; 3]]) -> TriangleMesh {
    let mut corners: Vec<Corner> = triangles
        .par_iter()
        .flat_map_iter(|corners| *corners)
        .collect();
    corners.par_sort_unstable_by_key(|corner| order_key(corner.key));
    corners.dedup_by_key(|corner| corner.key);
    let number = |corner: &Corner| {
        corners.partition_point(|other| order_key(other.key) < order_key(corner.key)) as u32
    };
    TriangleMesh {
        triangles: triangles
            .par_iter()
            .map(|corners| corners.each_ref().map(number))
            .collect(),
        positions: corners.iter().map(|corner| corner.position).collect(),
        ..TriangleMesh::default()
    }
}
