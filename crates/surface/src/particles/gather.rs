//! Sums over particles on the samples of sparse tiles. Each tile adds up the particles within reach in their sorted
//! order, so that the result does not depend on the number of threads.

use std::ops::Range;

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use super::kernels::Kernel;
use super::order::CellOrder;
use crate::tiles::Tiles;

/// The tiles of samples (at multiples of `cell_size` from the origin of space, so that the surface of a resting liquid
/// does not change with the liquid's box) that lie within a box around each particle.
pub(super) fn tiles_around(
    order: &CellOrder,
    cell_size: f32,
    bounds: impl Fn(usize) -> (Vec3, Vec3) + Sync,
) -> Tiles {
    let tile_of = |point: Vec3| -> IVec3 { (point / cell_size).floor().as_ivec3() >> 3 };
    let places = (0..order.cells().len())
        .into_par_iter()
        .with_min_len(64)
        .flat_map_iter(|cell| {
            let (mut lower, mut upper) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
            for particle in order.particles(cell) {
                let (lowest, highest) = bounds(particle);
                lower = lower.min(lowest);
                upper = upper.max(highest);
            }
            let (first, last) = (tile_of(lower), tile_of(upper));
            let layers = if order.flat() {
                0..=0
            } else {
                first.z..=last.z
            };
            layers.flat_map(move |z| {
                (first.y..=last.y)
                    .flat_map(move |y| (first.x..=last.x).map(move |x| 8 * IVec3::new(x, y, z)))
            })
        })
        .collect();
    Tiles::at(places, order.flat())
}

/// The samples of a tile in space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileBox {
    /// Position of the lowest sample.
    pub(crate) lower: Vec3,
    /// Distance of samples.
    pub(crate) cell_size: f32,
}

impl TileBox {
    fn upper(&self, flat: bool) -> Vec3 {
        let depth = if flat { 0.0 } else { 7.0 };
        self.lower + self.cell_size * Vec3::new(7.0, 7.0, depth)
    }

    /// Calls `found` with spans of sorted particles that include all within `reach` of the tile.
    pub(crate) fn for_each_near(
        &self,
        order: &CellOrder,
        reach: f32,
        mut found: impl FnMut(Range<usize>),
    ) {
        let first = order.cell_of(self.lower - reach);
        let last = order.cell_of(self.upper(order.flat()) + reach);
        order.for_each_row(first, last, |cells| {
            found(order.particles_of_cells(cells));
        });
    }

    /// The part of the tile within `extent` of a point: first and last samples along each axis, if there are any. All
    /// particles of a flat liquid lie in the plane of the samples.
    #[inline]
    pub(super) fn clip(&self, centre: Vec3, extent: Vec3) -> Option<[[usize; 2]; 3]> {
        let scale = 1.0 / self.cell_size;
        let first = ((centre - extent - self.lower) * scale).max(Vec3::ZERO);
        let last = ((centre + extent - self.lower) * scale).min(Vec3::splat(7.0));
        // Most particles of the cells around a tile do not reach it.
        if first.cmpgt(last).any() {
            return None;
        }
        // Neither is negative: conversion rounds down, without a call to the library.
        let ceiling = |value: f32| value as usize + usize::from(value > value as usize as f32);
        let range = [0, 1, 2].map(|axis| [ceiling(first[axis]), last[axis] as usize]);
        range
            .iter()
            .all(|[first, last]| first <= last)
            .then_some(range)
    }

    /// Adds a kernel, `factor` times, to the samples of the tile.
    #[inline]
    pub(crate) fn add_kernel(&self, tile: &mut [f32], kernel: &Kernel, factor: f32) {
        let Some([_, [first_y, last_y], [first_z, last_z]]) =
            self.clip(kernel.centre, kernel.extent)
        else {
            return;
        };
        // Everything in units of samples from the tile's lowest.
        let centre = (kernel.centre - self.lower) / self.cell_size;
        let square = self.cell_size * self.cell_size;
        let (diagonal, off) = (kernel.form.diagonal * square, kernel.form.off * square);
        let weight = factor * kernel.weight;
        let last_z = last_z.min(tile.len() / 64 - 1);
        for z in first_z..=last_z {
            let dz = z as f32 - centre.z;
            for y in first_y..=last_y {
                let dy = y as f32 - centre.y;
                let rest = diagonal.y * dy * dy + diagonal.z * dz * dz + 2.0 * off.x * dy * dz;
                let slope = off.z * dy + off.y * dz;
                // The least value of the form along the row.
                if rest - slope * slope / diagonal.x >= 1.0 {
                    continue;
                }
                let start = 64 * z + 8 * y;
                for (x, value) in tile[start..start + 8].iter_mut().enumerate() {
                    let dx = x as f32 - centre.x;
                    let inside = (1.0 - (rest + dx * (2.0 * slope + diagonal.x * dx))).max(0.0);
                    *value += weight * inside * inside * inside;
                }
            }
        }
    }
}

/// Calls `fill` for each tile in parallel; values start as zero.
pub(super) fn fill_tiles(
    tiles: &Tiles,
    cell_size: f32,
    fill: impl Fn(TileBox, &mut [f32]) + Sync,
) -> Vec<f32> {
    let samples = tiles.tile_samples();
    let mut values = vec![0.0; tiles.count() * samples];
    values
        .par_chunks_mut(samples)
        .enumerate()
        .for_each(|(slot, tile)| {
            let lower = tiles.lower(slot).as_vec3() * cell_size;
            fill(TileBox { lower, cell_size }, tile);
        });
    values
}

