//! The multigrid of strains: what it must be (symmetric, positive definite, the same on any number of threads) and
//! what it is for (few iterations at any stiffness, on any shape).

mod dense;
mod problems;

use ooze_linalg::{
    Preconditioner, PreconditionerError, SolveReport, SolveSettings, SolveWorkspace,
    StrainMultigrid, StrainMultigridSettings, UnknownPlace, ViscousChoice, WeightedRows,
    conjugate_gradients, normal_matrix,
};
use problems::Random;
use problems::viscosity::{self, ViscousProblem};

fn multigrid(problem: &ViscousProblem) -> StrainMultigrid {
    StrainMultigrid::new(
        &problem.matrix,
        &problem.places,
        &problem.rows,
        &StrainMultigridSettings::default(),
    )
    .unwrap()
}

fn solve(problem: &ViscousProblem, limit: usize) -> (SolveReport, Vec<f64>) {
    let settings = SolveSettings {
        relative_tolerance: 1e-6,
        max_iterations: limit,
    };
    let mut x = vec![0.0; problem.rhs.len()];
    let report = conjugate_gradients(
        &problem.matrix,
        &mut multigrid(problem),
        &problem.rhs,
        &mut x,
        &settings,
        &mut SolveWorkspace::default(),
    )
    .unwrap_or_else(|error| panic!("{}: {error}", problem.name));
    (report, x)
}

#[test]
fn it_is_symmetric() {
    for stiffness in [1.0, 1e5] {
        for problem in viscosity::all_viscous(16, stiffness) {
            let count = problem.rhs.len();
            let mut random = Random::new(3);
            let (x, y) = (random.vector(count), random.vector(count));
            let (mut image_x, mut image_y) = (vec![0.0; count], vec![0.0; count]);
            let mut preconditioner = multigrid(&problem);
            preconditioner.apply(&x, &mut image_x);
            preconditioner.apply(&y, &mut image_y);
            let difference = dense::dot(&image_x, &y) - dense::dot(&x, &image_y);
            let scale = dense::norm(&image_x) * dense::norm(&y);
            assert!(
                difference.abs() < 2e-6 * scale,
                "{} at {stiffness}: asymmetry {:e}",
                problem.name,
                difference / scale
            );
        }
    }
}

#[test]
fn it_is_positive_definite() {
    for problem in viscosity::all_viscous(8, 30.0) {
        let count = problem.rhs.len();
        assert!(count > 40, "{} is too small to show anything", problem.name);
        let matrix = dense::from_preconditioner(&mut multigrid(&problem), count);
        let mean = |row: usize, column: usize| 0.5 * (matrix[row][column] + matrix[column][row]);
        let symmetric = (0..count)
            .map(|row| (0..count).map(|column| mean(row, column)).collect())
            .collect();
        let outcome = dense::cholesky(&symmetric);
        assert!(
            outcome.is_ok(),
            "{}: pivot {:?}",
            problem.name,
            outcome.err()
        );
    }
}

#[test]
fn iterations_are_few_at_any_stiffness_on_any_shape() {
    for stiffness in [1e-2, 1.0, 1e2, 1e4, 1e6] {
        for problem in viscosity::all_viscous(28, stiffness) {
            let (report, _) = solve(&problem, 200);
            assert!(
                report.iterations <= 50 && report.residual <= 1e-6,
                "{} at {stiffness}: {} iterations",
                problem.name,
                report.iterations
            );
        }
    }
}

#[test]
fn iterations_hardly_grow_with_resolution() {
    let makes = [viscosity::ball, viscosity::rope_on_pool, viscosity::slab];
    for make in makes {
        let few = solve(&make(32, 1e5), 200).0.iterations;
        let many = solve(&make(64, 1e5), 200).0.iterations;
        assert!(
            2 * many <= 3 * few,
            "{}: {few} iterations at 32, {many} at 64",
            make(8, 1.0).name
        );
    }
}

#[test]
fn solutions_do_not_depend_on_the_number_of_threads() {
    for make in [viscosity::rope_on_pool, viscosity::thin] {
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| solve(&make(32, 1e4), 100))
        };
        let one = with(1);
        assert!(one.1.len() > 12_000, "too small to be solved in parallel");
        assert!(one == with(5));
    }
}

/// A body in free flight keeps its momentum, and stiff ones move rigidly.
#[test]
fn a_free_ball_turns_rigid() {
    let problem = viscosity::ball(24, 1e7);
    let (_, x) = solve(&problem, 100);
    let mut total = [[0.0; 3]; 2];
    for (index, place) in problem.places.iter().enumerate() {
        total[0][usize::from(place.axis)] += problem.rhs[index];
        total[1][usize::from(place.axis)] += problem.mass[index] * x[index];
    }
    let scale = dense::norm(&problem.rhs);
    for axis in 0..3 {
        assert!((total[0][axis] - total[1][axis]).abs() < 1e-4 * scale);
    }
    for row in 0..problem.rows.len() {
        let (columns, coefficients) = problem.rows.row(row);
        let entries = columns.iter().zip(coefficients);
        let strain: f64 = entries
            .map(|(&column, &coefficient)| x[column as usize] * f64::from(coefficient))
            .sum();
        assert!(strain.abs() < 1e-4, "strain {strain} in row {row}");
    }
}

