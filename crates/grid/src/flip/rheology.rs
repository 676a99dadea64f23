//! The viscosity of the cells, and other strengths, from those of the particles.

use ooze_field::{Field, Place, level_set, reduce};
use rayon::prelude::*;

use super::order::CellOrder;
use crate::viscosity::{CellViscosity, NEGLIGIBLE, diffusion_number};

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
        let least = LEAST_SHARE * largest;
        let (mut cells, mut known) = cell_means(order, values, |value| value.max(least).ln());
        level_set::extrapolate(&mut cells, &mut known, LAYERS);
        exponentiate(&mut cells, &known);
        CellViscosity::Varying { cells, largest }
    }
}

/// The mean over each cell's particles of what `map` makes of their values, and marks of the cells that have any.
pub(super) fn cell_means(
    order: &CellOrder,
    values: &[f32],
    map: impl Fn(f32) -> f32 + Sync,
) -> (Field<f32>, Field<u8>) {
    let topology = &order.topology;
    let cells = topology.tile_cells();
    let mut means = Field::new(topology, Place::Cell, 0.0);
    let mut known = Field::new(topology, Place::Cell, 0u8);
    means
        .par_tiles_mut()
        .zip(known.par_tiles_mut())
        .for_each(|((slot, means), (_, known))| {
            for (local, (mean, known)) in means.iter_mut().zip(known).enumerate() {
                let own = &values[order.cell_particles(slot * cells + local)];
                if !own.is_empty() {
                    let sum: f32 = own.iter().map(|&own| map(own)).sum();
                    *mean = sum / own.len() as f32;
                    *known = 1;
                }
            }
        });
    (means, known)
}

/// Turns known logarithms into what they are of; the rest into zero.
fn exponentiate(logarithms: &mut Field<f32>, known: &Field<u8>) {
    logarithms.par_tiles_mut().for_each(|(slot, tile)| {
        for (value, &known) in tile.iter_mut().zip(known.tile(slot)) {
            *value = if known == 0 { 0.0 } else { value.exp() };
        }
    });
}
