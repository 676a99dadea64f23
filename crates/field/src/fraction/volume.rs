//! Volume fractions of cells, faces and edges, consistent with one another.
//!
//! The level set is cut at twice the resolution, octant by octant, and every control volume (the cube of a cell's size
//! around a cell, face or edge) pools its eight octants: all fields hold the same liquid, at the same centre of mass.

use glam::Vec3A;
use ooze_commons::reduce;
use rayon::prelude::*;

use super::octants::{MARGIN, Octants};
use super::{Side, sides};
use crate::{Field, FieldByAxis, Place, Value, edge_fields, face_fields};

/// The share of liquid in the control volumes of cells, faces and edges.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeFractions {
    /// Around the centres of cells.
    pub cells: Field<f32>,
    /// Around the centres of faces.
    pub faces: FieldByAxis<f32>,
    /// Around the centres of edges.
    pub edges: FieldByAxis<f32>,
}

impl VolumeFractions {
    /// Octants that hold less than this hold nothing, which keeps slivers of mass out of linear systems.
    pub const SMALLEST_OCTANT: f32 = 0.02;

    /// The fractions in which a level set on cells or nodes is negative, slivers dropped.
    ///
    /// # Panics
    /// If the level set lives on faces or edges.
    pub fn of(phi: &Field<f32>) -> Self {
        Self::with_smallest_octant(phi, Self::SMALLEST_OCTANT)
    }

    /// The same with another limit for slivers.
    ///
    /// # Panics
    /// If the level set lives on faces or edges.
    pub fn with_smallest_octant(phi: &Field<f32>, smallest: f32) -> Self {
        let topology = phi.topology();
        let outside = if phi.outside() < 0.0 { 1.0 } else { 0.0 };
        let mut result = Self {
            cells: Field::new(topology, Place::Cell, outside),
            faces: face_fields(topology, outside),
            edges: edge_fields(topology, outside),
        };
        let sides = tile_sides(phi);
        let Self {
            cells,
            faces: [face_x, face_y, face_z],
            edges: [edge_x, edge_y, edge_z],
        } = &mut result;
        cells
            .par_tiles_mut()
            .zip(tiles(face_x))
            .zip(tiles(face_y))
            .zip(tiles(face_z))
            .zip(tiles(edge_x))
            .zip(tiles(edge_y))
            .zip(tiles(edge_z))
            .with_min_len(2)
            .for_each_init(
                || Octants::new(phi, smallest),
                |octants, (((((((slot, cells), fx), fy), fz), ex), ey), ez)| {
                    let targets = [
                        (Place::Cell, cells),
                        (Place::Face(0), fx),
                        (Place::Face(1), fy),
                        (Place::Face(2), fz),
                        (Place::Edge(0), ex),
                        (Place::Edge(1), ey),
                        (Place::Edge(2), ez),
                    ];
                    match sides[slot] {
                        Side::Outside => targets.into_iter().for_each(|(_, tile)| tile.fill(0.0)),
                        Side::Inside => targets.into_iter().for_each(|(_, tile)| tile.fill(1.0)),
                        Side::Mixed => {
                            octants.cut(phi, slot);
                            for (place, tile) in targets {
                                octants.pool(place, tile);
                            }
                        }
                    }
                },
            );
        result
    }
}

/// The share of each cell in which a level set on cells or nodes is negative, slivers and all.
///
/// # Panics
/// If the level set lives on faces or edges.
pub fn cell_fractions(phi: &Field<f32>) -> Field<f32> {
    cell_fractions_in(phi, |_| true)
}

/// [`cell_fractions`] in the tiles whose slots are chosen; others hold what cells in no tile do.
///
/// # Panics
/// If the level set lives on faces or edges.
pub fn cell_fractions_in(phi: &Field<f32>, chosen: impl Fn(usize) -> bool + Sync) -> Field<f32> {
    let outside = if phi.outside() < 0.0 { 1.0 } else { 0.0 };
    let mut cells = Field::new(phi.topology(), Place::Cell, outside);
    let sides = tile_sides(phi);
    cells.par_tiles_mut().with_min_len(4).for_each_init(
        || Octants::new(phi, 0.0),
        |octants, (slot, tile)| match sides[slot] {
            _ if !chosen(slot) => {}
            Side::Outside => tile.fill(0.0),
            Side::Inside => tile.fill(1.0),
            Side::Mixed => {
                octants.cut(phi, slot);
                octants.pool(Place::Cell, tile);
            }
        },
    );
    cells
}

/// [`cell_fractions`], and where the middle of what is negative lies in each cell, from the cell's centre, in cells.
///
/// # Panics
/// If the level set lives on faces or edges.
pub fn cell_fractions_and_middles(phi: &Field<f32>) -> (Field<f32>, Field<Vec3A>) {
    let outside = if phi.outside() < 0.0 { 1.0 } else { 0.0 };
    let mut cells = Field::new(phi.topology(), Place::Cell, outside);
    let mut middles = Field::new(phi.topology(), Place::Cell, Vec3A::ZERO);
    let sides = tile_sides(phi);
    cells
        .par_tiles_mut()
        .zip(tiles(&mut middles))
        .with_min_len(4)
        .for_each_init(
            || Octants::new(phi, 0.0),
            |octants, ((slot, shares), middles)| match sides[slot] {
                Side::Outside => shares.fill(0.0),
                Side::Inside => shares.fill(1.0),
                Side::Mixed => {
                    octants.cut(phi, slot);
                    octants.pool(Place::Cell, shares);
                    octants.middles(middles);
                }
            },
        );
    (cells, middles)
}

/// Volume that a level set on cells or nodes encloses within the tiles that exist, in cubic metres; a flat lattice counts
/// with its thickness. The sum of [`cell_fractions`].
///
/// # Panics
/// If the level set lives on faces or edges.
pub fn volume(phi: &Field<f32>) -> f64 {
    let cells = cell_fractions(phi);
    let topology = phi.topology();
    let sum = reduce::sum_indices(topology.tile_count(), |slot| {
        cells.tile(slot).iter().map(|&share| f64::from(share)).sum()
    });
    sum * topology.lattice().cell_volume()
}

fn tile_sides(phi: &Field<f32>) -> Vec<Side> {
    sides(phi, MARGIN * phi.topology().lattice().cell_size)
}

fn tiles<T: Value>(field: &mut Field<T>) -> impl IndexedParallelIterator<Item = &mut [T]> {
    field.par_tiles_mut().map(|(_, tile)| tile)
}
