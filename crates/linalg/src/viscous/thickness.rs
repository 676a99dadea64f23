//! How much of a liquid is thin: sheets, strands and droplets, which coarse grids cannot tell apart.
//!
//! A cell is deep if the cells around it, as far as a reach, are all filled; it is backed if a deep cell is near, within twice
//! that, and thin otherwise. This is the complement of a morphological opening with cubes, of five cells where the reach is two,
//! with some slack for round surfaces; boxes make it separable along the axes.

use crate::rows::UnknownPlace;

/// A box with more cells than this many times the unknowns is not worth a table: what fills it so sparsely is thin.
const SPARSE: usize = 64;

/// The share of the filled cells that are thin, by the cells on all sides of a deep one that are filled: 0 for compact bodies, 1 for
/// flat scenes.
pub(super) fn thin_share(places: &[UnknownPlace], reach: usize) -> f64 {
    let backing = 2 * reach;
    let Some(mut table) = Table::of(places, backing) else {
        return 1.0;
    };
    let filled = table.cells.clone();
    for axis in 0..3 {
        table.combine(axis, reach, |own, other| own & other);
    }
    for axis in 0..3 {
        table.combine(axis, backing, |own, other| own | other);
    }
    let count = filled.iter().filter(|&&filled| filled != 0).count();
    let cells = filled.iter().zip(&table.cells);
    let thin = cells.filter(|&(&filled, &backed)| filled > backed).count();
    if count == 0 {
        return 1.0;
    }
    thin as f64 / count as f64
}

/// One byte a cell of a box, with an empty border on all sides.
struct Table {
    cells: Vec<u8>,
    stride: [usize; 3],
}

impl Table {
    /// Marks the cells with unknowns on all three lower faces.
    fn of(places: &[UnknownPlace], border: usize) -> Option<Self> {
        let (mut low, mut high) = ([i32::MAX; 3], [i32::MIN; 3]);
        for place in places {
            for axis in 0..3 {
                low[axis] = low[axis].min(place.cell[axis]);
                high[axis] = high[axis].max(place.cell[axis]);
            }
        }
        let size = |axis: usize| {
            let size = i64::from(high[axis]) - i64::from(low[axis]) + 1;
            usize::try_from(size).ok().map(|size| size + 2 * border)
        };
        let (x, y, z) = (size(0)?, size(1)?, size(2)?);
        let count = x.checked_mul(y)?.checked_mul(z)?;
        if count > SPARSE.saturating_mul(places.len()) {
            return None;
        }
        let stride = [1, x, x * y];
        let mut cells = vec![0u8; count];
        for place in places {
            let along = |axis: usize| {
                (place.cell[axis] - low[axis]) as usize * stride[axis] + border * stride[axis]
            };
            cells[along(0) + along(1) + along(2)] |= 1 << place.axis;
        }
        for cell in &mut cells {
            *cell = u8::from(*cell == 0b111);
        }
        Some(Self { cells, stride })
    }

    /// Replaces every cell by what `combine` makes of it and its neighbours along an axis, as far as `reach`. The border
    /// keeps rows from running into one another.
    fn combine(&mut self, axis: usize, reach: usize, combine: impl Fn(u8, u8) -> u8) {
        let before = self.cells.clone();
        for step in (1..=reach).map(|step| step * self.stride[axis]) {
            let inner = self.cells.len().saturating_sub(step);
            for (own, &above) in self.cells[..inner].iter_mut().zip(&before[step..]) {
                *own = combine(*own, above);
            }
            for (own, &below) in self.cells[step.min(before.len())..].iter_mut().zip(&before) {
                *own = combine(*own, below);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The faces of the cells that `inside` holds for, in a box of 40³.
    fn places(inside: impl Fn([i32; 3]) -> bool) -> Vec<UnknownPlace> {
        let cells = (0..64_000).map(|index| [index % 40, index / 40 % 40, index / 1600]);
        cells
            .filter(|&cell| inside(cell))
            .flat_map(|cell| [0, 1, 2].map(|axis| UnknownPlace { cell, axis }))
            .collect()
    }

    fn square(cell: [i32; 3], axes: &[usize]) -> f64 {
        let parts = axes.iter().map(|&axis| f64::from(cell[axis]) - 19.5);
        parts.map(|part| part * part).sum()
    }

    #[test]
    fn compact_bodies_are_not_thin() {
        assert_eq!(
            thin_share(&places(|cell| square(cell, &[0, 1, 2]) < 49.0), 2),
            0.0
        );
        assert_eq!(thin_share(&places(|_| true), 2), 0.0);
        // Corners and edges of a box.
        assert_eq!(
            thin_share(&places(|[x, y, z]| x < 9 && y < 30 && z > 20), 2),
            0.0
        );
    }

    #[test]
    fn ropes_sheets_and_flat_scenes_are_thin() {
        assert_eq!(
            thin_share(&places(|cell| square(cell, &[0, 2]) < 6.3), 2),
            1.0
        );
        assert_eq!(
            thin_share(&places(|[x, _, _]| (10..14).contains(&x)), 2),
            1.0
        );
        assert_eq!(thin_share(&places(|[_, _, z]| z == 3), 2), 1.0);
        // Two droplets far apart.
        assert_eq!(
            thin_share(&places(|[x, y, z]| x == y && y == z && x % 39 == 0), 2),
            1.0
        );
        assert_eq!(thin_share(&[], 2), 1.0);
    }

    #[test]
    fn ropes_and_sheets_of_three_cells_are_thick_enough_for_a_reach_of_one() {
        let rope = places(|cell| square(cell, &[0, 2]) < 6.3);
        let sheet = places(|[x, _, _]| (10..13).contains(&x));
        for body in [&rope, &sheet] {
            assert_eq!([1, 2].map(|reach| thin_share(body, reach)), [0.0, 1.0]);
        }
        let film = places(|[x, _, _]| (10..12).contains(&x));
        assert_eq!(thin_share(&film, 1), 1.0);
    }

    #[test]
    fn a_rope_on_a_pool_counts_with_its_own_share() {
        let rope = |cell: [i32; 3]| cell[1] >= 12 && square(cell, &[0, 2]) < 6.3;
        let both = places(|cell| cell[1] < 12 || rope(cell));
        let (rope, both) = (places(rope).len() as f64, both.len() as f64);
        let found = thin_share(
            &places(|cell| cell[1] < 12 || square(cell, &[0, 2]) < 6.3),
            2,
        );
        // Up to two cells above the pool, the rope is near what is deep.
        assert!(found < rope / both && found > 0.8 * rope / both, "{found}");
    }
}
