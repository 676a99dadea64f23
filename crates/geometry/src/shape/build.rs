//! Constructors of shapes, and the checks of their parameters.

use std::{fmt::Display, sync::Arc};

use glam::{Quat, Vec3};

use super::{Node, Primitive, Shape, ShapeError, ShellSide, depth::reaches_depth};
use crate::MeshDistance;

/// Ends closer than this (in metres) count as one point; the square of anything longer is a normal number.
const SHORTEST_SEGMENT: f64 = 1e-12;

impl Shape {
    /// A box along the axes (named so because `box` is a reserved word); half extents above zero.
    pub fn cuboid(centre: Vec3, half_extents: Vec3) -> Result<Self, ShapeError> {
        let check = Check("box");
        check.finite("centre", centre)?;
        check.positive_parts("half_extents", half_extents)?;
        Ok(Primitive::Cuboid {
            centre,
            half_extents,
            rounding: 0.0,
        }
        .into())
    }

    /// A box whose edges are rounded by `radius`, which its half extents include.
    pub fn rounded_cuboid(
        centre: Vec3,
        half_extents: Vec3,
        radius: f32,
    ) -> Result<Self, ShapeError> {
        let check = Check("rounded box");
        check.finite("centre", centre)?;
        check.positive_parts("half_extents", half_extents)?;
        check.positive("radius", radius)?;
        let smallest = half_extents.min_element();
        let allowed = || format!("at most the smallest half extent, {smallest} m");
        check.require(radius <= smallest, "radius", radius, allowed)?;
        Ok(Primitive::Cuboid {
            centre,
            half_extents,
            rounding: radius,
        }
        .into())
    }

    /// A ball.
    pub fn sphere(centre: Vec3, radius: f32) -> Result<Self, ShapeError> {
        let check = Check("sphere");
        check.finite("centre", centre)?;
        check.positive("radius", radius)?;
        Ok(Primitive::Sphere { centre, radius }.into())
    }

    /// An ellipsoid along the axes.
    pub fn ellipsoid(centre: Vec3, semi_axes: Vec3) -> Result<Self, ShapeError> {
        let check = Check("ellipsoid");
        check.finite("centre", centre)?;
        check.positive_parts("semi_axes", semi_axes)?;
        Ok(Primitive::Ellipsoid { centre, semi_axes }.into())
    }

    /// All points within `radius` of the segment from `a` to `b`.
    pub fn capsule(a: Vec3, b: Vec3, radius: f32) -> Result<Self, ShapeError> {
        let check = Check("capsule");
        check.segment(a, b)?;
        check.positive("radius", radius)?;
        Ok(Primitive::Capsule {
            start: a,
            span: b - a,
            radius,
        }
        .into())
    }

    /// A cylinder between the centres of its two flat ends.
    pub fn cylinder(a: Vec3, b: Vec3, radius: f32) -> Result<Self, ShapeError> {
        let check = Check("cylinder");
        let (axis, length) = check.segment(a, b)?;
        check.positive("radius", radius)?;
        Ok(Primitive::Cone {
            start: a,
            axis,
            length,
            radii: [radius; 2],
        }
        .into())
    }

    /// A cone between the centres of its two flat ends; one of the radii may be zero.
    pub fn cone(a: Vec3, b: Vec3, radius_a: f32, radius_b: f32) -> Result<Self, ShapeError> {
        let check = Check("cone");
        let (axis, length) = check.segment(a, b)?;
        for (name, radius) in [("radius_a", radius_a), ("radius_b", radius_b)] {
            let allowed = || "finite and at least 0 m".into();
            check.require(radius.is_finite() && radius >= 0.0, name, radius, allowed)?;
        }
        let allowed = || "above 0 m where radius_b is 0 m".into();
        check.require(radius_a.max(radius_b) > 0.0, "radius_a", radius_a, allowed)?;
        Ok(Primitive::Cone {
            start: a,
            axis,
            length,
            radii: [radius_a, radius_b],
        }
        .into())
    }

    /// A ring around `axis`: a circle of `major_radius` thickened by `minor_radius`.
    pub fn torus(
        centre: Vec3,
        axis: Vec3,
        major_radius: f32,
        minor_radius: f32,
    ) -> Result<Self, ShapeError> {
        let check = Check("torus");
        check.finite("centre", centre)?;
        let axis = check.direction("axis", axis)?;
        check.positive("major_radius", major_radius)?;
        check.positive("minor_radius", minor_radius)?;
        let allowed = || format!("below major_radius, {major_radius} m");
        check.require(
            minor_radius < major_radius,
            "minor_radius",
            minor_radius,
            allowed,
        )?;
        Ok(Primitive::Torus {
            centre,
            axis,
            major_radius,
            minor_radius,
        }
        .into())
    }

    /// Everything behind the plane through `point`, that is, where (x - point)·normal < 0.
    pub fn half_space(point: Vec3, normal: Vec3) -> Result<Self, ShapeError> {
        let check = Check("half space");
        check.finite("point", point)?;
        let normal = check.direction("normal", normal)?;
        Ok(Primitive::HalfSpace {
            origin: point,
            normal,
        }
        .into())
    }

    /// A triangle mesh; uses the grid of samples when the mesh has one ([`MeshDistance::baked`]).
    pub fn mesh(mesh: Arc<MeshDistance>) -> Self {
        Node::Mesh(mesh).into()
    }

    /// Everything inside at least one of the shapes.
    pub fn union(shapes: Vec<Shape>) -> Result<Self, ShapeError> {
        Check("union").some("shapes", &shapes)?;
        Ok(Node::Union(shapes).into())
    }

