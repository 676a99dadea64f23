//! Groups of unknowns that share a value on the next level.
//!
//! A group is a connected component, along strong couplings, of the unknowns in one block of 2³ cells (4³ and more
//! where that joins too few). Unknowns on two sides of a thin wall are thus not joined, even in one block.

use std::sync::atomic::{AtomicU32, Ordering};

use ooze_commons::reduce::CHUNK;
use rayon::prelude::*;

use super::couplings::Coupling;
use super::network::{Network, Node};

/// Couplings below this fraction of the weaker side's strongest coupling are not joined.
const STRONG: f32 = 0.1;

/// Groups of unknowns, see the file's head; numbered by the colour of their block, red first.
#[derive(Debug, Default)]
pub(super) struct Aggregates {
    /// Number of groups in red blocks.
    pub(super) red: usize,
    /// Where the members of each group start in `member`, and where the last ones end.
    start: Vec<u32>,
    /// Members of the transferred colour, and those with extra couplings, come first in each group.
    member: Vec<u32>,
    /// How many of each group's members come first.
    transferred: Vec<u32>,
    /// The group of each unknown; the number of groups for those without.
    pub(super) group: Vec<u32>,
    /// Blocks are `2^shift` cells a side.
    pub(super) shift: u32,
}

/// The groups found among the unknowns of one chunk, for one colour of blocks.
#[derive(Default)]
struct Found {
    size: Vec<u32>,
    transferred: Vec<u32>,
    member: Vec<u32>,
}

impl Aggregates {
    /// Groups the unknowns of a network in blocks of `2^shift` cells a side.
    pub(super) fn find(network: &Network, shift: u32, transfer_colour: usize) -> Self {
        let is_transferred = |member: u32| {
            let colour = usize::from(member as usize >= network.red);
            colour == transfer_colour || network.nodes[member as usize].extra
        };
        let chunks: Vec<[Found; 2]> = (0..network.size().div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut found = [Found::default(), Found::default()];
                let mut members = Vec::new();
                for unknown in chunk * CHUNK..network.size().min((chunk + 1) * CHUNK) {
                    if collect(network, shift, unknown, &mut members) {
                        let block = network.nodes[unknown].place.block(shift);
                        found[block.colour()].push(&members, is_transferred);
                    }
                }
                found
            })
            .collect();
        Self::gather(network.size(), shift, &chunks)
    }

    fn gather(unknowns: usize, shift: u32, chunks: &[[Found; 2]]) -> Self {
        let mut groups = Self {
            start: vec![0],
            shift,
            ..Self::default()
        };
        let mut end = 0;
        for colour in 0..2 {
            for chunk in chunks {
                for size in &chunk[colour].size {
                    end += size;
                    groups.start.push(end);
                }
                groups
                    .transferred
                    .extend_from_slice(&chunk[colour].transferred);
                groups.member.extend_from_slice(&chunk[colour].member);
            }
            if colour == 0 {
                groups.red = groups.count();
            }
        }
        let none = groups.count() as u32;
        let group: Vec<AtomicU32> = (0..unknowns).map(|_| AtomicU32::new(none)).collect();
        let indices = (0..groups.count()).into_par_iter().with_min_len(CHUNK);
        indices.for_each(|index| {
            for &member in groups.members(index) {
                // Each unknown is written once at most, so that the order of writing does not matter.
                group[member as usize].store(index as u32, Ordering::Relaxed);
            }
        });
        groups.group = group.into_iter().map(AtomicU32::into_inner).collect();
        groups
    }

    /// Number of groups.
    pub(super) fn count(&self) -> usize {
        self.start.len() - 1
    }

    /// The members of a group.
    pub(super) fn members(&self, group: usize) -> &[u32] {
        &self.member[self.start[group] as usize..self.start[group + 1] as usize]
    }

    /// The members of a group that take part in the transfer to the coarser level.
    pub(super) fn transferred(&self, group: usize) -> &[u32] {
        &self.members(group)[..self.transferred[group] as usize]
    }
}

impl Found {
    fn push(&mut self, members: &[u32], is_transferred: impl Fn(u32) -> bool) {
        let before = self.member.len();
        for chosen in [true, false] {
            let select = |&&member: &&u32| is_transferred(member) == chosen;
            self.member.extend(members.iter().filter(select));
            if chosen {
                self.transferred.push((self.member.len() - before) as u32);
            }
        }
        self.size.push(members.len() as u32);
    }
}

