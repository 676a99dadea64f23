//! The couplings of a level: six slots a row, and the few that do not fit.
//!
//! Nearly every row has at most six couplings, all to the other colour. Six slots, the unused ones of zero weight, let
//! a half sweep run without branches. Couplings within a block of 2³ cells fill the slots from the front, the others
//! from the back: those inside are all that is looked at to form groups.

use rayon::prelude::*;

use super::network::Node;

/// Couplings of a row that have a slot.
const SLOTS: usize = 6;
/// Rows built by one thread at a time.
const BUILD_CHUNK: usize = 1024;

/// One coupling of a row.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Coupling {
    pub(super) column: u32,
    pub(super) weight: f32,
}

/// Couplings of one row to the other colour; unused slots repeat a used column, or 0 where there is none.
#[derive(Debug, Clone, Copy, Default)]
struct Slots {
    column: [u32; SLOTS],
    weight: [f32; SLOTS],
}

/// Couplings of one row beyond its slots: those to its own colour, and a seventh and more to the other.
#[derive(Debug)]
pub(super) struct Extra {
    pub(super) row: u32,
    pub(super) couplings: Vec<Coupling>,
}

/// The couplings of all rows.
#[derive(Debug, Default)]
pub(super) struct Couplings {
    slots: Vec<Slots>,
    /// Ascending by row.
    pub(super) extras: Vec<Extra>,
}

impl Couplings {
    /// Builds all rows in parallel, red ones first: `fill` gets the row, its node, its element of `companion` and the
    /// row to fill.
    pub(super) fn build<T: Send>(
        red: usize,
        nodes: &mut [Node],
        companion: &mut [T],
        fill: impl Fn(usize, &mut Node, &mut T, &mut RowBuilder) + Sync,
    ) -> Self {
        let mut slots = vec![Slots::default(); nodes.len()];
        let extras: Vec<Vec<Extra>> = nodes
            .par_chunks_mut(BUILD_CHUNK)
            .zip(companion.par_chunks_mut(BUILD_CHUNK))
            .zip(slots.par_chunks_mut(BUILD_CHUNK))
            .enumerate()
            .map(|(chunk, ((nodes, companion), slots))| {
                let mut extras = Vec::new();
                let elements = nodes.iter_mut().zip(companion).zip(slots);
                for (row, ((node, companion), slots)) in (chunk * BUILD_CHUNK..).zip(elements) {
                    let mut builder = RowBuilder::new(slots, red, row >= red);
                    fill(row, node, companion, &mut builder);
                    let couplings = builder.finish(node);
                    if !couplings.is_empty() {
                        let row = row as u32;
                        extras.push(Extra { row, couplings });
                    }
                }
                extras
            })
            .collect();
        Self {
            slots,
            extras: extras.into_iter().flatten().collect(),
        }
    }

    /// Changes weights in parallel; `change` gets the row, its node, the column and the weight.
    pub(super) fn update(
        &mut self,
        nodes: &[Node],
        change: impl Fn(usize, &Node, u32, f32) -> f32 + Sync,
    ) {
        let chunks = self.slots.par_chunks_mut(BUILD_CHUNK).enumerate();
        chunks.for_each(|(chunk, slots)| {
            for (row, slots) in (chunk * BUILD_CHUNK..).zip(slots) {
                for slot in 0..SLOTS {
                    if slots.weight[slot] > 0.0 {
                        slots.weight[slot] =
                            change(row, &nodes[row], slots.column[slot], slots.weight[slot]);
                    }
                }
            }
        });
        for Extra { row, couplings } in &mut self.extras {
            let row = *row as usize;
            for Coupling { column, weight } in couplings {
                *weight = change(row, &nodes[row], *column, *weight);
            }
        }
    }

