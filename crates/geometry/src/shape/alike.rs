//! Shapes that are one another's copies at other places.

use std::sync::Arc;

use glam::Vec3;

use super::{Node, Primitive, Shape};

/// Relative differences of lengths that are rounding, or might as well be.
const ROUNDING: f32 = 1e-4;

impl Shape {
    /// By how much another shape is this one moved, if it was made in the same way and differs in its place alone.
    pub fn shift_to(&self, other: &Self) -> Option<Vec3> {
        if Arc::ptr_eq(&self.node, &other.node) {
            return Some(Vec3::ZERO);
        }
        match (&*self.node, &*other.node) {
            (Node::Primitive(one), Node::Primitive(other)) => one.shift_to(other),
            (Node::Mesh(one), Node::Mesh(other)) => Arc::ptr_eq(one, other).then_some(Vec3::ZERO),
            (Node::Union(one), Node::Union(other))
            | (Node::Intersection(one), Node::Intersection(other)) => shift_of_all(one, other),
            (Node::Difference(one, holes), Node::Difference(other, other_holes)) => agreed(
                one.shift_to(other)?,
                shift_of_all(holes, other_holes)?,
                one.size(),
            ),
            (
                Node::SmoothUnion { shapes, radius },
                Node::SmoothUnion {
                    shapes: others,
                    radius: other_radius,
                },
            ) if radius == other_radius => shift_of_all(shapes, others),
            (
                Node::Transformed {
                    shape,
                    translation,
                    rotation,
                    scale,
                },
                Node::Transformed {
                    shape: other,
                    translation: to,
                    rotation: other_rotation,
                    scale: other_scale,
                },
            ) if rotation == other_rotation && scale == other_scale => {
                let inner = shape.shift_to(other)?;
                Some(*to - *translation + *rotation * (*scale * inner))
            }
            (
                Node::Shell {
                    shape,
                    inward,
                    outward,
                },
                Node::Shell {
                    shape: other,
                    inward: other_inward,
                    outward: other_outward,
                },
            ) if inward == other_inward && outward == other_outward => shape.shift_to(other),
            _ => None,
        }
    }

    /// Its longest side.
    fn size(&self) -> f32 {
        self.bounds().extent().max_element()
    }
}

impl Primitive {
    /// By how much another primitive is this one moved; none of half spaces, which have no place.
    fn shift_to(&self, other: &Self) -> Option<Vec3> {
        let ((place, sizes), (to, other_sizes)) = (self.measures()?, other.measures()?);
        let longest = sizes
            .iter()
            .fold(0.0, |longest: f32, size| longest.max(size.abs()));
        let same = sizes.len() == other_sizes.len()
            && std::mem::discriminant(self) == std::mem::discriminant(other)
            && sizes
                .iter()
                .zip(&other_sizes)
                .all(|(one, other)| (one - other).abs() <= ROUNDING * longest);
        same.then_some(to - place)
    }

    /// Where it is, and everything else about it, as lengths.
    fn measures(&self) -> Option<(Vec3, Vec<f32>)> {
        let (place, vector, lengths) = match *self {
            Self::Cuboid {
                centre,
                half_extents,
                rounding,
            } => (centre, half_extents, vec![rounding]),
            Self::Sphere { centre, radius } => (centre, Vec3::ZERO, vec![radius]),
            Self::Ellipsoid { centre, semi_axes } => (centre, semi_axes, vec![]),
            Self::Capsule {
                start,
                span,
                radius,
            } => (start, span, vec![radius]),
            Self::Cone {
                start,
                axis,
                length,
                radii,
            } => (start, axis * length, radii.to_vec()),
            Self::Torus {
                centre,
                axis,
                major_radius,
                minor_radius,
            } => (centre, axis * major_radius, vec![minor_radius]),
            Self::HalfSpace { .. } => return None,
        };
        Some((place, [&vector.to_array()[..], &lengths].concat()))
    }
}

/// The one way that all shapes of a list were moved to become those of another list.
fn shift_of_all(shapes: &[Shape], others: &[Shape]) -> Option<Vec3> {
    if shapes.len() != others.len() {
        return None;
    }
    let mut shifts = shapes.iter().zip(others);
    let (first, other) = shifts.next()?;
    let shift = first.shift_to(other)?;
    shifts.try_fold(shift, |shift, (one, other)| {
        agreed(shift, one.shift_to(other)?, one.size())
    })
}

/// The first of two ways that are the same for shapes of some size.
fn agreed(one: Vec3, other: Vec3, size: f32) -> Option<Vec3> {
    (one.distance(other) <= ROUNDING * size).then_some(one)
}
