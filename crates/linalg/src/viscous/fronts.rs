//! The coarsest level: a sparse Cholesky factorisation by fronts (Duff & Reid 1983) in the order of nested dissection
//! (George 1973).
//!
//! Aggregates are halved by their places again and again; those of one half that touch the other half separate the
//! two. Each separator's unknowns are eliminated in a dense matrix, its front, together with what the halves left
//! behind. Halves are independent of each other, which makes the work parallel and its result the same on any number
//! of threads.

use ooze_commons::widest;
use rayon::prelude::*;

use super::block_matrix::BlockMatrix;

/// Sets of at most this many aggregates are not halved.
const LEAF: usize = 6;
/// Pivots below this fraction of the diagonal come of roundings; the diagonal takes their place.
const ZERO_PIVOT: f64 = 1e-13;

/// A factorisation `A = L Lᵀ`.
#[derive(Debug, Default)]
pub(super) struct Factor {
    /// Children before parents.
    front: Vec<Front>,
    /// Right-hand side and solution in f64.
    vector: Vec<f64>,
}

#[derive(Debug, Default)]
struct Front {
    /// Unknowns that are eliminated here, then those of later fronts that they touch.
    unknown: Vec<u32>,
    /// The columns of the factor that are eliminated here, each `unknown.len()` long (nothing above the diagonal).
    factor: Vec<f64>,
}

/// A node of the dissection: sets of aggregates.
#[derive(Debug, Default)]
struct Part {
    own: Vec<u32>,
    children: Vec<usize>,
    /// Unknowns of later parts that its front touches, ascending.
    others: Vec<u32>,
}

/// The order in which a matrix is eliminated, and what that fills.
pub(super) struct Plan<'a> {
    matrix: &'a BlockMatrix,
    /// Children before parents, so that the number of a part tells when it is eliminated. The last is the root.
    parts: Vec<Part>,
    /// The part of each aggregate.
    turn: Vec<u32>,
}

impl<'a> Plan<'a> {
    /// For a matrix whose aggregates sit at the given places.
    pub(super) fn new(matrix: &'a BlockMatrix, places: &[[i32; 3]]) -> Self {
        let mut parts = Vec::new();
        let all: Vec<u32> = (0..matrix.nodes() as u32).collect();
        if !all.is_empty() {
            let mut is_left = vec![false; matrix.nodes()];
            dissect(matrix, places, all, &mut parts, &mut is_left);
        }
        let mut turn = vec![0u32; matrix.nodes()];
        for (index, part) in parts.iter().enumerate() {
            for &node in &part.own {
                turn[node as usize] = index as u32;
            }
        }
        let mut plan = Self {
            matrix,
            parts,
            turn,
        };
        for index in 0..plan.parts.len() {
            plan.parts[index].others = plan.others(index);
        }
        plan
    }

    /// Multiplications that the factorisation takes.
    pub(super) fn work(&self) -> f64 {
        let parts = self.parts.iter();
        let works = parts.map(|part| {
            let own = self.own(part).count() as f64;
            let size = own + part.others.len() as f64;
            // Σ (size − i)²/2 over the columns.
            (size.powi(3) - (size - own).powi(3)) / 6.0
        });
        works.sum()
    }

    fn modes(&self, node: u32) -> std::ops::Range<u32> {
        self.matrix.mode_start[node as usize]..self.matrix.mode_start[node as usize + 1]
    }

    /// Unknowns that are eliminated with a part.
    fn own(&self, part: &Part) -> impl Iterator<Item = u32> {
        part.own.iter().flat_map(|&node| self.modes(node))
    }

    /// Unknowns of later fronts: those that the matrix couples, and those that the halves left.
    fn others(&self, index: usize) -> Vec<u32> {
        let part = &self.parts[index];
        let later = |node: u32| self.turn[node as usize] > index as u32;
        let touched = part.own.iter().flat_map(|&node| {
            let blocks = self.matrix.blocks(node as usize);
            blocks.map(|block| self.matrix.node[block])
        });
        let mut others: Vec<u32> = touched
            .filter(|&other| later(other))
            .flat_map(|other| self.modes(other))
            .collect();
        let mut own: Vec<u32> = self.own(part).collect();
        own.sort_unstable();
        for &child in &part.children {
            let left = self.parts[child].others.iter();
            others.extend(left.filter(|value| own.binary_search(value).is_err()));
        }
        others.sort_unstable();
        others.dedup();
        others
    }

