//! Time of each operator on a liquid of about 125 000 cells, with one and with two threads.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use glam::{IVec3, Vec3};
use ooze_field::fraction::{VolumeFractions, area_fractions, cell_fractions};
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

/// Times of the operators that the command line names, or of all if it names none.
struct Table {
    chosen: Vec<String>,
    /// Name and nanoseconds per liquid cell or point.
    rows: Vec<(&'static str, f64)>,
}

impl Table {
    fn new() -> Self {
        let words = std::env::args().skip(1);
        Self {
            chosen: words.filter(|word| !word.starts_with('-')).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds the shortest of several runs, divided by `count`; `prepare` is not timed.
    fn add<S, R>(
        &mut self,
        name: &'static str,
        count: usize,
        mut prepare: impl FnMut() -> S,
        mut run: impl FnMut(&mut S) -> R,
    ) {
        if !self.chosen.is_empty() && !self.chosen.iter().any(|word| name.contains(word)) {
            return;
        }
        let seconds = (0..25).map(|_| {
            let mut state = prepare();
            let start = Instant::now();
            black_box(run(&mut state));
            start.elapsed().as_secs_f64()
        });
        let shortest = seconds.fold(f64::INFINITY, f64::min);
        self.rows.push((name, 1e9 * shortest / count as f64));
    }
}

fn measure(topology: &Arc<Topology>, cells: usize) -> Vec<(&'static str, f64)> {
    let size = topology.lattice().cell_size;
    let phi = Field::from_points(topology, Place::Cell, 3.0 * size, shape);
    let nodes = Field::from_points(topology, Place::Node, 3.0 * size, shape);
    let velocity = face_fields(topology, 0.0_f32).map(|field| {
        Field::from_points(topology, field.place(), 0.0, |point| (9.0 * point.y).sin())
    });
    let known = face_fields(topology, 0_u8).map(|field| {
        Field::from_points(topology, field.place(), 0, |point| {
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
    let sums =
        |sample: &dyn Fn(Vec3) -> f32| points.iter().map(|&point| sample(point)).sum::<f32>();
    let mut table = Table::new();
    table.add(
        "extrapolate faces, 4 layers",
        cells,
        || (velocity.clone(), known.clone()),
        |(velocity, known)| level_set::extrapolate_faces(velocity, known, 4),
    );
    let copy = || phi.clone();
    table.add("reinitialise, 4 cells", cells, copy, |phi| {
        level_set::reinitialise(phi, 4.0 * size)
    });
    table.add("redistance inside, 3 cells", cells, copy, |phi| {
        level_set::redistance_inside(phi, 3.0 * size)
    });
    let nothing = || ();
    table.add("volume fractions, all places", cells, nothing, |()| {
        VolumeFractions::of(&phi)
    });
    table.add("volume fractions, cells", cells, nothing, |()| {
        cell_fractions(&phi)
    });
    table.add("area fractions", cells, nothing, |()| {
        area_fractions(&nodes)
    });
    table.add("enclosed volume", cells, nothing, |()| {
        level_set::volume(&phi)
    });
    table.add("components", cells, nothing, |()| {
        level_set::components(&phi)
    });
    table.add("curvatures, 3 cells", cells, nothing, |()| {
        level_set::curvatures(&phi, 3.0 * size)
    });
    let serial = points.len();
    table.add(
        "sample velocity, per point, serial",
        serial,
        nothing,
        |()| sums(&|point| sample_faces(&velocity, point).x),
    );
    table.add(
        "sample velocity cubic, per point, serial",
        serial,
        nothing,
        |()| sums(&|point| sample_faces_cubic(&velocity, point).x),
    );
    table.add("normal, per point, serial", serial, nothing, |()| {
        sums(&|point| level_set::normal(&phi, point).x)
    });
    table.rows
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
            .install(|| measure(&topology, cells))
    });
    for ((name, one), (_, two)) in one.into_iter().zip(two) {
        println!("{name:42}{one:12.2}{two:12.2}");
    }
}
