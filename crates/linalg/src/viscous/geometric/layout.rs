//! Where the places of a staggered grid lie in memory: rows along x, one after the other.
//!
//! A row is a pair of y and z. It stores the places from the first to the last that its own or its neighbours' liquid
//! needs, so that a stencil finds what it reads in memory without asking. What lies there but belongs to no liquid has
//! no weight. Lengths of loops are multiples of a vector's.

use std::ops::Range;

/// Lengths of loops along x are multiples of this.
pub(super) const LANES: u32 = 8;
/// Marks rows that do not exist.
pub(super) const NO_ROW: u32 = u32::MAX;
/// Places in one piece of parallel work, about.
const TASK: u32 = 4096;

/// Places along x.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: i32,
    pub(super) length: u32,
}

impl Span {
    /// Starts at an even place.
    fn new((low, high): (i32, i32)) -> Self {
        if low > high {
            return Self::default();
        }
        let low = low & !1;
        Self {
            start: low,
            length: ((high - low) as u32 + 1).next_multiple_of(LANES),
        }
    }

    pub(super) fn end(self) -> i32 {
        self.start + self.length as i32
    }

    fn hull(self, other: Self) -> Self {
        match (self.length, other.length) {
            (_, 0) => self,
            (0, _) => other,
            _ => {
                let start = self.start.min(other.start);
                let length = (self.end().max(other.end()) - start) as u32;
                Self { start, length }
            }
        }
    }
}

/// A row of places along x.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    pub(super) y: i32,
    pub(super) z: i32,
    /// What is stored.
    pub(super) stored: Span,
    /// Places stored in earlier rows.
    pub(super) offset: u32,
    /// Where strain samples may lie.
    pub(super) samples: Span,
    /// Where faces with unknowns may lie.
    pub(super) faces: Span,
    /// The rows at y − 1, y + 1, z − 1 and z + 1.
    pub(super) beside: [u32; 4],
}

impl Row {
    /// Where a place is in a field of a number of components.
    #[inline]
    pub(super) fn index(&self, components: usize, component: usize, x: i32) -> usize {
        components * self.offset as usize
            + component * self.stored.length as usize
            + (x - self.stored.start) as usize
    }
}

/// First and last face with an unknown in each row of a box; none where the first comes after the last.
#[derive(Debug, Clone)]
pub(super) struct Extents {
    low: [i32; 2],
    size: [i32; 2],
    range: Vec<(i32, i32)>,
}

impl Extents {
    /// No faces, in a box of rows whose borders stay free of them.
    pub(super) fn new(low: [i32; 2], high: [i32; 2]) -> Self {
        let low = low.map(|low| low - 2);
        let size = [0, 1].map(|axis| high[axis] + 3 - low[axis]);
        Self {
            low,
            size,
            range: vec![(i32::MAX, i32::MIN); (size[0] * size[1]) as usize],
        }
    }

    #[inline]
    fn index(&self, y: i32, z: i32) -> usize {
        ((y - self.low[0]) + self.size[0] * (z - self.low[1])) as usize
    }

    /// Adds faces.
    #[inline]
    pub(super) fn add(&mut self, y: i32, z: i32, first: i32, last: i32) {
        let index = self.index(y, z);
        let range = &mut self.range[index];
        *range = (range.0.min(first), range.1.max(last));
    }
}

/// Rows and where they are stored.
#[derive(Debug, Default)]
pub(super) struct Layout {
    low: [i32; 2],
    size: [i32; 2],
    table: Vec<u32>,
    pub(super) row: Vec<Row>,
    /// Ranges of rows of about equal size.
    pub(super) task: Vec<Range<usize>>,
    /// Number of places stored.
    pub(super) places: usize,
}

