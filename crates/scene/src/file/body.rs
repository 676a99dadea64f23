//! Keys of bodies that move freely, and of the joints between them.

use glam::Vec3;

use super::{
    ContactWord, HEATED, KELVIN, LookWord, MotionKeys, SHARE, ShapeKeys, TABLES, TRANSFER,
    VELOCITY, preset_names,
};
use crate::keys::{
    Number, SMOOTH_WALLS, Text, Vector, choice, degrees, metres, number, seconds, table, variants,
    vector,
};
use crate::place::Placed;
use crate::presets::FLIP;

/// How fast something turns.
const TURNS: Number = number("1/s").between(-1000.0, 1000.0);

choice! {
    /// A way that a body cannot go.
    enum LockWord {
        /// Along x.
        MoveX "move-x";
        /// Along y.
        MoveY "move-y";
        /// Along z.
        MoveZ "move-z";
        /// About x.
        TurnX "turn-x";
        /// About y.
        TurnY "turn-y";
        /// About z.
        TurnZ "turn-z";
    }
}

table! {
    /// A solid that gravity, other solids and the liquid move. Forces of `[[force]]` that are the same everywhere act on it as gravity does.
    struct BodyKeys "body" {
        /// Name for messages, probes and joints; left out, `body-1` and so on.
        name: String [Text::Some] optional;
        /// The shape, in the body's own frame, which is the world's unless `motion` moves it. What collides with other solids is made of
        /// convex pieces.
        shape: ShapeKeys [()] required;
        /// What it is made of, if it melts: a name under `materials`, or a preset, with a melting point. Heat passes into it as into
        /// liquid, and what has melted leaves it as liquid. Left out, it never melts.
        material: String [Text::Material(preset_names)] optional for FLIP;
        /// Its density; it is the same throughout. Either this or `mass` is needed, but by what melts: left out, that is as heavy as its melt, and
        /// not heavier.
        density: f64 [number("kg/m³").between(1e-3, 1e5)] optional;
        /// Its mass; in flat scenes that of what lies in a slab of one cell.
        mass: f64 [number("kg").between(1e-9, 1e9)] optional;
        /// Where it is at the start, and where keyframes take it until it is `released`. Its scale is 1.
        motion: MotionKeys [()] section;
        /// Until when it follows its keyframes; from then on it is free and goes on as they moved it last. Left out, until the last of
        /// them, and from the start if there are none.
        released: f64 [seconds()] optional;
        /// Velocity of its centre of mass, if it is free from the start.
        velocity: Vec3 [vector(VELOCITY)] default(Vec3::ZERO);
        /// How fast it turns about the world's axes, if it is free from the start.
        turns_per_second: Vec3 [vector(TURNS)] default(Vec3::ZERO);
        /// Speed after a collision with another solid over that before it; of two bodies, the smaller one counts.
        restitution: f64 [SHARE] default(0.2);
        /// Coulomb friction against other solids; of two bodies, the smaller one counts.
        solid_friction: f64 [number("").between(0.0, 10.0)] default(0.3);
        /// Ways that it cannot go once it is free, along and about the world's axes.
        locked: Vec<Placed<LockWord>> [TABLES] section;
        /// Whether it stands still for good once it has rested for half a second where no liquid pushes it, with all that it leans on or bears,
        /// until something pushes, hits or passes it.
        sleeps: bool [()] default(true);
        /// How liquid behaves at its surface.
        contact: ContactWord [()] default(ContactWord::Automatic);
        /// Coulomb friction between it and liquid that glides along it: tangential speed lost per normal speed stopped.
        friction: f64 [number("").between(0.0, 10.0)] default(0.0) for SMOOTH_WALLS;
        /// Its temperature, at the start if it has a `heat_capacity` or melts; left out, it passes no heat, and what melts has the temperature of its
        /// material.
        temperature: f64 [KELVIN] optional for HEATED;
        /// Heat that passes between it and the liquid; left out, as much as the liquid conducts.
        heat_transfer: f64 [TRANSFER] optional for HEATED;
        /// Heat that it takes to warm a kilogram of it by a kelvin: steel has about 460. The body, which has one temperature throughout, cools
        /// by what it gives to the liquid. Left out, it keeps its temperature.
        heat_capacity: f64 [number("J/(kg K)").between(1.0, 1e6)] optional for HEATED;
        /// Whether pictures show it.
        visible: bool [()] default(true);
        /// What pictures make it look like.
        look: LookWord [()] default(LookWord::Matte);
        /// Linear red, green and blue in pictures.
        colour: Vec3 [vector(SHARE)] default(Vec3::splat(0.5));
    }
}

