//! The solids that are given by a formula: placing them in space, and their bounding boxes.

use glam::Vec3;

use super::{ellipsoid::ellipsoid, formulas};
use crate::Aabb;

/// A solid given by a formula; axes and normals are unit vectors.
#[derive(Clone, Copy, Debug)]
pub(super) enum Primitive {
    Cuboid {
        centre: Vec3,
        half_extents: Vec3,
        rounding: f32,
    },
    Sphere {
        centre: Vec3,
        radius: f32,
    },
    Ellipsoid {
        centre: Vec3,
        semi_axes: Vec3,
    },
    Capsule {
        start: Vec3,
        span: Vec3,
        radius: f32,
    },
    /// A cylinder when both radii are equal.
    Cone {
        start: Vec3,
        axis: Vec3,
        length: f32,
        radii: [f32; 2],
    },
    Torus {
        centre: Vec3,
        axis: Vec3,
        major_radius: f32,
        minor_radius: f32,
    },
    HalfSpace {
        origin: Vec3,
        normal: Vec3,
    },
}

impl Primitive {
    /// Signed distance and unit gradient at `point`.
    #[inline]
    pub(super) fn evaluate(&self, point: Vec3) -> (f32, Vec3) {
        match *self {
            Self::Cuboid {
                centre,
                half_extents,
                rounding,
            } => formulas::cuboid(point - centre, half_extents, rounding),
            Self::Sphere { centre, radius } => formulas::sphere(point - centre, radius),
            Self::Ellipsoid { centre, semi_axes } => ellipsoid(point - centre, semi_axes),
            Self::Capsule {
                start,
                span,
                radius,
            } => formulas::capsule(point - start, span, radius),
            Self::Cone {
                start,
                axis,
                length,
                radii,
            } => formulas::cone(point - start, axis, length, radii),
            Self::Torus {
                centre,
                axis,
                major_radius,
                minor_radius,
            } => formulas::torus(point - centre, axis, major_radius, minor_radius),
            Self::HalfSpace { origin, normal } => formulas::half_space(point - origin, normal),
        }
    }

    /// The smallest box around the solid; unbounded for a half space.
    pub(super) fn bounds(&self) -> Aabb {
        match *self {
            Self::Cuboid {
                centre,
                half_extents,
                ..
            } => Aabb::from_centre(centre, half_extents),
            Self::Sphere { centre, radius } => Aabb::from_centre(centre, Vec3::splat(radius)),
            Self::Ellipsoid { centre, semi_axes } => Aabb::from_centre(centre, semi_axes),
            Self::Capsule {
                start,
                span,
                radius,
            } => Aabb::from_points([start, start + span]).dilated(radius),
            Self::Cone {
                start,
                axis,
                length,
                radii,
            } => {
                let end = |height: f32, radius: f32| {
                    Aabb::from_centre(start + height * axis, radius * disc_extent(axis))
                };
                end(0.0, radii[0]).union(end(length, radii[1]))
            }
            Self::Torus {
                centre,
                axis,
                major_radius,
                minor_radius,
            } => Aabb::from_centre(centre, major_radius * disc_extent(axis) + minor_radius),
            Self::HalfSpace { origin, normal } => half_space_bounds(origin, normal),
        }
    }
}

/// The half extents of the unit disc around `axis`.
fn disc_extent(axis: Vec3) -> Vec3 {
    (Vec3::ONE - axis * axis).max(Vec3::ZERO).map(f32::sqrt)
}

/// Bounded on one side when the plane is perpendicular to a coordinate axis, else everything.
fn half_space_bounds(origin: Vec3, normal: Vec3) -> Aabb {
    let mut bounds = Aabb::EVERYTHING;
    for axis in 0..3 {
        if normal[axis] == 1.0 {
            bounds.upper[axis] = origin[axis];
        } else if normal[axis] == -1.0 {
            bounds.lower[axis] = origin[axis];
        }
    }
    bounds
}
