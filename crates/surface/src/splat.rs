//! Marker splatting: the surface of a liquid that is known by massless markers only (Carlson 2004, sec. 6.1 and fig. 25).
//!
//! Each marker adds a blob to a grid of twice the simulation's resolution. The thesis leaves the blob open; here there
//! are two: a wide one, whose sum is 1 inside the liquid and one half at its surface, and a narrow one that lets a lone
//! marker, which makes its cell liquid after all, be seen. The larger sum of the two counts.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_field::{Field, Lattice, Place, TopologyBuilder};
use rayon::prelude::*;

use crate::error::SurfaceError;
use crate::particles::{CellOrder, Kernel, TileBox, validate_positions};

/// Radius of the wide blob in marker spacings.
const WIDE: f32 = 2.0;
/// Radius of the narrow blob in marker spacings.
const NARROW: f32 = 1.2;
/// Weight of the narrow blob, with which a lone one is as large as a marker's share of the liquid.
const NARROW_WEIGHT: f32 = 1.6;

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
    let mut field = Field::new(&topology, Place::Cell, 0.5);
    field.par_tiles_mut().for_each(|(slot, tile)| {
        let lower = fine.centre(topology.tile_lower(slot));
        let samples = TileBox {
            // Flat liquids are summed in the plane z = 0.
            lower: if fine.flat { lower.with_z(0.0) } else { lower },
            cell_size: fine.cell_size,
        };
        let mut wide = vec![0.0; tile.len()];
        let mut narrow = vec![0.0; tile.len()];
        samples.for_each_near(&order, reach, |markers| {
            for &marker in &order.positions()[markers] {
                let blob = |radius, weight| {
                    Kernel::round(marker, radius, weight, spacing, fine.flat, false)
                };
                samples.add_kernel(&mut wide, &blob(WIDE, 1.0), 1.0);
                samples.add_kernel(&mut narrow, &blob(NARROW, NARROW_WEIGHT), 1.0);
            }
        });
        for ((value, wide), narrow) in tile.iter_mut().zip(wide).zip(narrow) {
            *value = 0.5 - wide.max(narrow);
        }
    });
    Ok(field)
}
