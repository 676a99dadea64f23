//! The cost of neighbours and of whole steps: nanoseconds a particle and a pair, by size and number of threads.
//!
//!     cargo bench -p ooze-particles --bench steps [-- largest number of particles]
//!
//! Beside the time by the clock there is the processor time of all threads, which says more on a busy machine; it is read from
//! `/proc` and missing elsewhere.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use glam::Vec3;
use ooze_core::{Elasticity, KeyframedSolids, Liquid, Material};
use ooze_particles::cases::{self, World};
use ooze_particles::neighbours::{Neighbours, Rows, sorted_order};
use ooze_particles::{ClavetLiquid, ClavetSettings, MuellerLiquid, MuellerSettings};

fn main() {
    let largest = std::env::args()
        .filter_map(|argument| argument.parse().ok())
        .next_back()
        .unwrap_or(1_000_000.0);
    println!(
        "particles  threads  what                  ns/particle  ns/pair  CPU ns/particle  CPU ns/pair"
    );
    for size in [1e4, 1e5, 1e6] {
        if size > largest {
            continue;
        }
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            match pool {
                Ok(pool) => pool.install(|| measure(size, threads)),
                Err(error) => println!("{threads} threads: {error}"),
            }
        }
    }
}

fn measure(size: f64, threads: usize) {
    let goo = Material {
        elasticity: Some(Elasticity {
            modulus: 200.0,
            yield_strain: 0.05,
            decay_rate: 10.0,
        }),
        ..Material::newtonian("goo", 1000.0, 1.0, 0.02)
    };
    // A tank filled to its middle, with two particles along each edge of a cell; larger ones are wider, so that depth and
    // spacing, and with them the length of a step, stay the same.
    let cells = (14.0 * (size / 1e4).sqrt()).round();
    let width = (cells * 0.2 / 14.0) as f32;
    let (cells, size) = (cells as i32, Vec3::new(width, 0.2, width));
    let water = Material::newtonian("water", 1000.0, 0.001, 0.07);
    let setup = |material| cases::tank_setup(material, size, 0.1, cells, false);
    let solids = KeyframedSolids::new(Vec::new());

    let liquid = MuellerLiquid::new(setup(water.clone()), MuellerSettings::default(), &solids);
    let resolution = ClavetSettings::default();
    let radius = liquid.resolution().spacing * resolution.radius * 1.1;
    let mut points = liquid.state().particles.position.clone();
    let count = points.len();
    let mut pairs = 0;
    let report = |what: &str, seconds: Seconds, pairs: usize| {
        let [(each, pair), (cpu_each, cpu_pair)] = [seconds.clock, seconds.processor].map(|time| {
            let nanoseconds = time * 1e9;
            (nanoseconds / count as f64, nanoseconds / pairs as f64)
        });
        println!(
            "{count:9}  {threads:7}  {what:20}  {each:11.1}  {pair:7.2}  {cpu_each:15.1}  {cpu_pair:11.2}"
        );
    };
    let search = best_of(3, || {
        let order = sorted_order(&points, radius, false);
        points = order.iter().map(|&index| points[index as usize]).collect();
        let rows = Rows::of_sorted(&points, radius, false, 0);
        let lists = Neighbours::find(&points, &[&rows], count as u32);
        pairs = lists.pair_count(count as u32);
    });
    report("sort and search", search, pairs);
    let settings = ClavetSettings::default();
    for (what, material) in [("Clavet, water", water.clone()), ("Clavet, springs", goo)] {
        if let Ok(liquid) = ClavetLiquid::new(setup(material), settings, &solids) {
            report(what, step(liquid), pairs);
        }
    }
    report("forces, water", step(liquid), pairs);
}

/// Mean time of a step over some steps in a row, new lists included.
fn step(liquid: impl Liquid) -> Seconds {
    const STEPS: u32 = 16;
    let mut world = World::new(liquid);
    let dt = world.liquid.stable_step(&world.solids).seconds;
    let mut run = || {
        for _ in 0..STEPS {
            if let Err(error) = world.step(dt) {
                println!("{error}");
            }
        }
    };
    run();
    let all = best_of(2, run);
    Seconds {
        clock: all.clock / f64::from(STEPS),
        processor: all.processor / f64::from(STEPS),
    }
}

/// What some work took.
#[derive(Clone, Copy)]
struct Seconds {
    clock: f64,
    processor: f64,
}

fn best_of(times: u32, mut work: impl FnMut()) -> Seconds {
    let mut best = Seconds {
        clock: f64::INFINITY,
        processor: f64::INFINITY,
    };
    for _ in 0..times {
        let (start, processor) = (Instant::now(), processor_seconds());
        work();
        best.clock = best.clock.min(start.elapsed().as_secs_f64());
        best.processor = best.processor.min(processor_seconds() - processor);
    }
    best
}

/// Processor time of all threads so far.
fn processor_seconds() -> f64 {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else {
        return f64::NAN;
    };
    let nanoseconds = tasks.flatten().filter_map(|task| {
        let figures = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        figures.split_whitespace().next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() * 1e-9
}
