//! The liquid inside the walls that it touches, as if they were mirrors, so that the free surface meets walls smoothly (Batty &
//! Bridson 2008, fig. 7).
//!
//! Where there is air between them, liquid and mirror image would seem to be one body, and thick liquid would stick to a wall
//! before it gets there.

use glam::Vec3;
use ooze_field::Field;
use ooze_field::mask::{Mask, TileBits};
use rayon::prelude::*;

use super::contact::Contacts;
use super::pockets;
use crate::boundary::Boundary;

/// The cells inside solids that the liquid may go on into.
pub(crate) struct Mirror {
    /// By tile.
    images: Vec<Vec<Image>>,
}

/// A cell inside a solid.
struct Image {
    /// Its index in its tile.
    local: u16,
    /// Whether liquid touches the wall before it.
    wet: bool,
    /// Whether it is within a cell of the wall.
    shallow: bool,
    /// The point before the wall that it is the mirror image of.
    source: Vec3,
}

impl Mirror {
    /// The cells at most so deep inside solids, in metres, that `contacts` or sealed patches may make wet.
    pub(crate) fn new(contacts: &Contacts<'_>, boundary: &Boundary, deepest: f32) -> Self {
        let topology = boundary.distance.topology();
        let lattice = *topology.lattice();
        let image = |slot: usize, local: usize| {
            // Half the diagonal of a cell lies between its corner and its centre.
            if boundary.distance.tile(slot)[local] > lattice.cell_size {
                return None;
            }
            let centre = lattice.centre(topology.cell(slot, local));
            let distance = boundary.distance.sample(centre);
            if distance >= 0.0 || distance < -deepest {
                return None;
            }
            let outward = boundary.outward(centre);
            let image = Image {
                local: local as u16,
                wet: contacts.wet(centre - outward * distance),
                shallow: distance >= -lattice.cell_size,
                source: centre - outward * (2.0 * distance),
            };
            (image.wet || image.shallow).then_some(image)
        };
        let tiles = (0..topology.tile_count()).into_par_iter();
        let images = tiles.map(|slot| {
            let cells = boundary.near(slot).then(|| 0..topology.tile_cells());
            let cells = cells.into_iter().flatten();
            cells.filter_map(|local| image(slot, local)).collect()
        });
        Self {
            images: images.collect(),
        }
    }

    /// Continues the liquid's distance into the solids that it touches.
    pub(crate) fn extend(&self, distance: &mut Field<f32>) {
        self.reflect(distance, |_, image| image.wet);
    }

    /// Continues the liquid into patches of wall that seem dry although no air reaches them. Particles of liquid that is
    /// stretched while it follows a wall may be too far apart to tell that they touch it; taken for a gap, the patch would let
    /// go of the liquid and grow into a hole.
    pub(crate) fn wet_sealed_patches(&self, distance: &mut Field<f32>, boundary: &Boundary) {
        let air = pockets::air_cells(distance, boundary);
        if let Some(sealed) = sealed(self.dry(distance, &air), air) {
            self.reflect(distance, |slot, image| {
                image.shallow && has(&sealed[slot], image.local)
            });
        }
    }

    /// By tile, the shallow cells that are neither continued from the liquid nor hold air themselves.
    fn dry(&self, distance: &Field<f32>, air: &Mask) -> Vec<TileBits> {
        let tiles = self.images.par_iter().enumerate();
        tiles
            .map(|(slot, images)| {
                let values = distance.tile(slot);
                let mut dry = TileBits::default();
                for image in images.iter().filter(|image| image.shallow) {
                    let local = usize::from(image.local);
                    dry[local / 64] |= u64::from(values[local] >= 0.0) << (local % 64);
                }
                without(&dry, air.tile(slot))
            })
            .collect()
    }

