//! Motions that a small set of weighted rows hardly resists, by Cholesky factorisation with diagonal pivots.
//!
//! Variables are scaled so that a unit vector has unit energy in the norm of the level's smoother. Elimination goes on
//! until no variable that is left is resisted by more than a threshold once all others give way; each of those left
//! then stands for one motion, with the others following so as to resist least.

/// The energy of weighted rows in a few variables.
#[derive(Debug, Default)]
pub(super) struct SoftMotions {
    variables: usize,
    energy: Vec<f64>,
    /// Columns of the factor, each `variables` long.
    factor: Vec<f64>,
    pivot: Vec<usize>,
    is_pivot: Vec<bool>,
}

/// A row whose entries come in runs of neighbouring variables.
#[derive(Debug, Default)]
pub(super) struct EntryRuns {
    /// The first variable of each run, and where its values start.
    run: Vec<(usize, usize)>,
    value: Vec<f64>,
}

impl EntryRuns {
    /// Takes all runs away.
    pub(super) fn clear(&mut self) {
        self.run.clear();
        self.value.clear();
    }

    /// Adds a run of zeros, to be filled.
    pub(super) fn run(&mut self, first_variable: usize, length: usize) -> &mut [f64] {
        let start = self.value.len();
        self.run.push((first_variable, start));
        self.value.resize(start + length, 0.0);
        &mut self.value[start..]
    }

    /// First variables and values of all runs.
    fn runs(&self) -> impl Iterator<Item = (usize, &[f64])> {
        let ends = self.run.iter().skip(1).map(|&(_, start)| start);
        let ends = ends.chain(std::iter::once(self.value.len()));
        let runs = self.run.iter().zip(ends);
        runs.map(|(&(first, start), end)| (first, &self.value[start..end]))
    }
}

impl SoftMotions {
    /// Starts anew with a number of variables.
    pub(super) fn reset(&mut self, variables: usize) {
        self.variables = variables;
        self.energy.clear();
        self.energy.resize(variables * variables, 0.0);
    }

    /// Adds the energy of a row.
    pub(super) fn add(&mut self, entries: &[(usize, f64)]) {
        for &(row, a) in entries {
            let energy = &mut self.energy[row * self.variables..(row + 1) * self.variables];
            for &(column, b) in entries {
                energy[column] += a * b;
            }
        }
    }

    /// Adds the energy of a row of runs.
    pub(super) fn add_runs(&mut self, entries: &EntryRuns) {
        for (first, values) in entries.runs() {
            for (row, &a) in (first..).zip(values) {
                let energy = &mut self.energy[row * self.variables..(row + 1) * self.variables];
                for (first, values) in entries.runs() {
                    let energy = &mut energy[first..first + values.len()];
                    for (energy, b) in energy.iter_mut().zip(values) {
                        *energy += a * b;
                    }
                }
            }
        }
    }

    /// The motions resisted by less than `soft`, as columns: `variables` rows of `count` values. Returns `count`.
    pub(super) fn find(&mut self, soft: f64, out: &mut Vec<f64>) -> usize {
        self.eliminate(soft);
        let (size, rank) = (self.variables, self.pivot.len());
        let count = size - rank;
        out.clear();
        out.resize(size * count, 0.0);
        let mut follow = vec![0.0; rank];
        let free = (0..size).filter(|&variable| !self.is_pivot[variable]);
        for (column, variable) in free.enumerate() {
            out[variable * count + column] = 1.0;
            for step in (0..rank).rev() {
                let own = &self.factor[step * size..(step + 1) * size];
                let later = (step + 1..rank).map(|later| own[self.pivot[later]] * follow[later]);
                follow[step] = -(own[variable] + later.sum::<f64>()) / own[self.pivot[step]];
            }
            for (&pivot, value) in self.pivot.iter().zip(&follow) {
                out[pivot * count + column] = *value;
            }
        }
        count
    }

    fn eliminate(&mut self, soft: f64) {
        let size = self.variables;
        self.factor.clear();
        self.pivot.clear();
        self.is_pivot.clear();
        self.is_pivot.resize(size, false);
        let mut left: Vec<f64> = (0..size).map(|i| self.energy[i * size + i]).collect();
        loop {
            let mut best = (0, soft);
            for (variable, &energy) in left.iter().enumerate() {
                if !self.is_pivot[variable] && energy > best.1 {
                    best = (variable, energy);
                }
            }
            let (pivot, energy) = best;
            if energy <= soft {
                return;
            }
            let mut column = self.energy[pivot * size..(pivot + 1) * size].to_vec();
            for known in self.factor.chunks_exact(size) {
                let factor = known[pivot];
                if factor != 0.0 {
                    for (value, known) in column.iter_mut().zip(known) {
                        *value -= factor * known;
                    }
                }
            }
            let inverse = 1.0 / energy.sqrt();
            for (variable, value) in column.iter_mut().enumerate() {
                *value *= inverse;
                left[variable] -= *value * *value;
            }
            column[pivot] = energy.sqrt();
            self.factor.extend_from_slice(&column);
            self.pivot.push(pivot);
            self.is_pivot[pivot] = true;
        }
    }
}

/// Makes the columns of a matrix orthonormal (modified Gram-Schmidt, twice for the sake of rounding). The matrix has
/// rows of `count` values and independent columns.
pub(super) fn orthonormalise(matrix: &mut [f64], count: usize) {
    for column in 0..count {
        for _ in 0..2 {
            for earlier in 0..column {
                let product: f64 = matrix
                    .chunks_exact(count)
                    .map(|row| row[earlier] * row[column])
                    .sum();
                for row in matrix.chunks_exact_mut(count) {
                    row[column] -= product * row[earlier];
                }
            }
        }
        let square: f64 = matrix
            .chunks_exact(count)
            .map(|row| row[column] * row[column])
            .sum();
        let inverse = if square > 0.0 {
            1.0 / square.sqrt()
        } else {
            0.0
        };
        for row in matrix.chunks_exact_mut(count) {
            row[column] *= inverse;
        }
    }
}
