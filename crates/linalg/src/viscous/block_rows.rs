//! Sparse rows whose entries come in runs, one for the motions of each aggregate they touch.

use rayon::prelude::*;

/// Rows of runs.
#[derive(Debug, Default)]
pub(super) struct BlockRows<T> {
    /// Where the runs of each row start, and where the last ones end.
    pub(super) run_start: Vec<u32>,
    /// The aggregate of each run.
    pub(super) node: Vec<u32>,
    /// Where the values of each run start, and where the last ones end.
    pub(super) value_start: Vec<u32>,
    pub(super) value: Vec<T>,
}

/// Takes rows one after the other.
#[derive(Debug, Default)]
pub(super) struct RowWriter {
    rows: BlockRows<f64>,
    /// For each aggregate, the number of the last row that touched it and where its values start.
    slot: Vec<(u32, u32)>,
}

impl RowWriter {
    fn new(nodes: usize) -> Self {
        Self {
            rows: BlockRows {
                run_start: vec![0],
                ..BlockRows::default()
            },
            slot: vec![(u32::MAX, 0); nodes],
        }
    }

    /// Adds a multiple of an aggregate's values to the row.
    #[inline(always)]
    pub(super) fn add(&mut self, node: u32, factor: f64, values: &[f64]) {
        let row = self.rows.run_start.len() as u32;
        let slot = &mut self.slot[node as usize];
        if slot.0 != row {
            *slot = (row, self.rows.value.len() as u32);
            self.rows.node.push(node);
            self.rows.value_start.push(slot.1);
            let sums = &mut self.rows.value;
            match <&[f64; 6]>::try_from(values) {
                Ok(values) => sums.extend_from_slice(&values.map(|value| factor * value)),
                Err(_) => sums.extend(values.iter().map(|value| factor * value)),
            }
            return;
        }
        let start = slot.1 as usize;
        let sums = &mut self.rows.value[start..start + values.len()];
        if let (Ok(sums), Ok(values)) = (
            <&mut [f64; 6]>::try_from(&mut *sums),
            <&[f64; 6]>::try_from(values),
        ) {
            for index in 0..6 {
                sums[index] += factor * values[index];
            }
            return;
        }
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += factor * value;
        }
    }

    /// Appends a run of another aggregate to the row.
    pub(super) fn push(&mut self, node: u32, values: &[f64]) {
        self.rows.node.push(node);
        self.rows.value_start.push(self.rows.value.len() as u32);
        self.rows.value.extend_from_slice(values);
    }

    /// Ends the row.
    pub(super) fn end_row(&mut self) {
        self.rows.run_start.push(self.rows.node.len() as u32);
    }
}

/// Rows in the parts in which they were built: rows that are soon dropped are not worth copying into one.
#[derive(Debug, Default)]
pub(super) struct PartedRows {
    part: Vec<BlockRows<f64>>,
    /// The part of each row, and its number there.
    place: Vec<(u32, u32)>,
}

impl PartedRows {
    /// Builds rows in parallel that touch some of a number of aggregates; `fill` writes the rows of one item, and
    /// items follow one another.
    pub(super) fn build(
        items: usize,
        nodes: usize,
        chunk_items: usize,
        fill: impl Fn(usize, &mut RowWriter) + Sync,
    ) -> Self {
        let part = build_parts(items, nodes, chunk_items, fill);
        let mut place = Vec::with_capacity(part.iter().map(BlockRows::count).sum());
        for (part, index) in part.iter().zip(0..) {
            place.extend((0..part.count() as u32).map(|row| (index, row)));
        }
        Self { part, place }
    }

    /// Builds and stores rows in a given order; `fill` writes one row.
    pub(super) fn build_in_order(
        order: &[u32],
        nodes: usize,
        chunk_rows: usize,
        fill: impl Fn(usize, &mut RowWriter) + Sync,
    ) -> Self {
        let part = build_parts(order.len(), nodes, chunk_rows, |turn, writer| {
            fill(order[turn] as usize, writer);
        });
        let mut place = vec![(0, 0); order.len()];
        for (turn, &row) in order.iter().enumerate() {
            place[row as usize] = ((turn / chunk_rows) as u32, (turn % chunk_rows) as u32);
        }
        Self { part, place }
    }

