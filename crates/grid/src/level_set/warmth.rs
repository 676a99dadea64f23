//! The heat that a level-set liquid carries along: specific enthalpies at cell centres, traced back as its materials are.
//!
//! Of each material there is a field: what a kilogram of it holds at the cell's temperature, whether there is any of it or not.
//! The border between two liquids, which is sharper than what is traced back, then mixes no enthalpies of different meaning, and
//! nothing becomes hotter or colder than what was around.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::lattice_channel::{insert_field, take_field};
use ooze_core::{Birth, ChannelData, ChannelError, Channels, Emitter, EnthalpyCurve, LiquidSetup};
use ooze_field::level_set::extrapolate;
use ooze_field::{Field, Flow, Place, Topology};
use rayon::prelude::*;

use super::channels::{carried, nearest_liquid};
use super::lattices::BAND_CELLS;
use super::mixture::{CARRIED_CELLS, Mixture};
use super::sources::in_or_next_to;
use super::transport;
use crate::boundary::Boundary;

/// How warm the cells of a liquid are.
#[derive(Clone, Debug, PartialEq)]
pub struct Warmth {
    /// Enthalpy over temperature of each material of the mixture.
    pub(super) curves: Vec<EnthalpyCurve>,
    /// Enthalpies of each in J/kg at the temperatures of cells, continued around the liquid.
    pub(super) enthalpies: Vec<Field<f32>>,
}

impl Warmth {
    /// The liquids of a scene at its start.
    pub(super) fn new(setup: &LiquidSetup, mixture: &Mixture, topology: &Arc<Topology>) -> Self {
        let curves = curves(setup, mixture);
        let mut warmth = Self {
            enthalpies: vec![Field::new(topology, Place::Cell, 0.0); curves.len()],
            curves,
        };
        warmth.set(|point| {
            let liquid = nearest_liquid(setup, point)?;
            Some(Birth::at_start(point, setup, liquid).temperature)
        });
        warmth
    }