    /// Gives chosen cells the distances at the points that they are the images of, where these are less. All of them see what is
    /// there before.
    fn reflect(&self, distance: &mut Field<f32>, chosen: impl Fn(usize, &Image) -> bool + Sync) {
        let reflected: Vec<Vec<(u16, f32)>> = self
            .images
            .par_iter()
            .enumerate()
            .map(|(slot, images)| {
                let images = images.iter().filter(|image| chosen(slot, image));
                let value = |image: &Image| (image.local, distance.sample(image.source));
                images.map(value).collect()
            })
            .collect();
        let tiles = distance.par_tiles_mut().zip(reflected);
        tiles.for_each(|((_, tile), reflected)| {
            for (local, seen) in reflected {
                let value = &mut tile[usize::from(local)];
                *value = value.min(seen);
            }
        });
    }
}

/// By tile, the cells among `dry` that no air leads to, neither through cells of air nor along the wall through others like
/// them. None if there are no such cells.
fn sealed(mut dry: Vec<TileBits>, air: Mask) -> Option<Vec<TileBits>> {
    let mut open = air;
    // Most cells of a dry wall are beside air.
    while dry.iter().flatten().any(|&word| word != 0) {
        let reached: Vec<TileBits> = dry
            .par_iter()
            .enumerate()
            .with_min_len(64)
            .map(|(slot, dry)| match *dry == TileBits::default() {
                true => *dry,
                false => both(dry, &open.any_next(slot)),
            })
            .collect();
        if reached.iter().flatten().all(|&word| word == 0) {
            return Some(dry);
        }
        let tiles = dry.iter_mut().zip(open.tiles_mut()).zip(&reached);
        for ((dry, open), reached) in tiles {
            *dry = without(dry, reached);
            for (open, reached) in open.iter_mut().zip(reached) {
                *open |= reached;
            }
        }
    }
    None
}

fn both(bits: &TileBits, others: &TileBits) -> TileBits {
    std::array::from_fn(|layer| bits[layer] & others[layer])
}

fn without(bits: &TileBits, others: &TileBits) -> TileBits {
    std::array::from_fn(|layer| bits[layer] & !others[layer])
}

fn has(bits: &TileBits, local: u16) -> bool {
    bits[usize::from(local / 64)] >> (local % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::IVec3;
    use ooze_field::level_set::Components;
    use ooze_field::{Lattice, Place, Topology};

    use super::*;

    #[test]
    fn sealed_patches_are_the_pieces_of_dry_cells_and_air_that_hold_no_air() {
        const AIR: u8 = 1;
        const DRY: u8 = 2;
        for flat in [false, true] {
            let lattice = Lattice::new(Vec3::ZERO, 1.0, IVec3::new(21, 30, 17), flat);
            let topology = Arc::new(Topology::full(lattice));
            // Mostly liquid, with cells of air, and more dry cells in snakes of all lengths.
            let kinds = Field::from_cells(&topology, Place::Cell, 0, |cell| {
                let mixed = cell.dot(IVec3::new(7919, 104_729, 1_299_709));
                match (mixed.wrapping_mul(0x9e37_79b1_u32 as i32) >> 8).rem_euclid(100) {
                    0..3 => AIR,
                    3..40 => DRY,
                    _ => 0,
                }
            });
            let air = Mask::of(&kinds, |kind| kind == AIR);
            let dry = Mask::of(&kinds, |kind| kind == DRY);
            let pieces = Components::of(&Mask::of(&kinds, |kind| kind != 0), Place::Cell);
            let mut without_air = vec![true; pieces.count as usize + 1];
            for (&label, &kind) in pieces.labels.values().iter().zip(kinds.values()) {
                without_air[label as usize] &= kind == DRY;
            }
            let expected = Mask::of(&pieces.labels, |label| without_air[label as usize]);
            let found = sealed(dry.tiles().to_vec(), air).expect("sealed patches");
            assert_eq!(found, expected.tiles());
            let all_open = Mask::of(&kinds, |kind| kind != DRY);
            let beside_air: Vec<TileBits> = (0..topology.tile_count())
                .map(|slot| both(dry.tile(slot), &all_open.any_next(slot)))
                .collect();
            assert_eq!(sealed(beside_air, all_open), None);
        }
    }
}
