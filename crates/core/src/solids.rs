//! Solids as liquids see them: distance, velocity, contact; and the impulses that liquids hand back.

use glam::Vec3;
use ooze_geometry::Aabb;
use serde::{Deserialize, Serialize};

use crate::{ChannelError, Channels};

/// How liquid behaves where it touches a solid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// What happens to the liquid's tangential velocity.
    pub condition: WallCondition,
    /// Coulomb friction coefficient for `Slip` and `Separating` walls: tangential speed lost per normal speed stopped.
    pub friction: f32,
}

impl Default for Contact {
    fn default() -> Self {
        Self {
            condition: WallCondition::Slip,
            friction: 0.0,
        }
    }
}

/// The condition on velocity at a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WallCondition {
    /// Liquid glides along the wall. Liquids on a grid leave it where air comes between, from the edges; particles leave
    /// it anywhere.
    Slip,
    /// Liquid glides along the wall and leaves it anywhere: the wall never pulls.
    Separating,
    /// Liquid at the wall moves with the wall, and leaves it as it does `Slip` walls.
    NoSlip,
    /// Liquid at the wall moves with the wall and does not leave it by itself.
    Sticky,
}

impl WallCondition {
    /// Whether the wall holds liquid against gliding along it.
    pub fn holds(self) -> bool {
        matches!(self, Self::NoSlip | Self::Sticky)
    }
}

/// Index of a body among the bodies of a [`Solids`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BodyId(pub u16);

/// Momentum handed from a liquid to a body during one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulse {
    /// The body.
    pub body: BodyId,
    /// Linear impulse in newton seconds.
    pub linear: Vec3,
    /// Angular impulse about the world's origin in newton metre seconds.
    pub angular: Vec3,
}

/// The solids of a scene: keyframed colliders, freely moving bodies, or both. They stand where they are at the end of the step
/// that they were advanced by last, and know where they were at its start.
pub trait Solids: Send + Sync {
    /// Number of bodies; a [`BodyId`] counts below it.
    fn count(&self) -> usize;

    /// Signed distance from `point` to a body's surface, negative inside; never larger in size than the true distance.
    fn distance(&self, body: BodyId, point: Vec3) -> f32;

    /// [`Solids::distance`] as the body stood at the start of the step.
    fn distance_before(&self, body: BodyId, point: Vec3) -> f32;

    /// Where the body's material is that was at `point` at the start of the step.
    fn carried(&self, body: BodyId, point: Vec3) -> Vec3;

    /// A box around a body; infinite if it has none.
    fn bounds(&self, body: BodyId) -> Aabb;

    /// Velocity of the body's material at `point`: the one that takes the body from where it was at the start of the step to
    /// where it is.
    fn velocity(&self, body: BodyId, point: Vec3) -> Vec3;

    /// How liquid behaves at the body's surface.
    fn contact(&self, body: BodyId) -> Contact;

    /// Whether the body never moves, so that what is computed from its place may be kept.
    fn is_fixed(&self, body: BodyId) -> bool;

    /// Name of the body in the scene.
    fn name(&self, body: BodyId) -> &str;

    /// A point that moves with the body, for probes.
    fn position(&self, body: BodyId) -> Vec3;

    /// Whether any body moves in the step.
    fn any_moves(&self) -> bool;

    /// An upper bound on the speed of any body surface inside `region` from now on.
    fn max_speed(&self, region: Aabb) -> f32;

    /// Moves the bodies from `time` to `time + dt`.
    fn advance(&mut self, time: f64, dt: f64);

    /// Takes what a liquid's step did to the bodies.
    fn push(&mut self, impulses: &[Impulse], dt: f64);

    /// Everything that a later step depends on.
    fn save(&self) -> Channels;

    /// Returns to a saved state at `time`.
    fn load(&mut self, saved: Channels, time: f64) -> Result<(), ChannelError>;
}
