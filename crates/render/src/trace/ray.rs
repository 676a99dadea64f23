//! A ray, and what can be computed once about it before it meets boxes and triangles four at a time.

use glam::{Vec3, Vec4};

/// A half-line at a moment of the shutter interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    pub(crate) origin: Vec3,
    /// Unit length.
    pub(crate) direction: Vec3,
    /// Position within the shutter interval, -½ to ½.
    pub(crate) time: f32,
}

impl Ray {
    #[inline]
    pub(crate) fn at(&self, distance: f32) -> Vec3 {
        self.origin + self.direction * distance
    }
}

/// A ray's quantities splatted over four lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RayFrame {
    pub(crate) origin: [Vec4; 3],
    pub(crate) direction: [Vec4; 3],
    /// Reciprocal direction, finite in every component.
    pub(crate) inverse: [Vec4; 3],
    /// Per axis, which of a box's two planes comes second: 1 where the direction is positive.
    pub(crate) far_plane: [usize; 3],
    /// Axes permuted so that the last is the direction's largest; the first two are swapped where that keeps winding.
    pub(crate) axes: [usize; 3],
    /// The shear and scale that take the direction to the permuted +z.
    pub(crate) shear: [Vec4; 3],
    pub(crate) time: Vec4,
}

impl RayFrame {
    #[inline]
    pub(crate) fn new(ray: &Ray) -> Self {
        let direction = ray.direction;
        let largest = direction.abs();
        let z = if largest.x > largest.y {
            if largest.x > largest.z { 0 } else { 2 }
        } else if largest.y > largest.z {
            1
        } else {
            2
        };
        let (mut x, mut y) = ((z + 1) % 3, (z + 2) % 3);
        if direction[z] < 0.0 {
            std::mem::swap(&mut x, &mut y);
        }
        let inverse = direction.to_array().map(|component| {
            const SMALLEST: f32 = 1e-18;
            1.0 / if component.abs() < SMALLEST {
                SMALLEST.copysign(component)
            } else {
                component
            }
        });
        let scale = 1.0 / direction[z];
        Self {
            origin: ray.origin.to_array().map(Vec4::splat),
            direction: direction.to_array().map(Vec4::splat),
            inverse: inverse.map(Vec4::splat),
            far_plane: inverse.map(|component| usize::from(component > 0.0)),
            axes: [x, y, z],
            shear: [direction[x] * scale, direction[y] * scale, scale].map(Vec4::splat),
            time: Vec4::splat(ray.time),
        }
    }
}
