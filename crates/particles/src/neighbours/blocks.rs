//! Lists of neighbours as inner loops read them: in blocks of [`LANES`] entries, whose points are turned into lanes.
//!
//! Points lie in memory one by one. Eight of them become four vectors in registers: built in memory, number by number, a
//! vector would have to wait until all of its numbers are written.

use super::{LANES, Point};
use ooze_commons::Width;

/// The padded list of one particle.
#[derive(Clone, Copy)]
pub struct List<'a> {
    /// Indices of the neighbours, rising, and of the point that pads.
    pub entries: &'a [u32],
    width: Width,
}

impl<'a> List<'a> {
    /// A list for code of that width.
    #[inline(always)]
    pub fn new(entries: &'a [u32], width: Width) -> Self {
        Self { entries, width }
    }

    /// The list's blocks.
    #[inline(always)]
    pub fn blocks(self) -> impl Iterator<Item = Block<'a>> {
        let width = self.width;
        let blocks = self.entries.as_chunks::<LANES>().0.iter();
        blocks.map(move |entries| Block { entries, width })
    }
}

/// Entries that are handled together.
#[derive(Clone, Copy)]
pub struct Block<'a> {
    entries: &'a [u32; LANES],
    width: Width,
}

impl Block<'_> {
    /// The numbers of the block's points: one vector for each of a point's four, with a lane for each point.
    #[inline(always)]
    pub fn of(self, points: &[Point]) -> [[f32; LANES]; 4] {
        #[cfg(target_arch = "x86_64")]
        if self.width.has_eight_lanes() {
            // SAFETY: the processor has AVX2.
            return unsafe { turned(points, self.entries) };
        }
        let _ = self.width;
        one_by_one(points, self.entries)
    }
}

#[inline(always)]
fn one_by_one(points: &[Point], entries: &[u32; LANES]) -> [[f32; LANES]; 4] {
    let mut lanes = [[0.0; LANES]; 4];
    for lane in 0..LANES {
        let point = &points[entries[lane] as usize];
        for number in 0..4 {
            lanes[number][lane] = point[number];
        }
    }
    lanes
}

/// The same with vectors of eight.
///
/// It is small enough for the compiler to put it into the loops that call it, which keeps the vectors in registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn turned(points: &[Point], entries: &[u32; LANES]) -> [[f32; LANES]; 4] {
    use std::arch::x86_64::{
        _mm_loadu_ps, _mm256_set_m128, _mm256_shuffle_ps, _mm256_storeu_ps, _mm256_unpackhi_ps,
        _mm256_unpacklo_ps,
    };

    // One check for all of them.
    let last = entries.iter().fold(0, |last, &entry| last.max(entry));
    assert!((last as usize) < points.len(), "a list names no point");
    let mut lanes = [[0.0; LANES]; 4];
    // SAFETY: all entries are points, which are four numbers each, and there is room for eight numbers in each of the four
    // vectors.
    unsafe {
        let at = |lane: usize| _mm_loadu_ps(points.get_unchecked(entries[lane] as usize).as_ptr());
        // Shuffles stay within halves: the k-th register holds the points k and k + 4.
        let a = _mm256_set_m128(at(4), at(0));
        let b = _mm256_set_m128(at(5), at(1));
        let c = _mm256_set_m128(at(6), at(2));
        let d = _mm256_set_m128(at(7), at(3));
        let [first, second] = [_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d)];
        let [third, fourth] = [_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d)];
        let vectors = [
            _mm256_shuffle_ps::<0b01_00_01_00>(first, second),
            _mm256_shuffle_ps::<0b11_10_11_10>(first, second),
            _mm256_shuffle_ps::<0b01_00_01_00>(third, fourth),
            _mm256_shuffle_ps::<0b11_10_11_10>(third, fourth),
        ];
        for (lanes, vector) in lanes.iter_mut().zip(vectors) {
            _mm256_storeu_ps(lanes.as_mut_ptr(), vector);
        }
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;
    use ooze_commons::widest;

    #[test]
    fn blocks_hold_the_numbers_of_their_points() {
        let points: Vec<Point> = (0..40)
            .map(|index| std::array::from_fn(|number| (10 * index + number) as f32))
            .collect();
        let entries: Vec<u32> = (0..24).map(|entry| (entry * 7) % 40).collect();
        widest(|width| {
            for (number, block) in List::new(&entries, width).blocks().enumerate() {
                let own = &entries.as_chunks::<LANES>().0[number];
                assert_eq!(block.of(&points), one_by_one(&points, own));
                for lane in 0..LANES {
                    let found = block.of(&points).map(|vector| vector[lane]);
                    assert_eq!(found, points[own[lane] as usize]);
                }
            }
        });
    }
}
