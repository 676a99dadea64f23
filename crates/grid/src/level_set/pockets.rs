//! Pockets of air become part of the liquid. The model has no air: a pocket would be a vacuum, into which the liquid rushes, and
//! jets would leave it on the other side.
//!
//! A pocket is air that the liquid has closed in: a small bubble, which touches no wall, or a splinter that a step has cut off
//! from the air at a wall. What a step has left of a piece of air is none, however little there is of it: the head-space of a
//! full vessel stays what it is.

use ooze_field::level_set::{TrackedSurface, TrackingSettings};
use ooze_field::mask::Mask;
use ooze_field::{Field, floor};
use rayon::prelude::*;

use super::lattices::FINE;
use crate::enclosures::{Air, Enclosure};

/// A part of less than this share of the air that it came from is a splinter, a larger one what is left of it.
const LARGEST_SPLINTER: f32 = 0.25;

/// The air around a level set. `solids` are distances from them: what is inside is not air.
pub(super) fn air_around(phi: &Field<f32>, solids: &Field<f32>) -> Air {
    let is_air = |value: f32, solid: f32| value >= 0.0 && solid >= 0.0;
    Air::of(&Mask::of_both(phi, solids, is_air), phi.place())
}

/// Which pieces of air are pockets, by label, given the air a step before.
fn pockets(air: &Air, solids: &Field<f32>, before: impl FnOnce() -> Air) -> Vec<bool> {
    let enclosures = air.enclosures(FINE as u32, |index| solids.values()[index] < 0.0);
    let mut pockets: Vec<bool> = enclosures
        .iter()
        .map(|&enclosure| enclosure != Enclosure::Open)
        .collect();
    if !enclosures.contains(&Enclosure::Walled) {
        return pockets;
    }
    let before = before();
    let topology = air.labels.topology();
    for slot in 0..topology.tile_count() {
        for (local, &label) in air.labels.tile(slot).iter().enumerate() {
            let label = label as usize;
            if enclosures[label] == Enclosure::Walled {
                let forebear = before.labels.get(topology.cell(slot, local));
                let share = LARGEST_SPLINTER * before.sizes[forebear as usize] as f32;
                let left = forebear != 0 && air.sizes[label] as f32 >= share;
                pockets[label] &= !left;
            }
        }
    }
    pockets
}

/// Fills the pockets of a surface, given the air a step before; tells how many samples of them there were.
pub(super) fn fill(
    surface: &mut TrackedSurface,
    solids: &Field<f32>,
    before: impl FnOnce() -> Air,
    settings: &TrackingSettings,
) -> u32 {
    let air = air_around(&surface.phi, solids);
    let pockets = pockets(&air, solids, before);
    if !pockets.contains(&true) {
        return 0;
    }
    let lattice = *surface.phi.topology().lattice();
    let labels = &air.labels;
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
    let filled = pockets.iter().zip(&air.sizes);
    filled
        .filter(|(pocket, _)| **pocket)
        .map(|(_, size)| size)
        .sum()
}
