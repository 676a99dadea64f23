//! Single triangles: the nearest point, and the solid angle.

use glam::{DVec3, Vec3};

/// The nearest point found in a set of triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// From the nearest point to the query.
    pub(super) offset: Vec3,
    /// The triangle it lies on.
    pub(super) triangle: u32,
}

/// The normal of a triangle, twice as long as its area.
pub(super) fn double_area_vector(corners: &[Vec3; 3]) -> DVec3 {
    let [a, b, c] = corners.map(|corner| corner.as_dvec3());
    (b - a).cross(c - a)
}

/// The length of the side from corner number `side` to the next.
pub(super) fn side_length(corners: &[Vec3; 3], side: usize) -> f32 {
    corners[side].distance(corners[(side + 1) % 3])
}

/// The side of greatest length.
pub(super) fn longest_side(corners: &[Vec3; 3]) -> usize {
    let [first, second, third] = [0, 1, 2].map(|side| side_length(corners, side));
    if first >= second && first >= third {
        0
    } else if second >= third {
        1
    } else {
        2
    }
}

/// The vector from the nearest point of a triangle to `point`; triangles without area are segments or points.
#[inline]
pub(super) fn nearest_on_triangle(point: Vec3, corners: &[Vec3; 3]) -> Vec3 {
    let from = corners.map(|corner| point - corner);
    let edges = [
        corners[1] - corners[0],
        corners[2] - corners[1],
        corners[0] - corners[2],
    ];
    let normal = edges[2].cross(edges[0]);
    let normal_squared = normal.length_squared();
    let beside = |edge: usize| normal.cross(edges[edge]).dot(from[edge]) < 0.0;
    if normal_squared > 0.0 && !beside(0) && !beside(1) && !beside(2) {
        return normal * (normal.dot(from[0]) / normal_squared);
    }
    let mut best = from_segment(from[0], edges[0]);
    for edge in 1..3 {
        let candidate = from_segment(from[edge], edges[edge]);
        if candidate.length_squared() < best.length_squared() {
            best = candidate;
        }
    }
    best
}

/// The vector to a point from the nearest point of the segment along `edge`, given the vector `from` its start.
#[inline]
fn from_segment(from: Vec3, edge: Vec3) -> Vec3 {
    let length_squared = edge.length_squared();
    let along = if length_squared > 0.0 {
        from.dot(edge) / length_squared
    } else {
        0.0
    };
    from - along.clamp(0.0, 1.0) * edge
}

/// The solid angle of a triangle seen from `point` (Van Oosterom & Strackee 1983), positive from behind: the sum over
/// a closed surface is 4π inside.
#[inline]
pub(super) fn solid_angle(point: DVec3, corners: &[Vec3; 3]) -> f64 {
    let [a, b, c] = corners.map(|corner| corner.as_dvec3() - point);
    let [length_a, length_b, length_c] = [a, b, c].map(DVec3::length);
    let numerator = a.dot(b.cross(c));
    let denominator = length_a * length_b * length_c
        + a.dot(b) * length_c
        + b.dot(c) * length_a
        + c.dot(a) * length_b;
    2.0 * numerator.atan2(denominator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const CORNERS: [Vec3; 3] = [
        Vec3::ZERO,
        Vec3::new(2.0, 0.0, 0.0),
        Vec3::new(0.0, 1.0, 0.0),
    ];

    #[test]
    fn nearest_points_lie_on_face_edges_or_corners() {
        let cases = [
            (Vec3::new(0.3, 0.3, 2.0), Vec3::new(0.0, 0.0, 2.0)),
            (Vec3::new(0.3, 0.3, -2.0), Vec3::new(0.0, 0.0, -2.0)),
            (Vec3::new(1.0, -3.0, 4.0), Vec3::new(0.0, -3.0, 4.0)),
            (Vec3::new(-1.0, -2.0, 2.0), Vec3::new(-1.0, -2.0, 2.0)),
            (Vec3::new(4.0, 0.5, 0.0), Vec3::new(2.0, 0.5, 0.0)),
            (Vec3::new(2.0, 2.5, 0.0), Vec3::new(0.8, 1.6, 0.0) * 1.25),
        ];
        for (point, expected) in cases {
            let offset = nearest_on_triangle(point, &CORNERS);
            assert!(
                (offset - expected).length() < 1e-6,
                "{point}: {offset} instead of {expected}"
            );
        }
    }

    #[test]
    fn triangles_without_area_are_segments_or_points() {
        let segment = [Vec3::ZERO, Vec3::X, Vec3::new(3.0, 0.0, 0.0)];
        assert_eq!(
            nearest_on_triangle(Vec3::new(2.0, 1.0, 0.0), &segment),
            Vec3::Y
        );
        assert_eq!(
            nearest_on_triangle(Vec3::new(5.0, 0.0, 0.0), &segment),
            2.0 * Vec3::X
        );
        assert_eq!(nearest_on_triangle(Vec3::Y, &[Vec3::ZERO; 3]), Vec3::Y);
    }

    #[test]
    fn an_octant_is_an_eighth_of_the_sphere() {
        let octant = [Vec3::X, Vec3::Y, Vec3::Z];
        assert!((solid_angle(DVec3::ZERO, &octant) - 0.5 * PI).abs() < 1e-12);
        let reversed = [Vec3::X, Vec3::Z, Vec3::Y];
        assert!((solid_angle(DVec3::ZERO, &reversed) + 0.5 * PI).abs() < 1e-12);
        // Just below the triangle it fills half the view.
        let below = DVec3::new(0.3, 0.3, -1e-9);
        assert!((solid_angle(below, &CORNERS) - 2.0 * PI).abs() < 1e-6);
    }
}
