//! Signed distance on a sparse grid of samples, for the many queries of a simulation.
//!
//! Tiles of 8³ cells that come within the band of the surface hold their own (8 + 1)³ samples, interpolated
//! trilinearly. All others share one sample per tile corner. There the interpolated value is shrunk so that it never
//! exceeds the true distance: at distance δ and more from the surface, |d| - |x|²/(2δ) is concave along every line (the
//! distance to a point has curvature at most 1/δ, and the nearest of several makes only concave kinks), so that
//! interpolation over cells of side H overestimates |d| by at most Σₐ H² tₐ (1 - tₐ) / (2δ) at the fractions tₐ; and,
//! as |d| is 1-Lipschitz, by at most the root of Σₐ H² tₐ (1 - tₐ), the mean distance to the samples.

use glam::{DVec3, UVec3, Vec3};
use rayon::prelude::*;

use super::MeshDistance;
use crate::{Aabb, MeshFault};

/// Cells along each side of a tile.
const TILE: usize = 8;
/// Samples along each side of a tile, its far border included.
const SIDE: usize = TILE + 1;
const TILE_SAMPLES: usize = SIDE * SIDE * SIDE;
/// The number of a tile without samples of its own.
const COARSE: u32 = u32::MAX;
/// The memory a grid may take.
const LARGEST_BYTES: f64 = 512.0 * 1024.0 * 1024.0;
/// Half the diagonal of a unit cube.
const HALF_DIAGONAL: f32 = 0.866_025_4;

/// A sampled signed distance.
#[derive(Clone, Debug)]
pub(super) struct SampledDistance {
    mesh_bounds: Aabb,
    /// The corner of the first tile.
    origin: Vec3,
    cell_size: f32,
    cells_per_metre: f32,
    band: f32,
    tiles: UVec3,
    /// For each tile its number among those with samples, or [`COARSE`]; x runs fastest.
    tile_numbers: Vec<u32>,
    /// The distance at the corners of tiles; x runs fastest.
    corners: Vec<f32>,
    /// [`TILE_SAMPLES`] distances for each tile that has its own; x runs fastest.
    samples: Vec<f32>,
}

impl SampledDistance {
    pub(super) fn new(exact: &MeshDistance, cell_size: f32, band: f32) -> Result<Self, MeshFault> {
        for (parameter, value) in [("cell_size", cell_size), ("band", band)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(MeshFault::SampleSize { parameter, value });
            }
        }
        check_memory(exact, cell_size, band)?;
        let mesh_bounds = exact.bounds();
        let tile_size = TILE as f32 * cell_size;
        let tiles = tiles_along(&mesh_bounds, cell_size, band).as_uvec3();
        let origin = mesh_bounds.centre() - 0.5 * tile_size * tiles.as_vec3();

