//! Open shares of the faces of cells that a solid cuts.

use glam::IVec3;
use rayon::prelude::*;

use super::linear::quad_fraction;
use super::{Side, sides};
use crate::{Block, Field, FieldByAxis, face_fields};

/// For each face the share of its area where a level set on the nodes is not negative: the part outside a solid. Exact
/// where the level set is a plane, continuous in its values; 1 in tiles that do not exist. In a flat lattice the share
/// of an x or y face is that of its edge in the plane, the share of a z face that of its cell.
pub fn area_fractions(node_phi: &Field<f32>) -> FieldByAxis<f32> {
    let topology = node_phi.topology();
    let sides = sides(node_phi, 0.0);
    let mut faces = face_fields(topology, 1.0_f32);
    for (axis, faces) in faces.iter_mut().enumerate() {
        // The face's corners span the two other axes.
        let (first, second) = (IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]);
        faces.par_tiles_mut().with_min_len(4).for_each_init(
            || Block::new(topology, 1, 0.0),
            |block, (slot, tile)| match sides[slot] {
                Side::Outside => {}
                Side::Inside => tile.fill(0.0),
                Side::Mixed => {
                    block.load(node_phi, slot);
                    let offsets = [IVec3::ZERO, first, second, first + second]
                        .map(|step| block.at(step) - block.at(IVec3::ZERO));
                    for (local, share) in tile.iter_mut().enumerate() {
                        let lower = block.at(topology.local_cell(local));
                        let corners = offsets.map(|offset| block.values()[lower + offset]);
                        *share = 1.0 - quad_fraction(corners);
                    }
                }
            },
        );
    }
    faces
}
