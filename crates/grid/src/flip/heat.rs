//! Heat of the FLIP liquid: particles carry enthalpy, cells pass it on.
//!
//! A cell holds just what its particles do, and hands back just what it has got, so that no heat comes from nowhere. Each particle
//! warms by as much as its cell; what sets it apart from its cell fades as conduction within the cell would have it, towards the
//! slope between the cells around, and never leads beyond the temperatures around it.

use glam::Vec3;
use ooze_core::{HeatMeasure, ParticleSet, StepError, StepReport};
use ooze_field::Field;
use rayon::prelude::*;

use super::FlipLiquid;
use super::order::CellOrder;
use super::step::Advance;
use crate::boundary::Boundary;
use crate::heat::{CarriedHeat, HeatCells, HeatStage, Heated, Link, NO_ROW};

/// Differences within a cell fade at this rate in units of its diffusivity over the square of its size: as fast as what is
/// evenly spread over it has conducted across it.
const FADING: f64 = 12.0;

impl<'a> Advance<'a> {
    /// Lets heat pass, and viscosity follow temperature.
    pub(super) fn heat(
        &mut self,
        boundary: &Boundary,
        liquid: &Field<f32>,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let Some(carried) = self.liquid.carried_heat() else {
            return Ok(());
        };
        let cells = carried.filled_cells(self.order, &self.particles);
        let stage = HeatStage {
            boundary,
            obstacles: self.obstacles,
            liquid,
            heat: &self.liquid.setup.heat,
            time: self.time,
            dt: self.dt,
        };
        let heated = stage.pass(&cells, report)?;
        report.heat = Some(heated.flow);
        let particles = &mut self.particles;
        hand_back(
            carried,
            self.liquid,
            self.order,
            particles,
            &cells,
            &heated,
            self.dt,
        );
        self.free_molten();
        Ok(())
    }
}

/// Gives particles what their cells have got.
fn hand_back(
    carried: CarriedHeat<'_>,
    liquid: &FlipLiquid,
    order: &CellOrder,
    particles: &mut ParticleSet,
    cells: &HeatCells<'_>,
    heated: &Heated,
    dt: f64,
) {
    let enthalpies = &particles.carried[carried.channels.enthalpy];
    let new: Vec<Vec<f32>> = (0..cells.len())
        .into_par_iter()
        .map(|row| {
            let own = order.cell_particles(cells.filled[row].index);
            let cell = CellParticles {
                liquid,
                positions: &particles.position[own.clone()],
                materials: &particles.material[own.clone()],
                enthalpies: &enthalpies[own],
            };
            let slope = slope(heated, row, order.topology.lattice().cell_size);
            cell.warmed(
                heated.before[row],
                heated.after[row],
                heated.range[row],
                slope,
                dt,
            )
        })
        .collect();
    // The cells are in the order of the particles, and all particles are in one.
    let values: Vec<f32> = new.into_iter().flatten().collect();
    let melted_before = particles.carried[carried.channels.melted].to_vec();
    carried.set(particles, &values);
    liquid
        .laws
        .follow_melting(particles, &liquid.channels, &melted_before);
}

/// The slope of temperature around a cell in K/m: along each axis the smaller of both differences, none at extremes. Where there is
/// a neighbour on one side only, its difference goes on to the other.
fn slope(heated: &Heated, row: usize, cell_size: f32) -> Vec3 {
    let Heated { after, network, .. } = heated;
    let rise = |link: &Link| (link.row != NO_ROW).then(|| after[link.row as usize] - after[row]);
    let along = network.links[row].each_ref().map(|[below, above]| {
        match (rise(below).map(|rise| -rise), rise(above)) {
            (Some(one), Some(other)) if one * other <= 0.0 => 0.0,
            (Some(one), Some(other)) if one.abs() > other.abs() => other,
            (Some(one), _) | (None, Some(one)) => one,
            (None, None) => 0.0,
        }
    });
    Vec3::from_array(along.map(|rise| rise as f32)) / cell_size
}

/// The particles of one cell.
struct CellParticles<'a> {
    liquid: &'a FlipLiquid,
    positions: &'a [Vec3],
    materials: &'a [u8],
    enthalpies: &'a [f32],
}

