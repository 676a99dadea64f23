//! The network of the next coarser level.
//!
//! With one value per group, the Galerkin product adds up the weights between groups. That is too stiff: it keeps the
//! weight of the faces between two blocks but not the longer way from centre to centre, twice as long for full blocks
//! (hence the over-correction of Braess 1995, and the factor ½ that cell-centred multigrid has for constant
//! interpolation). Here the way is accounted for where it exists: the weight between two groups is that of the faces
//! between them in series with half of each block. That gives ½ for full blocks, the exact ground for a surface half a
//! cell or more beyond the last centres, and leaves the leak through a narrow slit between two chambers as it is.
//!
//! Each weight is at least half of the Galerkin product's, so that a coarse correction overshoots by at most 2 and the
//! cycle stays positive definite (see the head of `multigrid`).

use ooze_commons::reduce::CHUNK;
use rayon::prelude::*;

use super::aggregate::Aggregates;
use super::couplings::{Coupling, Couplings, RowBuilder};
use super::network::{Network, Node, Weights};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::SymmetricMatrix;

    /// A box of cells with unit weights, closed but for a surface above its top, at a distance θ.
    fn tank(extent: [i32; 3], theta: f32) -> Network {
        let [width, height, depth] = extent;
        let cell = |i: i32| [i % width, i / width % height, i / (width * height)];
        let coordinates: Vec<[i32; 3]> = (0..width * height * depth).map(cell).collect();
        let stride = [1, width, width * height];
        let matrix = SymmetricMatrix::from_rows(coordinates.len(), |row, sink| {
            for axis in 0..3 {
                let place = coordinates[row][axis];
                if place > 0 {
                    sink.couple(row - stride[axis] as usize, 1.0);
                }
                if place + 1 < extent[axis] {
                    sink.couple(row + stride[axis] as usize, 1.0);
                } else if axis == 1 {
                    sink.ground(1.0 / theta);
                }
            }
        });
        let network = Network::from_matrix(&matrix.unwrap(), &coordinates);
        network.unwrap().0
    }

    /// The finite-volume matrix on cells twice as large: weights grow by area over distance, 4 / 2, and a surface at
    /// θ from the fine centres is θ + ½ from the coarse ones.
    #[test]
    fn full_blocks_give_the_coarser_discretisation() {
        for theta in [0.5f32, 0.75, 1.0] {
            let mut network = tank([16, 16, 16], theta);
            let mut scale = 1.0;
            let mut distance = theta;
            for _ in 0..3 {
                let groups = Aggregates::find(&network, 1, 1);
                assert_eq!(8 * groups.count(), network.size());
                network = coarsen(&network, &groups);
                scale *= 2.0;
                distance = 0.5 * distance + 0.25;
                for unknown in 0..network.size() {
                    for coupling in network.row(unknown) {
                        assert!((coupling.weight - scale).abs() < 1e-5 * scale);
                    }
                    let ground = network.nodes[unknown].ground;
                    let expected = scale / distance;
                    assert!(ground == 0.0 || (ground - expected).abs() < 1e-5 * expected);
                }
            }
        }
    }

    #[test]
    fn a_slab_is_coarsened_in_its_plane_only() {
        let network = tank([16, 16, 1], 1.0);
        let groups = Aggregates::find(&network, 1, 1);
        assert_eq!(groups.count(), 64);
        let coarse = coarsen(&network, &groups);
        for unknown in 0..coarse.size() {
            for coupling in coarse.row(unknown) {
                assert!((coupling.weight - 1.0).abs() < 1e-6);
            }
        }
    }

    /// Two full chambers with a small hole between them: the coarse weight is that of the hole.
    #[test]
    fn a_leak_stays_a_leak() {
        let leak = 1e-3;
        let coordinates: Vec<[i32; 3]> = (0..16).map(|i| [i % 4, i / 4 % 2, i / 8]).collect();
        let matrix = SymmetricMatrix::from_rows(16, |row, sink| {
            for (column, place) in coordinates.iter().enumerate() {
                let distance: i32 = (0..3)
                    .map(|axis| (place[axis] - coordinates[row][axis]).abs())
                    .sum();
                if distance == 1 {
                    let through_wall = (place[0] < 2) != (coordinates[row][0] < 2);
                    let hole = place[1] == 0 && place[2] == 0;
                    sink.couple(
                        column,
                        if !through_wall {
                            1.0
                        } else if hole {
                            leak
                        } else {
                            0.0
                        },
                    );
                }
            }
        });
        let (network, _) = Network::from_matrix(&matrix.unwrap(), &coordinates).unwrap();
        let groups = Aggregates::find(&network, 1, 1);
        assert_eq!(groups.count(), 2);
        let coarse = coarsen(&network, &groups);
        let row: Vec<Coupling> = coarse.row(0).collect();
        assert_eq!(row.len(), 1);
        assert!((row[0].weight - leak).abs() < 1e-3 * leak);
        assert!(coarse.nodes.iter().all(|node| node.ground == 0.0));
    }
}
