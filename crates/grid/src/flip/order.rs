//! Sorting particles by the cell they are in, so that a tile's particles lie together in memory.

use std::ops::Range;
use std::sync::Arc;

use glam::Vec3;
use ooze_field::{Lattice, NO_TILE, TILE_EDGE, Topology, TopologyBuilder};
use rayon::prelude::*;

/// Particles that are handled together by one task.
pub(crate) const CHUNK: usize = 4096;

/// Tiles around the particles, and each cell's particles in the sorted order.
#[derive(Clone, Debug)]
pub struct CellOrder {
    /// The tiles within reach of the particles.
    pub topology: Arc<Topology>,
    /// For each cell of each tile, the first of its particles; one more entry closes the list.
    cell_start: Vec<u32>,
}

/// The tiles that hold a cell within `margin` cells of a particle.
pub fn tiles_around(lattice: Lattice, positions: &[Vec3], margin: i32) -> TopologyBuilder {
    let builder = TopologyBuilder::new(lattice);
    positions.par_chunks(CHUNK).for_each(|chunk| {
        let mut previous = None;
        for &position in chunk {
            let cell = lattice.cell_of(position);
            // Neighbours in memory are mostly neighbours in space.
            if previous != Some(cell) {
                builder.mark(cell, margin);
                previous = Some(cell);
            }
        }
    });
    builder
}

impl CellOrder {
    /// Finds the sorted order of particles whose tiles all exist. Returns it with the permutation: entry `i` of the
    /// sorted particles is entry `permutation[i]` of `positions`. Equal cells keep the order they had.
    pub fn sort(topology: Arc<Topology>, positions: &[Vec3]) -> (Self, Vec<u32>) {
        let by_tile = sort_by_tile(&topology, positions);
        let cells = topology.tile_cells();
        let mut permutation = vec![0u32; positions.len()];
        let mut cell_start = vec![0u32; topology.tile_count() * cells + 1];
        cell_start[topology.tile_count() * cells] = positions.len() as u32;

        // Each tile owns a span of the permutation and of the cell list.
        let mut rest = permutation.as_mut_slice();
        let spans: Vec<&mut [u32]> = (0..topology.tile_count())
            .map(|slot| {
                let length = by_tile.start[slot + 1] - by_tile.start[slot];
                let (span, tail) = std::mem::take(&mut rest).split_at_mut(length as usize);
                rest = tail;
                span
            })
            .collect();
        spans
            .into_par_iter()
            .zip(cell_start.par_chunks_mut(cells))
            .enumerate()
            .for_each(|(slot, (span, starts))| {
                sort_tile(&topology, positions, &by_tile, slot, span, starts);
            });
        let order = Self {
            topology,
            cell_start,
        };
        (order, permutation)
    }

    /// The sorted particles in a tile.
    #[inline]
    pub fn tile_particles(&self, slot: usize) -> Range<usize> {
        let cells = self.topology.tile_cells();
        self.cell_start[slot * cells] as usize..self.cell_start[(slot + 1) * cells] as usize
    }

    /// Tells where particles of a tile are, in cells from the tile's lower corner. The difference of a place just below the
    /// next tile may round up to it; it stays within its own.
    #[inline(always)]
    pub(crate) fn places_in_tile(&self, slot: usize) -> impl Fn(Vec3) -> Vec3 + use<> {
        let lattice = *self.topology.lattice();
        let lower = self.topology.tile_lower(slot).as_vec3();
        let highest = Vec3::splat((TILE_EDGE as f32).next_down());
        move |position| (lattice.to_cells(position) - lower).min(highest)
    }

    /// Cuts sorted particle data into the parts that belong to each tile, in the order of the tiles.
    pub fn split_by_tile<'a, T>(&self, mut values: &'a mut [T]) -> Vec<&'a mut [T]> {
        (0..self.topology.tile_count())
            .map(|slot| {
                let length = self.tile_particles(slot).len();
                let (part, rest) = std::mem::take(&mut values).split_at_mut(length);
                values = rest;
                part
            })
            .collect()
    }

    /// The sorted particles in the cell with storage index `index`.
    #[inline]
    pub fn cell_particles(&self, index: usize) -> Range<usize> {
        self.cell_start[index] as usize..self.cell_start[index + 1] as usize
    }
}

/// Particles grouped by tile.
struct ByTile {
    /// Particle indices, tile by tile.
    members: Vec<u32>,
    /// First member of each tile, and the total.
    start: Vec<u32>,
}

