//! Keys of probes.

use glam::Vec3;

use super::ShapeKeys;
use crate::keys::{Text, choice, metres, table, variants, vector};

table! {
    /// Something that is measured at every frame: a column of `probes.csv`, or more where a reading has parts, as a vector
    /// has three.
    struct ProbeKeys "probe" {
        /// Name of the column, of letters, digits, `-` and `_`.
        name: String [Text::Some] required;
        /// What is measured.
        measure: MeasureKeys [()] required;
    }
}

variants! {
    /// What a probe measures.
    enum MeasureKeys "measure" {
        /// Volume of liquid inside a shape, in m³.
        Volume(VolumeKeys) "volume" [()];
        /// Velocity of the liquid at a point, in m/s: three columns; empty where there is no liquid.
        Velocity(PointKeys) "velocity" [()];
        /// Pressure of the liquid at a point, in Pa; empty where there is no liquid.
        Pressure(PointKeys) "pressure" [()];
        /// How far the liquid reaches along an axis: the largest (or for `-x` the smallest) coordinate, in m.
        Front(FrontKeys) "front" [()];
        /// Where a rope of liquid that falls from a nozzle meets its pile: columns `_angle` in degrees about the nozzle's
        /// axis, `_radius`, `_height` and `_rope_radius` in m; empty while there is no pile.
        Coil(CoilKeys) "coil" [()];
        /// Position of a collider's or a body's origin, in m: three columns.
        Body(NamedSolidKeys) "body" [()];
        /// How a collider or a body stands and moves: columns `_x`, `_y`, `_z` with the position of its origin in m, `_turn_x` to
        /// `_turn_w` with its rotation as a quaternion, `_velocity_x` and so on with the velocity of its origin in m/s, and
        /// `_spin_x` and so on with how fast it turns in rad/s.
        Pose(NamedSolidKeys) "pose" [()];
        /// What the liquid does to a collider or a body, on average over the frame: columns `_pressure_x`, `_pressure_y`, `_pressure_z`,
        /// `_viscous_x`, ... with the forces of pressure and of viscosity (and of elastic stress) in N, and
        /// `_pressure_torque_x`, ..., `_viscous_torque_x`, ... with their torques about the solid's origin in N m; in
        /// flat scenes on the part in a slab of one cell. Empty at the start.
        Force(NamedSolidKeys) "force" [()];
    }
}

table! {
    /// Volume of liquid inside a shape.
    struct VolumeKeys "volume probe" {
        /// The shape.
        shape: ShapeKeys [()] required;
    }
}

table! {
    /// A point.
    struct PointKeys "point probe" {
        /// The point.
        point: Vec3 [vector(metres())] required;
    }
}

table! {
    /// How far the liquid reaches.
    struct FrontKeys "front probe" {
        /// Along which axis.
        direction: DirectionWord [()] required;
    }
}

choice! {
    /// A direction along an axis.
    enum DirectionWord {
        /// Towards larger x.
        PlusX "+x";
        /// Towards smaller x.
        MinusX "-x";
        /// Up.
        PlusY "+y";
        /// Down.
        MinusY "-y";
        /// Towards larger z.
        PlusZ "+z";
        /// Towards smaller z.
        MinusZ "-z";
    }
}

table! {
    /// Where a falling rope meets its pile.
    struct CoilKeys "coil probe" {
        /// Middle of the nozzle's outlet, from which the liquid falls straight down.
        nozzle: Vec3 [vector(metres())] required;
    }
}

table! {
    /// A collider or a body: one of two keys names it.
    struct NamedSolidKeys "solid probe" {
        /// Name of the collider.
        collider: String [Text::Some] optional;
        /// Name of the body.
        body: String [Text::Some] optional;
    }
}
