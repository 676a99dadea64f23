//! What a checkpoint of every particle liquid holds.

use glam::Vec3;
use ooze_core::channel_rules::{
    expect_each, expect_identities, expect_length, expect_materials, expect_near,
    expect_not_negative, expect_speeds,
};
use ooze_core::{ChannelData, ChannelError, Channels, LiquidSetup, StepError};
use rayon::prelude::*;

use crate::neighbours::{largest_shift, sorted_order};
use crate::particles::{NewParticle, Particles, gather};

/// Twice the steps of the fastest particle for which lists of neighbours are made.
const STEPS_PER_LIST: f32 = 8.0;
/// Bounds on the margin of lists, in interaction radii.
const SMALLEST_MARGIN: f32 = 0.1;
const LARGEST_MARGIN: f32 = 0.6;

/// The state of a particle liquid that all methods share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParticleState {
    /// The particles.
    pub particles: Particles,
    /// Where they were when they were sorted last, which lists of neighbours are made from. Empty when they must be
    /// sorted anew. It is state because the order of particles decides how sums round.
    pub sorted_at: Vec<Vec3>,
    /// By how much the radius of the lists made then exceeds the interaction radius, in metres.
    pub list_margin: f32,
    /// Identity of the next particle.
    pub next_identity: u32,
    /// Volume that each emitter has emitted so far, in cubic metres.
    pub emitted_volume: Vec<f64>,
    /// Volume that was seeded and emitted, less what was drained or left.
    pub expected_volume: f64,
}

impl ParticleState {
    /// Adds a particle with a new identity.
    pub fn add(&mut self, new: NewParticle<'_>) {
        self.particles.push(new, self.next_identity);
        self.next_identity += 1;
        self.sorted_at.clear();
    }

    /// Puts the particles into another order, or drops some.
    pub fn gather(&mut self, order: &[u32]) {
        self.particles.gather(order);
        if !self.sorted_at.is_empty() {
            gather(&mut self.sorted_at, order);
        }
    }

    /// The margin that lists of neighbours need for a step to `ahead`, if the present ones do not hold so long.
    pub fn new_margin(&self, ahead: &[Vec3], radius: f32) -> Option<f32> {
        let holds = self.sorted_at.len() == ahead.len()
            && largest_shift(ahead, &self.sorted_at) <= 0.5 * self.list_margin;
        (!holds).then(|| {
            let step = largest_shift(ahead, &self.particles.position);
            (STEPS_PER_LIST * step).clamp(SMALLEST_MARGIN * radius, LARGEST_MARGIN * radius)
        })
    }

    /// Sorts the particles for lists of neighbours with that margin; returns the order.
    pub fn sort(&mut self, radius: f32, margin: f32, flat: bool) -> Vec<u32> {
        let order = sorted_order(&self.particles.position, radius + margin, flat);
        self.particles.gather(&order);
        self.sorted_at.clone_from(&self.particles.position);
        self.list_margin = margin;
        order
    }

    /// The state as channels.
    pub fn save(&self) -> Channels {
        let mut saved = self.particles.save();
        saved.insert("sorted_at", ChannelData::Vector(self.sorted_at.clone()));
        let margin = vec![self.list_margin];
        saved.insert("list_margin", ChannelData::Scalar(margin));
        saved.insert("next_identity", ChannelData::Word(vec![self.next_identity]));
        let emitted = self.emitted_volume.clone();
        saved.insert("emitted_volume", ChannelData::Double(emitted));
        let expected = vec![self.expected_volume];
        saved.insert("expected_volume", ChannelData::Double(expected));
        saved
    }

    /// What [`ParticleState::save`] saved from a state with the same channels, of the same scene.
    pub fn load(&self, saved: &mut Channels, setup: &LiquidSetup) -> Result<Self, ChannelError> {
        let particles = self.particles.load(saved)?;
        let sorted_at = saved.take_vectors("sorted_at")?;
        let list_margin = saved.take_scalars("list_margin")?;
        let next_identity = saved.take_words("next_identity")?;
        let emitted_volume = saved.take_doubles("emitted_volume")?;
        let expected_volume = saved.take_doubles("expected_volume")?;
        if !sorted_at.is_empty() {
            expect_length("sorted_at", &sorted_at, particles.len())?;
        }
        expect_length("list_margin", &list_margin, 1)?;
        expect_length("next_identity", &next_identity, 1)?;
        expect_length("emitted_volume", &emitted_volume, self.emitted_volume.len())?;
        expect_length("expected_volume", &expected_volume, 1)?;
        for (name, points) in [("position", &particles.position), ("sorted_at", &sorted_at)] {
            expect_near(name, points, &setup.domain, 1.0)?;
        }
        let speeds = particles.velocity.iter().map(|velocity| velocity.length());
        expect_speeds("velocity", speeds, &setup.domain)?;
        expect_materials("material", &particles.material, setup.materials.len())?;
        expect_identities("id", &particles.identity, next_identity[0])?;
        expect_not_negative("age", &particles.age)?;
        let largest = setup.domain.upper().distance(setup.domain.lower);
        let wanted = || format!("a length between 0 and {largest}");
        expect_each("list_margin", &list_margin, wanted, |margin| {
            (0.0..=largest).contains(&margin)
        })?;
        expect_not_negative("emitted_volume", &emitted_volume)?;
        Ok(Self {
            particles,
            sorted_at,
            list_margin: list_margin[0],
            next_identity: next_identity[0],
            emitted_volume,
            expected_volume: expected_volume[0],
        })
    }

    /// An error that names the first particle whose place or velocity is not a number.
    pub fn check_finite(&self, stage: &'static str) -> Result<(), StepError> {
        let channels = [
            ("position", &self.particles.position),
            ("velocity", &self.particles.velocity),
        ];
        for (channel, values) in channels {
            let broken = values.par_iter().position_first(|value| !value.is_finite());
            if let Some(index) = broken {
                return Err(StepError::NotFinite {
                    stage,
                    channel,
                    identity: self.particles.identity[index],
                    value: values[index],
                });
            }
        }
        Ok(())
    }
}