/// The root of the sum of kernels, negated so that the liquid is negative: -1 deep inside, 0 outside. The root has a
/// more even slope than the sum where a kernel ends: surfaces of single particles, which end between two or three
/// samples, are rounder.
pub(super) fn sum_kernels(
    order: &CellOrder,
    kernels: &[Kernel],
    tiles: &Tiles,
    cell_size: f32,
) -> Vec<f32> {
    let reach = kernels
        .iter()
        .map(|kernel| kernel.extent.max_element())
        .fold(0.0, f32::max);
    let deep_cells: Vec<bool> = (0..order.cells().len())
        .into_par_iter()
        .map(|cell| order.particles(cell).all(|particle| kernels[particle].deep))
        .collect();
    fill_tiles(tiles, cell_size, |samples, tile| {
        if is_deep(order, &deep_cells, samples) {
            tile.fill(-1.0);
            return;
        }
        samples.for_each_near(order, reach, |particles| {
            for kernel in &kernels[particles] {
                samples.add_kernel(tile, kernel, 1.0);
            }
        });
        for value in tile {
            *value = -value.sqrt();
        }
    })
}

/// Whether all cells that overlap a tile have particles, and only such that lie deep in the liquid.
fn is_deep(order: &CellOrder, deep: &[bool], samples: TileBox) -> bool {
    let first = order.cell_of(samples.lower);
    let last = order.cell_of(samples.upper(order.flat()));
    let (mut found, mut all) = (0, true);
    order.for_each_row(first, last, |cells| {
        found += cells.len();
        all &= deep[cells].iter().all(|&deep| deep);
    });
    let size = last - first + 1;
    let layers = if order.flat() { 1 } else { size.z };
    all && found == (size.x * size.y * layers) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::kernels::kernels;

    /// A thin cloud with strands and lone particles: kernels of all shapes, none of them deep.
    fn cloud() -> Vec<Vec3> {
        (0..400)
            .map(|index| {
                let angle = index as f32 * 0.07;
                let strand = (index % 3) as f32;
                Vec3::new(
                    6.0 * angle.cos() + strand,
                    (6.0 + strand) * angle.sin(),
                    0.1 * index as f32 * (1.0 - strand),
                )
            })
            .collect()
    }

    #[test]
    fn the_sum_on_tiles_equals_a_sum_over_all_kernels() {
        for flat in [false, true] {
            let order = CellOrder::new(&cloud(), 3.0, flat);
            let kernels = kernels(&order, 1.0, 0.0);
            assert!(kernels.iter().all(|kernel| !kernel.deep) || flat);
            let cell_size = 0.55;
            let tiles = tiles_around(&order, cell_size, |particle| kernels[particle].bounds());
            let values = sum_kernels(&order, &kernels, &tiles, cell_size);
            let mut found = 0;
            for (index, &value) in values.iter().enumerate().step_by(7) {
                let (slot, local) = (
                    index / tiles.tile_samples(),
                    (index % tiles.tile_samples()) as i32,
                );
                let place = tiles.lower(slot) + IVec3::new(local & 7, local >> 3 & 7, local >> 6);
                let point = place.as_vec3() * cell_size;
                let terms = kernels.iter().map(|kernel| {
                    let way = point - kernel.centre;
                    let crossed = Vec3::new(way.y * way.z, way.x * way.z, way.x * way.y);
                    let form =
                        kernel.form.diagonal.dot(way * way) + 2.0 * kernel.form.off.dot(crossed);
                    kernel.weight * (1.0 - form).max(0.0).powi(3)
                });
                let expected = terms.sum::<f32>();
                assert!(
                    (value * value - expected).abs() < 2e-4,
                    "{place}: {value} {expected}"
                );
                found += usize::from(expected > 0.5);
            }
            assert!(found > 50, "{found}");
        }
    }

    #[test]
    fn kernels_keep_their_integral_and_lie_within_their_tiles() {
        let order = CellOrder::new(&cloud(), 3.0, false);
        let kernels = kernels(&order, 1.0, 0.0);
        let cell_size = 0.2;
        for particle in [0, 17, 399] {
            let kernel = &kernels[particle];
            let (lower, upper) = kernel.bounds();
            let first = (lower / cell_size / 8.0).floor().as_ivec3();
            let last = (upper / cell_size / 8.0).floor().as_ivec3();
            let mut sum = 0.0;
            for place in (first.x..=last.x).flat_map(|x| {
                (first.y..=last.y)
                    .flat_map(move |y| (first.z..=last.z).map(move |z| IVec3::new(x, y, z)))
            }) {
                let mut tile = vec![0.0; 512];
                let samples = TileBox {
                    lower: 8.0 * cell_size * place.as_vec3(),
                    cell_size,
                };
                samples.add_kernel(&mut tile, kernel, 1.0);
                sum += tile.iter().sum::<f32>();
            }
            // A particle's volume, and more for lonely ones.
            let integral = sum * cell_size.powi(3);
            assert!(integral > 0.99 && integral < 2.1, "{integral}");
        }
    }
}
