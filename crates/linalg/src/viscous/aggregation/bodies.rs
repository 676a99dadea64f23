//! The aggregates of the second level: cubes of 3³ cubes, with the motions that strain nothing inside them.
//!
//! Such a motion restricts to strain-free motions of each of the pieces, so that only the samples between pieces are
//! left to satisfy. Pieces are joined line by line, then lines to layers, then layers to the cube: each step
//! eliminates in few variables, since most pieces come out rigid.

use ooze_commons::DisjointSets;
use rayon::prelude::*;

use super::blocks::Blocks;
use super::classes::RowClass;
use super::kernel::{EntryRuns, SoftMotions, orthonormalise};
use super::pieces::{NONE, Pieces};
use crate::error::PreconditionerError;
use crate::rows::WeightedRows;
use crate::viscous::block_matrix::DiagonalFactor;
use crate::viscous::block_rows::{BlockRows, PartedRows};

/// Motions that rows between pieces resist by less than this fraction of the pieces' own energy are left to the
/// coarsest level. Large, since that level is solved exactly.
const SOFT: f64 = 0.15;

/// Aggregates of aggregates.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    /// The place of each, in cubes of the second level.
    pub(super) place: Vec<[i32; 3]>,
    /// Where the motions of each start, and where the last ones end.
    pub(super) mode_start: Vec<u32>,
    /// Values of its motions at the motions of each piece, by the unknowns of the first level.
    pub(super) tentative: BlockRows<f64>,
}

/// What becomes of one piece: its body within the cube, if any, and a matrix from the body's motions to its own.
#[derive(Default, Clone)]
struct Member {
    group: u16,
    basis: Vec<f64>,
}

/// The bodies of one cube: members and the number of motions of each group.
struct Joined {
    member: Vec<Member>,
    modes: Vec<usize>,
}

impl Bodies {
    /// Finds the bodies. `coupled` tells which pieces have anything to do with others; those that have not are solved
    /// for by smoothing and left out. `factors` belong to the pieces' normalised unknowns.
    pub(super) fn find(
        blocks: &Blocks,
        pieces: &Pieces,
        rows: &WeightedRows,
        classes: &[RowClass],
        coupled: &[bool],
        factors: &[DiagonalFactor],
    ) -> Result<Self, PreconditionerError> {
        let place = |node: usize| blocks.place[pieces.node_block[node] as usize];
        let cubes = Blocks::new(pieces.nodes(), place, |_| 0)?;
        let mut position = vec![0u16; pieces.nodes()];
        for cube in 0..cubes.count() {
            for (index, &node) in cubes.items(cube).iter().enumerate() {
                position[node as usize] = index as u16;
            }
        }
        let joiner = Joiner {
            pieces,
            rows,
            factors,
            position: &position,
        };
        let sorted = sort_rows(&cubes, pieces, rows, classes, &place);
        let joined: Vec<Joined> = (0..cubes.count())
            .into_par_iter()
            .with_min_len(4)
            .map(|cube| {
                let rows_of = |stage: usize| {
                    let key = (3 * cube + stage) as u32;
                    let from = sorted.partition_point(|entry| entry.0 < key);
                    let length = sorted[from..].partition_point(|entry| entry.0 == key);
                    &sorted[from..from + length]
                };
                joiner.join(cubes.items(cube), [0, 1, 2].map(rows_of), coupled)
            })
            .collect();
        Ok(Self::gather(&cubes, pieces, &joined))
    }

    fn gather(cubes: &Blocks, pieces: &Pieces, joined: &[Joined]) -> Self {
        let mut bodies = Self {
            mode_start: vec![0],
            ..Self::default()
        };
        // The body of each cube's groups.
        let mut body_of: Vec<Vec<u32>> = Vec::with_capacity(joined.len());
        let mut modes = 0;
        for (cube, joined) in joined.iter().enumerate() {
            let number = joined.modes.iter().map(|&count| {
                if count == 0 {
                    return NONE;
                }
                modes += count as u32;
                bodies.mode_start.push(modes);
                bodies.place.push(cubes.place[cube]);
                bodies.place.len() as u32 - 1
            });
            body_of.push(number.collect());
        }
        let mut position = vec![(0u32, 0u32); pieces.nodes()];
        for cube in 0..cubes.count() {
            for (index, &node) in cubes.items(cube).iter().enumerate() {
                position[node as usize] = (cube as u32, index as u32);
            }
        }
        bodies.tentative =
            PartedRows::build(pieces.nodes(), bodies.place.len(), 256, |node, writer| {
                let (cube, index) = position[node];
                let member = &joined[cube as usize].member[index as usize];
                let body = body_of[cube as usize][usize::from(member.group)];
                let width = joined[cube as usize].modes[usize::from(member.group)];
                for mode in 0..pieces.modes(node) {
                    if body != NONE {
                        writer.push(body, &member.basis[mode * width..(mode + 1) * width]);
                    }
                    writer.end_row();
                }
            })
            .join();
        bodies
    }
}

