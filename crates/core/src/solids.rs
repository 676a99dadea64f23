//! Solids as liquids see them.

use serde::{Deserialize, Serialize};

use crate::{BodyHeat, ChannelError, Channels, Impulse, Remains, Solid, WallHeat};

/// How liquid behaves where it touches a solid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// What happens to the liquid's tangential velocity.
    pub condition: WallCondition,
    /// Coulomb friction coefficient for `Slip` and `Separating` walls: tangential speed lost per normal speed stopped.
    pub friction: f32,
    /// The heat of the wall; none if it passes no heat.
    pub heat: Option<WallHeat>,
}

impl Default for Contact {
    fn default() -> Self {
        Self {
            condition: WallCondition::Slip,
            friction: 0.0,
            heat: None,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BodyId(pub u16);

/// The solids of a scene: keyframed colliders, freely moving bodies, or both.
///
/// A step begins with [`Solids::advance`], which tells where solids stand at its start and where they will stand at its end:
/// liquids see both, and report what they did to each. That comes back by [`Solids::push`] once the liquid's step has held, so
/// that liquids need not know which solids are free to follow. Liquids that solve for the motion of free solids along with their
/// own tell them by [`Solids::follow`] before they move on themselves.
pub trait Solids: Send + Sync {
    /// All solids; a [`BodyId`] is an index into them.
    fn all(&self) -> &[Solid];

    /// Sets out on the step from `time` to `time + dt`.
    fn advance(&mut self, time: f64, dt: f64);

    /// Has free solids end the step that they have set out on where the liquid takes them, with impulses as in [`Solids::push`].
    /// Until then, their ends are foretold. Solids that nothing can push stay as they are.
    fn follow(&mut self, _impulses: &[Impulse], _dt: f64) {}

    /// Takes what a liquid's step of `dt` seconds did to the solids: at most one impulse for each, in their order, with angular
    /// parts about the world's origin. What free solids have followed already is not done to them again.
    fn push(&mut self, impulses: &[Impulse], dt: f64);

    /// Takes the heat that a liquid's step gave to solids which have a capacity for it. Others keep their temperature.
    fn warm(&mut self, _heat: &[BodyHeat]) {}

    /// Takes what is left of free bodies that melt. What has melted leaves them with the velocity that they have there.
    fn wear(&mut self, _left: &[Remains]) {}

    /// Everything that a later step depends on.
    fn save(&self) -> Channels;

    /// Returns to a saved state at `time`.
    fn load(&mut self, saved: Channels, time: f64) -> Result<(), ChannelError>;
}
