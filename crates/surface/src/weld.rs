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
    let corners = triangles.as_flattened();
    let mut order: Vec<([i32; 3], usize)> = corners
        .par_iter()
        .enumerate()
        .map(|(index, corner)| (order_key(corner.key), index))
        .collect();
    order.par_sort_unstable();
    let mut positions: Vec<Vec3> = Vec::new();
    let mut numbers = vec![[0; 3]; triangles.len()];
    let mut last = None;
    for (key, index) in order {
        if last != Some(key) {
            last = Some(key);
            positions.push(corners[index].position);
        }
        numbers.as_flattened_mut()[index] = positions.len() as u32 - 1;
    }
    TriangleMesh {
        triangles: numbers,
        positions,
        ..TriangleMesh::default()
    }
}