impl Layout {
    pub(super) fn new(extents: &Extents) -> Self {
        let [rows_y, rows_z] = extents.size;
        let inner = |index: usize| {
            let (y, z) = (index as i32 % rows_y, index as i32 / rows_y);
            y > 0 && z > 0 && y + 1 < rows_y && z + 1 < rows_z
        };
        let stride = rows_y as usize;
        let count = extents.range.len();
        let faces: Vec<Span> = extents
            .range
            .iter()
            .map(|&range| Span::new(range))
            .collect();
        let samples: Vec<Span> = (0..count)
            .map(|index| {
                if !inner(index) {
                    return Span::default();
                }
                let around = [index, index - 1, index + 1, index - stride, index + stride];
                let mut hull = (i32::MAX, i32::MIN);
                for index in around {
                    let (low, high) = extents.range[index];
                    if low <= high {
                        hull = (hull.0.min(low - 1), hull.1.max(high + 1));
                    }
                }
                Span::new(hull)
            })
            .collect();
        let mut layout = Self {
            low: extents.low,
            size: extents.size,
            table: vec![NO_ROW; count],
            ..Self::default()
        };
        for index in 0..count {
            let mut stored = faces[index].hull(samples[index]);
            for beside in [
                index.checked_sub(1),
                Some(index + 1),
                index.checked_sub(stride),
                Some(index + stride),
            ] {
                if let Some(beside) = beside.filter(|&beside| beside < count) {
                    stored = stored.hull(samples[beside]).hull(faces[beside]);
                }
            }
            if stored.length == 0 {
                continue;
            }
            layout.table[index] = layout.row.len() as u32;
            stored.start -= 1;
            stored.length += 2;
            layout.row.push(Row {
                y: index as i32 % rows_y + extents.low[0],
                z: index as i32 / rows_y + extents.low[1],
                stored,
                offset: layout.places as u32,
                samples: samples[index],
                faces: faces[index],
                beside: [NO_ROW; 4],
            });
            layout.places += stored.length as usize;
        }
        for index in 0..layout.row.len() {
            let (y, z) = (layout.row[index].y, layout.row[index].z);
            let beside = [(y - 1, z), (y + 1, z), (y, z - 1), (y, z + 1)];
            layout.row[index].beside = beside.map(|(y, z)| layout.number(y, z));
        }
        layout.divide();
        layout
    }

    fn divide(&mut self) {
        let mut first = 0;
        while first < self.row.len() {
            let end = self.row[first].offset + TASK;
            let next = self
                .row
                .partition_point(|row| row.offset < end)
                .max(first + 1);
            self.task.push(first..next);
            first = next;
        }
    }

    #[inline]
    fn number(&self, y: i32, z: i32) -> u32 {
        let (y, z) = (y - self.low[0], z - self.low[1]);
        if y < 0 || z < 0 || y >= self.size[0] || z >= self.size[1] {
            return NO_ROW;
        }
        self.table[(y + self.size[0] * z) as usize]
    }

    /// The row at a place.
    #[inline]
    pub(super) fn find(&self, y: i32, z: i32) -> Option<&Row> {
        self.row.get(self.number(y, z) as usize)
    }

    /// Cuts a field into the parts of all tasks.
    pub(super) fn split<'a>(&self, components: usize, field: &'a mut [f32]) -> Vec<&'a mut [f32]> {
        let mut parts = Vec::with_capacity(self.task.len());
        let mut rest = field;
        for task in &self.task {
            let places = self
                .row
                .get(task.end)
                .map_or(self.places, |row| row.offset as usize)
                - self.row[task.start].offset as usize;
            let part;
            (part, rest) = rest.split_at_mut(components * places);
            parts.push(part);
        }
        parts
    }

    /// The extents of the grid twice as coarse.
    pub(super) fn coarsen(&self, active: impl Fn(&Row, usize) -> Option<(i32, i32)>) -> Extents {
        let half = |value: i32| value.div_euclid(2);
        let high = [0, 1].map(|axis| half(self.low[axis] + self.size[axis]) + 1);
        let mut extents = Extents::new(self.low.map(|low| half(low) - 1), high);
        for row in &self.row {
            for axis in 0..3 {
                if let Some((first, last)) = active(row, axis) {
                    let first = parents(axis == 0, first).0;
                    let last = parents(axis == 0, last).1;
                    let (y_low, y_high) = parents(axis == 1, row.y);
                    let (z_low, z_high) = parents(axis == 2, row.z);
                    for z in z_low..=z_high {
                        for y in y_low..=y_high {
                            extents.add(y, z, first, last);
                        }
                    }
                }
            }
        }
        extents
    }
}

/// First and last parent of a place along an axis: the axis across a face, or one along it.
#[inline]
pub(super) fn parents(across: bool, place: i32) -> (i32, i32) {
    let half = place.div_euclid(2);
    match (across, place & 1) {
        (true, 0) => (half, half),
        (false, 0) => (half - 1, half),
        _ => (half, half + 1),
    }
}
