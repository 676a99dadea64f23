//! Which tiles of samples exist: a list in place of a table over a box, so that a droplet far from the rest costs one
//! tile and not the room between.

use glam::IVec3;
use ooze_field::{NO_TILE, TILE_EDGE, Topology};
use rayon::prelude::*;

/// Tiles of 8×8×8 samples (8×8×1 in flat lattices), ordered by their place, x fastest.
#[derive(Clone, Debug)]
pub(crate) struct Tiles {
    lower: Vec<IVec3>,
    neighbours: Vec<[u32; 27]>,
    flat: bool,
}

/// The order of tiles and of sorted cells: x fastest.
#[inline]
pub(crate) fn order_key(place: IVec3) -> [i32; 3] {
    [place.z, place.y, place.x]
}

/// The step to entry `entry` of 27 neighbours, x fastest.
#[inline]
pub(crate) fn neighbour_step(entry: usize) -> IVec3 {
    let entry = entry as i32;
    IVec3::new(entry % 3, entry / 3 % 3, entry / 9) - 1
}

impl Tiles {
    /// The tiles of a field.
    pub(crate) fn of(topology: &Topology) -> Self {
        let slots = 0..topology.tile_count();
        Self {
            lower: slots
                .clone()
                .map(|slot| topology.tile_lower(slot))
                .collect(),
            neighbours: slots.map(|slot| *topology.neighbours(slot)).collect(),
            flat: topology.lattice().flat,
        }
    }

    /// The tiles with the given lowest samples, in any order and any number of times each.
    pub(crate) fn at(mut lower: Vec<IVec3>, flat: bool) -> Self {
        lower.par_sort_unstable_by_key(|&place| order_key(place));
        lower.dedup();
        let find = |place: IVec3| {
            lower
                .binary_search_by_key(&order_key(place), |&place| order_key(place))
                .map_or(NO_TILE, |slot| slot as u32)
        };
        let neighbours = lower
            .par_iter()
            .map(|&place| {
                std::array::from_fn(|entry| {
                    let step = neighbour_step(entry);
                    // A flat lattice repeats its one layer.
                    find(place + TILE_EDGE * if flat { step.with_z(0) } else { step })
                })
            })
            .collect();
        Self {
            lower,
            neighbours,
            flat,
        }
    }

    /// Number of tiles.
    pub(crate) fn count(&self) -> usize {
        self.lower.len()
    }

    /// Whether the tiles are one sample thick along z.
    pub(crate) fn flat(&self) -> bool {
        self.flat
    }

    /// Samples in a tile.
    pub(crate) fn tile_samples(&self) -> usize {
        if self.flat { 64 } else { 512 }
    }

    /// The lowest sample of a tile.
    #[inline]
    pub(crate) fn lower(&self, slot: usize) -> IVec3 {
        self.lower[slot]
    }

    /// Slots of the 3×3×3 tiles around a tile, x fastest; [`NO_TILE`] where there is none.
    #[inline]
    pub(crate) fn neighbours(&self, slot: usize) -> &[u32; 27] {
        &self.neighbours[slot]
    }

    /// The tile that holds the sample at `local`, counted from the lowest sample of the tile in `slot` (from -8 to 15),
    /// and the sample's index there; nothing where no tile is.
    #[inline]
    pub(crate) fn find(&self, slot: usize, local: IVec3) -> Option<(usize, usize)> {
        let local = if self.flat { local.with_z(0) } else { local };
        let step: IVec3 = local >> 3;
        let neighbour = self.neighbours[slot][(13 + step.x + 3 * step.y + 9 * step.z) as usize];
        let within = local & 7;
        (neighbour != NO_TILE).then_some((
            neighbour as usize,
            (within.x + 8 * within.y + 64 * within.z) as usize,
        ))
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use ooze_field::{Lattice, TopologyBuilder};

    use super::*;

    #[test]
    fn a_list_of_places_gives_the_same_tiles_as_a_table() {
        for flat in [false, true] {
            let lattice = Lattice::new(Vec3::ZERO, 1.0, IVec3::splat(60), flat);
            let builder = TopologyBuilder::new(lattice);
            for cell in [[9, 9, 9], [30, 31, 32], [55, 2, 17]] {
                builder.mark(IVec3::from(cell), 9);
            }
            let topology = builder.build();
            let expected = Tiles::of(&topology);
            let mut places = expected.lower.clone();
            places.reverse();
            places.extend_from_slice(&expected.lower);
            let tiles = Tiles::at(places, flat);
            assert_eq!(tiles.lower, expected.lower);
            assert_eq!(tiles.neighbours, expected.neighbours);
            for slot in 0..tiles.count() {
                for local in [IVec3::splat(-1), IVec3::new(3, 8, -4), IVec3::new(15, 0, 7)] {
                    let index = topology.index(tiles.lower(slot) + local);
                    let found = tiles
                        .find(slot, local)
                        .map(|(slot, sample)| slot * tiles.tile_samples() + sample);
                    assert_eq!(found, index);
                }
            }
        }
    }
}
