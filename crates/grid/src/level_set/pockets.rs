//! Pockets of air become part of the liquid. The model has no air: a pocket would be a vacuum, into which the liquid rushes, and
//! jets would leave it on the other side.
//!
//! A pocket is air that the liquid has closed in: a small bubble, which touches no wall, or a splinter that a step has cut off
//! from the air at a wall. What a step has left of a piece of air is none, however little there is of it: the head-space of a
//! full vessel stays what it is.

use glam::IVec3;
use ooze_field::level_set::{Components, TrackedSurface, TrackingSettings};
use ooze_field::mask::Mask;
use ooze_field::{Field, floor};
use rayon::prelude::*;

use super::lattices::FINE;
use crate::stages;

/// A part of less than this share of the air that it came from is a splinter, a larger one what is left of it.
const LARGEST_SPLINTER: f32 = 0.25;

/// The connected pieces of air around a level set. `solids` are distances from them: what is inside is not air.
pub(super) struct Air {
    components: Components,
    /// Nodes of each piece; entry 0 counts those that are not air.
    sizes: Vec<u32>,
}

impl Air {
    /// Finds the air around a level set.
    pub(super) fn around(phi: &Field<f32>, solids: &Field<f32>) -> Self {
        let mut air = Field::new(phi.topology(), phi.place(), 0u8);
        air.par_tiles_mut().for_each(|(slot, tile)| {
            let nodes = phi.tile(slot).iter().zip(solids.tile(slot));
            for (flag, (&value, &solid)) in tile.iter_mut().zip(nodes) {
                *flag = u8::from(value >= 0.0 && solid >= 0.0);
            }
        });
        let components = Components::of(&Mask::of(&air, |flag| flag != 0), phi.place());
        let sizes = stages::sizes(&components);
        Self { components, sizes }
    }

    /// Which pieces are pockets, by label, given the air a step before.
    fn pockets(&self, solids: &Field<f32>, before: impl FnOnce() -> Self) -> Vec<bool> {
        let labels = &self.components.labels;
        let topology = labels.topology();
        let flat = topology.lattice().flat;
        let nodes_of_cell = FINE.pow(if flat { 2 } else { 3 }) as u32;
        let small = stages::small_pieces(&self.sizes, nodes_of_cell);
        if !small.contains(&true) {
            return small;
        }
        let before = before();
        let (mut open, mut walled) = (vec![false; small.len()], vec![false; small.len()]);
        let mut left = open.clone();
        let steps = &IVec3::AXES[..if flat { 2 } else { 3 }];
        for slot in 0..topology.tile_count() {
            for (local, &label) in labels.tile(slot).iter().enumerate() {
                let label = label as usize;
                if !small[label] {
                    continue;
                }
                let node = topology.cell(slot, local);
                for other in steps.iter().flat_map(|&step| [node - step, node + step]) {
                    match topology.index(other) {
                        Some(index) => walled[label] |= solids.values()[index] < 0.0,
                        None => open[label] = true,
                    }
                }
                let forebear = before.components.labels.get(node);
                let share = LARGEST_SPLINTER * before.sizes[forebear as usize] as f32;
                left[label] |= forebear != 0 && self.sizes[label] as f32 >= share;
            }
        }
        let is_pocket =
            |label: usize| small[label] && !open[label] && !(walled[label] && left[label]);
        (0..small.len()).map(is_pocket).collect()
    }
}

/// Fills the pockets of a surface, given the air a step before; tells how many samples of them there were.
pub(super) fn fill(
    surface: &mut TrackedSurface,
    solids: &Field<f32>,
    before: impl FnOnce() -> Air,
    settings: &TrackingSettings,
) -> u32 {
    let air = Air::around(&surface.phi, solids);
    let pockets = air.pockets(solids, before);
    if !pockets.contains(&true) {
        return 0;
    }
    let lattice = *surface.phi.topology().lattice();
    let labels = &air.components.labels;
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
