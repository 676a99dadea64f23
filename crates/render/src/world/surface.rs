//! The surface at the end of a ray.

use glam::Vec3;

/// A point of a surface and what is known about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    pub(crate) point: Vec3,
    /// Where lines towards lamps start: lifted off the flat triangle onto the curved surface that its normals suggest,
    /// so that shadows do not show the triangles (Hanika 2021, "Hacking the Shadow Terminator", Ray Tracing Gems II).
    pub(crate) lifted: Vec3,
    /// Unit normal of the triangle, outwards.
    pub(crate) geometric: Vec3,
    /// Unit normal interpolated from the vertices, outwards.
    pub(crate) shading: Vec3,
    /// Which finish it has.
    pub(crate) finish: u32,
    /// Which object it belongs to; objects and finishes count alike, with particles and ground after the meshes.
    pub(crate) object: u32,
    /// Its own colour, where it has one.
    pub(crate) colour: Option<Vec3>,
    /// Its temperature, where it has one.
    pub(crate) temperature: Option<f32>,
    /// What its texture multiplies the body's colour by.
    pub(crate) tint: f32,
}

impl Surface {
    /// A point of a surface that is not made of triangles.
    pub(crate) fn smooth(point: Vec3, normal: Vec3, finish: u32) -> Self {
        Self {
            point,
            lifted: point,
            geometric: normal,
            shading: normal,
            finish,
            object: finish,
            colour: None,
            temperature: None,
            tint: 1.0,
        }
    }

    /// The same with both normals on the side that `direction` comes from.
    #[inline]
    pub(crate) fn facing(mut self, direction: Vec3) -> Self {
        if self.geometric.dot(direction) > 0.0 {
            self.geometric = -self.geometric;
            self.shading = -self.shading;
            // The lift is made for the outer side; a surface seen from within bends the other way.
            self.lifted = self.point;
        }
        // Interpolated normals can face away from a grazing ray: bend them until they do not.
        let along = self.shading.dot(direction);
        const LEAST: f32 = 0.02;
        if along > -LEAST {
            self.shading = (self.shading - (along + LEAST) * direction).normalize();
        }
        self
    }
}

/// Lifts a point of a triangle onto the curved surface that its corner normals suggest. Where they suggest more than a
/// share of the shortest side they are not to be trusted: long triangles beside a bevel.
#[inline]
pub(super) fn lift(point: Vec3, corners: [Vec3; 3], normals: [Vec3; 3], weights: [f32; 3]) -> Vec3 {
    const MOST: f32 = 0.2;
    let mut offset = Vec3::ZERO;
    for corner in 0..3 {
        let below = (point - corners[corner]).dot(normals[corner]).min(0.0);
        offset -= weights[corner] * below * normals[corner];
    }
    let [a, b, c] = corners;
    let shortest = a
        .distance_squared(b)
        .min(b.distance_squared(c))
        .min(c.distance_squared(a));
    let limit = MOST * MOST * shortest;
    let squared = offset.length_squared();
    if squared > limit {
        point + offset * (limit / squared).sqrt()
    } else {
        point + offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lifting_nears_the_sphere_that_the_normals_describe() {
        let corners = [
            Vec3::new(1.0, 0.2, 0.0),
            Vec3::new(0.9, 0.0, 0.3),
            Vec3::new(0.8, 0.3, 0.4),
        ]
        .map(Vec3::normalize);
        let centre = (corners[0] + corners[1] + corners[2]) / 3.0;
        let lifted = lift(centre, corners, corners, [1.0 / 3.0; 3]);
        assert!(lifted.length() > centre.length());
        assert!((lifted.length() - 1.0).abs() < 0.03, "{}", lifted.length());
        let long = [Vec3::ZERO, Vec3::X * 0.01, Vec3::Z];
        let tilted = [
            Vec3::new(0.0, 1.0, -0.2),
            Vec3::new(0.0, 1.0, -0.2),
            Vec3::new(0.0, 1.0, 0.2),
        ]
        .map(Vec3::normalize);
        let middle = (long[0] + long[1] + long[2]) / 3.0;
        assert!((lift(middle, long, tilted, [1.0 / 3.0; 3]) - middle).length() < 0.0021);
        assert!((lift(corners[0], corners, corners, [1.0, 0.0, 0.0]) - corners[0]).length() < 1e-6);
    }
}