table! {
    /// What holds two solids together, at least one of them a body. Solids that are joined do not collide with one another.
    struct JointKeys "joint" {
        /// Name for messages; left out, `joint-1` and so on.
        name: String [Text::Some] optional;
        /// The first of them, a body or a collider; left out, the world, which never moves.
        first: String [Text::Some] optional;
        /// The second one.
        second: String [Text::Some] required;
        /// Where the joint is at the start, in the world.
        anchor: Vec3 [vector(metres())] required;
        /// What it lets them do.
        kind: JointKindKeys [()] required;
        /// When it lets go; left out, never.
        until: f64 [seconds()] optional;
    }
}

variants! {
    /// What a joint lets its solids do. Axes are those of the world at the start.
    enum JointKindKeys "joint kind" {
        /// Nothing: they move as one.
        Fixed(FixedKeys) "fixed" [()];
        /// Turn about an axis through the anchor.
        Hinge(HingeKeys) "hinge" [()];
        /// Turn about the anchor.
        Ball(BallKeys) "ball" [()];
        /// Glide along an axis.
        Slider(SliderKeys) "slider" [()];
        /// Go anywhere within reach of a rope from the anchor, where the first one has it, to the second one's centre of mass.
        Rope(RopeKeys) "rope" [()];
    }
}

table! {
    /// A joint that lets its solids do nothing.
    struct FixedKeys "fixed joint" {}
}

table! {
    /// A joint about whose anchor its solids turn.
    struct BallKeys "ball joint" {}
}

table! {
    /// A joint about whose axis its solids turn.
    struct HingeKeys "hinge" {
        /// Direction of the axis.
        axis: Vec3 [Vector::direction()] default(Vec3::Z);
        /// The smallest angle that the second one turns to, 0 being where it is at the start; with `most`.
        least: f64 [degrees()] optional;
        /// The largest one.
        most: f64 [degrees()] optional;
        /// What turns the second one.
        motor: HingeMotorKeys [()] optional;
    }
}

table! {
    /// A joint along whose axis its solids glide.
    struct SliderKeys "slider" {
        /// Direction of the axis.
        axis: Vec3 [Vector::direction()] default(Vec3::Y);
        /// The shortest way that the second one goes, 0 being where it is at the start; with `most`.
        least: f64 [metres()] optional;
        /// The longest one.
        most: f64 [metres()] optional;
        /// What pushes the second one.
        motor: SliderMotorKeys [()] optional;
    }
}

table! {
    /// A rope.
    struct RopeKeys "rope" {
        /// Its length.
        length: f64 [metres().size()] required;
    }
}

table! {
    /// What turns a hinge.
    struct HingeMotorKeys "hinge motor" {
        /// How fast it would have the second one turn, by the right-hand rule.
        turns_per_second: f64 [TURNS] required;
        /// The largest torque that it has for that.
        torque: f64 [number("N m").between(0.0, 1e9)] required;
        /// When it is switched on.
        start: f64 [seconds()] default(0.0);
        /// When it is switched off, after which it turns freely; left out, never.
        stop: f64 [seconds()] optional;
    }
}

table! {
    /// What pushes a slider.
    struct SliderMotorKeys "slider motor" {
        /// How fast it would have the second one go along the axis.
        speed: f64 [number("m/s").between(-1e4, 1e4)] required;
        /// The largest force that it has for that.
        force: f64 [number("N").between(0.0, 1e9)] required;
        /// When it is switched on.
        start: f64 [seconds()] default(0.0);
        /// When it is switched off, after which it glides freely; left out, never.
        stop: f64 [seconds()] optional;
    }
}
