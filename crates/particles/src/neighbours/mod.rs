//! Who is near whom: lists of neighbours within a fixed radius, in rising order, deterministic and equal to the naive
//! search.
//!
//! Lists are built for a radius somewhat larger than the interaction's and stay valid until particles have moved by half
//! of the margin (Verlet 1967). Every list is padded to whole blocks of [`LANES`] entries with the index of a point that
//! is infinitely far away, so that inner loops run over whole blocks without branches.

mod blocks;
mod rows;

use glam::Vec3;
use ooze_commons::reduce;
use ooze_commons::widest;
use rayon::prelude::*;

use crate::CHUNK;
pub use blocks::{Block, List};
pub use rows::{Rows, Sweep, sorted_order};

/// Entries that inner loops handle together.
pub const LANES: usize = 8;

/// A position as inner loops read it: one aligned load. The fourth number is for the stage's own use.
pub type Point = [f32; 4];

/// The point that pads lists: beyond every radius, its square still finite.
pub const FAR_AWAY: Point = [1e18, 1e18, 1e18, 0.0];

/// Neighbours of every particle.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    chunks: Vec<ChunkList>,
}

/// The lists of one chunk of particles.
#[derive(Clone, Debug, Default)]
pub struct ChunkList {
    start: Vec<u32>,
    index: Vec<u32>,
}

impl ChunkList {
    /// The padded list of the chunk's n-th particle.
    #[inline]
    pub fn of(&self, local: usize) -> &[u32] {
        &self.index[self.start[local] as usize..self.start[local + 1] as usize]
    }

    /// Where the list of the chunk's n-th particle begins among the chunk's entries.
    #[inline]
    pub fn first_entry(&self, local: usize) -> usize {
        self.start[local] as usize
    }

    /// Entries of the whole chunk, padding included.
    pub fn entries(&self) -> usize {
        self.index.len()
    }
}

impl Neighbours {
    /// The neighbours of sorted `points` among the points of all `sets`, the first of which holds the points themselves.
    /// `padding` is the index of the point that is far away.
    pub fn find(points: &[Vec3], sets: &[&Rows], padding: u32) -> Self {
        let chunks = points
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, points)| {
                let mut sweeps: Vec<Sweep> = sets.iter().map(|rows| Sweep::new(rows)).collect();
                let mut list = ChunkList::default();
                list.start.push(0);
                for (local, &point) in points.iter().enumerate() {
                    let own = (chunk * CHUNK + local) as u32;
                    for (set, sweep) in sweeps.iter_mut().enumerate() {
                        // Other sets have rows of their own, that a step along ours may leave backwards.
                        if set > 0 {
                            sweep.restart();
                        }
                        sweep.collect(point, own, &mut list.index);
                    }
                    let padded = list.index.len().next_multiple_of(LANES);
                    list.index.resize(padded, padding);
                    list.start.push(padded as u32);
                }
                list
            })
            .collect();
        Self { chunks }
    }

    /// The neighbours of `points`, in any order, among other points.
    pub fn among(points: &[Vec3], others: &Rows, padding: u32) -> Self {
        let none = Rows::of_sorted(&[], 1.0, false, 0);
        Self::find(points, &[&none, others], padding)
    }

    /// Gives the points in all lists other indices.
    pub fn rename(&mut self, name: impl Fn(u32) -> u32 + Sync) {
        self.chunks.par_iter_mut().for_each(|list| {
            for index in &mut list.index {
                *index = name(*index);
            }
        });
    }

    /// The lists of each chunk of particles.
    pub fn chunks(&self) -> &[ChunkList] {
        &self.chunks
    }

    /// The padded list of one particle.
    pub fn of(&self, index: usize) -> &[u32] {
        self.chunks[index / CHUNK].of(index % CHUNK)
    }

    /// Computes a value for each particle from its list. A closure marked `#[inline(always)]` is compiled for the widest vectors
    /// that the processor has.
    pub fn for_each<T: Send>(
        &self,
        target: &mut [T],
        compute: impl Fn(usize, List<'_>, &mut T) + Sync,
    ) {
        target
            .par_chunks_mut(CHUNK)
            .zip(&self.chunks)
            .enumerate()
            .for_each(|(chunk, (values, list))| {
                widest(
                    #[inline(always)]
                    |width| {
                        for (local, value) in values.iter_mut().enumerate() {
                            let list = List::new(list.of(local), width);
                            compute(chunk * CHUNK + local, list, value);
                        }
                    },
                );
            });
    }

    /// Pairs of particles in the lists, each counted once, padding not counted.
    pub fn pair_count(&self, padding: u32) -> usize {
        let count = |list: &ChunkList| list.index.iter().filter(|&&j| j != padding).count();
        self.chunks.iter().map(count).sum::<usize>() / 2
    }
}

/// How far particles have moved from where they were when lists were built, at the most; a common motion of all does not
/// count.
pub fn largest_shift(now: &[Vec3], then: &[Vec3]) -> f32 {
    let moved = |index: usize| now[index] - then[index];
    let indices: Vec<u32> = (0..now.len() as u32).collect();
    let mean = Vec3::from_array(std::array::from_fn(|axis| {
        let sum = reduce::sum(&indices, |&index| f64::from(moved(index as usize)[axis]));
        (sum / now.len().max(1) as f64) as f32
    }));
    let square = reduce::max(&indices, |&index| {
        (moved(index as usize) - mean).length_squared()
    });
    square.max(0.0).sqrt()
}

