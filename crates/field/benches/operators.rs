//! Time of each operator on a liquid of about 125 000 cells, with one and with two threads.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use glam::{IVec3, Vec3};
use ooze_field::fraction::{VolumeFractions, area_fractions};
use ooze_field::{
    Field, Lattice, Place, Topology, TopologyBuilder, face_fields, level_set, sample_faces,
    sample_faces_cubic,
};

const CELLS: i32 = 64;

/// A pool with waves that fills the domain from wall to wall, and a ball above it.
fn shape(point: Vec3) -> f32 {
    let wave = 0.03 * (11.0 * point.x).sin() * (7.0 * point.z).cos();
    let walls = ((point - 0.5).abs() - 0.5).max_element();
    let pool = (point.y - 0.4 - wave).max(walls);
    let ball = point.distance(Vec3::new(0.45, 0.72, 0.5)) - 0.22;
    pool.min(ball)
}

fn topology() -> Arc<Topology> {
    let size = 1.0 / CELLS as f32;
    let lattice = Lattice::new(Vec3::ZERO, size, IVec3::splat(CELLS), false);
    let builder = TopologyBuilder::new(lattice);
    for z in 0..CELLS {
        for y in 0..CELLS {
            for x in 0..CELLS {
                let cell = IVec3::new(x, y, z);
                if shape(lattice.centre(cell)) < 0.0 {
                    builder.mark(cell, 4);
                }
            }
        }
    }
    Arc::new(builder.build())
}

/// Shortest of several runs, in nanoseconds; `prepare` is not timed. Nothing runs if the command line names other
/// operators.
fn time<S, R>(name: &str, mut prepare: impl FnMut() -> S, mut run: impl FnMut(&mut S) -> R) -> f64 {
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    if !chosen.is_empty() && !chosen.iter().any(|word| name.contains(word)) {
        return f64::NAN;
    }
    (0..25)
        .map(|_| {
            let mut state = prepare();
            let start = Instant::now();
            black_box(run(&mut state));
            start.elapsed().as_secs_f64() * 1e9
        })
        .fold(f64::INFINITY, f64::min)
}

fn measure(cells: f64) -> Vec<(&'static str, f64)> {
    let topology = topology();
    let size = topology.lattice().cell_size;
    let phi = Field::from_points(&topology, Place::Cell, 3.0 * size, shape);
    let nodes = Field::from_points(&topology, Place::Node, 3.0 * size, shape);
    let velocity = face_fields(&topology, 0.0_f32).map(|field| {
        Field::from_points(&topology, field.place(), 0.0, |point| (9.0 * point.y).sin())
    });
    let known = face_fields(&topology, 0_u8).map(|field| {
        Field::from_points(&topology, field.place(), 0, |point| {
            u8::from(shape(point) < 0.0)
        })
    });
    // Four points a cell, tile by tile: as particles come that are kept in order.
    let points: Vec<Vec3> = (0..phi.values().len())
        .filter(|&index| phi.values()[index] < 0.0)
        .flat_map(|index| {
            let cell = topology.cell(index / 512, index % 512).as_vec3();
            (0..4).map(move |point| {
                cell + (0.618_034 * (index + point) as f32 * Vec3::new(1.0, 1.7, 2.3)).fract()
            })
        })
        .map(|point| topology.lattice().to_world(point))
        .collect();
    let per_point = cells / points.len() as f64;
    let sums =
        |sample: &dyn Fn(Vec3) -> f32| points.iter().map(|&point| sample(point)).sum::<f32>();
    let state = || (velocity.clone(), known.clone());
    let mut table = Vec::new();
    let mut row =
        |name: &'static str, scale: f64, run: &dyn Fn() -> f64| table.push((name, scale * run()));
    macro_rules! op {
        ($name:expr, $scale:expr, $prepare:expr, $run:expr) => {
            row($name, $scale, &|| time($name, $prepare, $run))
        };
    }
    op!("extrapolate faces, 4 layers", 1.0, state, |(
        velocity,
        known,
    )| {
        level_set::extrapolate_faces(velocity, known, 4)
    });
    op!("reinitialise, 4 cells", 1.0, || phi.clone(), |phi| {
        level_set::reinitialise(phi, 4.0 * size)
    });
    op!("redistance inside, 3 cells", 1.0, || phi.clone(), |phi| {
        level_set::redistance_inside(phi, 3.0 * size)
    });
    op!("volume fractions, all places", 1.0, || (), |_| {
        VolumeFractions::of(&phi)
    });
    op!("area fractions", 1.0, || (), |_| area_fractions(&nodes));
    op!("enclosed volume", 1.0, || (), |_| level_set::volume(&phi));
    op!("components", 1.0, || (), |_| level_set::components(&phi));
    op!(
        "curvatures, 3 cells",
        1.0,
        || (),
        |_| level_set::curvatures(&phi, 3.0 * size)
    );
    op!(
        "sample velocity, per point, serial",
        per_point,
        || (),
        |_| sums(&|point| sample_faces(&velocity, point).x)
    );
    op!(
        "sample velocity cubic, per point, serial",
        per_point,
        || (),
        |_| sums(&|point| sample_faces_cubic(&velocity, point).x)
    );
    op!("normal, per point, serial", per_point, || (), |_| sums(
        &|point| level_set::normal(&phi, point).x
    ));
    table
}

fn main() {
    let topology = topology();
    let liquid = Field::from_points(&topology, Place::Cell, 1.0, shape);
    let cells = liquid.values().iter().filter(|&&value| value < 0.0).count();
    println!("{cells} liquid cells, {} tiles", topology.tile_count());
    println!(
        "{:42}{:>12}{:>12}   (ns per liquid cell)",
        "", "1 thread", "2 threads"
    );
    let [one, two] = [1, 2].map(|threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads start")
            .install(|| measure(cells as f64))
    });
    for ((name, one), (_, two)) in one.into_iter().zip(two) {
        println!(
            "{name:42}{:12.2}{:12.2}",
            one / cells as f64,
            two / cells as f64
        );
    }
}
