//! How the surface passes through a cube, for each of the 256 ways in which its corners can be inside or outside.
//!
//! The table is made from one rule instead of being typed in: on every face of the cube a line cuts off each run of
//! outside corners. On faces with two inside corners across a diagonal (the ambiguous ones) this joins the inside, so thin
//! strands hold together, and both cubes at the face agree (Nielson & Hamann 1991 describe what happens otherwise). The
//! lines close into loops of three to seven vertices. A loop is cut into triangles along diagonals that do not lie on a
//! face: such a diagonal might be chosen by the next cube too, and four triangles would meet there.

use std::sync::LazyLock;

use glam::Vec3;

/// The triangles of a case.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Case {
    count: u8,
    triangles: [[u8; 3]; 5],
}

impl Case {
    /// Triangles as edges of the cube, counter-clockwise seen from outside the liquid.
    #[inline]
    pub(super) fn triangles(&self) -> &[[u8; 3]] {
        &self.triangles[..self.count as usize]
    }
}

/// Case by the bits of the corners that are inside; corner `x + 2 y + 4 z` is bit `x + 2 y + 4 z`.
pub(super) static CASES: LazyLock<[Case; 256]> = LazyLock::new(|| std::array::from_fn(case));

/// An edge of the cube: number `4 axis + u + 2 v`, with `u` and `v` its place along the next two axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) axis: usize,
    /// The corner at its lower end.
    pub(super) lower: usize,
}

impl Edge {
    /// The edge with a number from 0 to 11.
    #[inline]
    pub(super) fn new(number: usize) -> Self {
        let axis = number / 4;
        let lower = (number & 1) << ((axis + 1) % 3) | (number >> 1 & 1) << ((axis + 2) % 3);
        Self { axis, lower }
    }

    fn between(first: usize, second: usize) -> u8 {
        let (lower, axis) = (first & second, (first ^ second).trailing_zeros() as usize);
        (4 * axis + (lower >> ((axis + 1) % 3) & 1) + 2 * (lower >> ((axis + 2) % 3) & 1)) as u8
    }

    fn middle(self) -> Vec3 {
        let corner = Vec3::from_array(std::array::from_fn(|axis| (self.lower >> axis & 1) as f32));
        corner + 0.5 * Vec3::AXES[self.axis]
    }
}

/// The faces of the cube, each with its corners clockwise seen from outside the cube.
fn faces() -> [[usize; 4]; 6] {
    std::array::from_fn(|face| {
        let (axis, upper) = (face / 2, face % 2);
        let mut corners = [0, 2, 3, 1].map(|place| {
            upper << axis | (place & 1) << ((axis + 1) % 3) | (place >> 1) << ((axis + 2) % 3)
        });
        if upper == 0 {
            corners.reverse();
        }
        corners
    })
}

fn case(inside: usize) -> Case {
    let mut next = [None; 12];
    for corners in faces() {
        let is_inside = |place: usize| inside >> corners[place % 4] & 1 == 1;
        let edge = |place: usize| Edge::between(corners[place % 4], corners[(place + 1) % 4]);
        for start in 0..4 {
            if is_inside(start) && !is_inside(start + 1) {
                let length = (1..4).take_while(|&step| !is_inside(start + step)).count();
                next[edge(start) as usize] = Some(edge(start + length));
            }
        }
    }
    let mut case = Case::default();
    for first in 0..12 {
        let mut polygon = Vec::new();
        let mut edge = first;
        while let Some(following) = next[edge].take() {
            polygon.push(edge as u8);
            edge = following as usize;
        }
        for triangle in best_triangulation(&polygon) {
            case.triangles[case.count as usize] = triangle;
            case.count += 1;
        }
    }
    case
}

/// The triangulation with the least area, vertices taken in the middle of their edges, of those without a diagonal on
/// a face.
fn best_triangulation(polygon: &[u8]) -> Vec<[u8; 3]> {
    let area = |triangles: &Vec<[u8; 3]>| {
        let areas = triangles.iter().map(|corners| {
            let [a, b, c] = corners.map(|edge| Edge::new(edge as usize).middle());
            (b - a).cross(c - a).length()
        });
        areas.sum::<f32>()
    };
    triangulations(polygon)
        .into_iter()
        .filter(|triangles| !has_face_diagonal(polygon, triangles))
        .min_by(|first, second| area(first).total_cmp(&area(second)))
        .unwrap_or_default()
}

/// All ways to cut a polygon into triangles: one triangle stands on the side from the last vertex to the first, and the
/// polygons on both sides of it are cut likewise.
fn triangulations(polygon: &[u8]) -> Vec<Vec<[u8; 3]>> {
    if polygon.len() < 3 {
        return vec![Vec::new()];
    }
    let last = polygon.len() - 1;
    let mut all = Vec::new();
    for apex in 1..last {
        for before in triangulations(&polygon[..=apex]) {
            for after in triangulations(&polygon[apex..]) {
                let mut triangles = before.clone();
                triangles.push([polygon[0], polygon[apex], polygon[last]]);
                triangles.extend(after);
                all.push(triangles);
            }
        }
    }
    all
}

fn has_face_diagonal(polygon: &[u8], triangles: &[[u8; 3]]) -> bool {
    let place = |edge: u8| polygon.iter().position(|&other| other == edge);
    let adjacent = |first: u8, second: u8| match (place(first), place(second)) {
        (Some(first), Some(second)) => {
            let apart = first.abs_diff(second);
            apart == 1 || apart == polygon.len() - 1
        }
        _ => false,
    };
    triangles.iter().any(|&[a, b, c]| {
        [[a, b], [b, c], [c, a]]
            .iter()
            .any(|&[first, second]| !adjacent(first, second) && on_one_face(first, second))
    })
}

fn on_one_face(first: u8, second: u8) -> bool {
    let ends = |edge: u8| {
        let edge = Edge::new(edge as usize);
        [edge.lower, edge.lower | 1 << edge.axis]
    };
    let corners = [ends(first), ends(second)].concat();
    (0..3).any(|axis| {
        corners
            .iter()
            .all(|&corner| (corner ^ corners[0]) >> axis & 1 == 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_edge_is_used_and_no_other() {
        for (inside, case) in CASES.iter().enumerate() {
            for number in 0..12 {
                let edge = Edge::new(number);
                assert_eq!(
                    Edge::between(edge.lower, edge.lower | 1 << edge.axis),
                    number as u8
                );
                let ends = [edge.lower, edge.lower | 1 << edge.axis];
                let cut = ends.map(|corner| inside >> corner & 1);
                let used = case
                    .triangles()
                    .iter()
                    .flatten()
                    .any(|&e| e as usize == number);
                assert_eq!(cut[0] != cut[1], used, "case {inside:08b}, edge {number}");
            }
        }
    }

    #[test]
    fn a_lone_inside_corner_is_seen_from_outside() {
        let [a, b, c] = CASES[1].triangles()[0].map(|edge| Edge::new(edge as usize).middle());
        assert!((b - a).cross(c - a).dot(Vec3::ONE) > 0.0);
    }
}
