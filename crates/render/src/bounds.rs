//! Axis-aligned boxes.

use glam::Vec3;
use ooze_geometry::TriangleMesh;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest corner in metres.
    pub lower: Vec3,
    /// Largest corner in metres.
    pub upper: Vec3,
}

impl Bounds {
    /// The box that contains nothing.
    pub const EMPTY: Self = Self {
        lower: Vec3::INFINITY,
        upper: Vec3::NEG_INFINITY,
    };

    /// The smallest box around the vertices of `mesh`.
    pub fn of_mesh(mesh: &TriangleMesh) -> Self {
        mesh.positions
            .iter()
            .fold(Self::EMPTY, |bounds, &point| bounds.including(point))
    }

    /// Whether the box contains nothing.
    pub fn is_empty(&self) -> bool {
        !self.lower.cmple(self.upper).all()
    }

    /// This box, or a unit box around the same place where this one is empty or a point: something to frame and to light.
    pub(crate) fn or_unit(&self) -> Self {
        let centre = if self.is_empty() {
            Vec3::ZERO
        } else {
            self.centre()
        };
        if self.is_empty() || self.size().max_element() <= 0.0 {
            return Self {
                lower: centre - Vec3::splat(0.5),
                upper: centre + Vec3::splat(0.5),
            };
        }
        *self
    }

    /// The smallest box around this and `point`.
    #[inline]
    pub fn including(&self, point: Vec3) -> Self {
        Self {
            lower: self.lower.min(point),
            upper: self.upper.max(point),
        }
    }

    /// The smallest box around this and `other`.
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            lower: self.lower.min(other.lower),
            upper: self.upper.max(other.upper),
        }
    }

    /// The middle of the box.
    #[inline]
    pub fn centre(&self) -> Vec3 {
        (self.lower + self.upper) * 0.5
    }

    /// Side lengths.
    #[inline]
    pub fn size(&self) -> Vec3 {
        self.upper - self.lower
    }

    /// The eight corners.
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|index| {
            Vec3::from_array(std::array::from_fn(|axis| {
                if index >> axis & 1 == 0 {
                    self.lower[axis]
                } else {
                    self.upper[axis]
                }
            }))
        })
    }

    /// Half the surface area; zero for the empty box.
    #[inline]
    pub(crate) fn half_area(&self) -> f32 {
        let size = self.size().max(Vec3::ZERO);
        size.x * size.y + size.y * size.z + size.z * size.x
    }
}
