//! The network of the next coarser level.
//!
//! With one value per group, the Galerkin product adds up the weights between groups. That is too stiff: it keeps the
//! weight of the faces between two blocks but not the longer way from centre to centre, twice as long for full blocks
//! (hence the over-correction of Braess 1995, and the factor ½ that cell-centred multigrid has for constant
//! interpolation). Here the way is accounted for where it exists: the weight between two groups is that of the faces
//! between them in series with half of each block. That gives ½ for full blocks, the exact ground for a surface at any
//! distance from the last cells, and leaves the leak through a narrow slit between two chambers as it is.
//!
//! Each weight is at least half of the Galerkin product's, so that a coarse correction overshoots by at most 2 and the
//! cycle stays positive definite (see the head of `multigrid`).

use rayon::prelude::*;

use super::aggregate::Aggregates;
use super::couplings::{Coupling, Couplings, RowBuilder};
use super::network::{Network, Node, Weights};
use crate::reduce::CHUNK;

/// Largest factor by which a coarse weight may fall below the sum of the weights it stands for.
const LEAST_WEIGHT: f32 = 0.5;

/// What a group's members have among themselves and towards zero.
#[derive(Debug, Clone, Copy, Default)]
struct Inside {
    /// Resistance from the group's centre to its face, by axis; 0 where the group is one cell thick.
    half: [f32; 3],
    ground: f32,
}

/// The network between groups.
pub(super) fn coarsen(fine: &Network, groups: &Aggregates) -> Network {
    let mut nodes = vec![Node::default(); groups.count()];
    let mut inside = vec![Inside::default(); groups.count()];
    let fill = |group: usize, node: &mut Node, inside: &mut Inside, builder: &mut RowBuilder| {
        let first = groups.members(group)[0] as usize;
        node.place = fine.nodes[first].place.block(groups.shift);
        *inside = sum_couplings(fine, groups, group, builder);
    };
    let mut couplings = Couplings::build(groups.red, &mut nodes, &mut inside, fill);
    couplings.update(&nodes, |group, node, column, weight| {
        let other = column as usize;
        match node.place.axis_to(nodes[other].place) {
            Some(axis) => {
                let way = inside[group].half[axis] + inside[other].half[axis];
                in_series(weight, way)
            }
            None => weight,
        }
    });
    let numbered = nodes.par_iter_mut().enumerate().with_min_len(CHUNK);
    numbered.for_each(|(group, node)| {
        let mut weights = Weights::default();
        for coupling in couplings.row(group, node) {
            weights.add(coupling.weight);
        }
        node.describe(f64::from(inside[group].ground), &weights);
    });
    Network {
        red: groups.red,
        nodes,
        couplings,
    }
}

/// Adds up the weights of a group's members: towards every other group, among themselves, and towards zero.
fn sum_couplings(
    fine: &Network,
    groups: &Aggregates,
    group: usize,
    builder: &mut RowBuilder,
) -> Inside {
    let mut across = [0.0f32; 3];
    let mut ground = 0.0;
    for &member in groups.members(group) {
        let node = &fine.nodes[member as usize];
        ground += node.ground;
        for Coupling { column, weight } in fine.row(member as usize) {
            let other = groups.group[column as usize];
            let other_place = fine.nodes[column as usize].place;
            if other as usize == group {
                if let Some(axis) = node.place.axis_to(other_place) {
                    // Each coupling is met from both ends; half the way has twice the conductance.
                    across[axis] += weight;
                }
            } else if other as usize == groups.count() {
                // Unknowns without a group are held near zero.
                ground += weight;
            } else {
                let inner = node.place.shares_block(other_place, groups.shift + 1);
                builder.add(other, weight, inner);
            }
        }
    }
    let half = across.map(|sum| if sum > 0.0 { 1.0 / sum } else { 0.0 });
    // Ground has no direction: it lies a mean half block away.
    let thick = across.iter().filter(|&&sum| sum > 0.0).count().max(1) as f32;
    let sum: f32 = across.iter().sum();
    let way = if sum > 0.0 { thick / sum } else { 0.0 };
    Inside {
        half,
        ground: in_series(ground, way),
    }
}

/// A weight in series with a resistance, but at least the least fraction of the weight.
fn in_series(weight: f32, resistance: f32) -> f32 {
    (weight / (1.0 + weight * resistance)).max(LEAST_WEIGHT * weight)
}
