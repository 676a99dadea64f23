//! What a checkpoint of Clavet's liquid holds.

use ooze_core::{ChannelError, Channels, LiquidSetup};

use super::springs::{SpringTable, Springs};
use crate::neighbours::Neighbours;
use crate::state::ParticleState;

/// Everything that a later step depends on.
#[derive(Clone, Debug, Default)]
pub struct ClavetState {
    /// What all particle liquids have.
    pub base: ParticleState,
    pub(super) springs: SpringStore,
}

/// Springs, beside lists of neighbours or on their own.
#[derive(Clone, Debug)]
pub(super) enum SpringStore {
    Loose(SpringTable),
    Aligned(Springs),
}

impl Default for SpringStore {
    fn default() -> Self {
        Self::Loose(SpringTable::empty(0))
    }
}

impl SpringStore {
    pub fn table(&self, neighbours: Option<&Neighbours>, count: usize) -> SpringTable {
        match (self, neighbours) {
            (Self::Loose(table), _) => table.clone(),
            (Self::Aligned(springs), Some(neighbours)) => springs.table(neighbours, count),
            (Self::Aligned(_), None) => SpringTable::empty(count),
        }
    }
}

impl ClavetState {
    /// Particles without springs.
    pub(super) fn without_springs(base: ParticleState) -> Self {
        Self {
            springs: SpringStore::Loose(SpringTable::empty(base.particles.len())),
            base,
        }
    }

    /// Springs by their ends; `neighbours` are the lists of the last step.
    pub(super) fn table(&self, neighbours: Option<&Neighbours>) -> SpringTable {
        self.springs.table(neighbours, self.base.particles.len())
    }

    /// The state as channels.
    pub(super) fn save(&self, neighbours: Option<&Neighbours>) -> Channels {
        let mut saved = self.base.save();
        self.table(neighbours).save(&mut saved);
        saved
    }

    /// What was saved from a state with the same channels, of the same scene.
    pub(super) fn load(
        &self,
        mut saved: Channels,
        setup: &LiquidSetup,
    ) -> Result<Self, ChannelError> {
        let base = self.base.load(&mut saved, setup)?;
        let table = SpringTable::load(&mut saved, base.particles.len())?;
        saved.expect_nothing_left()?;
        Ok(Self {
            base,
            springs: SpringStore::Loose(table),
        })
    }
}
