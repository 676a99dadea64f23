//! Keys of space and time.

use glam::Vec3;

use super::{ContactWord, HEATED, KELVIN, TRANSFER, WARM};
use crate::keys::{SMOOTH_WALLS, count, metres, number, seconds, table, variants, vector};

table! {
    /// The box in which everything happens. It is divided into cubic cells; sides that are not a whole number of cells
    /// are rounded to the nearest.
    struct DomainKeys "domain" {
        /// Position of the lower corner. A flat scene lies in the plane z = 0 whatever z says here.
        lower: Vec3 [vector(metres())] default(Vec3::ZERO);
        /// Lengths of the box along x, y and z. A flat scene is one cell thick whatever z says here.
        size: Vec3 [vector(metres().between(0.0, 1e6))] required;
        /// Number of cells along the longest side; 64 if neither this nor `cell_size` is given.
        cells: u64 [count().between(4, 16_384)] optional;
        /// Edge length of a cell, instead of `cells`.
        cell_size: f64 [metres().size()] optional;
        /// A two-dimensional scene: a slab one cell thick, cut out of the shapes by the plane z = 0.
        flat: bool [()] default(false);
        /// How liquid behaves at closed sides that do not say otherwise.
        contact: ContactWord [()] default(ContactWord::Automatic);
        /// What the sides of the box do to liquid that reaches them.
        sides: SidesKeys [()] section;
    }
}

table! {
    /// What the sides of the box do to liquid that reaches them. A side that is left out is a closed wall. The
    /// z sides of a flat scene do nothing.
    struct SidesKeys "sides" {
        /// The lower x side.
        left: SideKeys [()] optional;
        /// The upper x side.
        right: SideKeys [()] optional;
        /// The lower y side, the floor.
        bottom: SideKeys [()] optional;
        /// The upper y side, the ceiling.
        top: SideKeys [()] optional;
        /// The lower z side.
        back: SideKeys [()] optional;
        /// The upper z side.
        front: SideKeys [()] optional;
    }
}

variants! {
    /// One side of the domain: `"open"`, `"closed"`, or `{ closed = { contact = "no-slip" } }`.
    enum SideKeys "side" {
        /// A solid wall.
        Closed(ClosedKeys) "closed" [()];
        /// Liquid leaves and is gone.
        Open(OpenKeys) "open" [()];
    }
}

table! {
    /// A solid wall.
    struct ClosedKeys "closed side" {
        /// How liquid behaves at the wall; left out, as `domain.contact` says.
        contact: ContactWord [()] optional;
        /// Coulomb friction of a slip wall: tangential speed lost per normal speed stopped.
        friction: f64 [number("").between(0.0, 10.0)] default(0.0) for SMOOTH_WALLS;
        /// Its temperature; left out, it passes no heat. In particle liquids of bottom and top only.
        temperature: f64 [KELVIN] optional for WARM;
        /// Heat that passes between it and the liquid; left out, as much as the liquid conducts.
        heat_transfer: f64 [TRANSFER] optional for HEATED;
    }
}

table! {
    /// An open side.
    struct OpenKeys "open side" {}
}

table! {
    /// Frames, duration and time steps.
    struct TimeKeys "time" {
        /// Frames per second.
        frame_rate: f64 [number("1/s").between(0.01, 100_000.0)] default(30.0);
        /// Length of the animation; 3 s if neither this nor `frames` is given.
        duration: f64 [seconds().at_least(1e-6)] optional;
        /// Number of frames after the first, instead of `duration`.
        frames: u64 [count().between(1, 1_000_000)] optional;
        /// Cells that the fastest liquid may cross in one sub-step; left out, the method's own.
        cfl: f64 [number("cells").between(0.05, 20.0)] optional;
        /// Most sub-steps of a frame. Where more are needed, steps become longer than is stable, and the statistics say so.
        max_substeps: u64 [count().between(1, 100_000)] default(200u64);
    }
}