    /// Factors the matrix.
    pub(super) fn factor(self) -> Factor {
        let Some(root) = self.parts.len().checked_sub(1) else {
            return Factor::default();
        };
        let (mut front, _) = self.eliminate(root);
        front.shrink_to_fit();
        Factor {
            front,
            vector: vec![0.0; self.matrix.size()],
        }
    }
}

impl Factor {
    /// Factors a matrix whose aggregates sit at the given places.
    pub(super) fn new(matrix: &BlockMatrix, places: &[[i32; 3]]) -> Self {
        Plan::new(matrix, places).factor()
    }

    /// `x = A⁻¹ b`.
    pub(super) fn solve<T: Copy + Into<f64>>(&mut self, b: &[T], mut set: impl FnMut(usize, f64)) {
        for (wide, &b) in self.vector.iter_mut().zip(b) {
            *wide = b.into();
        }
        let x = &mut self.vector;
        for front in &self.front {
            let size = front.unknown.len();
            for (index, column) in front.factor.chunks_exact(size.max(1)).enumerate() {
                let solved = x[front.unknown[index] as usize] / column[index];
                x[front.unknown[index] as usize] = solved;
                for (&unknown, value) in front.unknown.iter().zip(column).skip(index + 1) {
                    x[unknown as usize] -= value * solved;
                }
            }
        }
        for front in self.front.iter().rev() {
            let size = front.unknown.len();
            for (index, column) in front.factor.chunks_exact(size.max(1)).enumerate().rev() {
                let mut rest = x[front.unknown[index] as usize];
                for (&unknown, value) in front.unknown.iter().zip(column).skip(index + 1) {
                    rest -= value * x[unknown as usize];
                }
                x[front.unknown[index] as usize] = rest / column[index];
            }
        }
        for (unknown, &value) in self.vector.iter().enumerate() {
            set(unknown, value);
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let fronts = self.front.iter();
        let values: usize = fronts
            .map(|front| 8 * front.factor.len() + 4 * front.unknown.len())
            .sum();
        values + 8 * self.vector.len()
    }
}

/// Halves a set; returns the number of its part.
fn dissect(
    matrix: &BlockMatrix,
    places: &[[i32; 3]],
    mut nodes: Vec<u32>,
    parts: &mut Vec<Part>,
    is_left: &mut [bool],
) -> usize {
    if nodes.len() <= LEAF {
        parts.push(Part {
            own: nodes,
            ..Part::default()
        });
        return parts.len() - 1;
    }
    let extent = |axis: usize| {
        let along = || nodes.iter().map(|&node| places[node as usize][axis]);
        along().max().unwrap_or(0) - along().min().unwrap_or(0)
    };
    let axis = (0..3).max_by_key(|&axis| extent(axis)).unwrap_or(0);
    nodes.sort_unstable_by_key(|&node| (places[node as usize][axis], node));
    // Cut between two layers, where there are layers.
    let half = nodes.len() / 2;
    let layer = |index: usize| places[nodes[index] as usize][axis];
    let cut = (half..nodes.len())
        .find(|&index| layer(index) != layer(index - 1))
        .or_else(|| {
            (1..half)
                .rev()
                .find(|&index| layer(index) != layer(index - 1))
        })
        .unwrap_or(half);
    let right = nodes.split_off(cut);
    for &node in &nodes {
        is_left[node as usize] = true;
    }
    let touches = |node: u32| {
        let mut others = matrix.blocks(node as usize);
        others.any(|block| is_left[matrix.node[block] as usize])
    };
    let (separator, right): (Vec<u32>, Vec<u32>) =
        right.into_iter().partition(|&node| touches(node));
    for &node in &nodes {
        is_left[node as usize] = false;
    }
    let children = [nodes, right]
        .into_iter()
        .filter(|half| !half.is_empty())
        .map(|half| dissect(matrix, places, half, parts, is_left))
        .collect();
    parts.push(Part {
        own: separator,
        children,
        ..Part::default()
    });
    parts.len() - 1
}

/// What a front leaves to its parent: a dense matrix of the other unknowns that it touches, by columns.
type Remainder = Vec<f64>;

impl Plan<'_> {
    /// Eliminates a part and all below it.
    fn eliminate(&self, index: usize) -> (Vec<Front>, Remainder) {
        let part = &self.parts[index];
        let below: Vec<(Vec<Front>, Remainder)> = part
            .children
            .par_iter()
            .map(|&child| self.eliminate(child))
            .collect();
        let (mut fronts, mut left) = (Vec::new(), Vec::new());
        for (child_fronts, remainder) in below {
            fronts.extend(child_fronts);
            left.push(remainder);
        }
        let (front, remainder) = self.front(index, &left);
        fronts.push(front);
        (fronts, remainder)
    }

