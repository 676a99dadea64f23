//! What cameras and lamps ask of axis-aligned boxes beyond their own methods.

use glam::Vec3;
use ooze_geometry::Aabb;

/// The box, or a unit box around the same place where it is empty or a point: something to frame and to light.
pub(crate) fn or_unit(bounds: &Aabb) -> Aabb {
    if !bounds.is_empty() && bounds.extent().max_element() > 0.0 {
        return *bounds;
    }
    let centre = if bounds.is_empty() {
        Vec3::ZERO
    } else {
        bounds.centre()
    };
    Aabb::from_centre(centre, Vec3::splat(0.5))
}

/// The eight corners.
pub(crate) fn corners(bounds: &Aabb) -> [Vec3; 8] {
    std::array::from_fn(|index| {
        Vec3::from_array(std::array::from_fn(|axis| {
            if index >> axis & 1 == 0 {
                bounds.lower[axis]
            } else {
                bounds.upper[axis]
            }
        }))
    })
}
