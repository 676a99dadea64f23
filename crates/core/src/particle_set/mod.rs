//! The particles of a liquid, of whatever method.
//!
//! Five quantities every particle has; whatever else a method, or a user of the library, wants particles to carry is registered
//! as a channel with a [`ChannelRule`], and everything that handles particles loops over the channels. A new quantity is one
//! rule, and no loop has to be told of it.
//!
//! Each quantity is an array of its own, without gaps, of values that are plain bytes ([`bytemuck::Pod`]): a loop reads the
//! quantities that it needs and nothing else, the compiler can work on several neighbours in memory at once, and an array goes
//! to a GPU as it is. A channel is found by its name once, when it is registered; after that a [`Handle`] leads to it, which is
//! an index and a type, so that loops get a slice and never search.

mod archive;
mod carried;
mod column;
mod measure;
mod real;
mod rule;
#[cfg(test)]
mod tests;
mod value;

use glam::Vec3;
use rayon::prelude::*;

use crate::StepError;
pub use carried::{Carried, Handle};
pub use column::gather;
use column::{first_not_finite, gather_values};
pub use real::RealChannel;
pub use rule::{Birth, ChannelRule, Exchange, Mean};
pub use value::{Gradient, ParticleValue};

/// Particles that are handled together by one task. Nothing is summed up here: results do not depend on it.
const CHUNK: usize = 4096;

/// Everything that is known of each particle. All arrays have the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParticleSet {
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
    /// What else they carry.
    pub carried: Carried,
}

impl ParticleSet {
    /// No particles, which carry these channels.
    pub fn carrying(carried: &Carried) -> Self {
        Self {
            carried: carried.empty(),
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

    /// Adds a particle; the rules of what it carries tell with what it begins.
    pub fn push(&mut self, birth: &Birth<'_>, velocity: Vec3, identity: u32, material: u8) {
        self.position.push(birth.position);
        self.velocity.push(velocity);
        self.identity.push(identity);
        self.material.push(material);
        self.age.push(0.0);
        self.carried.push(birth);
    }

    /// The particles in another order, or some of them: entry `i` of `target` becomes this set's entry `order[i]`. `target`
    /// provides the memory.
    pub fn gather_into(&self, order: &[u32], target: &mut Self) {
        gather_values(&self.position, order, &mut target.position);
        gather_values(&self.velocity, order, &mut target.velocity);
        gather_values(&self.identity, order, &mut target.identity);
        gather_values(&self.material, order, &mut target.material);
        gather_values(&self.age, order, &mut target.age);
        self.carried.gather_into(order, &mut target.carried);
    }

    /// Puts the particles into another order, or drops some: entry `i` becomes the former entry `order[i]`.
    pub fn gather(&mut self, order: &[u32]) {
        let mut gathered = Self::default();
        self.gather_into(order, &mut gathered);
        *self = gathered;
    }

    /// Adds particles that carry the same channels at the end.
    pub fn append(&mut self, other: &Self) {
        self.position.extend_from_slice(&other.position);
        self.velocity.extend_from_slice(&other.velocity);
        self.identity.extend_from_slice(&other.identity);
        self.material.extend_from_slice(&other.material);
        self.age.extend_from_slice(&other.age);
        self.carried.append(&other.carried);
    }

    /// The order of rising identities.
    pub fn identity_order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.par_sort_unstable_by_key(|&index| self.identity[index as usize]);
        order
    }

    /// An error that names the first particle of which something is not a number after a stage.
    pub fn check_finite(&self, stage: &'static str) -> Result<(), StepError> {
        let broken = [("position", &self.position), ("velocity", &self.velocity)]
            .into_iter()
            .find_map(|(channel, values)| Some((channel, first_not_finite(values)?)))
            .or_else(|| self.carried.first_not_finite());
        match broken {
            None => Ok(()),
            Some((channel, (index, value))) => Err(StepError::NotFinite {
                stage,
                channel,
                identity: self.identity[index],
                value,
            }),
        }
    }
}
