//! Walls made of particles, ghosts or sampled on solids, as a step sees them.

use glam::Vec3;
use ooze_core::{ChannelData, ChannelError, Channels, Obstacles, expect_length};

use super::density::{self, Flow, Sums};
use super::surroundings::{Surroundings, WallSums};
use super::{MuellerLiquid, MuellerSettings, WallForm};
use crate::boundary::contact::Touches;
use crate::boundary::ghosts::Ghosts;
use crate::boundary::samples::WallSamples;
use crate::liquid::Basis;
use crate::neighbours::{Neighbours, Rows, sorted_order};
use crate::resolution::Resolution;

/// The sampled particles' share of the state: the wall set's densities evolve, the interface set's do not.
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
        Ok(Self {
            position,
            compression,
        })
    }
}

/// The samples that a liquid's settings ask for.
pub fn sampled(
    settings: &MuellerSettings,
    basis: &Basis,
    obstacles: &Obstacles<'_>,
) -> WallSamples {
    match settings.walls {
        WallForm::Particles => WallSamples::new(obstacles, &basis.setup.domain, &basis.resolution),
        WallForm::Distance | WallForm::Ghosts => WallSamples::default(),
    }
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
    source: Vec<u32>,
    /// The liquid's neighbours among them; none if walls are integrals.
    lists: Option<Neighbours>,
}

impl Walls {
    /// The walls around a liquid whose particles are at `positions`.
    pub fn around(
        liquid: &MuellerLiquid,
        state: &WallState,
        positions: &[Vec3],
        velocities: &[Vec3],
        volumes: &[f32],
        touches: &Touches,
        obstacles: &Obstacles<'_>,
    ) -> Self {
        let Resolution { radius, .. } = liquid.basis.resolution;
        let flat = liquid.basis.resolution.flat();
        let mut walls = match liquid.settings.walls {
            WallForm::Distance => return Self::default(),
            WallForm::Ghosts => {
                let ghosts =
                    Ghosts::mirror(positions, velocities, touches, obstacles, radius, flat);
                Self {
                    volume: ghosts
                        .source
                        .iter()
                        .map(|&at| volumes[at as usize])
                        .collect(),
                    drag: vec![1.0; ghosts.source.len()],
                    position: ghosts.position,
                    velocity: ghosts.velocity,
                    source: ghosts.source,
                    lists: None,
                }
            }
            WallForm::Particles => {
                let order = sorted_order(&state.position, radius, flat);
                let of = |index: u32| index as usize;
                let body = |index: u32| liquid.samples.body[of(index)];
                let held = |index: u32| {
                    f32::from(u8::from(obstacles.contact(body(index)).condition.holds()))
                };
                let places = order.iter().map(|&index| state.position[of(index)]);
                let moving =
                    |index: u32| obstacles.velocity(body(index), state.position[of(index)]);
                Self {
                    position: places.collect(),
                    velocity: order.iter().map(|&index| moving(index)).collect(),
                    volume: order
                        .iter()
                        .map(|&index| liquid.samples.volume[of(index)])
                        .collect(),
                    drag: order.iter().map(|&index| held(index)).collect(),
                    source: order,
                    lists: None,
                }
            }
        };
        // The walls' particles come after the liquid's and the point that pads lists.
        let padding = positions.len() as u32;
        let rows = Rows::of_sorted(&walls.position, radius, flat, padding + 1);
        walls.lists = Some(Neighbours::among(positions, &rows, padding));
        walls
    }

    /// What stands for walls in sums.
    pub fn sums<'a>(&'a self, touches: &'a Touches) -> WallSums<'a> {
        match &self.lists {
            Some(lists) => WallSums::Particles(lists),
            None => WallSums::Integrals(touches),
        }
    }

    /// Pressures of the walls' particles. `liquid` are the pressures of the liquid's, `growth` is that of the pressure of the
    /// weight in Pa/m.
    pub fn pressures(
        &self,
        form: WallForm,
        state: &WallState,
        stiffness: f32,
        liquid: impl Fn(usize) -> (Vec3, f32),
        growth: Vec3,
    ) -> Vec<f32> {
        let each = self.position.iter().zip(&self.source);
        each.map(|(&position, &source)| match form {
            WallForm::Distance => 0.0,
            WallForm::Ghosts => {
                let (origin, pressure) = liquid(source as usize);
                // Behind a floor the weight adds to the pressure, as it does above.
                let deeper = growth.dot(position - origin);
                if pressure > 0.0 {
                    (pressure + deeper).max(0.0)
                } else {
                    pressure
                }
            }
            WallForm::Particles => {
                (stiffness * (state.compression[source as usize] - 1.0)).max(0.0)
            }
        })
        .collect()
    }

    /// Changes the densities of the wall set by the flow of the liquid towards it. `flow` is that of a step whose particles
    /// are at `middle`.
    pub fn evolve(
        &self,
        samples: &WallSamples,
        flow: &Flow<'_>,
        middle: &[Vec3],
        resolution: &Resolution,
        state: &mut WallState,
        dt: f32,
    ) {
        let radius = resolution.radius;
        let order = sorted_order(middle, radius, resolution.flat());
        let sorted: Vec<Vec3> = order.iter().map(|&index| middle[index as usize]).collect();
        let rows = Rows::of_sorted(&sorted, radius, resolution.flat(), 0);
        let padding = middle.len() as u32;
        let mut lists = Neighbours::among(&self.position, &rows, padding);
        lists.rename(|index| order.get(index as usize).copied().unwrap_or(padding));
        let around = Surroundings {
            neighbours: &lists,
            first: middle.len() + 1,
            walls: WallSums::None,
            ..flow.around
        };
        let mut sums = vec![Sums::default(); self.position.len()];
        density::sums(&Flow { around, ..*flow }, &mut sums);
        for (sums, &source) in sums.iter().zip(&self.source) {
            let source = source as usize;
            if samples.depth[source] > 0.0 {
                let compression = &mut state.compression[source];
                let rate = sums.diffusion - *compression * sums.divergence;
                *compression = (*compression + rate * dt).max(1.0);
            }
        }
    }
}
