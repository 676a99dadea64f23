//! The connected pieces of a mesh, and those among them that are mere gaps between particles.

use ooze_geometry::TriangleMesh;

/// The piece that each vertex belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    /// Number of the piece of each vertex, in the order of the pieces' first vertices.
    pub(crate) of_vertex: Vec<u32>,
    /// Number of pieces.
    pub(crate) count: usize,
}

impl Pieces {
    /// The pieces of a mesh.
    pub(crate) fn of(mesh: &TriangleMesh) -> Self {
        let mut parents: Vec<u32> = (0..mesh.positions.len() as u32).collect();
        for &[a, b, c] in &mesh.triangles {
            let (first, second, third) = (
                root(&mut parents, a),
                root(&mut parents, b),
                root(&mut parents, c),
            );
            // The lowest vertex of a piece stands for it.
            let lowest = first.min(second).min(third);
            for other in [first, second, third] {
                parents[other as usize] = lowest;
            }
        }
        // Parents come before their children, so one pass in order numbers all.
        let mut count = 0;
        let mut of_vertex = vec![0; parents.len()];
        for vertex in 0..parents.len() {
            of_vertex[vertex] = if parents[vertex] as usize == vertex {
                count += 1;
                count - 1
            } else {
                of_vertex[parents[vertex] as usize]
            };
        }
        Self {
            of_vertex,
            count: count as usize,
        }
    }

    /// The volume that each piece encloses, negative for bubbles.
    pub(crate) fn volumes(&self, mesh: &TriangleMesh) -> Vec<f64> {
        let mut volumes = vec![0.0; self.count];
        for corners in &mesh.triangles {
            let [a, b, c] = corners.map(|vertex| mesh.positions[vertex as usize].as_dvec3());
            volumes[self.of_vertex[corners[0] as usize] as usize] += a.dot(b.cross(c)) / 6.0;
        }
        volumes
    }
}

/// The vertex that stands for a piece, halving the path to it.
fn root(parents: &mut [u32], mut vertex: u32) -> u32 {
    while parents[vertex as usize] != vertex {
        let grandparent = parents[parents[vertex as usize] as usize];
        parents[vertex as usize] = grandparent;
        vertex = grandparent;
    }
    vertex
}

/// Removes pieces that enclose air of less than `largest` cubic metres; returns how many. Bare positions and triangles
/// only.
pub(crate) fn remove_bubbles(mesh: &mut TriangleMesh, largest: f64) -> usize {
    let pieces = Pieces::of(mesh);
    let doomed: Vec<bool> = pieces
        .volumes(mesh)
        .into_iter()
        .map(|volume| volume < 0.0 && -volume < largest)
        .collect();
    let removed = doomed.iter().filter(|&&doomed| doomed).count();
    if removed == 0 {
        return 0;
    }
    let is_kept = |vertex: usize| !doomed[pieces.of_vertex[vertex] as usize];
    let mut number = Vec::with_capacity(mesh.positions.len());
    let mut kept = 0;
    for vertex in 0..mesh.positions.len() {
        number.push(kept);
        kept += u32::from(is_kept(vertex));
    }
    let mut vertex = 0;
    mesh.positions.retain(|_| {
        vertex += 1;
        is_kept(vertex - 1)
    });
    mesh.triangles
        .retain(|corners| is_kept(corners[0] as usize));
    for corner in mesh.triangles.iter_mut().flatten() {
        *corner = number[*corner as usize];
    }
    removed
}
