//! Smoothing that keeps volume and thin parts.
//!
//! Laplacian smoothing removes the unevenness of a surface and shrinks it. Taubin's (1995) remedy, to inflate again by
//! the same operator with a negative factor, keeps what is large but not threads, whose cross-section has no more vertices
//! than a bump has. Here the shrinking is measured as the distance by which smoothing moved each vertex along its
//! normal, this distance is smoothed over the surface, and the surface is moved back by it. Of a bump inward and outward
//! distances cancel and it stays smooth, while a thread, which shrinks by the same distance all around, a droplet or
//! the rim of a sheet gets its thickness back. Last, each connected piece is inflated or deflated evenly to its exact
//! volume.

use glam::Vec3;
use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

use super::normals::vertex_normals;
use super::pieces::Pieces;
use super::rings::Rings;

/// Share of the way to the mean of its neighbours that a vertex moves in a step.
const STEP: f32 = 0.5;
/// Steps after which the surface is moved back. More smooth better at the same cost but deform thin parts more.
const STEPS_AT_ONCE: u32 = 5;
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
    let mut left = steps;
    while left > 0 {
        let now = left.min(STEPS_AT_ONCE);
        smooth_and_move_back(&mut mesh.positions, &rings, now);
        left -= now;
    }
    restore_volumes(mesh, &rings, &pieces, &volumes);
    let moves = original.iter().zip(&mesh.positions);
    SmoothingReport {
        volume_before,
        volume_after: mesh.volume(),
        largest_move: moves.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max),
    }
}

fn smooth_and_move_back(positions: &mut Vec<Vec3>, rings: &Rings, steps: u32) {
    let mut smoothed = positions.clone();
    diffuse(&mut smoothed, rings, steps);
    let normals = vertex_normals(&smoothed, rings);
    let mut moved: Vec<f32> = smoothed
        .par_iter()
        .zip(positions.par_iter())
        .zip(&normals)
        .map(|((after, before), normal)| normal.dot(*after - *before))
        .collect();
    diffuse(&mut moved, rings, steps);
    positions
        .par_iter_mut()
        .zip(&smoothed)
        .zip(&normals)
        .zip(&moved)
        .for_each(|(((position, &smoothed), &normal), &moved)| {
            *position = smoothed - moved * normal;
        });
}

/// Moves values at vertices towards the mean of their neighbours' values.
fn diffuse<T>(values: &mut Vec<T>, rings: &Rings, steps: u32)
where
    T: Copy + Send + Sync + Default + std::ops::Add<Output = T> + std::ops::Mul<f32, Output = T>,
{
    let mut next = values.clone();
    for _ in 0..steps {
        next.par_iter_mut()
            .enumerate()
            .with_min_len(1024)
            .for_each(|(vertex, value)| {
                let ring = rings.of(vertex);
                let sum = ring.iter().fold(T::default(), |sum, &[neighbour, _]| {
                    sum + values[neighbour as usize]
                });
                if !ring.is_empty() {
                    *value = values[vertex] * (1.0 - STEP) + sum * (STEP / ring.len() as f32);
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
        // How fast volume grows when all vertices move along their normals at unit speed.
        let mut rates = vec![0.0_f64; pieces.count];
        for corners in &mesh.triangles {
            let [a, b, c] = corners.map(|vertex| mesh.positions[vertex as usize].as_dvec3());
            let along = corners.map(|vertex| normals[vertex as usize].as_dvec3());
            let speed = along[0] + along[1] + along[2];
            let piece = pieces.of_vertex[corners[0] as usize];
            rates[piece as usize] += (b - a).cross(c - a).dot(speed) / 6.0;
        }
        let moves: Vec<f32> = (0..pieces.count)
            .map(|piece| {
                let distance = (volumes[piece] - now[piece]) / rates[piece];
                if distance.is_finite() {
                    distance as f32
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
