//! Walls made of particles, ghosts or sampled on solids (Kasi, sec. 6), as a step of any method sees them.

use glam::Vec3;
use ooze_commons::choice;
use ooze_core::channel_rules::{expect_length, expect_not_negative};
use ooze_core::{ChannelData, ChannelError, Channels, Obstacles, Solids};

use super::Basis;
use crate::boundary::contact::Touches;
use crate::boundary::ghosts::Ghosts;
use crate::boundary::samples::WallSamples;
use crate::neighbours::{Neighbours, Rows, sorted_order};
use crate::resolution::Resolution;

choice! {
    /// What stands for walls in sums over neighbours.
    pub enum WallForm {
        /// Integrals over half-spaces full of liquid: the fastest.
        Distance "distance";
        /// The liquid, mirrored in every step: the most accurate at flat walls.
        Ghosts "ghosts";
        /// Particles on the surfaces of solids and behind them.
        Particles "particles";
    }
}

/// The sampled particles' share of the state: the wall set's densities may evolve, the interface set's do not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WallState {
    /// Positions in metres.
    pub position: Vec<Vec3>,
    /// Densities relative to those at rest.
    pub compression: Vec<f32>,
}

impl WallState {
    /// Sampled particles at rest.
    pub fn new(samples: &WallSamples) -> Self {
        Self {
            position: samples.position.clone(),
            compression: vec![1.0; samples.position.len()],
        }
    }

    /// Adds the state to what is saved of a liquid.
    pub fn save(&self, saved: &mut Channels) {
        if !self.position.is_empty() {
            let (position, compression) = (self.position.clone(), self.compression.clone());
            saved.insert("wall_position", ChannelData::Vector(position));
            saved.insert("wall_compression", ChannelData::Scalar(compression));
        }
    }

    /// What was saved of as many particles.
    pub fn load(&self, saved: &mut Channels) -> Result<Self, ChannelError> {
        let count = self.position.len();
        if count == 0 {
            return Ok(Self::default());
        }
        let position = saved.take_vectors("wall_position")?;
        let compression = saved.take_scalars("wall_compression")?;
        expect_length("wall_position", &position, count)?;
        expect_length("wall_compression", &compression, count)?;
        expect_not_negative("wall_compression", &compression)?;
        Ok(Self {
            position,
            compression,
        })
    }
}

/// The walls of a scene: what no step changes of them.
pub struct WallKind {
    /// What stands for walls.
    pub form: WallForm,
    /// Particles of walls, where they are asked for.
    pub samples: WallSamples,
}

impl WallKind {
    /// The walls of a scene.
    pub fn new(form: WallForm, basis: &Basis, solids: &dyn Solids) -> Self {
        let domain = &basis.setup.domain;
        let samples = match form {
            WallForm::Particles => {
                let obstacles = Obstacles::new(domain, solids);
                WallSamples::new(&obstacles, domain, &basis.resolution)
            }
            WallForm::Distance | WallForm::Ghosts => WallSamples::default(),
        };
        Self { form, samples }
    }

    /// Carries the samples of moving solids along; `obstacles` are where they are afterwards.
    pub fn follow(
        &self,
        state: &mut WallState,
        obstacles: &Obstacles<'_>,
        resolution: &Resolution,
    ) {
        let step = 0.1 * resolution.spacing;
        self.samples.follow(&mut state.position, obstacles, step);
    }
}

/// The liquid beside walls, and what it touches.
#[derive(Clone, Copy)]
pub struct TouchingLiquid<'a> {
    /// Positions of the liquid's particles.
    pub positions: &'a [Vec3],
    /// Their velocities.
    pub velocities: &'a [Vec3],
    /// What they touch there.
    pub touches: &'a Touches,
    /// The obstacles.
    pub obstacles: &'a Obstacles<'a>,
}

/// The walls of one step.
#[derive(Default)]
pub struct Walls {
    /// Positions of the walls' particles, in the order of a neighbour search.
    pub position: Vec<Vec3>,
    /// Their velocities.
    pub velocity: Vec<Vec3>,
    /// Their volumes in m³.
    pub volume: Vec<f32>,
    /// Share of the liquid's viscosity that acts on it beside them.
    pub drag: Vec<f32>,
    /// Where each comes from: a particle of the liquid, or a sample.
    pub source: Vec<u32>,
    /// The liquid's neighbours among them, counted on from the liquid's own; none if walls are integrals.
    pub lists: Option<Neighbours>,
}

impl Walls {
    /// The walls around a liquid. `volume_of` is the volume of each of the liquid's particles in m³.
    pub fn around(
        kind: &WallKind,
        state: &WallState,
        beside: TouchingLiquid<'_>,
        resolution: &Resolution,
        volume_of: impl Fn(usize) -> f32,
    ) -> Self {
        let (radius, flat) = (resolution.radius, resolution.flat());
        let TouchingLiquid {
            positions,
            velocities,
            touches,
            obstacles,
        } = beside;
        let mut walls = match kind.form {
            WallForm::Distance => return Self::default(),
            WallForm::Ghosts => {
                let ghosts =
                    Ghosts::mirror(positions, velocities, touches, obstacles, radius, flat);
                let volumes = ghosts.source.iter().map(|&at| volume_of(at as usize));
                Self {
                    volume: volumes.collect(),
                    drag: vec![1.0; ghosts.source.len()],
                    position: ghosts.position,
                    velocity: ghosts.velocity,
                    source: ghosts.source,
                    lists: None,
                }
            }
            WallForm::Particles => Self::of_samples(&kind.samples, state, obstacles, resolution),
        };
        // The walls' particles come after the liquid's and the point that pads lists.
        let padding = positions.len() as u32;
        let rows = Rows::of_sorted(&walls.position, radius, flat, padding + 1);
        walls.lists = Some(Neighbours::among(positions, &rows, padding));
        walls
    }

    fn of_samples(
        samples: &WallSamples,
        state: &WallState,
        obstacles: &Obstacles<'_>,
        resolution: &Resolution,
    ) -> Self {
        let order = sorted_order(&state.position, resolution.radius, resolution.flat());
        let of = |index: u32| index as usize;
        let body = |index: u32| samples.body[of(index)];
        let held = |index: u32| {
            let holds = obstacles.contact(body(index)).condition.holds();
            if holds { 1.0 } else { 0.0 }
        };
        let moving = |index: u32| obstacles.velocity(body(index), state.position[of(index)]);
        Self {
            position: order.iter().map(|&at| state.position[of(at)]).collect(),
            velocity: order.iter().map(|&at| moving(at)).collect(),
            volume: order.iter().map(|&at| samples.volume[of(at)]).collect(),
            drag: order.iter().map(|&at| held(at)).collect(),
            source: order,
            lists: None,
        }
    }

    /// The walls' particles that are near one of the liquid's `count`.
    #[inline]
    pub fn near(&self, index: usize, count: usize) -> impl Iterator<Item = usize> {
        let list = self.lists.as_ref().map_or(&[][..], |lists| lists.of(index));
        list.iter()
            .map(|&other| other as usize)
            .filter(move |&other| other > count)
            .map(move |other| other - count - 1)
    }
}
