//! Surfaces of flat liquids: the liquid's area in the plane, cell by cell, drawn out to a slab as thick as a cell. Two
//! lids and a wall along the contour make a closed mesh. Its vertices are those of the upper lid and then, in the same
//! order, those of the lower one.

use glam::{DVec3, IVec3, Vec3};
use ooze_field::Lattice;
use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

use crate::cubes::owns;
use crate::samples::{Samples, crossing};
use crate::tiles::order_key;
use crate::weld::{Corner, Vertices};

/// Steps of point coordinates in a cell: subdivisions of cells place points at quarters.
pub(crate) const POINTS_PER_CELL: i32 = 4;

/// The corners of a square, counter-clockwise.
const SQUARE: [IVec3; 4] = [
    IVec3::new(0, 0, 0),
    IVec3::new(1, 0, 0),
    IVec3::new(1, 1, 0),
    IVec3::new(0, 1, 0),
];

/// Where along z a slab lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Depth {
    pub(crate) lower: f32,
    pub(crate) upper: f32,
}

impl Depth {
    /// The one layer of a flat lattice.
    pub(crate) fn of(lattice: &Lattice) -> Self {
        Self {
            lower: lattice.origin.z,
            upper: lattice.origin.z + lattice.cell_size,
        }
    }
}

/// A point in the plane with its value less the level, negative inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValuedPoint {
    /// In quarters of a cell from sample (0, 0, 0).
    pub(crate) place: IVec3,
    pub(crate) value: f64,
}

/// Marching squares, drawn out; across a square with two inside corners on a diagonal the inside is joined, as in
/// marching cubes.
pub(crate) fn squares(samples: &Samples, depth: Depth) -> TriangleMesh {
    extrude(samples, depth, |slot, lower, emit| {
        emit(&square(samples, slot, lower));
    })
}

/// The square above the lowest sample of a cell, counted from its tile's lowest.
fn square(samples: &Samples, slot: usize, lower: IVec3) -> [ValuedPoint; 4] {
    SQUARE.map(|step| ValuedPoint {
        place: POINTS_PER_CELL * (samples.tiles.lower(slot) + lower + step),
        value: f64::from(samples.value(slot, lower + step)) - f64::from(samples.level),
    })
}

/// Area inside and length of the contour, in square metres and metres, of what [`squares`] draws out: far cheaper than
/// its mesh.
pub(crate) fn measure(samples: &Samples) -> (f64, f64) {
    let of_tile = |slot| {
        let mut sums = (0.0, 0.0);
        for lower in owned_cells(samples, slot) {
            let (area, length) = measure_outline(&inside_part(&square(samples, slot, lower)));
            sums = (sums.0 + area, sums.1 + length);
        }
        sums
    };
    let tiles: Vec<(f64, f64)> = (0..samples.tiles.count())
        .into_par_iter()
        .map(of_tile)
        .collect();
    // In the order of tiles, whatever the threads.
    let (area, length) = tiles
        .iter()
        .fold((0.0, 0.0), |sums, tile| (sums.0 + tile.0, sums.1 + tile.1));
    let unit = f64::from(samples.cell_size) / f64::from(POINTS_PER_CELL);
    (area * unit * unit, length * unit)
}

/// Area and length of contour of a part, in quarters of a cell.
fn measure_outline(outline: &[Outline]) -> (f64, f64) {
    let (mut area, mut length) = (0.0, 0.0);
    for (index, from) in outline.iter().enumerate() {
        let to = &outline[(index + 1) % outline.len()];
        area += 0.5 * (from.place.x * to.place.y - to.place.x * from.place.y);
        if from.on_contour && to.on_contour {
            length += from.place.distance(to.place);
        }
    }
    (area, length)
}

/// The cells that a tile owns, by their lowest samples, counted from the tile's lowest.
fn owned_cells(samples: &Samples, slot: usize) -> impl Iterator<Item = IVec3> {
    (0..81)
        .map(|cell| IVec3::new(cell % 9 - 1, cell / 9 - 1, 0))
        .filter(move |&lower| owns(samples.tiles, slot, lower))
}

