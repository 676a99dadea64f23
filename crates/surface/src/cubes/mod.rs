//! Marching cubes (Lorensen & Cline 1987) on sparse tiles.
//!
//! The mesh is closed and manifold whatever the values: the cases agree across faces (`table`), each cut edge has one
//! vertex, and the liquid ends where the tiles do. Vertices and triangles are numbered by tile, so that their order does
//! not depend on the number of threads.

mod active;
mod table;
mod vertices;

use glam::{DVec3, IVec3, Vec3};
use ooze_field::{Field, mask::TileBits};
use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

pub(crate) use active::{TileRows, owns};
use table::{CASES, Edge};
use vertices::{TileVertices, vertex_on};

use crate::samples::Samples;
use crate::slab;
use crate::tiles::Tiles;

/// The surface on which a field has the value `level`, negative inside: a closed manifold mesh, counter-clockwise seen
/// from outside.
///
/// Where there are no tiles everything counts as outside, and so do samples that are not a number. A field on a flat
/// lattice gives a slab as thick as a cell.
pub fn marching_cubes(field: &Field<f32>, level: f32) -> TriangleMesh {
    let tiles = Tiles::of(field.topology());
    let samples = Samples::of(field, &tiles, level);
    if tiles.flat() {
        slab::squares(&samples, slab::Depth::of(field.topology().lattice()))
    } else {
        extract(&samples)
    }
}

/// Marching cubes on samples in space.
pub(crate) fn extract(samples: &Samples) -> TriangleMesh {
    let tiles = samples.tiles;
    let inside: Vec<TileBits> = (0..tiles.count())
        .into_par_iter()
        .with_min_len(8)
        .map(|slot| samples.inside_bits(slot))
        .collect();
    let active = active_tiles(tiles, &inside);
    let mut place = vec![u32::MAX; tiles.count()];
    for (index, (slot, _)) in active.iter().enumerate() {
        place[*slot] = index as u32;
    }
    let mut vertices: Vec<TileVertices> = active
        .par_iter()
        .with_min_len(8)
        .map(|&(slot, _)| TileVertices::new(tiles, &inside, slot))
        .collect();
    let mut total = 0;
    for tile in &mut vertices {
        tile.first = total;
        total += tile.count();
    }
    let positions = active
        .par_iter()
        .zip(&vertices)
        .with_min_len(8)
        .flat_map_iter(|(&(slot, _), tile)| positions_of(samples, slot, tile))
        .collect();
    let triangles = active
        .par_iter()
        .with_min_len(8)
        .flat_map_iter(|(slot, rows)| {
            let mut found = Vec::new();
            rows.for_each_active(tiles, *slot, |cube| {
                for triangle in CASES[cube.inside as usize].triangles() {
                    found.push(triangle.map(|edge| {
                        let edge = Edge::new(edge as usize);
                        let lower = cube.lower + corner(edge.lower);
                        vertex_on(tiles, &vertices, &place, *slot, lower, edge.axis)
                    }));
                }
            });
            found
        })
        .collect();
    TriangleMesh {
        positions,
        triangles,
        ..TriangleMesh::default()
    }
}

/// The tiles that the surface passes through or next to.
fn active_tiles(tiles: &Tiles, inside: &[TileBits]) -> Vec<(usize, TileRows)> {
    (0..tiles.count())
        .into_par_iter()
        .with_min_len(8)
        .filter_map(|slot| {
            let rows = TileRows::load(tiles, inside, slot);
            (!rows.uniform()).then_some((slot, rows))
        })
        .collect()
}

fn positions_of<'a>(
    samples: &'a Samples,
    slot: usize,
    vertices: &'a TileVertices,
) -> impl Iterator<Item = Vec3> + 'a {
    let tile_lower = samples.tiles.lower(slot);
    vertices.edges().map(move |(lower, axis)| {
        let from = samples.value(slot, lower);
        let to = samples.value(slot, lower + IVec3::AXES[axis]);
        let share = samples.crossing(from, to);
        samples.position((tile_lower + lower).as_dvec3() + share * DVec3::AXES[axis])
    })
}

/// Corner `x + 2 y + 4 z` of the unit cube.
#[inline]
pub(crate) fn corner(number: usize) -> IVec3 {
    let number = number as i32;
    IVec3::new(number & 1, number >> 1 & 1, number >> 2)
}
