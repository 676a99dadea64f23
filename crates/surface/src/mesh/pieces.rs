//! The connected pieces of a mesh, and those among them that are mere gaps between particles.

use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

/// Triangles that are summed at once: sums are added in order, so that they do not depend on the number of threads.
const CHUNK: usize = 1 << 15;

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

    /// Forgets the pieces that are not kept, with their vertices, and numbers the others anew in their order.
    fn keep(&mut self, is_kept: impl Fn(usize) -> bool) {
        let mut count = 0;
        let number: Vec<Option<u32>> = (0..self.count)
            .map(|piece| {
                is_kept(piece).then(|| {
                    count += 1;
                    count - 1
                })
            })
            .collect();
        let pieces = std::mem::take(&mut self.of_vertex).into_iter();
        self.of_vertex = pieces.filter_map(|piece| number[piece as usize]).collect();
        self.count = count as usize;
    }

    /// The volume that each piece encloses, negative for bubbles.
    pub(crate) fn volumes(&self, mesh: &TriangleMesh) -> Vec<f64> {
        let sums = self.sums(mesh, |corners| {
            let [a, b, c] = corners.map(|vertex| mesh.positions[vertex as usize].as_dvec3());
            [a.dot(b.cross(c)) / 6.0]
        });
        sums.into_iter().map(|[volume]| volume).collect()
    }

    /// Sums over the triangles of each piece.
    pub(crate) fn sums<const COUNT: usize>(
        &self,
        mesh: &TriangleMesh,
        terms: impl Fn(&[u32; 3]) -> [f64; COUNT] + Sync,
    ) -> Vec<[f64; COUNT]> {
        let parts: Vec<_> = mesh
            .triangles
            .par_chunks(CHUNK)
            .map(|triangles| {
                let mut sums = vec![[0.0; COUNT]; self.count];
                for corners in triangles {
                    let piece = self.of_vertex[corners[0] as usize] as usize;
                    add(&mut sums[piece], terms(corners));
                }
                sums
            })
            .collect();
        let mut total = vec![[0.0; COUNT]; self.count];
        for part in parts {
            for (sum, term) in total.iter_mut().zip(part) {
                add(sum, term);
            }
        }
        total
    }
}

fn add<const COUNT: usize>(sums: &mut [f64; COUNT], terms: [f64; COUNT]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term;
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

/// What the removal of bubbles came to.
pub(crate) struct Filled {
    /// Bubbles that were removed.
    pub(crate) bubbles: usize,
    /// The pieces that are left.
    pub(crate) pieces: Pieces,
    /// The volume that each of them encloses.
    pub(crate) volumes: Vec<f64>,
}

/// Removes pieces that enclose air of less than `largest` cubic metres. Bare positions and triangles only.
pub(crate) fn remove_bubbles(mesh: &mut TriangleMesh, largest: f64) -> Filled {
    let mut pieces = Pieces::of(mesh);
    let mut volumes = pieces.volumes(mesh);
    let doomed: Vec<bool> = volumes
        .iter()
        .map(|&volume| volume < 0.0 && -volume < largest)
        .collect();
    let bubbles = doomed.iter().filter(|&&doomed| doomed).count();
    if bubbles == 0 {
        return Filled {
            bubbles,
            pieces,
            volumes,
        };
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
    pieces.keep(|piece| !doomed[piece]);
    let mut piece = 0;
    volumes.retain(|_| {
        piece += 1;
        !doomed[piece - 1]
    });
    Filled {
        bubbles,
        pieces,
        volumes,
    }
}
