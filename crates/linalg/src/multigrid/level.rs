//! One level of the hierarchy: smoothing and transfer.
//!
//! The smoother is Gauss-Seidel by colours. Red unknowns couple to black ones only, so that a half sweep has no order
//! within it. The exceptions are pieces of one block on two sides of a leaking wall (and couplings that are no face
//! neighbours at all): for these, a coupling within a colour acts with the value from before the half sweep and the
//! diagonal is enlarged by the weight, which keeps the half sweep symmetric and convergent (ℓ₁ smoothing, Baker,
//! Falgout, Kolev & Yang 2011).
//!
//! A residual is summed from differences, b + Σ w (xⱼ − xᵢ) − g xᵢ, not as b + Σ w xⱼ − d xᵢ: a large constant, such
//! as the pressure in a chamber with a small leak, then leaves no rounding error in f32.

use rayon::prelude::*;

use super::aggregate::Aggregates;
use super::network::Network;
use super::rows::{Entry, Rows};

/// Rows of a half sweep done by one thread at a time.
const SWEEP_CHUNK: usize = 2048;

/// A level with the memory it works in.
#[derive(Debug, Default)]
pub(super) struct Level {
    red: usize,
    rows: Rows,
    ground: Vec<f32>,
    /// 1 / diagonal.
    inverse: Vec<f32>,
    crowded: Vec<Crowded>,
    /// Right-hand side.
    pub(super) b: Vec<f32>,
    /// Solution, followed by one zero, which is the value of unknowns without a group on the finer level.
    pub(super) x: Vec<f32>,
    pub(super) transfer: Option<Transfer>,
}

/// An unknown with couplings to its own colour.
#[derive(Debug)]
struct Crowded {
    unknown: u32,
    couplings: Vec<Entry>,
    /// The right-hand side while the couplings are added to it.
    saved: f32,
}

/// How a level hands its error to the next coarser one.
#[derive(Debug)]
pub(super) struct Transfer {
    /// The colour whose residual is not zero after smoothing, and whose correction is not overwritten by it.
    colour: usize,
    /// The groups of that colour's unknowns.
    group: Vec<u32>,
    /// Crowded unknowns of the other colour, with their groups.
    others: Vec<(u32, u32)>,
    /// For each group, its members that take part in the transfer.
    start: Vec<u32>,
    member: Vec<u32>,
    /// Cycles done on the coarser level.
    pub(super) visits: usize,
    /// Factor on the coarse correction.
    factor: f32,
}

impl Level {
    /// A level from its network.
    pub(super) fn new(network: Network) -> Self {
        let size = network.size();
        let mut inverse = vec![0.0; size];
        let is_crowded = |unknown: usize, entry: &Entry| {
            network.colour(unknown) == network.colour(entry.column as usize)
        };
        let found: Vec<Vec<Crowded>> = inverse
            .par_chunks_mut(SWEEP_CHUNK)
            .enumerate()
            .map(|(chunk, inverse)| {
                let mut crowded = Vec::new();
                for (unknown, inverse) in (chunk * SWEEP_CHUNK..).zip(inverse) {
                    let mut sum = f64::from(network.ground[unknown]);
                    let mut lumped = 0.0;
                    for entry in network.rows.row(unknown) {
                        sum += f64::from(entry.weight);
                        if is_crowded(unknown, entry) {
                            lumped += entry.weight;
                        }
                    }
                    if lumped > 0.0 {
                        let row = network
                            .rows
                            .row(unknown)
                            .iter()
                            .filter(|entry| is_crowded(unknown, entry));
                        let couplings = row.copied().collect();
                        crowded.push(Crowded {
                            unknown: unknown as u32,
                            couplings,
                            saved: 0.0,
                        });
                    }
                    let diagonal = sum + f64::from(lumped);
                    *inverse = if diagonal > 0.0 {
                        (1.0 / diagonal) as f32
                    } else {
                        0.0
                    };
                }
                crowded
            })
            .collect();
        let crowded: Vec<Crowded> = found.into_iter().flatten().collect();
        let rows = if crowded.is_empty() {
            network.rows
        } else {
            Rows::build_with(&mut vec![(); size], |unknown, (), entries| {
                entries.extend(
                    network
                        .rows
                        .row(unknown)
                        .iter()
                        .filter(|entry| !is_crowded(unknown, entry)),
                );
            })
        };
        Self {
            red: network.red,
            rows,
            ground: network.ground,
            inverse,
            crowded,
            b: vec![0.0; size],
            x: vec![0.0; size + 1],
            transfer: None,
        }
    }

    /// Number of unknowns.
    pub(super) fn size(&self) -> usize {
        self.b.len()
    }

