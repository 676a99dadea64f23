//! Pockets of air become part of the liquid. The model has no air: a gap between particles deep in the liquid would be a vacuum,
//! into which the liquid rushes.
//!
//! Particles tell nothing of the air a step before, but a gap between them is nowhere wide. Bubbles are filled, and gaps between
//! particles and walls; where air at a wall is wider than that it is a room of its own, however small: the head-space of a
//! vessel that is almost full.

use ooze_field::{Field, Place, fraction};
use rayon::prelude::*;

use crate::boundary::Boundary;
use crate::enclosures::{Air, Enclosure};

/// Share of a cell that must be free of solids for air to be in it.
const LEAST_ROOM: f32 = 0.01;
/// Cells from the liquid beyond which air at a wall is no gap between particles.
const WIDEST_GAP: f32 = 1.0;

/// Fills the pockets of a surface. Returns the share of each cell that was air before, if there are any.
pub(crate) fn fill(distance: &mut Field<f32>, boundary: &Boundary) -> Option<Field<f32>> {
    let topology = distance.topology().clone();
    let cell_size = topology.lattice().cell_size;
    let marks = air_cells(distance, boundary);
    let air = Air::of(&marks);
    let enclosures = air.enclosures(1, |index| boundary.room.values()[index] <= LEAST_ROOM);
    let mut pockets: Vec<bool> = enclosures
        .iter()
        .map(|&enclosure| enclosure != Enclosure::Open)
        .collect();
    for (&label, &distance) in air.labels.values().iter().zip(distance.values()) {
        let is_room =
            enclosures[label as usize] == Enclosure::Walled && distance > WIDEST_GAP * cell_size;
        pockets[label as usize] &= !is_room;
    }
    if !pockets.contains(&true) {
        return None;
    }
    let before = fraction::cell_fractions(distance);
    distance.par_tiles_mut().for_each(|(slot, tile)| {
        for (value, &label) in tile.iter_mut().zip(air.labels.tile(slot)) {
            if pockets[label as usize] {
                *value = -0.5 * cell_size;
            }
        }
    });
    let mut air = fraction::cell_fractions(distance);
    air.par_tiles_mut().for_each(|(slot, tile)| {
        for (share, &liquid) in tile.iter_mut().zip(before.tile(slot)) {
            *share = (*share - liquid).max(0.0);
        }
    });
    Some(air)
}

/// Marks the cells that hold air.
fn air_cells(distance: &Field<f32>, boundary: &Boundary) -> Field<u8> {
    let mut marks = Field::new(distance.topology(), Place::Cell, 0u8);
    marks.par_tiles_mut().for_each(|(slot, tile)| {
        let cells = distance.tile(slot).iter().zip(boundary.room.tile(slot));
        for (mark, (&distance, &room)) in tile.iter_mut().zip(cells) {
            *mark = u8::from(distance >= 0.0 && room > LEAST_ROOM);
        }
    });
    marks
}

/// Marks the cells at most so deep inside solids that are not continued from the liquid although no air leads to them, neither
/// through cells of air nor along the wall through others like them. None if there are no such cells.
pub(crate) fn sealed_patches(
    distance: &Field<f32>,
    boundary: &Boundary,
    deepest: f32,
) -> Option<Field<u8>> {
    let topology = distance.topology();
    let mut marks = air_cells(distance, boundary);
    let held = marks.clone();
    marks.par_tiles_mut().for_each(|(slot, tile)| {
        if !boundary.near(slot) {
            return;
        }
        for (local, mark) in tile.iter_mut().enumerate() {
            if distance.tile(slot)[local] >= 0.0 {
                let centre = distance.position(topology.cell(slot, local));
                let depth = -boundary.distance.sample(centre);
                *mark |= u8::from(depth > 0.0 && depth <= deepest);
            }
        }
    });
    let air = Air::of(&marks);
    let mut sealed: Vec<bool> = air.sizes.iter().map(|&size| size > 0).collect();
    for (&label, &air) in air.labels.values().iter().zip(held.values()) {
        sealed[label as usize] &= air == 0;
    }
    if !sealed.contains(&true) {
        return None;
    }
    marks.par_tiles_mut().for_each(|(slot, tile)| {
        for (mark, &label) in tile.iter_mut().zip(air.labels.tile(slot)) {
            *mark = u8::from(sealed[label as usize]);
        }
    });
    Some(marks)
}
