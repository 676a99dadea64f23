//! What is carried along with a level-set liquid, by the rules that particles have for it: real numbers at cell centres, traced
//! back as the shares of its materials are. Whole numbers cannot be interpolated, and tell one particle from another: only
//! particles carry them.
//!
//! Texture coordinates are carried as the way from where the liquid is to where it was: that changes little from cell to cell, so
//! that continuing it beyond the surface, and interpolating there, leaves it as it is.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::lattice_channel::{insert_field, take_field};
use ooze_core::seeding::shape_distance;
use ooze_core::{Birth, ChannelError, Channels, Emitter, InitialLiquid, LiquidSetup, RealChannel};
use ooze_field::level_set::{extrapolate, trace_back};
use ooze_field::{Field, Flow, Place, Topology};
use rayon::prelude::*;

use super::lattices::BAND_CELLS;
use super::sources::in_or_next_to;

/// The values of all channels of real numbers that the scene carries.
#[derive(Clone, Debug, PartialEq)]
pub struct CellChannels {
    /// A field for each component of each channel, continued around the liquid.
    components: Vec<Field<f32>>,
}

impl CellChannels {
    /// The liquids of a scene at its start.
    pub(super) fn new(setup: &LiquidSetup, topology: &Arc<Topology>) -> Self {
        let blank = || Field::new(topology, Place::Cell, 0.0);
        let counts = setup
            .carried
            .real_channels()
            .map(|channel| channel.components());
        let mut channels = Self {
            components: (0..counts.sum()).map(|_| blank()).collect(),
        };
        channels.set(setup, |cell| {
            let position = topology.lattice().centre(cell);
            let liquid = nearest_liquid(setup, position)?;
            Some(Birth::at_start(position, setup, liquid))
        });
        channels
    }

    /// Gives cells the values of new liquid where there is any.
    fn set<'a>(&mut self, setup: &LiquidSetup, birth: impl Fn(IVec3) -> Option<Birth<'a>> + Sync) {
        for ((channel, component), field) in parts(setup).zip(&mut self.components) {
            let topology = Arc::clone(field.topology());
            field.par_tiles_mut().for_each(|(slot, tile)| {
                for (local, value) in tile.iter_mut().enumerate() {
                    if let Some(birth) = birth(topology.cell(slot, local)) {
                        let start = channel.start(&birth)[component];
                        *value = match is_place(&channel, setup) {
                            true => start - birth.position[component],
                            false => start,
                        };
                    }
                }
            });
        }
    }

    /// The same on other tiles, with the liquid that emitters drive.
    pub(super) fn on_tiles<'a>(
        &self,
        topology: &Arc<Topology>,
        setup: &LiquidSetup,
        open: impl Iterator<Item = &'a Emitter>,
    ) -> Self {
        let fields = self.components.iter();
        let mut moved = Self {
            components: fields.map(|field| field.on_tiles(topology)).collect(),
        };
        if !self.components.is_empty() {
            for emitter in open {
                moved.pour(setup, emitter);
            }
        }
        moved
    }

    /// Fills the cells in and next to an emitter.
    fn pour(&mut self, setup: &LiquidSetup, emitter: &Emitter) {
        let lattice = setup.domain.lattice();
        let inside = in_or_next_to(&setup.domain, emitter);
        self.set(setup, |cell| {
            let position = lattice.centre(cell);
            inside(position).then(|| Birth::emitted(position, setup, emitter))
        });
    }

    /// The values after the flow has carried them for `dt` seconds; `liquid` is the level set where the liquid is now.
    pub(super) fn advanced(
        &self,
        setup: &LiquidSetup,
        flow: &Flow,
        liquid: &Field<f32>,
        dt: f32,
    ) -> Self {
        let places: Vec<Option<usize>> = parts(setup)
            .map(|(channel, component)| is_place(&channel, setup).then_some(component))
            .collect();
        let cell_size = setup.domain.cell_size;
        let components = carried(&self.components, flow, liquid, (dt, 0.0), |own, way| {
            for (value, place) in own.iter_mut().zip(&places) {
                *value -= place.map_or(0.0, |component| cell_size * way[component]);
            }
            true
        });
        Self { components }
    }

    /// Gives cells the texture coordinates that fall due in a step from one moment to another.
    pub(super) fn renew(&mut self, setup: &LiquidSetup, step: (f64, f64)) {
        let Some(texture) = &setup.texture else {
            return;
        };
        for name in texture.renewed(step) {
            for ((channel, _), field) in parts(setup).zip(&mut self.components) {
                if channel.name() == name {
                    field.values_mut().fill(0.0);
                }
            }
        }
    }

    /// The fields of each channel.
    fn by_channel<'a>(
        &'a self,
        setup: &'a LiquidSetup,
    ) -> impl Iterator<Item = (RealChannel<'a>, &'a [Field<f32>])> {
        let mut rest = &self.components[..];
        setup.carried.real_channels().map(move |channel| {
            let (own, others) = rest.split_at(channel.components());
            rest = others;
            (channel, own)
        })
    }

    /// Adds the values at markers to a frame.
    pub(super) fn show(&self, setup: &LiquidSetup, markers: &[Vec3], frame: &mut Channels) {
        for (channel, fields) in self.by_channel(setup) {
            if channel.in_frames() {
                let is_place = is_place(&channel, setup);
                let rows = markers.par_iter().flat_map_iter(|&point| {
                    let fields = fields.iter().enumerate();
                    fields.map(move |(component, field)| match is_place {
                        true => point[component] + field.sample(point),
                        false => field.sample(point),
                    })
                });
                channel.insert(&rows.collect::<Vec<f32>>(), frame);
            }
        }
    }

    /// Adds the values to a checkpoint.
    pub(super) fn save(&self, setup: &LiquidSetup, saved: &mut Channels) {
        for ((channel, component), field) in parts(setup).zip(&self.components) {
            insert_field(saved, &part_name(&channel, component), field);
        }
    }

    /// What [`CellChannels::save`] saved.
    pub(super) fn load(saved: &mut Channels, setup: &LiquidSetup) -> Result<Self, ChannelError> {
        let lattice = setup.domain.lattice();
        let components = parts(setup).map(|(channel, component)| {
            let name = part_name(&channel, component);
            take_field(saved, &name, lattice, Place::Cell)
        });
        let loaded = Self {
            components: components.collect::<Result<_, _>>()?,
        };
        for (channel, fields) in loaded.by_channel(setup) {
            // What is saved lacks tiles that hold nothing, of each component others.
            for field in fields {
                let topology = field.topology();
                let tiles = 0..topology.tile_count();
                let cells = tiles.flat_map(|slot| {
                    (0..topology.tile_cells()).map(move |local| topology.cell(slot, local))
                });
                let rows = cells.flat_map(|cell| fields.iter().map(move |field| field.get(cell)));
                channel.check(&rows.collect::<Vec<f32>>())?;
            }
        }
        Ok(loaded)
    }
}

