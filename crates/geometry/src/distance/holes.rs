//! Closing holes.
//!
//! The net number of times triangles run along each edge is the boundary of the surface as a chain, and a boundary has
//! no boundary of its own: at every vertex as many net edges arrive as leave. So the rims always fall into closed
//! loops, however broken the mesh is; coning each loop to its centre makes the chain closed. Winding numbers then are
//! whole, and the distance has no jump in a hole. T-junctions give loops without area, closed by slivers.

use glam::{DVec3, Vec3};

use crate::{Aabb, mesh::edge_uses};

/// A loop of edges around a hole.
#[derive(Clone, Debug)]
pub(super) struct Hole {
    /// Its vertices in the order in which the closing triangles run along them.
    pub(super) rim: Vec<u32>,
    /// The mean of its vertices.
    pub(super) centre: Vec3,
    /// Its largest extent.
    pub(super) diameter: f32,
    /// The area of the closing triangles.
    pub(super) area: f64,
}

/// The holes of a surface, and how many edges are at their rims.
#[derive(Clone, Debug, Default)]
pub(super) struct Holes {
    pub(super) holes: Vec<Hole>,
    pub(super) boundary_edges: usize,
    pub(super) edges: usize,
}

impl Holes {
    /// Finds all holes.
    pub(super) fn find(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let mut missing: Vec<[u32; 2]> = Vec::new();
        let mut boundary_edges = 0;
        let uses = edge_uses(triangles);
        for edge in &uses {
            let [low, high] = edge.vertices;
            let net = i64::from(edge.forward) - i64::from(edge.backward);
            boundary_edges += usize::from(net != 0);
            // What closes the surface runs the other way.
            let missing_side = if net > 0 { [high, low] } else { [low, high] };
            missing.extend(std::iter::repeat_n(
                missing_side,
                net.unsigned_abs() as usize,
            ));
        }
        let holes = simple_loops(missing)
            .into_iter()
            .map(|rim| Hole::new(rim, positions))
            .collect();
        Self {
            holes,
            boundary_edges,
            edges: uses.len(),
        }
    }

    /// The area of all closing triangles.
    pub(super) fn area(&self) -> f64 {
        self.holes.iter().map(|hole| hole.area).sum()
    }

    /// Adds the triangles that close all holes.
    pub(super) fn close(&self, positions: &mut Vec<Vec3>, triangles: &mut Vec<[u32; 3]>) {
        for hole in &self.holes {
            if let &[a, b, c] = hole.rim.as_slice() {
                triangles.push([a, b, c]);
                continue;
            }
            let apex = positions.len() as u32;
            positions.push(hole.centre);
            triangles.extend(sides(&hole.rim).map(|[from, to]| [from, to, apex]));
        }
    }
}

impl Hole {
    fn new(rim: Vec<u32>, positions: &[Vec3]) -> Self {
        let place = |vertex: u32| positions[vertex as usize].as_dvec3();
        let centre = rim.iter().map(|&vertex| place(vertex)).sum::<DVec3>() / rim.len() as f64;
        let bounds = Aabb::from_points(rim.iter().map(|&vertex| positions[vertex as usize]));
        let area = sides(&rim)
            .map(|[from, to]| (place(from) - centre).cross(place(to) - centre).length() / 2.0)
            .sum();
        let diameter = bounds.extent().max_element();
        Self {
            rim,
            centre: centre.as_vec3(),
            diameter,
            area,
        }
    }
}

/// The sides of a closed loop.
fn sides(rim: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    rim.iter()
        .zip(rim.iter().cycle().skip(1))
        .map(|(&from, &to)| [from, to])
}

