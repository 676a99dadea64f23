//! Particles as channels: in frames for the user, in checkpoints for a later run.

use super::column::gather_values;
use super::{Carried, ParticleSet, ParticleValue};
use crate::channel_rules::{
    expect_identities, expect_materials, expect_near, expect_not_negative, expect_speeds,
};
use crate::{ChannelError, Channels, LiquidSetup};

impl ParticleSet {
    /// The channels of a frame, in the order of identities.
    pub fn frame(&self) -> Channels {
        let order = self.identity_order();
        let mut channels = Channels::default();
        insert_gathered(&self.position, "position", &order, &mut channels);
        insert_gathered(&self.velocity, "velocity", &order, &mut channels);
        insert_gathered(&self.identity, "id", &order, &mut channels);
        insert_gathered(&self.material, "material", &order, &mut channels);
        insert_gathered(&self.age, "age", &order, &mut channels);
        let carried = self.carried.columns().iter();
        for column in carried.filter(|column| column.in_frames()) {
            column.insert_gathered(&order, &mut channels);
        }
        channels
    }

    /// Everything, in the order in which it is stored: what a checkpoint needs.
    pub fn save(&self) -> Channels {
        let mut channels = Channels::default();
        ParticleValue::insert(self.position.clone(), "position", &mut channels);
        ParticleValue::insert(self.velocity.clone(), "velocity", &mut channels);
        ParticleValue::insert(self.identity.clone(), "id", &mut channels);
        ParticleValue::insert(self.material.clone(), "material", &mut channels);
        ParticleValue::insert(self.age.clone(), "age", &mut channels);
        for column in self.carried.columns() {
            column.insert(&mut channels);
        }
        channels
    }

    /// Takes back what [`ParticleSet::save`] gave of particles that carry the same as these, in the same scene, and refuses
    /// what no run would have saved. `next_identity` is that of the next particle.
    pub fn load(
        &self,
        saved: &mut Channels,
        setup: &LiquidSetup,
        next_identity: u32,
    ) -> Result<Self, ChannelError> {
        let position = saved.take_vectors("position")?;
        let count = position.len();
        let loaded = Self {
            position,
            velocity: ParticleValue::take("velocity", count, saved)?,
            identity: ParticleValue::take("id", count, saved)?,
            material: ParticleValue::take("material", count, saved)?,
            age: ParticleValue::take("age", count, saved)?,
            carried: Carried::default(),
        };
        expect_near("position", &loaded.position, &setup.domain, 1.0)?;
        let speeds = loaded.velocity.iter().map(|velocity| velocity.length());
        expect_speeds("velocity", speeds, &setup.domain)?;
        expect_materials("material", &loaded.material, setup.materials.len())?;
        expect_identities("id", &loaded.identity, next_identity)?;
        expect_not_negative("age", &loaded.age)?;
        let columns = self.carried.columns().iter();
        let carried: Result<_, _> = columns.map(|column| column.take(count, saved)).collect();
        Ok(Self {
            carried: Carried::from_columns(carried?),
            ..loaded
        })
    }
}

fn insert_gathered<T: ParticleValue>(
    source: &[T],
    name: &str,
    order: &[u32],
    channels: &mut Channels,
) {
    let mut values = Vec::new();
    gather_values(source, order, &mut values);
    T::insert(values, name, channels);
}