    /// Everything inside all of the shapes.
    pub fn intersection(shapes: Vec<Shape>) -> Result<Self, ShapeError> {
        Check("intersection").some("shapes", &shapes)?;
        Ok(Node::Intersection(shapes).into())
    }

    /// `shape` without what lies inside any of `removed`.
    pub fn difference(shape: Shape, removed: Vec<Shape>) -> Result<Self, ShapeError> {
        Check("difference").some("removed", &removed)?;
        Ok(Node::Difference(shape, removed).into())
    }

    /// A union whose shapes melt into one another: perpendicular walls meet in a fillet of the given radius.
    pub fn smooth_union(shapes: Vec<Shape>, radius: f32) -> Result<Self, ShapeError> {
        let check = Check("smooth union");
        check.some("shapes", &shapes)?;
        check.positive("radius", radius)?;
        Ok(Node::SmoothUnion { shapes, radius }.into())
    }

    /// The shape scaled, then rotated, then moved. The rotation is normalised.
    pub fn transformed(
        self,
        translation: Vec3,
        rotation: Quat,
        scale: f32,
    ) -> Result<Self, ShapeError> {
        let check = Check("transformed shape");
        check.finite("translation", translation)?;
        let usable = rotation.is_finite() && rotation.length_squared() > 1e-12;
        check.require(usable, "rotation", rotation, || {
            "finite and not all zero".into()
        })?;
        check.positive("scale", scale)?;
        let rotation = rotation.normalize();
        Ok(Node::Transformed {
            shape: self,
            translation,
            rotation,
            scale,
        }
        .into())
    }

    /// The hollow shell of the shape: a wall of the given thickness along its surface.
    ///
    /// Refused when no cavity would remain, and when the inner surface would lie beyond the band of a sampled mesh.
    pub fn shell(self, thickness: f32, side: ShellSide) -> Result<Self, ShapeError> {
        let check = Check("shell");
        check.positive("thickness", thickness)?;
        let outward = match side {
            ShellSide::Inside => 0.0,
            ShellSide::Centred => 0.5 * thickness,
        };
        let inward = thickness - outward;
        // The given thickness that would reach `depth` metres inward.
        let thickness_for = |depth: f32| depth * thickness / inward;

        let resolved = self.resolved_distance();
        let allowed = || {
            let most = thickness_for(resolved);
            format!("at most {most} m, as far as the mesh is sampled; sample it in a wider band")
        };
        check.require(inward <= resolved, "thickness", thickness, allowed)?;
        if self.bounds().is_finite()
            && let Err(depth) = reaches_depth(&self, inward)
        {
            let most = thickness_for(depth);
            let allowed = format!("below {most} m, or the shape is left without a cavity");
            return Err(check.fault("thickness", thickness, allowed));
        }
        Ok(Node::Shell {
            shape: self,
            inward,
            outward,
        }
        .into())
    }
}

impl From<Node> for Shape {
    fn from(node: Node) -> Self {
        Self {
            node: Arc::new(node),
        }
    }
}

impl From<Primitive> for Shape {
    fn from(primitive: Primitive) -> Self {
        Node::Primitive(primitive).into()
    }
}

/// Checks of the parameters of one kind of shape.
#[derive(Clone, Copy)]
struct Check(&'static str);

impl Check {
    /// Fails with what is `allowed` unless the value is `good`.
    fn require(
        self,
        good: bool,
        parameter: &'static str,
        value: impl Display,
        allowed: impl FnOnce() -> String,
    ) -> Result<(), ShapeError> {
        if good {
            Ok(())
        } else {
            Err(self.fault(parameter, value, allowed()))
        }
    }

    fn fault(self, parameter: &'static str, value: impl Display, allowed: String) -> ShapeError {
        ShapeError {
            shape: self.0,
            parameter,
            value: value.to_string(),
            allowed,
        }
    }

    fn finite(self, parameter: &'static str, value: Vec3) -> Result<(), ShapeError> {
        self.require(value.is_finite(), parameter, value, || "finite".into())
    }

    fn positive(self, parameter: &'static str, value: f32) -> Result<(), ShapeError> {
        let good = value.is_finite() && value > 0.0;
        self.require(good, parameter, value, || "finite and above 0".into())
    }

    fn positive_parts(self, parameter: &'static str, value: Vec3) -> Result<(), ShapeError> {
        let good = value.is_finite() && value.min_element() > 0.0;
        self.require(good, parameter, value, || {
            "finite and above 0 along every axis".into()
        })
    }

    /// The unit vector along `value`.
    fn direction(self, parameter: &'static str, value: Vec3) -> Result<Vec3, ShapeError> {
        let direction = value
            .as_dvec3()
            .try_normalize()
            .filter(|_| value.is_finite());
        self.require(direction.is_some(), parameter, value, || {
            "finite and not zero".into()
        })?;
        Ok(direction.unwrap_or_default().as_vec3())
    }

    /// The direction and length of the segment from `a` to `b`.
    fn segment(self, a: Vec3, b: Vec3) -> Result<(Vec3, f32), ShapeError> {
        self.finite("a", a)?;
        self.finite("b", b)?;
        let span = b.as_dvec3() - a.as_dvec3();
        let length = span.length();
        self.require(length > SHORTEST_SEGMENT, "b", b, || {
            "different from a".into()
        })?;
        Ok(((span / length).as_vec3(), length as f32))
    }

    fn some(self, parameter: &'static str, shapes: &[Shape]) -> Result<(), ShapeError> {
        let value = "an empty list";
        self.require(!shapes.is_empty(), parameter, value, || {
            "at least one shape".into()
        })
    }
}
