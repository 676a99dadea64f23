//! The aggregates of the finest level: pieces of cubes, with the motions that strain nothing inside them.
//!
//! The unknowns of a cube that strain samples hold together make a piece. Its basis is the kernel of the samples that
//! lie wholly inside: the rigid motions, and hinges where parts of the piece move freely against one another.

use std::collections::HashMap;

use ooze_commons::DisjointSets;
use rayon::prelude::*;

use super::blocks::Blocks;
use super::classes::RowClass;
use super::kernel::{SoftMotions, orthonormalise};
use crate::matrix::SymmetricMatrix;
use crate::rows::{Incidence, WeightedRows};

/// Marks unknowns that belong to no aggregate.
pub(super) const NONE: u32 = u32::MAX;
/// Motions that rows resist by less than this fraction of the diagonal's energy are left to the coarser level:
/// smoothing would need dozens of sweeps for them.
const SOFT: f64 = 0.03;
/// Pieces with at least this share of mass in their diagonal need no coarser level.
const HELD: f64 = 0.02;
/// Cubes in one chunk of parallel work.
const CHUNK_BLOCKS: usize = 64;

/// The numbering of the finest level and its aggregates.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// The caller's row of each unknown; unknowns are sorted by cube and piece.
    pub(super) row: Vec<u32>,
    /// The unknown of each of the caller's rows.
    pub(super) unknown: Vec<u32>,
    /// The aggregate of each unknown, or [`NONE`].
    pub(super) node: Vec<u32>,
    /// The cube of each aggregate.
    pub(super) node_block: Vec<u32>,
    /// Where the motions of each aggregate start among all, and where the last ones end.
    pub(super) mode_start: Vec<u32>,
    /// Where the basis values of each unknown start.
    basis_start: Vec<u32>,
    basis: Vec<f64>,
    /// Whether the motions of aggregates leave a row unstrained.
    pub(super) unstrained: Vec<bool>,
}

/// The pieces of a chunk of cubes.
#[derive(Default)]
struct Found {
    row: Vec<u32>,
    /// For each piece: cube, number of unknowns, number of modes, start of its basis.
    piece: Vec<(usize, usize, usize, usize)>,
    basis: Vec<f64>,
    unstrained: Vec<u32>,
}

impl Pieces {
    /// Finds the pieces of all cubes.
    pub(super) fn find(
        matrix: &SymmetricMatrix,
        mass: &[f64],
        blocks: &Blocks,
        rows: &WeightedRows,
        classes: &[RowClass],
        incidence: &Incidence,
    ) -> Self {
        let finder = Finder {
            matrix,
            mass,
            blocks,
            position: &blocks.positions(),
            rows,
            classes,
            incidence,
        };
        let chunks: Vec<Found> = (0..blocks.count().div_ceil(CHUNK_BLOCKS))
            .into_par_iter()
            .map(|chunk| {
                let mut found = Found::default();
                let mut scratch = Scratch::default();
                let first = chunk * CHUNK_BLOCKS;
                for block in first..blocks.count().min(first + CHUNK_BLOCKS) {
                    finder.find(block, &mut scratch, &mut found);
                }
                found
            })
            .collect();
        Self::gather(blocks.item.len(), rows.len(), &chunks)
    }

    fn gather(count: usize, rows: usize, chunks: &[Found]) -> Self {
        let mut pieces = Self {
            unknown: vec![0; count],
            mode_start: vec![0],
            unstrained: vec![false; rows],
            ..Self::default()
        };
        let mut modes = 0;
        for chunk in chunks {
            let offset = pieces.basis.len();
            pieces.row.extend_from_slice(&chunk.row);
            for &(block, members, count, start) in &chunk.piece {
                let node = if count > 0 {
                    pieces.node_block.push(block as u32);
                    modes += count as u32;
                    pieces.mode_start.push(modes);
                    pieces.node_block.len() as u32 - 1
                } else {
                    NONE
                };
                for member in 0..members {
                    pieces.node.push(node);
                    let start = offset + start + member * count;
                    pieces.basis_start.push(start as u32);
                }
            }
            pieces.basis.extend_from_slice(&chunk.basis);
            for &row in &chunk.unstrained {
                pieces.unstrained[row as usize] = true;
            }
        }
        for (unknown, &row) in pieces.row.iter().enumerate() {
            pieces.unknown[row as usize] = unknown as u32;
        }
        pieces
    }

    /// Number of aggregates.
    pub(super) fn nodes(&self) -> usize {
        self.node_block.len()
    }

    /// Number of motions of an aggregate.
    #[inline]
    pub(super) fn modes(&self, node: usize) -> usize {
        (self.mode_start[node + 1] - self.mode_start[node]) as usize
    }

    /// The values of its aggregate's motions at an unknown; none for an unknown without aggregate.
    #[inline]
    pub(super) fn basis(&self, unknown: usize) -> &[f64] {
        let node = self.node[unknown];
        if node == NONE {
            return &[];
        }
        let start = self.basis_start[unknown] as usize;
        &self.basis[start..start + self.modes(node as usize)]
    }
}

