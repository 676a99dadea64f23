//! Closed triangle meshes from formulas, for scenes and tests.
//!
//! All are manifold, oriented outwards and without attributes. Counts below the least that closes are raised to it.

use std::{collections::HashMap, f32::consts::TAU};

use glam::Vec3;

use crate::TriangleMesh;

/// A sphere from an icosahedron whose triangles are split into four `subdivisions` times: 20 · 4ⁿ triangles.
pub fn icosphere(centre: Vec3, radius: f32, subdivisions: u32) -> TriangleMesh {
    let mut directions = icosahedron_vertices();
    let mut triangles = ICOSAHEDRON_TRIANGLES.to_vec();
    for _ in 0..subdivisions {
        let mut midpoints: HashMap<[u32; 2], u32> = HashMap::new();
        let mut midpoint = |a: u32, b: u32| {
            *midpoints.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                let middle = directions[a as usize] + directions[b as usize];
                directions.push(middle.normalize());
                directions.len() as u32 - 1
            })
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let [ab, bc, ca] = [midpoint(a, b), midpoint(b, c), midpoint(c, a)];
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            })
            .collect();
    }
    let positions = directions
        .into_iter()
        .map(|direction| centre + radius * direction)
        .collect();
    TriangleMesh {
        positions,
        triangles,
        ..TriangleMesh::default()
    }
}

/// A box of twelve triangles.
pub fn cuboid(centre: Vec3, half_extents: Vec3) -> TriangleMesh {
    let sign = |corner: u32, axis: u32| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
    let positions = (0..8)
        .map(|corner| {
            centre + half_extents * Vec3::from_array([0, 1, 2].map(|axis| sign(corner, axis)))
        })
        .collect();
    let mut triangles = Vec::with_capacity(12);
    for axis in 0..3 {
        let (first, second) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        for upper in [false, true] {
            let base = if upper { 1 << axis } else { 0 };
            let mut corners = [base, base + first, base + first + second, base + second];
            if !upper {
                corners.reverse();
            }
            triangles.extend(quadrilateral(corners));
        }
    }
    TriangleMesh {
        positions,
        triangles,
        ..TriangleMesh::default()
    }
}

/// A ring around the y axis of `major_segments` × `minor_segments` quadrilaterals.
pub fn torus(
    centre: Vec3,
    major_radius: f32,
    minor_radius: f32,
    major_segments: u32,
    minor_segments: u32,
) -> TriangleMesh {
    let (major_segments, minor_segments) = (major_segments.max(3), minor_segments.max(3));
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for major in 0..major_segments {
        let outward = circle(major, major_segments);
        for minor in 0..minor_segments {
            let (sine, cosine) = (TAU * minor as f32 / minor_segments as f32).sin_cos();
            let radius = major_radius + minor_radius * cosine;
            positions.push(centre + radius * outward + minor_radius * sine * Vec3::Y);

            let vertex = |major: u32, minor: u32| {
                (major % major_segments) * minor_segments + minor % minor_segments
            };
            triangles.extend(quadrilateral([
                vertex(major, minor),
                vertex(major, minor + 1),
                vertex(major + 1, minor + 1),
                vertex(major + 1, minor),
            ]));
        }
    }
    TriangleMesh {
        positions,
        triangles,
        ..TriangleMesh::default()
    }
}

/// A cylinder along y with flat ends.
pub fn cylinder(centre: Vec3, radius: f32, half_height: f32, segments: u32) -> TriangleMesh {
    let segments = segments.max(3);
    let height = half_height * Vec3::Y;
    let mut positions = vec![centre - height, centre + height];
    let mut triangles = Vec::new();
    for segment in 0..segments {
        let outward = radius * circle(segment, segments);
        positions.extend([centre - height + outward, centre + height + outward]);
        let [lower, next_lower] = [segment, segment + 1].map(|index| 2 + 2 * (index % segments));
        triangles.extend(quadrilateral([
            lower,
            lower + 1,
            next_lower + 1,
            next_lower,
        ]));
        triangles.push([0, lower, next_lower]);
        triangles.push([1, next_lower + 1, lower + 1]);
    }
    TriangleMesh {
        positions,
        triangles,
        ..TriangleMesh::default()
    }
}

