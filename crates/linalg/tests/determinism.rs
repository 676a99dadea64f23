//! The same bits with any number of threads.

mod problems;

use ooze_commons::reduce::dot;
use ooze_linalg::{
    IncompleteCholesky, Jacobi, Multigrid, MultigridSettings, Preconditioner, SolveReport,
    SolveSettings, SolveWorkspace, conjugate_gradients,
};
use problems::{Problem, Random};

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
        .install(work)
}

fn solve(problem: &Problem, preconditioner: &mut dyn Preconditioner) -> (SolveReport, Vec<f64>) {
    let settings = SolveSettings {
        relative_tolerance: 1e-7,
        max_iterations: 2000,
    };
    let mut x = vec![0.0; problem.rhs.len()];
    let mut workspace = SolveWorkspace::default();
    let report = conjugate_gradients(
        &problem.matrix,
        preconditioner,
        &problem.rhs,
        &mut x,
        &settings,
        &mut workspace,
    )
    .unwrap();
    (report, x)
}

#[test]
fn solutions_do_not_depend_on_the_number_of_threads() {
    for make in [
        problems::splash,
        problems::closed_bowl,
        problems::thin_walls,
    ] {
        let with = |threads| {
            with_threads(threads, || {
                let problem = make(40);
                let settings = MultigridSettings::default();
                let mut multigrid =
                    Multigrid::new(&problem.matrix, &problem.coordinates, &settings).unwrap();
                [
                    solve(&problem, &mut Jacobi::new(&problem.matrix).unwrap()),
                    solve(
                        &problem,
                        &mut IncompleteCholesky::new(&problem.matrix, &problem.coordinates)
                            .unwrap(),
                    ),
                    solve(&problem, &mut multigrid),
                ]
            })
        };
        let one = with(1);
        assert!(
            one[2].1.len() > 16_000,
            "too small to be solved in parallel"
        );
        assert!(one == with(2));
        assert!(one == with(5));
    }
}

#[test]
fn inner_products_do_not_depend_on_the_number_of_threads() {
    let mut random = Random::new(1);
    let (a, b) = (random.vector(100_003), random.vector(100_003));
    let one = with_threads(1, || dot(&a, &b));
    for threads in [2, 3, 5] {
        assert_eq!(
            one.to_bits(),
            with_threads(threads, || dot(&a, &b)).to_bits()
        );
    }
    let plain: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
    assert!((one - plain).abs() < 1e-10);
}

/// A workspace and a preconditioner that have been used give the same bits as new ones.
#[test]
fn memory_of_former_solves_has_no_influence() {
    let problem = problems::splash(24);
    let other = problems::closed_bowl(28);
    let settings = SolveSettings::default();
    let build = |problem: &Problem| {
        Multigrid::new(
            &problem.matrix,
            &problem.coordinates,
            &MultigridSettings::default(),
        )
        .unwrap()
    };
    let fresh = {
        let mut x = vec![0.0; problem.rhs.len()];
        let mut workspace = SolveWorkspace::default();
        conjugate_gradients(
            &problem.matrix,
            &mut build(&problem),
            &problem.rhs,
            &mut x,
            &settings,
            &mut workspace,
        )
        .unwrap();
        x
    };
    let mut workspace = SolveWorkspace::default();
    let mut x = vec![0.0; other.rhs.len()];
    conjugate_gradients(
        &other.matrix,
        &mut build(&other),
        &other.rhs,
        &mut x,
        &settings,
        &mut workspace,
    )
    .unwrap();
    let mut used = build(&problem);
    used.apply(
        &vec![1e30; problem.rhs.len()],
        &mut vec![0.0; problem.rhs.len()],
    );
    let mut x = vec![0.0; problem.rhs.len()];
    conjugate_gradients(
        &problem.matrix,
        &mut used,
        &problem.rhs,
        &mut x,
        &settings,
        &mut workspace,
    )
    .unwrap();
    assert!(x == fresh);
}
