//! The point of a triangle set nearest to a given point, within a radius.

use glam::{Vec3, Vec4};

use super::build::WIDTH;
use super::triangles::TriangleSet;

impl TriangleSet {
    /// The nearest point at most `radius` away, and the unit normal of its triangle.
    pub(crate) fn closest(&self, point: Vec3, radius: f32) -> Option<(Vec3, Vec3)> {
        let mut best = None;
        self.hierarchy().traverse_near(
            point.to_array().map(Vec4::splat),
            radius * radius,
            |block, mut squared| {
                for lane in 0..WIDTH {
                    let corners = self.corners((block * WIDTH + lane) as u32, 0.0);
                    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
                    if normal.length_squared() == 0.0 {
                        continue;
                    }
                    let candidate = closest_on_triangle(point, corners);
                    let distance = candidate.distance_squared(point);
                    if distance <= squared {
                        squared = distance;
                        best = Some((candidate, normal.normalize()));
                    }
                }
                squared
            },
        );
        best
    }
}

/// The nearest point of a triangle: Ericson 2005, "Real-Time Collision Detection", sec. 5.1.5.
fn closest_on_triangle(point: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let (ab, ac) = (b - a, c - a);
    let along = |from: Vec3| (ab.dot(point - from), ac.dot(point - from));
    let ((d1, d2), (d3, d4), (d5, d6)) = (along(a), along(b), along(c));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let scale = 1.0 / (va + vb + vc);
    a + ab * (vb * scale) + ac * (vc * scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Sampler;

    #[test]
    fn closest_point_beats_a_dense_scan() {
        let mut chain = Sampler::new(4, 5, 6).chain();
        let mut random = || Vec3::from_array(std::array::from_fn(|_| chain.next() * 2.0 - 1.0));
        for _ in 0..200 {
            let (corners, point) = ([random(), random(), random()], random() * 2.0);
            let found = closest_on_triangle(point, corners).distance(point);
            let steps = 40;
            let scanned = (0..=steps)
                .flat_map(|i| {
                    (0..=steps - i).map(move |j| (i as f32 / steps as f32, j as f32 / steps as f32))
                })
                .map(|(u, v)| {
                    (corners[0] * (1.0 - u - v) + corners[1] * u + corners[2] * v).distance(point)
                })
                .fold(f32::MAX, f32::min);
            assert!(
                found <= scanned + 1e-5 && found >= scanned - 0.1,
                "{found} {scanned}"
            );
        }
    }
}