struct Finder<'a> {
    matrix: &'a SymmetricMatrix,
    mass: &'a [f64],
    blocks: &'a Blocks,
    /// The position of each unknown in its cube.
    position: &'a [u16],
    rows: &'a WeightedRows,
    classes: &'a [RowClass],
    incidence: &'a Incidence,
}

#[derive(Default)]
struct Scratch {
    /// The unknowns of a cube that strong rows join.
    joined: DisjointSets,
    /// Rows wholly inside the cube.
    inside: Vec<u32>,
    /// The position of each of the cube's unknowns in its piece.
    position: Vec<u16>,
    kernel: LocalKernel,
    /// What is known of patterns met before.
    known: HashMap<Vec<u32>, Known>,
}

/// The motions of a pattern: their number, where their values start, and which rows they leave unstrained.
#[derive(Clone)]
struct Known {
    modes: usize,
    start: usize,
    unstrained: Vec<bool>,
}

impl Finder<'_> {
    fn find(&self, block: usize, scratch: &mut Scratch, found: &mut Found) {
        let members = self.blocks.items(block);
        scratch.joined.reset(members.len());
        scratch.inside.clear();
        let mut coupled = vec![false; members.len()];
        for (position, &member) in members.iter().enumerate() {
            for &row in self.incidence.rows(member as usize) {
                let class = self.classes[row as usize];
                let columns = self.rows.row(row as usize).0;
                coupled[position] |= columns.len() > 1;
                let mut own = columns
                    .iter()
                    .filter(|&&column| self.blocks.block[column as usize] as usize == block);
                if own.next() != Some(&member) {
                    continue;
                }
                if class.strong {
                    for &column in own {
                        let other = self.position[column as usize];
                        scratch.joined.join(position as u32, u32::from(other));
                    }
                }
                if class.inside {
                    scratch.inside.push(row);
                }
            }
        }
        self.split(block, &coupled, scratch, found);
    }

    fn split(&self, block: usize, coupled: &[bool], scratch: &mut Scratch, found: &mut Found) {
        let members = self.blocks.items(block);
        scratch.position.clear();
        scratch.position.resize(members.len(), 0);
        for root in 0..members.len() as u16 {
            if !scratch.joined.is_root(u32::from(root)) {
                continue;
            }
            let mut count = 0;
            for position in 0..members.len() as u16 {
                if scratch.joined.root(u32::from(position)) == u32::from(root) {
                    scratch.position[position as usize] = count;
                    count += 1;
                    found.row.push(members[position as usize]);
                }
            }
            let own = &found.row[found.row.len() - usize::from(count)..];
            let strain: f64 = own.iter().map(|&row| self.strain(row)).sum();
            let mass: f64 = own.iter().map(|&row| self.mass[row as usize]).sum();
            if !coupled[root as usize] || mass >= HELD * (mass + strain) {
                // Smoothing solves for lone unknowns and for what its mass holds.
                found.piece.push((block, count as usize, 0, 0));
                continue;
            }
            let (pattern, rows) = self.pattern(block, root, count, scratch);
            let known = match scratch.known.get(&pattern) {
                Some(known) => known.clone(),
                None => {
                    let start = found.basis.len();
                    let (modes, unstrained) = scratch.kernel.find(&pattern);
                    found.basis.extend_from_slice(&scratch.kernel.basis);
                    let known = Known {
                        modes,
                        start,
                        unstrained,
                    };
                    scratch.known.insert(pattern, known.clone());
                    known
                }
            };
            let unstrained = rows.iter().zip(&known.unstrained);
            let unstrained = unstrained.filter(|&(_, &unstrained)| unstrained);
            found.unstrained.extend(unstrained.map(|(&row, _)| row));
            found
                .piece
                .push((block, count as usize, known.modes, known.start));
        }
    }

    /// The part of an unknown's diagonal that resists strain.
    fn strain(&self, row: u32) -> f64 {
        self.matrix.diagonal()[row as usize] - self.mass[row as usize]
    }

    /// The pattern of a piece, see [`LocalKernel`], and its rows in the same order.
    fn pattern(
        &self,
        block: usize,
        root: u16,
        count: u16,
        scratch: &Scratch,
    ) -> (Vec<u32>, Vec<u32>) {
        let members = self.blocks.items(block);
        let is_own = |position: u16| scratch.joined.root(u32::from(position)) == u32::from(root);
        let diagonal = |position: u16| self.strain(members[position as usize]);
        let own = || (0..members.len() as u16).filter(|&position| is_own(position));
        let largest = own().map(diagonal).fold(0.0, f64::max);
        let mut pattern = vec![u32::from(count)];
        pattern.extend(own().map(|position| magnitude(diagonal(position) / largest)));
        let mut rows = Vec::new();
        for &row in &scratch.inside {
            let (columns, coefficients) = self.rows.row(row as usize);
            if columns
                .iter()
                .any(|&column| !is_own(self.position[column as usize]))
            {
                continue;
            }
            rows.push(row);
            let weight = f64::from(self.rows.weights()[row as usize]);
            let strong = self.classes[row as usize].strong;
            pattern.push(columns.len() as u32 * 2 + u32::from(strong));
            pattern.push(magnitude(weight / largest));
            for (column, coefficient) in columns.iter().zip(coefficients) {
                let position = scratch.position[self.position[*column as usize] as usize];
                pattern.push(u32::from(position));
                pattern.push(coefficient.to_bits());
            }
        }
        (pattern, rows)
    }
}

