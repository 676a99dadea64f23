//! Liquid in the octants of cells: a level set cut at twice the resolution of its samples.
//!
//! In each octant the level set is taken as linear. Its value there is not the interpolant at the octant's centre but an
//! estimate of its mean over the octant, curvature included, which makes the volume of a sphere a high-order quantity;
//! of two second differences the smaller counts, which leaves planes, creases and thin sheets as they are.

use glam::{Vec3, Vec3A};

use super::linear::linear_fraction;
use super::rows::Rows;
use crate::{Block, Field, Place};

/// Octants along an edge of a tile with those around it: nine cubes between samples, two octants each.
pub(super) const OCTANTS: usize = 18;

/// Level sets farther than this from a cube of samples, in cells, do not reach into it. It bounds the correction for
/// curvature too.
pub(super) const MARGIN: f32 = 0.1;

/// The octants of a tile and those next to it.
pub(super) struct Octants {
    block: Block<f32>,
    rows: Rows,
    values: Vec<f32>,
    /// Index along each axis of the lowest octant of the tile itself.
    origin: usize,
    axes: usize,
    smallest: f32,
}

impl Octants {
    /// Room for the octants of a tile of `phi`; those that hold less than `smallest` will hold nothing.
    ///
    /// # Panics
    /// If the level set lives on faces or edges.
    pub(super) fn new(phi: &Field<f32>, smallest: f32) -> Self {
        let flat = phi.topology().lattice().flat;
        let layers = if flat { 1 } else { OCTANTS };
        let origin = match phi.place() {
            Place::Cell => 1,
            Place::Node => 2,
            place => panic!("volume fractions need a level set on cells or nodes, not {place:?}"),
        };
        Self {
            block: Block::new(phi.topology(), 2, 0.0),
            rows: Rows::new(),
            values: vec![0.0; OCTANTS * OCTANTS * layers],
            origin,
            axes: phi.topology().lattice().axes(),
            smallest,
        }
    }

    /// Computes the octants of the tile in `slot`: the cube between eight samples holds eight of them.
    pub(super) fn cut(&mut self, phi: &Field<f32>, slot: usize) {
        self.block.load(phi, slot);
        let margin = MARGIN * phi.topology().lattice().cell_size;
        self.rows.load(&self.block, margin);
        let flat = self.axes == 2;
        let depth = if flat { 1 } else { OCTANTS / 2 };
        for z in 0..depth {
            // The tile begins two samples into the block, its lowest cubes begin one sample before it; a flat lattice
            // repeats its one layer.
            let block_z = if flat { 2 } else { z + 1 };
            for y in 0..OCTANTS / 2 {
                let uniform = self.rows.uniform(y + 1, block_z, [true; 3]);
                let lower = (block_z * 12 + y + 1) * 12 + 1;
                let first = (2 * z * OCTANTS + 2 * y) * OCTANTS;
                // Most rows lie on one side as a whole.
                let all = 0b11_1111_1110;
                if uniform.outside & all == all {
                    self.fill_row(first, 0.0);
                    continue;
                }
                if uniform.inside & all == all {
                    self.fill_row(first, 1.0);
                    continue;
                }
                for x in 0..OCTANTS / 2 {
                    if uniform.outside >> (x + 1) & 1 == 1 {
                        self.fill_cube(first + 2 * x, 0.0);
                    } else if uniform.inside >> (x + 1) & 1 == 1 {
                        self.fill_cube(first + 2 * x, 1.0);
                    } else {
                        self.cut_cube(first + 2 * x, lower + x, margin);
                    }
                }
            }
        }
    }

    /// Gives all octants of a row of cubes, stored from `first` on, one value.
    fn fill_row(&mut self, first: usize, value: f32) {
        let rows = if self.axes == 2 { 2 } else { 4 };
        for row in 0..rows {
            let start = first + place_of(2 * row);
            self.values[start..start + OCTANTS].fill(value);
        }
    }

    /// Gives all octants of a cube, stored from `first` on, one value.
    #[inline]
    fn fill_cube(&mut self, first: usize, value: f32) {
        let rows = if self.axes == 2 { 2 } else { 4 };
        for row in 0..rows {
            let start = first + place_of(2 * row);
            self.values[start..start + 2].fill(value);
        }
    }