        let mut grid = Self {
            mesh_bounds,
            origin,
            cell_size,
            cells_per_metre: 1.0 / cell_size,
            band,
            tiles,
            tile_numbers: Vec::new(),
            corners: Vec::new(),
            samples: Vec::new(),
        };
        let fine = grid.number_tiles(exact);
        grid.corners = grid.sample_corners(exact);
        grid.samples = grid.sample_tiles(exact, &fine);
        Ok(grid)
    }

    /// Numbers the tiles that come within the band of the surface, and returns them.
    fn number_tiles(&mut self, exact: &MeshDistance) -> Vec<UVec3> {
        let tile_size = TILE as f32 * self.cell_size;
        // A little more than needed costs nothing and covers rounding.
        let reach = 1.001 * (self.band + HALF_DIAGONAL * tile_size);
        let is_fine = |tile: UVec3| {
            let centre = self.origin + tile_size * (tile.as_vec3() + 0.5);
            exact.surface().nearest(centre, reach).is_some()
        };
        let tiles = self.tiles;
        let flags: Vec<bool> = (0..tiles.as_usizevec3().element_product())
            .into_par_iter()
            .map(|index| is_fine(position(index, tiles)))
            .collect();
        let mut fine = Vec::new();
        for (index, is_fine) in flags.into_iter().enumerate() {
            self.tile_numbers
                .push(if is_fine { fine.len() as u32 } else { COARSE });
            if is_fine {
                fine.push(position(index, tiles));
            }
        }
        fine
    }

    fn sample_corners(&self, exact: &MeshDistance) -> Vec<f32> {
        let tile_size = TILE as f32 * self.cell_size;
        let along = self.tiles + 1;
        (0..along.as_usizevec3().element_product())
            .into_par_iter()
            .map(|index| exact.distance(self.origin + tile_size * position(index, along).as_vec3()))
            .collect()
    }

    fn sample_tiles(&self, exact: &MeshDistance, fine: &[UVec3]) -> Vec<f32> {
        let mut samples = vec![0.0; fine.len() * TILE_SAMPLES];
        samples
            .par_chunks_mut(TILE_SAMPLES)
            .zip(fine)
            .for_each(|(samples, &tile)| {
                for index in 0..TILE_SAMPLES {
                    let within = position(index, UVec3::splat(SIDE as u32));
                    // The same expression in neighbouring tiles, so that they agree on the samples they share.
                    let in_cells = (tile * TILE as u32 + within).as_vec3();
                    let point = self.origin + self.cell_size * in_cells;
                    let neighbour = if within.x > 0 {
                        Some(index - 1)
                    } else if within.y > 0 {
                        Some(index - SIDE)
                    } else {
                        index.checked_sub(SIDE * SIDE)
                    };
                    samples[index] = match neighbour {
                        Some(neighbour) => self.step(exact, point, samples[neighbour]),
                        None => exact.distance(point),
                    };
                }
            });
        samples
    }

    /// The exact distance at a point one cell from another of known distance, which saves work.
    fn step(&self, exact: &MeshDistance, point: Vec3, neighbour: f32) -> f32 {
        let step = 1.001 * self.cell_size;
        let Some(nearest) = exact.surface().nearest(point, neighbour.abs() + step) else {
            return exact.distance(point);
        };
        let distance = nearest.offset.length();
        // Only a surface between the two makes their signs differ, and it is no further from both than they are apart.
        let inside = if distance + neighbour.abs() > step {
            neighbour < 0.0
        } else {
            exact.is_inside(point)
        };
        if inside { -distance } else { distance }
    }

    pub(super) fn distance(&self, point: Vec3) -> f32 {
        let in_cells = (point - self.origin) * self.cells_per_metre;
        let size = self.size();
        if in_cells.cmpge(Vec3::ZERO).all() && in_cells.cmple(size).all() {
            return self.distance_within(in_cells);
        }
        let border = in_cells.clamp(Vec3::ZERO, size);
        let beyond = self.cell_size * in_cells.distance(border);
        self.mesh_bounds
            .distance(point)
            .max(self.distance_within(border) - beyond)
    }

    /// The unit gradient of the interpolated samples.
    pub(super) fn gradient(&self, point: Vec3) -> Vec3 {
        let in_cells = (point - self.origin) * self.cells_per_metre;
        if in_cells.cmpge(Vec3::ZERO).all() && in_cells.cmple(self.size()).all() {
            return self.cube(in_cells).gradient().normalize_or(Vec3::Y);
        }
        let nearest = point.clamp(self.mesh_bounds.lower, self.mesh_bounds.upper);
        (point - nearest).normalize_or(Vec3::Y)
    }

    /// Half the diagonal of a cell: the furthest that any point is from all samples around it, on average.
    pub(super) fn tolerance(&self) -> f32 {
        HALF_DIAGONAL * self.cell_size
    }

    pub(super) fn band(&self) -> f32 {
        self.band
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (self.tile_numbers.len() + self.corners.len() + self.samples.len())
    }

    /// The cells along each axis.
    fn size(&self) -> Vec3 {
        TILE as f32 * self.tiles.as_vec3()
    }

    /// The distance at a position in the grid.
    #[inline]
    fn distance_within(&self, in_cells: Vec3) -> f32 {
        let cube = self.cube(in_cells);
        let value = cube.value();
        if !cube.is_coarse {
            return value;
        }
        let tile_size = TILE as f32 * self.cell_size;
        let spread = tile_size * tile_size * (cube.fraction * (1.0 - cube.fraction)).element_sum();
        let least = (value.abs() - 2.0 * HALF_DIAGONAL * tile_size).max(self.band);
        let excess = spread.sqrt().min(spread / (2.0 * least));
        (value.abs() - excess).max(self.band).copysign(value)
    }

    /// The samples around a position in the grid.
    #[inline]
    fn cube(&self, in_cells: Vec3) -> Cube {
        let cell = in_cells.as_uvec3().min(self.tiles * TILE as u32 - 1);
        let tile = cell / TILE as u32;
        let number = self.tile_numbers[index(tile, self.tiles)];
        if number == COARSE {
            let along = self.tiles + 1;
            let strides = [along.x as usize, along.x as usize * along.y as usize];
            let fraction = in_cells / TILE as f32 - tile.as_vec3();
            return Cube::new(&self.corners[index(tile, along)..], strides, fraction, true);
        }
        let within = cell % TILE as u32;
        let first = number as usize * TILE_SAMPLES + index(within, UVec3::splat(SIDE as u32));
        // As long as a cube reaches, which spares checking each of its corners.
        let reached = &self.samples[first..first + SIDE * SIDE + SIDE + 2];
        Cube::new(
            reached,
            [SIDE, SIDE * SIDE],
            in_cells - cell.as_vec3(),
            false,
        )
    }
}