/// Patterns tell weights apart by powers of two: which motions are soft is a matter of magnitudes, and motions that
/// strain nothing do not depend on weights at all.
fn magnitude(ratio: f64) -> u32 {
    (40.0 - ratio.log2().round().clamp(-40.0, 40.0)) as u32
}

fn from_magnitude(magnitude: u32) -> f64 {
    (40.0 - f64::from(magnitude)).exp2()
}

/// Finds the motions of a pattern: the number of unknowns, the magnitude of each one's diagonal, then each row: twice
/// its length, plus one where it is strong; the magnitude of its weight; pairs of position and bits of the coefficient.
#[derive(Default)]
struct LocalKernel {
    joined: DisjointSets,
    motions: SoftMotions,
    reduced: Vec<f64>,
    /// Values of all modes at each unknown.
    basis: Vec<f64>,
}

impl LocalKernel {
    /// Fills the basis; returns the number of modes, and which rows they leave unstrained.
    fn find(&mut self, pattern: &[u32]) -> (usize, Vec<bool>) {
        let count = pattern[0] as usize;
        let (diagonal, rest) = pattern[1..].split_at(count);
        let rows = || Rows { rest };
        // Samples of two unknowns that must move alike join them, which leaves few variables to eliminate.
        self.joined.reset(count);
        for row in rows().filter(Row::is_equality) {
            self.joined.join(row.entry[0], row.entry[2]);
        }
        let roots: Vec<usize> = (0..count as u32)
            .map(|position| self.joined.root(position) as usize)
            .collect();
        let mut variable = vec![0; count];
        let mut scale = Vec::new();
        for position in 0..count {
            if roots[position] == position {
                variable[position] = scale.len();
                scale.push(0.0);
            }
            scale[variable[roots[position]]] += from_magnitude(diagonal[position]);
        }
        scale
            .iter_mut()
            .for_each(|scale: &mut f64| *scale = 1.0 / scale.sqrt());
        self.motions.reset(scale.len());
        let mut entries: Vec<(usize, f64)> = Vec::new();
        for row in rows().filter(|row| !row.is_equality()) {
            entries.clear();
            let weight = from_magnitude(row.weight).sqrt();
            for entry in row.entry.chunks_exact(2) {
                let variable = variable[roots[entry[0] as usize]];
                let value = weight * scale[variable] * f64::from(f32::from_bits(entry[1]));
                entries.push((variable, value));
            }
            self.motions.add(&entries);
        }
        let modes = self.motions.find(SOFT, &mut self.reduced);
        self.basis.clear();
        if modes > 0 {
            for root in &roots {
                let start = variable[*root] * modes;
                let values = self.reduced[start..start + modes].iter();
                self.basis
                    .extend(values.map(|value| value * scale[variable[*root]]));
            }
            orthonormalise(&mut self.basis, modes);
        }
        let unstrained = rows().map(|row| {
            (0..modes).all(|mode| {
                let entries = row.entry.chunks_exact(2);
                let strain: f64 = entries
                    .map(|entry| {
                        self.basis[entry[0] as usize * modes + mode]
                            * f64::from(f32::from_bits(entry[1]))
                    })
                    .sum();
                strain.abs() < UNSTRAINED
            })
        });
        let unstrained = unstrained.collect();
        (modes, unstrained)
    }
}

/// Strains below this come of roundings.
const UNSTRAINED: f64 = 1e-12;

/// A row of a pattern.
struct Row<'a> {
    strong: bool,
    weight: u32,
    entry: &'a [u32],
}

impl Row<'_> {
    /// Whether it makes two unknowns move alike.
    fn is_equality(&self) -> bool {
        let entry = self.entry;
        self.strong
            && entry.len() == 4
            && entry[0] != entry[2]
            && f32::from_bits(entry[1]) == -f32::from_bits(entry[3])
    }
}

/// The rows of a pattern.
struct Rows<'a> {
    rest: &'a [u32],
}

impl<'a> Iterator for Rows<'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        let [length, weight, rest @ ..] = self.rest else {
            return None;
        };
        let (entry, rest) = rest.split_at((length & !1) as usize);
        self.rest = rest;
        Some(Row {
            strong: length & 1 == 1,
            weight: *weight,
            entry,
        })
    }
}
