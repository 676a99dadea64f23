//! The pressure of the viscous solve over bulk viscosity, which particles carry from one step to the next.
//!
//! Cells take the mean of their particles and particles read it back between cells: what that smooths away, the solve
//! restores in the next steps, and no noise adds up.

use ooze_field::level_set;
use rayon::prelude::*;

use super::elastic::Laws;
use super::order::CellOrder;
use super::particles::{CHUNK, Particles};
use super::rheology::cell_means;
use crate::FlipSettings;
use crate::viscosity::CarriedPressure;

/// Layers of cells that pressures are continued by, to those that hold liquid and no particle.
const LAYERS: u32 = 2;

/// Whether particles carry a pressure at all.
pub(crate) fn wanted(settings: &FlipSettings, laws: &Laws) -> bool {
    settings.viscosity.carries_pressure() && !laws.any()
}

/// The pressure of the cells, if particles carry one.
pub(crate) fn to_cells(order: &CellOrder, particles: &Particles) -> Option<CarriedPressure> {
    if particles.pressure.is_empty() {
        return None;
    }
    let (mut cells, mut known) = cell_means(order, &particles.pressure, |pressure| pressure);
    level_set::extrapolate(&mut cells, &mut known, LAYERS);
    Some(CarriedPressure::new(cells))
}

/// Hands the pressure of the cells to the particles where they are.
pub(crate) fn to_particles(particles: &mut Particles, cells: CarriedPressure) {
    let cells = cells.weighted();
    let positions = particles.position.par_chunks(CHUNK);
    let pressures = particles.pressure.par_chunks_mut(CHUNK);
    pressures.zip(positions).for_each(|(pressures, positions)| {
        for (pressure, position) in pressures.iter_mut().zip(positions) {
            *pressure = cells.sample(*position);
        }
    });
}
