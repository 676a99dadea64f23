//! Counting of edges.

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