    /// The couplings of a row with its node.
    #[inline]
    pub(super) fn row(&self, row: usize, node: &Node) -> RowCouplings<'_> {
        self.slots_up_to(SLOTS, row, node)
    }

    /// The couplings of a row to unknowns in its block of 2³ cells, and those beyond the slots.
    #[inline]
    pub(super) fn inner(&self, row: usize, node: &Node) -> RowCouplings<'_> {
        self.slots_up_to(usize::from(node.inner), row, node)
    }

    #[inline]
    fn slots_up_to(&self, end: usize, row: usize, node: &Node) -> RowCouplings<'_> {
        let extra: &[Coupling] = if node.extra { self.extra(row) } else { &[] };
        RowCouplings {
            slots: &self.slots[row],
            slot: 0,
            end,
            extra: extra.iter(),
        }
    }

    fn extra(&self, row: usize) -> &[Coupling] {
        let row = row as u32;
        match self.extras.binary_search_by_key(&row, |extra| extra.row) {
            Ok(index) => &self.extras[index].couplings,
            Err(_) => &[],
        }
    }

    /// Σ weight (value − own) over the slots of a row; `values` starts with that of unknown `first`.
    #[inline]
    pub(super) fn inflow(&self, row: usize, values: &[f32], first: usize, own: f32) -> f32 {
        let slots = &self.slots[row];
        let mut sums = [0.0; 2];
        for slot in 0..SLOTS {
            // Rows without couplings refer to unknown 0, which `values` may not hold; its weight is zero.
            let index = (slots.column[slot] as usize).wrapping_sub(first);
            let value = values.get(index).copied().unwrap_or(0.0);
            sums[slot % 2] += slots.weight[slot] * (value - own);
        }
        sums[0] + sums[1]
    }
}

/// Iterates over the couplings of a row. One loop over slots and the rest, so that its body is compiled in place.
pub(super) struct RowCouplings<'a> {
    slots: &'a Slots,
    slot: usize,
    end: usize,
    extra: std::slice::Iter<'a, Coupling>,
}

impl Iterator for RowCouplings<'_> {
    type Item = Coupling;

    #[inline]
    fn next(&mut self) -> Option<Coupling> {
        while self.slot < self.end {
            let slot = self.slot;
            self.slot += 1;
            if self.slots.weight[slot] > 0.0 {
                return Some(Coupling {
                    column: self.slots.column[slot],
                    weight: self.slots.weight[slot],
                });
            }
        }
        self.extra.next().copied()
    }
}

/// Receives the couplings of one row.
pub(super) struct RowBuilder<'a> {
    slots: &'a mut Slots,
    /// The first free slot.
    front: usize,
    /// The first used slot behind the free ones.
    back: usize,
    extra: Vec<Coupling>,
    red: usize,
    black: bool,
}

impl<'a> RowBuilder<'a> {
    fn new(slots: &'a mut Slots, red: usize, black: bool) -> Self {
        Self {
            slots,
            front: 0,
            back: SLOTS,
            extra: Vec::new(),
            red,
            black,
        }
    }

    /// Adds a coupling to a column that has none yet; `inner` tells whether it is in the same block.
    #[inline]
    pub(super) fn push(&mut self, column: u32, weight: f32, inner: bool) {
        let own_colour = (column as usize >= self.red) == self.black;
        if own_colour || self.front == self.back {
            self.extra.push(Coupling { column, weight });
            return;
        }
        self.back -= usize::from(!inner);
        let slot = if inner { self.front } else { self.back };
        self.front += usize::from(inner);
        self.slots.column[slot] = column;
        self.slots.weight[slot] = weight;
    }

    /// Adds to the coupling to a column; `inner` tells whether it is in the same block.
    #[inline]
    pub(super) fn add(&mut self, column: u32, weight: f32, inner: bool) {
        for slot in (0..self.front).chain(self.back..SLOTS) {
            if self.slots.column[slot] == column {
                self.slots.weight[slot] += weight;
                return;
            }
        }
        match self.extra.iter_mut().find(|known| known.column == column) {
            Some(known) => known.weight += weight,
            None => self.push(column, weight, inner),
        }
    }

    /// Pads the slots, describes the row in its node and returns what had no slot.
    #[inline]
    fn finish(self, node: &mut Node) -> Vec<Coupling> {
        node.inner = self.front as u8;
        node.extra = !self.extra.is_empty();
        let padding = if self.front > 0 {
            self.slots.column[0]
        } else {
            self.slots.column[SLOTS - 1]
        };
        self.slots.column[self.front..self.back].fill(padding);
        self.extra
    }
}
