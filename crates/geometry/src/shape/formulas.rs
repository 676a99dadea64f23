//! Signed distances of the simple solids, all exact, each with its unit gradient.
//!
//! Every function takes the point relative to the solid's own frame and returns distance and gradient together; callers
//! that drop the gradient lose nothing, as it is inlined away. Where the gradient is not unique (a centre, an axis, a
//! diagonal) one of the candidates is returned. The truncated cone and the torus work in the half plane of a profile
//! (distance from the axis, height along it) and are turned back by the caller's axis.

use glam::{Vec2, Vec3};

/// A direction for places where every direction is as good as any other.
const ANY_DIRECTION: Vec3 = Vec3::Y;

/// The unit vector along `vector`, or along `fallback` when `vector` is too short to have a direction.
fn direction_or(vector: Vec3, fallback: Vec3) -> Vec3 {
    vector.try_normalize().unwrap_or(fallback)
}

/// A box around the origin with edges rounded by `rounding`, which the half extents include.
#[inline]
pub(super) fn cuboid(point: Vec3, half_extents: Vec3, rounding: f32) -> (f32, Vec3) {
    let beyond = point.abs() - (half_extents - rounding);
    let outside = beyond.max(Vec3::ZERO);
    let sign = point.signum();
    let deepest = beyond.max_element();
    if deepest > 0.0 {
        return (
            outside.length() - rounding,
            direction_or(outside, Vec3::ZERO) * sign,
        );
    }
    let axis = beyond.max_position();
    (deepest - rounding, Vec3::AXES[axis] * sign)
}

/// A ball around the origin.
#[inline]
pub(super) fn sphere(point: Vec3, radius: f32) -> (f32, Vec3) {
    (point.length() - radius, direction_or(point, ANY_DIRECTION))
}

/// The points within `radius` of the segment from the origin to `end`.
#[inline]
pub(super) fn capsule(point: Vec3, end: Vec3, radius: f32) -> (f32, Vec3) {
    let along = (point.dot(end) / end.length_squared()).clamp(0.0, 1.0);
    let offset = point - along * end;
    (
        offset.length() - radius,
        direction_or(offset, end.normalize().any_orthonormal_vector()),
    )
}

/// The half space below the plane through the origin with unit normal `normal`.
#[inline]
pub(super) fn half_space(point: Vec3, normal: Vec3) -> (f32, Vec3) {
    (point.dot(normal), normal)
}

/// A ring around the unit `axis` through the origin.
#[inline]
pub(super) fn torus(point: Vec3, axis: Vec3, major_radius: f32, minor_radius: f32) -> (f32, Vec3) {
    let profile = Profile::new(point, axis);
    let offset = profile.position - Vec2::new(major_radius, 0.0);
    let outward = offset.try_normalize().unwrap_or(Vec2::X);
    (offset.length() - minor_radius, profile.direction(outward))
}

/// A truncated cone along the unit `axis` from the origin, where its radius is `radii[0]`, to `length`, where it is
/// `radii[1]`; a cylinder when both are equal.
#[inline]
pub(super) fn cone(point: Vec3, axis: Vec3, length: f32, radii: [f32; 2]) -> (f32, Vec3) {
    let profile = Profile::new(point, axis);
    let [radius, height] = profile.position.to_array();

    // The nearer of the two flat ends: how far beyond its rim, and how far above its plane.
    let upper = height > 0.5 * length;
    let end = Vec2::new(
        (radius - radii[upper as usize]).max(0.0),
        if upper { height - length } else { -height },
    );
    let end_outward = if upper { Vec2::Y } else { -Vec2::Y };

    // The slanted side.
    let slant = Vec2::new(radii[1] - radii[0], length);
    let from_rim = Vec2::new(radius - radii[0], height);
    let along = (from_rim.dot(slant) / slant.length_squared()).clamp(0.0, 1.0);
    let side = from_rim - along * slant;

    let inside = side.x < 0.0 && end.y < 0.0;
    let sign = if inside { -1.0 } else { 1.0 };
    if end.length_squared() < side.length_squared() {
        let offset = Vec2::new(end.x, end.y * end_outward.y);
        let outward = if inside {
            end_outward
        } else {
            offset.try_normalize().unwrap_or(end_outward)
        };
        (sign * end.length(), profile.direction(outward))
    } else {
        let normal = Vec2::new(slant.y, -slant.x).normalize();
        (
            sign * side.length(),
            profile.direction((sign * side).try_normalize().unwrap_or(normal)),
        )
    }
}

/// A point in the half plane through an axis: its distance from the axis and its height along it.
struct Profile {
    position: Vec2,
    radial: Vec3,
    axis: Vec3,
}

impl Profile {
    #[inline]
    fn new(point: Vec3, axis: Vec3) -> Self {
        let height = point.dot(axis);
        let radial = point - height * axis;
        Self {
            position: Vec2::new(radial.length(), height),
            radial,
            axis,
        }
    }

    /// The direction in space of a direction in the half plane.
    #[inline]
    fn direction(&self, in_plane: Vec2) -> Vec3 {
        let radial = direction_or(self.radial, self.axis.any_orthonormal_vector());
        (in_plane.x * radial + in_plane.y * self.axis).normalize()
    }
}