/// A point of the unit circle around y; from x towards z.
fn circle(segment: u32, segments: u32) -> Vec3 {
    let (sine, cosine) = (TAU * segment as f32 / segments as f32).sin_cos();
    Vec3::new(cosine, 0.0, sine)
}

fn quadrilateral([a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    [[a, b, c], [a, c, d]]
}

fn icosahedron_vertices() -> Vec<Vec3> {
    let golden = 0.5 * (1.0 + 5.0_f32.sqrt());
    let mut vertices = Vec::with_capacity(12);
    for axis in 0..3 {
        for (one, long) in [
            (-1.0, golden),
            (1.0, golden),
            (-1.0, -golden),
            (1.0, -golden),
        ] {
            let mut vertex = Vec3::ZERO;
            vertex[axis] = one;
            vertex[(axis + 1) % 3] = long;
            vertices.push(vertex.normalize());
        }
    }
    vertices
}

/// The triples of vertices of [`icosahedron_vertices`] that are one edge apart, oriented outwards.
const ICOSAHEDRON_TRIANGLES: [[u32; 3]; 20] = [
    [0, 5, 1],
    [0, 1, 7],
    [0, 11, 5],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [1, 8, 7],
    [1, 9, 8],
    [2, 3, 4],
    [2, 6, 3],
    [2, 4, 11],
    [2, 10, 6],
    [2, 11, 10],
    [3, 9, 4],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [4, 5, 11],
    [6, 7, 8],
    [6, 10, 7],
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn meshes_are_closed_and_enclose_their_volume() {
        let centre = Vec3::new(0.5, -1.0, 2.0);
        let sphere = 4.0 / 3.0 * PI * 0.7_f64.powi(3);
        let cases = [
            (
                "icosphere",
                icosphere(centre, 0.7, 4),
                sphere,
                4.0 * PI * 0.49,
                0.003,
            ),
            (
                "cuboid",
                cuboid(centre, Vec3::new(1.0, 2.0, 0.5)),
                8.0,
                28.0,
                1e-6,
            ),
            (
                "torus",
                torus(centre, 1.0, 0.3, 128, 64),
                2.0 * PI * PI * 0.09,
                4.0 * PI * PI * 0.3,
                0.003,
            ),
            (
                "cylinder",
                cylinder(centre, 0.5, 1.0, 128),
                PI * 0.5,
                PI * 2.5,
                0.001,
            ),
        ];
        for (name, mesh, volume, area, tolerance) in cases {
            assert!(
                mesh.edge_report().is_closed_manifold(),
                "{name}: {:?}",
                mesh.edge_report()
            );
            assert!(
                (mesh.volume() / volume - 1.0).abs() < tolerance,
                "{name}: {}",
                mesh.volume()
            );
            assert!(
                (mesh.area() / area - 1.0).abs() < tolerance,
                "{name}: {}",
                mesh.area()
            );
            assert!((mesh.bounds().centre() - centre).length() < 1e-5);
        }
    }

    #[test]
    fn icosphere_approaches_the_sphere_with_second_order() {
        let exact = 4.0 / 3.0 * PI;
        let errors = [2, 3, 4].map(|level| exact - icosphere(Vec3::ZERO, 1.0, level).volume());
        for pair in errors.windows(2) {
            assert!((3.8..4.2).contains(&(pair[0] / pair[1])), "{errors:?}");
        }
    }

    #[test]
    fn too_few_segments_still_close() {
        assert!(
            torus(Vec3::ZERO, 1.0, 0.2, 0, 1)
                .edge_report()
                .is_closed_manifold()
        );
        assert!(
            cylinder(Vec3::ZERO, 1.0, 0.2, 0)
                .edge_report()
                .is_closed_manifold()
        );
    }
}
