//! Smoothing that keeps volume and thin parts.
//!
//! Laplacian smoothing removes the unevenness of a surface and shrinks it. Taubin's (1995) remedy, to inflate again by
//! the same operator with a negative factor, keeps what is large but not threads, whose cross-section has no more vertices
//! than a bump has. Here the shrinking is measured as the distance by which smoothing moved each vertex along its
//! normal, this distance is smoothed over the surface, and the surface is moved back by it. Of a bump inward and outward
//! distances cancel and it stays smooth, while a thread, which shrinks by the same distance all around, a droplet or
//! the rim of a sheet gets its thickness back. Droplets of a few dozen vertices are smoothed less: their neighbourhoods
//! are as large as they are. Last, each connected piece is inflated or deflated evenly to its exact volume.

use std::ops::Range;

use glam::{Vec3, Vec3A};
use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

use super::normals::vertex_normals;
use super::pieces::Pieces;
use super::rings::{Neighbours, Rings};

/// Share of the way to the mean of its neighbours that a vertex moves in a step.
const STEP: f32 = 0.5;
/// Steps after which the surface is moved back. More smooth better at the same cost but deform thin parts more.
const STEPS_AT_ONCE: u32 = 10;
/// A piece of the surface takes one step for each so many of its vertices: no more than smooth a part of it at a time.
const VERTICES_A_STEP: u32 = 20;
/// Newton steps towards the exact volume at most; each squares the relative error.
const VOLUME_STEPS: usize = 3;
/// Relative error of a piece's volume that is good enough.
const VOLUME_TOLERANCE: f64 = 1e-6;

/// What smoothing did to a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SmoothingReport {
    /// Enclosed volume before, in cubic metres.
    pub volume_before: f64,
    /// Enclosed volume after, in cubic metres.
    pub volume_after: f64,
    /// The longest way that a vertex moved, in metres.
    pub largest_move: f32,
}

impl SmoothingReport {
    /// Change of volume relative to the volume before.
    pub fn volume_change(&self) -> f64 {
        if self.volume_before == 0.0 {
            0.0
        } else {
            self.volume_after / self.volume_before - 1.0
        }
    }
}

/// Smooths a closed mesh by so many steps. Each connected piece keeps its volume. Normals are not updated.
pub fn smooth(mesh: &mut TriangleMesh, steps: u32) -> SmoothingReport {
    let pieces = Pieces::of(mesh);
    let volumes = pieces.volumes(mesh);
    smooth_and_scale(mesh, &Rings::new(mesh), &pieces, volumes, steps, 1.0)
}

/// Smooths a closed mesh; each connected piece ends with `scale` times the volume that it has now, given in `volumes`.
pub(crate) fn smooth_and_scale(
    mesh: &mut TriangleMesh,
    rings: &Rings,
    pieces: &Pieces,
    mut volumes: Vec<f64>,
    steps: u32,
    scale: f64,
) -> SmoothingReport {
    let volume_before = volumes.iter().sum();
    if (steps == 0 && scale == 1.0) || mesh.triangles.is_empty() {
        return SmoothingReport {
            volume_before,
            volume_after: volume_before,
            largest_move: 0.0,
        };
    }
    let original = mesh.positions.clone();
    if steps > 0 {
        let neighbours = rings.neighbours();
        let limits = step_limits(pieces);
        for first in (0..steps).step_by(STEPS_AT_ONCE as usize) {
            let range = first..steps.min(first + STEPS_AT_ONCE);
            smooth_and_move_back(&mut mesh.positions, rings, &neighbours, &limits, range);
        }
    }
    for volume in &mut volumes {
        *volume *= scale;
    }
    let volume_after = restore_volumes(mesh, rings, pieces, &volumes);
    let moves = original.par_iter().zip(&mesh.positions);
    SmoothingReport {
        volume_before,
        volume_after,
        largest_move: moves.map(|(a, b)| a.distance(*b)).reduce(|| 0.0, f32::max),
    }
}

/// The number of steps that each vertex takes at most.
fn step_limits(pieces: &Pieces) -> Vec<u32> {
    let mut sizes = vec![0; pieces.count];
    for &piece in &pieces.of_vertex {
        sizes[piece as usize] += 1;
    }
    pieces
        .of_vertex
        .par_iter()
        .map(|&piece| sizes[piece as usize] / VERTICES_A_STEP)
        .collect()
}

