//! Making neighbouring triangles face the same way, and whole pieces face outwards.

use glam::Vec3;
use ooze_commons::DisjointSets;

/// Turns triangles until neighbours agree, the majority of each connected piece winning; returns how many were turned.
///
/// Neighbours share an edge that belongs to no third triangle. Pieces that have only one side (as a Möbius strip) stay
/// inconsistent somewhere.
pub(super) fn align_neighbours(triangles: &mut [[u32; 3]]) -> usize {
    let neighbours = neighbours(triangles);
    let mut turn = vec![None; triangles.len()];
    let mut turned_in_all = 0;
    for seed in 0..triangles.len() {
        if turn[seed].is_some() {
            continue;
        }
        turn[seed] = Some(false);
        let mut piece = vec![seed];
        let mut visited = 0;
        while let Some(&triangle) = piece.get(visited) {
            visited += 1;
            for &(neighbour, agrees) in neighbours[triangle].iter().flatten() {
                if turn[neighbour].is_none() {
                    turn[neighbour] = turn[triangle].map(|turned| turned == agrees);
                    piece.push(neighbour);
                }
            }
        }
        let turned = piece
            .iter()
            .filter(|&&triangle| turn[triangle] == Some(true))
            .count();
        let majority_turned = 2 * turned > piece.len();
        for &triangle in &piece {
            if turn[triangle] == Some(!majority_turned) {
                triangles[triangle].swap(1, 2);
                turned_in_all += 1;
            }
        }
    }
    turned_in_all
}

/// For each side of each triangle, the neighbour there and whether it runs along the side in the other direction, as it
/// should.
fn neighbours(triangles: &[[u32; 3]]) -> Vec<[Option<(usize, bool)>; 3]> {
    let mut sides: Vec<([u32; 2], bool, usize, usize)> = triangles
        .iter()
        .enumerate()
        .flat_map(|(triangle, corners)| {
            (0..3).map(move |side| {
                let (from, to) = (corners[side], corners[(side + 1) % 3]);
                ([from.min(to), from.max(to)], from < to, triangle, side)
            })
        })
        .collect();
    sides.sort_unstable();
    let mut neighbours = vec![[None; 3]; triangles.len()];
    for group in sides.chunk_by(|one, other| one.0 == other.0) {
        if let [
            (_, one_forward, one, one_side),
            (_, other_forward, other, other_side),
        ] = *group
        {
            let agrees = one_forward != other_forward;
            neighbours[one][one_side] = Some((other, agrees));
            neighbours[other][other_side] = Some((one, agrees));
        }
    }
    neighbours
}

/// A connected piece of the surface.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) triangles: Vec<usize>,
    pub(super) volume: f64,
}

/// The pieces of a surface, connected through vertices, in the order of their first triangles.
pub(super) fn pieces(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Piece> {
    let mut joined = DisjointSets::new(positions.len());
    for &[a, b, c] in triangles {
        joined.join(a, b);
        joined.join(a, c);
    }
    let mut number_of = vec![usize::MAX; positions.len()];
    let mut pieces: Vec<Piece> = Vec::new();
    for (index, triangle) in triangles.iter().enumerate() {
        let root = joined.root(triangle[0]) as usize;
        if number_of[root] == usize::MAX {
            number_of[root] = pieces.len();
            pieces.push(Piece {
                triangles: Vec::new(),
                volume: 0.0,
            });
        }
        let piece = &mut pieces[number_of[root]];
        // Relative to a corner of the piece, so that a place far from the origin costs no precision.
        let origin = positions[root].as_dvec3();
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize].as_dvec3() - origin);
        piece.volume += a.dot(b.cross(c)) / 6.0;
        piece.triangles.push(index);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TriangleMesh, generate};

    #[test]
    fn the_majority_wins_in_every_piece() {
        let sphere = generate::icosphere(Vec3::ZERO, 1.0, 2);
        let mut triangles = sphere.triangles.clone();
        for index in [3, 4, 50, 200] {
            triangles[index].swap(0, 1);
        }
        assert_eq!(align_neighbours(&mut triangles), 4);
        let mended = TriangleMesh {
            triangles,
            ..sphere.clone()
        };
        assert!(mended.edge_report().is_closed_manifold());
        assert!((mended.volume() - sphere.volume()).abs() < 1e-9);

        // More than half turned: the sphere ends inside out, but consistent.
        let mut triangles = sphere.triangles.clone();
        triangles[..200]
            .iter_mut()
            .for_each(|triangle| triangle.swap(0, 1));
        assert_eq!(align_neighbours(&mut triangles), 120);
        let mended = TriangleMesh {
            triangles,
            ..sphere.clone()
        };
        assert!(mended.edge_report().is_closed_manifold());
        assert!((mended.volume() + sphere.volume()).abs() < 1e-9);
    }

    #[test]
    fn pieces_are_told_apart_with_their_volumes() {
        let mut mesh = generate::cuboid(Vec3::ZERO, Vec3::ONE);
        let other = generate::cuboid(Vec3::splat(1e3), Vec3::splat(0.5));
        mesh.triangles.extend(
            other
                .triangles
                .iter()
                .map(|corners| corners.map(|index| index + 8)),
        );
        mesh.positions.extend(other.positions);
        let pieces = pieces(&mesh.positions, &mesh.triangles);
        assert_eq!(pieces.len(), 2);
        assert!(pieces.iter().all(|piece| piece.triangles.len() == 12));
        assert!((pieces[0].volume - 8.0).abs() < 1e-9 && (pieces[1].volume - 1.0).abs() < 1e-9);
    }
}
