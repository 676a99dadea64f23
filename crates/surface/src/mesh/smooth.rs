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

use glam::Vec3;
use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

use super::normals::vertex_normals;
use super::pieces::Pieces;
use super::rings::Rings;

/// Share of the way to the mean of its neighbours that a vertex moves in a step.
const STEP: f32 = 0.5;
/// Steps after which the surface is moved back. More smooth better at the same cost but deform thin parts more.
const STEPS_AT_ONCE: u32 = 10;
/// A piece of the surface takes one step for each so many of its vertices: no more than smooth a part of it at a time.
const VERTICES_A_STEP: u32 = 20;
/// Newton steps towards the exact volume; each squares the relative error.
const VOLUME_STEPS: usize = 3;

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
    let volume_before = mesh.volume();
    if steps == 0 || mesh.triangles.is_empty() {
        return SmoothingReport {
            volume_before,
            volume_after: volume_before,
            largest_move: 0.0,
        };
    }
    let rings = Rings::new(mesh);
    let pieces = Pieces::of(mesh);
    let volumes = pieces.volumes(mesh);
    let original = mesh.positions.clone();
    let limits = step_limits(&pieces);
    for first in (0..steps).step_by(STEPS_AT_ONCE as usize) {
        let range = first..steps.min(first + STEPS_AT_ONCE);
        smooth_and_move_back(&mut mesh.positions, &rings, &limits, range);
    }
    restore_volumes(mesh, &rings, &pieces, &volumes);
    let moves = original.iter().zip(&mesh.positions);
    SmoothingReport {
        volume_before,
        volume_after: mesh.volume(),
        largest_move: moves.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max),
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
        .iter()
        .map(|&piece| sizes[piece as usize] / VERTICES_A_STEP)
        .collect()
}

fn smooth_and_move_back(
    positions: &mut Vec<Vec3>,
    rings: &Rings,
    limits: &[u32],
    steps: Range<u32>,
) {
    let mut smoothed = positions.clone();
    diffuse(&mut smoothed, rings, limits, steps.clone());
    let normals = vertex_normals(&smoothed, rings);
    let mut moved: Vec<f32> = smoothed
        .par_iter()
        .zip(positions.par_iter())
        .zip(&normals)
        .map(|((after, before), normal)| normal.dot(*after - *before))
        .collect();
    diffuse(&mut moved, rings, limits, steps);
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
fn diffuse<T>(values: &mut Vec<T>, rings: &Rings, limits: &[u32], steps: Range<u32>)
where
    T: Copy + Send + Sync + Default + std::ops::Add<Output = T> + std::ops::Mul<f32, Output = T>,
{
    let mut next = values.clone();
    for step in steps {
        next.par_iter_mut()
            .enumerate()
            .with_min_len(1024)
            .for_each(|(vertex, value)| {
                let ring = rings.of(vertex);
                *value = values[vertex];
                if step < limits[vertex] && !ring.is_empty() {
                    let sum = ring.iter().fold(T::default(), |sum, &[neighbour, _]| {
                        sum + values[neighbour as usize]
                    });
                    *value = *value * (1.0 - STEP) + sum * (STEP / ring.len() as f32);
                }
            });
        std::mem::swap(values, &mut next);
    }
}

/// Moves each piece along its normals until it encloses its volume.
fn restore_volumes(mesh: &mut TriangleMesh, rings: &Rings, pieces: &Pieces, volumes: &[f64]) {
    for _ in 0..VOLUME_STEPS {
        let normals = vertex_normals(&mesh.positions, rings);
        let now = pieces.volumes(mesh);
        let growth = growth_of(mesh, &normals, pieces);
        let moves: Vec<f32> = (0..pieces.count)
            .map(|piece| {
                let Growth { rate, area, sides } = growth[piece];
                let distance = (volumes[piece] - now[piece]) / rate;
                // A sliver of hardly any volume has no surface to speak of that could be moved.
                let limit = 0.5 * (area / f64::from(sides)).sqrt();
                if distance.is_finite() {
                    distance.clamp(-limit, limit) as f32
                } else {
                    0.0
                }
            })
            .collect();
        mesh.positions
            .par_iter_mut()
            .zip(&normals)
            .zip(&pieces.of_vertex)
            .for_each(|((position, &normal), &piece)| *position += moves[piece as usize] * normal);
    }
}

/// How a piece grows when all of its vertices move along their normals.
#[derive(Clone, Copy, Debug, Default)]
struct Growth {
    /// Change of volume with the distance.
    rate: f64,
    /// Its area.
    area: f64,
    /// Number of its triangles.
    sides: u32,
}

fn growth_of(mesh: &TriangleMesh, normals: &[Vec3], pieces: &Pieces) -> Vec<Growth> {
    let mut growth = vec![Growth::default(); pieces.count];
    for corners in &mesh.triangles {
        let [a, b, c] = corners.map(|vertex| mesh.positions[vertex as usize].as_dvec3());
        let along = corners.map(|vertex| normals[vertex as usize].as_dvec3());
        let cross = (b - a).cross(c - a);
        let piece = &mut growth[pieces.of_vertex[corners[0] as usize] as usize];
        piece.rate += cross.dot(along[0] + along[1] + along[2]) / 6.0;
        piece.area += 0.5 * cross.length();
        piece.sides += 1;
    }
    growth
}