impl CellParticles<'_> {
    /// Their enthalpies after the cell has gone from one temperature to another.
    fn warmed(&self, before: f64, after: f64, range: [f64; 2], slope: Vec3, dt: f64) -> Vec<f32> {
        let thermal = &self.liquid.thermal;
        let curve = |index: usize| &thermal.curves[usize::from(self.materials[index])];
        let weight = |index: usize| {
            let mass = self.liquid.particle_mass(self.materials[index]);
            mass * curve(index).specific_heat()
        };
        let count = self.positions.len();
        let total: f64 = (0..count).map(weight).sum();
        let sum: glam::DVec3 = (0..count)
            .map(|index| weight(index) * self.positions[index].as_dvec3())
            .sum();
        let middle = sum / total;
        // One share for all of them, or what sets them apart would no longer add up to nothing.
        let faded = (0..count)
            .map(|index| self.faded(index, dt))
            .fold(1.0, f64::min);
        let apart: Vec<f64> = (0..count)
            .map(|index| {
                let own = f64::from(self.enthalpies[index]) - curve(index).enthalpy(before);
                let place = self.positions[index].as_dvec3() - middle;
                let smooth = curve(index).specific_heat() * slope.as_dvec3().dot(place);
                own + faded * (smooth - own)
            })
            .collect();
        // Nothing leads beyond what is around, or was there before.
        let known = |index: usize| curve(index).temperature(f64::from(self.enthalpies[index]));
        let [least, most] = (0..count)
            .map(known)
            .fold(range, |[least, most], own| [least.min(own), most.max(own)]);
        let mut share: f64 = 1.0;
        for (index, &apart) in apart.iter().enumerate() {
            let bound = if apart > 0.0 { most } else { least };
            if bound.is_finite() && apart != 0.0 {
                let room = curve(index).enthalpy(bound) - curve(index).enthalpy(after);
                share = share.min((room / apart).max(0.0));
            }
        }
        // What rounding takes from one is given to the next: over many steps it would add up.
        let mut missing = 0.0;
        let mut warm = Vec::with_capacity(count);
        for (index, &apart) in apart.iter().enumerate() {
            let mass = self.liquid.particle_mass(self.materials[index]);
            let wanted = curve(index).enthalpy(after) + share * apart + missing / mass;
            let stored = wanted as f32;
            missing = mass * (wanted - f64::from(stored));
            warm.push(stored);
        }
        warm
    }

    /// How much of what sets a particle apart fades in a step.
    fn faded(&self, index: usize, dt: f64) -> f64 {
        let material = usize::from(self.materials[index]);
        let density = f64::from(self.liquid.densities[material]);
        let thermal = &self.liquid.thermal;
        let capacity = density * thermal.curves[material].specific_heat();
        let diffusivity = thermal.conductivities[material] / capacity;
        let cell_size = f64::from(self.liquid.setup.domain.cell_size);
        -(-FADING * diffusivity * dt / (cell_size * cell_size)).exp_m1()
    }
}

impl FlipLiquid {
    /// What is known of particles that carry heat, where it matters.
    fn carried_heat(&self) -> Option<CarriedHeat<'_>> {
        Some(CarriedHeat {
            channels: self.channels.heat?,
            viscosity: self.channels.viscosity,
            thermal: &self.thermal,
            materials: &self.setup.materials,
            volume: self.particle_volume(),
        })
    }

    pub(super) fn particle_mass(&self, material: u8) -> f64 {
        f64::from(self.densities[usize::from(material)]) * self.particle_volume()
    }

    /// Enthalpy of all particles in J; zero where heat does not matter.
    pub(super) fn heat_content(&self) -> f64 {
        let carried = self.carried_heat();
        carried.map_or(0.0, |carried| carried.content(&self.state.particles))
    }

    /// Notes what came and went with the liquid since there was so much heat in it.
    pub(super) fn book_sources(&self, before: f64, report: &mut StepReport) {
        if let Some(flow) = &mut report.heat {
            flow.carried += self.heat_content() - before;
        }
    }

    /// The figures of its heat, where it matters and there is any liquid.
    pub(super) fn heat_measure(&self) -> Option<HeatMeasure> {
        self.carried_heat()?.measure(&self.state.particles)
    }
}
