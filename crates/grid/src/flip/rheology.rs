//! The viscosity of the cells, and other strengths, from those of the particles.

use ooze_field::{Field, Place, level_set, reduce};
use rayon::prelude::*;

use super::order::CellOrder;
use crate::viscosity::{CellViscosity, diffusion_number};

/// Diffusion number below which viscosity changes nothing that the grid could show.
pub(crate) const NEGLIGIBLE: f64 = 1e-3;
/// Layers of cells that viscosities are continued by: into walls and beyond the outermost particles.
const LAYERS: u32 = 3;
/// Smallest share of the largest viscosity that is told from zero: means of logarithms need a floor.
const LEAST_SHARE: f32 = 1e-9;

/// The viscosity at cell centres. None if it is too small to matter in a step of `dt` seconds for a liquid as light as
/// `density`.
pub(crate) fn cell_viscosity(
    order: &CellOrder,
    viscosities: &[f32],
    density: f32,
    dt: f64,
) -> Option<CellViscosity> {
    let cell_size = f64::from(order.topology.lattice().cell_size);
    let largest = reduce::max(viscosities, |&viscosity| viscosity);
    // Not the other way round: without particles, the largest is below everything.
    (diffusion_number(largest, density, cell_size, dt) >= NEGLIGIBLE)
        .then(|| cell_values(order, viscosities))
}

/// Values at cell centres: the geometric mean of a cell's particles, which is as sharp between liquids as the particles
/// are.
pub(crate) fn cell_values(order: &CellOrder, values: &[f32]) -> CellViscosity {
    let largest = reduce::max(values, |&value| value);
    let smallest = -reduce::max(values, |&value| -value);
    if smallest == largest {
        CellViscosity::Uniform(largest)
    } else {
        let cells = cell_means(order, values, LEAST_SHARE * largest);
        CellViscosity::Varying { cells, largest }
    }
}

fn cell_means(order: &CellOrder, values: &[f32], least: f32) -> Field<f32> {
    let topology = &order.topology;
    let cells = topology.tile_cells();
    let mut logarithm = Field::new(topology, Place::Cell, 0.0);
    let mut known = Field::new(topology, Place::Cell, 0u8);
    logarithm
        .par_tiles_mut()
        .zip(known.par_tiles_mut())
        .for_each(|((slot, logarithms), (_, known))| {
            for (local, (logarithm, known)) in logarithms.iter_mut().zip(known).enumerate() {
                let own = &values[order.cell_particles(slot * cells + local)];
                if !own.is_empty() {
                    let sum: f32 = own.iter().map(|&own| own.max(least).ln()).sum();
                    *logarithm = sum / own.len() as f32;
                    *known = 1;
                }
            }
        });
    level_set::extrapolate(&mut logarithm, &mut known, LAYERS);
    let mut means = logarithm;
    means.par_tiles_mut().for_each(|(slot, tile)| {
        for (value, &known) in tile.iter_mut().zip(known.tile(slot)) {
            *value = if known == 0 { 0.0 } else { value.exp() };
        }
    });
    means
}
