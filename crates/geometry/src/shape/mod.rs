//! Solid shapes and their signed distances.
//!
//! A distance is in metres, negative inside. It is exact for the primitives, transformed shapes and exact meshes.
//! Everywhere else it has the right sign and is 1-Lipschitz, so that |distance| never exceeds the true distance to the
//! surface, and a ball of that radius around the point meets no surface:
//!
//! | shape | distance |
//! |---|---|
//! | box, rounded box, sphere, ellipsoid, capsule, cylinder, cone, torus, half space | exact |
//! | union | exact outside, lower bound inside |
//! | intersection | exact inside where convex, lower bound outside |
//! | difference | lower bound |
//! | smooth union | exact where one shape is nearer than all others by the fillet radius (outside), else lower bound |
//! | shell | as exact as the shape it hollows out |
//! | transformed | as exact as the shape it moves |
//! | what is left of a worn shape ([`Shape::worn`]) | sampled |
//! | mesh | exact, or sampled with a known tolerance ([`Shape::tolerance`]) |

mod alike;
mod blend;
mod build;
mod depth;
mod ellipsoid;
mod error;
mod form;
mod formulas;
mod primitive;
mod weigh;
mod worn;

use std::sync::Arc;

use glam::{Quat, Vec3};
use ooze_commons::choice;

use crate::{Aabb, MeshDistance, Pose, TriangleMesh};

use primitive::Primitive;
use worn::Worn;

pub use error::ShapeError;
pub use form::Form;
pub use worn::Grains;

choice! {
    /// Where the wall of a shell lies.
    pub enum ShellSide {
        /// Inside the shape: the outer surface stays where it was.
        Inside "inside";
        /// Half inside, half outside of the surface.
        Centred "centred";
    }
}

/// A solid with a signed distance; cheap to clone, and free to share between threads.
///
/// The constructors check their parameters, so that every `Shape` that exists has a finite distance at every finite
/// point.
#[derive(Clone, Debug)]
pub struct Shape {
    node: Arc<Node>,
}

/// The kinds of shapes.
#[derive(Debug)]
enum Node {
    Primitive(Primitive),
    Mesh(Arc<MeshDistance>),
    /// What is left of another shape.
    Worn(Worn),
    Union(Vec<Shape>),
    Intersection(Vec<Shape>),
    Difference(Shape, Vec<Shape>),
    SmoothUnion {
        shapes: Vec<Shape>,
        radius: f32,
    },
    Transformed {
        shape: Shape,
        translation: Vec3,
        rotation: Quat,
        scale: f32,
    },
    /// The points whose distance to `shape` lies between `-inward` and `outward`.
    Shell {
        shape: Shape,
        inward: f32,
        outward: f32,
    },
}

/// Smooth unions of up to this many shapes need no allocation to evaluate.
const BLEND_ON_STACK: usize = 16;

impl Shape {
    /// The signed distance in metres, negative inside: exact or a lower bound as the table of the module says.
    pub fn distance(&self, point: Vec3) -> f32 {
        match &*self.node {
            Node::Primitive(primitive) => primitive.evaluate(point).0,
            Node::Mesh(mesh) => mesh.sampled(point),
            Node::Worn(worn) => worn.distance(point),
            Node::Union(shapes) => least_distance(shapes, point),
            Node::Intersection(shapes) => greatest_distance(shapes, point),
            Node::Difference(shape, removed) => {
                shape.distance(point).max(-least_distance(removed, point))
            }
            Node::SmoothUnion { shapes, radius } => with_distances(shapes, point, |distances| {
                blend::smooth_minimum(distances, *radius)
            }),
            Node::Transformed {
                shape,
                translation,
                rotation,
                scale,
            } => scale * shape.distance(rotation.inverse() * (point - translation) / *scale),
            Node::Shell {
                shape,
                inward,
                outward,
            } => {
                let distance = shape.distance(point);
                (distance - outward).max(-distance - inward)
            }
        }
    }

    /// The unit direction in which the distance grows fastest; where several do, one of them.
    pub fn gradient(&self, point: Vec3) -> Vec3 {
        match &*self.node {
            Node::Primitive(primitive) => primitive.evaluate(point).1,
            Node::Mesh(mesh) => mesh.sampled_gradient(point),
            Node::Worn(worn) => worn.gradient(point),
            Node::Union(shapes) => nearest(shapes, point).0.gradient(point),
            Node::Intersection(shapes) => furthest(shapes, point).gradient(point),
            Node::Difference(shape, removed) => {
                let (hole, distance) = nearest(removed, point);
                if shape.distance(point) >= -distance {
                    shape.gradient(point)
                } else {
                    -hole.gradient(point)
                }
            }
            Node::SmoothUnion { shapes, radius } => with_distances(shapes, point, |distances| {
                let blended = blend::smooth_minimum(distances, *radius);
                let weighted = shapes.iter().zip(distances).map(|(shape, &distance)| {
                    match blend::gradient_weight(distance, blended, *radius) {
                        0.0 => Vec3::ZERO,
                        weight => weight * shape.gradient(point),
                    }
                });
                weighted.sum::<Vec3>().normalize_or(Vec3::Y)
            }),
            Node::Transformed {
                shape,
                translation,
                rotation,
                scale,
            } => *rotation * shape.gradient(rotation.inverse() * (point - translation) / *scale),
            Node::Shell {
                shape,
                inward,
                outward,
            } => {
                let distance = shape.distance(point);
                let outer = distance - outward >= -distance - inward;
                shape.gradient(point) * if outer { 1.0 } else { -1.0 }
            }
        }
    }

    /// Whether `point` lies inside.
    pub fn contains(&self, point: Vec3) -> bool {
        self.distance(point) < 0.0
    }

