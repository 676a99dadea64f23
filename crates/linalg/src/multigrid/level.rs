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

use std::ops::Range;

use rayon::prelude::*;

use super::aggregate::Aggregates;
use super::couplings::{Couplings, Extra};
use super::network::Network;

/// Rows of a half sweep done by one thread at a time.
const SWEEP_CHUNK: usize = 2048;

/// A level with the memory it works in.
#[derive(Debug, Default)]
pub(super) struct Level {
    red: usize,
    couplings: Couplings,
    ground: Vec<f32>,
    /// 1 / diagonal.
    inverse: Vec<f32>,
    /// The right-hand side of rows with extra couplings, while these are added to it.
    saved: Vec<f32>,
    /// Right-hand side.
    pub(super) b: Vec<f32>,
    /// Solution, followed by one zero, which is the value of unknowns without a group on the finer level.
    pub(super) x: Vec<f32>,
    transfer: Option<Transfer>,
}

/// How a level hands its error to the next coarser one.
#[derive(Debug)]
struct Transfer {
    /// The colour whose residual is not zero after smoothing, and whose correction is not overwritten by it.
    colour: usize,
    groups: Aggregates,
    /// Unknowns of the other colour that have extra couplings, with their groups.
    others: Vec<(u32, u32)>,
    /// Cycles done on the coarser level.
    visits: usize,
    /// Factor on the coarse correction.
    factor: f32,
}

