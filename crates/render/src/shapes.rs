//! Simple meshes with exact normals, for tests, examples and props.

use glam::Vec3;
use ooze_geometry::TriangleMesh;
use std::f32::consts::TAU;

/// A box with flat faces.
pub fn cuboid(lower: Vec3, upper: Vec3) -> TriangleMesh {
    let corner = |index: u32| {
        Vec3::from_array(std::array::from_fn(|axis| {
            if index >> axis & 1 == 0 {
                lower[axis]
            } else {
                upper[axis]
            }
        }))
    };
    let faces = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    TriangleMesh {
        positions: (0..8).map(corner).collect(),
        triangles: faces
            .into_iter()
            .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
            .collect(),
        ..TriangleMesh::default()
    }
}

/// A sphere from an icosahedron whose triangles are quartered `divisions` times.
pub fn sphere(centre: Vec3, radius: f32, divisions: u32) -> TriangleMesh {
    let golden = (1.0 + 5.0_f32.sqrt()) / 2.0;
    let mut directions: Vec<Vec3> = (0..3)
        .flat_map(|axis| {
            [
                (-1.0, golden),
                (1.0, golden),
                (-1.0, -golden),
                (1.0, -golden),
            ]
            .map(|(short, long)| {
                let mut direction = Vec3::ZERO;
                direction[axis] = short;
                direction[(axis + 1) % 3] = long;
                direction.normalize()
            })
        })
        .collect();
    let mut triangles = convex_triangles(&directions);
    for _ in 0..divisions {
        triangles = quarter(&mut directions, &triangles);
    }
    TriangleMesh {
        positions: directions
            .iter()
            .map(|&direction| centre + radius * direction)
            .collect(),
        triangles,
        normals: directions,
        ..TriangleMesh::default()
    }
}

/// The twenty triangles of an icosahedron with unit `corners`: all triples of mutual neighbours.
fn convex_triangles(corners: &[Vec3]) -> Vec<[u32; 3]> {
    let near = |a: usize, b: usize| corners[a].distance(corners[b]) < 1.2;
    let count = corners.len();
    let mut triangles = Vec::new();
    for a in 0..count {
        for b in a + 1..count {
            for c in b + 1..count {
                if near(a, b) && near(b, c) && near(a, c) {
                    let outwards = (corners[b] - corners[a])
                        .cross(corners[c] - corners[a])
                        .dot(corners[a])
                        > 0.0;
                    triangles.push(
                        if outwards { [a, b, c] } else { [a, c, b] }.map(|index| index as u32),
                    );
                }
            }
        }
    }
    triangles
}

fn quarter(directions: &mut Vec<Vec3>, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut edges: Vec<[u32; 2]> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let first = directions.len() as u32;
    directions.extend(
        edges
            .clone()
            .into_iter()
            .map(|[a, b]| (directions[a as usize] + directions[b as usize]).normalize())
            .collect::<Vec<_>>(),
    );
    let middle = |a: u32, b: u32| -> u32 {
        let place = edges
            .binary_search(&[a.min(b), a.max(b)])
            .expect("every edge of a triangle was listed");
        first + place as u32
    };
    triangles
        .iter()
        .flat_map(|&[a, b, c]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
        })
        .collect()
}

/// A closed surface from a grid of points that joins up along both directions: `point` takes two numbers in [0, 1). The
/// outside is where the cross product of its derivatives by the first and by the second points.
pub fn torus_like(around: u32, along: u32, point: impl Fn(f32, f32) -> Vec3) -> TriangleMesh {
    let positions = (0..around * along)
        .map(|index| {
            point(
                (index % around) as f32 / around as f32,
                (index / around) as f32 / along as f32,
            )
        })
        .collect();
    let place = |i: u32, j: u32| (j % along) * around + i % around;
    TriangleMesh {
        positions,
        triangles: quads(around, along, place),
        ..TriangleMesh::default()
    }
}

/// A closed surface from an open profile turned around the vertical axis through `centre`: pairs of radius and height.
/// The profile runs so that the outside is on its right when radius points right and height up; where it starts or ends
/// on the axis it closes there.
pub fn turned(centre: Vec3, profile: &[(f32, f32)], around: u32) -> TriangleMesh {
    let rows = profile.len() as u32;
    let positions = profile
        .iter()
        .flat_map(|&(radius, height)| {
            (0..around).map(move |step| {
                let angle = TAU * step as f32 / around as f32;
                centre + Vec3::new(radius * angle.sin(), height, radius * angle.cos())
            })
        })
        .collect();
    let place = |i: u32, j: u32| j * around + i % around;
    TriangleMesh {
        positions,
        triangles: quads(around, rows - 1, place),
        ..TriangleMesh::default()
    }
}

fn quads(columns: u32, rows: u32, place: impl Fn(u32, u32) -> u32) -> Vec<[u32; 3]> {
    (0..rows)
        .flat_map(|j| (0..columns).map(move |i| (i, j)))
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [
                place(i, j),
                place(i + 1, j),
                place(i + 1, j + 1),
                place(i, j + 1),
            ];
            [[a, b, c], [a, c, d]]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_closed_and_wind_outwards() {
        let tube = torus_like(48, 96, |u, v| {
            let (ring, turn) = (TAU * u, -TAU * v);
            let radius = 1.0 + 0.3 * ring.cos();
            Vec3::new(radius * turn.sin(), 0.3 * ring.sin(), radius * turn.cos())
        });
        let cone = turned(Vec3::ZERO, &[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], 256);
        let pi = std::f64::consts::PI;
        for (mesh, volume) in [
            (cuboid(Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0)), 6.0),
            (sphere(Vec3::ONE, 1.0, 5), 4.0 / 3.0 * pi),
            (tube, 2.0 * pi * pi * 0.09),
            (cone, pi / 3.0),
        ] {
            assert!(
                (mesh.volume() / volume - 1.0).abs() < 0.01,
                "{} {volume}",
                mesh.volume()
            );
        }
    }
}