/// The strong rows between pieces of one cube, as pairs of 3 × cube + stage and row, sorted. A row belongs to the
/// stage in which all its pieces come together: those along a line, in a layer, in the cube.
fn sort_rows(
    cubes: &Blocks,
    pieces: &Pieces,
    rows: &WeightedRows,
    classes: &[RowClass],
    place: &(impl Fn(usize) -> [i32; 3] + Sync),
) -> Vec<(u32, u32)> {
    let key = |row: usize| {
        if !classes[row].strong || classes[row].inside || rows.weights()[row] <= 0.0 {
            return None;
        }
        let mut first: Option<(u32, [i32; 3])> = None;
        let mut stage = 0;
        for &column in rows.row(row).0 {
            let node = pieces.node[pieces.unknown[column as usize] as usize];
            if node == NONE {
                continue;
            }
            let cube = cubes.block[node as usize];
            let at = place(node as usize);
            match first {
                None => first = Some((cube, at)),
                Some((known, _)) if known != cube => return None,
                Some((_, from)) => {
                    for axis in 1..3 {
                        if from[axis] != at[axis] {
                            stage = stage.max(axis as u32);
                        }
                    }
                }
            }
        }
        first.map(|(cube, _)| (3 * cube + stage, row as u32))
    };
    let mut sorted: Vec<(u32, u32)> = (0..rows.len())
        .into_par_iter()
        .with_min_len(4096)
        .filter_map(key)
        .collect();
    sorted.par_sort_unstable();
    sorted
}

/// A row in terms of the groups' motions, and room to find it.
#[derive(Default)]
struct Entries {
    motions: EntryRuns,
    strain: Vec<f64>,
}

struct Joiner<'a> {
    pieces: &'a Pieces,
    rows: &'a WeightedRows,
    factors: &'a [DiagonalFactor],
    /// The position of each piece in its cube.
    position: &'a [u16],
}

