//! The books that are kept of a liquid's particles: how many there have been, and how much liquid they should be.

use crate::channel_rules::{expect_counter, expect_not_negative};
use crate::{ChannelData, ChannelError, Channels, LiquidSetup, expect_length};

/// What has come and gone so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inventory {
    /// Identity of the next particle.
    pub next_identity: u32,
    /// Volume that each emitter has emitted so far, in cubic metres.
    pub emitted_volume: Vec<f64>,
    /// Volume in cubic metres that was seeded and emitted, less what was drained or left.
    pub expected_volume: f64,
}

impl Inventory {
    /// An identity that no other particle has.
    pub(crate) fn new_identity(&mut self) -> u32 {
        self.next_identity += 1;
        self.next_identity - 1
    }

    /// Adds the books to the channels of a checkpoint.
    pub fn save(&self, saved: &mut Channels) {
        let next = vec![self.next_identity];
        saved.insert("next_identity", ChannelData::Word(next));
        let emitted = self.emitted_volume.clone();
        saved.insert("emitted_volume", ChannelData::Double(emitted));
        let expected = vec![self.expected_volume];
        saved.insert("expected_volume", ChannelData::Double(expected));
    }

    /// Takes back what [`Inventory::save`] gave, for the same scene.
    pub fn load(saved: &mut Channels, setup: &LiquidSetup) -> Result<Self, ChannelError> {
        let next_identity = saved.take_words("next_identity")?;
        let emitted_volume = saved.take_doubles("emitted_volume")?;
        let expected_volume = saved.take_doubles("expected_volume")?;
        expect_length("next_identity", &next_identity, 1)?;
        expect_length("emitted_volume", &emitted_volume, setup.emitters.len())?;
        expect_length("expected_volume", &expected_volume, 1)?;
        expect_counter("next_identity", next_identity[0])?;
        expect_not_negative("emitted_volume", &emitted_volume)?;
        Ok(Self {
            next_identity: next_identity[0],
            emitted_volume,
            expected_volume: expected_volume[0],
        })
    }
}