fn smooth_and_move_back(
    positions: &mut [Vec3],
    rings: &Rings,
    neighbours: &Neighbours,
    limits: &[u32],
    steps: Range<u32>,
) {
    let wide = positions.par_iter().map(|&position| position.into());
    let smoothed = diffuse(
        wide.collect::<Vec<Vec3A>>(),
        neighbours,
        limits,
        steps.clone(),
    );
    let smoothed: Vec<Vec3> = smoothed.into_par_iter().map(Vec3::from).collect();
    let normals = vertex_normals(&smoothed, rings);
    let moved: Vec<f32> = smoothed
        .par_iter()
        .zip(positions.par_iter())
        .zip(&normals)
        .map(|((after, before), normal)| normal.dot(*after - *before))
        .collect();
    let moved = diffuse(moved, neighbours, limits, steps);
    positions
        .par_iter_mut()
        .zip(&smoothed)
        .zip(&normals)
        .zip(&moved)
        .for_each(|(((position, &smoothed), &normal), &moved)| {
            *position = smoothed - moved * normal;
        });
}

/// Moves values at vertices towards the mean of their neighbours' values, as long as the vertices' limits allow.
fn diffuse<T>(
    mut values: Vec<T>,
    neighbours: &Neighbours,
    limits: &[u32],
    steps: Range<u32>,
) -> Vec<T>
where
    T: Copy + Send + Sync + Default + std::ops::Add<Output = T> + std::ops::Mul<f32, Output = T>,
{
    let mut next = values.clone();
    for step in steps {
        next.par_iter_mut()
            .enumerate()
            .with_min_len(1024)
            .for_each(|(vertex, value)| {
                let around = neighbours.of(vertex);
                *value = values[vertex];
                if step < limits[vertex] && !around.is_empty() {
                    let sum = around.iter().fold(T::default(), |sum, &neighbour| {
                        sum + values[neighbour as usize]
                    });
                    *value = *value * (1.0 - STEP) + sum * (STEP / around.len() as f32);
                }
            });
        std::mem::swap(&mut values, &mut next);
    }
    values
}

/// Moves each piece along its normals until it encloses its volume. Returns the volume of all.
fn restore_volumes(
    mesh: &mut TriangleMesh,
    rings: &Rings,
    pieces: &Pieces,
    volumes: &[f64],
) -> f64 {
    for _ in 0..VOLUME_STEPS {
        let normals = vertex_normals(&mesh.positions, rings);
        let now = growth_of(mesh, &normals, pieces);
        let moves: Vec<f32> = now
            .iter()
            .zip(volumes)
            .map(|(piece, &wanted)| piece.way_to(wanted))
            .collect();
        if moves.iter().all(|&distance| distance == 0.0) {
            return now.iter().map(|piece| piece.volume).sum();
        }
        mesh.positions
            .par_iter_mut()
            .zip(&normals)
            .zip(&pieces.of_vertex)
            .for_each(|((position, &normal), &piece)| *position += moves[piece as usize] * normal);
    }
    pieces.volumes(mesh).iter().sum()
}

/// A piece, and how it grows when all of its vertices move along their normals.
#[derive(Clone, Copy, Debug)]
struct Growth {
    volume: f64,
    /// Change of volume with the distance.
    rate: f64,
    area: f64,
    /// Number of its triangles.
    sides: f64,
}

impl Growth {
    /// How far the piece has to move along its normals to enclose a volume.
    fn way_to(&self, wanted: f64) -> f32 {
        let miss = wanted - self.volume;
        let distance = miss / self.rate;
        if miss.abs() <= VOLUME_TOLERANCE * wanted.abs() || !distance.is_finite() {
            return 0.0;
        }
        // A sliver of hardly any volume has no surface to speak of that could be moved.
        let limit = 0.5 * (self.area / self.sides).sqrt();
        distance.clamp(-limit, limit) as f32
    }
}

fn growth_of(mesh: &TriangleMesh, normals: &[Vec3], pieces: &Pieces) -> Vec<Growth> {
    let sums = pieces.sums(mesh, |corners| {
        let [a, b, c] = corners.map(|vertex| mesh.positions[vertex as usize].as_dvec3());
        let along = corners.map(|vertex| normals[vertex as usize].as_dvec3());
        let cross = (b - a).cross(c - a);
        [
            a.dot(b.cross(c)) / 6.0,
            cross.dot(along[0] + along[1] + along[2]) / 6.0,
            0.5 * cross.length(),
            1.0,
        ]
    });
    sums.into_iter()
        .map(|[volume, rate, area, sides]| Growth {
            volume,
            rate,
            area,
            sides,
        })
        .collect()
}
