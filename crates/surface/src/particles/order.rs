//! Particles sorted by the cell they are in. Only cells with particles are kept, so that a droplet far from the rest
//! costs no more than one nearby; cells along x lie one after the other, so that a row of them is one span of particles.

use std::ops::Range;

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use crate::tiles::order_key;

/// Particles grouped by cell, cells in order with x fastest; within a cell they keep the order they had.
#[derive(Clone, Debug)]
pub(crate) struct CellOrder {
    cell_size: f32,
    flat: bool,
    cells: Vec<IVec3>,
    /// First particle of each cell, and the total.
    start: Vec<u32>,
    positions: Vec<Vec3>,
    /// Where each sorted particle was.
    origin: Vec<u32>,
}

impl CellOrder {
    /// Sorts particles into cells of a given size. In flat scenes all lie at z = 0.
    pub(crate) fn new(positions: &[Vec3], cell_size: f32, flat: bool) -> Self {
        let place = |position: Vec3| if flat { position.with_z(0.0) } else { position };
        let mut keyed: Vec<([i32; 3], u32)> = positions
            .par_iter()
            .enumerate()
            .map(|(index, &position)| {
                let cell = (place(position) / cell_size).floor().as_ivec3();
                (order_key(cell), index as u32)
            })
            .collect();
        // Keys with their indices are all different: the result does not depend on how the work was split.
        keyed.par_sort_unstable();
        let mut cells = Vec::new();
        let mut start = Vec::new();
        let mut last = None;
        for (index, &(key, _)) in keyed.iter().enumerate() {
            if last != Some(key) {
                let [z, y, x] = key;
                cells.push(IVec3::new(x, y, z));
                start.push(index as u32);
                last = Some(key);
            }
        }
        start.push(keyed.len() as u32);
        let origin: Vec<u32> = keyed.par_iter().map(|&(_, index)| index).collect();
        Self {
            cell_size,
            flat,
            cells,
            start,
            positions: origin
                .par_iter()
                .map(|&index| place(positions[index as usize]))
                .collect(),
            origin,
        }
    }

    /// Edge length of a cell in metres.
    pub(crate) fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// Whether all particles lie in a plane.
    pub(crate) fn flat(&self) -> bool {
        self.flat
    }

    /// The cells with particles.
    pub(crate) fn cells(&self) -> &[IVec3] {
        &self.cells
    }

    /// Sorted particles of the cell with index `index`.
    #[inline]
    pub(crate) fn particles(&self, index: usize) -> Range<usize> {
        self.start[index] as usize..self.start[index + 1] as usize
    }

    /// Positions in sorted order.
    pub(crate) fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// For each sorted particle, the index it had before.
    pub(crate) fn origin(&self) -> &[u32] {
        &self.origin
    }

    /// The cell that contains a point.
    #[inline]
    pub(crate) fn cell_of(&self, point: Vec3) -> IVec3 {
        (point / self.cell_size).floor().as_ivec3()
    }

    /// Indices of the cells from `lower` to `upper`, which lie in one row along x.
    #[inline]
    fn cell_span(&self, lower: IVec3, upper_x: i32) -> Range<usize> {
        let first = self
            .cells
            .partition_point(|&cell| order_key(cell) < order_key(lower));
        let ahead = self.cells[first..].iter();
        // Rows are short: walking beats a second search.
        let length = ahead
            .take_while(|cell| cell.y == lower.y && cell.z == lower.z && cell.x <= upper_x)
            .count();
        first..first + length
    }

    /// Calls `found` with the cells (as a range of indices) of each row in the box from `lower` to `upper`.
    pub(crate) fn for_each_row(
        &self,
        lower: IVec3,
        upper: IVec3,
        mut found: impl FnMut(Range<usize>),
    ) {
        let (first, last) = if self.flat {
            (0, 0)
        } else {
            (lower.z, upper.z)
        };
        for z in first..=last {
            for y in lower.y..=upper.y {
                let span = self.cell_span(IVec3::new(lower.x, y, z), upper.x);
                if !span.is_empty() {
                    found(span);
                }
            }
        }
    }

    /// The sorted particles in a range of cells.
    #[inline]
    pub(crate) fn particles_of_cells(&self, cells: Range<usize>) -> Range<usize> {
        self.start[cells.start] as usize..self.start[cells.end] as usize
    }

    /// Calls `found` with each particle in the cells within `reach` of a point and its squared distance.
    #[inline]
    pub(crate) fn for_each_near(
        &self,
        point: Vec3,
        reach: f32,
        recent: &mut RecentBoxes,
        mut found: impl FnMut(usize, f32),
    ) {
        let (first, last) = (self.cell_of(point - reach), self.cell_of(point + reach));
        for particles in recent.spans(self, first, last) {
            for particle in particles.start as usize..particles.end as usize {
                found(particle, point.distance_squared(self.positions[particle]));
            }
        }
    }
}

/// The spans of particles in boxes of cells that were asked for lately: points asked for one after the other are often
/// neighbours, and looking at their particles takes less time than searching for the cells.
#[derive(Clone, Debug)]
pub(crate) struct RecentBoxes {
    boxes: Vec<RecentBox>,
}

#[derive(Clone, Debug, Default)]
struct RecentBox {
    /// Lowest and highest cell, once there are any.
    cells: Option<(IVec3, IVec3)>,
    spans: Vec<Range<u32>>,
}

impl Default for RecentBoxes {
    fn default() -> Self {
        Self {
            boxes: vec![RecentBox::default(); Self::PLACES],
        }
    }
}

impl RecentBoxes {
    /// Boxes that are remembered: those around the points of a few tiles.
    const PLACES: usize = 256;

    fn spans(&mut self, order: &CellOrder, lower: IVec3, upper: IVec3) -> &[Range<u32>] {
        let mixed =
            lower.dot(IVec3::new(1, 7, 53)) + 131 * (upper - lower).dot(IVec3::new(1, 2, 4));
        let place = &mut self.boxes[mixed.rem_euclid(Self::PLACES as i32) as usize];
        if place.cells != Some((lower, upper)) {
            place.cells = Some((lower, upper));
            place.spans.clear();
            order.for_each_row(lower, upper, |cells| {
                let particles = order.particles_of_cells(cells);
                place
                    .spans
                    .push(particles.start as u32..particles.end as u32);
            });
        }
        &place.spans
    }
}