    /// Gives cells temperatures in kelvin where there are any.
    fn set(&mut self, temperature: impl Fn(Vec3) -> Option<f32> + Sync) {
        for (curve, field) in self.curves.iter().zip(&mut self.enthalpies) {
            let topology = Arc::clone(field.topology());
            field.par_tiles_mut().for_each(|(slot, tile)| {
                for (local, value) in tile.iter_mut().enumerate() {
                    let point = topology.lattice().centre(topology.cell(slot, local));
                    if let Some(temperature) = temperature(point) {
                        *value = curve.enthalpy(f64::from(temperature)) as f32;
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
        let fields = self.enthalpies.iter();
        let mut moved = Self {
            curves: self.curves.clone(),
            enthalpies: fields.map(|field| field.on_tiles(topology)).collect(),
        };
        for emitter in open {
            let inside = in_or_next_to(&setup.domain, emitter);
            moved.set(|point| {
                inside(point).then(|| Birth::emitted(point, setup, emitter).temperature)
            });
        }
        moved
    }

    /// The same after the flow has carried it for `dt` seconds; `liquid` is the level set where the liquid is now.
    pub(super) fn advanced(&self, flow: &Flow, liquid: &Field<f32>, dt: f32) -> Self {
        let way = (dt, CARRIED_CELLS);
        Self {
            curves: self.curves.clone(),
            enthalpies: carried(&self.enthalpies, flow, liquid, way, |_, _| true),
        }
    }

    /// The same by MacCormack's scheme (Selle et al. 2008): smears less, and leads beyond nothing that was around.
    pub(super) fn advanced_there_and_back(
        &self,
        flow: &Flow,
        liquid: &Field<f32>,
        boundary: &Boundary,
        dt: f32,
    ) -> Self {
        let mut moved = self.advanced(flow, liquid, dt);
        let inside = |cell| u8::from(liquid.get(cell) < 0.0);
        let known = Field::from_cells(liquid.topology(), Place::Cell, 0u8, inside);
        for (moved, old) in moved.enthalpies.iter_mut().zip(&self.enthalpies) {
            let velocity = |point: Vec3| flow.at(point);
            *moved = transport::corrected(moved, &known, old, boundary, &velocity, dt);
        }
        moved
    }

    /// Continues what is known around it.
    pub(super) fn extrapolate(&mut self, known: &Field<u8>) {
        for field in &mut self.enthalpies {
            extrapolate(field, &mut known.clone(), BAND_CELLS as u32);
        }
    }

    /// Temperature of a cell in kelvin.
    pub(super) fn temperature(&self, mixture: &Mixture, cell: IVec3) -> f64 {
        self.mean_temperature(mixture, cell, |field| field.get(cell))
    }

    /// How much of each material has melted.
    pub(super) fn melted(&self) -> Vec<Field<f32>> {
        let materials = self.curves.iter().zip(&self.enthalpies);
        let melted = materials.map(|(curve, field)| {
            let topology = Arc::clone(field.topology());
            Field::from_cells(&topology, Place::Cell, 0.0, |cell| {
                let temperature = curve.temperature(f64::from(field.get(cell)));
                curve.melted(temperature) as f32
            })
        });
        melted.collect()
    }

    /// The mean over the materials of a cell of temperatures that follow from their enthalpies: they are one, but for what
    /// interpolation does to them.
    fn mean_temperature(
        &self,
        mixture: &Mixture,
        cell: IVec3,
        enthalpy: impl Fn(&Field<f32>) -> f32,
    ) -> f64 {
        let portions = mixture.portions(cell);
        let temperature = |index: usize| {
            let enthalpy = enthalpy(&self.enthalpies[index]);
            self.curves[index].temperature(f64::from(enthalpy))
        };
        portions
            .map(|(index, share)| f64::from(share) * temperature(index))
            .sum()
    }

    /// Adds what is known of heat at markers to a frame, and tells their temperatures in kelvin.
    pub(super) fn show(
        &self,
        mixture: &Mixture,
        markers: &[Vec3],
        frame: &mut Channels,
    ) -> Vec<f32> {
        let Some(lattice) = self
            .enthalpies
            .first()
            .map(|field| *field.topology().lattice())
        else {
            return Vec::new();
        };
        let rows: Vec<[f32; 3]> = markers
            .par_iter()
            .map(|&point| {
                let cell = lattice.cell_of(point);
                let temperature = self.mean_temperature(mixture, cell, |field| field.sample(point));
                let mean = |of: &dyn Fn(&EnthalpyCurve) -> f64| -> f64 {
                    let portions = mixture.portions(cell);
                    portions
                        .map(|(index, share)| f64::from(share) * of(&self.curves[index]))
                        .sum()
                };
                let enthalpy = mean(&|curve| curve.enthalpy(temperature));
                let melted = mean(&|curve| curve.melted(temperature));
                [temperature as f32, enthalpy as f32, melted as f32]
            })
            .collect();
        let column = |index: usize| rows.iter().map(|row| row[index]).collect::<Vec<f32>>();
        for (index, name) in ["temperature", "enthalpy", "melted"].iter().enumerate() {
            frame.insert(name, ChannelData::Scalar(column(index)));
        }
        column(0)
    }

    /// Adds the enthalpies to a checkpoint.
    pub(super) fn save(&self, mixture: &Mixture, saved: &mut Channels) {
        for (&material, field) in mixture.materials().iter().zip(&self.enthalpies) {
            insert_field(saved, &field_name(material), field);
        }
    }

    /// What [`Warmth::save`] saved, on the tiles around the liquid: what is saved lacks those that hold nothing.
    pub(super) fn load(
        saved: &mut Channels,
        setup: &LiquidSetup,
        mixture: &Mixture,
        topology: &Arc<Topology>,
    ) -> Result<Self, ChannelError> {
        let lattice = setup.domain.lattice();
        let materials = mixture.materials().iter();
        let fields = materials.map(|&material| {
            let field = take_field(saved, &field_name(material), lattice, Place::Cell)?;
            Ok(field.on_tiles(topology))
        });
        Ok(Self {
            curves: curves(setup, mixture),
            enthalpies: fields.collect::<Result<_, _>>()?,
        })
    }
}

fn curves(setup: &LiquidSetup, mixture: &Mixture) -> Vec<EnthalpyCurve> {
    let materials = mixture.materials().iter();
    materials
        .map(|&index| EnthalpyCurve::of(&setup.materials[usize::from(index)]))
        .collect()
}

/// The name of a material's enthalpies in checkpoints.
fn field_name(material: u8) -> String {
    format!("enthalpy_{material}")
}
