//! Keys of shapes.

use glam::Vec3;

use super::RotationKeys;
use ooze_geometry::ShellSide;

use crate::keys::{List, Number, Text, Vector, metres, number, table, variants, vector};
use crate::place::Placed;

/// A coordinate.
const POINT: Vector = vector(metres());

/// A radius, thickness or the like.
const LENGTH: Number = metres().size();

/// A list of shapes, of which there must be some.
const SHAPES: List<()> = List {
    items: (),
    least: 1,
};

/// A factor on all lengths.
const SCALE: Number = number("").between(1e-6, 1e6);

variants! {
    /// A solid region of space. Shapes nest: `shape.difference = { from.box = { .. }, subtract = [{ sphere = { .. } }] }`.
    enum ShapeKeys "shape" {
        /// A box along the axes: `centre` and `size`, or `lower` and `upper`.
        Box(BoxKeys) "box" [()];
        /// A box with rounded edges.
        RoundedBox(RoundedBoxKeys) "rounded_box" [()];
        /// A ball.
        Sphere(SphereKeys) "sphere" [()];
        /// A ball stretched along the axes.
        Ellipsoid(EllipsoidKeys) "ellipsoid" [()];
        /// All points near a straight line: a rod with round ends.
        Capsule(RodKeys) "capsule" [()];
        /// A rod with flat ends.
        Cylinder(RodKeys) "cylinder" [()];
        /// A rod with flat ends of different size.
        Cone(ConeKeys) "cone" [()];
        /// A ring.
        Torus(TorusKeys) "torus" [()];
        /// Everything behind a plane.
        HalfSpace(HalfSpaceKeys) "half_space" [()];
        /// The inside of a closed triangle mesh. `mesh = "cup.obj"` is short for `mesh = { file = "cup.obj" }`.
        Mesh(MeshKeys) "mesh" [()];
        /// Everything inside at least one shape.
        Union(Vec<Placed<ShapeKeys>>) "union" [SHAPES];
        /// Everything inside all of the shapes.
        Intersection(Vec<Placed<ShapeKeys>>) "intersection" [SHAPES];
        /// A shape with others cut away.
        Difference(DifferenceKeys) "difference" [()];
        /// Shapes that melt into one another.
        SmoothUnion(SmoothUnionKeys) "smooth_union" [()];
        /// A shape hollowed out: the wall along its surface. It should be at least two cells thick, or liquid seeps through.
        Shell(ShellKeys) "shell" [()];
        /// A shape scaled, then turned, then moved.
        Transform(TransformKeys) "transform" [()];
    }
}

table! {
    /// A box along the axes.
    struct BoxKeys "box" {
        /// The middle.
        centre: Vec3 [POINT] optional;
        /// Lengths along x, y and z.
        size: Vec3 [vector(LENGTH)] optional;
        /// The corner of the lowest coordinates.
        lower: Vec3 [POINT] optional;
        /// The opposite corner.
        upper: Vec3 [POINT] optional;
    }
}

table! {
    /// A box with rounded edges.
    struct RoundedBoxKeys "rounded box" {
        /// The middle.
        centre: Vec3 [POINT] required;
        /// Lengths along x, y and z, rounding included.
        size: Vec3 [vector(LENGTH)] required;
        /// Radius of the edges; at most half of the shortest length.
        radius: f64 [LENGTH] required;
    }
}

table! {
    /// A ball.
    struct SphereKeys "sphere" {
        /// The middle.
        centre: Vec3 [POINT] required;
        /// The radius.
        radius: f64 [LENGTH] required;
    }
}

table! {
    /// A ball stretched along the axes.
    struct EllipsoidKeys "ellipsoid" {
        /// The middle.
        centre: Vec3 [POINT] required;
        /// Half lengths along x, y and z.
        radii: Vec3 [vector(LENGTH)] required;
    }
}

table! {
    /// A rod between two points.
    struct RodKeys "rod" {
        /// Middle of one end.
        from: Vec3 [POINT] required;
        /// Middle of the other end.
        to: Vec3 [POINT] required;
        /// The radius.
        radius: f64 [LENGTH] required;
    }
}

table! {
    /// A rod with flat ends of different size.
    struct ConeKeys "cone" {
        /// Middle of one end.
        from: Vec3 [POINT] required;
        /// Middle of the other end.
        to: Vec3 [POINT] required;
        /// Radius at `from`; 0 for a tip.
        from_radius: f64 [metres().at_least(0.0)] required;
        /// Radius at `to`; 0 for a tip.
        to_radius: f64 [metres().at_least(0.0)] required;
    }
}

table! {
    /// A ring.
    struct TorusKeys "torus" {
        /// The middle of the ring.
        centre: Vec3 [POINT] required;
        /// Direction of the axis around which it runs.
        axis: Vec3 [Vector::direction()] default(Vec3::Y);
        /// Radius of the ring.
        major_radius: f64 [LENGTH] required;
        /// Radius of the tube; below that of the ring.
        minor_radius: f64 [LENGTH] required;
    }
}

table! {
    /// Everything behind a plane.
    struct HalfSpaceKeys "half space" {
        /// A point of the plane.
        point: Vec3 [POINT] required;
        /// Direction that points out of the solid.
        normal: Vec3 [Vector::direction()] required;
    }
}

table! {
    /// The inside of a closed triangle mesh, read from a file. `mesh = "cup.obj"` is short for `mesh = { file = "cup.obj" }`.
    struct MeshKeys "mesh" shorthand file {
        /// Path of an OBJ, STL, PLY or GLB file, relative to the scene file.
        file: String [Text::Some] required;
        /// Factor on all lengths, as 0.001 for a mesh in millimetres.
        scale: f64 [SCALE] default(1.0);
        /// How it is turned.
        rotation: RotationKeys [()] optional;
        /// Where the mesh's own origin goes.
        position: Vec3 [POINT] default(Vec3::ZERO);
    }
}

table! {
    /// A shape with others cut away.
    struct DifferenceKeys "difference" {
        /// The shape that is cut.
        from: ShapeKeys [()] required;
        /// The shapes that are cut away.
        subtract: Vec<Placed<ShapeKeys>> [SHAPES] required;
    }
}

table! {
    /// Shapes that melt into one another.
    struct SmoothUnionKeys "smooth union" {
        /// The shapes.
        shapes: Vec<Placed<ShapeKeys>> [SHAPES] required;
        /// Radius of the fillets between them.
        radius: f64 [LENGTH] required;
    }
}

table! {
    /// A shape hollowed out.
    struct ShellKeys "shell" {
        /// The shape.
        of: ShapeKeys [()] required;
        /// Thickness of the wall.
        thickness: f64 [LENGTH] required;
        /// Where the wall lies relative to the surface of the shape.
        side: ShellSide [()] default(ShellSide::Inside);
    }
}

table! {
    /// A shape scaled, then turned, then moved.
    struct TransformKeys "transform" {
        /// The shape.
        of: ShapeKeys [()] required;
        /// Factor on all lengths.
        scale: f64 [SCALE] default(1.0);
        /// How it is turned about the origin.
        rotation: RotationKeys [()] optional;
        /// Where the origin goes.
        position: Vec3 [POINT] default(Vec3::ZERO);
    }
}
