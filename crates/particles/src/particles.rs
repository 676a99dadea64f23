//! The particles of a liquid: a structure of arrays with named channels for what only some methods carry.

use glam::Vec3;
use ooze_core::{ChannelData, ChannelError, Channels, expect_length};
use rayon::prelude::*;

/// Particles that are handled together by one task.
pub const CHUNK: usize = 256;

/// A named value of each particle.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel<T> {
    /// Its name in frames and checkpoints.
    pub name: &'static str,
    /// One value a particle.
    pub values: Vec<T>,
}

/// Everything that is known of each particle. All vectors have the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    /// Positions in metres.
    pub position: Vec<Vec3>,
    /// Velocities in m/s.
    pub velocity: Vec<Vec3>,
    /// Identities, unique over the whole run.
    pub identity: Vec<u32>,
    /// Indices of materials.
    pub material: Vec<u8>,
    /// Seconds since seeding or emission.
    pub age: Vec<f32>,
    /// Numbers that a method carries along (`temperature`).
    pub scalars: Vec<Channel<f32>>,
    /// Vectors that a method carries along (`acceleration`, `colour`).
    pub vectors: Vec<Channel<Vec3>>,
}

/// What a new particle is like.
#[derive(Clone, Copy, Debug)]
pub struct NewParticle<'a> {
    /// Position in metres.
    pub position: Vec3,
    /// Velocity in m/s.
    pub velocity: Vec3,
    /// Index of its material.
    pub material: u8,
    /// Its value in each scalar channel.
    pub scalars: &'a [f32],
    /// Its value in each vector channel.
    pub vectors: &'a [Vec3],
}

impl Particles {
    /// No particles, with these channels.
    pub fn with_channels(scalars: &[&'static str], vectors: &[&'static str]) -> Self {
        fn channels<T>(names: &[&'static str]) -> Vec<Channel<T>> {
            let empty = |&name| Channel {
                name,
                values: Vec::new(),
            };
            names.iter().map(empty).collect()
        }
        Self {
            scalars: channels(scalars),
            vectors: channels(vectors),
            ..Self::default()
        }
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// The scalar channel of that name; empty if the method has none.
    pub fn scalar(&self, name: &str) -> &[f32] {
        let found = self.scalars.iter().find(|channel| channel.name == name);
        found.map_or(&[], |channel| &channel.values)
    }

    /// The vector channel of that name; empty if the method has none.
    pub fn vector(&self, name: &str) -> &[Vec3] {
        let found = self.vectors.iter().find(|channel| channel.name == name);
        found.map_or(&[], |channel| &channel.values)
    }

    /// Adds a particle.
    pub fn push(&mut self, new: NewParticle<'_>, identity: u32) {
        self.position.push(new.position);
        self.velocity.push(new.velocity);
        self.identity.push(identity);
        self.material.push(new.material);
        self.age.push(0.0);
        for (channel, &value) in self.scalars.iter_mut().zip(new.scalars) {
            channel.values.push(value);
        }
        for (channel, &value) in self.vectors.iter_mut().zip(new.vectors) {
            channel.values.push(value);
        }
    }

    /// Puts the particles into another order, or drops some: entry `i` becomes the former entry `order[i]`.
    pub fn gather(&mut self, order: &[u32]) {
        gather(&mut self.position, order);
        gather(&mut self.velocity, order);
        gather(&mut self.identity, order);
        gather(&mut self.material, order);
        gather(&mut self.age, order);
        for channel in &mut self.scalars {
            gather(&mut channel.values, order);
        }
        for channel in &mut self.vectors {
            gather(&mut channel.values, order);
        }
    }

    /// The order of rising identities.
    pub fn identity_order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.par_sort_unstable_by_key(|&index| self.identity[index as usize]);
        order
    }

    /// The channels of a frame, in the order of identities.
    pub fn channels(&self) -> Channels {
        let mut sorted = self.clone();
        sorted.gather(&self.identity_order());
        sorted.save()
    }

    /// Everything, in the order in which it is stored: what a checkpoint needs.
    pub fn save(&self) -> Channels {
        let mut channels = Channels::default();
        channels.insert("position", ChannelData::Vector(self.position.clone()));
        channels.insert("velocity", ChannelData::Vector(self.velocity.clone()));
        channels.insert("id", ChannelData::Word(self.identity.clone()));
        channels.insert("material", ChannelData::Byte(self.material.clone()));
        channels.insert("age", ChannelData::Scalar(self.age.clone()));
        for channel in &self.scalars {
            channels.insert(channel.name, ChannelData::Scalar(channel.values.clone()));
        }
        for channel in &self.vectors {
            channels.insert(channel.name, ChannelData::Vector(channel.values.clone()));
        }
        channels
    }

    /// Takes back what [`Particles::save`] gave, with the same channels as this set has.
    pub fn load(&self, saved: &mut Channels) -> Result<Self, ChannelError> {
        let position = saved.take_vectors("position")?;
        let count = position.len();
        let mut loaded = Self {
            position,
            velocity: saved.take_vectors("velocity")?,
            identity: saved.take_words("id")?,
            material: saved.take_bytes("material")?,
            age: saved.take_scalars("age")?,
            ..Self::default()
        };
        expect_length("velocity", &loaded.velocity, count)?;
        expect_length("id", &loaded.identity, count)?;
        expect_length("material", &loaded.material, count)?;
        expect_length("age", &loaded.age, count)?;
        for &Channel { name, .. } in &self.scalars {
            let values = saved.take_scalars(name)?;
            expect_length(name, &values, count)?;
            loaded.scalars.push(Channel { name, values });
        }
        for &Channel { name, .. } in &self.vectors {
            let values = saved.take_vectors(name)?;
            expect_length(name, &values, count)?;
            loaded.vectors.push(Channel { name, values });
        }
        Ok(loaded)
    }
}

/// Puts values into another order.
pub fn gather<T: Copy + Send + Sync>(values: &mut Vec<T>, order: &[u32]) {
    *values = order
        .par_iter()
        .with_min_len(CHUNK)
        .map(|&index| values[index as usize])
        .collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Particles {
        let mut particles = Particles::with_channels(&["temperature"], &["colour"]);
        for identity in [7, 3, 5] {
            let place = Vec3::splat(identity as f32);
            let new = NewParticle {
                position: place,
                velocity: -place,
                material: 1,
                scalars: &[identity as f32],
                vectors: &[place],
            };
            particles.push(new, identity);
        }
        particles
    }

    #[test]
    fn a_saved_set_comes_back_whole() {
        let particles = three();
        let template = Particles::with_channels(&["temperature"], &["colour"]);
        assert_eq!(template.load(&mut particles.save()), Ok(particles));
    }

    #[test]
    fn frames_are_ordered_by_identity() {
        let channels = three().channels();
        assert_eq!(channels.words("id"), Ok(&[3, 5, 7][..]));
        assert_eq!(channels.scalars("temperature"), Ok(&[3.0, 5.0, 7.0][..]));
    }

    #[test]
    fn a_short_or_missing_channel_is_named() {
        let template = three();
        let mut saved = three().save();
        saved.insert("temperature", ChannelData::Scalar(vec![0.0]));
        assert!(matches!(
            template.load(&mut saved),
            Err(ChannelError::WrongLength { name, found: 1, expected: 3 }) if name == "temperature"
        ));
        let mut saved = Particles::with_channels(&[], &[]).save();
        assert!(matches!(
            template.load(&mut saved),
            Err(ChannelError::Missing { name }) if name == "temperature"
        ));
    }
}
