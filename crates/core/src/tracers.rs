//! Tracers: points without mass that a liquid carries along and that show how it flows.

use std::sync::Arc;

use glam::Vec3;
use ooze_geometry::Shape;
use rayon::prelude::*;

use crate::channel_rules::{expect_each, expect_identities, expect_length, expect_near};
use crate::random::hash;
use crate::seeding::{Sites, inside_domain, shape_bounds, shape_distance};
use crate::{ChannelData, ChannelError, Channels, LiquidSetup};

/// Share of their spacing by which tracers are displaced when they are set: rows of them would show the lattice, not the flow.
const JITTER: f32 = 0.7;
/// Tells the randomness of tracers from that of everything else.
const SALT: u64 = 0x7472_6163;

/// Tracers that are set together.
#[derive(Clone, Debug)]
pub struct Tracers {
    /// Name in the scene.
    pub name: String,
    /// The region that they are set in, as far as there is liquid.
    pub shape: Arc<Shape>,
    /// Distance of neighbours in metres.
    pub spacing: f32,
    /// When they are set, in seconds.
    pub start: f64,
}

/// The tracers that are under way, in the order of their identities: a state that liquids carry and checkpoints hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TracerCloud {
    position: Vec<Vec3>,
    id: Vec<u32>,
    /// To which of the scene's [`Tracers`] each belongs.
    set: Vec<u8>,
    next_identity: u32,
}

impl TracerCloud {
    /// Sets the tracers whose time comes after `from` until `to`, at points that the liquid has.
    pub fn set(
        &mut self,
        setup: &LiquidSetup,
        (from, to): (f64, f64),
        wet: impl Fn(Vec3) -> bool + Sync,
    ) {
        let domain = &setup.domain;
        for (number, tracers) in setup.tracers.iter().enumerate() {
            if tracers.start <= from || tracers.start > to {
                continue;
            }
            let sites = Sites {
                domain,
                spacing: tracers.spacing,
                jitter: JITTER,
                seed: hash(setup.seed ^ SALT, number as u64),
            };
            let found: Vec<Vec3> = sites
                .inside(shape_bounds(domain, &tracers.shape), Vec3::ZERO)
                .into_par_iter()
                .map(|site| domain.lower + sites.position(site))
                .filter(|&point| {
                    inside_domain(domain, point)
                        && shape_distance(domain, &tracers.shape, point) < 0.0
                        && wet(point)
                })
                .collect();
            let first = self.next_identity;
            self.next_identity += found.len() as u32;
            self.id.extend(first..self.next_identity);
            self.set.extend(found.iter().map(|_| number as u8));
            self.position.extend(found);
        }
    }

    /// Moves every tracer to where a rule says; those that it says nothing for are gone.
    pub fn carry(&mut self, rule: impl Fn(Vec3) -> Option<Vec3> + Sync) {
        let moved: Vec<Option<Vec3>> = self.position.par_iter().map(|&point| rule(point)).collect();
        let is_there = |index: usize| moved[index].is_some();
        self.id = kept(&self.id, is_there);
        self.set = kept(&self.set, is_there);
        self.position = moved.into_iter().flatten().collect();
    }

    /// Where the tracers are, in metres.
    pub fn positions(&self) -> &[Vec3] {
        &self.position
    }

    /// The tracers as a frame shows them, with the velocities that they have.
    pub fn channels(&self, velocity: impl Fn(Vec3) -> Vec3 + Sync) -> Channels {
        let mut channels = Channels::default();
        let velocities = self.position.par_iter().map(|&point| velocity(point));
        channels.insert("velocity", ChannelData::Vector(velocities.collect()));
        channels.insert("position", ChannelData::Vector(self.position.clone()));
        channels.insert("id", ChannelData::Word(self.id.clone()));
        channels.insert("set", ChannelData::Byte(self.set.clone()));
        channels
    }

    /// Adds the cloud to a checkpoint.
    pub fn save(&self, saved: &mut Channels) {
        saved.insert(
            "tracer_position",
            ChannelData::Vector(self.position.clone()),
        );
        saved.insert("tracer_id", ChannelData::Word(self.id.clone()));
        saved.insert("tracer_set", ChannelData::Byte(self.set.clone()));
        let next = vec![self.next_identity];
        saved.insert("tracer_next_identity", ChannelData::Word(next));
    }

    /// Takes the cloud of a scene out of a checkpoint.
    pub fn load(saved: &mut Channels, setup: &LiquidSetup) -> Result<Self, ChannelError> {
        let cloud = Self {
            position: saved.take_vectors("tracer_position")?,
            id: saved.take_words("tracer_id")?,
            set: saved.take_bytes("tracer_set")?,
            next_identity: {
                let next = saved.take_words("tracer_next_identity")?;
                expect_length("tracer_next_identity", &next, 1)?;
                next[0]
            },
        };
        let count = cloud.position.len();
        expect_length("tracer_id", &cloud.id, count)?;
        expect_length("tracer_set", &cloud.set, count)?;
        expect_near("tracer_position", &cloud.position, &setup.domain, 1.0)?;
        expect_identities("tracer_id", &cloud.id, cloud.next_identity)?;
        expect_sets("tracer_set", &cloud.set, setup)?;
        Ok(cloud)
    }
}

/// Checks what a frame of a scene tells of tracers: nothing, or all of them.
pub fn expect_tracers(tracers: &Channels, setup: &LiquidSetup) -> Result<(), ChannelError> {
    if tracers.iter().next().is_none() {
        return Ok(());
    }
    let positions = tracers.vectors("position")?;
    expect_length("velocity", tracers.vectors("velocity")?, positions.len())?;
    expect_length("id", tracers.words("id")?, positions.len())?;
    expect_length("set", tracers.bytes("set")?, positions.len())?;
    expect_near("position", positions, &setup.domain, 1.0)?;
    expect_sets("set", tracers.bytes("set")?, setup)
}

fn expect_sets(name: &str, sets: &[u8], setup: &LiquidSetup) -> Result<(), ChannelError> {
    let count = setup.tracers.len();
    let wanted = || format!("the index of one of the scene's {count} sets of tracers");
    expect_each(name, sets, wanted, |set| usize::from(set) < count)
}

fn kept<T: Copy>(values: &[T], is_kept: impl Fn(usize) -> bool) -> Vec<T> {
    let values = values.iter().enumerate();
    let kept = values.filter(|(index, _)| is_kept(*index));
    kept.map(|(_, &value)| value).collect()
}
