//! How triangles share edges.

use rayon::prelude::*;

use super::TriangleMesh;

/// How the edges of a mesh are shared by its triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeReport {
    /// Edges in all.
    pub edges: usize,
    /// Edges of exactly one triangle: the rims of holes.
    pub boundary: usize,
    /// Edges of more than two triangles.
    pub non_manifold: usize,
    /// Edges of two triangles that run along them in the same direction, so that one of the two faces the wrong way.
    pub inconsistent: usize,
}

impl EdgeReport {
    /// Whether every edge belongs to exactly two triangles of like orientation.
    pub fn is_closed_manifold(&self) -> bool {
        self.edges > 0 && self.boundary == 0 && self.non_manifold == 0 && self.inconsistent == 0
    }
}

/// An edge between two vertices and how often triangles run along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EdgeUse {
    /// The lower vertex index, then the higher.
    pub(crate) vertices: [u32; 2],
    /// Triangles that run from the lower vertex to the higher.
    pub(crate) forward: u32,
    /// Triangles that run from the higher vertex to the lower.
    pub(crate) backward: u32,
}

/// The edges of some triangles in ascending order of their vertices; sides of no length (a vertex twice) are left out.
pub(crate) fn edge_uses(triangles: &[[u32; 3]]) -> Vec<EdgeUse> {
    let mut sides: Vec<([u32; 2], bool)> = triangles
        .par_iter()
        .flat_map_iter(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .filter(|[from, to]| from != to)
        .map(|[from, to]| {
            if from < to {
                ([from, to], true)
            } else {
                ([to, from], false)
            }
        })
        .collect();
    sides.par_sort_unstable();
    sides
        .chunk_by(|first, second| first.0 == second.0)
        .map(|uses| {
            let forward = uses.iter().filter(|side| side.1).count() as u32;
            EdgeUse {
                vertices: uses[0].0,
                forward,
                backward: uses.len() as u32 - forward,
            }
        })
        .collect()
}

impl TriangleMesh {
    /// How the edges are shared: closed, manifold and consistently oriented, or not.
    ///
    /// Edges are told apart by vertex index: triangles that do not share vertices share no edges either.
    pub fn edge_report(&self) -> EdgeReport {
        let mut report = EdgeReport::default();
        for edge in edge_uses(&self.triangles) {
            report.edges += 1;
            match (edge.forward, edge.backward) {
                (1, 1) => {}
                (1, 0) | (0, 1) => report.boundary += 1,
                (2, 0) | (0, 2) => report.inconsistent += 1,
                _ => report.non_manifold += 1,
            }
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn mesh(triangles: Vec<[u32; 3]>) -> TriangleMesh {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_Z];
        TriangleMesh {
            positions,
            triangles,
            ..TriangleMesh::default()
        }
    }

    #[test]
    fn faults_of_edges_are_told_apart() {
        let tetrahedron = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let report = mesh(tetrahedron.clone()).edge_report();
        assert_eq!(
            report,
            EdgeReport {
                edges: 6,
                ..EdgeReport::default()
            }
        );
        assert!(report.is_closed_manifold());

        let open = mesh(tetrahedron[1..].to_vec()).edge_report();
        assert_eq!(
            open,
            EdgeReport {
                edges: 6,
                boundary: 3,
                ..EdgeReport::default()
            }
        );

        let mut turned = tetrahedron.clone();
        turned[0].reverse();
        let report = mesh(turned).edge_report();
        assert_eq!(
            report,
            EdgeReport {
                edges: 6,
                inconsistent: 3,
                ..EdgeReport::default()
            }
        );

        let mut finned = tetrahedron;
        finned.push([0, 1, 4]);
        let report = mesh(finned).edge_report();
        let expected = EdgeReport {
            edges: 8,
            boundary: 2,
            non_manifold: 1,
            ..EdgeReport::default()
        };
        assert_eq!(report, expected);
        assert!(!mesh(vec![]).edge_report().is_closed_manifold());
    }
}