    /// A box around the shape, tight for the primitives; infinite on the open sides of unbounded shapes, empty for an
    /// intersection of shapes that lie apart.
    pub fn bounds(&self) -> Aabb {
        match &*self.node {
            Node::Primitive(primitive) => primitive.bounds(),
            Node::Mesh(mesh) => mesh.bounds(),
            Node::Worn(worn) => worn.bounds(),
            Node::Union(shapes) => union_bounds(shapes),
            Node::Intersection(shapes) => shapes.iter().fold(Aabb::EVERYTHING, |bounds, shape| {
                bounds.intersection(shape.bounds())
            }),
            Node::Difference(shape, _) => shape.bounds(),
            Node::SmoothUnion { shapes, radius } => {
                union_bounds(shapes).dilated(blend::greatest_swelling(shapes.len(), *radius))
            }
            Node::Transformed {
                shape,
                translation,
                rotation,
                scale,
            } => transformed_bounds(shape.bounds(), *translation, *rotation, *scale),
            Node::Shell { shape, outward, .. } => shape.bounds().dilated(*outward),
        }
    }

    /// The mesh that the shape is, as it was given ([`MeshDistance::mesh`]) and then moved; none if it is no mesh, or made of more
    /// than one shape.
    pub fn given_mesh(&self) -> Option<TriangleMesh> {
        match &*self.node {
            Node::Mesh(mesh) => Some(mesh.mesh().clone()),
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
                let mut mesh = shape.given_mesh()?;
                mesh.place(&pose);
                Some(mesh)
            }
            _ => None,
        }
    }

    /// The most by which |distance| may exceed the true distance to the surface: zero unless sampled meshes take part.
    pub fn tolerance(&self) -> f32 {
        match &*self.node {
            Node::Mesh(mesh) => mesh.tolerance(),
            Node::Transformed { shape, scale, .. } => scale * shape.tolerance(),
            _ => self.parts().map(Shape::tolerance).fold(0.0, f32::max),
        }
    }

    /// Up to which |distance| sampled meshes resolve the distance instead of bounding it; infinite without any.
    fn resolved_distance(&self) -> f32 {
        match &*self.node {
            Node::Mesh(mesh) => mesh.band(),
            Node::Transformed { shape, scale, .. } => scale * shape.resolved_distance(),
            _ => self
                .parts()
                .map(Shape::resolved_distance)
                .fold(f32::INFINITY, f32::min),
        }
    }

    /// The shapes this one is made of.
    fn parts(&self) -> impl Iterator<Item = &Shape> {
        let (one, more): (Option<&Shape>, &[Shape]) = match &*self.node {
            Node::Union(shapes) | Node::Intersection(shapes) => (None, shapes),
            Node::SmoothUnion { shapes, .. } => (None, shapes),
            Node::Difference(shape, removed) => (Some(shape), removed),
            Node::Transformed { shape, .. } | Node::Shell { shape, .. } => (Some(shape), &[]),
            _ => (None, &[]),
        };
        one.into_iter().chain(more)
    }
}

fn least_distance(shapes: &[Shape], point: Vec3) -> f32 {
    shapes
        .iter()
        .map(|shape| shape.distance(point))
        .fold(f32::INFINITY, f32::min)
}

fn greatest_distance(shapes: &[Shape], point: Vec3) -> f32 {
    shapes
        .iter()
        .map(|shape| shape.distance(point))
        .fold(f32::NEG_INFINITY, f32::max)
}

/// The shape of least distance, and that distance; the constructors refuse empty lists.
fn nearest(shapes: &[Shape], point: Vec3) -> (&Shape, f32) {
    let mut best = (&shapes[0], shapes[0].distance(point));
    for shape in &shapes[1..] {
        let distance = shape.distance(point);
        if distance < best.1 {
            best = (shape, distance);
        }
    }
    best
}

/// The shape of greatest distance; the constructors refuse empty lists.
fn furthest(shapes: &[Shape], point: Vec3) -> &Shape {
    let mut best = (&shapes[0], shapes[0].distance(point));
    for shape in &shapes[1..] {
        let distance = shape.distance(point);
        if distance > best.1 {
            best = (shape, distance);
        }
    }
    best.0
}

/// Calls `use_distances` with the distances of all shapes.
fn with_distances<T>(shapes: &[Shape], point: Vec3, use_distances: impl FnOnce(&[f32]) -> T) -> T {
    if shapes.len() <= BLEND_ON_STACK {
        let mut distances = [0.0; BLEND_ON_STACK];
        for (distance, shape) in distances.iter_mut().zip(shapes) {
            *distance = shape.distance(point);
        }
        use_distances(&distances[..shapes.len()])
    } else {
        let distances: Vec<f32> = shapes.iter().map(|shape| shape.distance(point)).collect();
        use_distances(&distances)
    }
}

fn union_bounds(shapes: &[Shape]) -> Aabb {
    shapes
        .iter()
        .fold(Aabb::EMPTY, |bounds, shape| bounds.union(shape.bounds()))
}

/// The box around a scaled, rotated and moved box.
fn transformed_bounds(bounds: Aabb, translation: Vec3, rotation: Quat, scale: f32) -> Aabb {
    if bounds.is_empty() {
        return Aabb::EMPTY;
    }
    if !bounds.is_finite() {
        return if rotation == Quat::IDENTITY {
            Aabb::new(
                translation + scale * bounds.lower,
                translation + scale * bounds.upper,
            )
        } else {
            Aabb::EVERYTHING
        };
    }
    let centre = translation + rotation * (scale * bounds.centre());
    let half = 0.5 * scale * bounds.extent();
    let half_extents = Vec3::AXES
        .iter()
        .map(|&axis| (rotation * (axis * half)).abs())
        .sum::<Vec3>();
    Aabb::from_centre(centre, half_extents)
}
