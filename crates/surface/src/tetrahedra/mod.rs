//! Tetrahedral surface extraction (Carlson 2004, sec. 6.4): each cube between samples is broken into tetrahedra, through
//! which a surface can pass in only three ways, none of them ambiguous.
//!
//! The finer subdivisions add points at the centres of cubes, faces and edges. They take interpolated values, corrected
//! with particles where a method has them; without particles they remove the grid artefacts of six tetrahedra but know no
//! more than the samples do.

mod correction;
mod subdivision;

use glam::{IVec3, Vec3};
use ooze_field::{Field, mask::TileBits};
use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

use correction::Corrections;
pub use correction::SideParticle;
use subdivision::Simplices;
pub use subdivision::Subdivision;

use crate::cubes::{TileRows, corner};
use crate::samples::Samples;
use crate::slab::{self, POINTS_PER_CELL, ValuedPoint, crossing_place};
use crate::tiles::{Tiles, order_key};
use crate::weld::{Corner, Vertices};

/// The surface on which a field has the value `level`, negative inside, by way of tetrahedra: a closed manifold mesh,
/// counter-clockwise seen from outside.
///
/// `particles` on the wrong side of the surface correct the points that a subdivision adds; pass none if there are none.
/// Where there are no tiles everything counts as outside. A field on a flat lattice gives a slab as thick as a cell.
pub fn marching_tetrahedra(
    field: &Field<f32>,
    level: f32,
    subdivision: Subdivision,
    particles: &[SideParticle],
) -> TriangleMesh {
    let tiles = Tiles::of(field.topology());
    let samples = Samples::of(field, &tiles, level);
    if tiles.flat() {
        let simplices = subdivision.triangles();
        // Particles of a flat liquid lie in the plane of the samples.
        let depth = field.position(IVec3::ZERO).z;
        let flattened: Vec<SideParticle> = particles
            .iter()
            .map(|&particle| SideParticle {
                position: particle.position.with_z(depth),
                ..particle
            })
            .collect();
        let corrections = Corrections::new(field, level, &flattened, &simplices.points);
        return triangles(&samples, &simplices, &corrections, field);
    }
    let simplices = subdivision.tetrahedra();
    let corrections = Corrections::new(field, level, particles, &simplices.points);
    let inside: Vec<TileBits> = (0..tiles.count())
        .into_par_iter()
        .map(|slot| samples.inside_bits(slot))
        .collect();
    let found: Vec<[Corner; 3]> = (0..tiles.count())
        .into_par_iter()
        .flat_map_iter(|slot| {
            let mut found = Vec::new();
            let mut points = Vec::new();
            for lower in cubes_of(&tiles, &inside, &corrections, slot) {
                load_points(&samples, slot, lower, &simplices, &corrections, &mut points);
                for cell in &simplices.cells {
                    cut_tetrahedron(&samples, cell.map(|point| points[point]), &mut found);
                }
            }
            found
        })
        .collect();
    let mut vertices = Vertices::default();
    let triangles = vertices.weld(&found);
    TriangleMesh {
        triangles,
        positions: vertices.into_positions(),
        ..TriangleMesh::default()
    }
}

/// A slab of the triangles that are inside.
fn triangles(
    samples: &Samples,
    simplices: &Simplices<3>,
    corrections: &Corrections,
    field: &Field<f32>,
) -> TriangleMesh {
    let depth = slab::Depth::of(field.topology().lattice());
    slab::extrude(samples, depth, |slot, lower, emit| {
        let mut points = Vec::new();
        load_points(samples, slot, lower, simplices, corrections, &mut points);
        for cell in &simplices.cells {
            emit(&cell.map(|point| points[point]));
        }
    })
}

