//! What a checkpoint of a FLIP liquid holds.

use glam::Vec3;
use ooze_core::channel_rules::{
    expect_identities, expect_length, expect_materials, expect_near, expect_not_negative,
    expect_speeds,
};
use ooze_core::{ChannelData, ChannelError, Channels, LiquidSetup};

use super::particles::{Deformation, Particles};

/// The state of a FLIP liquid: everything that a later step depends on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlipState {
    /// The particles.
    pub particles: Particles,
    /// Identity of the next particle.
    pub next_identity: u32,
    /// Volume that each emitter has emitted so far, in cubic metres.
    pub emitted_volume: Vec<f64>,
    /// Volume that was seeded and emitted, less what was drained or left.
    pub expected_volume: f64,
}

impl FlipState {
    /// Adds a particle with a new identity.
    pub(crate) fn add(
        &mut self,
        position: Vec3,
        velocity: Vec3,
        deformation: Deformation,
        material: u8,
        viscosity: f32,
    ) {
        let identity = self.next_identity;
        self.particles.push(
            position,
            velocity,
            deformation,
            identity,
            material,
            viscosity,
        );
        self.next_identity += 1;
    }

    /// The state as channels.
    pub(crate) fn save(&self) -> Channels {
        let mut saved = self.particles.save();
        saved.insert("next_identity", ChannelData::Word(vec![self.next_identity]));
        saved.insert(
            "emitted_volume",
            ChannelData::Double(self.emitted_volume.clone()),
        );
        saved.insert(
            "expected_volume",
            ChannelData::Double(vec![self.expected_volume]),
        );
        saved
    }

    /// The state that [`FlipState::save`] saved, for a scene whose particles carry what `like` has.
    pub(crate) fn load(
        mut saved: Channels,
        setup: &LiquidSetup,
        like: &Deformation,
    ) -> Result<Self, ChannelError> {
        let particles = Particles::load(&mut saved, like)?;
        let next_identity = saved.take_words("next_identity")?;
        let emitted_volume = saved.take_doubles("emitted_volume")?;
        let expected_volume = saved.take_doubles("expected_volume")?;
        expect_length("next_identity", &next_identity, 1)?;
        expect_length("emitted_volume", &emitted_volume, setup.emitters.len())?;
        expect_length("expected_volume", &expected_volume, 1)?;
        expect_near("position", &particles.position, &setup.domain, 1.0)?;
        let speeds = particles.velocity.iter().map(|velocity| velocity.length());
        expect_speeds("velocity", speeds, &setup.domain)?;
        expect_materials("material", &particles.material, setup.materials.len())?;
        expect_identities("id", &particles.identity, next_identity[0])?;
        expect_not_negative("age", &particles.age)?;
        expect_not_negative("viscosity", &particles.viscosity)?;
        expect_not_negative("emitted_volume", &emitted_volume)?;
        Ok(Self {
            particles,
            next_identity: next_identity[0],
            emitted_volume,
            expected_volume: expected_volume[0],
        })
    }
}
