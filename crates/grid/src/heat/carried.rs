//! Heat that particles carry from cell to cell: a cell holds just what its particles do.

use ooze_commons::reduce;
use ooze_core::{HeatMeasure, Material, ParticleSet};
use rayon::prelude::*;

use super::content::{FilledCell, HeatCells, Portion, ThermalMaterials};
use crate::flip::channels::{HeatChannels, ViscosityChannel};
use crate::flip::order::CellOrder;

/// What is known of the particles that carry heat.
#[derive(Clone, Copy)]
pub(crate) struct CarriedHeat<'a> {
    pub(crate) channels: HeatChannels,
    pub(crate) viscosity: ViscosityChannel,
    pub(crate) thermal: &'a ThermalMaterials,
    pub(crate) materials: &'a [Material],
    /// Volume of a particle in cubic metres.
    pub(crate) volume: f64,
}

impl<'a> CarriedHeat<'a> {
    /// Mass of a particle in kg.
    pub(crate) fn mass(&self, material: u8) -> f64 {
        f64::from(self.materials[usize::from(material)].density) * self.volume
    }

    /// What the particles of each cell hold.
    pub(crate) fn filled_cells(&self, order: &CellOrder, particles: &ParticleSet) -> HeatCells<'a> {
        let enthalpies = &particles.carried[self.channels.enthalpy];
        let each = order.topology.tile_cells();
        let tiles = (0..order.topology.tile_count()).into_par_iter();
        let filled = tiles.flat_map_iter(|slot| {
            (slot * each..(slot + 1) * each).filter_map(move |index| {
                let own = order.cell_particles(index);
                if own.is_empty() {
                    return None;
                }
                let mut portions: Vec<Portion> = Vec::with_capacity(1);
                let mut heat = 0.0;
                for particle in own.clone() {
                    let material = particles.material[particle];
                    let mass = self.mass(material);
                    heat += mass * f64::from(enthalpies[particle]);
                    match portions.iter_mut().find(|known| known.material == material) {
                        Some(known) => known.mass += mass,
                        None => portions.push(Portion { material, mass }),
                    }
                }
                Some(FilledCell {
                    index,
                    portions,
                    heat,
                    volume: own.len() as f64 * self.volume,
                })
            })
        });
        HeatCells::new(&order.topology, filled.collect(), self.thermal)
    }

    /// Gives particles new enthalpies in J/kg; temperatures, molten shares and viscosities follow.
    pub(crate) fn set(&self, particles: &mut ParticleSet, enthalpies: &[f32]) {
        let temperatures: Vec<f32> = enthalpies
            .par_iter()
            .zip(&particles.material)
            .map(|(&enthalpy, &material)| {
                let curve = &self.thermal.curves[usize::from(material)];
                curve.temperature(f64::from(enthalpy)) as f32
            })
            .collect();
        let follow = |values: &mut [f32], of: &(dyn Fn(usize, f32) -> f32 + Sync)| {
            let rows = values
                .par_iter_mut()
                .zip(&particles.material)
                .zip(&temperatures);
            rows.for_each(|((value, &material), &temperature)| {
                *value = of(usize::from(material), temperature);
            });
        };
        let channels = self.channels;
        follow(
            &mut particles.carried[channels.melted],
            &|material, temperature| {
                self.thermal.curves[material].melted(f64::from(temperature)) as f32
            },
        );
        follow(
            &mut particles.carried[self.viscosity],
            &|material, temperature| self.materials[material].viscosity_at(temperature),
        );
        let (viscosities, thickness) = particles
            .carried
            .pair_mut(self.viscosity, channels.thickness);
        for (viscosity, thickness) in viscosities.iter_mut().zip(thickness) {
            *viscosity *= *thickness;
        }
        particles.carried[channels.enthalpy].copy_from_slice(enthalpies);
        particles.carried[channels.temperature].copy_from_slice(&temperatures);
    }

    /// Enthalpy of all particles in J.
    pub(crate) fn content(&self, particles: &ParticleSet) -> f64 {
        let enthalpies = &particles.carried[self.channels.enthalpy];
        let indices: Vec<u32> = (0..enthalpies.len() as u32).collect();
        reduce::sum(&indices, |&index| {
            let material = particles.material[index as usize];
            self.mass(material) * f64::from(enthalpies[index as usize])
        })
    }

    /// The figures of their heat, if there are any.
    pub(crate) fn measure(&self, particles: &ParticleSet) -> Option<HeatMeasure> {
        let (temperatures, melted) = (
            &particles.carried[self.channels.temperature],
            &particles.carried[self.channels.melted],
        );
        let count = temperatures.len() as f64;
        let mean = |values: &[f32]| reduce::sum(values, |&value| f64::from(value)) / count;
        (!temperatures.is_empty()).then(|| HeatMeasure {
            content: self.content(particles),
            coldest: -f64::from(reduce::max(temperatures, |&value| -value)),
            hottest: f64::from(reduce::max(temperatures, |&value| value)),
            mean: mean(temperatures),
            melted: mean(melted),
        })
    }
}