fn odd(mass: &[f64], rows: &WeightedRows, places: &[UnknownPlace]) -> Vec<f64> {
    let matrix = normal_matrix(mass, rows).unwrap();
    let settings = StrainMultigridSettings::default();
    let mut multigrid = StrainMultigrid::new(&matrix, places, rows, &settings).unwrap();
    let rhs: Vec<f64> = (0..mass.len()).map(|index| 1.0 + index as f64).collect();
    let mut x = vec![0.0; mass.len()];
    let mut workspace = SolveWorkspace::default();
    let settings = SolveSettings::default();
    conjugate_gradients(
        &matrix,
        &mut multigrid,
        &rhs,
        &mut x,
        &settings,
        &mut workspace,
    )
    .unwrap();
    x
}

#[test]
fn odd_systems_are_solved() {
    let place = |x: i32, axis: u8| UnknownPlace {
        cell: [x, -3, 7],
        axis,
    };
    assert!(odd(&[], &WeightedRows::default(), &[]).is_empty());
    // No strain at all, then rows of zero weight, of no entries, and far places.
    let places = [place(-100_000, 0), place(5, 1), place(100_000, 2)];
    let x = odd(&[1.0, 2.0, 4.0], &WeightedRows::default(), &places);
    assert_eq!(x, [1.0, 1.0, 0.75]);
    let mut rows = WeightedRows::default();
    rows.push(0.0, [(0, 1.0), (1, -1.0)]);
    rows.push(3.0, []);
    rows.push(3.0, [(2, 1.0)]);
    let x = odd(&[1.0, 2.0, 4.0], &rows, &places);
    assert!((x[2] - 3.0 / 7.0).abs() < 1e-6);
    // Couplings across a great distance, and a row that cancels itself.
    rows.push(1e4, [(0, 1.0), (2, -1.0)]);
    rows.push(1.0, [(1, 1.0), (1, -1.0)]);
    let x = odd(&[1.0, 2.0, 4.0], &rows, &places);
    assert!((x[0] - x[2]).abs() < 1e-3 && (x[1] - 1.0).abs() < 1e-6);
}

#[test]
fn faults_are_named() {
    let rows = WeightedRows::default();
    let matrix = normal_matrix(&[1.0, 1.0], &rows).unwrap();
    let settings = StrainMultigridSettings::default();
    let build = |places: &[UnknownPlace], rows: &WeightedRows| {
        StrainMultigrid::new(&matrix, places, rows, &settings).unwrap_err()
    };
    let place = |x: i32, axis: u8| UnknownPlace {
        cell: [x, 0, 0],
        axis,
    };
    let error = build(&[place(0, 0)], &rows);
    assert!(matches!(error, PreconditionerError::CoordinateCount { .. }));
    let error = build(&[place(0, 0), place(0, 3)], &rows);
    assert_eq!(
        error,
        PreconditionerError::Axis {
            unknown: 1,
            axis: 3
        }
    );
    let error = build(&[place(4, 1), place(4, 1)], &rows);
    assert!(matches!(
        error,
        PreconditionerError::SamePlace {
            cell: [4, 0, 0],
            ..
        }
    ));
    let error = build(&[place(i32::MIN, 0), place(i32::MAX, 0)], &rows);
    assert!(matches!(error, PreconditionerError::Extent { axis: 0, .. }));
    let mut wrong = WeightedRows::default();
    wrong.push(1.0, [(2, 1.0)]);
    let error = build(&[place(0, 0), place(1, 0)], &wrong);
    assert!(error.to_string().contains("unknown 2"), "{error}");
}

#[test]
fn the_choice_goes_by_stiffness() {
    for stiffness in [0.5, 40.0, 1e4] {
        let problem = viscosity::ball(24, stiffness);
        let measured = ViscousChoice::stiffness(&problem.matrix, &problem.mass);
        assert!(
            measured > 0.7 * stiffness && measured < 1.3 * stiffness,
            "{measured} instead of {stiffness}"
        );
        let expected = if stiffness < 10.0 {
            ViscousChoice::Jacobi
        } else {
            ViscousChoice::Multigrid
        };
        assert_eq!(ViscousChoice::new(&problem.matrix, &problem.mass), expected);
    }
    let nothing = normal_matrix(&[1.0], &WeightedRows::default()).unwrap();
    assert_eq!(ViscousChoice::stiffness(&nothing, &[1.0]), 0.0);
}
