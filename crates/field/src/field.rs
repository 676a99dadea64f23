//! Values on the cells, faces, edges or nodes of a sparse tiled lattice.

use std::ops::{Add, Mul};
use std::sync::Arc;

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use crate::{NO_TILE, Topology};

/// Where in a cell a field's values sit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Centres of cells.
    Cell,
    /// Centres of the lower faces that are normal to an axis.
    Face(usize),
    /// Centres of the lower edges that are parallel to an axis.
    Edge(usize),
    /// Lower corners of cells.
    Node,
}

impl Place {
    /// Position of the value relative to the cell's lower corner, in cells.
    #[inline]
    pub fn offset(self) -> Vec3 {
        let mut offset = match self {
            Self::Cell | Self::Face(_) => Vec3::splat(0.5),
            Self::Edge(_) | Self::Node => Vec3::ZERO,
        };
        match self {
            Self::Face(axis) => offset[axis] = 0.0,
            Self::Edge(axis) => offset[axis] = 0.5,
            Self::Cell | Self::Node => {}
        }
        offset
    }
}

/// Values that can be stored in a field.
pub trait Value: Copy + Send + Sync + PartialEq + std::fmt::Debug + 'static {}
impl<T: Copy + Send + Sync + PartialEq + std::fmt::Debug + 'static> Value for T {}

/// Values that can be interpolated.
pub trait Blend: Value + Mul<f32, Output = Self> + Add<Output = Self> {}
impl<T: Value + Mul<f32, Output = Self> + Add<Output = Self>> Blend for T {}

/// One value for each cell of the active tiles; cells elsewhere have the `outside` value.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<T> {
    topology: Arc<Topology>,
    place: Place,
    outside: T,
    values: Vec<T>,
}

impl<T: Value> Field<T> {
    /// A field that holds `outside` everywhere.
    pub fn new(topology: &Arc<Topology>, place: Place, outside: T) -> Self {
        Self {
            topology: Arc::clone(topology),
            place,
            outside,
            values: vec![outside; topology.tile_count() * topology.tile_cells()],
        }
    }

    /// A field whose values are computed from their cells, tiles in parallel.
    pub fn from_cells(
        topology: &Arc<Topology>,
        place: Place,
        outside: T,
        value: impl Fn(IVec3) -> T + Sync,
    ) -> Self {
        let mut field = Self::new(topology, place, outside);
        field.par_tiles_mut().for_each(|(slot, tile)| {
            for (local, entry) in tile.iter_mut().enumerate() {
                *entry = value(topology.cell(slot, local));
            }
        });
        field
    }

    /// A field whose values are computed from their positions, tiles in parallel.
    pub fn from_points(
        topology: &Arc<Topology>,
        place: Place,
        outside: T,
        value: impl Fn(Vec3) -> T + Sync,
    ) -> Self {
        let lattice = *topology.lattice();
        let offset = place.offset();
        Self::from_cells(topology, place, outside, |cell| {
            value(lattice.to_world(cell.as_vec3() + offset))
        })
    }

    /// The same values on other tiles of the same lattice.
    pub fn on_tiles(&self, topology: &Arc<Topology>) -> Self {
        let mut moved = Self::new(topology, self.place, self.outside);
        moved.par_tiles_mut().for_each(|(slot, tile)| {
            let source = self.topology.slot_of(topology.tile_lower(slot));
            if source != NO_TILE {
                tile.copy_from_slice(self.tile(source as usize));
            }
        });
        moved
    }

    /// The tiles that the field lives on.
    pub fn topology(&self) -> &Arc<Topology> {
        &self.topology
    }

    /// Where in a cell the values sit.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The value of cells in tiles that do not exist.
    pub fn outside(&self) -> T {
        self.outside
    }

    /// All stored values, tile by tile.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// All stored values, tile by tile.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// The values of one tile, x fastest.
    pub fn tile(&self, slot: usize) -> &[T] {
        let cells = self.topology.tile_cells();
        &self.values[slot * cells..(slot + 1) * cells]
    }

