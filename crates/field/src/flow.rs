//! A velocity on faces as vectors at nodes of half the cell size, which are quicker to read.

use glam::{Vec3, Vec3A};

use crate::{Block, FieldByAxis, Reader, TILE_EDGE};

/// Nodes along an edge of a tile.
const EDGE: usize = 2 * TILE_EDGE as usize;
/// Nodes along an edge of a tile, both ends included.
const NODES: usize = EDGE + 1;
/// Cells along an edge of a tile with a rim of one.
const CELLS: usize = TILE_EDGE as usize + 2;

/// The vectors of [`crate::sample_faces`], zero where there are no tiles.
///
/// Components interpolated from faces bend at faces along their own axis and halfway between faces across it: between nodes of
/// half the cell size none bends, so that interpolating the whole vector there gives the same.
#[derive(Clone, Debug)]
pub struct Flow {
    nodes: Reader<Vec3A, EDGE>,
}

impl Flow {
    /// Gathers a velocity from its faces.
    pub fn new(faces: &FieldByAxis<f32>) -> Self {
        let topology = faces[0].topology();
        let scratch = || Block::new(topology, 1, 0.0);
        let outside = Vec3A::from_array(faces.each_ref().map(|field| field.outside()));
        let nodes = Reader::new(
            topology,
            Vec3::ZERO,
            outside,
            scratch,
            |block, slot, nodes| {
                for (axis, field) in faces.iter().enumerate() {
                    block.load(field, slot);
                    spread(block.values(), axis, nodes);
                }
            },
        );
        Self { nodes }
    }

    /// The velocity at a point.
    #[inline]
    pub fn at(&self, point: Vec3) -> Vec3 {
        self.nodes.sample(point).into()
    }
}

/// The two samples between which a node lies along an axis, counted in a tile with a rim of one: samples are on faces along
/// their own axis, in the middle between them across it. Twice the same where the node is on one.
#[inline]
fn around(node: usize, on_faces: bool) -> [usize; 2] {
    if on_faces {
        [1 + node / 2, 1 + node.div_ceil(2)]
    } else {
        [node.div_ceil(2), 1 + node / 2]
    }
}

/// Writes one component of a tile's nodes, given its faces with a rim of one: means along z, then y, then x.
fn spread(faces: &[f32], axis: usize, nodes: &mut [Vec3A]) {
    let mut plane = [0.0; CELLS * CELLS];
    let mut row = [0.0; CELLS];
    for (z, nodes) in nodes.chunks_exact_mut(NODES * NODES).enumerate() {
        let [below, above] =
            around(z, axis == 2).map(|cell| &faces[cell * CELLS * CELLS..][..CELLS * CELLS]);
        mean(below, above, &mut plane);
        for (y, nodes) in nodes.chunks_exact_mut(NODES).enumerate() {
            let [below, above] = around(y, axis == 1).map(|cell| &plane[cell * CELLS..][..CELLS]);
            mean(below, above, &mut row);
            for (x, node) in nodes.iter_mut().enumerate() {
                let [below, above] = around(x, axis == 0).map(|cell| row[cell]);
                node[axis] = 0.5 * (below + above);
            }
        }
    }
}

#[inline]
fn mean(below: &[f32], above: &[f32], target: &mut [f32]) {
    for ((below, above), target) in below.iter().zip(above).zip(target) {
        *target = 0.5 * (below + above);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::IVec3;

    use super::*;
    use crate::random::uniform;
    use crate::{Field, Lattice, Place, TopologyBuilder, sample_faces};

    #[test]
    fn reads_equal_those_of_the_faces() {
        for flat in [false, true] {
            let lattice = Lattice::new(Vec3::new(0.3, -0.2, 0.0), 0.25, IVec3::splat(24), flat);
            let builder = TopologyBuilder::new(lattice);
            builder.mark(IVec3::new(10, 10, 10), 5);
            let topology = Arc::new(builder.build());
            let faces: FieldByAxis<f32> = std::array::from_fn(|axis| {
                Field::from_cells(&topology, Place::Face(axis), 0.0, |cell| {
                    let key = cell.dot(IVec3::new(1, 1000, 1_000_000)) as u64;
                    uniform(axis as u64, key)
                })
            });
            let flow = Flow::new(&faces);
            for index in 0..4000 {
                let pick = |axis| 8.0 + 7.9 * (2.0 * uniform(axis, index) - 1.0);
                let point = lattice.to_world(Vec3::new(pick(7), pick(8), pick(9)));
                let (read, expected) = (flow.at(point), sample_faces(&faces, point));
                assert!(
                    read.abs_diff_eq(expected, 2e-5),
                    "{point}: {read} {expected}"
                );
            }
        }
    }
}
