//! Cubes of 3³ places, sorted by colour.
//!
//! Cubes whose coordinates have equal parities share a colour: between two of one colour lies a whole cube, so that
//! couplings that reach no further than the next cube never join them, and all cubes of a colour can be relaxed at
//! once.

use ooze_commons::reduce::CHUNK;
use rayon::prelude::*;

use crate::error::PreconditionerError;

/// Places along a side of a cube.
pub(super) const SIDE: i32 = 3;
/// Number of colours.
pub(super) const COLOURS: usize = 8;
/// Bits of a cube's coordinate along one axis.
const AXIS_BITS: u32 = 18;
/// Bits of the order within a cube.
const ORDER_BITS: u32 = 7;

/// Items grouped by the cube they lie in; cubes are sorted by colour.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// The items, cube after cube.
    pub(super) item: Vec<u32>,
    /// Where the items of each cube start, and where the last ones end.
    pub(super) start: Vec<u32>,
    /// The coordinates of each cube, counted from an even origin.
    pub(super) place: Vec<[i32; 3]>,
    /// The cube of each item.
    pub(super) block: Vec<u32>,
}

impl Blocks {
    /// Groups items by their place; within a cube they are sorted by place and then by `kind` (0 to 2).
    pub(super) fn new(
        count: usize,
        place: impl Fn(usize) -> [i32; 3] + Sync,
        kind: impl Fn(usize) -> u8 + Sync,
    ) -> Result<Self, PreconditionerError> {
        let low = check_extent(count, &place)?;
        let pack = |item: usize| {
            let place = place(item);
            let mut key = 0;
            let mut order = 0;
            let mut colour = 0;
            for axis in (0..3).rev() {
                let cube = place[axis].div_euclid(SIDE) - low[axis];
                key = key << AXIS_BITS | cube as u64;
                colour = colour << 1 | (cube & 1) as u64;
                order = order * SIDE as u64 + place[axis].rem_euclid(SIDE) as u64;
            }
            let order = order + 27 * u64::from(kind(item));
            (
                colour << (3 * AXIS_BITS + ORDER_BITS) | key << ORDER_BITS | order,
                item as u32,
            )
        };
        let mut keyed: Vec<(u64, u32)> = (0..count)
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(pack)
            .collect();
        keyed.par_sort_unstable();
        let mut blocks = Self {
            item: keyed.iter().map(|&(_, item)| item).collect(),
            start: Vec::new(),
            place: Vec::new(),
            block: vec![0; count],
        };
        let mut previous = None;
        for (index, &(key, item)) in keyed.iter().enumerate() {
            let cube = key >> ORDER_BITS;
            if previous != Some(cube) {
                previous = Some(cube);
                blocks.start.push(index as u32);
                let axis = |axis: u32| (cube >> (axis * AXIS_BITS) & ((1 << AXIS_BITS) - 1)) as i32;
                blocks.place.push([axis(0), axis(1), axis(2)]);
            }
            blocks.block[item as usize] = blocks.place.len() as u32 - 1;
        }
        blocks.start.push(count as u32);
        Ok(blocks)
    }

    /// Number of cubes.
    pub(super) fn count(&self) -> usize {
        self.place.len()
    }

    /// The items of a cube.
    pub(super) fn items(&self, block: usize) -> &[u32] {
        &self.item[self.start[block] as usize..self.start[block + 1] as usize]
    }

    /// The position of each item in its cube; no more items than places and kinds fit a cube.
    pub(super) fn positions(&self) -> Vec<u16> {
        let mut positions = vec![0; self.item.len()];
        for block in 0..self.count() {
            for (position, &item) in self.items(block).iter().enumerate() {
                positions[item as usize] = position as u16;
            }
        }
        positions
    }

    /// The cubes in an order in which those close in space are mostly close (Morton 1966): work in that order finds in
    /// the cache what its neighbours needed.
    pub(super) fn near_order(&self) -> Vec<u32> {
        let interleave = |block: u32| {
            let place = self.place[block as usize];
            (0..AXIS_BITS).fold(0u64, |key, bit| {
                (0..3).fold(key, |key, axis| {
                    key | (place[axis] as u64 >> bit & 1) << (3 * bit + axis as u32)
                })
            })
        };
        let mut order: Vec<u32> = (0..self.count() as u32).collect();
        order.sort_by_cached_key(|&block| interleave(block));
        order
    }

    /// The colour of a cube.
    pub(super) fn colour(&self, block: usize) -> usize {
        let [x, y, z] = self.place[block].map(|coordinate| (coordinate & 1) as usize);
        x + 2 * y + 4 * z
    }
}

/// The coordinates of the lowest cube, made even; an error where cubes are too many to be numbered.
fn check_extent(
    count: usize,
    place: &(impl Fn(usize) -> [i32; 3] + Sync),
) -> Result<[i32; 3], PreconditionerError> {
    let none = || ([i32::MAX; 3], [i32::MIN; 3]);
    let join = |a: ([i32; 3], [i32; 3]), b: ([i32; 3], [i32; 3])| {
        (
            [0, 1, 2].map(|axis| a.0[axis].min(b.0[axis])),
            [0, 1, 2].map(|axis| a.1[axis].max(b.1[axis])),
        )
    };
    let (low, high) = (0..count)
        .into_par_iter()
        .with_min_len(CHUNK)
        .fold(none, |bounds, item| {
            join(bounds, (place(item), place(item)))
        })
        .reduce(none, join);
    if count == 0 {
        return Ok([0; 3]);
    }
    let limit = i64::from(SIDE) << (AXIS_BITS - 1);
    for axis in 0..3 {
        if i64::from(high[axis]) - i64::from(low[axis]) >= limit {
            return Err(PreconditionerError::Extent {
                axis,
                low: low[axis],
                high: high[axis],
                limit,
            });
        }
    }
    Ok(low.map(|low| low.div_euclid(SIDE) & !1))
}