/// The components of all channels of real numbers.
fn parts(setup: &LiquidSetup) -> impl Iterator<Item = (RealChannel<'_>, usize)> {
    let channels = setup.carried.real_channels();
    channels.flat_map(|channel| (0..channel.components()).map(move |part| (channel, part)))
}

/// Whether a channel tells where the liquid was.
fn is_place(channel: &RealChannel<'_>, setup: &LiquidSetup) -> bool {
    let texture = setup.texture.as_ref();
    texture.is_some_and(|texture| texture.channels().contains(&channel.name()))
}

/// The name of a component in checkpoints. Fields have names of their own, lest they are taken for particles'.
fn part_name(channel: &RealChannel<'_>, component: usize) -> String {
    format!("carried_{}_{component}", channel.name())
}

/// The liquid of the start that a point is in, or next to. Where two overlap, the first in the scene wins.
pub(super) fn nearest_liquid(setup: &LiquidSetup, point: Vec3) -> Option<&InitialLiquid> {
    let liquids = setup.initial.iter();
    let distances = liquids.map(|liquid| {
        let distance = shape_distance(&setup.domain, &liquid.shape, point);
        (distance.max(0.0), liquid)
    });
    let nearest = distances.reduce(|best, other| if other.0 < best.0 { other } else { best });
    nearest.map(|(_, liquid)| liquid)
}

/// Values at cell centres after the flow has carried them for `dt` seconds, to so many cells from the surface, and continued from
/// there; `liquid` is the level set where it is now. `finish` gets the values of a cell and the way in cells that they have
/// come, and tells whether they mean anything.
pub(super) fn carried(
    fields: &[Field<f32>],
    flow: &Flow,
    liquid: &Field<f32>,
    (dt, cells_beyond): (f32, f32),
    finish: impl Fn(&mut [f32], Vec3) -> bool + Sync,
) -> Vec<Field<f32>> {
    let count = fields.len();
    if count == 0 {
        return Vec::new();
    }
    let topology = liquid.topology();
    let lattice = *topology.lattice();
    let velocity = |point: Vec3| flow.at(point);
    let near = cells_beyond * lattice.cell_size;
    let mut known = Field::new(topology, Place::Cell, 0u8);
    // By tile and cell the values of all fields; zero where nothing is known.
    let tiles: Vec<Vec<f32>> = known
        .par_tiles_mut()
        .map(|(slot, known)| {
            let mut carried = vec![0.0; count * topology.tile_cells()];
            for (local, own) in carried.chunks_exact_mut(count).enumerate() {
                if liquid.tile(slot)[local] >= near {
                    continue;
                }
                let point = lattice.centre(topology.cell(slot, local));
                let from = trace_back(&velocity, point, dt);
                for (own, field) in own.iter_mut().zip(fields) {
                    *own = field.sample(from);
                }
                known[local] = u8::from(finish(own, (point - from) / lattice.cell_size));
            }
            carried
        })
        .collect();
    let moved = (0..count).map(|index| {
        let mut field = Field::new(topology, Place::Cell, 0.0);
        field.par_tiles_mut().for_each(|(slot, tile)| {
            for (value, own) in tile.iter_mut().zip(tiles[slot].chunks_exact(count)) {
                *value = own[index];
            }
        });
        extrapolate(&mut field, &mut known.clone(), BAND_CELLS as u32);
        field
    });
    moved.collect()
}
