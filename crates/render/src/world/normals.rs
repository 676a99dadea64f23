//! Normals for the corners of triangles: the mesh's own where it has them, else averaged over neighbours, leaving edges
//! sharp where the surface turns by more than the crease angle. Neighbours weigh by angle (Thürmer and Wüthrich 1998) and
//! by area, so that a large flat face beside a small bevel stays flat.

use glam::Vec3;
use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

/// Cosine of the crease angle, 40 degrees: a cylinder of twelve sides stays round, a box stays a box.
const CREASE_COSINE: f32 = 0.766;

/// One unit normal a corner, for each triangle.
pub(super) fn corner_normals(mesh: &TriangleMesh) -> Vec<[Vec3; 3]> {
    let faces: Vec<Vec3> = (0..mesh.triangles.len())
        .into_par_iter()
        .map(|index| {
            let [a, b, c] = mesh.corners(index);
            (b - a).cross(c - a).normalize_or_zero()
        })
        .collect();
    if !mesh.normals.is_empty() {
        return mesh
            .triangles
            .par_iter()
            .zip(&faces)
            .map(|(corners, face)| {
                corners.map(|vertex| {
                    mesh.normals[vertex as usize]
                        .try_normalize()
                        .unwrap_or(*face)
                })
            })
            .collect();
    }
    let points = weld(&mesh.positions);
    let around = triangles_around(mesh, &points);
    (0..mesh.triangles.len())
        .into_par_iter()
        .map(|index| {
            let face = faces[index];
            mesh.triangles[index].map(|vertex| {
                let point = points[vertex as usize];
                let sum: Vec3 = around
                    .of(point)
                    .iter()
                    .filter(|&&neighbour| faces[neighbour as usize].dot(face) >= CREASE_COSINE)
                    .map(|&neighbour| {
                        let neighbour = neighbour as usize;
                        faces[neighbour]
                            * weight_at(mesh, neighbour, |other| points[other as usize] == point)
                    })
                    .sum();
                sum.try_normalize().unwrap_or(face)
            })
        })
        .collect()
}

/// The angle of a triangle at the corner that `is_here` picks, times its area.
fn weight_at(mesh: &TriangleMesh, triangle: usize, is_here: impl Fn(u32) -> bool) -> f32 {
    let corners = mesh.corners(triangle);
    let here = (0..3)
        .find(|&corner| is_here(mesh.triangles[triangle][corner]))
        .unwrap_or(0);
    let edge = |other: usize| corners[other % 3] - corners[here];
    let (first, second) = (edge(here + 1), edge(here + 2));
    let twice_area = first.cross(second).length();
    twice_area * twice_area.atan2(first.dot(second))
}

/// One number for all vertices at the same position, as files without shared vertices repeat them.
fn weld(positions: &[Vec3]) -> Vec<u32> {
    // Adding zero makes -0 and +0 the same bits.
    let key = |index: u32| {
        (positions[index as usize] + Vec3::ZERO)
            .to_array()
            .map(f32::to_bits)
    };
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    order.par_sort_unstable_by_key(|&index| (key(index), index));
    let mut points = vec![0; positions.len()];
    let mut first = 0;
    for (place, &index) in order.iter().enumerate() {
        if place == 0 || key(index) != key(order[place - 1]) {
            first = index;
        }
        points[index as usize] = first;
    }
    points
}

/// The triangles around each point, in compressed rows.
struct Around {
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Around {
    fn of(&self, point: u32) -> &[u32] {
        &self.triangles
            [self.starts[point as usize] as usize..self.starts[point as usize + 1] as usize]
    }
}

fn triangles_around(mesh: &TriangleMesh, points: &[u32]) -> Around {
    let mut starts = vec![0; points.len() + 1];
    for vertex in mesh.triangles.iter().flatten() {
        starts[points[*vertex as usize] as usize + 1] += 1;
    }
    for index in 1..starts.len() {
        starts[index] += starts[index - 1];
    }
    let mut next = starts.clone();
    let mut triangles = vec![0; 3 * mesh.triangles.len()];
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        for vertex in corners {
            let place = &mut next[points[*vertex as usize] as usize];
            triangles[*place as usize] = triangle as u32;
            *place += 1;
        }
    }
    Around { starts, triangles }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ooze_geometry::generate::{cuboid, icosphere};

    #[test]
    fn box_stays_a_box() {
        let mesh = cuboid(Vec3::ZERO, Vec3::ONE);
        for (index, normals) in corner_normals(&mesh).into_iter().enumerate() {
            let [a, b, c] = mesh.corners(index);
            let face = (b - a).cross(c - a).normalize();
            assert!(normals.iter().all(|normal| normal.dot(face) > 0.9999));
        }
    }

    #[test]
    fn sphere_normals_point_from_the_centre_even_without_shared_vertices() {
        let mesh = icosphere(Vec3::ZERO, 1.0, 4);
        let loose = TriangleMesh {
            positions: (0..mesh.triangles.len())
                .flat_map(|index| mesh.corners(index))
                .collect(),
            triangles: (0..mesh.triangles.len() as u32)
                .map(|index| [3 * index, 3 * index + 1, 3 * index + 2])
                .collect(),
            ..TriangleMesh::default()
        };
        for mesh in [mesh, loose] {
            for (index, normals) in corner_normals(&mesh).into_iter().enumerate() {
                for (normal, position) in normals.into_iter().zip(mesh.corners(index)) {
                    assert!(normal.dot(position.normalize()) > 0.999);
                }
            }
        }
    }
}
