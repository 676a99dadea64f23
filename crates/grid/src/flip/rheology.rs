//! The viscosity of the cells from those of the particles.

use ooze_commons::reduce;
use ooze_core::{Handle, ParticleSet};

use super::exchange;
use super::order::CellOrder;
use crate::viscosity::{CellViscosity, NEGLIGIBLE, diffusion_number};

/// Layers of cells that viscosities are continued by: into walls and beyond the outermost particles.
const LAYERS: u32 = 3;

/// The viscosity at cell centres. None if it is too small to matter in a step of `dt` seconds for a liquid as light as
/// `density`.
pub(crate) fn cell_viscosity(
    order: &CellOrder,
    particles: &ParticleSet,
    channel: Handle<f32>,
    density: f32,
    dt: f64,
) -> Option<CellViscosity> {
    let cell_size = f64::from(order.topology.lattice().cell_size);
    let viscosities = &particles.carried[channel];
    let largest = reduce::max(viscosities, |&viscosity| viscosity);
    // Not the other way round: without particles, the largest is below everything.
    let matters = diffusion_number(largest, density, cell_size, dt) >= NEGLIGIBLE;
    matters.then(|| {
        let smallest = -reduce::max(viscosities, |&viscosity| -viscosity);
        if smallest == largest {
            CellViscosity::Uniform(largest)
        } else {
            let cells = exchange::to_cells(order, particles, channel, LAYERS);
            CellViscosity::Varying { cells, largest }
        }
    })
}