    /// The part that holds a row, and the indices of the row's runs there.
    #[inline]
    pub(super) fn row(&self, row: usize) -> (&BlockRows<f64>, std::ops::Range<usize>) {
        let (part, row) = self.place[row];
        let part = &self.part[part as usize];
        (part, part.runs(row as usize))
    }

    /// All rows in one, in the order in which they are stored.
    pub(super) fn join(self) -> BlockRows<f64> {
        let runs = self.part.iter().map(|part| part.node.len()).sum();
        let values = self.part.iter().map(|part| part.value.len()).sum();
        let mut rows = BlockRows {
            run_start: Vec::with_capacity(self.place.len() + 1),
            node: Vec::with_capacity(runs),
            value_start: Vec::with_capacity(runs + 1),
            value: Vec::with_capacity(values),
        };
        for part in self.part {
            let (runs, values) = (rows.node.len() as u32, rows.value.len() as u32);
            let starts = part.run_start[..part.count()].iter();
            rows.run_start.extend(starts.map(|&start| start + runs));
            let starts = part.value_start[..part.node.len()].iter();
            rows.value_start.extend(starts.map(|&start| start + values));
            rows.node.extend_from_slice(&part.node);
            rows.value.extend_from_slice(&part.value);
        }
        rows.run_start.push(rows.node.len() as u32);
        rows.value_start.push(rows.value.len() as u32);
        rows
    }
}

fn build_parts(
    items: usize,
    nodes: usize,
    chunk_items: usize,
    fill: impl Fn(usize, &mut RowWriter) + Sync,
) -> Vec<BlockRows<f64>> {
    (0..items.div_ceil(chunk_items))
        .into_par_iter()
        .map(|chunk| {
            let mut writer = RowWriter::new(nodes);
            for item in chunk * chunk_items..items.min((chunk + 1) * chunk_items) {
                fill(item, &mut writer);
            }
            let mut rows = writer.rows;
            rows.value_start.push(rows.value.len() as u32);
            rows
        })
        .collect()
}

impl BlockRows<f64> {
    /// The same in single precision.
    pub(super) fn into_single(self) -> BlockRows<f32> {
        BlockRows {
            run_start: self.run_start,
            node: self.node,
            value_start: self.value_start,
            value: self.value.iter().map(|&value| value as f32).collect(),
        }
    }
}

impl<T> BlockRows<T> {
    /// Number of rows.
    pub(super) fn count(&self) -> usize {
        self.run_start.len() - 1
    }

    /// Indices of a row's runs.
    #[inline]
    pub(super) fn runs(&self, row: usize) -> std::ops::Range<usize> {
        self.run_start[row] as usize..self.run_start[row + 1] as usize
    }

    /// The values of a run.
    #[inline]
    pub(super) fn values(&self, run: usize) -> &[T] {
        &self.value[self.value_start[run] as usize..self.value_start[run + 1] as usize]
    }

    /// For each aggregate, the rows that touch it and the runs in which they do.
    pub(super) fn transpose(&self, nodes: usize) -> Touching {
        let mut start = vec![0u32; nodes + 1];
        for &node in &self.node {
            start[node as usize] += 1;
        }
        let mut end = 0;
        for count in &mut start {
            end += *count;
            *count = end;
        }
        let mut touch = vec![(0, 0); self.node.len()];
        for row in (0..self.count()).rev() {
            for run in self.runs(row).rev() {
                let place = &mut start[self.node[run] as usize];
                *place -= 1;
                touch[*place as usize] = (row as u32, run as u32);
            }
        }
        Touching { start, touch }
    }
}

/// Which rows touch each aggregate.
#[derive(Debug, Default)]
pub(super) struct Touching {
    pub(super) start: Vec<u32>,
    /// Row and run.
    pub(super) touch: Vec<(u32, u32)>,
}

impl Touching {
    /// Rows and runs that touch an aggregate, ascending.
    #[inline]
    pub(super) fn of(&self, node: usize) -> &[(u32, u32)] {
        &self.touch[self.start[node] as usize..self.start[node + 1] as usize]
    }
}