/// The tiles along each axis that cover the mesh and its band, as numbers that cannot overflow.
fn tiles_along(mesh_bounds: &Aabb, cell_size: f32, band: f32) -> DVec3 {
    let covered = mesh_bounds.dilated(band + cell_size).extent();
    (covered.as_dvec3() / f64::from(TILE as f32 * cell_size)).ceil()
}

/// The bytes that a grid takes, about: tiles within reach of the surface fill a layer along it.
fn predicted_bytes(exact: &MeshDistance, cell_size: f32, band: f32) -> f64 {
    let tiles = tiles_along(&exact.bounds(), cell_size, band).element_product();
    let tile_size = f64::from(TILE as f32 * cell_size);
    let layer = 2.0 * (f64::from(band) + f64::from(HALF_DIAGONAL) * tile_size);
    let fine = (exact.surface().area() * layer / tile_size.powi(3)).min(tiles);
    // Every tile has a number and about one corner.
    4.0 * (2.0 * tiles + TILE_SAMPLES as f64 * fine)
}

/// Fails when a grid would take too much memory.
fn check_memory(exact: &MeshDistance, cell_size: f32, band: f32) -> Result<(), MeshFault> {
    let predicted = |cell_size: f32| predicted_bytes(exact, cell_size, band);
    let bytes = predicted(cell_size);
    if bytes <= LARGEST_BYTES {
        return Ok(());
    }
    let mut suggestion = cell_size;
    while predicted(suggestion) > LARGEST_BYTES {
        suggestion *= 1.05;
    }
    let mebibyte = f64::from(1 << 20);
    Err(MeshFault::SamplesTooFine {
        cell_size,
        mebibytes: (bytes / mebibyte) as u64,
        limit: (LARGEST_BYTES / mebibyte) as u64,
        suggestion,
    })
}

/// The place of number `index` in a box of the given size; x runs fastest.
fn position(index: usize, along: UVec3) -> UVec3 {
    let [x, y] = [along.x as usize, along.y as usize];
    UVec3::new(
        (index % x) as u32,
        (index / x % y) as u32,
        (index / x / y) as u32,
    )
}

/// The inverse of [`position`].
#[inline]
fn index(place: UVec3, along: UVec3) -> usize {
    (place.z as usize * along.y as usize + place.y as usize) * along.x as usize + place.x as usize
}

/// Eight samples at the corners of a cube and a place between them.
struct Cube {
    /// Along x at the four edges: (y, z) = (0, 0), (1, 0), (0, 1), (1, 1).
    values: [[f32; 2]; 4],
    fraction: Vec3,
    is_coarse: bool,
}

impl Cube {
    #[inline]
    fn new(samples: &[f32], [row, layer]: [usize; 2], fraction: Vec3, is_coarse: bool) -> Self {
        let edge = |first: usize| [samples[first], samples[first + 1]];
        Self {
            values: [edge(0), edge(row), edge(layer), edge(layer + row)],
            fraction,
            is_coarse,
        }
    }

    #[inline]
    fn value(&self) -> f32 {
        let along_x = self
            .values
            .map(|[start, end]| mix(start, end, self.fraction.x));
        let along_y = [0, 2].map(|edge| mix(along_x[edge], along_x[edge + 1], self.fraction.y));
        mix(along_y[0], along_y[1], self.fraction.z)
    }

    /// The gradient per cell.
    fn gradient(&self) -> Vec3 {
        let [x, y, z] = self.fraction.to_array();
        let slopes = self.values.map(|[start, end]| end - start);
        let along_x = self.values.map(|[start, end]| mix(start, end, x));
        Vec3::new(
            mix(
                mix(slopes[0], slopes[1], y),
                mix(slopes[2], slopes[3], y),
                z,
            ),
            mix(along_x[1] - along_x[0], along_x[3] - along_x[2], z),
            mix(along_x[2] - along_x[0], along_x[3] - along_x[1], y),
        )
    }
}

#[inline]
fn mix(start: f32, end: f32, fraction: f32) -> f32 {
    start + fraction * (end - start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn memory_is_predicted() {
        let exact = MeshDistance::new(&generate::torus(Vec3::ZERO, 1.0, 0.4, 60, 30)).unwrap();
        for (cell_size, band) in [(0.06, 0.1), (0.03, 0.1), (0.015, 0.02)] {
            let samples = SampledDistance::new(&exact, cell_size, band).unwrap();
            let ratio = predicted_bytes(&exact, cell_size, band) / samples.bytes() as f64;
            assert!((0.9..1.4).contains(&ratio), "{ratio} at {cell_size}");
        }
    }

    #[test]
    fn places_and_numbers_are_inverse() {
        let along = UVec3::new(3, 4, 5);
        for number in 0..60 {
            let place = position(number, along);
            assert!(place.cmplt(along).all());
            assert_eq!(index(place, along), number);
        }
    }
}
