//! Groups of unknowns that share a value on the next level.
//!
//! A group is a connected component, along strong couplings, of the unknowns in one block of 2³ cells (4³ ... where
//! that joins too few). Unknowns on two sides of a thin wall are thus never joined, however small the cells' block.
//! Unknowns that are held by ground at least as much as by their neighbours, and those without neighbours, take no
//! part: smoothing alone reduces their error by half and more.

use rayon::prelude::*;

use super::network::Network;
use super::place::Place;
use crate::reduce::CHUNK;

/// Couplings below this fraction of the weaker side's strongest coupling are not joined.
const STRONG: f32 = 0.1;

/// Groups of unknowns, see the file's head; numbered by colour of their block, red first.
#[derive(Debug, Default)]
pub(super) struct Aggregates {
    /// Number of groups with a red block.
    pub(super) red: usize,
    /// Where the members of each group start in `member`, and where the last ones end.
    pub(super) start: Vec<u32>,
    pub(super) member: Vec<u32>,
    /// The group of each unknown; the number of groups for those that take no part.
    pub(super) group: Vec<u32>,
    /// Blocks are `2^shift` cells a side.
    pub(super) shift: u32,
}

/// The groups found among the unknowns of one chunk, for one colour.
#[derive(Default)]
struct Found {
    size: Vec<u32>,
    member: Vec<u32>,
}

impl Aggregates {
    /// Groups the unknowns of a network.
    pub(super) fn find(network: &Network, shift: u32) -> Self {
        let strength = strengths(network);
        let chunks: Vec<[Found; 2]> = (0..network.size().div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut found = [Found::default(), Found::default()];
                let mut members = Vec::new();
                for unknown in chunk * CHUNK..network.size().min((chunk + 1) * CHUNK) {
                    if collect(network, &strength, shift, unknown, &mut members) {
                        let found = &mut found[network.place[unknown].block(shift).colour()];
                        found.size.push(members.len() as u32);
                        found.member.extend_from_slice(&members);
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
                groups.member.extend_from_slice(&chunk[colour].member);
            }
            if colour == 0 {
                groups.red = groups.count();
            }
        }
        groups.group = vec![groups.count() as u32; unknowns];
        for group in 0..groups.count() {
            for &member in
                &groups.member[groups.start[group] as usize..groups.start[group + 1] as usize]
            {
                groups.group[member as usize] = group as u32;
            }
        }
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
}

/// The strongest coupling of each unknown that takes part, 0 for those that do not.
fn strengths(network: &Network) -> Vec<f32> {
    (0..network.size())
        .into_par_iter()
        .with_min_len(CHUNK)
        .map(|unknown| {
            let (mut sum, mut strongest) = (0.0, 0.0f32);
            for entry in network.rows.row(unknown) {
                sum += entry.weight;
                strongest = strongest.max(entry.weight);
            }
            if network.ground[unknown] >= sum {
                0.0
            } else {
                strongest
            }
        })
        .collect()
}

/// Collects the group of an unknown, if the unknown is the first of its group; false if it is not.
fn collect(
    network: &Network,
    strength: &[f32],
    shift: u32,
    first: usize,
    members: &mut Vec<u32>,
) -> bool {
    if strength[first] == 0.0 {
        return false;
    }
    let key = |unknown: usize| -> (Place, usize) { (network.place[unknown], unknown) };
    members.clear();
    members.push(first as u32);
    let mut next = 0;
    while next < members.len() {
        let unknown = members[next] as usize;
        next += 1;
        for entry in network.rows.row(unknown) {
            let other = entry.column as usize;
            // The comparison is false for a neighbour that takes no part, as its strength is zero.
            let strong = entry.weight > STRONG * strength[unknown].min(strength[other])
                && strength[other] > 0.0;
            if !strong || !network.place[first].shares_block(network.place[other], shift) {
                continue;
            }
            if key(other) < key(first) {
                return false;
            }
            if !members.contains(&entry.column) {
                members.push(entry.column);
            }
        }
    }
    true
}
