//! Triangle meshes of shapes that have none, from their signed distance.
//!
//! Surface nets (Gibson 1998): a vertex in each cell that the surface crosses, at the mean of its crossings of the cell's edges, and
//! a quadrilateral around each edge that crosses. Vertices are then moved along the gradient onto the surface, which is what bodies
//! rest on; only sharp edges are rounded, within a cell.

use std::collections::BTreeMap;

use glam::{IVec3, Vec3};
use ooze_geometry::{Form, Shape, TriangleMesh};

/// Cells along the longest side of the shape.
const CELLS: i32 = 48;
/// The same where points of the surface are all that is wanted.
const FEW_CELLS: i32 = 20;
/// How often vertices are moved towards the surface.
const MOVES: usize = 4;

/// A closed mesh of a bounded shape that faces outwards; empty if the shape is.
pub(crate) fn outline(shape: &Shape) -> TriangleMesh {
    outline_of(shape, CELLS)
}

/// Points all over the surface of a bounded shape.
pub(crate) fn points_on(shape: &Shape) -> Vec<Vec3> {
    match shape.form() {
        Form::Mesh(mesh) => mesh.mesh().positions.clone(),
        _ => outline_of(shape, FEW_CELLS).positions,
    }
}

fn outline_of(shape: &Shape, cells: i32) -> TriangleMesh {
    let bounds = shape.bounds();
    if bounds.is_empty() || !bounds.is_finite() {
        return TriangleMesh::default();
    }
    let cell = bounds.extent().max_element() / cells as f32;
    // Off the planes of the shape's own faces, where signs would depend on rounding.
    let lower = bounds.lower - cell * Vec3::new(1.37, 1.41, 1.43);
    let counts = ((bounds.upper - lower) / cell).ceil().as_ivec3() + IVec3::splat(2);
    let grid = Grid::new(shape, lower, cell, counts);
    grid.mesh()
}

struct Grid<'a> {
    shape: &'a Shape,
    lower: Vec3,
    cell: f32,
    counts: IVec3,
    values: Vec<f32>,
}

impl<'a> Grid<'a> {
    fn new(shape: &'a Shape, lower: Vec3, cell: f32, counts: IVec3) -> Self {
        let mut values = Vec::with_capacity(counts.element_product() as usize);
        for z in 0..counts.z {
            for y in 0..counts.y {
                for x in 0..counts.x {
                    let node = lower + IVec3::new(x, y, z).as_vec3() * cell;
                    values.push(shape.distance(node));
                }
            }
        }
        Self {
            shape,
            lower,
            cell,
            counts,
            values,
        }
    }

    fn index(&self, node: IVec3) -> usize {
        (node.x + self.counts.x * (node.y + self.counts.y * node.z)) as usize
    }

    fn value(&self, node: IVec3) -> f32 {
        self.values[self.index(node)]
    }

    fn mesh(&self) -> TriangleMesh {
        let mut mesh = TriangleMesh::default();
        let mut vertices = BTreeMap::new();
        for z in 0..self.counts.z - 1 {
            for y in 0..self.counts.y - 1 {
                for x in 0..self.counts.x - 1 {
                    let cell = IVec3::new(x, y, z);
                    if let Some(position) = self.vertex(cell) {
                        vertices.insert(self.index(cell), mesh.positions.len() as u32);
                        mesh.positions.push(position);
                    }
                }
            }
        }
        for z in 1..self.counts.z - 1 {
            for y in 1..self.counts.y - 1 {
                for x in 1..self.counts.x - 1 {
                    self.faces(IVec3::new(x, y, z), &vertices, &mut mesh.triangles);
                }
            }
        }
        mesh
    }

    /// Where the surface is in a cell, if it crosses it.
    fn vertex(&self, cell: IVec3) -> Option<Vec3> {
        let mut sum = Vec3::ZERO;
        let mut count = 0.0;
        for axis in 0..3 {
            let [second, third] = [IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]];
            for corner in 0..4 {
                let from = cell + second * (corner & 1) + third * (corner >> 1);
                let [a, b] = [from, from + IVec3::AXES[axis]].map(|node| self.value(node));
                if (a < 0.0) != (b < 0.0) {
                    let way = Vec3::AXES[axis] * (a / (a - b));
                    sum += from.as_vec3() + way;
                    count += 1.0;
                }
            }
        }
        if count == 0.0 {
            return None;
        }
        let start = self.lower + self.cell * sum / count;
        let mut position = start;
        for _ in 0..MOVES {
            position -= self.shape.distance(position) * self.shape.gradient(position);
        }
        // Not further than into the neighbours: cells would change places.
        let way = (position - start).clamp_length_max(0.75 * self.cell);
        Some(start + way)
    }

    /// The quadrilaterals around the edges that end at a node, if the surface crosses these.
    fn faces(&self, node: IVec3, vertices: &BTreeMap<usize, u32>, triangles: &mut Vec<[u32; 3]>) {
        for axis in 0..3 {
            let next = node + IVec3::AXES[axis];
            let [inside, beyond] = [node, next].map(|node| self.value(node) < 0.0);
            if inside == beyond {
                continue;
            }
            let [second, third] = [IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]];
            let cells = [node - second - third, node - third, node, node - second];
            let corners = cells.map(|cell| vertices.get(&self.index(cell)).copied());
            let [Some(a), Some(b), Some(c), Some(d)] = corners else {
                continue;
            };
            match inside {
                true => triangles.extend([[a, b, c], [a, c, d]]),
                false => triangles.extend([[a, c, b], [a, d, c]]),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_are_closed_face_outwards_and_lie_on_the_surface() {
        let outer = Shape::cylinder(Vec3::ZERO, Vec3::Y, 0.5).expect("a fair cylinder");
        let inner = Shape::cylinder(Vec3::Y * 0.1, Vec3::Y * 1.5, 0.4).expect("a fair cylinder");
        let cup = Shape::difference(outer, vec![inner]).expect("a fair cup");
        let mesh = outline(&cup);
        assert!(mesh.edge_report().is_closed_manifold());
        let volume = cup.mass_properties().expect("a volume").volume;
        assert!((mesh.volume() / volume - 1.0).abs() < 0.02);
        // All but the vertices on sharp edges.
        let far = |place: &&Vec3| cup.distance(**place).abs() > 1e-4;
        let far = mesh.positions.iter().filter(far).count();
        assert!(
            far < mesh.positions.len() / 50,
            "{far} of {}",
            mesh.positions.len()
        );
    }
}
