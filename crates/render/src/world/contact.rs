//! Pressing liquids against what they almost touch. A simulated liquid's surface ends up to half a cell away from its
//! container's; drawn as it is, a sliver of air between them turns into a silvery mirror. Vertices that near a wall are
//! moved just inside it, where the wall, which has priority, hides them: the boundary then is wall against liquid.
//!
//! Bodies that stand exactly on the ground share its plane, and rays would meet one or the other by rounding alone; their
//! feet are set a hair's breadth into it.

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

/// The share of a body's size that is a hair's breadth.
const HAIR: f32 = 1e-4;

/// Sets the vertices of a body of the given size that lie in the ground's plane a hair's breadth into it.
pub(super) fn settle(positions: &mut [Vec3], height: f32, size: f32) {
    let hair = HAIR * size;
    for position in positions
        .iter_mut()
        .filter(|position| (position.y - height).abs() < hair)
    {
        position.y = height - hair;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::MeshSource;
    use ooze_geometry::generate::cuboid;

    #[test]
    fn feet_are_set_into_the_ground() {
        let mut positions = [
            Vec3::new(1.0, 0.0, 2.0),
            Vec3::new(1.0, 0.01, 2.0),
            Vec3::new(1.0, -0.01, 2.0),
        ];
        settle(&mut positions, 0.0, 1.0);
        assert_eq!(positions.map(|position| position.y), [-HAIR, 0.01, -0.01]);
    }

    #[test]
    fn near_vertices_end_inside_the_wall_and_far_ones_stay() {
        let wall = cuboid(Vec3::splat(0.5), Vec3::splat(0.5));
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
