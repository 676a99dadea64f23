//! What a preconditioner must be (symmetric, positive definite) and what it is for (few iterations).

mod dense;
mod problems;

use ooze_linalg::{
    IncompleteCholesky, Jacobi, Multigrid, MultigridSettings, Preconditioner, SolveReport,
    SolveSettings, SolveWorkspace, conjugate_gradients,
};
use problems::{Problem, Random};

fn multigrid(problem: &Problem) -> Multigrid {
    Multigrid::new(
        &problem.matrix,
        &problem.coordinates,
        &MultigridSettings::default(),
    )
    .unwrap()
}

fn all_preconditioners(problem: &Problem) -> Vec<(String, Box<dyn Preconditioner>)> {
    let mut all: Vec<(String, Box<dyn Preconditioner>)> = vec![
        (
            "Jacobi".into(),
            Box::new(Jacobi::new(&problem.matrix).unwrap()),
        ),
        (
            "incomplete Cholesky".into(),
            Box::new(IncompleteCholesky::new(&problem.matrix, &problem.coordinates).unwrap()),
        ),
    ];
    for half_sweeps in [2, 3, 4] {
        let settings = MultigridSettings { half_sweeps };
        let multigrid = Multigrid::new(&problem.matrix, &problem.coordinates, &settings).unwrap();
        all.push((
            format!("multigrid of {half_sweeps} half sweeps"),
            Box::new(multigrid),
        ));
    }
    all
}

fn solve(
    problem: &Problem,
    preconditioner: &mut dyn Preconditioner,
    max_iterations: usize,
) -> SolveReport {
    let settings = SolveSettings {
        relative_tolerance: 1e-6,
        max_iterations,
    };
    let mut x = vec![0.0; problem.rhs.len()];
    let mut workspace = SolveWorkspace::default();
    conjugate_gradients(
        &problem.matrix,
        preconditioner,
        &problem.rhs,
        &mut x,
        &settings,
        &mut workspace,
    )
    .unwrap_or_else(|error| panic!("{}: {error}", problem.name))
}

#[test]
fn every_preconditioner_is_symmetric() {
    for problem in problems::all(24) {
        let count = problem.rhs.len();
        let mut random = Random::new(3);
        let (x, y) = (random.vector(count), random.vector(count));
        let (mut image_x, mut image_y) = (vec![0.0; count], vec![0.0; count]);
        for (name, mut preconditioner) in all_preconditioners(&problem) {
            preconditioner.apply(&x, &mut image_x);
            preconditioner.apply(&y, &mut image_y);
            let difference = dense::dot(&image_x, &y) - dense::dot(&x, &image_y);
            let scale = dense::norm(&image_x) * dense::norm(&y);
            assert!(
                difference.abs() < 2e-6 * scale,
                "{name} on {}: asymmetry {:e}",
                problem.name,
                difference / scale
            );
        }
    }
}

#[test]
fn every_preconditioner_is_positive_definite() {
    for problem in problems::all(9) {
        let count = problem.rhs.len();
        assert!(count > 40, "{} is too small to show anything", problem.name);
        for (name, mut preconditioner) in all_preconditioners(&problem) {
            let matrix = dense::from_preconditioner(preconditioner.as_mut(), count);
            let mean =
                |row: usize, column: usize| 0.5 * (matrix[row][column] + matrix[column][row]);
            let symmetric = (0..count)
                .map(|row| (0..count).map(|column| mean(row, column)).collect())
                .collect();
            let outcome = dense::cholesky(&symmetric);
            assert!(
                outcome.is_ok(),
                "{name} on {}: pivot {:?}",
                problem.name,
                outcome.err()
            );
        }
    }
}

/// The argument in the head of `multigrid` bounds the eigenvalues of the preconditioned matrix by 2.
#[test]
fn multigrid_never_overshoots_twice() {
    for problem in problems::all(20) {
        let count = problem.rhs.len();
        let mut preconditioner = multigrid(&problem);
        let mut x = Random::new(11).vector(count);
        let mut product = vec![0.0; count];
        let mut largest = 0.0;
        for _ in 0..60 {
            problem.matrix.multiply(&x, &mut product);
            let before = dense::dot(&x, &product);
            preconditioner.apply(&product, &mut x);
            // The Rayleigh quotient of B A in the inner product of A.
            largest = dense::dot(&x, &product) / before;
            let scale = 1.0 / dense::norm(&x);
            x.iter_mut().for_each(|value| *value *= scale);
        }
        assert!((0.5..2.0).contains(&largest), "{}: {largest}", problem.name);
    }
}

#[test]
fn multigrid_needs_few_iterations_at_every_size() {
    for (small, large) in problems::all(32).iter().zip(problems::all(64)) {
        let few = solve(small, &mut multigrid(small), 100).iterations;
        let many = solve(&large, &mut multigrid(&large), 100).iterations;
        assert!(
            few <= 12 && many <= 14,
            "{}: {few} iterations at 32, {many} at 64",
            small.name
        );
        assert!(
            2 * many <= 3 * few,
            "{}: {few} iterations at 32, {many} at 64",
            small.name
        );
    }
}