    fn front(&self, index: usize, left: &[Remainder]) -> (Front, Remainder) {
        let part = &self.parts[index];
        let mut unknown: Vec<u32> = self.own(part).collect();
        let own = unknown.len();
        unknown.extend_from_slice(&part.others);
        let size = unknown.len();
        let mut place: Vec<(u32, u32)> = unknown.iter().copied().zip(0..).collect();
        place.sort_unstable();
        let place_of = |value: u32| {
            let found = place.binary_search_by_key(&value, |entry| entry.0);
            found.map_or(usize::MAX, |index| place[index].1 as usize)
        };
        let mut dense = vec![0.0; size * size];
        for &node in &part.own {
            for block in self.matrix.blocks(node as usize) {
                let other = self.matrix.node[block];
                if self.turn[other as usize] < index as u32 {
                    continue;
                }
                let values = self.matrix.values(node as usize, block);
                let first = place_of(self.matrix.mode_start[node as usize]);
                let other_first = place_of(self.matrix.mode_start[other as usize]);
                let rows = self.modes(node).len();
                for (value, at) in values.iter().zip(0..) {
                    let (row, column) = (other_first + at / rows, first + at % rows);
                    if row >= column {
                        dense[column * size + row] = *value;
                    }
                }
            }
        }
        for (&child, remainder) in part.children.iter().zip(left) {
            let left = self.parts[child].others.iter();
            let at: Vec<usize> = left.map(|&value| place_of(value)).collect();
            let length = at.len();
            for column in 0..length {
                for row in column..length {
                    let (low, high) = (at[row].min(at[column]), at[row].max(at[column]));
                    dense[low * size + high] += remainder[column * length + row];
                }
            }
        }
        widest(
            #[inline(always)]
            |_| eliminate_columns(&mut dense, size, own),
        );
        let rest = size - own;
        let mut matrix = vec![0.0; rest * rest];
        for column in 0..rest {
            let from = (own + column) * size + own;
            let into = column * rest;
            matrix[into + column..into + rest].copy_from_slice(&dense[from + column..from + rest]);
        }
        dense.truncate(own * size);
        dense.shrink_to_fit();
        let front = Front {
            unknown,
            factor: dense,
        };
        (front, matrix)
    }
}

/// Replaces the first `own` columns of a symmetric matrix, given by its lower triangle, by those of its Cholesky
/// factor, and subtracts their products from the rest.
#[inline(always)]
fn eliminate_columns(dense: &mut [f64], size: usize, own: usize) {
    let diagonal: Vec<f64> = (0..own).map(|index| dense[index * size + index]).collect();
    for target in 0..size {
        let (known, rest) = dense.split_at_mut(target * size);
        let column = &mut rest[target..size];
        let known = &known[..target.min(own) * size];
        // Four columns at a time, to save passes over the target.
        let mut groups = known.chunks_exact(4 * size);
        for four in groups.by_ref() {
            let part = |index: usize| &four[index * size + target..(index + 1) * size];
            let (a, b, c, d) = (part(0), part(1), part(2), part(3));
            let (fa, fb, fc, fd) = (a[0], b[0], c[0], d[0]);
            for (index, value) in column.iter_mut().enumerate() {
                *value -= fa * a[index] + fb * b[index] + (fc * c[index] + fd * d[index]);
            }
        }
        for one in groups.remainder().chunks_exact(size) {
            let part = &one[target..size];
            let factor = part[0];
            for (value, known) in column.iter_mut().zip(part) {
                *value -= factor * known;
            }
        }
        if target < own {
            let mut pivot = column[0];
            if pivot <= ZERO_PIVOT * diagonal[target] {
                pivot = if diagonal[target] > 0.0 {
                    diagonal[target]
                } else {
                    1.0
                };
            }
            let root = pivot.sqrt();
            column[0] = root;
            for value in &mut column[1..] {
                *value /= root;
            }
        }
    }
}
