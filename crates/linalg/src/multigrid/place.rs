//! Lattice coordinates packed into one integer: 21 bits an axis, x lowest.

/// Bits of one axis.
const BITS: u32 = 21;
/// The lowest bit of each axis.
const ONES: u64 = 1 | 1 << BITS | 1 << (2 * BITS);
/// Largest extent of the lattice along one axis.
pub(super) const EXTENT: i64 = 1 << BITS;

/// A lattice coordinate. Ordered with z most significant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Place(u64);

impl Place {
    /// Packs a coordinate, counted from an origin that is nowhere larger and at most [`EXTENT`] away.
    pub(super) fn new(coordinate: [i32; 3], origin: [i32; 3]) -> Self {
        let mut packed = 0;
        for axis in (0..3).rev() {
            packed =
                packed << BITS | (i64::from(coordinate[axis]) - i64::from(origin[axis])) as u64;
        }
        Self(packed)
    }

    /// 0 (red) or 1 (black): the parity of the sum of the coordinates.
    pub(super) fn colour(self) -> usize {
        ((self.0 & ONES).count_ones() & 1) as usize
    }

    /// The block of `2^shift` cells a side that holds the place.
    pub(super) fn block(self, shift: u32) -> Self {
        Self(self.0 >> shift & Self::field_mask(shift))
    }

    /// Whether two places lie in the same block of `2^shift` cells a side.
    pub(super) fn shares_block(self, other: Self, shift: u32) -> bool {
        (self.0 ^ other.0) >> shift & Self::field_mask(shift) == 0
    }

    /// The lowest axis along which two places differ.
    pub(super) fn axis_to(self, other: Self) -> Option<usize> {
        let difference = self.0 ^ other.0;
        if difference == 0 {
            None
        } else {
            Some((difference.trailing_zeros() / BITS) as usize)
        }
    }

    /// The bits of each axis that remain after a shift.
    fn field_mask(shift: u32) -> u64 {
        ONES * ((1 << (BITS - shift)) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_colours_match_plain_coordinates() {
        let origin = [-5, -6, 1_000_000];
        let places = [
            [-5, -6, 1_000_000],
            [7, 9, 1_000_003],
            [7, 9, 1_000_002],
            [8, 9, 1_000_003],
            [2_000_000, 0, 1_000_000],
        ];
        let relative = |c: [i32; 3]| [0, 1, 2].map(|axis| c[axis] - origin[axis]);
        for a in places {
            let place = Place::new(a, origin);
            assert_eq!(place.colour() as i32, relative(a).iter().sum::<i32>() & 1);
            for shift in [1, 2, 7, BITS - 1] {
                assert_eq!(
                    place.block(shift),
                    Place::new(relative(a).map(|c| c >> shift), [0; 3])
                );
                for b in places {
                    let same = relative(a).map(|c| c >> shift) == relative(b).map(|c| c >> shift);
                    assert_eq!(place.shares_block(Place::new(b, origin), shift), same);
                }
            }
        }
        let base = Place::new([7, 9, 1_000_003], origin);
        assert_eq!(base.axis_to(base), None);
        assert_eq!(base.axis_to(Place::new([8, 9, 1_000_003], origin)), Some(0));
        assert_eq!(base.axis_to(Place::new([7, 8, 1_000_003], origin)), Some(1));
        assert_eq!(base.axis_to(Place::new([7, 9, 1_000_002], origin)), Some(2));
    }
}
