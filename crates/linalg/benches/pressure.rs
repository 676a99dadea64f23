//! Set-up and solve times of the preconditioners on a splash in a bowl, by size and number of threads.
//!
//! `cargo bench -p ooze-linalg` prints, besides criterion's timings, unknowns and iterations of each solve. Solves are
//! to 1e-5 from a zero guess. `setup` builds the preconditioner, `solve` is conjugate gradients with it.
#![allow(
    missing_docs,
    clippy::print_stderr,
    reason = "criterion's macros write undocumented functions; a benchmark reports"
)]

#[path = "../tests/problems/mod.rs"]
mod problems;

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use ooze_linalg::{
    IncompleteCholesky, Jacobi, Multigrid, MultigridSettings, Preconditioner, SolveSettings,
    SolveWorkspace, conjugate_gradients,
};
use problems::Problem;

const SIZES: [i32; 3] = [32, 64, 128];
const THREADS: [usize; 2] = [1, 2];

type Build = fn(&Problem) -> Box<dyn Preconditioner>;

const PRECONDITIONERS: [(&str, Build); 3] = [
    ("jacobi", |problem| {
        Box::new(Jacobi::new(&problem.matrix).unwrap())
    }),
    ("incomplete-cholesky", |problem| {
        Box::new(IncompleteCholesky::new(&problem.matrix, &problem.coordinates).unwrap())
    }),
    ("multigrid", |problem| {
        let settings = MultigridSettings::default();
        Box::new(Multigrid::new(&problem.matrix, &problem.coordinates, &settings).unwrap())
    }),
];

fn pressure(criterion: &mut Criterion) {
    let settings = SolveSettings {
        relative_tolerance: 1e-5,
        max_iterations: 5000,
    };
    for size in SIZES {
        let problem = problems::splash(size);
        for (name, build) in PRECONDITIONERS {
            for threads in THREADS {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .unwrap();
                let mut group =
                    criterion.benchmark_group(format!("{name}/{size} cells/{threads} threads"));
                group
                    .sample_size(10)
                    .warm_up_time(Duration::from_millis(300))
                    .measurement_time(Duration::from_secs(2));
                group.bench_function("setup", |bencher| {
                    pool.install(|| bencher.iter(|| build(&problem)))
                });
                let mut preconditioner = build(&problem);
                let mut workspace = SolveWorkspace::default();
                let mut x = vec![0.0; problem.rhs.len()];
                let mut solve = || {
                    x.fill(0.0);
                    conjugate_gradients(
                        &problem.matrix,
                        preconditioner.as_mut(),
                        &problem.rhs,
                        &mut x,
                        &settings,
                        &mut workspace,
                    )
                    .unwrap()
                };
                let report = pool.install(&mut solve);
                group.bench_function("solve", |bencher| pool.install(|| bencher.iter(&mut solve)));
                eprintln!(
                    "{} unknowns, {} iterations",
                    problem.rhs.len(),
                    report.iterations
                );
            }
        }
    }
}

criterion_group!(benches, pressure);
criterion_main!(benches);
