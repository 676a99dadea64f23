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

/// All keyframed colliders of a scene, at the end of a step.
#[derive(Clone, Debug)]
pub struct KeyframedSolids {
    colliders: Vec<Collider>,
    places: Vec<Place>,
}

/// Where a collider is, and how it comes and goes.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// At the start of the step.
    before: Pose,
    /// At its end.
    now: Pose,
    /// What takes one to the other.
    twist: Twist,
    /// How it goes on from there.
    next: Twist,
}

impl KeyframedSolids {
    /// The colliders where they are at time zero.
    pub fn new(colliders: Vec<Collider>) -> Self {
        let mut solids = Self {
            colliders,
            places: Vec::new(),
        };
        solids.place(0.0);
        solids
    }

    /// Puts the colliders where they are at a moment that no step led to.
    fn place(&mut self, time: f64) {
        self.move_by(|motion| {
            let (pose, twist) = (motion.pose(time), motion.twist(time));
            Place {
                before: pose,
                now: pose,
                twist,
                next: twist,
            }
        });
    }

    fn move_by(&mut self, place: impl Fn(&Motion) -> Place) {
        let motions = self.colliders.iter().map(|collider| &collider.motion);
        self.places = motions.map(place).collect();
    }

    fn collider(&self, body: BodyId) -> (&Collider, &Place) {
        let index = usize::from(body.0);
        (&self.colliders[index], &self.places[index])
    }

    fn distance_from(&self, body: BodyId, pose: &Pose, point: Vec3) -> f32 {
        let shape = &self.collider(body).0.shape;
        shape.distance(pose.to_local(point)) * pose.scale
    }
}

impl Solids for KeyframedSolids {
    fn count(&self) -> usize {
        self.colliders.len()
    }

    fn distance(&self, body: BodyId, point: Vec3) -> f32 {
        self.distance_from(body, &self.collider(body).1.now, point)
    }

    fn distance_before(&self, body: BodyId, point: Vec3) -> f32 {
        self.distance_from(body, &self.collider(body).1.before, point)
    }

    fn carried(&self, body: BodyId, point: Vec3) -> Vec3 {
        let place = self.collider(body).1;
        place.now.to_world(place.before.to_local(point))
    }

    fn bounds(&self, body: BodyId) -> Aabb {
        let (collider, Place { now: pose, .. }) = self.collider(body);
        let local = collider.shape.bounds();
        if !local.is_finite() {
            return Aabb::EVERYTHING;
        }
        Aabb::from_points(corners(local).map(|corner| pose.to_world(corner)))
    }

    fn velocity(&self, body: BodyId, point: Vec3) -> Vec3 {
        self.collider(body).1.twist.velocity(point)
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
        self.collider(body).1.now.translation
    }

    fn any_moves(&self) -> bool {
        let twists = self.places.iter().map(|place| place.twist);
        twists.into_iter().any(|twist| {
            twist.linear != Vec3::ZERO || twist.angular != Vec3::ZERO || twist.growth != 0.0
        })
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
                fastest = fastest.max(self.places[index].next.velocity(corner).length());
            }
        }
        fastest
    }

    fn advance(&mut self, time: f64, dt: f64) {
        let end = time + dt;
        self.move_by(|motion| Place {
            before: motion.pose(time),
            now: motion.pose(end),
            twist: motion.twist_between(time, end),
            next: motion.twist(end),
        });
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
