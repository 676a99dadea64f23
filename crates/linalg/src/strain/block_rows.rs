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
    /// Runs of the row in the making: aggregates and where their values start.
    node: Vec<u32>,
    start: Vec<usize>,
    value: Vec<f64>,
}

impl RowWriter {
    /// Adds a multiple of an aggregate's values to the row.
    #[inline]
    pub(super) fn add(&mut self, node: u32, factor: f64, values: &[f64]) {
        let start = match self.node.iter().position(|&known| known == node) {
            Some(run) => self.start[run],
            None => {
                self.node.push(node);
                let start = self.value.len();
                self.start.push(start);
                self.value.resize(start + values.len(), 0.0);
                start
            }
        };
        let sums = &mut self.value[start..start + values.len()];
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += factor * value;
        }
    }

    /// Appends a run of another aggregate to the row.
    pub(super) fn push(&mut self, node: u32, values: &[f64]) {
        self.node.push(node);
        self.start.push(self.value.len());
        self.value.extend_from_slice(values);
    }

    /// Ends the row.
    pub(super) fn end_row(&mut self) {
        let rows = &mut self.rows;
        for (&node, &start) in self.node.iter().zip(&self.start) {
            rows.node.push(node);
            rows.value_start.push((rows.value.len() + start) as u32);
        }
        rows.value.extend_from_slice(&self.value);
        rows.run_start.push(rows.node.len() as u32);
        self.node.clear();
        self.start.clear();
        self.value.clear();
    }
}

impl BlockRows<f64> {
    /// Builds rows in parallel; `fill` writes the rows of one item, and items follow one another.
    pub(super) fn build(
        items: usize,
        chunk_items: usize,
        fill: impl Fn(usize, &mut RowWriter) + Sync,
    ) -> Self {
        let chunks: Vec<Self> = (0..items.div_ceil(chunk_items))
            .into_par_iter()
            .map(|chunk| {
                let mut writer = RowWriter::default();
                for item in chunk * chunk_items..items.min((chunk + 1) * chunk_items) {
                    fill(item, &mut writer);
                }
                writer.rows
            })
            .collect();
        let mut rows = Self {
            run_start: vec![0],
            ..Self::default()
        };
        for chunk in &chunks {
            let (runs, values) = (rows.node.len() as u32, rows.value.len() as u32);
            let ends = chunk.run_start.iter();
            rows.run_start.extend(ends.map(|&end| end + runs));
            rows.node.extend_from_slice(&chunk.node);
            let starts = chunk.value_start.iter();
            rows.value_start.extend(starts.map(|&start| start + values));
            rows.value.extend_from_slice(&chunk.value);
        }
        rows.value_start.push(rows.value.len() as u32);
        rows
    }

    /// The same in single precision.
    pub(super) fn to_single(&self) -> BlockRows<f32> {
        BlockRows {
            run_start: self.run_start.clone(),
            node: self.node.clone(),
            value_start: self.value_start.clone(),
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
    start: Vec<u32>,
    /// Row and run.
    touch: Vec<(u32, u32)>,
}

impl Touching {
    /// Rows and runs that touch an aggregate, ascending.
    #[inline]
    pub(super) fn of(&self, node: usize) -> &[(u32, u32)] {
        &self.touch[self.start[node] as usize..self.start[node + 1] as usize]
    }
}
