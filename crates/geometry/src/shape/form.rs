//! What a shape is made of, for those who need more than its distance.

use glam::Vec3;

use super::{Node, Primitive, Shape};
use crate::{MeshDistance, Pose};

/// How a shape came to be; lengths are in metres, in the frame of the shape.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Form<'a> {
    /// A box along the axes.
    Cuboid {
        /// Its middle.
        centre: Vec3,
        /// Half of its edges, rounding included.
        half_extents: Vec3,
        /// Radius of its edges.
        rounding: f32,
    },
    /// A ball.
    Sphere {
        /// Its middle.
        centre: Vec3,
        /// Its radius.
        radius: f32,
    },
    /// All points near a segment.
    Capsule {
        /// Ends of the segment.
        ends: [Vec3; 2],
        /// How near.
        radius: f32,
    },
    /// A cylinder or a stump of a cone.
    Cone {
        /// Centres of its flat ends.
        ends: [Vec3; 2],
        /// Their radii.
        radii: [f32; 2],
    },
    /// Everything behind a plane.
    HalfSpace {
        /// A point of the plane.
        point: Vec3,
        /// The unit normal that points out of it.
        normal: Vec3,
    },
    /// A triangle mesh.
    Mesh(&'a MeshDistance),
    /// Everything inside at least one of several shapes.
    Union(&'a [Shape]),
    /// Another shape at another place.
    Placed(&'a Shape, Pose),
    /// Anything else.
    Other,
}

impl Shape {
    /// What the shape is made of.
    pub fn form(&self) -> Form<'_> {
        match &*self.node {
            Node::Primitive(primitive) => primitive.form(),
            Node::Mesh(mesh) => Form::Mesh(mesh),
            Node::Union(shapes) => Form::Union(shapes),
            Node::Transformed {
                shape,
                translation,
                rotation,
                scale,
            } => {
                let pose = Pose {
                    translation: *translation,
                    rotation: *rotation,
                    scale: *scale,
                };
                Form::Placed(shape, pose)
            }
            _ => Form::Other,
        }
    }
}

impl Primitive {
    fn form(&self) -> Form<'_> {
        match *self {
            Self::Cuboid {
                centre,
                half_extents,
                rounding,
            } => Form::Cuboid {
                centre,
                half_extents,
                rounding,
            },
            Self::Sphere { centre, radius } => Form::Sphere { centre, radius },
            Self::Capsule {
                start,
                span,
                radius,
            } => Form::Capsule {
                ends: [start, start + span],
                radius,
            },
            Self::Cone {
                start,
                axis,
                length,
                radii,
            } => Form::Cone {
                ends: [start, start + axis * length],
                radii,
            },
            Self::HalfSpace { origin, normal } => Form::HalfSpace {
                point: origin,
                normal,
            },
            Self::Ellipsoid { .. } | Self::Torus { .. } => Form::Other,
        }
    }
}