/// Collects the group of an unknown, if the unknown is the first of its group by place; false if it is not.
fn collect(network: &Network, shift: u32, first: usize, members: &mut Vec<u32>) -> bool {
    let first_node = network.nodes[first];
    if first_node.strength == 0.0 {
        return false;
    }
    members.clear();
    members.push(first as u32);
    let mut next = 0;
    while next < members.len() {
        let unknown = members[next] as usize;
        let node = network.nodes[unknown];
        next += 1;
        let row = if shift == 1 {
            network.couplings.inner(unknown, &node)
        } else {
            network.couplings.row(unknown, &node)
        };
        for Coupling { column, weight } in row {
            let other = &network.nodes[column as usize];
            if joins(&node, other, weight, shift) {
                if (other.place, column) < (first_node.place, first as u32) {
                    return false;
                }
                if !members.contains(&column) {
                    members.push(column);
                }
            }
        }
    }
    true
}

/// Whether two coupled unknowns belong to one group.
#[inline]
fn joins(node: &Node, other: &Node, weight: f32, shift: u32) -> bool {
    other.strength > 0.0
        && weight > STRONG * node.strength.min(other.strength)
        && node.place.shares_block(other.place, shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::SymmetricMatrix;

    /// Groups of a row of cells along x with the given weights between neighbours.
    fn groups_of_chain(weights: &[f32], grounds: &[f32], shift: u32) -> (Vec<u32>, usize) {
        let count = grounds.len();
        let matrix = SymmetricMatrix::from_rows(count, |row, sink| {
            if row > 0 {
                sink.couple(row - 1, weights[row - 1]);
            }
            if row + 1 < count {
                sink.couple(row + 1, weights[row]);
            }
            sink.ground(grounds[row]);
        });
        let coordinates: Vec<[i32; 3]> = (0..count as i32).map(|x| [x, 0, 0]).collect();
        let (network, numbering) = Network::from_matrix(&matrix.unwrap(), &coordinates).unwrap();
        let groups = Aggregates::find(&network, shift, 1);
        for group in 0..groups.count() {
            for &member in groups.members(group) {
                assert_eq!(groups.group[member as usize], group as u32);
            }
            let expected = groups
                .members(group)
                .iter()
                .filter(|&&member| member as usize >= network.red);
            assert!(
                expected.eq(groups.transferred(group)),
                "the black members are transferred"
            );
        }
        let by_row = numbering
            .unknown
            .iter()
            .map(|&unknown| groups.group[unknown as usize]);
        (by_row.collect(), groups.count())
    }

    #[test]
    fn blocks_are_pairs_in_one_dimension_and_red_ones_come_first() {
        let (group, count) = groups_of_chain(&[1.0; 7], &[0.0; 8], 1);
        assert_eq!(count, 4);
        assert_eq!(group, [0, 0, 2, 2, 1, 1, 3, 3]);
        let (group, count) = groups_of_chain(&[1.0; 7], &[0.0; 8], 2);
        assert_eq!(count, 2);
        assert_eq!(group, [0, 0, 0, 0, 1, 1, 1, 1]);
    }

    #[test]
    fn a_wall_inside_a_block_separates() {
        // The wall between cells 2 and 3 lies inside their block; it is closed, or nearly so.
        for wall in [0.0, 0.05] {
            let (group, count) = groups_of_chain(&[1.0, 1.0, wall, 1.0, 1.0], &[0.0; 6], 1);
            assert_eq!(count, 4);
            assert_ne!(group[2], group[3]);
        }
        // Weights that are small on both sides are a cut cell, not a wall.
        let (group, count) = groups_of_chain(&[1.0, 0.05, 0.05, 0.05, 1.0], &[0.0; 6], 1);
        assert_eq!(count, 3);
        assert_eq!(group[2], group[3]);
    }

    #[test]
    fn unknowns_held_by_ground_and_lone_ones_are_left_out() {
        let (group, count) = groups_of_chain(&[1.0, 1.0, 1.0, 0.0], &[0.0, 0.0, 0.0, 5.0, 1.0], 1);
        assert_eq!(count, 2);
        assert_eq!(group, [0, 0, 1, 2, 2]);
    }
}
