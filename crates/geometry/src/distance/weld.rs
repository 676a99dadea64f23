//! First aid for triangle soups: joining equal vertices, and dropping triangles that are degenerate or occur twice.

use std::collections::HashMap;

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use crate::Aabb;

/// Vertices this close, relative to the size of the mesh, are one: cracks from rounding in exporters.
const RELATIVE_TOLERANCE: f32 = 1e-6;
/// Or this many steps of the largest coordinate's precision, for meshes far from the origin.
const PRECISION_STEPS: f32 = 4.0;

/// The distance below which vertices of a mesh count as one.
pub(super) fn weld_tolerance(bounds: &Aabb) -> f32 {
    let largest = bounds.lower.abs().max(bounds.upper.abs()).max_element();
    let size = bounds.extent().max_element();
    (RELATIVE_TOLERANCE * size).max(PRECISION_STEPS * f32::EPSILON * largest)
}

/// Joins vertices closer than `tolerance`: the kept positions, and the new number of each old vertex.
///
/// Of vertices that are joined the first one stays where it is, so that the result does not depend on any hashing.
pub(super) fn weld(positions: &[Vec3], tolerance: f32) -> (Vec<Vec3>, Vec<u32>) {
    let origin = Aabb::from_points(positions.iter().copied())
        .lower
        .as_dvec3();
    let side = 2.0 * f64::from(tolerance.max(f32::MIN_POSITIVE));
    let mut kept: Vec<Vec3> = Vec::new();
    // A cell may hold several kept vertices, as a chain: the newest, and for each vertex the one before it.
    let mut newest: HashMap<[i64; 3], u32> = HashMap::new();
    let mut before: Vec<u32> = Vec::new();
    const NONE: u32 = u32::MAX;

    let numbers = positions.iter().map(|&position| {
        // Everything within the tolerance lies in the two nearest cells of each axis.
        let in_cells = (position.as_dvec3() - origin) / side;
        let cell = in_cells.floor();
        let side_step = DVec3::select(
            (in_cells - cell).cmplt(DVec3::splat(0.5)),
            -DVec3::ONE,
            DVec3::ONE,
        );
        for neighbour in 0..8 {
            let step = DVec3::from_array([0, 1, 2].map(|axis| f64::from(neighbour >> axis & 1)));
            let mut candidate = newest
                .get(&key(cell + step * side_step))
                .copied()
                .unwrap_or(NONE);
            while candidate != NONE {
                if kept[candidate as usize].distance(position) <= tolerance {
                    return candidate;
                }
                candidate = before[candidate as usize];
            }
        }
        let number = kept.len() as u32;
        kept.push(position);
        before.push(newest.insert(key(cell), number).unwrap_or(NONE));
        number
    });
    let numbers = numbers.collect();
    (kept, numbers)
}

fn key(cell: DVec3) -> [i64; 3] {
    cell.to_array().map(|number| number as i64)
}

/// Triangles that are left after clearing up.
#[derive(Debug)]
pub(super) struct Cleared {
    pub(super) triangles: Vec<[u32; 3]>,
    /// How many had two corners in one place.
    pub(super) degenerate: usize,
    /// How many were repetitions of another triangle.
    pub(super) repeated: usize,
    /// How many were one side of a two-sided triangle, which encloses nothing.
    pub(super) two_sided: usize,
}

/// Drops triangles with a corner twice, repetitions, and pairs that face one another.
pub(super) fn clear_up(triangles: &[[u32; 3]]) -> Cleared {
    // By the set of corners; then by place, which keeps the order of the mesh.
    let mut keyed: Vec<([u32; 3], usize, bool)> = triangles
        .par_iter()
        .enumerate()
        .filter(|(_, [a, b, c])| a != b && b != c && c != a)
        .map(|(index, &triangle)| {
            let mut corners = triangle;
            let least = (0..3).min_by_key(|&corner| triangle[corner]).unwrap_or(0);
            corners.rotate_left(least);
            let is_ascending = corners[1] < corners[2];
            corners.sort_unstable();
            (corners, index, is_ascending)
        })
        .collect();
    let degenerate = triangles.len() - keyed.len();
    keyed.par_sort_unstable();

    let mut kept: Vec<usize> = Vec::with_capacity(keyed.len());
    let (mut repeated, mut two_sided) = (0, 0);
    for group in keyed.chunk_by(|one, other| one.0 == other.0) {
        let ascending = group.iter().filter(|entry| entry.2).count();
        let descending = group.len() - ascending;
        let facing = ascending.min(descending);
        two_sided += 2 * facing;
        if ascending != descending {
            repeated += ascending.abs_diff(descending) - 1;
            let first = group
                .iter()
                .find(|entry| entry.2 == (ascending > descending));
            kept.extend(first.map(|entry| entry.1));
        }
    }
    kept.par_sort_unstable();
    let triangles = kept.into_iter().map(|index| triangles[index]).collect();
    Cleared {
        triangles,
        degenerate,
        repeated,
        two_sided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_vertices_become_one_across_cell_borders() {
        let tolerance = 1e-3;
        // Along a line at steps of a fifth of the tolerance, pairs of points half a tolerance apart.
        for step in 0..100 {
            let base = Vec3::splat(0.2 * tolerance * step as f32) + 5.0;
            let positions = [
                Vec3::ZERO,
                base,
                base + 0.5 * tolerance * Vec3::X,
                base + 2.5 * tolerance * Vec3::Y,
            ];
            let (kept, numbers) = weld(&positions, tolerance);
            assert_eq!(numbers, [0, 1, 1, 2], "at step {step}");
            assert_eq!(kept, [positions[0], positions[1], positions[3]]);
        }
    }

    #[test]
    fn repetitions_and_two_sided_triangles_are_dropped() {
        let triangles = [
            [0, 1, 2],
            [3, 4, 5],
            [1, 2, 0],
            [4, 3, 5],
            [6, 6, 7],
            [7, 8, 9],
            [9, 8, 7],
            [8, 9, 7],
        ];
        let cleared = clear_up(&triangles);
        assert_eq!(cleared.triangles, [[0, 1, 2], [7, 8, 9]]);
        assert_eq!(
            (cleared.degenerate, cleared.repeated, cleared.two_sided),
            (1, 1, 4)
        );
    }
}
