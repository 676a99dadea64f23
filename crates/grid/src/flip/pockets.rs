//! Pockets of air become part of the liquid. The model has no air: a gap between particles deep in the liquid would be a vacuum,
//! into which the liquid rushes.
//!
//! Particles tell nothing of the air a step before. What touches a wall and is a large part of all the air that there is counts
//! as the head-space of a small or almost full vessel, not as a gap.

use glam::IVec3;
use ooze_field::mask::Mask;
use ooze_field::{Field, Place, level_set};
use rayon::prelude::*;

use crate::boundary::Boundary;
use crate::stages;

/// Share of a cell that must be free of solids for air to be in it.
const LEAST_ROOM: f32 = 0.01;
/// Part of all the air in the domain from which on a piece of it at a wall is a head-space.
const HEAD_SPACE: f64 = 0.25;

/// Fills the pockets of a surface.
pub(crate) fn fill(distance: &mut Field<f32>, boundary: &Boundary) {
    let topology = distance.topology().clone();
    let mut air = Field::new(&topology, Place::Cell, 0u8);
    air.par_tiles_mut().for_each(|(slot, tile)| {
        let cells = distance.tile(slot).iter().zip(boundary.room.tile(slot));
        for (flag, (&distance, &room)) in tile.iter_mut().zip(cells) {
            *flag = u8::from(distance >= 0.0 && room > LEAST_ROOM);
        }
    });
    let place = distance.place();
    let components = level_set::Components::of(&Mask::of(&air, |flag| flag == 1), place);
    let sizes = stages::sizes(&components);
    let mut pockets = stages::small_pieces(&sizes, 1);
    if !pockets.contains(&true) {
        return;
    }
    let labels = &components.labels;
    let walled = at_walls(labels, &pockets, boundary);
    let head_space = HEAD_SPACE * cells_of_domain(labels) as f64;
    for (label, pocket) in pockets.iter_mut().enumerate() {
        *pocket &= !(walled[label] && f64::from(sizes[label]) >= head_space);
    }
    let filled = -0.5 * topology.lattice().cell_size;
    distance.par_tiles_mut().for_each(|(slot, tile)| {
        for (value, &label) in tile.iter_mut().zip(labels.tile(slot)) {
            if pockets[label as usize] {
                *value = filled;
            }
        }
    });
}

/// Which of some pieces of air reach a solid, by label.
fn at_walls(labels: &Field<u32>, asked: &[bool], boundary: &Boundary) -> Vec<bool> {
    let topology = labels.topology();
    let steps = &IVec3::AXES[..if topology.lattice().flat { 2 } else { 3 }];
    let mut walled = vec![false; asked.len()];
    for slot in (0..topology.tile_count()).filter(|&slot| boundary.near(slot)) {
        for (local, &label) in labels.tile(slot).iter().enumerate() {
            if !asked[label as usize] || walled[label as usize] {
                continue;
            }
            let cell = topology.cell(slot, local);
            let mut around = steps.iter().flat_map(|&step| [cell - step, cell + step]);
            walled[label as usize] = around.any(|other| boundary.room.get(other) <= LEAST_ROOM);
        }
    }
    walled
}

/// Cells of the domain that belong to any piece.
fn cells_of_domain(labels: &Field<u32>) -> usize {
    let topology = labels.topology();
    let lattice = topology.lattice();
    let tiles = (0..topology.tile_count()).into_par_iter().map(|slot| {
        let pieces = labels.tile(slot).iter().enumerate();
        let inside = |&(local, &label): &(usize, &u32)| {
            let cell = topology.cell(slot, local);
            label > 0 && cell.cmpge(IVec3::ZERO).all() && cell.cmplt(lattice.cells).all()
        };
        pieces.filter(inside).count()
    });
    tiles.sum()
}
