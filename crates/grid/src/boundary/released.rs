//! Walls that the liquid leaves, or has not reached: their faces are open, and the liquid ends there.

use std::sync::Arc;

use glam::IVec3;
use ooze_field::{Block, Field, FieldByAxis, NO_TILE, face_fields};
use rayon::prelude::*;

use super::Boundary;

/// Cells behind a wall that liquid leaves in which none is taken to go on.
const BEHIND_CELLS: i32 = 2;

impl Boundary {
    /// The same with marked faces open too: the liquid leaves the walls there, or has not reached them.
    pub(crate) fn opened(&self, released: FieldByAxis<u8>) -> Self {
        let mut opened = self.clone();
        for (open, released) in opened.open.iter_mut().zip(&released) {
            open.par_tiles_mut().for_each(|(slot, tile)| {
                for (open, &released) in tile.iter_mut().zip(released.tile(slot)) {
                    if released != 0 {
                        *open = 1.0;
                    }
                }
            });
        }
        match &mut opened.released {
            Some(before) => {
                for (before, released) in before.iter_mut().zip(&released) {
                    before.par_tiles_mut().for_each(|(slot, tile)| {
                        for (before, &released) in tile.iter_mut().zip(released.tile(slot)) {
                            *before |= released;
                        }
                    });
                }
            }
            None => opened.released = Some(released),
        }
        opened
    }

    /// Opens faces of walls that the liquid has not reached: each by its axis, its place in storage, and how far.
    pub(crate) fn release(&mut self, faces: impl Iterator<Item = (usize, usize, f32)>) {
        let topology = Arc::clone(self.distance.topology());
        for (axis, index, open) in faces {
            self.open[axis].values_mut()[index] = open;
            let released = &mut self.released;
            let released = released.get_or_insert_with(|| face_fields(&topology, 0u8));
            released[axis].values_mut()[index] = 1;
        }
    }

    /// A liquid that goes on inside walls, ended at the walls that it leaves: negative where it is, at cells.
    pub(crate) fn cut_off(&self, liquid: &Field<f32>) -> Field<f32> {
        let mut cut = liquid.clone();
        let Some(released) = &self.released else {
            return cut;
        };
        let topology = Arc::clone(liquid.topology());
        let axes = topology.lattice().axes();
        let marked: Vec<bool> = (0..topology.tile_count())
            .into_par_iter()
            .map(|slot| released.iter().any(|marks| marks.tile(slot).contains(&1)))
            .collect();
        // Most tiles have no such face around.
        let any_around = |slot: usize| {
            let around = topology.neighbours(slot).iter();
            let mut tiles = around.filter(|&&tile| tile != NO_TILE);
            tiles.any(|&tile| marked[tile as usize])
        };
        cut.par_tiles_mut().for_each_init(
            || [0; 3].map(|_| Block::new(&topology, BEHIND_CELLS + 1, 0u8)),
            |marks, (slot, tile)| {
                if !self.near(slot) || !any_around(slot) {
                    return;
                }
                for (marks, released) in marks.iter_mut().zip(released) {
                    marks.load(released, slot);
                }
                for (local, value) in tile.iter_mut().enumerate() {
                    let within = topology.local_cell(local);
                    let left = |reach: i32| {
                        (0..axes).any(|axis| {
                            (-reach..=reach + 1)
                                .any(|step| marks[axis].get(within + step * IVec3::AXES[axis]) != 0)
                        })
                    };
                    if !left(BEHIND_CELLS) {
                        continue;
                    }
                    let centre = liquid.position(topology.cell(slot, local));
                    let depth = -self.distance.sample(centre);
                    // Behind the wall nothing must be left for some cells, or liquid would seem to be stuck in it.
                    if depth > 0.0 || left(0) {
                        *value = value.max(depth);
                    }
                }
            },
        );
        cut
    }

    /// Whether the liquid is about to leave the wall at the lower face of a cell, or has not reached it.
    #[inline]
    pub(crate) fn is_released(&self, axis: usize, cell: IVec3) -> bool {
        let released = self.released.as_ref();
        released.is_some_and(|released| released[axis].get(cell) != 0)
    }
}
