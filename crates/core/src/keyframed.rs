//! Colliders that follow their keyframes whatever the liquid does.

use std::sync::Arc;

use glam::Vec3;
use ooze_geometry::{Aabb, Motion, Pose, Shape, Twist};

use crate::{BodyId, ChannelError, Channels, Contact, Impulse, Solids};

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

/// All keyframed colliders of a scene, at one moment.
#[derive(Clone, Debug)]
pub struct KeyframedSolids {
    colliders: Vec<Collider>,
    poses: Vec<Pose>,
    twists: Vec<Twist>,
}

impl KeyframedSolids {
    /// The colliders where they are at time zero.
    pub fn new(colliders: Vec<Collider>) -> Self {
        let mut solids = Self {
            colliders,
            poses: Vec::new(),
            twists: Vec::new(),
        };
        solids.place(0.0);
        solids
    }

    fn place(&mut self, time: f64) {
        let motions = || self.colliders.iter().map(|collider| &collider.motion);
        self.poses = motions().map(|motion| motion.pose(time)).collect();
        self.twists = motions().map(|motion| motion.twist(time)).collect();
    }

    fn collider(&self, body: BodyId) -> (&Collider, &Pose) {
        let index = usize::from(body.0);
        (&self.colliders[index], &self.poses[index])
    }
}

impl Solids for KeyframedSolids {
    fn count(&self) -> usize {
        self.colliders.len()
    }

    fn distance(&self, body: BodyId, point: Vec3) -> f32 {
        let (collider, pose) = self.collider(body);
        collider.shape.distance(pose.to_local(point)) * pose.scale
    }

    fn bounds(&self, body: BodyId) -> Aabb {
        let (collider, pose) = self.collider(body);
        let local = collider.shape.bounds();
        if !local.is_finite() {
            return Aabb::EVERYTHING;
        }
        Aabb::from_points(corners(local).map(|corner| pose.to_world(corner)))
    }

    fn velocity(&self, body: BodyId, point: Vec3) -> Vec3 {
        self.twists[usize::from(body.0)].velocity(point)
    }

    fn contact(&self, body: BodyId) -> Contact {
        self.collider(body).0.contact
    }

    fn is_fixed(&self, body: BodyId) -> bool {
        self.collider(body).0.motion.is_static()
    }

    fn name(&self, body: BodyId) -> &str {
        &self.collider(body).0.name
    }

    fn position(&self, body: BodyId) -> Vec3 {
        self.collider(body).1.translation
    }

    fn max_speed(&self, region: Aabb) -> f32 {
        let mut fastest: f32 = 0.0;
        for index in 0..self.colliders.len() {
            let body = BodyId(index as u16);
            let part = self.bounds(body).intersection(region);
            if part.is_empty() || self.colliders[index].motion.is_static() {
                continue;
            }
            // Velocity is affine in position, so its length is largest at a corner.
            for corner in corners(part) {
                fastest = fastest.max(self.velocity(body, corner).length());
            }
        }
        fastest
    }

    fn advance(&mut self, time: f64, dt: f64) {
        self.place(time + dt);
    }

    fn push(&mut self, _impulses: &[Impulse], _dt: f64) {
        // Keyframed bodies are infinitely heavy.
    }

    fn save(&self) -> Channels {
        Channels::default()
    }

    fn load(&mut self, _saved: Channels, time: f64) -> Result<(), ChannelError> {
        self.place(time);
        Ok(())
    }
}

fn corners(bounds: Aabb) -> impl Iterator<Item = Vec3> {
    (0..8).map(move |corner| {
        let pick = |axis: usize| {
            if corner >> axis & 1 == 0 {
                bounds.lower[axis]
            } else {
                bounds.upper[axis]
            }
        };
        Vec3::new(pick(0), pick(1), pick(2))
    })
}