/// Lowest samples, counted from the tile's lowest, of the cubes of a tile that the surface may pass through, in order.
fn cubes_of(
    tiles: &Tiles,
    inside: &[TileBits],
    corrections: &Corrections,
    slot: usize,
) -> Vec<IVec3> {
    let mut cubes: Vec<IVec3> = corrections
        .cubes_of(slot)
        .map(|cube| cube - tiles.lower(slot))
        .collect();
    let rows = TileRows::load(tiles, inside, slot);
    if !rows.uniform() {
        rows.for_each_active(tiles, slot, |cube| cubes.push(cube.lower));
    }
    cubes.sort_unstable_by_key(|&cube| order_key(cube));
    cubes.dedup();
    cubes
}

/// The points of a cube or square with their interpolated and corrected values.
fn load_points<const N: usize>(
    samples: &Samples,
    slot: usize,
    lower: IVec3,
    simplices: &Simplices<N>,
    corrections: &Corrections,
    points: &mut Vec<ValuedPoint>,
) {
    let level = f64::from(samples.level);
    let corners: [f64; 8] = std::array::from_fn(|number| {
        f64::from(samples.value(slot, lower + corner(number))) - level
    });
    let base = POINTS_PER_CELL * (samples.tiles.lower(slot) + lower);
    points.clear();
    points.extend(simplices.points.iter().map(|&point| {
        let value = interpolate(&corners, point);
        let place = base + point;
        let is_sample = point.cmpeq(point / POINTS_PER_CELL * POINTS_PER_CELL).all();
        ValuedPoint {
            place,
            value: if is_sample {
                value
            } else {
                corrections.correct(place, value)
            },
        }
    }));
}

/// Trilinear interpolation at a point in quarters. Corners without weight are left out and the others summed in the order
/// of their places, so that all cubes around a point agree on its value to the last bit.
fn interpolate(corners: &[f64; 8], point: IVec3) -> f64 {
    let mut sum = 0.0;
    for (number, &value) in corners.iter().enumerate() {
        let at = corner(number);
        let weights = at * point + (1 - at) * (POINTS_PER_CELL - point);
        let weight = weights.element_product();
        if weight > 0 {
            sum += f64::from(weight) * value;
        }
    }
    sum / f64::from(POINTS_PER_CELL.pow(3))
}

/// Adds the triangles in a tetrahedron of positive orientation.
fn cut_tetrahedron(samples: &Samples, points: [ValuedPoint; 4], found: &mut Vec<[Corner; 3]>) {
    let on = |first: usize, second: usize| Corner {
        key: points[first].place + points[second].place,
        position: vertex(samples, points[first], points[second]),
    };
    let mask = (0..4)
        .map(|point| usize::from(points[point].value < 0.0) << point)
        .sum::<usize>();
    // Even permutations of the points, a lone one or a pair first.
    const LONE: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];
    const PAIRS: [[usize; 4]; 6] = [
        [0, 1, 2, 3],
        [0, 2, 3, 1],
        [0, 3, 1, 2],
        [2, 3, 0, 1],
        [3, 1, 0, 2],
        [1, 2, 0, 3],
    ];
    match mask.count_ones() {
        1 => {
            let [a, b, c, d] = LONE[mask.trailing_zeros() as usize];
            found.push([on(a, b), on(a, c), on(a, d)]);
        }
        3 => {
            let [a, b, c, d] = LONE[(!mask).trailing_zeros() as usize];
            found.push([on(a, b), on(a, d), on(a, c)]);
        }
        2 => {
            let pair = PAIRS
                .iter()
                .find(|pair| mask == 1 << pair[0] | 1 << pair[1]);
            if let Some(&[a, b, c, d]) = pair {
                let around = [on(a, c), on(a, d), on(b, d), on(b, c)];
                found.push([around[0], around[1], around[2]]);
                found.push([around[0], around[2], around[3]]);
            }
        }
        _ => {}
    }
}

fn vertex(samples: &Samples, first: ValuedPoint, second: ValuedPoint) -> Vec3 {
    samples.position(crossing_place(first, second) / f64::from(POINTS_PER_CELL))
}
