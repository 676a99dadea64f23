//! What pressure and velocity do in the cells that the free surface passes through, and in the air around.

use glam::IVec3;
use ooze_field::level_set::{extend_faces, extrapolate_faces, march_faces_outward};
use ooze_field::{Field, FieldByAxis, Place};
use rayon::prelude::*;

use super::SurfaceTreatment;
use super::lattices::BAND_CELLS;
use crate::boundary::Boundary;
use crate::face_velocity::FaceVelocity;

/// Layers of faces that velocities are continued by where no distance leads: inside walls.
const WALL_LAYERS: u32 = 4;

/// The level set that the pressure solve sees, if it is another. Where it is zero, pressure is zero at the cell's centre.
pub(super) fn pressure_cells(
    liquid: &Field<f32>,
    treatment: SurfaceTreatment,
) -> Option<Field<f32>> {
    if treatment == SurfaceTreatment::Ghost {
        return None;
    }
    let seen = Field::from_cells(liquid.topology(), Place::Cell, 0.0, |cell| {
        let value = liquid.get(cell);
        let free = treatment == SurfaceTreatment::Lively && is_surface_cell(liquid, cell);
        if free { 0.0 } else { value.min(0.0) }
    });
    Some(seen)
}

/// Whether a cell is liquid and has a neighbour of air.
fn is_surface_cell(liquid: &Field<f32>, cell: IVec3) -> bool {
    let axes = liquid.topology().lattice().axes();
    let neighbours = IVec3::AXES
        .into_iter()
        .take(axes)
        .flat_map(|step| [-step, step]);
    liquid.get(cell) < 0.0
        && neighbours
            .into_iter()
            .any(|step| liquid.get(cell + step) >= 0.0)
}

/// In the lively treatment, lets the faces between surface cells and air carry what flows into the cells, in equal parts
/// (Carlson 2004, sec. 3.2.3.4, after Foster & Metaxas 1996). Such a face belongs to one surface cell only.
pub(super) fn enforce_continuity(
    grid: &mut FaceVelocity,
    liquid: &Field<f32>,
    boundary: &Boundary,
    treatment: SurfaceTreatment,
) {
    if treatment != SurfaceTreatment::Lively {
        return;
    }
    let topology = liquid.topology().clone();
    let axes = liquid.topology().lattice().axes();
    let source = grid.velocity.clone();
    // What each open face towards air of a surface cell must carry in addition, outward.
    let excess = Field::from_cells(&topology, Place::Cell, 0.0f32, |cell| {
        if !is_surface_cell(liquid, cell) {
            return 0.0;
        }
        let (mut inflow, mut free) = (0.0, 0.0);
        for side in 0..2 * axes {
            let (axis, up) = (side / 2, side % 2 == 1);
            let step = IVec3::AXES[axis];
            let (face, other) = if up {
                (cell + step, cell + step)
            } else {
                (cell, cell - step)
            };
            let open = boundary.open[axis].get(face);
            let wall = boundary.wall_velocity[axis].get(face);
            let flux = open * source[axis].get(face) + (1.0 - open) * wall;
            inflow += if up { -flux } else { flux };
            if liquid.get(other) >= 0.0 {
                free += open;
            }
        }
        if free > 0.0 { inflow / free } else { 0.0 }
    });
    for axis in 0..axes {
        let step = IVec3::AXES[axis];
        grid.velocity[axis]
            .par_tiles_mut()
            .for_each(|(slot, tile)| {
                for (local, value) in tile.iter_mut().enumerate() {
                    let face = topology.cell(slot, local);
                    match (liquid.get(face - step) < 0.0, liquid.get(face) < 0.0) {
                        (true, false) => *value += excess.get(face - step),
                        (false, true) => *value -= excess.get(face),
                        _ => {}
                    }
                }
            });
    }
}

/// Continues velocities over the band around the liquid by marching, and into walls layer by layer.
pub(super) fn continue_outward(
    velocity: &mut FieldByAxis<f32>,
    known: &mut FieldByAxis<u8>,
    distances: &FieldByAxis<f32>,
    cell_size: f32,
) {
    march_faces_outward(velocity, known, distances, BAND_CELLS * cell_size);
    extrapolate_faces(velocity, known, WALL_LAYERS);
}

/// Extends velocities along the normals of a level set (Carlson 2004, eq. 92).
pub(super) fn extend(grid: &mut FaceVelocity, phi: &Field<f32>, cell_size: f32) {
    let width = BAND_CELLS.min(phi.outside() / cell_size);
    extend_faces(&mut grid.velocity, &mut grid.known, phi, width);
}

/// Gives the faces between liquid and air new velocities, extended along the normals of the surface where it is now, as the
/// smooth treatment wants it (Carlson 2004, sec. 6.3.1).
pub(super) fn renew(grid: &mut FaceVelocity, liquid: &Field<f32>, phi: &Field<f32>) {
    let topology = liquid.topology().clone();
    for (axis, known) in grid.known.iter_mut().enumerate() {
        let step = IVec3::AXES[axis];
        known.par_tiles_mut().for_each(|(slot, tile)| {
            for (local, known) in tile.iter_mut().enumerate() {
                let face = topology.cell(slot, local);
                if (liquid.get(face) < 0.0) != (liquid.get(face - step) < 0.0) {
                    *known = 0;
                }
            }
        });
    }
    extend(grid, phi, topology.lattice().cell_size);
}