/// The way from a point to another, which is a lane of a block's points.
#[inline(always)]
pub fn away(from: Point, to: &[[f32; LANES]; 4], lane: usize) -> [f32; 3] {
    std::array::from_fn(|axis| to[axis][lane] - from[axis])
}

/// Sum of the lanes, always in the same order.
#[inline(always)]
pub fn sum_lanes(lanes: [f32; LANES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

#[cfg(test)]
mod tests {
    use ooze_core::random::uniform;
    use proptest::prelude::*;

    use super::*;

    fn naive(points: &[Vec3], radius: f32) -> Vec<Vec<u32>> {
        let near = |a: Vec3, b: Vec3| a.distance_squared(b) <= radius * radius;
        (0..points.len())
            .map(|i| {
                let others = (0..points.len()).filter(|&j| j != i && near(points[i], points[j]));
                others.map(|j| j as u32).collect()
            })
            .collect()
    }

    fn fast(points: &[Vec3], radius: f32, flat: bool) -> Vec<Vec<u32>> {
        let padding = points.len() as u32;
        let rows = Rows::of_sorted(points, radius, flat, 0);
        let lists = Neighbours::find(points, &[&rows], padding);
        (0..points.len())
            .map(|i| {
                let list = lists.of(i);
                assert_eq!(list.len() % LANES, 0);
                list.iter().copied().filter(|&j| j != padding).collect()
            })
            .collect()
    }

    fn sorted(mut points: Vec<Vec3>, radius: f32, flat: bool) -> Vec<Vec3> {
        let order = sorted_order(&points, radius, flat);
        ooze_core::gather(&mut points, &order);
        points
    }

    fn cloud(seed: u64, count: u64, size: Vec3) -> Vec<Vec3> {
        (0..count)
            .map(|i| Vec3::from_array(std::array::from_fn(|a| uniform(seed + a as u64, i))) * size)
            .collect()
    }

    proptest! {
        #[test]
        fn the_search_equals_the_naive_one(
            seed in 0u64..1000,
            count in 0u64..400,
            radius in 0.05f32..1.5,
            flat in any::<bool>(),
        ) {
            let size = Vec3::new(3.0, 2.0, if flat { 0.0 } else { 1.0 });
            let points = sorted(cloud(seed, count, size), radius, flat);
            prop_assert_eq!(fast(&points, radius, flat), naive(&points, radius));
        }

        #[test]
        fn ties_at_the_radius_count(seed in 0u64..200, flat in any::<bool>()) {
            // Points on a lattice of exact numbers, with the radius a multiple of its spacing: many ties.
            let depth = if flat { 0.0 } else { 6.0 };
            let points: Vec<Vec3> = cloud(seed, 300, Vec3::new(8.0, 8.0, depth))
                .into_iter()
                .map(|point| point.floor() * 0.25)
                .collect();
            for radius in [0.25, 0.5, 0.75] {
                let points = sorted(points.clone(), radius, flat);
                prop_assert_eq!(fast(&points, radius, flat), naive(&points, radius));
            }
        }
    }

    #[test]
    fn a_stray_particle_far_away_costs_no_memory_and_no_neighbour() {
        let mut points = cloud(3, 500, Vec3::ONE);
        points.push(Vec3::new(1e7, 1e7, -1e7));
        let points = sorted(points, 0.2, false);
        assert_eq!(fast(&points, 0.2, false), naive(&points, 0.2));
    }

    #[test]
    fn another_set_is_searched_too() {
        let radius = 0.3;
        let points = sorted(cloud(1, 300, Vec3::ONE), radius, false);
        let others = sorted(cloud(9, 200, Vec3::ONE * 1.5), radius, false);
        let first = points.len() as u32;
        let padding = first + others.len() as u32;
        let own = Rows::of_sorted(&points, radius, false, 0);
        let rows = Rows::of_sorted(&others, radius, false, first);
        let lists = Neighbours::find(&points, &[&own, &rows], padding);
        for (index, point) in points.iter().enumerate() {
            let found: Vec<u32> = lists
                .of(index)
                .iter()
                .copied()
                .filter(|&j| j >= first && j != padding)
                .collect();
            let expected: Vec<u32> = (0..others.len() as u32)
                .filter(|&j| others[j as usize].distance_squared(*point) <= radius * radius)
                .map(|j| j + first)
                .collect();
            assert_eq!(found, expected);
        }
        // The same without the points themselves, and in another order.
        let turned: Vec<Vec3> = points.iter().rev().copied().collect();
        let among = Neighbours::among(&turned, &rows, padding);
        for (index, list) in (0..points.len()).map(|index| (index, lists.of(index))) {
            let others = list.iter().filter(|&&j| j >= first && j != padding);
            let found = among.of(points.len() - 1 - index).iter();
            assert!(others.eq(found.filter(|&&j| j != padding)));
        }
    }

    #[test]
    fn a_common_motion_does_not_invalidate_lists() {
        let then = cloud(5, 1000, Vec3::ONE);
        let now: Vec<Vec3> = then.iter().map(|point| *point + Vec3::X * 0.5).collect();
        assert!(largest_shift(&now, &then) < 1e-6);
        let mut torn = now.clone();
        torn[17].y += 0.25;
        assert!((largest_shift(&torn, &then) - 0.25).abs() < 1e-3);
    }
}
