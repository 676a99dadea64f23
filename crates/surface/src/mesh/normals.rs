//! Smooth normals.

use glam::Vec3;
use ooze_field::{Field, level_set};
use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

use super::rings::Rings;

/// Gives a mesh unit normals at its vertices, from the triangles around them.
///
/// The weights are those that are exact on a sphere (Max 1999): the cross product of the two edges at the vertex over
/// the product of their squared lengths. Slivers, of which marching cubes makes many, do not disturb them.
pub fn set_vertex_normals(mesh: &mut TriangleMesh) {
    mesh.normals = vertex_normals(&mesh.positions, &Rings::new(mesh));
}

/// Unit normals of the vertices with given triangles around them.
pub(crate) fn vertex_normals(positions: &[Vec3], rings: &Rings) -> Vec<Vec3> {
    (0..positions.len())
        .into_par_iter()
        .with_min_len(1024)
        .map(|vertex| {
            let centre = positions[vertex];
            let mut sum = Vec3::ZERO;
            let mut area = Vec3::ZERO;
            for &[from, to] in rings.of(vertex) {
                let a = positions[from as usize] - centre;
                let b = positions[to as usize] - centre;
                let cross = a.cross(b);
                area += cross;
                let lengths = a.length_squared() * b.length_squared();
                if lengths > 0.0 {
                    sum += cross / lengths;
                }
            }
            // Where all triangles are degenerate, any direction is as good as another.
            sum.try_normalize()
                .or_else(|| area.try_normalize())
                .unwrap_or(Vec3::Z)
        })
        .collect()
}

/// Gives a mesh the unit normals of a level set at its vertices. Smoother than normals from triangles, as long as the
/// vertices still lie on the level set's surface; where the level set is constant, the triangles decide.
pub fn set_level_set_normals(mesh: &mut TriangleMesh, level_set: &Field<f32>) {
    set_vertex_normals(mesh);
    mesh.normals
        .par_iter_mut()
        .zip(&mesh.positions)
        .with_min_len(1024)
        .for_each(|(normal, &position)| {
            let gradient = level_set::gradient(level_set, position);
            // Where samples are missing or odd, the gradient may point anywhere.
            if gradient.is_finite() && normal.dot(gradient) > 0.0 {
                *normal = gradient.normalize_or(*normal);
            }
        });
}
