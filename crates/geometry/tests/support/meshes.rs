//! Meshes made from others.

use ooze_geometry::TriangleMesh;

/// Several meshes as one.
pub(crate) fn merged(meshes: &[TriangleMesh]) -> TriangleMesh {
    let mut all = TriangleMesh::default();
    for mesh in meshes {
        let first = all.positions.len() as u32;
        all.positions.extend(&mesh.positions);
        all.triangles.extend(
            mesh.triangles
                .iter()
                .map(|corners| corners.map(|index| first + index)),
        );
    }
    all
}

/// The mesh inside out.
pub(crate) fn reversed(mesh: &TriangleMesh) -> TriangleMesh {
    let mut reversed = mesh.clone();
    reversed
        .triangles
        .iter_mut()
        .for_each(|triangle| triangle.swap(1, 2));
    reversed
}

/// The mesh with vertices of its own for every triangle.
pub(crate) fn exploded(mesh: &TriangleMesh) -> TriangleMesh {
    let positions = (0..mesh.triangles.len())
        .flat_map(|index| mesh.corners(index))
        .collect();
    let triangles = (0..mesh.triangles.len() as u32)
        .map(|index| [0, 1, 2].map(|corner| 3 * index + corner))
        .collect();
    TriangleMesh {
        positions,
        triangles,
        ..TriangleMesh::default()
    }
}