/// A slab of the inside of convex polygons that fill the cells. `polygons` is called with the tile and the lowest sample
/// of a cell, counted from the tile's lowest, and hands over the cell's polygons, counter-clockwise.
pub(crate) fn extrude(
    samples: &Samples,
    depth: Depth,
    polygons: impl Fn(usize, IVec3, &mut dyn FnMut(&[ValuedPoint])) + Sync,
) -> TriangleMesh {
    let of_tiles: Vec<Parts> = (0..samples.tiles.count())
        .into_par_iter()
        .map(|slot| {
            let mut parts = Parts::default();
            for lower in owned_cells(samples, slot) {
                polygons(slot, lower, &mut |points| {
                    parts.add(samples, &inside_part(points));
                });
            }
            parts
        })
        .collect();
    let mut vertices = Vertices::default();
    let lid = of_tiles.iter().flat_map(|parts| vertices.weld(&parts.lid));
    let lid: Vec<[u32; 3]> = lid.collect();
    let contour = of_tiles
        .iter()
        .flat_map(|parts| vertices.weld(&parts.contour));
    let contour: Vec<[u32; 2]> = contour.collect();
    draw_out(&vertices.into_positions(), &lid, &contour, depth)
}

/// What tiles add to the area in the plane.
#[derive(Default)]
struct Parts {
    /// Counter-clockwise triangles.
    lid: Vec<[Corner; 3]>,
    /// Sides that have nothing beyond them, counter-clockwise around the area.
    contour: Vec<[Corner; 2]>,
}

impl Parts {
    /// Adds the inside part of a polygon.
    fn add(&mut self, samples: &Samples, outline: &[Outline]) {
        let corner = |point: &Outline| Corner {
            key: point.key,
            position: samples.position(point.place / f64::from(POINTS_PER_CELL)),
        };
        for index in 1..outline.len().saturating_sub(1) {
            let triangle = [0, index, index + 1];
            self.lid.push(triangle.map(|index| corner(&outline[index])));
        }
        for (index, from) in outline.iter().enumerate() {
            let to = &outline[(index + 1) % outline.len()];
            if from.on_contour && to.on_contour {
                self.contour.push([corner(from), corner(to)]);
            }
        }
    }
}

/// A corner of the inside part of a polygon.
#[derive(Clone, Copy, Debug)]
struct Outline {
    /// Twice the place of a point, or the sum of the two places that a crossing lies between.
    key: IVec3,
    /// In quarters of a cell.
    place: DVec3,
    on_contour: bool,
}

/// The part of a convex polygon in which the function is negative. It is convex as well.
fn inside_part(points: &[ValuedPoint]) -> Vec<Outline> {
    let mut outline = Vec::new();
    for (index, point) in points.iter().enumerate() {
        let next = points[(index + 1) % points.len()];
        if point.value < 0.0 {
            outline.push(Outline {
                key: 2 * point.place,
                place: point.place.as_dvec3(),
                on_contour: false,
            });
        }
        if (point.value < 0.0) != (next.value < 0.0) {
            outline.push(Outline {
                key: point.place + next.place,
                place: crossing_place(*point, next),
                on_contour: true,
            });
        }
    }
    outline
}

/// Where the function is zero between two points: bit for bit the same whichever comes first.
pub(crate) fn crossing_place(first: ValuedPoint, second: ValuedPoint) -> DVec3 {
    let (from, to) = if order_key(first.place) < order_key(second.place) {
        (first, second)
    } else {
        (second, first)
    };
    let share = crossing(from.value, to.value);
    from.place.as_dvec3() + share * (to.place - from.place).as_dvec3()
}

/// Two lids, and a wall along each side of the contour.
fn draw_out(points: &[Vec3], lid: &[[u32; 3]], contour: &[[u32; 2]], depth: Depth) -> TriangleMesh {
    let below = points.len() as u32;
    let at = |z: f32| points.iter().map(move |point| point.with_z(z));
    let underside = lid
        .iter()
        .map(|&[a, b, c]| [a, c, b].map(|vertex| vertex + below));
    let walls = contour.iter().flat_map(|&[from, to]| {
        let (low, next_low) = (from + below, to + below);
        [[low, next_low, to], [low, to, from]]
    });
    TriangleMesh {
        triangles: lid.iter().copied().chain(underside).chain(walls).collect(),
        positions: at(depth.upper).chain(at(depth.lower)).collect(),
        ..TriangleMesh::default()
    }
}
