//! The triangles around each vertex.

use ooze_geometry::TriangleMesh;

/// For each vertex its corners of triangles, in the order of the triangles.
#[derive(Clone, Debug)]
pub(crate) struct Rings {
    start: Vec<u32>,
    spokes: Vec<[u32; 2]>,
}

impl Rings {
    /// The rings of a mesh.
    pub(crate) fn new(mesh: &TriangleMesh) -> Self {
        let vertices = mesh.positions.len();
        let mut start = vec![0_u32; vertices + 1];
        for &corner in mesh.triangles.iter().flatten() {
            start[corner as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            start[vertex + 1] += start[vertex];
        }
        let mut next = start.clone();
        let mut spokes = vec![[0; 2]; 3 * mesh.triangles.len()];
        for &[a, b, c] in &mesh.triangles {
            for [centre, from, to] in [[a, b, c], [b, c, a], [c, a, b]] {
                let place = &mut next[centre as usize];
                spokes[*place as usize] = [from, to];
                *place += 1;
            }
        }
        Self { start, spokes }
    }

    /// For each triangle at a vertex, the two vertices that follow it. In a closed mesh every neighbour comes first in
    /// one pair and second in another.
    #[inline]
    pub(crate) fn of(&self, vertex: usize) -> &[[u32; 2]] {
        &self.spokes[self.start[vertex] as usize..self.start[vertex + 1] as usize]
    }

    /// The neighbours of all vertices, without the triangles.
    pub(crate) fn neighbours(&self) -> Neighbours<'_> {
        Neighbours {
            start: &self.start,
            neighbours: self.spokes.iter().map(|&[first, _]| first).collect(),
        }
    }
}

/// The vertices next to each vertex of a closed mesh.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours<'a> {
    start: &'a [u32],
    neighbours: Vec<u32>,
}

impl Neighbours<'_> {
    /// The vertices next to one.
    #[inline]
    pub(crate) fn of(&self, vertex: usize) -> &[u32] {
        &self.neighbours[self.start[vertex] as usize..self.start[vertex + 1] as usize]
    }
}