    /// Tiles and their slots, in parallel.
    pub fn par_tiles_mut(&mut self) -> impl IndexedParallelIterator<Item = (usize, &mut [T])> {
        let cells = self.topology.tile_cells();
        self.values.par_chunks_mut(cells).enumerate()
    }

    /// The value of a cell.
    #[inline]
    pub fn get(&self, cell: IVec3) -> T {
        match self.topology.index(cell) {
            Some(index) => self.values[index],
            None => self.outside,
        }
    }

    /// Sets the value of a cell; a cell in no tile keeps the outside value.
    #[inline]
    pub fn set(&mut self, cell: IVec3, value: T) {
        if let Some(index) = self.topology.index(cell) {
            self.values[index] = value;
        }
    }

    /// Position of the value that belongs to a cell.
    #[inline]
    pub fn position(&self, cell: IVec3) -> Vec3 {
        self.topology
            .lattice()
            .to_world(cell.as_vec3() + self.place.offset())
    }

    /// The eight values around a point with the fractions between them, x fastest.
    #[inline]
    fn corners(&self, point: Vec3) -> ([T; 8], Vec3) {
        let lattice = self.topology.lattice();
        self.corners_at(lattice.to_cells(point))
    }

    /// [`Field::corners`] of a point in units of cells.
    #[inline]
    fn corners_at(&self, point: Vec3) -> ([T; 8], Vec3) {
        let (cell, mut fraction) = split(point - self.place.offset());
        if self.topology.lattice().flat {
            fraction.z = 0.0;
        }
        (self.cube(cell), fraction)
    }

    /// Values of the 2×2×2 cells from `cell` upward, x fastest.
    #[inline]
    fn cube(&self, cell: IVec3) -> [T; 8] {
        let slot = self.topology.slot_of(cell);
        if slot == NO_TILE {
            // Far away, numbers of cells end; what they wrap to is outside just as well.
            let step = |corner| cell.wrapping_add(corner_step(corner));
            return std::array::from_fn(|corner| self.get(step(corner)));
        }
        let local = cell & 7;
        let flat = self.topology.lattice().flat;
        if local.x < 7 && local.y < 7 && (flat || local.z < 7) {
            let first = slot as usize * self.topology.tile_cells() + self.topology.local_of(cell);
            let above = if flat { first } else { first + 64 };
            // One bounds check for the whole cube.
            let lower = &self.values[first..first + 10];
            let upper = &self.values[above..above + 10];
            return [
                lower[0], lower[1], lower[8], lower[9], upper[0], upper[1], upper[8], upper[9],
            ];
        }
        // Across a tile's border: the tile knows its neighbours. Along each axis, the lower and the upper value's steps in their
        // table and places in their tiles.
        let around = self.topology.neighbours(slot as usize);
        let steps = |index: i32, to_next: usize, stride: usize| {
            let place = index as usize * stride;
            let next = if index < 7 {
                (0, place + stride)
            } else {
                (to_next, 0)
            };
            [(0, place), next]
        };
        let (along_x, along_y) = (steps(local.x, 1, 1), steps(local.y, 3, 8));
        let along_z = if flat {
            [(0, 0); 2]
        } else {
            steps(local.z, 9, 64)
        };
        std::array::from_fn(|corner| {
            let (x, y, z) = (
                along_x[corner & 1],
                along_y[corner >> 1 & 1],
                along_z[corner >> 2],
            );
            match around[13 + x.0 + y.0 + z.0] {
                NO_TILE => self.outside,
                neighbour => {
                    self.values[neighbour as usize * self.topology.tile_cells() + x.1 + y.1 + z.1]
                }
            }
        })
    }
}

/// The step from the lowest corner of a cube to another, corners counted x fastest.
#[inline]
fn corner_step(corner: usize) -> IVec3 {
    let corner = corner as i32;
    IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2)
}

