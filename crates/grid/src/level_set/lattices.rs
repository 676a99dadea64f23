//! Between the two lattices: the level set lives on nodes of half the cell size, which lie on the cells' centres, faces,
//! edges and nodes (Goktekin 2011, fig. 3.9); pressure and velocity live on the cells and faces.

use std::iter;
use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_field::{
    Field, FieldByAxis, Lattice, Place, TILE_EDGE, Topology, TopologyBuilder, level_set,
};
use ooze_geometry::Aabb;

use crate::rigid_fluid::ImmersedBodies;

/// Cells around the liquid in which velocities are continued (Goktekin 2011, alg. 16).
pub(super) const BAND_CELLS: f32 = 5.0;
/// Cells around the liquid that tiles of cells must cover: the band and what stencils read.
const MARGIN_CELLS: i32 = 7;
/// Cells of the fine lattice along a cell.
pub(super) const FINE: i32 = 2;

/// The cells around a liquid, and how far they are from its surface.
pub(super) struct Cells {
    pub(super) topology: Arc<Topology>,
    /// The level set at cell centres: exact samples of it.
    pub(super) liquid: Field<f32>,
    /// Distance at cell centres over the whole band of continued velocities.
    pub(super) far: Field<f32>,
}

impl Cells {
    /// The cells around the liquid of a level set on the fine lattice.
    pub(super) fn around(phi: &Field<f32>, lattice: Lattice) -> Self {
        Self::around_both(phi, iter::empty(), lattice)
    }

    /// The same with the cells around what else moves as liquid does, in the tiles with these lowest cells.
    pub(super) fn around_both(
        phi: &Field<f32>,
        tiles: impl Iterator<Item = IVec3>,
        lattice: Lattice,
    ) -> Self {
        let builder = TopologyBuilder::new(lattice);
        for lower in tiles {
            builder.mark(lower + TILE_EDGE / 2, MARGIN_CELLS + TILE_EDGE / 2);
        }
        let fine = phi.topology();
        for slot in 0..fine.tile_count() {
            if phi.tile(slot).iter().any(|&value| value < 0.0) {
                let lower = fine.tile_lower(slot) >> 1;
                builder.mark(lower, MARGIN_CELLS);
                builder.mark(lower + 3, MARGIN_CELLS);
            }
        }
        let topology = Arc::new(builder.build());
        let liquid = at_centres(phi, &topology);
        let mut far = liquid.clone();
        level_set::reinitialise(&mut far, (BAND_CELLS + 1.5) * lattice.cell_size);
        Self {
            topology,
            liquid,
            far,
        }
    }

    /// Has bodies be a part of the liquid.
    pub(super) fn flood(&mut self, bodies: &ImmersedBodies) {
        bodies.flood(&mut self.liquid);
        bodies.flood(&mut self.far);
    }

    /// Another level set of the fine lattice at the centres of these cells.
    pub(super) fn level_set(&self, phi: &Field<f32>) -> Field<f32> {
        at_centres(phi, &self.topology)
    }

    /// Distance at the centres of faces, over the whole band.
    pub(super) fn face_distances(&self) -> FieldByAxis<f32> {
        std::array::from_fn(|axis| {
            Field::from_cells(
                &self.topology,
                Place::Face(axis),
                self.far.outside(),
                |cell| 0.5 * (self.far.get(cell) + self.far.get(cell - IVec3::AXES[axis])),
            )
        })
    }
}

/// A level set of the fine lattice at the centres of cells.
fn at_centres(phi: &Field<f32>, topology: &Arc<Topology>) -> Field<f32> {
    Field::from_cells(topology, Place::Cell, phi.outside(), |cell| {
        phi.get(centre_node(cell))
    })
}

/// The node of the fine lattice at a cell's centre.
#[inline]
pub(super) fn centre_node(cell: IVec3) -> IVec3 {
    FINE * cell + 1
}

/// The node of the fine lattice at the centre of a cell's lower face along an axis.
#[inline]
pub(super) fn face_node(axis: usize, cell: IVec3) -> IVec3 {
    centre_node(cell) - IVec3::AXES[axis]
}

/// A level set on its own tiles and those that a box and `reach` fine cells around it touch.
pub(super) fn with_region(phi: &Field<f32>, region: Aabb, reach: i32) -> Field<f32> {
    let topology = phi.topology();
    let lattice = *topology.lattice();
    let builder = TopologyBuilder::new(lattice);
    for slot in 0..topology.tile_count() {
        builder.mark(topology.tile_lower(slot), 0);
    }
    // Tiles reach less than one tile beyond the domain.
    let clip = |point: Vec3| {
        let cell = lattice
            .to_cells(point)
            .clamp(Vec3::splat(-8.0), lattice.cells.as_vec3() + 7.0);
        ooze_field::floor(cell)
    };
    if !region.is_empty() {
        let (lower, upper) = (clip(region.lower) - reach, clip(region.upper) + reach);
        let axis = |axis: usize| (lower[axis]..upper[axis] + 8).step_by(8);
        for z in axis(2) {
            for y in axis(1) {
                for x in axis(0) {
                    builder.mark(IVec3::new(x, y, z).min(upper), 0);
                }
            }
        }
    }
    phi.on_tiles(&Arc::new(builder.build()))
}