/// Takes apart directed edges, of which as many arrive at every vertex as leave it, into loops without crossings.
fn simple_loops(mut edges: Vec<[u32; 2]>) -> Vec<Vec<u32>> {
    edges.sort_unstable();
    let vertices = edges.last().map_or(0, |edge| edge[0] as usize + 1);
    // The unused edges that leave a vertex are `next[vertex]..end_of(vertex)`.
    let mut next = vec![0; vertices + 1];
    for (index, edge) in edges.iter().enumerate().rev() {
        next[edge[0] as usize] = index;
    }
    let is_unused = |next: &[usize], vertex: u32| {
        edges
            .get(next[vertex as usize])
            .is_some_and(|edge| edge[0] == vertex)
    };

    const NOT_ON_PATH: usize = usize::MAX;
    let mut place_on_path = vec![NOT_ON_PATH; vertices + 1];
    let mut loops = Vec::new();
    for start in edges.iter().map(|edge| edge[0]) {
        if !is_unused(&next, start) {
            continue;
        }
        let mut path = vec![start];
        place_on_path[start as usize] = 0;
        while let Some(&vertex) = path.last() {
            if !is_unused(&next, vertex) {
                // Back at the start with all its edges used.
                break;
            }
            let arrived = edges[next[vertex as usize]][1];
            next[vertex as usize] += 1;
            let place = place_on_path[arrived as usize];
            if place == NOT_ON_PATH {
                place_on_path[arrived as usize] = path.len();
                path.push(arrived);
            } else {
                let closed = path.split_off(place + 1);
                for &left in &closed {
                    place_on_path[left as usize] = NOT_ON_PATH;
                }
                loops.push(std::iter::once(arrived).chain(closed).collect());
            }
        }
        place_on_path[start as usize] = NOT_ON_PATH;
    }
    loops
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TriangleMesh, generate};

    fn close(mesh: &mut TriangleMesh) -> Holes {
        let holes = Holes::find(&mesh.positions, &mesh.triangles);
        holes.close(&mut mesh.positions, &mut mesh.triangles);
        holes
    }

    #[test]
    fn removed_faces_come_back() {
        let mut mesh = generate::icosphere(Vec3::ZERO, 1.0, 2);
        let whole = mesh.clone();
        let removed = mesh.triangles.remove(100);
        mesh.triangles.remove(7);
        let holes = close(&mut mesh);
        assert_eq!(
            (holes.holes.len(), holes.boundary_edges, holes.edges),
            (2, 6, 480)
        );
        assert!(mesh.edge_report().is_closed_manifold());
        assert!((mesh.volume() - whole.volume()).abs() < 1e-6);
        let near = removed
            .map(|vertex| whole.positions[vertex as usize])
            .iter()
            .sum::<Vec3>()
            / 3.0;
        assert!(
            holes
                .holes
                .iter()
                .any(|hole| hole.centre.distance(near) < 1e-6)
        );
    }

    #[test]
    fn larger_holes_are_coned() {
        let mut mesh = generate::cylinder(Vec3::ZERO, 1.0, 1.0, 32);
        let volume = mesh.volume();
        // Without its lid.
        mesh.triangles.retain(|triangle| !triangle.contains(&1));
        let holes = close(&mut mesh);
        assert_eq!((holes.holes.len(), holes.boundary_edges), (1, 32));
        assert!((holes.holes[0].diameter - 2.0).abs() < 1e-6);
        assert!(
            (holes.area() / (32.0 / 2.0 * (std::f64::consts::TAU / 32.0).sin()) - 1.0).abs() < 1e-6
        );
        assert!(mesh.edge_report().is_closed_manifold());
        assert!((mesh.volume() / volume - 1.0).abs() < 1e-6);
    }

    #[test]
    fn loops_that_touch_are_told_apart() {
        // Two triangles of edges that share vertex 2, and a doubled one.
        let edges = vec![
            [0, 1],
            [1, 2],
            [2, 0],
            [2, 3],
            [3, 4],
            [4, 2],
            [5, 6],
            [6, 7],
            [7, 5],
            [5, 6],
            [6, 7],
            [7, 5],
        ];
        let mut loops = simple_loops(edges);
        for rim in &mut loops {
            let least = (0..rim.len()).min_by_key(|&place| rim[place]).unwrap();
            rim.rotate_left(least);
        }
        loops.sort();
        assert_eq!(
            loops,
            [vec![0, 1, 2], vec![2, 3, 4], vec![5, 6, 7], vec![5, 6, 7]]
        );
    }

    #[test]
    fn t_junctions_are_holes_without_area() {
        // One triangle is split at the middle of a side, its neighbour there is not.
        let mut mesh = generate::cuboid(Vec3::ZERO, Vec3::ONE);
        let [a, b, c] = mesh.triangles.swap_remove(5);
        let middle = mesh.positions.len() as u32;
        mesh.positions
            .push(0.5 * (mesh.positions[a as usize] + mesh.positions[b as usize]));
        mesh.triangles.extend([[a, middle, c], [middle, b, c]]);
        let holes = close(&mut mesh);
        assert_eq!((holes.holes.len(), holes.boundary_edges), (1, 3));
        assert!(holes.area() < 1e-9);
        assert!(mesh.edge_report().is_closed_manifold());
        assert!((mesh.volume() - 8.0).abs() < 1e-6);
    }
}
