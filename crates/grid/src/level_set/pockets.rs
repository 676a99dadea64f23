//! Small pockets of air become part of the liquid. The model has no air: a pocket would be a vacuum, into which the liquid
//! rushes, and jets would leave it on the other side.

use ooze_field::level_set::{Components, TrackedSurface, TrackingSettings};
use ooze_field::mask::Mask;
use ooze_field::{Field, floor};
use rayon::prelude::*;

use super::lattices::FINE;
use crate::stages;

/// Fills the pockets of a surface. `solids` are distances from them: what is inside is not air.
pub(super) fn fill(surface: &mut TrackedSurface, solids: &Field<f32>, settings: &TrackingSettings) {
    let phi = &surface.phi;
    let topology = phi.topology().clone();
    let mut air = Field::new(&topology, phi.place(), 0u8);
    air.par_tiles_mut().for_each(|(slot, tile)| {
        let nodes = phi.tile(slot).iter().zip(solids.tile(slot));
        for (flag, (&value, &solid)) in tile.iter_mut().zip(nodes) {
            *flag = u8::from(value >= 0.0 && solid >= 0.0);
        }
    });
    let air = Mask::of(&air, |flag| flag != 0);
    let components = Components::of(&air, phi.place());
    let nodes_of_cell = FINE.pow(if topology.lattice().flat { 2 } else { 3 }) as u32;
    let pockets = stages::pockets(&components, nodes_of_cell);
    if !pockets.contains(&true) {
        return;
    }
    let lattice = *topology.lattice();
    let labels = &components.labels;
    surface.phi.par_tiles_mut().for_each(|(slot, tile)| {
        for (value, &label) in tile.iter_mut().zip(labels.tile(slot)) {
            if pockets[label as usize] {
                *value = -0.5 * lattice.cell_size;
            }
        }
    });
    surface.particles.keep_where(|point| {
        let nearest = floor(lattice.to_cells(point) + 0.5);
        !pockets[labels.get(nearest) as usize]
    });
    surface.reinitialise(settings);
}
