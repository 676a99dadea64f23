//! Shapes and lattices that several tests share.
#![allow(dead_code)]

use std::sync::Arc;

use glam::{IVec3, Vec3, Vec3Swizzles};
use ooze_field::{Field, Lattice, Place, Topology, TopologyBuilder};

/// A cube of `cells` a side around the origin, one metre wide; only the tiles near the surface or inside exist.
pub(crate) fn around(
    cells: i32,
    flat: bool,
    margin: f32,
    shape: impl Fn(Vec3) -> f32 + Sync,
) -> Arc<Topology> {
    let lattice = lattice(cells, flat);
    let size = lattice.cell_size;
    let builder = TopologyBuilder::new(lattice);
    for z in 0..lattice.cells.z {
        for y in 0..cells {
            for x in 0..cells {
                let cell = IVec3::new(x, y, z);
                if shape(lattice.centre(cell)) < margin * size {
                    builder.mark(cell, 1);
                }
            }
        }
    }
    Arc::new(builder.build())
}

/// The same cube with all of its tiles.
pub(crate) fn full(cells: i32, flat: bool) -> Arc<Topology> {
    Arc::new(Topology::full(lattice(cells, flat)))
}

/// A cube of `cells` a side around the origin, one metre wide.
pub(crate) fn lattice(cells: i32, flat: bool) -> Lattice {
    let size = 1.0 / cells as f32;
    let depth = if flat { -0.5 * size } else { -0.5 };
    Lattice::new(
        Vec3::new(-0.5, -0.5, depth),
        size,
        IVec3::splat(cells),
        flat,
    )
}

/// Samples a level set on the tiles around it.
pub(crate) fn level_set(
    cells: i32,
    flat: bool,
    place: Place,
    shape: impl Fn(Vec3) -> f32 + Sync,
) -> Field<f32> {
    let topology = around(cells, flat, 6.0, &shape);
    Field::from_points(&topology, place, 4.0 / cells as f32, shape)
}

/// Signed distance to a sphere.
pub(crate) fn sphere(centre: Vec3, radius: f32) -> impl Fn(Vec3) -> f32 + Copy + Sync {
    move |point| point.distance(centre) - radius
}

/// Signed distance to a circle in the plane: a cylinder along z.
pub(crate) fn circle(centre: Vec3, radius: f32) -> impl Fn(Vec3) -> f32 + Copy + Sync {
    move |point| point.xy().distance(centre.xy()) - radius
}

/// Signed distance to a torus around z.
pub(crate) fn torus(centre: Vec3, large: f32, small: f32) -> impl Fn(Vec3) -> f32 + Copy + Sync {
    move |point| {
        let point = point - centre;
        glam::Vec2::new(point.xy().length() - large, point.z).length() - small
    }
}

/// Runs something on a pool of its own.
pub(crate) fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads start")
        .install(work)
}

/// A number between 0 and 1 that looks random.
fn noise(seed: u32, index: u32) -> f32 {
    let mut state = seed.wrapping_mul(0x9e37_79b9) ^ index.wrapping_mul(0x85eb_ca6b);
    for _ in 0..3 {
        state = (state ^ state >> 15).wrapping_mul(0x2c1b_3c6d) ^ state >> 12;
    }
    (state >> 8) as f32 / (1 << 24) as f32
}

/// A union of random balls (discs), some across the sides of the domain of [`blob_topology`].
pub(crate) fn blobs(seed: u32, flat: bool) -> impl Fn(Vec3) -> f32 + Copy + Sync {
    let balls: [(Vec3, f32); 5] = std::array::from_fn(|ball| {
        let random = |number: u32| noise(seed, 4 * ball as u32 + number) - 0.5;
        let centre = Vec3::new(random(0), random(1), if flat { 0.0 } else { random(2) });
        // The first ball sits on a side.
        let centre = if ball == 0 {
            centre.with_x(-0.5)
        } else {
            0.8 * centre
        };
        (centre, 0.16 + 0.1 * random(3))
    });
    move |point| {
        let point = if flat { point.with_z(0.0) } else { point };
        let distances = balls
            .iter()
            .map(|(centre, radius)| point.distance(*centre) - radius);
        distances.fold(f32::INFINITY, f32::min)
    }
}

/// The tiles near the blobs of a seed: a domain whose sides are no tile borders.
pub(crate) fn blob_topology(seed: u32, flat: bool) -> Arc<Topology> {
    around(27, flat, 2.0, blobs(seed, flat))
}
