//! Time from 100 000 particles to a surface: the bare mesh, and one with matched volume, smoothing, normals and velocities.
//!
//! The least time of several runs, so that other programs on the machine hardly matter.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use glam::{IVec3, Vec3};
use ooze_surface::{ParticleSurface, SurfaceSettings};

/// A reproducible number from 0 to 1.
fn random(stream: u32, key: u32) -> f32 {
    let mut state = key.wrapping_mul(0x9e37_79b9) ^ stream.wrapping_mul(0x85eb_ca6b);
    for _ in 0..2 {
        state = (state ^ (state >> 15)).wrapping_mul(0x2c1b_3c6d);
    }
    (state ^ (state >> 13)) as f32 / u32::MAX as f32
}

/// A cube of `side`³ particles one metre apart, each moved at random by up to a quarter of a metre.
fn cube(side: i32) -> Vec<Vec3> {
    (0..side.pow(3))
        .map(|key| {
            let place = IVec3::new(key % side, key / side % side, key / (side * side));
            let jitter = [0, 1, 2].map(|axis| 0.5 * random(axis, key as u32) - 0.25);
            place.as_vec3() + Vec3::from(jitter)
        })
        .collect()
}

/// The same particles torn into sheets, strands and droplets: nearly all of them on the surface.
fn splash(side: i32) -> Vec<Vec3> {
    cube(side)
        .into_iter()
        .map(|point| {
            let layer = (point.z / 3.0).floor();
            let row = (point.y / 8.0).floor();
            point + Vec3::new(0.0, 5.0 * row, 6.0 * layer)
        })
        .collect()
}

fn least_time(runs: usize, work: impl Fn() -> usize) -> (Duration, usize) {
    let mut least = Duration::MAX;
    let mut triangles = 0;
    for _ in 0..runs {
        let start = Instant::now();
        triangles = work();
        least = least.min(start.elapsed());
    }
    (least, triangles)
}

fn main() {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("threads start");
        for (name, positions) in [("cube", cube(46)), ("splash", splash(46))] {
            let velocities = vec![Vec3::Y; positions.len()];
            let bare = SurfaceSettings {
                match_volume: false,
                smoothing_steps: 0,
                ..SurfaceSettings::default()
            };
            for (what, settings) in [("bare", bare), ("full", SurfaceSettings::default())] {
                let mut particles = ParticleSurface {
                    settings,
                    ..ParticleSurface::new(&positions, 1.0)
                };
                if what == "full" {
                    particles.attributes.velocities = &velocities;
                }
                let (time, triangles) = pool.install(|| {
                    least_time(7, || {
                        let surface = particles.build().expect("sound particles");
                        surface.mesh.triangles.len()
                    })
                });
                println!(
                    "{name:>6} {what}, {threads} threads: {:6.1} ms, {} particles, {triangles} triangles",
                    1e3 * time.as_secs_f64(),
                    positions.len(),
                );
            }
        }
    }
}
