//! Keys of liquids, emitters, drains and forces.

use glam::Vec3;

use super::{
    ACCELERATION, KELVIN, ShapeKeys, TABLES, VELOCITY, ViscosityGradientKeys, WARM, preset_names,
};
use crate::keys::{Methods, Text, Vector, metres, number, seconds, table, variants, vector};
use crate::place::Placed;
use crate::presets::{CARLSON, FLIP};

/// The methods whose particles carry viscosity.
const CARRIED: Methods = FLIP.with(CARLSON);

table! {
    /// Liquid that is there at the start.
    struct LiquidKeys "liquid" {
        /// Name for messages; left out, `liquid-1` and so on.
        name: String [Text::Some] optional;
        /// The region that it fills; where it overlaps a collider there is none.
        shape: ShapeKeys [()] required;
        /// What it is: a name under `materials`, or a preset.
        material: String [Text::Material(preset_names)] default("water");
        /// Velocity at the start.
        velocity: Vec3 [vector(VELOCITY)] default(Vec3::ZERO);
        /// Rate of rotation at the start about the liquid's centre of mass: axis times turns per second.
        spin: Vec3 [vector(number("1/s").between(-1000.0, 1000.0))] default(Vec3::ZERO);
        /// Temperature at the start; left out, the material's.
        temperature: f64 [KELVIN] optional for WARM;
        /// Viscosity that varies through the liquid; left out, the material's.
        viscosity_gradient: ViscosityGradientKeys [()] optional for CARRIED, essential;
    }
}

table! {
    /// A region that liquid flows out of: it is kept full of liquid that moves with a given velocity.
    struct EmitterKeys "emitter" {
        /// Name for messages; left out, `emitter-1` and so on.
        name: String [Text::Some] optional;
        /// The region; at least two cells across.
        shape: ShapeKeys [()] required;
        /// What it emits: a name under `materials`, or a preset.
        material: String [Text::Material(preset_names)] default("water");
        /// Velocity of the emitted liquid. Give this, or `speed` and `direction`.
        velocity: Vec3 [vector(VELOCITY)] optional;
        /// Speed of the emitted liquid.
        speed: f64 [VELOCITY.above(0.0)] optional;
        /// Direction of the emitted liquid.
        direction: Vec3 [Vector::direction()] optional;
        /// When it opens.
        start: f64 [seconds()] default(0.0);
        /// When it closes; left out, never.
        stop: f64 [seconds()] optional;
        /// Most that it emits; left out, as much as flows out of the region.
        rate: f64 [number("m³/s").above(0.0)] optional;
        /// Temperature of what it emits; left out, the material's.
        temperature: f64 [KELVIN] optional for WARM;
    }
}

table! {
    /// Balls of liquid that appear one by one, each at its time and place.
    struct DropsKeys "drops" {
        /// Name for messages; left out, `drops-1` and so on.
        name: String [Text::Some] optional;
        /// What they are: a name under `materials`, or a preset.
        material: String [Text::Material(preset_names)] default("water");
        /// Radius of those that do not say theirs; at least a cell.
        radius: f64 [metres().size()] optional;
        /// Velocity of those that do not say theirs.
        velocity: Vec3 [vector(VELOCITY)] default(Vec3::ZERO);
        /// Temperature of those that do not say theirs; left out, the material's.
        temperature: f64 [KELVIN] optional for WARM;
        /// The drops.
        at: Vec<Placed<DropKeys>> [TABLES] required;
    }
}

table! {
    /// A ball of liquid that appears.
    struct DropKeys "drop" {
        /// When.
        time: f64 [seconds()] required;
        /// Where its centre is.
        position: Vec3 [vector(metres())] required;
        /// Its radius.
        radius: f64 [metres().size()] optional;
        /// Its velocity.
        velocity: Vec3 [vector(VELOCITY)] optional;
        /// Its temperature.
        temperature: f64 [KELVIN] optional for WARM;
    }
}

table! {
    /// A region that swallows liquid.
    struct DrainKeys "drain" {
        /// Name for messages; left out, `drain-1` and so on.
        name: String [Text::Some] optional;
        /// The region.
        shape: ShapeKeys [()] required;
        /// When it opens.
        start: f64 [seconds()] default(0.0);
        /// When it closes; left out, never.
        stop: f64 [seconds()] optional;
    }
}

variants! {
    /// An acceleration beside gravity.
    enum ForceKeys "force" {
        /// The same everywhere.
        Constant(ConstantKeys) "constant" [()];
        /// Around an axis: grows linearly up to a radius and falls off as the inverse distance beyond.
        Swirl(SwirlKeys) "swirl" [()];
    }
}

table! {
    /// An acceleration that is the same everywhere.
    struct ConstantKeys "constant force" {
        /// The acceleration.
        acceleration: Vec3 [vector(ACCELERATION)] required;
    }
}

table! {
    /// An acceleration around an axis.
    struct SwirlKeys "swirl" {
        /// A point of the axis.
        centre: Vec3 [vector(metres())] required;
        /// Direction of the axis.
        axis: Vec3 [Vector::direction()] default(Vec3::Y);
        /// Distance at which it is strongest.
        radius: f64 [metres().size()] required;
        /// Acceleration at that distance, by the right-hand rule.
        strength: f64 [ACCELERATION] required;
    }
}