/// A counting sort over fixed chunks of particles: each chunk counts and later fills its own places.
fn sort_by_tile(topology: &Topology, positions: &[Vec3]) -> ByTile {
    let lattice = topology.lattice();
    let tiles = topology.tile_count();
    let chunk_length = (positions.len() / 32 + 1).max(CHUNK);
    let keyed: Vec<(Vec<u32>, Vec<u32>)> = positions
        .par_chunks(chunk_length)
        .map(|chunk| {
            let mut counts = vec![0u32; tiles];
            let keys: Vec<u32> = chunk
                .iter()
                .map(|&position| {
                    let slot = topology.slot_of(lattice.cell_of(position));
                    debug_assert_ne!(slot, NO_TILE, "particle outside the tiles");
                    counts[slot as usize] += 1;
                    slot
                })
                .collect();
            (keys, counts)
        })
        .collect();

    let mut start = vec![0u32; tiles + 1];
    let mut next: Vec<Vec<u32>> = vec![vec![0; tiles]; keyed.len()];
    let mut total = 0;
    for slot in 0..tiles {
        start[slot] = total;
        for (chunk, (_, counts)) in keyed.iter().enumerate() {
            next[chunk][slot] = total;
            total += counts[slot];
        }
    }
    start[tiles] = total;

    let mut members = vec![0u32; positions.len()];
    for (chunk, ((keys, _), next)) in keyed.iter().zip(&mut next).enumerate() {
        let first = (chunk * chunk_length) as u32;
        for (offset, &slot) in keys.iter().enumerate() {
            members[next[slot as usize] as usize] = first + offset as u32;
            next[slot as usize] += 1;
        }
    }
    ByTile { members, start }
}

/// A counting sort of one tile's particles by cell.
fn sort_tile(
    topology: &Topology,
    positions: &[Vec3],
    by_tile: &ByTile,
    slot: usize,
    span: &mut [u32],
    starts: &mut [u32],
) {
    let lattice = topology.lattice();
    let first = by_tile.start[slot];
    let members = &by_tile.members[first as usize..by_tile.start[slot + 1] as usize];
    let locals: Vec<u16> = members
        .iter()
        .map(|&index| topology.local_of(lattice.cell_of(positions[index as usize])) as u16)
        .collect();
    let mut counts = [0u32; 512];
    for &local in &locals {
        counts[local as usize] += 1;
    }
    let mut running = first;
    for (start, count) in starts.iter_mut().zip(&mut counts) {
        *start = running;
        running += *count;
        *count = *start - first;
    }
    for (&local, &index) in locals.iter().zip(members) {
        let place = &mut counts[local as usize];
        span[*place as usize] = index;
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use glam::IVec3;
    use ooze_core::random::uniform;

    use super::*;

    #[test]
    fn sorting_groups_particles_by_cell_and_keeps_their_order() {
        for flat in [false, true] {
            let lattice = Lattice::new(Vec3::splat(-0.3), 0.1, IVec3::splat(20), flat);
            let depth = if flat { 0.1 } else { 2.0 };
            let positions: Vec<Vec3> = (0..20_000)
                .map(|index| {
                    let pick = |axis| uniform(axis, index);
                    lattice.origin + Vec3::new(pick(0) * 2.0, pick(1) * 2.0, pick(2) * depth)
                })
                .collect();
            let topology = Arc::new(tiles_around(lattice, &positions, 1).build());
            let (order, permutation) = CellOrder::sort(Arc::clone(&topology), &positions);
            let mut seen = vec![false; positions.len()];
            for slot in 0..topology.tile_count() {
                for local in 0..topology.tile_cells() {
                    let range = order.cell_particles(slot * topology.tile_cells() + local);
                    let members = &permutation[range];
                    assert!(members.windows(2).all(|pair| pair[0] < pair[1]));
                    for &index in members {
                        let cell = lattice.cell_of(positions[index as usize]);
                        let expected = topology.cell(slot, local);
                        assert_eq!((cell.x, cell.y), (expected.x, expected.y));
                        assert!(flat || cell.z == expected.z);
                        seen[index as usize] = true;
                    }
                }
            }
            assert!(seen.into_iter().all(|seen| seen));
        }
    }

    #[test]
    fn particles_just_below_a_tile_do_not_reach_into_it() {
        let lattice = Lattice::new(Vec3::ZERO, 0.1, IVec3::splat(20), false);
        let position = Vec3::splat(-1e-10);
        let topology = Arc::new(tiles_around(lattice, &[position], 1).build());
        let (order, _) = CellOrder::sort(Arc::clone(&topology), &[position]);
        let slot = topology.slot_of(lattice.cell_of(position)) as usize;
        assert_eq!(order.tile_particles(slot).len(), 1);
        let place = order.places_in_tile(slot)(position);
        assert!(place.max_element() < TILE_EDGE as f32, "{place}");
    }
}
