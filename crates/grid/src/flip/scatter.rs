//! Spreading particle values onto a lattice, in parallel and with the same bits on any number of threads.
//!
//! Each tile spreads its own particles into a block of its own with a rim, in the particles' order; then each tile
//! adds up what its neighbours' blocks hold for it, in the order of the neighbours.

use glam::{IVec3, Vec3};
use ooze_field::{Field, NO_TILE, Place, TILE_EDGE, Topology};
use rayon::prelude::*;

use super::kernel::Kernel;
use super::order::CellOrder;

/// Adds `weight * value(particle)(offset)` of every particle to the lattice points that it reaches, for `N` values at
/// once; `offset` leads from the particle to the lattice point, in metres.
pub(crate) fn scatter<const N: usize, K: Kernel, At: Fn(Vec3) -> [f32; N]>(
    order: &CellOrder,
    positions: &[Vec3],
    place: Place,
    value: impl Fn(usize) -> At + Sync,
) -> [Field<f32>; N] {
    let topology = &order.topology;
    let blocks: Vec<Option<Vec<[f32; N]>>> = (0..topology.tile_count())
        .into_par_iter()
        .map(|slot| scatter_tile::<N, K, At>(order, positions, place, slot, &value))
        .collect();

    let mut fields = std::array::from_fn(|_| Field::new(topology, place, 0.0));
    let cells = topology.tile_cells();
    let mut summed = vec![[0.0; N]; topology.tile_count() * cells];
    summed
        .par_chunks_mut(cells)
        .enumerate()
        .for_each(|(slot, tile)| sum_blocks(topology, &blocks, K::RIM, slot, tile));
    for (part, field) in fields.iter_mut().enumerate() {
        field.par_tiles_mut().for_each(|(slot, tile)| {
            for (value, sums) in tile.iter_mut().zip(&summed[slot * cells..]) {
                *value = sums[part];
            }
        });
    }
    fields
}

/// Extent of a tile's block: the tile and a rim, without a rim along z in flat lattices.
fn block_size(topology: &Topology, rim: i32) -> IVec3 {
    let tile = IVec3::new(TILE_EDGE, TILE_EDGE, topology.tile_depth());
    let margin = 2 * rim;
    if topology.lattice().flat {
        tile + IVec3::new(margin, margin, 0)
    } else {
        tile + margin
    }
}

fn scatter_tile<const N: usize, K: Kernel, At: Fn(Vec3) -> [f32; N]>(
    order: &CellOrder,
    positions: &[Vec3],
    place: Place,
    slot: usize,
    value: &(impl Fn(usize) -> At + Sync),
) -> Option<Vec<[f32; N]>> {
    let particles = order.tile_particles(slot);
    if particles.is_empty() {
        return None;
    }
    let topology = &order.topology;
    let (flat, cell_size) = (topology.lattice().flat, topology.lattice().cell_size);
    let size = block_size(topology, K::RIM);
    let mut block = vec![[0.0; N]; size.element_product() as usize];
    let depth = if flat { 1 } else { K::WIDTH };
    let (place_in_tile, offset) = (order.places_in_tile(slot), place.offset());
    for particle in particles {
        let coordinate = place_in_tile(positions[particle]) - offset;
        let (mut first, mut weights) = K::weights(coordinate);
        if flat {
            first.z = -K::RIM;
            weights[0].z = 1.0;
        }
        let origin = first + K::RIM;
        let mut to_first = (first.as_vec3() - coordinate) * cell_size;
        if flat {
            to_first.z = 0.0;
        }
        let value_at = value(particle);
        for (z, weight_z) in weights[..depth].iter().map(|weight| weight.z).enumerate() {
            for (y, weight_y) in weights[..K::WIDTH]
                .iter()
                .map(|weight| weight.y)
                .enumerate()
            {
                let row = ((origin.z + z as i32) * size.y + origin.y + y as i32) * size.x;
                let start = (row + origin.x) as usize;
                let entries = &mut block[start..start + K::WIDTH];
                for (x, entry) in entries.iter_mut().enumerate() {
                    let weight = weights[x].x * weight_y * weight_z;
                    let steps = Vec3::new(x as f32, y as f32, z as f32);
                    let offset = to_first + steps * cell_size;
                    let values = value_at(offset);
                    for part in 0..N {
                        entry[part] += weight * values[part];
                    }
                }
            }
        }
    }
    Some(block)
}

