//! How much liquid belongs to each face, cell and edge.

use std::sync::Arc;

use glam::IVec3;
use ooze_field::fraction::VolumeFractions;
use ooze_field::{Block, Field, FieldByAxis, Place, Topology, edge_fields, face_fields};
use rayon::prelude::*;

/// Shares of liquid, from 0 to 1. The liquid goes on inside walls (Batty & Bridson 2008, sec. 5.2).
pub(super) struct Weights {
    pub(super) cells: Field<f32>,
    pub(super) faces: FieldByAxis<f32>,
    pub(super) edges: FieldByAxis<f32>,
}

impl Weights {
    /// The volume fractions of a level set.
    pub(super) fn by_volume(liquid: &Field<f32>) -> Self {
        let VolumeFractions {
            cells,
            faces,
            edges,
        } = VolumeFractions::of(liquid);
        Self {
            cells,
            faces,
            edges,
        }
    }

    /// Whole cells: a cell is full or empty, a face belongs to the liquid if a cell beside it is full, and there is
    /// shear stress only at edges with full cells all around, which is the tangential condition of Nichols & Hirt 1971 at
    /// a surface of whole cells.
    pub(super) fn by_whole_cells(liquid: &Field<f32>) -> Self {
        let topology = liquid.topology();
        let full = |around: &Block<f32>, local: IVec3| around.get(local) < 0.0;
        Self {
            cells: fill(topology, Place::Cell, liquid, |around, local| {
                full(around, local)
            }),
            faces: by_axis(face_fields(topology, 0.0), liquid, |axis, around, local| {
                full(around, local) || full(around, local - IVec3::AXES[axis])
            }),
            edges: by_axis(edge_fields(topology, 0.0), liquid, |axis, around, local| {
                let (across, along) = (IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]);
                [IVec3::ZERO, across, along, across + along]
                    .into_iter()
                    .all(|step| full(around, local - step))
            }),
        }
    }

    /// The same faces, and everything that touches one of them counts in full, the air beside it included.
    pub(super) fn with_air(liquid: &Field<f32>) -> Self {
        let topology = liquid.topology();
        Self {
            cells: Field::from_cells(topology, Place::Cell, 0.0, |_| 1.0),
            edges: edge_fields(topology, 0.0)
                .map(|field| Field::from_cells(topology, field.place(), 0.0, |_| 1.0)),
            ..Self::by_whole_cells(liquid)
        }
    }
}

fn by_axis(
    blank: FieldByAxis<f32>,
    liquid: &Field<f32>,
    test: impl Fn(usize, &Block<f32>, IVec3) -> bool + Sync,
) -> FieldByAxis<f32> {
    let mut axis = 0;
    blank.map(|field| {
        let filled = fill(liquid.topology(), field.place(), liquid, |around, local| {
            test(axis, around, local)
        });
        axis += 1;
        filled
    })
}

/// One where `test` holds, given the level set around each cell.
fn fill(
    topology: &Arc<Topology>,
    place: Place,
    liquid: &Field<f32>,
    test: impl Fn(&Block<f32>, IVec3) -> bool + Sync,
) -> Field<f32> {
    let mut field = Field::new(topology, place, 0.0);
    field.par_tiles_mut().for_each_init(
        || Block::new(topology, 1, 0.0),
        |block, (slot, tile)| {
            block.load(liquid, slot);
            for (local, value) in tile.iter_mut().enumerate() {
                *value = f32::from(u8::from(test(block, topology.local_cell(local))));
            }
        },
    );
    field
}