impl Level {
    /// A level from its network.
    pub(super) fn new(network: Network) -> Self {
        let Network {
            red,
            nodes,
            couplings,
        } = network;
        let invert = |diagonal: f32| if diagonal > 0.0 { 1.0 / diagonal } else { 0.0 };
        let chunks = || nodes.par_iter().with_min_len(SWEEP_CHUNK);
        let ground = chunks().map(|node| node.ground).collect();
        let mut inverse: Vec<f32> = chunks().map(|node| invert(node.diagonal)).collect();
        for extra in &couplings.extras {
            let row = extra.row as usize;
            let own_colour = extra
                .couplings
                .iter()
                .filter(|coupling| (coupling.column as usize >= red) == (row >= red));
            let lumped: f32 = own_colour.map(|coupling| coupling.weight).sum();
            inverse[row] = invert(nodes[row].diagonal + lumped);
        }
        Self {
            red,
            saved: vec![0.0; couplings.extras.len()],
            couplings,
            ground,
            inverse,
            b: vec![0.0; nodes.len()],
            x: vec![0.0; nodes.len() + 1],
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
        groups: Aggregates,
        colour: usize,
        visits: usize,
        factor: f32,
    ) {
        let range = self.range(colour);
        let others = self
            .couplings
            .extras
            .iter()
            .filter(|extra| !range.contains(&(extra.row as usize)))
            .map(|extra| (extra.row, groups.group[extra.row as usize]))
            .collect();
        self.transfer = Some(Transfer {
            colour,
            groups,
            others,
            visits,
            factor,
        });
    }

    /// Cycles to do on the coarser level for each on this one.
    pub(super) fn visits(&self) -> usize {
        self.transfer.as_ref().map_or(0, |transfer| transfer.visits)
    }

    /// The unknowns of one colour.
    fn range(&self, colour: usize) -> Range<usize> {
        if colour == 0 {
            0..self.red
        } else {
            self.red..self.size()
        }
    }

    /// The rows of one colour that have extra couplings.
    fn extras(&self, colour: usize) -> Range<usize> {
        let extras = &self.couplings.extras;
        let red = extras.partition_point(|extra| (extra.row as usize) < self.red);
        if colour == 0 {
            0..red
        } else {
            red..extras.len()
        }
    }

    /// A half sweep of Gauss-Seidel over one colour.
    pub(super) fn relax(&mut self, colour: usize) {
        let extras = self.extras(colour);
        self.add_extras(extras.clone());
        let (red, black) = self.x.split_at_mut(self.red);
        let (target, source, first, source_first) = if colour == 0 {
            (red, &*black, 0, self.red)
        } else {
            let count = black.len() - 1;
            (&mut black[..count], &*red, self.red, 0)
        };
        let (couplings, b, ground, inverse) = (
            &self.couplings,
            &self.b[first..],
            &self.ground[first..],
            &self.inverse[first..],
        );
        in_chunks(target, |offset, target| {
            let range = offset..offset + target.len();
            let (b, ground, inverse) = (&b[range.clone()], &ground[range.clone()], &inverse[range]);
            for (index, x) in target.iter_mut().enumerate() {
                let flow = couplings.inflow(first + offset + index, source, source_first, *x);
                *x += (b[index] + flow - ground[index] * *x) * inverse[index];
            }
        });
        self.remove_extras(extras);
    }

    /// The half sweep over the red unknowns from a solution of zero.
    pub(super) fn relax_red_from_zero(&mut self) {
        let (red, black) = self.x.split_at_mut(self.red);
        let (b, inverse) = (&self.b, &self.inverse);
        in_chunks(red, |offset, red| {
            for (index, x) in red.iter_mut().enumerate() {
                *x = b[offset + index] * inverse[offset + index];
            }
        });
        in_chunks(black, |_, black| black.fill(0.0));
    }

    /// Sums the residual over each group into the right-hand side of the coarser level.
    ///
    /// In exact arithmetic the residual of the colour relaxed last is zero, and it is left out when the solution
    /// started from zero. On a second visit the solution may be large, its roundings are a residual of that colour,
    /// and leaving them out would create or destroy flow in a chamber that hardly leaks.
    pub(super) fn restrict(&mut self, coarse_b: &mut [f32], from_zero: bool) {
        let extras = 0..self.couplings.extras.len();
        self.add_extras(extras.clone());
        if let Some(transfer) = &self.transfer {
            let groups = &transfer.groups;
            if from_zero {
                self.sum_residual(|group| groups.transferred(group), coarse_b);
            } else {
                self.sum_residual(|group| groups.members(group), coarse_b);
            }
        }
        self.remove_extras(extras);
    }

    fn sum_residual<'a>(&self, members: impl Fn(usize) -> &'a [u32] + Sync, coarse_b: &mut [f32]) {
        in_chunks(coarse_b, |offset, coarse_b| {
            for (sum, group) in coarse_b.iter_mut().zip(offset..) {
                *sum = 0.0;
                for &member in members(group) {
                    let member = member as usize;
                    let x = self.x[member];
                    let flow = self.couplings.inflow(member, &self.x, 0, x);
                    *sum += self.b[member] + flow - self.ground[member] * x;
                }
            }
        });
    }

    /// Adds the correction of the coarser level.
    pub(super) fn correct(&mut self, coarse_x: &[f32]) {
        let Some(transfer) = &self.transfer else {
            return;
        };
        let range = self.range(transfer.colour);
        let group = &transfer.groups.group[range.clone()];
        in_chunks(&mut self.x[range], |offset, target| {
            for (x, &group) in target.iter_mut().zip(&group[offset..]) {
                *x += transfer.factor * coarse_x[group as usize];
            }
        });
        for &(unknown, group) in &transfer.others {
            self.x[unknown as usize] += transfer.factor * coarse_x[group as usize];
        }
    }

    /// Adds the inflow through extra couplings to the right-hand side.
    fn add_extras(&mut self, range: Range<usize>) {
        let extras = &self.couplings.extras[range.clone()];
        for (Extra { row, couplings }, saved) in extras.iter().zip(&mut self.saved[range]) {
            let row = *row as usize;
            *saved = self.b[row];
            for coupling in couplings {
                self.b[row] += coupling.weight * (self.x[coupling.column as usize] - self.x[row]);
            }
        }
    }

    fn remove_extras(&mut self, range: Range<usize>) {
        let extras = &self.couplings.extras[range.clone()];
        for (extra, &saved) in extras.iter().zip(&self.saved[range]) {
            self.b[extra.row as usize] = saved;
        }
    }
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
