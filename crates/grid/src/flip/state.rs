//! What a checkpoint of a FLIP liquid holds.

use ooze_core::{ChannelError, Channels, Inventory, LiquidSetup, ParticleSet};

/// The state of a FLIP liquid: everything that a later step depends on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlipState {
    /// The particles.
    pub particles: ParticleSet,
    /// What has come and gone.
    pub inventory: Inventory,
}

impl FlipState {
    /// The state as channels.
    pub(crate) fn save(&self) -> Channels {
        let mut saved = self.particles.save();
        self.inventory.save(&mut saved);
        saved
    }

    /// The state that [`FlipState::save`] saved of particles that carry the same, in the same scene.
    pub(crate) fn load(
        &self,
        mut saved: Channels,
        setup: &LiquidSetup,
    ) -> Result<Self, ChannelError> {
        let inventory = Inventory::load(&mut saved, setup)?;
        let next_identity = inventory.next_identity;
        let particles = self.particles.load(&mut saved, setup, next_identity)?;
        saved.expect_nothing_left()?;
        Ok(Self {
            particles,
            inventory,
        })
    }
}