/// The whole and the fractional part of a position, rounding down. A conversion with a correction: the library's `floor`
/// is a function call on machines without an instruction for it.
#[inline]
pub(crate) fn split(position: Vec3) -> (IVec3, Vec3) {
    let truncated = position.as_ivec3();
    let above = position.cmplt(truncated.as_vec3());
    // What is farther away than there are whole numbers is outside of every lattice, whatever it wraps to.
    let whole = truncated.wrapping_sub(IVec3::new(above.x.into(), above.y.into(), above.z.into()));
    (whole, position - whole.as_vec3())
}

impl<T: Blend> Field<T> {
    /// Trilinear interpolation at a point.
    #[inline]
    pub fn sample(&self, point: Vec3) -> T {
        self.sample_at(self.topology.lattice().to_cells(point))
    }

    /// Trilinear interpolation at a point in units of cells.
    #[inline]
    fn sample_at(&self, point: Vec3) -> T {
        let (corners, fraction) = self.corners_at(point);
        interpolate(corners, fraction)
    }
}

/// The trilinear interpolant of the values at the corners of a cube, x fastest.
#[inline]
pub(crate) fn interpolate<T: Blend>(corners: [T; 8], fraction: Vec3) -> T {
    let mix = |a: T, b: T, share: f32| a * (1.0 - share) + b * share;
    let lower = mix(
        mix(corners[0], corners[1], fraction.x),
        mix(corners[2], corners[3], fraction.x),
        fraction.y,
    );
    let upper = mix(
        mix(corners[4], corners[5], fraction.x),
        mix(corners[6], corners[7], fraction.x),
        fraction.y,
    );
    mix(lower, upper, fraction.z)
}

impl Field<f32> {
    /// The smallest and the largest of the values that interpolation at a point uses.
    #[inline]
    pub fn range_around(&self, point: Vec3) -> (f32, f32) {
        let (_, [lowest, highest]) = self.sample_with_range(point);
        (lowest, highest)
    }

    /// Trilinear interpolation at a point, and the smallest and the largest of the values that it uses.
    #[inline]
    pub fn sample_with_range(&self, point: Vec3) -> (f32, [f32; 2]) {
        let (corners, fraction) = self.corners(point);
        let fold =
            |choose: fn(f32, f32) -> f32| corners[1..].iter().copied().fold(corners[0], choose);
        let range = [fold(f32::min), fold(f32::max)];
        (interpolate(corners, fraction), range)
    }

    /// Limits the value of cells in no tile to ±`largest`.
    pub(crate) fn limit_outside(&mut self, largest: f32) {
        self.outside = self.outside.clamp(-largest, largest);
    }

    /// Gradient of the trilinear interpolant at a point, per metre.
    #[inline]
    pub fn sample_gradient(&self, point: Vec3) -> Vec3 {
        let (corners, fraction) = self.corners(point);
        slopes(corners, fraction) / self.topology.lattice().cell_size
    }
}

/// Slopes per cell of the trilinear interpolant inside a cube.
#[inline]
pub(crate) fn slopes(c: [f32; 8], f: Vec3) -> Vec3 {
    let bilinear = |a: f32, b: f32, c: f32, d: f32, s: f32, t: f32| {
        (a * (1.0 - s) + b * s) * (1.0 - t) + (c * (1.0 - s) + d * s) * t
    };
    Vec3::new(
        bilinear(c[1] - c[0], c[3] - c[2], c[5] - c[4], c[7] - c[6], f.y, f.z),
        bilinear(c[2] - c[0], c[3] - c[1], c[6] - c[4], c[7] - c[5], f.x, f.z),
        bilinear(c[4] - c[0], c[5] - c[1], c[6] - c[2], c[7] - c[3], f.x, f.y),
    )
}

/// Three fields, one for each axis: velocities on faces, shear on edges.
pub type FieldByAxis<T> = [Field<T>; 3];

