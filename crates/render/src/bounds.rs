//! What the renderer asks of axis-aligned boxes beyond their own methods.

use ooze_geometry::Aabb;

/// Half the surface area; zero for an empty box.
#[inline]
pub(crate) fn half_area(bounds: &Aabb) -> f32 {
    let size = bounds.extent();
    size.x * size.y + size.y * size.z + size.z * size.x
}