    /// Computes the octants of the cube with eight samples from `lower` in the block upward.
    fn cut_cube(&mut self, first: usize, lower: usize, margin: f32) {
        let values = self.block.values();
        let strides = self.block.strides();
        // The layers above and below a flat lattice's repeat it.
        let corners: [f32; 8] = std::array::from_fn(|corner| {
            let [x, y, z] = bits(corner);
            values[lower + x + y * strides[1] + z * strides[2]]
        });
        let correction = self.curvature(lower).clamp(-margin, margin);
        let Interpolant { values, slopes } = Interpolant::of(&corners);
        let mut shares = [0.0; 8];
        for (octant, share) in shares.iter_mut().enumerate() {
            let slopes = Vec3::new(slopes[0][octant], slopes[1][octant], slopes[2][octant]);
            *share = linear_fraction(values[octant] + correction, 0.5 * slopes);
        }
        for (octant, &share) in shares.iter().enumerate().take(1 << self.axes) {
            self.values[first + place_of(octant)] = if share < self.smallest { 0.0 } else { share };
        }
    }

    /// What to add to the linear interpolant at an octant's centre to have the level set's mean over the octant: for a
    /// second derivative D along an axis, -D t (1 - t) / 2 with t = 1/4 takes the interpolant to the level set itself, and
    /// the mean of D x² / 2 over the octant is D / 96; together -D / 12.
    fn curvature(&self, lower: usize) -> f32 {
        let values = self.block.values();
        let strides = self.block.strides();
        let mut sum = 0.0;
        for axis in 0..self.axes {
            let along = strides[axis];
            let across = [strides[(axis + 1) % 3], strides[(axis + 2) % 3]];
            for line in 0..4 {
                let start = lower + (line & 1) * across[0] + (line >> 1) * across[1];
                let [a, b, c, d] = [
                    values[start - along],
                    values[start],
                    values[start + along],
                    values[start + 2 * along],
                ];
                let (first, second) = (a - 2.0 * b + c, b - 2.0 * c + d);
                if first * second > 0.0 {
                    sum += if first.abs() < second.abs() {
                        first
                    } else {
                        second
                    };
                }
            }
        }
        sum / (-12.0 * 4.0)
    }

    /// The middle of what each cell of the tile holds, from the cell's centre, in cells.
    pub(super) fn middles(&self, tile: &mut [Vec3A]) {
        let octants = 1 << self.axes;
        for (index, middle) in tile.iter_mut().enumerate() {
            let lowest = [index % 8, index / 8 % 8, index / 64].map(|at| self.origin + 2 * at);
            let (mut sum, mut total) = (Vec3A::ZERO, 0.0);
            for [x, y, z] in (0..octants).map(bits) {
                let layer = if self.axes == 2 { 0 } else { lowest[2] + z };
                let row = (layer * OCTANTS + lowest[1] + y) * OCTANTS;
                let share = self.values[row + lowest[0] + x];
                sum += share * (Vec3A::new(x as f32, y as f32, z as f32) * 0.5 - 0.25);
                total += share;
            }
            *middle = sum / total.max(f32::MIN_POSITIVE);
            if self.axes == 2 {
                middle.z = 0.0;
            }
        }
    }

    /// The mean over the octants of every control volume at `place`.
    pub(super) fn pool(&self, place: Place, tile: &mut [f32]) {
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
            let share = if self.axes == 2 {
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
#[inline]
fn bits(corner: usize) -> [usize; 3] {
    [corner & 1, corner >> 1 & 1, corner >> 2]
}

/// Where an octant of a cube is stored, counted from the cube's lowest.
#[inline]
fn place_of(octant: usize) -> usize {
    let [x, y, z] = bits(octant);
    (z * OCTANTS + y) * OCTANTS + x
}

/// Values of the trilinear interpolant at the centres of the eight octants of a cube between samples, and its slopes
/// along each axis, per cell.
struct Interpolant {
    values: [f32; 8],
    slopes: [[f32; 8]; 3],
}

impl Interpolant {
    #[inline]
    fn of(corners: &[f32; 8]) -> Self {
        // From corners to octants along one axis: the nearer of two values counts 3/4.
        let refine = |values: &[f32; 8], axis: usize| -> [f32; 8] {
            std::array::from_fn(|octant| {
                0.75 * values[octant] + 0.25 * values[octant ^ (1 << axis)]
            })
        };
        // The slope along an axis is the same for both octants along it.
        let difference = |values: &[f32; 8], axis: usize| -> [f32; 8] {
            std::array::from_fn(|octant| {
                values[octant | (1 << axis)] - values[octant & !(1 << axis)]
            })
        };
        let along_x = refine(corners, 0);
        let along_xy = refine(&along_x, 1);
        let slopes = [
            refine(&refine(&difference(corners, 0), 1), 2),
            refine(&difference(&along_x, 1), 2),
            difference(&along_xy, 2),
        ];
        Self {
            values: refine(&along_xy, 2),
            slopes,
        }
    }
}
