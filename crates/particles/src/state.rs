//! What a checkpoint of every particle liquid holds.

use glam::Vec3;
use ooze_core::channel_rules::{expect_each, expect_near};
use ooze_core::{
    ChannelData, ChannelError, Channels, Inventory, LiquidSetup, ParticleSet, expect_length,
};

use crate::liquid::yielding::OnTheirWay;
use crate::neighbours::{largest_shift, sorted_order};

/// Twice the steps of the fastest particle for which lists of neighbours are made.
const STEPS_PER_LIST: f32 = 8.0;
/// Bounds on the margin of lists, in interaction radii.
const SMALLEST_MARGIN: f32 = 0.1;
const LARGEST_MARGIN: f32 = 0.6;

/// The state of a particle liquid that all methods share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParticleState {
    /// The particles.
    pub particles: ParticleSet,
    /// What has come and gone.
    pub inventory: Inventory,
    /// Where they were when they were sorted last, which lists of neighbours are made from. Empty when they must be
    /// sorted anew. It is state because the order of particles decides how sums round.
    pub sorted_at: Vec<Vec3>,
    /// By how much the radius of the lists made then exceeds the interaction radius, in metres.
    pub list_margin: f32,
    /// What the liquid has done to free bodies and they have not got yet.
    pub on_their_way: OnTheirWay,
}

impl ParticleState {
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
        self.inventory.save(&mut saved);
        saved.insert("sorted_at", ChannelData::Vector(self.sorted_at.clone()));
        let margin = vec![self.list_margin];
        saved.insert("list_margin", ChannelData::Scalar(margin));
        self.on_their_way.save(&mut saved);
        saved
    }

    /// What [`ParticleState::save`] saved from a state whose particles carry the same, of the same scene.
    pub fn load(&self, saved: &mut Channels, setup: &LiquidSetup) -> Result<Self, ChannelError> {
        let inventory = Inventory::load(saved, setup)?;
        let particles = self.particles.load(saved, setup, inventory.next_identity)?;
        let sorted_at = saved.take_vectors("sorted_at")?;
        let list_margin = saved.take_scalars("list_margin")?;
        if !sorted_at.is_empty() {
            expect_length("sorted_at", &sorted_at, particles.len())?;
        }
        expect_length("list_margin", &list_margin, 1)?;
        expect_near("sorted_at", &sorted_at, &setup.domain, 1.0)?;
        let largest = setup.domain.upper().distance(setup.domain.lower);
        let wanted = || format!("a length between 0 and {largest}");
        expect_each("list_margin", &list_margin, wanted, |margin| {
            (0.0..=largest).contains(&margin)
        })?;
        Ok(Self {
            particles,
            inventory,
            sorted_at,
            list_margin: list_margin[0],
            on_their_way: OnTheirWay::load(saved)?,
        })
    }
}
