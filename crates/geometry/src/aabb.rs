//! Axis-aligned bounding boxes.

use glam::Vec3;

/// An axis-aligned box from `lower` to `upper`; empty when any lower coordinate exceeds the upper one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The corner with the smallest coordinates, in metres.
    pub lower: Vec3,
    /// The corner with the largest coordinates, in metres.
    pub upper: Vec3,
}

impl Aabb {
    /// The box that contains nothing and is neutral under [`Aabb::union`].
    pub const EMPTY: Self = Self {
        lower: Vec3::INFINITY,
        upper: Vec3::NEG_INFINITY,
    };

    /// The box that contains everything and is neutral under [`Aabb::intersection`].
    pub const EVERYTHING: Self = Self {
        lower: Vec3::NEG_INFINITY,
        upper: Vec3::INFINITY,
    };

    /// The box between two opposite corners.
    pub const fn new(lower: Vec3, upper: Vec3) -> Self {
        Self { lower, upper }
    }

    /// The box of the given centre and half extents.
    pub fn from_centre(centre: Vec3, half_extents: Vec3) -> Self {
        Self::new(centre - half_extents, centre + half_extents)
    }

    /// The smallest box around some points; empty for none.
    pub fn from_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::including)
    }

    /// The smallest box that contains this one and `point`.
    pub fn including(self, point: Vec3) -> Self {
        Self::new(self.lower.min(point), self.upper.max(point))
    }

    /// The smallest box that contains both.
    pub fn union(self, other: Self) -> Self {
        Self::new(self.lower.min(other.lower), self.upper.max(other.upper))
    }

    /// What both boxes share; empty when they are apart.
    pub fn intersection(self, other: Self) -> Self {
        Self::new(self.lower.max(other.lower), self.upper.min(other.upper))
    }

    /// The box grown by `distance` on every side (shrunk when negative); an empty box stays empty.
    pub fn dilated(self, distance: f32) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        Self::new(self.lower - distance, self.upper + distance)
    }

    /// Whether `point` lies inside or on the border.
    pub fn contains(&self, point: Vec3) -> bool {
        point.cmpge(self.lower).all() && point.cmple(self.upper).all()
    }

    /// Whether the two boxes share at least a point.
    pub fn overlaps(&self, other: &Self) -> bool {
        !self.intersection(*other).is_empty()
    }

    /// The side lengths; zero for an empty box, infinite for an unbounded one.
    pub fn extent(&self) -> Vec3 {
        if self.is_empty() {
            Vec3::ZERO
        } else {
            self.upper - self.lower
        }
    }

    /// The midpoint; meaningful for bounded, non-empty boxes.
    pub fn centre(&self) -> Vec3 {
        0.5 * (self.lower + self.upper)
    }

    /// Its eight corners.
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|corner| {
            let pick = |axis: usize| {
                if corner >> axis & 1 == 0 {
                    self.lower[axis]
                } else {
                    self.upper[axis]
                }
            };
            Vec3::new(pick(0), pick(1), pick(2))
        })
    }

    /// Whether the box contains no point at all.
    pub fn is_empty(&self) -> bool {
        !self.lower.cmple(self.upper).all()
    }

    /// Whether all six sides are finite.
    pub fn is_finite(&self) -> bool {
        self.lower.is_finite() && self.upper.is_finite()
    }

    /// The volume; zero for an empty box.
    pub fn volume(&self) -> f32 {
        self.extent().element_product()
    }

    /// Half the surface area; zero for an empty box.
    #[inline]
    pub fn half_area(&self) -> f32 {
        let size = self.extent();
        size.x * size.y + size.y * size.z + size.z * size.x
    }

    /// The distance from `point` to the box, zero inside it.
    pub fn distance(&self, point: Vec3) -> f32 {
        self.squared_distance(point).sqrt()
    }

    /// The square of [`Aabb::distance`].
    #[inline]
    pub fn squared_distance(&self, point: Vec3) -> f32 {
        (self.lower - point)
            .max(point - self.upper)
            .max(Vec3::ZERO)
            .length_squared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_and_everything_are_neutral() {
        let some = Aabb::new(Vec3::new(-1.0, 0.0, 2.0), Vec3::new(1.0, 3.0, 4.0));
        assert_eq!(Aabb::EMPTY.union(some), some);
        assert_eq!(Aabb::EVERYTHING.intersection(some), some);
        assert!(Aabb::EMPTY.is_empty() && Aabb::EMPTY.dilated(5.0).is_empty());
        assert_eq!(Aabb::EMPTY.extent(), Vec3::ZERO);
        assert!(!Aabb::EVERYTHING.is_finite());
    }

    #[test]
    fn boxes_apart_share_nothing() {
        let left = Aabb::new(Vec3::ZERO, Vec3::ONE);
        let right = Aabb::new(Vec3::new(2.0, 0.0, 0.0), Vec3::new(3.0, 1.0, 1.0));
        assert!(left.intersection(right).is_empty() && !left.overlaps(&right));
        assert!(left.dilated(1.0).overlaps(&right));
        assert_eq!(left.union(right).extent(), Vec3::new(3.0, 1.0, 1.0));
        assert_eq!(left.union(right).centre(), Vec3::new(1.5, 0.5, 0.5));
        assert_eq!(left.union(right).volume(), 3.0);
    }

    #[test]
    fn distance_is_to_the_nearest_side_edge_or_corner() {
        let unit = Aabb::from_centre(Vec3::ZERO, Vec3::ONE);
        assert_eq!(unit.distance(Vec3::new(0.3, -0.2, 0.9)), 0.0);
        assert_eq!(unit.distance(Vec3::new(3.0, 0.0, 0.0)), 2.0);
        assert_eq!(unit.distance(Vec3::new(4.0, -5.0, 0.0)), 5.0);
        assert!(unit.contains(Vec3::ONE) && !unit.contains(Vec3::splat(1.0001)));
    }
}
