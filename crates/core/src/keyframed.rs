//! Colliders that follow their keyframes whatever the liquid does.

use std::sync::Arc;

use ooze_geometry::{Motion, Shape};

use crate::{ChannelError, Channels, Contact, Impulse, Solid, Solids};

/// A solid whose motion is given.
#[derive(Clone, Debug)]
pub struct Collider {
    /// Name in the scene file.
    pub name: String,
    /// Shape in the body's own frame.
    pub shape: Arc<Shape>,
    /// Where the body's frame is at any time.
    pub motion: Motion,
    /// How liquid behaves at its surface.
    pub contact: Contact,
}

impl Collider {
    /// The collider at a moment that no step led to.
    pub fn at(&self, time: f64) -> Solid {
        let (pose, twist) = (self.motion.pose(time), self.motion.twist(time));
        Solid {
            name: self.name.clone(),
            shape: Arc::clone(&self.shape),
            contact: self.contact,
            left: None,
            heat_capacity: None,
            free: None,
            fixed: self.motion.is_static(),
            start: pose,
            end: pose,
            twist,
            next: twist,
        }
    }
}

/// All keyframed colliders of a scene.
#[derive(Clone, Debug)]
pub struct KeyframedSolids {
    colliders: Vec<Collider>,
    solids: Vec<Solid>,
}

impl KeyframedSolids {
    /// The colliders where they are at time zero.
    pub fn new(colliders: Vec<Collider>) -> Self {
        let solids = colliders.iter().map(|collider| collider.at(0.0)).collect();
        Self { colliders, solids }
    }
}

impl Solids for KeyframedSolids {
    fn all(&self) -> &[Solid] {
        &self.solids
    }

    fn advance(&mut self, time: f64, dt: f64) {
        let end = time + dt;
        for (solid, Collider { motion, .. }) in self.solids.iter_mut().zip(&self.colliders) {
            solid.start = motion.pose(time);
            solid.end = motion.pose(end);
            solid.twist = motion.twist_between(time, end);
            solid.next = motion.twist(end);
        }
    }

    fn push(&mut self, _impulses: &[Impulse], _dt: f64) {
        // Keyframed bodies are infinitely heavy.
    }

    fn save(&self) -> Channels {
        Channels::default()
    }

    fn load(&mut self, _saved: Channels, time: f64) -> Result<(), ChannelError> {
        let colliders = self.colliders.iter();
        self.solids = colliders.map(|collider| collider.at(time)).collect();
        Ok(())
    }
}
