//! Marker splatting: the surface of a liquid that is known by massless markers only (Carlson 2004, sec. 6.1 and fig. 25).
//!
//! Each marker adds a blob to a grid of twice the simulation's resolution. The thesis leaves the blob open; here all
//! markers have a wide one, of which the sum is 1 inside the liquid and one half at its surface, and lonely ones a narrow
//! one besides: a single marker makes its cell liquid and has to be seen.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_field::{Field, Lattice, Place, TopologyBuilder};
use rayon::prelude::*;

use crate::error::SurfaceError;
use crate::particles::{CellOrder, Kernel, TileBox, surroundings, validate_positions};

/// Radius of the wide blob in marker spacings.
const WIDE: f32 = 2.0;
/// Radius of the narrow blob in marker spacings.
const NARROW: f32 = 1.2;

/// How many times its volume a marker's narrow blob weighs, given how full its neighbourhood is: about as much as a lone
/// marker and a row of them need to have their volume, nothing in sheets and larger bodies.
fn narrow_weight(fill: f32) -> f32 {
    1.4 * (1.0 - fill / 0.4).max(0.0).powi(2)
}

/// A function that is negative where markers are, on the centres of a lattice with twice the resolution of `lattice`, for
/// example for [`crate::marching_cubes`] at level 0. A full cell has `markers_per_cell` markers.
///
/// Markers outside the lattice and the margin of eight cells around it are left out.
pub fn splat_markers(
    lattice: &Lattice,
    markers: &[Vec3],
    markers_per_cell: f32,
) -> Result<Field<f32>, SurfaceError> {
    if !(markers_per_cell > 0.0 && markers_per_cell.is_finite()) {
        return Err(SurfaceError::OutOfRange {
            name: "markers_per_cell",
            value: markers_per_cell,
            allowed: "finite and above 0",
        });
    }
    let dimensions = if lattice.flat { 2.0 } else { 3.0 };
    let spacing = lattice.cell_size * markers_per_cell.powf(-1.0 / dimensions);
    validate_positions(markers, spacing)?;
    let fine = Lattice::new(
        lattice.origin,
        0.5 * lattice.cell_size,
        2 * lattice.cells,
        lattice.flat,
    );
    let reach = WIDE * spacing;
    let margin = (reach / fine.cell_size).ceil() as i32 + 1;
    let builder = TopologyBuilder::new(fine);
    let known: Vec<Vec3> = markers
        .par_iter()
        .copied()
        .filter(|&marker| {
            let cell = fine.cell_of(marker);
            let flat_cell = if fine.flat { cell.with_z(0) } else { cell };
            let known =
                flat_cell.cmpge(IVec3::splat(-8)).all() && flat_cell.cmplt(fine.cells + 8).all();
            if known {
                builder.mark(flat_cell, margin);
            }
            known
        })
        .collect();
    let topology = Arc::new(builder.build());
    let order = CellOrder::new(&known, reach, fine.flat);
    let blobs: Vec<[Kernel; 2]> = surroundings(&order, spacing)
        .par_iter()
        .zip(order.positions())
        .map(|(around, &marker)| {
            [(WIDE, 1.0), (NARROW, narrow_weight(around.fill))].map(|(radius, weight)| {
                Kernel::round(marker, radius, weight, spacing, fine.flat, false)
            })
        })
        .collect();
    let mut field = Field::new(&topology, Place::Cell, 0.5);
    field.par_tiles_mut().for_each(|(slot, tile)| {
        let lower = fine.centre(topology.tile_lower(slot));
        let samples = TileBox {
            // Flat liquids are summed in the plane z = 0.
            lower: if fine.flat { lower.with_z(0.0) } else { lower },
            cell_size: fine.cell_size,
        };
        tile.fill(0.5);
        samples.for_each_near(&order, reach, |markers| {
            for blob in blobs[markers].iter().flatten() {
                samples.add_kernel(tile, blob, -1.0);
            }
        });
    });
    Ok(field)
}
