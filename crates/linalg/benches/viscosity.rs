//! Preconditioners on the scene `viscous-ball` at rest: iterations, set-up and solve times, memory.
//!
//! `cargo bench -p ooze-linalg --bench viscosity -- 32 64` prints a table for those numbers of cells (32, 64, 96 and
//! 128 unless told): a ball of radius 0.25 in the unit box, density 1, time step 0.01, viscosities 5 to 5000. Solves
//! are to 1e-6 of the right-hand side's norm, from a zero guess; the residual is the true one. Times are CPU seconds of
//! all threads where the system tells them (Linux), so that other work on the machine matters little, and seconds by
//! the clock: the least of three runs, unless one takes long.
#![allow(
    missing_docs,
    clippy::print_stdout,
    reason = "a benchmark prints its table"
)]

#[path = "../tests/problems/mod.rs"]
mod problems;

use std::cell::RefCell;
use std::time::Instant;

use ooze_linalg::{
    GeometricMultigrid, IncompleteCholesky, Jacobi, Preconditioner, SolveSettings, SolveWorkspace,
    StrainMultigrid, conjugate_gradients,
};
use problems::viscosity::{ViscousProblem, ball};

const TIME_STEP: f64 = 0.01;
const VISCOSITIES: [f64; 4] = [5.0, 50.0, 500.0, 5000.0];

/// Runs of the same work.
const RUNS: usize = 3;
/// Work that takes longer, in seconds, is not repeated.
const LONG: f64 = 0.5;

/// The time of the C library.
#[cfg(target_os = "linux")]
#[repr(C)]
struct TimeSpec {
    seconds: std::ffi::c_long,
    nanoseconds: std::ffi::c_long,
}

#[cfg(target_os = "linux")]
unsafe extern "C" {
    fn clock_gettime(clock: std::ffi::c_int, time: *mut TimeSpec) -> std::ffi::c_int;
}

/// CPU seconds of all threads of this process so far, those that have ended included.
#[cfg(target_os = "linux")]
fn cpu_seconds() -> Option<f64> {
    const PROCESS_CPU_TIME: std::ffi::c_int = 2;
    let mut time = TimeSpec {
        seconds: 0,
        nanoseconds: 0,
    };
    // SAFETY: the C library fills the structure, which has the layout of its `timespec` on 64-bit Linux.
    let failed = unsafe { clock_gettime(PROCESS_CPU_TIME, &raw mut time) };
    (failed == 0).then_some(time.seconds as f64 + 1e-9 * time.nanoseconds as f64)
}

#[cfg(not(target_os = "linux"))]
fn cpu_seconds() -> Option<f64> {
    None
}

/// Seconds of CPU and clock that some work takes.
fn timed<T>(work: impl Fn() -> T) -> (T, f64, f64) {
    let (mut least_cpu, mut least_clock) = (f64::INFINITY, f64::INFINITY);
    for run in 1.. {
        let (clock, cpu) = (Instant::now(), cpu_seconds());
        let result = work();
        let clock = clock.elapsed().as_secs_f64();
        let cpu = cpu.zip(cpu_seconds()).map_or(clock, |(a, b)| b - a);
        (least_cpu, least_clock) = (least_cpu.min(cpu), least_clock.min(clock));
        if run == RUNS || cpu > LONG {
            return (result, least_cpu, least_clock);
        }
    }
    unreachable!("the loop ends after its last run")
}

fn report<P: Preconditioner>(
    name: &str,
    problem: &ViscousProblem,
    build: impl Fn() -> P + Send + Sync,
    bytes: impl Fn(&P) -> Option<usize>,
) {
    let settings = SolveSettings {
        relative_tolerance: 1e-6,
        max_iterations: 5000,
    };
    // The first set-up of a process pays for fresh memory.
    drop(build());
    let (preconditioner, setup_cpu, setup_clock) = timed(&build);
    let state = RefCell::new((preconditioner, SolveWorkspace::default()));
    let (outcome, solve_cpu, solve_clock) = timed(|| {
        let (preconditioner, workspace) = &mut *state.borrow_mut();
        let mut x = vec![0.0; problem.rhs.len()];
        let (matrix, rhs) = (&problem.matrix, &problem.rhs);
        conjugate_gradients(matrix, preconditioner, rhs, &mut x, &settings, workspace)
    });
    let preconditioner = &state.borrow().0;
    let memory =
        bytes(preconditioner).map_or("-".into(), |bytes| format!("{}", bytes / problem.rhs.len()));
    let (iterations, residual) = match outcome {
        Ok(report) => (report.iterations.to_string(), report.residual),
        Err(error) => (error.to_string(), f64::NAN),
    };
    println!(
        "| {name} | {iterations} | {residual:.1e} | {:.0} / {:.0} | {:.0} / {:.0} | {memory} |",
        1e3 * setup_cpu,
        1e3 * setup_clock,
        1e3 * solve_cpu,
        1e3 * solve_clock,
    );
}

fn main() {
    let mut sizes: Vec<i32> = std::env::args()
        .filter_map(|argument| argument.parse().ok())
        .collect();
    if sizes.is_empty() {
        sizes = vec![32, 64, 96, 128];
    }
    let pools = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("threads can be started")
    });
    for size in sizes {
        for viscosity in VISCOSITIES {
            let stiffness = viscosity * TIME_STEP * f64::from(size * size);
            let problem = ball(size, stiffness);
            for pool in &pools {
                let threads = pool.current_num_threads();
                println!(
                    "\n{size} cells, {} unknowns, viscosity {viscosity}, stiffness {stiffness:.0}, {threads} threads",
                    problem.rhs.len()
                );
                println!(
                    "| preconditioner | iterations | residual | set-up ms CPU / clock | solve ms CPU / clock | bytes per unknown |"
                );
                println!("|---|---|---|---|---|---|");
                pool.install(|| compare(&problem));
            }
        }
    }
}

fn compare(problem: &ViscousProblem) {
    let cells: Vec<[i32; 3]> = problem.places.iter().map(|place| place.cell).collect();
    report(
        "Jacobi",
        problem,
        || Jacobi::new(&problem.matrix).expect("the diagonal is positive"),
        |_| None,
    );
    report(
        "IC(0)",
        problem,
        || IncompleteCholesky::new(&problem.matrix, &cells).expect("there is one cell per unknown"),
        |_| None,
    );
    report(
        "multigrid",
        problem,
        || {
            GeometricMultigrid::new(&problem.matrix, &problem.places, &problem.rows)
                .expect("the system is sound")
                .expect("rows are strain samples")
        },
        |multigrid| Some(multigrid.bytes()),
    );
    report(
        "aggregation",
        problem,
        || {
            StrainMultigrid::new(&problem.matrix, &problem.places, &problem.rows)
                .expect("the system is sound")
        },
        |multigrid| Some(multigrid.bytes()),
    );
}
