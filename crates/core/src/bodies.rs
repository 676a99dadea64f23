//! Free bodies and the joints between them, as a scene describes them.

use std::sync::Arc;

use glam::DVec3;
use ooze_geometry::{Motion, Shape};

use crate::{BodyVelocity, Collider, Contact};

/// A solid that gravity, other solids and the liquid move.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name in the scene.
    pub name: String,
    /// Shape in the body's own frame.
    pub shape: Arc<Shape>,
    /// How liquid behaves at its surface.
    pub contact: Contact,
    /// Whether it melts: then particles of the liquid are aboard of it as long as they are solid ([`crate::Holder::Body`]), and it is
    /// what is left of them.
    pub melts: bool,
    /// Heat in J/(kg K) that it takes to warm it. With none it keeps the temperature of its contact.
    pub heat_capacity: Option<f64>,
    /// Where it is at the start, and where keyframes take it until it is released. Its scale is 1.
    pub motion: Motion,
    /// Time in seconds until which it follows its keyframes. From then on it is free, and goes on as they moved it last.
    pub released: f64,
    /// How a body that is free from the start moves then.
    pub velocity: BodyVelocity,
    /// What it weighs.
    pub mass: BodyMass,
    /// Coulomb friction against other solids: between two bodies, the smaller one of both counts.
    pub friction: f64,
    /// Speed after a collision with another solid over that before it, from 0 to 1: between two bodies, the smaller one of both
    /// counts.
    pub restitution: f64,
    /// Which translations along the world's axes, and which rotations about them, it cannot make once it is free.
    pub locked: [[bool; 3]; 2],
    /// Whether it may be left alone once it has come to rest on something where no liquid pushes it, until something wakes it.
    pub sleeps: bool,
}

impl Body {
    /// The body as if it followed its motion for ever.
    pub fn as_collider(&self) -> Collider {
        Collider {
            name: self.name.clone(),
            shape: Arc::clone(&self.shape),
            motion: self.motion.clone(),
            contact: self.contact,
        }
    }
}

/// How the mass of a body is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyMass {
    /// In kg. In flat scenes, of what lies within the thickness of a cell.
    Mass(f64),
    /// In kg/m³, the same everywhere.
    Density(f64),
}

/// What holds two solids together.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name in the scene.
    pub name: String,
    /// What it lets them do.
    pub kind: JointKind,
    /// What it holds together; at least one of them is a body. Solids that are joined do not collide with one another.
    pub ends: [JointEnd; 2],
    /// Where it is at the start, in the world.
    pub anchor: DVec3,
    /// Between which angles in radians (hinge) or distances in metres (slider) the second end stays relative to the first, zero
    /// being where they are at the start.
    pub limits: Option<[f64; 2]>,
    /// What drives the second end relative to the first, at hinges and sliders.
    pub motor: Option<Motor>,
    /// When it lets go, in seconds; infinite for never.
    pub until: f64,
}

/// What a joint lets the solids do that it holds together. Axes are those of the world at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Nothing: they move as one.
    Fixed,
    /// Turn about an axis through the anchor.
    Hinge {
        /// The axis.
        axis: DVec3,
    },
    /// Turn about the anchor.
    Ball,
    /// Glide along an axis.
    Slider {
        /// The axis.
        axis: DVec3,
    },
    /// Go anywhere within reach of a rope from the anchor, where the first end has it, to the second one's centre of mass.
    Rope {
        /// Length of the rope in metres.
        length: f64,
    },
}

/// One of the two things that a joint holds together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JointEnd {
    /// A body or a collider, by its name.
    Solid(String),
    /// What never moves.
    World,
}

/// What drives a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// The velocity that it aims at, in rad/s (hinge) or m/s (slider).
    pub velocity: f64,
    /// The largest torque in N m, or force in N, that it has for that.
    pub strength: f64,
    /// When it runs, in seconds. Otherwise it turns freely.
    pub running: [f64; 2],
}

impl Motor {
    /// Whether it runs at a time.
    pub fn runs(&self, time: f64) -> bool {
        self.running[0] <= time && time < self.running[1]
    }
}