impl Joiner<'_> {
    fn join(&self, nodes: &[u32], stages: [&[(u32, u32)]; 3], coupled: &[bool]) -> Joined {
        let identity = |size: usize| {
            let mut matrix = vec![0.0; size * size];
            matrix
                .iter_mut()
                .step_by(size + 1)
                .for_each(|value| *value = 1.0);
            matrix
        };
        let mut joined = Joined {
            member: Vec::with_capacity(nodes.len()),
            modes: Vec::with_capacity(nodes.len()),
        };
        for (index, &node) in nodes.iter().enumerate() {
            let modes = if coupled[node as usize] {
                self.pieces.modes(node as usize)
            } else {
                0
            };
            joined.modes.push(modes);
            joined.member.push(Member {
                group: index as u16,
                basis: identity(modes),
            });
        }
        let mut motions = SoftMotions::default();
        for rows in stages {
            self.join_groups(rows, &mut joined, &mut motions);
        }
        joined
    }

    /// Joins the groups that some rows touch.
    fn join_groups(&self, rows: &[(u32, u32)], joined: &mut Joined, motions: &mut SoftMotions) {
        if rows.is_empty() {
            return;
        }
        let mut sets = DisjointSets::new(joined.modes.len());
        let mut touched: Vec<(u16, usize)> = Vec::with_capacity(rows.len());
        for &(_, row) in rows {
            let mut first = None;
            for &column in self.rows.row(row as usize).0 {
                let node = self.node(column);
                if node == NONE {
                    continue;
                }
                let group = joined.member[usize::from(self.position[node as usize])].group;
                if joined.modes[usize::from(group)] == 0 {
                    continue;
                }
                sets.join(u32::from(*first.get_or_insert(group)), u32::from(group));
            }
            if let Some(group) = first {
                touched.push((group, row as usize));
            }
        }
        let (mut kernel, mut entries) = (Vec::new(), Entries::default());
        for root in 0..sets.len() as u32 {
            let own: Vec<usize> = touched
                .iter()
                .filter(|&&(group, _)| sets.root(u32::from(group)) == root)
                .map(|&(_, row)| row)
                .collect();
            if own.is_empty() {
                continue;
            }
            // Where the variables of each group start.
            let mut start = vec![usize::MAX; sets.len()];
            let mut variables = 0;
            for group in root..sets.len() as u32 {
                if sets.root(group) == root {
                    start[group as usize] = variables;
                    variables += joined.modes[group as usize];
                }
            }
            motions.reset(variables);
            for row in own {
                self.fill(row, joined, &start, &mut entries);
                motions.add_runs(&entries.motions);
            }
            let modes = motions.find(SOFT, &mut kernel);
            if modes > 0 {
                orthonormalise(&mut kernel, modes);
            }
            for member in &mut joined.member {
                let group = usize::from(member.group);
                if start[group] != usize::MAX {
                    let width = joined.modes[group];
                    let part = &kernel[start[group] * modes..(start[group] + width) * modes];
                    member.basis = product(&member.basis, width, part, modes);
                    member.group = root as u16;
                }
            }
            for (group, start) in start.iter().enumerate() {
                if *start != usize::MAX {
                    joined.modes[group] = if group == root as usize { modes } else { 0 };
                }
            }
        }
    }

    /// A row in terms of the groups' motions, weighted.
    fn fill(&self, row: usize, joined: &Joined, start: &[usize], entries: &mut Entries) {
        entries.motions.clear();
        let (columns, coefficients) = self.rows.row(row);
        let weight = f64::from(self.rows.weights()[row]).sqrt();
        for (index, &column) in columns.iter().enumerate() {
            let node = self.node(column);
            if node == NONE
                || columns[..index]
                    .iter()
                    .any(|&other| self.node(other) == node)
            {
                continue;
            }
            let node = node as usize;
            let member = &joined.member[usize::from(self.position[node])];
            let group = usize::from(member.group);
            let width = joined.modes[group];
            if width == 0 {
                continue;
            }
            let own = self.pieces.modes(node);
            let strain = &mut entries.strain;
            strain.clear();
            strain.resize(own, 0.0);
            for (&column, &coefficient) in columns.iter().zip(coefficients) {
                if self.node(column) as usize == node {
                    let unknown = self.pieces.unknown[column as usize] as usize;
                    let factor = weight * f64::from(coefficient);
                    for (strain, value) in strain.iter_mut().zip(self.pieces.basis(unknown)) {
                        *strain += factor * value;
                    }
                }
            }
            // Strain of the normalised motions, then of the group's.
            let inverse = &self.factors[node].inverse;
            let sums = entries.motions.run(start[group], width);
            for (mode, basis) in member.basis.chunks_exact(width).enumerate() {
                let factors = inverse[mode * own..=mode * own + mode].iter();
                let normalised: f64 = factors.zip(strain.iter()).map(|(a, b)| a * b).sum();
                for (sum, basis) in sums.iter_mut().zip(basis) {
                    *sum += normalised * basis;
                }
            }
        }
    }

    /// The piece of one of the caller's unknowns.
    #[inline]
    fn node(&self, column: u32) -> u32 {
        self.pieces.node[self.pieces.unknown[column as usize] as usize]
    }
}

/// The product of a matrix with rows of `width` values and one with rows of `columns` values.
fn product(left: &[f64], width: usize, right: &[f64], columns: usize) -> Vec<f64> {
    if width == 0 {
        return Vec::new();
    }
    let mut result = vec![0.0; left.len() / width * columns];
    if columns == 0 {
        return result;
    }
    for (result, left) in result
        .chunks_exact_mut(columns)
        .zip(left.chunks_exact(width))
    {
        for (factor, right) in left.iter().zip(right.chunks_exact(columns)) {
            for (sum, value) in result.iter_mut().zip(right) {
                *sum += factor * value;
            }
        }
    }
    result
}
