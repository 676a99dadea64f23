//! Pieces of air that the liquid may have closed in, whatever carries it.
//!
//! The model has no air: a piece that is shut in is a vacuum, into which the liquid rushes. Small bubbles are therefore made part
//! of the liquid. Small pieces that touch a wall may be rooms of air that were there from the start, the head-space of a vessel
//! for one; each liquid has its own way to tell those from gaps that it has torn itself.

use glam::IVec3;
use ooze_field::level_set::Components;
use ooze_field::mask::Mask;
use ooze_field::{Field, Place};

/// Pieces of up to this many cells are small. Larger ones are caverns that can be seen.
const LARGEST: u32 = 64;

/// What a piece of air is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Enclosure {
    /// Large, or with a way out.
    Open,
    /// Small, with liquid all around.
    Bubble,
    /// Small, between liquid and walls.
    Walled,
}

/// The connected pieces of air around a liquid.
pub(crate) struct Air {
    /// The piece that a sample belongs to, from 1 on; 0 where there is no air.
    pub(crate) labels: Field<u32>,
    /// Samples of each piece; entry 0 counts nothing.
    pub(crate) sizes: Vec<u32>,
}

impl Air {
    /// The pieces of a set of samples, which sit at that place of their cells.
    pub(crate) fn of(samples: &Mask, place: Place) -> Self {
        let Components { labels, count } = Components::of(samples, place);
        let mut sizes = vec![0u32; count as usize + 1];
        for &label in labels.values() {
            sizes[label as usize] += 1;
        }
        sizes[0] = 0;
        Self { labels, sizes }
    }

    /// What each piece is, by label, where a cell holds `samples_along` samples along an axis. `is_solid` tells whether the
    /// sample with a number in storage is inside a solid.
    pub(crate) fn enclosures(
        &self,
        samples_along: u32,
        is_solid: impl Fn(usize) -> bool,
    ) -> Vec<Enclosure> {
        let topology = self.labels.topology();
        let axes = topology.lattice().axes();
        let largest = LARGEST * samples_along.pow(axes as u32);
        let is_small = |size: u32| size > 0 && size <= largest;
        let mut enclosures: Vec<Enclosure> = self
            .sizes
            .iter()
            .map(|&size| match is_small(size) {
                true => Enclosure::Bubble,
                false => Enclosure::Open,
            })
            .collect();
        if !enclosures.contains(&Enclosure::Bubble) {
            return enclosures;
        }
        let steps = &IVec3::AXES[..axes];
        for slot in 0..topology.tile_count() {
            for (local, &label) in self.labels.tile(slot).iter().enumerate() {
                let enclosure = &mut enclosures[label as usize];
                if *enclosure == Enclosure::Open {
                    continue;
                }
                let sample = topology.cell(slot, local);
                for other in steps
                    .iter()
                    .flat_map(|&step| [sample - step, sample + step])
                {
                    match topology.index(other) {
                        None => *enclosure = Enclosure::Open,
                        Some(index) if *enclosure == Enclosure::Bubble && is_solid(index) => {
                            *enclosure = Enclosure::Walled;
                        }
                        Some(_) => {}
                    }
                }
            }
        }
        enclosures
    }
}
