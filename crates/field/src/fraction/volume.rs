//! Volume fractions of cells, faces and edges, consistent with one another.
//!
//! The level set is cut at twice the resolution, octant by octant, and every control volume (the cube of a cell's size
//! around a cell, face or edge) pools its eight octants: all fields hold the same liquid.

use glam::Vec3;
use rayon::prelude::*;

use super::linear::linear_fraction;
use super::{Side, sides};
use crate::{Block, Field, FieldByAxis, Place, Value, edge_fields, face_fields};

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

/// Octants along an edge of a tile with those around it: nine cubes of samples, two octants each.
const OCTANTS: usize = 18;

/// Corner of the linear interpolation of an octant's centre, and of its gradient: the nearer sample counts 3/4.
const NEAR: f32 = 0.75;
const FAR: f32 = 0.25;

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
        let sides = sides(phi);
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

fn tiles<T: Value>(field: &mut Field<T>) -> impl IndexedParallelIterator<Item = &mut [T]> {
    field.par_tiles_mut().map(|(_, tile)| tile)
}

/// The octants of a tile and those next to it.
struct Octants {
    block: Block<f32>,
    values: Vec<f32>,
    /// Index along each axis of the lowest octant of the tile itself.
    origin: usize,
    flat: bool,
    smallest: f32,
}

impl Octants {
    fn new(phi: &Field<f32>, smallest: f32) -> Self {
        let flat = phi.topology().lattice().flat;
        let layers = if flat { 1 } else { OCTANTS };
        let origin = match phi.place() {
            Place::Cell => 1,
            Place::Node => 2,
            place => panic!("volume fractions need a level set on cells or nodes, not {place:?}"),
        };
        Self {
            block: Block::new(phi.topology(), 1, 0.0),
            values: vec![0.0; OCTANTS * OCTANTS * layers],
            origin,
            flat,
            smallest,
        }
    }

    /// Computes the octants: the cube between eight samples holds eight of them.
    fn cut(&mut self, phi: &Field<f32>, slot: usize) {
        self.block.load(phi, slot);
        let strides = self.block.strides();
        let depth = if self.flat { 1 } else { OCTANTS / 2 };
        for z in 0..depth {
            for y in 0..OCTANTS / 2 {
                for x in 0..OCTANTS / 2 {
                    let lower = x + y * strides[1] + z * strides[2];
                    let corners: [f32; 8] = std::array::from_fn(|corner| {
                        let [x, y, z] = bits(corner);
                        // A flat lattice has one sample along z.
                        let z = if self.flat { 0 } else { z };
                        self.block.values()[lower + x + y * strides[1] + z * strides[2]]
                    });
                    self.cut_cube([2 * x, 2 * y, 2 * z], &corners);
                }
            }
        }
    }

    fn cut_cube(&mut self, lowest: [usize; 3], corners: &[f32; 8]) {
        let negative = corners.iter().filter(|&&value| value < 0.0).count();
        let uniform = match negative {
            0 => Some(0.0),
            8 => Some(1.0),
            _ => None,
        };
        let count = if self.flat { 4 } else { 8 };
        for octant in 0..count {
            let offset = bits(octant);
            let at = |axis: usize| lowest[axis] + offset[axis];
            let index = (at(2) * OCTANTS + at(1)) * OCTANTS + at(0);
            self.values[index] = uniform.unwrap_or_else(|| {
                let (value, slopes) = at_octant(corners, octant);
                let share = linear_fraction(value, 0.5 * slopes);
                if share < self.smallest { 0.0 } else { share }
            });
        }
    }

    /// The mean over the octants of every control volume at `place`.
    fn pool(&self, place: Place, tile: &mut [f32]) {
        // Control volumes that do not begin with their cell begin half a cell below it.
        let lowest = place.offset().to_array().map(|offset| {
            if offset == 0.0 {
                self.origin - 1
            } else {
                self.origin
            }
        });
        let row =
            |y: usize, z: usize| &self.values[(z * OCTANTS + y) * OCTANTS + lowest[0]..][..16];
        for (index, cells) in tile.chunks_exact_mut(8).enumerate() {
            let y = lowest[1] + 2 * (index % 8);
            let mut total = [0.0_f32; 16];
            let mut add = |row: &[f32]| {
                for (total, octant) in total.iter_mut().zip(row) {
                    *total += octant;
                }
            };
            let share = if self.flat {
                add(row(y, 0));
                add(row(y + 1, 0));
                0.25
            } else {
                let z = lowest[2] + 2 * (index / 8);
                for (y, z) in [(y, z), (y + 1, z), (y, z + 1), (y + 1, z + 1)] {
                    add(row(y, z));
                }
                0.125
            };
            for (cell, pair) in cells.iter_mut().zip(total.chunks_exact(2)) {
                *cell = share * (pair[0] + pair[1]);
            }
        }
    }
}

/// The steps along x, y and z to a corner of a cube, corners counted x fastest.
fn bits(corner: usize) -> [usize; 3] {
    [corner & 1, corner >> 1 & 1, corner >> 2]
}

/// Value and slopes (per cell) of the trilinear interpolant at the centre of an octant of the cube between samples.
#[inline]
fn at_octant(corners: &[f32; 8], octant: usize) -> (f32, Vec3) {
    // Counted from the octant's own corner, all octants look alike but for the signs of their slopes.
    let c: [f32; 8] = std::array::from_fn(|corner| corners[corner ^ octant]);
    let mix = |near: f32, far: f32| NEAR * near + FAR * far;
    let along_x = [0, 2, 4, 6].map(|corner| mix(c[corner], c[corner + 1]));
    let along_xy = [mix(along_x[0], along_x[1]), mix(along_x[2], along_x[3])];
    let along_y = [0, 1, 4, 5].map(|corner| mix(c[corner], c[corner + 2]));
    let along_yz = [mix(along_y[0], along_y[2]), mix(along_y[1], along_y[3])];
    let slopes = Vec3::new(
        along_yz[1] - along_yz[0],
        mix(along_x[1] - along_x[0], along_x[3] - along_x[2]),
        along_xy[1] - along_xy[0],
    );
    // The sign does not matter to the share.
    (mix(along_xy[0], along_xy[1]), slopes)
}
