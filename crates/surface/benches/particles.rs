//! Time from 100 000 particles to a surface: the bare mesh, and one with matched volume, smoothing, normals and velocities.
//!
//! The least time of several runs, so that other programs on the machine hardly matter.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use glam::Vec3;
use ooze_surface::{ParticleSurface, SurfaceSettings};

mod sets;

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
        for (name, positions) in [
            ("cube", sets::cube(100_000)),
            ("splash", sets::splash(100_000)),
        ] {
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