#[test]
fn multigrid_needs_no_more_iterations_at_128_than_at_32() {
    let sizes = [
        (problems::full_box(32), problems::full_box(128)),
        (problems::splash(32), problems::splash(112)),
    ];
    for (small, large) in sizes {
        let few = solve(&small, &mut multigrid(&small), 100).iterations;
        let many = solve(&large, &mut multigrid(&large), 100).iterations;
        assert!(
            many <= few + 1,
            "{}: {few} iterations at 32, {many} at full size",
            small.name
        );
    }
}

#[test]
fn incomplete_cholesky_beats_jacobi_and_multigrid_beats_both() {
    for problem in [
        problems::full_box(32),
        problems::splash(40),
        problems::closed_bowl(32),
    ] {
        let jacobi = solve(&problem, &mut Jacobi::new(&problem.matrix).unwrap(), 1000).iterations;
        let mut factor = IncompleteCholesky::new(&problem.matrix, &problem.coordinates).unwrap();
        let cholesky = solve(&problem, &mut factor, 1000).iterations;
        let multigrid = solve(&problem, &mut multigrid(&problem), 1000).iterations;
        assert!(
            2 * cholesky < jacobi && 2 * multigrid < cholesky,
            "{}: Jacobi {jacobi}, incomplete Cholesky {cholesky}, multigrid {multigrid}",
            problem.name
        );
    }
}

/// The order in which unknowns come may change roundings, but neither geometry nor convergence.
#[test]
fn the_caller_may_number_unknowns_in_any_order() {
    let problem = problems::splash(32);
    let count = problem.rhs.len();
    // A stride that has no common factor with the count visits every row once.
    let stride = (count / 3..)
        .find(|&stride| greatest_common_divisor(stride, count) == 1)
        .unwrap();
    let old_of_new: Vec<usize> = (0..count).map(|row| row * stride % count).collect();
    let mut new_of_old = vec![0; count];
    for (new, &old) in old_of_new.iter().enumerate() {
        new_of_old[old] = new;
    }
    let matrix = ooze_linalg::SymmetricMatrix::from_rows(count, |row, sink| {
        sink.diagonal(problem.matrix.diagonal()[old_of_new[row]]);
        for (column, value) in problem.matrix.row(old_of_new[row]) {
            sink.off_diagonal(new_of_old[column], value);
        }
    })
    .unwrap();
    let shuffled = Problem {
        name: "shuffled splash",
        matrix,
        coordinates: old_of_new
            .iter()
            .map(|&old| problem.coordinates[old])
            .collect(),
        rhs: old_of_new.iter().map(|&old| problem.rhs[old]).collect(),
    };
    let ordered = solve(&problem, &mut multigrid(&problem), 100);
    let mixed = solve(&shuffled, &mut multigrid(&shuffled), 100);
    assert_eq!(ordered.iterations, mixed.iterations);
    assert_eq!(
        multigrid(&problem).level_sizes(),
        multigrid(&shuffled).level_sizes()
    );
}

/// Moving the liquid by whole cells, to negative coordinates too, changes nothing.
#[test]
fn the_lattice_has_no_special_place() {
    let problem = problems::splash(24);
    let moved: Vec<[i32; 3]> = problem
        .coordinates
        .iter()
        .map(|&[x, y, z]| [x - 1000, y + 4_000_000, z - 36])
        .collect();
    let settings = MultigridSettings::default();
    let mut here = multigrid(&problem);
    let mut there = Multigrid::new(&problem.matrix, &moved, &settings).unwrap();
    let count = problem.rhs.len();
    let (mut image_here, mut image_there) = (vec![0.0; count], vec![0.0; count]);
    here.apply(&problem.rhs, &mut image_here);
    there.apply(&problem.rhs, &mut image_there);
    assert_eq!(image_here, image_there);
}

/// A ring of cells, as a periodic domain makes it: the last cell is coupled to the first.
#[test]
fn couplings_beyond_face_neighbours_are_allowed() {
    for length in [90usize, 91] {
        let matrix = ooze_linalg::SymmetricMatrix::from_rows(length, |row, sink| {
            sink.couple((row + 1) % length, 1.0);
            sink.couple((row + length - 1) % length, 1.0);
            if row == 5 {
                sink.ground(1.0);
            }
        })
        .unwrap();
        let coordinates = (0..length as i32).map(|x| [x, 0, 0]).collect();
        let rhs = Random::new(4).vector(length);
        let ring = Problem {
            name: "ring",
            matrix,
            coordinates,
            rhs,
        };
        let report = solve(&ring, &mut multigrid(&ring), 100);
        assert!(
            report.iterations <= 14,
            "{length} cells: {} iterations",
            report.iterations
        );
    }
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}