/// Adds up what the 27 blocks around a tile hold for it.
fn sum_blocks<const N: usize>(
    topology: &Topology,
    blocks: &[Option<Vec<[f32; N]>>],
    rim: i32,
    slot: usize,
    tile: &mut [[f32; N]],
) {
    let size = block_size(topology, rim);
    let flat = topology.lattice().flat;
    for (entry, &neighbour) in topology.neighbours(slot).iter().enumerate() {
        let entry = entry as i32;
        let step = IVec3::new(entry % 3, entry / 3 % 3, entry / 9) - 1;
        if neighbour == NO_TILE || (flat && step.z != 0) {
            continue;
        }
        let Some(block) = &blocks[neighbour as usize] else {
            continue;
        };
        // Cells of this tile that the neighbour's block covers, along one axis.
        let span = |step: i32| match step {
            -1 => 0..rim,
            0 => 0..TILE_EDGE,
            _ => TILE_EDGE - rim..TILE_EDGE,
        };
        let depth = if flat { 0..1 } else { span(step.z) };
        for z in depth {
            let source_z = if flat {
                0
            } else {
                z - step.z * TILE_EDGE + rim
            };
            for y in span(step.y) {
                let source_y = y - step.y * TILE_EDGE + rim;
                let row = (source_z * size.y + source_y) * size.x;
                for x in span(step.x) {
                    let source = &block[(row + x - step.x * TILE_EDGE + rim) as usize];
                    let target = &mut tile[((z * TILE_EDGE + y) * TILE_EDGE + x) as usize];
                    for part in 0..N {
                        target[part] += source[part];
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ooze_core::random::uniform;
    use ooze_field::Lattice;

    use super::super::kernel::{Linear, Quadratic};
    use super::super::order::tiles_around;
    use super::*;

    /// Spreads particles one by one without tiles.
    fn naive<K: Kernel>(field: &Field<f32>, positions: &[Vec3], cell: IVec3) -> f32 {
        let lattice = field.topology().lattice();
        let hat = |coordinate: f32, point: i32| {
            let (first, weights) = K::weights(Vec3::splat(coordinate));
            let step = point - first.x;
            if (0..K::WIDTH as i32).contains(&step) {
                weights[step as usize].x
            } else {
                0.0
            }
        };
        positions
            .iter()
            .map(|&position| {
                let coordinate = lattice.to_cells(position) - field.place().offset();
                let depth = if lattice.flat {
                    1.0
                } else {
                    hat(coordinate.z, cell.z)
                };
                hat(coordinate.x, cell.x) * hat(coordinate.y, cell.y) * depth
            })
            .sum()
    }

    fn check<K: Kernel>(flat: bool) {
        let lattice = Lattice::new(Vec3::ZERO, 0.5, IVec3::splat(18), flat);
        let depth = if flat { 0.5 } else { 8.0 };
        let positions: Vec<Vec3> = (0..300)
            .map(|index| {
                let pick = |axis: u64| uniform(axis + 3, index);
                Vec3::new(pick(0) * 9.0, pick(1) * 9.0, pick(2) * depth)
            })
            .collect();
        let topology = Arc::new(tiles_around(lattice, &positions, 2).build());
        let (order, permutation) = CellOrder::sort(topology, &positions);
        let sorted: Vec<Vec3> = permutation
            .iter()
            .map(|&index| positions[index as usize])
            .collect();
        for place in [Place::Face(0), Place::Face(1), Place::Cell] {
            let [sums] = scatter::<1, K, _>(&order, &sorted, place, |_| |_| [1.0]);
            let total: f32 = sums.values().iter().sum();
            assert!((total - 300.0).abs() < 1e-2, "{total}");
            for x in -1..19 {
                let cell = IVec3::new(x, (x * 7).rem_euclid(18), 8);
                let expected = naive::<K>(&sums, &sorted, cell);
                assert!((sums.get(cell) - expected).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn spreading_by_tiles_equals_spreading_one_by_one() {
        for flat in [false, true] {
            check::<Linear>(flat);
            check::<Quadratic>(flat);
        }
    }
}
