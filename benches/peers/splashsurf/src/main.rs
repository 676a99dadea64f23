//! The time from 100 000 particles to a surface: ooze over splashsurf, in the same process and on the same particles.
//!
//! Both sample at half a particle's spacing. splashsurf has its usual kernel (support of two spacings, threshold 0.6).
//! `bare` is the mesh alone. `full` adds what pictures need: splashsurf smooths 20 times and computes normals and
//! velocities at the vertices; ooze does the same and matches the particles' volume too. Rounds alternate between the
//! two and the least times count, so that other programs on the machine hardly matter.
//!
//! `cargo run --release` in this folder; a number sets the rounds.

use std::time::{Duration, Instant};

use glam::Vec3;
use ooze_surface::{ParticleSurface, SurfaceSettings};
use splashsurf_lib::mesh::Mesh3d;
use splashsurf_lib::nalgebra::Vector3;
use splashsurf_lib::postprocessing::par_laplacian_smoothing_inplace;
use splashsurf_lib::sph_interpolation::SphInterpolator;
use splashsurf_lib::{Parameters, SurfaceReconstruction, reconstruct_surface};

#[path = "../../../../crates/surface/benches/sets/mod.rs"]
mod sets;

const PARTICLES: i32 = 100_000;
const SPACING: f32 = 1.0;
const SMOOTHING_STEPS: u32 = 20;

/// What is made of the particles.
#[derive(Clone, Copy, PartialEq)]
enum Extent {
    Bare,
    Full,
}

fn ours(positions: &[Vec3], velocities: &[Vec3], extent: Extent) -> usize {
    let full = extent == Extent::Full;
    let mut particles = ParticleSurface {
        settings: SurfaceSettings {
            match_volume: full,
            smoothing_steps: if full { SMOOTHING_STEPS } else { 0 },
            cell_size: 0.5,
            ..SurfaceSettings::default()
        },
        ..ParticleSurface::new(positions, SPACING.powi(3))
    };
    if full {
        particles.attributes.velocities = velocities;
    }
    let surface = particles.build().expect("sound particles");
    surface.mesh.triangles.len()
}

fn theirs(positions: &[Vector3<f32>], velocities: &[Vector3<f32>], extent: Extent) -> usize {
    let parameters = Parameters::new(0.5 * SPACING, 2.0 * SPACING, 0.5 * SPACING);
    let SurfaceReconstruction {
        mut mesh,
        particle_densities,
        ..
    } = reconstruct_surface::<i64, f32>(positions, &parameters).expect("sound particles");
    if extent == Extent::Full {
        let neighbours = mesh.vertex_vertex_connectivity();
        let weights = vec![1.0; mesh.vertices.len()];
        let steps = SMOOTHING_STEPS as usize;
        par_laplacian_smoothing_inplace(&mut mesh, &neighbours, steps, 1.0, &weights);
        let normals = mesh.par_vertex_normals();
        let densities = particle_densities.expect("the reconstruction computes densities");
        let mass = parameters.rest_density * SPACING.powi(3);
        let support = parameters.compact_support_radius;
        let interpolator = SphInterpolator::new(positions, &densities, mass, support);
        let vertices = &mesh.vertices;
        let carried = interpolator.interpolate_vector_quantity(velocities, vertices, false);
        assert_eq!(normals.len(), carried.len());
    }
    mesh.triangles.len()
}

/// The time of some work, if it is less than the least so far; what the work returned.
fn clock(least: &mut Duration, work: impl FnOnce() -> usize) -> usize {
    let start = Instant::now();
    let triangles = work();
    *least = (*least).min(start.elapsed());
    triangles
}

fn main() {
    let rounds: usize = match std::env::args().nth(1) {
        Some(text) => text.parse().expect("the rounds are a number"),
        None => 7,
    };
    println!("{PARTICLES} particles, least of {rounds} rounds");
    println!("set     extent  threads   ooze ms  splashsurf ms   ratio  triangles");
    for (name, positions) in [
        ("pool", sets::cube(PARTICLES)),
        ("splash", sets::splash(PARTICLES)),
    ] {
        let velocities: Vec<Vec3> = positions.iter().map(|p| Vec3::Y * p.x.sin()).collect();
        let converted = |values: &[Vec3]| -> Vec<Vector3<f32>> {
            let vectors = values.iter();
            vectors.map(|v| Vector3::new(v.x, v.y, v.z)).collect()
        };
        let (their_positions, their_velocities) = (converted(&positions), converted(&velocities));
        for (label, extent) in [("bare", Extent::Bare), ("full", Extent::Full)] {
            for threads in [1, 2] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let pool = pool.expect("threads start");
                let mut times = [Duration::MAX; 2];
                let mut triangles = [0; 2];
                for _ in 0..rounds {
                    triangles[0] = pool
                        .install(|| clock(&mut times[0], || ours(&positions, &velocities, extent)));
                    triangles[1] = pool.install(|| {
                        clock(&mut times[1], || {
                            theirs(&their_positions, &their_velocities, extent)
                        })
                    });
                }
                let [our_time, their_time] = times.map(|time| 1e3 * time.as_secs_f64());
                println!(
                    "{name:<7} {label:<6} {threads:>8}  {our_time:>8.1}  {their_time:>13.1}  {:>6.2}  {} and {}",
                    our_time / their_time,
                    triangles[0],
                    triangles[1],
                );
            }
        }
    }
}
