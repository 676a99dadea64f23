//! Pressing liquids against what they almost touch. A simulated liquid's surface ends up to half a cell away from its
//! container's; drawn as it is, a sliver of air between them turns into a silvery mirror. Vertices that near a wall are
//! moved just inside it, where the wall, which has priority, hides them: the boundary then is wall against liquid.

use glam::Vec3;
use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

use crate::trace::TriangleSet;

/// The share of the gap by which a pressed vertex ends inside the wall.
const OVERLAP: f32 = 0.25;

/// The positions of `mesh`, pressed against `solids` and the ground at the given height.
pub(super) fn pressed_positions(
    mesh: &TriangleMesh,
    solids: &TriangleSet,
    ground: Option<f32>,
    gap: f32,
) -> Vec<Vec3> {
    let overlap = OVERLAP * gap;
    mesh.positions
        .par_iter()
        .map(|&position| {
            let mut moved = position;
            if let Some((nearest, normal)) = solids.closest(position, gap) {
                let outside = (position - nearest).dot(normal);
                if outside > -overlap {
                    moved = nearest - normal * overlap;
                }
            }
            if let Some(height) = ground
                && moved.y < height + gap
            {
                moved.y = moved.y.min(height - overlap);
            }
            moved
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::cuboid;
    use crate::trace::MeshSource;

    #[test]
    fn near_vertices_end_inside_the_wall_and_far_ones_stay() {
        let wall = cuboid(Vec3::ZERO, Vec3::ONE);
        let normals = vec![[Vec3::Y; 3]; wall.triangles.len()];
        let solids = TriangleSet::new(
            &[MeshSource {
                mesh: &wall,
                normals,
            }],
            0.0,
        );
        let gap = 0.1;
        let mesh = TriangleMesh {
            positions: vec![
                Vec3::new(0.5, 1.05, 0.5),
                Vec3::new(0.5, 1.2, 0.5),
                Vec3::new(1.04, 0.5, 0.5),
                Vec3::new(0.5, 0.96, 0.5),
                Vec3::new(3.0, 0.02, 3.0),
                Vec3::new(3.0, -0.5, 3.0),
            ],
            ..TriangleMesh::default()
        };
        let moved = pressed_positions(&mesh, &solids, Some(0.0), gap);
        let expected = [
            Vec3::new(0.5, 0.975, 0.5),
            Vec3::new(0.5, 1.2, 0.5),
            Vec3::new(0.975, 0.5, 0.5),
            Vec3::new(0.5, 0.96, 0.5),
            Vec3::new(3.0, -0.025, 3.0),
            Vec3::new(3.0, -0.5, 3.0),
        ];
        for (found, expected) in moved.iter().zip(expected) {
            assert!((*found - expected).length() < 1e-5, "{found} {expected}");
        }
    }
}
