//! Open shares of the faces of cells that a solid cuts.

use rayon::prelude::*;

use super::linear::quad_fraction;
use super::rows::Rows;
use super::{Side, sides};
use crate::{Block, Field, FieldByAxis, face_fields};

/// For each face the share of its area where a level set on the nodes is not negative: the part outside a solid. Exact
/// where the level set is a plane, continuous in its values; 1 in tiles that do not exist. In a flat lattice the share
/// of an x or y face is that of its edge in the plane, the share of a z face that of its cell.
pub fn area_fractions(node_phi: &Field<f32>) -> FieldByAxis<f32> {
    let topology = node_phi.topology();
    let sides = sides(node_phi, 0.0);
    let mut faces = face_fields(topology, 1.0_f32);
    let [x, y, z] = &mut faces;
    x.par_tiles_mut()
        .zip(y.par_tiles_mut())
        .zip(z.par_tiles_mut())
        .with_min_len(4)
        .for_each_init(
            || (Block::new(topology, 1, 0.0), Rows::new()),
            |(block, rows), (((slot, x), (_, y)), (_, z))| match sides[slot] {
                Side::Outside => {}
                Side::Inside => [x, y, z].into_iter().for_each(|tile| tile.fill(0.0)),
                Side::Mixed => {
                    block.load(node_phi, slot);
                    rows.load(block, 0.0);
                    for (axis, tile) in [x, y, z].into_iter().enumerate() {
                        cut_faces(block, rows, axis, tile);
                    }
                }
            },
        );
    faces
}

/// The open shares of a tile's faces normal to `axis`, all of which are 1 at first.
fn cut_faces(block: &Block<f32>, rows: &Rows, axis: usize, tile: &mut [f32]) {
    let strides = block.strides();
    // The face's corners span the two other axes.
    let (first, second) = (strides[(axis + 1) % 3], strides[(axis + 2) % 3]);
    let spans = std::array::from_fn(|other| other != axis);
    for (row, shares) in tile.chunks_exact_mut(8).enumerate() {
        // The tile begins one sample into the block.
        let (y, z) = (row % 8 + 1, row / 8 + 1);
        let uniform = rows.uniform(y, z, spans);
        let lower = y * strides[1] + z * strides[2] + 1;
        for (x, share) in shares.iter_mut().enumerate() {
            if uniform.inside >> (x + 1) & 1 == 1 {
                *share = 0.0;
            } else if uniform.outside >> (x + 1) & 1 == 0 {
                let offsets = [0, first, second, first + second];
                let corners = offsets.map(|offset| block.values()[lower + x + offset]);
                *share = 1.0 - quad_fraction(corners);
            }
        }
    }
}