/// A field on the faces of the cells: entry `axis` holds values on the faces normal to that axis.
pub fn face_fields<T: Value>(topology: &Arc<Topology>, outside: T) -> FieldByAxis<T> {
    std::array::from_fn(|axis| Field::new(topology, Place::Face(axis), outside))
}

/// A field on the edges of the cells: entry `axis` holds values on the edges parallel to that axis.
pub fn edge_fields<T: Value>(topology: &Arc<Topology>, outside: T) -> FieldByAxis<T> {
    std::array::from_fn(|axis| Field::new(topology, Place::Edge(axis), outside))
}

/// The vector whose components live on the faces, interpolated at a point.
#[inline]
pub fn sample_faces(faces: &FieldByAxis<f32>, point: Vec3) -> Vec3 {
    let point = faces[0].topology.lattice().to_cells(point);
    Vec3::new(
        faces[0].sample_at(point),
        faces[1].sample_at(point),
        faces[2].sample_at(point),
    )
}

#[cfg(test)]
mod tests {
    use crate::Lattice;

    use super::*;

    fn topology(flat: bool) -> Arc<Topology> {
        Arc::new(Topology::full(Lattice::new(
            Vec3::new(-1.0, 0.5, 2.0),
            0.25,
            IVec3::new(20, 12, 9),
            flat,
        )))
    }

    #[test]
    fn beyond_all_numbers_of_cells_nothing_overflows() {
        let lattice = Lattice::new(Vec3::ZERO, 0.1, IVec3::splat(8), false);
        let topology = Arc::new(Topology::full(lattice));
        let field = Field::new(&topology, Place::Cell, 3.0f32);
        for far in [-1e30, -2.2e8, 2.2e8, 1e30] {
            assert!(field.sample(Vec3::new(0.4, far, 0.4)).is_finite(), "{far}");
        }
    }

    #[test]
    fn sampling_reproduces_a_linear_function_on_every_place() {
        let topology = topology(false);
        let linear = |point: Vec3| 1.0 + point.dot(Vec3::new(2.0, -3.0, 0.5));
        let places = [
            Place::Cell,
            Place::Node,
            Place::Face(0),
            Place::Face(2),
            Place::Edge(1),
        ];
        for place in places {
            let field = Field::from_points(&topology, place, 0.0, linear);
            for step in 0..50 {
                let t = step as f32 / 50.0;
                let point = Vec3::new(-0.5 + 4.0 * t, 1.0 + 2.0 * t, 2.5 + 1.5 * (1.0 - t));
                assert!(
                    (field.sample(point) - linear(point)).abs() < 1e-4,
                    "{place:?} {point}"
                );
                let gradient = field.sample_gradient(point);
                assert!(gradient.abs_diff_eq(Vec3::new(2.0, -3.0, 0.5), 1e-3));
            }
        }
    }

    #[test]
    fn a_flat_field_does_not_vary_along_depth() {
        let topology = topology(true);
        let field =
            Field::from_points(&topology, Place::Cell, 0.0, |point| point.x - 2.0 * point.y);
        let point = Vec3::new(0.33, 1.7, 2.0);
        for depth in [1.0, 2.0, 2.2, 7.0] {
            assert!((field.sample(point.with_z(depth)) - (point.x - 2.0 * point.y)).abs() < 1e-5);
        }
    }

    #[test]
    fn fast_and_slow_corner_reads_agree() {
        let topology = topology(false);
        let field = Field::from_cells(&topology, Place::Cell, -1.0, |cell| {
            cell.dot(IVec3::new(1, 100, 10_000)) as f32
        });
        for x in -10..30 {
            for y in -10..20 {
                let cell = IVec3::new(x, y, (x * 3 + y) % 19 - 2);
                let cube = field.cube(cell);
                for (corner, &value) in cube.iter().enumerate() {
                    assert_eq!(value, field.get(cell + corner_step(corner)));
                }
            }
        }
    }
}
