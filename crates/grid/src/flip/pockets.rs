//! Pockets of air become part of the liquid. The model has no air: a gap between particles deep in the liquid would be a vacuum,
//! into which the liquid rushes.
//!
//! Particles tell nothing of the air a step before, but a gap between them is nowhere wide. Bubbles are filled, and gaps between
//! particles and walls; where air at a wall is wider than that it is a room of its own, however small: the head-space of a
//! vessel that is almost full. Where walls come together, below a ball on the floor for one, there is no room for particles
//! at all, however far the next ones are: that is a gap too, or nothing would bear the ball up.

use ooze_field::mask::Mask;
use ooze_field::{Field, NO_TILE, Place, fraction};
use rayon::prelude::*;

use crate::boundary::Boundary;
use crate::enclosures::{Air, Enclosure};

/// Share of a cell that must be free of solids for air to be in it.
const LEAST_ROOM: f32 = 0.01;
/// Cells from the liquid beyond which air at a wall is no gap between particles.
const WIDEST_GAP: f32 = 1.0;
/// Cells from the nearest wall that some of a room is beyond. Rooms between a flat wall and liquid that are wider than a gap always
/// are.
const NARROWEST_ROOM: f32 = 0.5;

/// Fills the pockets of a surface. Returns the share of each cell that was air before, if there are any.
pub(crate) fn fill(distance: &mut Field<f32>, boundary: &Boundary) -> Option<Field<f32>> {
    let topology = distance.topology().clone();
    let cell_size = topology.lattice().cell_size;
    let air = Air::of(&air_cells(distance, boundary), Place::Cell);
    let enclosures = air.enclosures(1, |index| boundary.room.values()[index] <= LEAST_ROOM);
    let mut pockets: Vec<bool> = enclosures
        .iter()
        .map(|&enclosure| enclosure != Enclosure::Open)
        .collect();
    if enclosures.contains(&Enclosure::Walled) {
        let (mut far, mut wide) = (vec![false; pockets.len()], vec![false; pockets.len()]);
        for slot in 0..topology.tile_count() {
            let cells = air.labels.tile(slot).iter().zip(distance.tile(slot));
            for (local, (&label, &distance)) in cells.enumerate() {
                let label = label as usize;
                if enclosures[label] == Enclosure::Walled {
                    let centre = topology.lattice().centre(topology.cell(slot, local));
                    let to_wall = boundary.distance.sample(centre);
                    far[label] |= distance > WIDEST_GAP * cell_size;
                    wide[label] |= to_wall > NARROWEST_ROOM * cell_size;
                }
            }
        }
        for (label, pocket) in pockets.iter_mut().enumerate() {
            *pocket &= !(far[label] && wide[label]);
        }
    }
    if !pockets.contains(&true) {
        return None;
    }
    // Shares change near pockets only.
    let has_pocket = |slot: usize| {
        let mut labels = air.labels.tile(slot).iter();
        labels.any(|&label| pockets[label as usize])
    };
    let tiles: Vec<bool> = (0..topology.tile_count()).map(has_pocket).collect();
    let near_pocket = |slot: usize| {
        let around = topology.neighbours(slot).iter();
        around
            .filter(|&&tile| tile != NO_TILE)
            .any(|&tile| tiles[tile as usize])
    };
    let before = fraction::cell_fractions_in(distance, near_pocket);
    distance.par_tiles_mut().for_each(|(slot, tile)| {
        for (value, &label) in tile.iter_mut().zip(air.labels.tile(slot)) {
            if pockets[label as usize] {
                *value = -0.5 * cell_size;
            }
        }
    });
    let mut air = fraction::cell_fractions_in(distance, near_pocket);
    air.par_tiles_mut().for_each(|(slot, tile)| {
        for (share, &liquid) in tile.iter_mut().zip(before.tile(slot)) {
            *share = (*share - liquid).max(0.0);
        }
    });
    Some(air)
}

/// The cells that hold air, as far as tiles exist.
pub(crate) fn air_cells(distance: &Field<f32>, boundary: &Boundary) -> Mask {
    let is_air = |distance: f32, room: f32| distance >= 0.0 && room > LEAST_ROOM;
    Mask::of_both(distance, &boundary.room, is_air).with_outside(false)
}
