//! The network of the next coarser level.
//!
//! With one value per group, the Galerkin product adds up the weights between groups. That is too stiff: it keeps the
//! weight of the faces between two blocks but not the longer way from centre to centre, twice as long for full blocks
//! (hence the over-correction of Braess 1995 and the factor ½ of Weber et al. 2015). Here the way is accounted for
//! where it exists: the weight between two groups is that of the faces between them in series with half of each block,
//! which gives ½ for full blocks, the exact ground for a surface at any distance from the last cells, and leaves the
//! leak through a narrow slit between two chambers as it is.
//!
//! Each weight is at least half of the Galerkin product's, so a coarse correction overshoots by at most 2 and the
//! cycle stays positive definite (see the head of `multigrid`).

use rayon::prelude::*;

use super::aggregate::Aggregates;
use super::network::Network;
use super::rows::{Entry, Rows};
use crate::reduce::CHUNK;

/// Largest factor by which a coarse weight may fall below the sum of the weights it stands for.
const LEAST_WEIGHT: f32 = 0.5;

/// What a group's members have among themselves and towards zero.
#[derive(Clone, Copy, Default)]
struct Inside {
    /// Conductance from the group's centre to its face, by axis; infinite where the group is one cell thick.
    half: [f32; 3],
    ground: f32,
}

/// The network between groups.
pub(super) fn coarsen(fine: &Network, groups: &Aggregates) -> Network {
    let inside: Vec<Inside> = (0..groups.count())
        .into_par_iter()
        .with_min_len(CHUNK / 8)
        .map(|group| look_inside(fine, groups, group))
        .collect();
    let place: Vec<_> = (0..groups.count())
        .into_par_iter()
        .with_min_len(CHUNK)
        .map(|group| fine.place[groups.members(group)[0] as usize].block(groups.shift))
        .collect();
    let mut ground = vec![0.0; groups.count()];
    let rows = Rows::build_with(&mut ground, |group, ground, entries| {
        *ground = inside[group].ground;
        let first = entries.len();
        sum_couplings(fine, groups, group, entries);
        for entry in &mut entries[first..] {
            if let Some(axis) = place[group].axis_to(place[entry.column as usize]) {
                let way = [
                    inside[group].half[axis],
                    inside[entry.column as usize].half[axis],
                ];
                entry.weight = in_series(entry.weight, way[0].min(way[1]), way[0].max(way[1]));
            }
        }
    });
    Network {
        red: groups.red,
        place,
        rows,
        ground,
    }
}

/// Adds up the weights towards every other group.
fn sum_couplings(fine: &Network, groups: &Aggregates, group: usize, entries: &mut Vec<Entry>) {
    let first = entries.len();
    for &member in groups.members(group) {
        for entry in fine.rows.row(member as usize) {
            let other = groups.group[entry.column as usize];
            if other as usize == group || other as usize == groups.count() {
                continue;
            }
            match entries[first..]
                .iter_mut()
                .find(|entry| entry.column == other)
            {
                Some(sum) => sum.weight += entry.weight,
                None => entries.push(Entry {
                    column: other,
                    weight: entry.weight,
                }),
            }
        }
    }
}

fn look_inside(fine: &Network, groups: &Aggregates, group: usize) -> Inside {
    let mut across = [0.0; 3];
    let mut ground = 0.0;
    for &member in groups.members(group) {
        ground += fine.ground[member as usize];
        for entry in fine.rows.row(member as usize) {
            let other = groups.group[entry.column as usize] as usize;
            if other == groups.count() {
                // Unknowns that take no part are held near zero.
                ground += entry.weight;
            } else if other == group
                && let Some(axis) =
                    fine.place[member as usize].axis_to(fine.place[entry.column as usize])
            {
                // Each coupling is met from both ends, and half the way has twice the conductance.
                across[axis] += entry.weight;
            }
        }
    }
    let thick = across.iter().filter(|&&sum| sum > 0.0).count();
    let mean = if thick == 0 {
        f32::INFINITY
    } else {
        across.iter().sum::<f32>() / thick as f32
    };
    let half = across.map(|sum| if sum > 0.0 { sum } else { f32::INFINITY });
    Inside {
        half,
        ground: if ground > 0.0 {
            in_series(ground, mean, f32::INFINITY)
        } else {
            0.0
        },
    }
}

/// A weight in series with two others, but at least the least fraction of it.
fn in_series(weight: f32, smaller: f32, larger: f32) -> f32 {
    let whole = 1.0 / (1.0 / weight + 1.0 / smaller + 1.0 / larger);
    whole.max(LEAST_WEIGHT * weight)
}
