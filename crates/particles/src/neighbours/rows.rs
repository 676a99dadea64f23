//! Points sorted into rows along x: the order in which particles lie in memory, and the index of a neighbour search.
//!
//! A row is a strip of the search radius' width along y and z. Inside a row points are sorted by x, so that all points
//! within reach of another lie in nine contiguous runs (three in flat scenes), found by moving cursors. Compared with
//! cubic cells a third fewer candidates are tested, and the table grows with the cross-section of the box only.

use glam::Vec3;
use rayon::prelude::*;

/// Rows along y and z at the most. What is beyond them counts to the outermost: slower, still right.
const MOST_ROWS: f32 = 2048.0;
/// Rows are this much wider than the radius, so that rounding cannot put neighbours two rows apart.
const SLACK: f32 = 1.0 + 1e-5;

/// How rows divide space.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Layout {
    lower: Vec3,
    inverse_width: f32,
    counts: [usize; 2],
}

impl Layout {
    fn around(points: &[Vec3], radius: f32, flat: bool) -> Self {
        let lower = points.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let upper = points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        let inverse_width = 1.0 / (radius * SLACK);
        let extent = ((upper - lower) * inverse_width).max(Vec3::ZERO);
        let count = |extent: f32| extent.min(MOST_ROWS - 1.0) as usize + 1;
        Self {
            lower,
            inverse_width,
            counts: [count(extent.y), if flat { 1 } else { count(extent.z) }],
        }
    }

    #[inline]
    fn row_of(&self, point: Vec3) -> [usize; 2] {
        let local = (point - self.lower) * self.inverse_width;
        [
            (local.y as usize).min(self.counts[0] - 1),
            (local.z as usize).min(self.counts[1] - 1),
        ]
    }

    #[inline]
    fn key(&self, [y, z]: [usize; 2]) -> usize {
        z * self.counts[0] + y
    }
}

/// The order in which points lie row by row, each row by rising x; equal points keep their order.
pub fn sorted_order(points: &[Vec3], radius: f32, flat: bool) -> Vec<u32> {
    let layout = Layout::around(points, radius, flat);
    let start = row_starts(&layout, points);
    let mut next = start.clone();
    let mut order = vec![0u32; points.len()];
    for (index, &point) in points.iter().enumerate() {
        let place = &mut next[layout.key(layout.row_of(point))];
        order[*place as usize] = index as u32;
        *place += 1;
    }
    let mut rest = order.as_mut_slice();
    let rows: Vec<&mut [u32]> = start
        .windows(2)
        .map(|bounds| {
            let length = (bounds[1] - bounds[0]) as usize;
            let (row, tail) = std::mem::take(&mut rest).split_at_mut(length);
            rest = tail;
            row
        })
        .filter(|row| !row.is_empty())
        .collect();
    rows.into_par_iter().for_each(|row| {
        let x = |index: u32| points[index as usize].x;
        row.sort_unstable_by(|&a, &b| x(a).total_cmp(&x(b)).then(a.cmp(&b)));
    });
    order
}

fn row_starts(layout: &Layout, points: &[Vec3]) -> Vec<u32> {
    let mut start = vec![0u32; layout.counts[0] * layout.counts[1] + 1];
    for &point in points {
        start[layout.key(layout.row_of(point)) + 1] += 1;
    }
    for row in 1..start.len() {
        start[row] += start[row - 1];
    }
    start
}

/// Points in their sorted order, ready to be searched.
#[derive(Clone, Debug)]
pub struct Rows {
    layout: Layout,
    start: Vec<u32>,
    coordinates: [Vec<f32>; 3],
    /// Index that the first point has for those who search.
    first_index: u32,
    radius: f32,
}

impl Rows {
    /// The rows of points that are in the order of [`sorted_order`] for the same radius.
    pub fn of_sorted(points: &[Vec3], radius: f32, flat: bool, first_index: u32) -> Self {
        let layout = Layout::around(points, radius, flat);
        Self {
            start: row_starts(&layout, points),
            layout,
            coordinates: std::array::from_fn(|axis| {
                points.iter().map(|point| point[axis]).collect()
            }),
            first_index,
            radius,
        }
    }
}

/// A search that moves through sorted points from one to the next.
pub struct Sweep<'a> {
    rows: &'a Rows,
    /// Row of the last point, and a run of candidates in each row around it.
    at: Option<[usize; 2]>,
    around: Vec<Run>,
    squares: Vec<f32>,
}

struct Run {
    row_end: usize,
    first: usize,
    last: usize,
}

impl<'a> Sweep<'a> {
    /// A search among these points.
    pub fn new(rows: &'a Rows) -> Self {
        Self {
            rows,
            at: None,
            around: Vec::new(),
            squares: Vec::new(),
        }
    }

    fn enter(&mut self, [y, z]: [usize; 2], x: f32) {
        let Rows {
            layout,
            start,
            coordinates,
            radius,
            ..
        } = self.rows;
        self.at = Some([y, z]);
        self.around.clear();
        for z in z.saturating_sub(1)..=(z + 1).min(layout.counts[1] - 1) {
            for y in y.saturating_sub(1)..=(y + 1).min(layout.counts[0] - 1) {
                let row = layout.key([y, z]);
                let (begin, row_end) = (start[row] as usize, start[row + 1] as usize);
                let xs = &coordinates[0][begin..row_end];
                let first = begin + xs.partition_point(|&other| x - other > radius * SLACK);
                self.around.push(Run {
                    row_end,
                    first,
                    last: first,
                });
            }
        }
    }

    /// Appends the indices of all points within the radius of `point`, rising, without `except`.
    pub fn collect(&mut self, point: Vec3, except: u32, found: &mut Vec<u32>) {
        let rows = self.rows;
        let row = rows.layout.row_of(point);
        // Between points of one row cursors only move on: points are sorted by x.
        if self.at != Some(row) {
            self.enter(row, point.x);
        }
        let [xs, ys, zs] = &rows.coordinates;
        let reach = rows.radius * SLACK;
        let limit = rows.radius * rows.radius;
        for run in &mut self.around {
            while run.first < run.row_end && point.x - xs[run.first] > reach {
                run.first += 1;
            }
            run.last = run.last.max(run.first);
            while run.last < run.row_end && xs[run.last] - point.x <= reach {
                run.last += 1;
            }
            let range = run.first..run.last;
            let (xs, ys, zs) = (&xs[range.clone()], &ys[range.clone()], &zs[range.clone()]);
            self.squares.clear();
            self.squares
                .extend(xs.iter().zip(ys).zip(zs).map(|((x, y), z)| {
                    let (x, y, z) = (x - point.x, y - point.y, z - point.z);
                    x * x + y * y + z * z
                }));
            let base = rows.first_index + run.first as u32;
            let before = found.len();
            found.resize(before + self.squares.len(), 0);
            let mut count = before;
            for (offset, &square) in self.squares.iter().enumerate() {
                let index = base + offset as u32;
                found[count] = index;
                count += usize::from(square <= limit && index != except);
            }
            found.truncate(count);
        }
    }

    /// Starts anew: the next point may be anywhere.
    pub fn restart(&mut self) {
        self.at = None;
    }
}