    /// Prepares the transfer to a coarser level.
    pub(super) fn connect(
        &mut self,
        groups: &Aggregates,
        colour: usize,
        visits: usize,
        factor: f32,
    ) {
        let first = if colour == 0 { 0 } else { self.red };
        let range = if colour == 0 {
            0..self.red
        } else {
            self.red..self.size()
        };
        let others: Vec<(u32, u32)> = self
            .crowded
            .iter()
            .filter(|crowded| !range.contains(&(crowded.unknown as usize)))
            .map(|crowded| (crowded.unknown, groups.group[crowded.unknown as usize]))
            .collect();
        let taken = |member: u32| {
            range.contains(&(member as usize))
                || others
                    .binary_search_by_key(&member, |&(unknown, _)| unknown)
                    .is_ok()
        };
        let mut start = Vec::with_capacity(groups.count() + 1);
        let mut member = Vec::with_capacity(groups.member.len());
        start.push(0);
        for group in 0..groups.count() {
            member.extend(
                groups
                    .members(group)
                    .iter()
                    .filter(|&&member| taken(member)),
            );
            start.push(member.len() as u32);
        }
        let group = groups.group[first..first + range.len()].to_vec();
        self.transfer = Some(Transfer {
            colour,
            group,
            others,
            start,
            member,
            visits,
            factor,
        });
    }

    /// A half sweep of Gauss-Seidel over one colour.
    pub(super) fn relax(&mut self, colour: usize) {
        self.add_crowded();
        let (red, black) = self.x.split_at_mut(self.red);
        let (target, source, first, source_first) = if colour == 0 {
            (red, &*black, 0, self.red)
        } else {
            let count = black.len() - 1;
            (&mut black[..count], &*red, self.red, 0)
        };
        let (rows, b, ground, inverse) = (
            &self.rows,
            &self.b[first..],
            &self.ground[first..],
            &self.inverse[first..],
        );
        in_chunks(target, |offset, target| {
            let range = offset..offset + target.len();
            let (b, ground, inverse) = (&b[range.clone()], &ground[range.clone()], &inverse[range]);
            for (index, x) in target.iter_mut().enumerate() {
                let flow = inflow(rows.row(first + offset + index), source, source_first, *x);
                *x += (b[index] + flow - ground[index] * *x) * inverse[index];
            }
        });
        self.restore_crowded();
    }

    /// The half sweep over one colour from a solution of zero.
    pub(super) fn relax_from_zero(&mut self, colour: usize) {
        self.x.fill(0.0);
        let range = if colour == 0 {
            0..self.red
        } else {
            self.red..self.b.len()
        };
        for ((x, b), inverse) in self.x[range.clone()]
            .iter_mut()
            .zip(&self.b[range.clone()])
            .zip(&self.inverse[range])
        {
            *x = b * inverse;
        }
    }

    /// Sums the residual over each group into the right-hand side of the coarser level.
    pub(super) fn restrict(&mut self, coarse_b: &mut [f32]) {
        self.add_crowded();
        let Some(transfer) = &self.transfer else {
            return;
        };
        in_chunks(coarse_b, |offset, coarse_b| {
            for (sum, group) in coarse_b.iter_mut().zip(offset..) {
                *sum = 0.0;
                for &member in &transfer.member
                    [transfer.start[group] as usize..transfer.start[group + 1] as usize]
                {
                    let member = member as usize;
                    let x = self.x[member];
                    *sum += self.b[member] + inflow(self.rows.row(member), &self.x, 0, x)
                        - self.ground[member] * x;
                }
            }
        });
        self.restore_crowded();
    }

    /// Adds the correction of the coarser level.
    pub(super) fn correct(&mut self, coarse_x: &[f32]) {
        let Some(transfer) = &self.transfer else {
            return;
        };
        let first = if transfer.colour == 0 { 0 } else { self.red };
        let target = &mut self.x[first..first + transfer.group.len()];
        in_chunks(target, |offset, target| {
            for (x, &group) in target.iter_mut().zip(&transfer.group[offset..]) {
                *x += transfer.factor * coarse_x[group as usize];
            }
        });
        for &(unknown, group) in &transfer.others {
            self.x[unknown as usize] += transfer.factor * coarse_x[group as usize];
        }
    }

    /// Adds the couplings within a colour to the right-hand side.
    fn add_crowded(&mut self) {
        for crowded in &mut self.crowded {
            let unknown = crowded.unknown as usize;
            crowded.saved = self.b[unknown];
            self.b[unknown] += inflow(&crowded.couplings, &self.x, 0, self.x[unknown]);
        }
    }

    fn restore_crowded(&mut self) {
        for crowded in &self.crowded {
            self.b[crowded.unknown as usize] = crowded.saved;
        }
    }
}

/// Σ weight (value − own) over the couplings of a row.
#[inline]
fn inflow(row: &[Entry], values: &[f32], first: usize, own: f32) -> f32 {
    let mut sum = 0.0;
    for entry in row {
        sum += entry.weight * (values[entry.column as usize - first] - own);
    }
    sum
}

/// Runs `work` on chunks of a slice with their offsets, in parallel where that pays.
fn in_chunks(target: &mut [f32], work: impl Fn(usize, &mut [f32]) + Sync) {
    if target.len() <= 2 * SWEEP_CHUNK {
        work(0, target);
    } else {
        target
            .par_chunks_mut(SWEEP_CHUNK)
            .enumerate()
            .for_each(|(chunk, target)| work(chunk * SWEEP_CHUNK, target));
    }
}
