//! Mass properties of shapes: closed forms of the primitives, sums over meshes, and subdivision of everything else.

use std::f64::consts::PI;

use glam::{DMat3, DVec3, Vec3};

use super::{Node, Primitive, Shape};
use crate::mass::{Moments, section, subdivide};
use crate::{MassProperties, MeshWarning, Pose};

impl Shape {
    /// Volume, centre and inertia at density one: exact for primitives without rounded edges and for closed meshes, to a thousandth
    /// for everything else. None of what is unbounded or encloses nothing.
    pub fn mass_properties(&self) -> Option<MassProperties> {
        if !self.bounds().is_finite() {
            return None;
        }
        self.moments().properties()
    }

    /// The same of a slab whose section is that of the shape, placed by a pose of scale one, in the plane z = `height`, and which is
    /// so thick: what a flat scene has of it. In the frame of the shape.
    pub fn section_properties(
        &self,
        pose: &Pose,
        height: f64,
        thickness: f64,
    ) -> Option<MassProperties> {
        let world = section(self, pose, height, thickness);
        let back = DMat3::from_quat(pose.rotation.as_dquat().normalize()).transpose();
        let moved = -(back * pose.translation.as_dvec3());
        world.placed(moved, back, 1.0).properties()
    }

    fn moments(&self) -> Moments {
        match &*self.node {
            Node::Primitive(primitive) => primitive.moments().unwrap_or_else(|| subdivide(self)),
            Node::Mesh(mesh) => {
                let overlaps = |warning: &MeshWarning| matches!(warning, MeshWarning::Inner { .. });
                match mesh.warnings().iter().any(overlaps) {
                    true => subdivide(self),
                    false => mesh.mesh().moments(),
                }
            }
            Node::Transformed {
                shape,
                translation,
                rotation,
                scale,
            } => {
                let rotation = DMat3::from_quat(rotation.as_dquat().normalize());
                let (translation, scale) = (translation.as_dvec3(), f64::from(*scale));
                shape.moments().placed(translation, rotation, scale)
            }
            _ => subdivide(self),
        }
    }
}

impl Primitive {
    /// Closed forms; none where there is no short one.
    fn moments(&self) -> Option<Moments> {
        Some(match *self {
            Self::Cuboid {
                centre,
                half_extents,
                rounding,
            } => {
                if rounding > 0.0 {
                    return None;
                }
                let half = half_extents.as_dvec3();
                let volume = 8.0 * half.x * half.y * half.z;
                Moments::symmetric(volume, centre.as_dvec3(), half * half / 3.0)
            }
            Self::Sphere { centre, radius } => ellipsoid(centre, Vec3::splat(radius)),
            Self::Ellipsoid { centre, semi_axes } => ellipsoid(centre, semi_axes),
            Self::Capsule {
                start,
                span,
                radius,
            } => capsule(start.as_dvec3(), span.as_dvec3(), f64::from(radius)),
            Self::Cone {
                start,
                axis,
                length,
                radii,
            } => cone(
                start.as_dvec3(),
                axis.as_dvec3().normalize(),
                f64::from(length),
                radii.map(f64::from),
            ),
            Self::Torus {
                centre,
                axis,
                major_radius,
                minor_radius,
            } => {
                let [major, minor] = [major_radius, minor_radius].map(|radius| {
                    let radius = f64::from(radius);
                    radius * radius
                });
                let volume = 2.0 * PI * PI * major.sqrt() * minor;
                let axis = axis.as_dvec3().normalize();
                let across = 0.5 * major + 0.375 * minor;
                Moments::round(volume, centre.as_dvec3(), axis, 0.25 * minor, across)
            }
            Self::HalfSpace { .. } => return None,
        })
    }
}

fn ellipsoid(centre: Vec3, semi_axes: Vec3) -> Moments {
    let axes = semi_axes.as_dvec3();
    let volume = 4.0 / 3.0 * PI * axes.x * axes.y * axes.z;
    Moments::symmetric(volume, centre.as_dvec3(), axes * axes / 5.0)
}

/// A cylinder and two half balls.
fn capsule(start: DVec3, span: DVec3, radius: f64) -> Moments {
    let (length, square) = (span.length(), radius * radius);
    let middle = PI * square * length;
    let ends = 4.0 / 3.0 * PI * square * radius;
    let volume = middle + ends;
    let half = 0.5 * length;
    // A half ball lies 3/8 of its radius beyond its flat face, about which it has a fifth of its square.
    let end_along = half * half + 0.75 * half * radius + 0.2 * square;
    let along = (middle * length * length / 12.0 + ends * end_along) / volume;
    let across = (middle * 0.25 * square + ends * 0.2 * square) / volume;
    let centre = start + 0.5 * span;
    Moments::round(volume, centre, span / length, along, across)
}

/// A stump of a cone, by integrals of r², r² s, r² s² and r⁴ along it, s running from 0 to 1.
fn cone(start: DVec3, axis: DVec3, length: f64, [a, b]: [f64; 2]) -> Moments {
    let (aa, ab, bb) = (a * a, a * b, b * b);
    let area = (aa + ab + bb) / 3.0;
    let mean = (aa + 2.0 * ab + 3.0 * bb) / 12.0 / area;
    let square = (aa + 3.0 * ab + 6.0 * bb) / 30.0 / area;
    let fourth = (aa * aa + aa * ab + ab * ab + ab * bb + bb * bb) / 5.0;
    let along = length * length * (square - mean * mean);
    let across = 0.25 * fourth / area;
    let volume = PI * area * length;
    Moments::round(volume, start + axis * (mean * length), axis, along, across)
}
