//! Fields, meshes and checks that several tests share.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_commons::DisjointSets;
pub(crate) use ooze_field::random::uniform;
use ooze_field::{Field, Lattice, Place, Topology};
use ooze_geometry::TriangleMesh;

#[path = "../../../field/tests/common/mod.rs"]
mod fields;

/// A vector with components from -1 to 1.
pub(crate) fn random_vector(stream: u64, key: u64) -> Vec3 {
    Vec3::from_array(std::array::from_fn(|axis| {
        2.0 * uniform(3 * stream + axis as u64, key) - 1.0
    }))
}

/// Samples of a function on the tiles near its negative part.
pub(crate) fn level_set(
    cells: i32,
    flat: bool,
    place: Place,
    shape: impl Fn(Vec3) -> f32 + Sync,
) -> Field<f32> {
    let topology = fields::around(cells, flat, 2.0, &shape);
    Field::from_points(&topology, place, 3.0 / cells as f32, shape)
}

/// A field on all tiles of a lattice of `cells`, with random values on the cells from 1 to `cells - 2`.
pub(crate) fn noise(cells: IVec3, flat: bool, seed: u64) -> Field<f32> {
    let lattice = Lattice::new(Vec3::ZERO, 1.0, cells, flat);
    let topology = Arc::new(Topology::full(lattice));
    Field::from_cells(&topology, Place::Cell, 1.0, |cell| {
        let within = cell.cmpge(IVec3::ONE).all() && cell.cmplt(cells - 1).all();
        if within || flat {
            let key = cell.dot(IVec3::new(1, 1000, 1_000_000)) as u64;
            2.0 * uniform(seed, key) - 1.0
        } else {
            1.0
        }
    })
}

/// Distance to a ring of radius `large` around z with thickness `small`.
pub(crate) fn torus(large: f32, small: f32) -> impl Fn(Vec3) -> f32 {
    move |point: Vec3| {
        let out = point.truncate().length() - large;
        out.hypot(point.z) - small
    }
}

/// Asserts that a mesh is closed and manifold: at its edges, and at its vertices, around each of which the triangles
/// form one fan.
pub(crate) fn assert_closed(mesh: &TriangleMesh, what: &str) {
    let report = mesh.edge_report();
    assert!(report.is_closed_manifold(), "{what}: {report:?}");
    assert!(mesh.positions.iter().all(|p| p.is_finite()), "{what}");
    let mut fans: Vec<Vec<[u32; 2]>> = vec![Vec::new(); mesh.positions.len()];
    for &[a, b, c] in &mesh.triangles {
        assert!(a != b && b != c && c != a, "{what}: collapsed triangle");
        for [centre, from, to] in [[a, b, c], [b, c, a], [c, a, b]] {
            fans[centre as usize].push([from, to]);
        }
    }
    for (vertex, fan) in fans.iter().enumerate() {
        assert!(fan.len() >= 3, "{what}: vertex {vertex} has {fan:?}");
        let start = fan[0][0];
        let mut at = fan[0][1];
        let mut length = 1;
        while at != start {
            let next = fan.iter().find(|pair| pair[0] == at);
            at = next.expect("closed edges")[1];
            length += 1;
        }
        assert_eq!(length, fan.len(), "{what}: several fans at vertex {vertex}");
    }
}

/// Runs `work` on pools of 1, 2 and 5 threads and returns the results.
pub(crate) fn on_threads<T: Send>(work: impl Fn() -> T + Sync + Send) -> [T; 3] {
    [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads start").install(&work)
    })
}

/// Connected pieces of a mesh, each a list of its vertices, largest first.
pub(crate) fn pieces(mesh: &TriangleMesh) -> Vec<Vec<u32>> {
    let mut sets = DisjointSets::new(mesh.positions.len());
    for &[a, b, c] in &mesh.triangles {
        sets.join(a, b);
        sets.join(a, c);
    }
    let mut lists = vec![Vec::new(); mesh.positions.len()];
    for vertex in 0..mesh.positions.len() as u32 {
        lists[sets.root(vertex) as usize].push(vertex);
    }
    lists.retain(|list| !list.is_empty());
    lists.sort_by_key(|list| std::cmp::Reverse(list.len()));
    lists
}

/// Particles one metre apart, one in each cube of a metre around the origin up to `half` metres along each axis, moved at
/// random by up to half of `jitter`; those inside a shape.
pub(crate) fn fill(half: IVec3, jitter: f32, inside: impl Fn(Vec3) -> bool) -> Vec<Vec3> {
    let mut positions = Vec::new();
    for z in -half.z..half.z {
        for y in -half.y..half.y {
            for x in -half.x..half.x {
                let cell = IVec3::new(x, y, z);
                let key = cell.dot(IVec3::new(1, 1000, 1_000_000)) as u64;
                let position = cell.as_vec3() + 0.5 + 0.5 * jitter * random_vector(7, key);
                if inside(position) {
                    positions.push(position);
                }
            }
        }
    }
    positions
}

/// Vertices less edges plus triangles: 2 for each piece without handles.
pub(crate) fn euler_number(mesh: &TriangleMesh) -> i64 {
    mesh.positions.len() as i64 - mesh.edge_report().edges as i64 + mesh.triangles.len() as i64
}
