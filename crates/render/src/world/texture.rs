//! Texture coordinates of a point of a mesh, and how they change along its surface.

use glam::Vec3;
use ooze_geometry::TriangleMesh;

use crate::shade::{Mapped, MappedLayer};

/// The coordinates of a point of a triangle; none if the mesh has none, or the triangle no area.
pub(super) fn mapped(
    mesh: &TriangleMesh,
    triangle: [u32; 3],
    corners: [Vec3; 3],
    weights: [f32; 3],
) -> Option<Mapped> {
    if mesh.rest_positions.iter().all(Vec::is_empty) {
        return None;
    }
    let (first, second) = (corners[1] - corners[0], corners[2] - corners[0]);
    let along = first.try_normalize()?;
    let across = (second - second.dot(along) * along).try_normalize()?;
    // A metre along either direction, in sides of the triangle.
    let height = second.dot(across);
    let per_metre = [
        [1.0 / first.length(), 0.0],
        [-second.dot(along) / (first.length() * height), 1.0 / height],
    ];
    let layers = mesh.rest_positions.each_ref().map(|layer| {
        (!layer.is_empty()).then(|| {
            let [a, b, c] = triangle.map(|vertex| layer[vertex as usize]);
            MappedLayer {
                at: a * weights[0] + b * weights[1] + c * weights[2],
                slopes: per_metre.map(|[to_b, to_c]| to_b * (b - a) + to_c * (c - a)),
            }
        })
    });
    Some(Mapped {
        along: [along, across],
        layers,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_turn_and_stretch_with_the_surface() {
        let corners = [
            Vec3::new(0.1, 0.2, 0.3),
            Vec3::new(0.4, 0.25, 0.2),
            Vec3::new(0.15, 0.5, 0.45),
        ];
        // Drawn out to twice the length along x, and turned.
        let rest = |point: Vec3| Vec3::new(point.y, 0.5 * point.x, point.z) + Vec3::splat(3.0);
        let mesh = TriangleMesh {
            positions: corners.to_vec(),
            triangles: vec![[0, 1, 2]],
            rest_positions: [corners.map(rest).to_vec(), Vec::new()],
            ..TriangleMesh::default()
        };
        let weights = [0.2, 0.3, 0.5];
        let point = (0..3).map(|corner| corners[corner] * weights[corner]).sum();
        let mapped = mapped(&mesh, [0, 1, 2], corners, weights).expect("a fair triangle");
        let layer = mapped.layers[0].expect("the mesh has it");
        assert!(layer.at.distance(rest(point)) < 1e-5);
        assert!(mapped.layers[1].is_none());
        for (along, slope) in mapped.along.iter().zip(layer.slopes) {
            let ahead = rest(point + 0.01 * along) - rest(point);
            assert!((100.0 * ahead).distance(slope) < 1e-3);
        }
    }
}
