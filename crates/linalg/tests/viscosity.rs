//! The multigrid of strains: what it must be (symmetric, positive definite, the same on any number of threads) and
//! what it is for (few iterations at any stiffness, on any shape).

mod dense;
mod problems;

use std::sync::Arc;

use ooze_linalg::{
    Chebyshev, GeometricMultigrid, Jacobi, Preconditioner, PreconditionerError, SolveReport,
    SolveSettings, SolveWorkspace, StiffParts, StrainMultigrid, UnknownPlace, ViscousChoice,
    ViscousFactor, WeightedRows, conjugate_gradients, normal_matrix,
};
use problems::Random;
use problems::viscosity::{self, ViscousProblem};

fn multigrid(problem: &ViscousProblem) -> StrainMultigrid {
    StrainMultigrid::new(&problem.matrix, &problem.places, &problem.rows).unwrap()
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

/// The geometric hierarchy, which slabs do not have.
fn geometric(problem: &ViscousProblem) -> Option<GeometricMultigrid> {
    GeometricMultigrid::new(&problem.matrix, &problem.places, &problem.rows).unwrap()
}

fn asymmetry(preconditioner: &mut dyn Preconditioner, count: usize) -> f64 {
    let mut random = Random::new(3);
    let (x, y) = (random.vector(count), random.vector(count));
    let (mut image_x, mut image_y) = (vec![0.0; count], vec![0.0; count]);
    preconditioner.apply(&x, &mut image_x);
    preconditioner.apply(&y, &mut image_y);
    let difference = dense::dot(&image_x, &y) - dense::dot(&x, &image_y);
    difference.abs() / (dense::norm(&image_x) * dense::norm(&y))
}

#[test]
fn they_are_symmetric() {
    for stiffness in [1.0, 1e5] {
        for problem in viscosity::all_viscous(16, stiffness) {
            let count = problem.rhs.len();
            let found = asymmetry(&mut multigrid(&problem), count);
            assert!(found < 2e-6, "{} at {stiffness}: {found:e}", problem.name);
            if let Some(mut geometric) = geometric(&problem) {
                let found = asymmetry(&mut geometric, count);
                assert!(found < 1e-5, "{} at {stiffness}: {found:e}", problem.name);
            }
        }
    }
}

fn assert_positive_definite(name: &str, preconditioner: &mut dyn Preconditioner, count: usize) {
    let matrix = dense::from_preconditioner(preconditioner, count);
    let mean = |row: usize, column: usize| 0.5 * (matrix[row][column] + matrix[column][row]);
    let symmetric = (0..count)
        .map(|row| (0..count).map(|column| mean(row, column)).collect())
        .collect();
    let outcome = dense::cholesky(&symmetric);
    assert!(outcome.is_ok(), "{name}: pivot {:?}", outcome.err());
}

#[test]
fn they_are_positive_definite() {
    for problem in viscosity::all_viscous(8, 30.0) {
        let count = problem.rhs.len();
        assert!(count > 40, "{} is too small to show anything", problem.name);
        assert_positive_definite(problem.name, &mut multigrid(&problem), count);
    }
    let problem = viscosity::ball(13, 30.0).with_bulk(60.0);
    let mut geometric = geometric(&problem).unwrap();
    assert!(geometric.level_sizes().len() > 1, "there must be levels");
    assert_positive_definite("geometric", &mut geometric, problem.rhs.len());
}

fn geometric_iterations(problem: &ViscousProblem) -> usize {
    let mut x = vec![0.0; problem.rhs.len()];
    let settings = SolveSettings {
        relative_tolerance: 1e-6,
        max_iterations: 100,
    };
    let report = conjugate_gradients(
        &problem.matrix,
        &mut geometric(problem).unwrap(),
        &problem.rhs,
        &mut x,
        &settings,
        &mut SolveWorkspace::default(),
    );
    report
        .unwrap_or_else(|error| panic!("{}: {error}", problem.name))
        .iterations
}

#[test]
fn compact_bodies_take_few_iterations_on_grids_at_any_stiffness() {
    for stiffness in [1e-2, 1.0, 1e2, 1e4, 1e6] {
        let few = geometric_iterations(&viscosity::ball(28, stiffness));
        assert!(few <= 10, "{few} iterations at {stiffness}");
        let bulky = viscosity::ball(28, stiffness).with_bulk(2.0 * stiffness);
        let bulky = geometric_iterations(&bulky);
        assert!(bulky <= 18, "{bulky} iterations with bulk at {stiffness}");
        let many = geometric_iterations(&viscosity::ball(56, stiffness));
        assert!(2 * many <= 3 * few, "{few} iterations at 28, {many} at 56");
    }
    // Walls, and a rope of five cells.
    let rope = geometric_iterations(&viscosity::rope_on_pool(32, 1e2));
    assert!(rope <= 25, "{rope} iterations");
}

#[test]
fn bodies_that_stand_and_melt_are_left_to_grids_and_take_few_iterations() {
    // Over eight powers of ten soft liquid is beyond coarse grids, and is smoothed for longer.
    for (n, powers) in [(28, 5.0), (40, 5.0), (28, 8.0), (40, 8.0)] {
        let problem = viscosity::melting_ears(n, 1e6, powers);
        assert_eq!(choice(&problem), ViscousChoice::Geometric);
        let iterations = geometric_iterations(&problem);
        assert!(
            iterations <= 15,
            "{iterations} iterations on {n} cells, {powers}"
        );
    }
}

#[test]
fn slabs_and_odd_rows_do_not_suit_grids() {
    assert!(geometric(&viscosity::ball(28, 1e2)).is_some());
    assert!(geometric(&viscosity::slab(28, 1e2)).is_none());
    // Rows that are no strain samples: each difference of a shear by itself.
    let places = [0, 1, 2, 3].map(|x| UnknownPlace {
        cell: [x / 2, x % 2, x],
        axis: 0,
    });
    let mut rows = WeightedRows::default();
    rows.push(1.0, [(0, 1.0), (3, -1.0)]);
    let matrix = normal_matrix(&[1.0; 4], &rows).unwrap();
    assert!(
        GeometricMultigrid::new(&matrix, &places, &rows)
            .unwrap()
            .is_none()
    );
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
fn thin_bodies_are_solved_for_directly_where_there_is_little_of_them() {
    let factor = |problem: &ViscousProblem| {
        ViscousFactor::new(&problem.matrix, &problem.places, &problem.rows).unwrap()
    };
    for stiffness in [1e2, 1e6] {
        for problem in [
            viscosity::thin(20, stiffness),
            viscosity::viscous_sheets(16, stiffness),
            viscosity::slab(40, stiffness),
        ] {
            let count = problem.rhs.len();
            let mut factor =
                factor(&problem).unwrap_or_else(|| panic!("{} of {count}", problem.name));
            let (mut x, mut residual) = (vec![0.0; count], vec![0.0; count]);
            factor.apply(&problem.rhs, &mut x);
            let left = problem.matrix.residual(&problem.rhs, &x, &mut residual);
            let left = left.sqrt() / dense::norm(&problem.rhs);
            assert!(left < 1e-6, "{} at {stiffness}: {left:e}", problem.name);
        }
    }
    // Too much, compact or thin.
    assert!(factor(&viscosity::ball(56, 1e2)).is_none());
    assert!(factor(&viscosity::slab(200, 1e2)).is_none());
}

fn stiff_parts(problem: &ViscousProblem) -> Option<StiffParts> {
    let matrix = Arc::new(problem.matrix.clone());
    StiffParts::new(&matrix, &problem.mass, &problem.places, &problem.rows).unwrap()
}

#[test]
fn crumbs_of_any_stiffness_in_thin_liquid_take_few_iterations() {
    for stiffness in [1e2, 1e4, 1e6] {
        let problem = viscosity::crumbs(24, stiffness);
        let mut parts = stiff_parts(&problem).expect("it has stiff parts");
        let stiff = parts.stiff_unknowns();
        assert!(stiff > 0 && 10 * stiff < problem.rhs.len(), "{stiff}");
        let mut x = vec![0.0; problem.rhs.len()];
        let settings = SolveSettings {
            relative_tolerance: 1e-6,
            max_iterations: 100,
        };
        let (matrix, rhs) = (&problem.matrix, &problem.rhs);
        let workspace = &mut SolveWorkspace::default();
        let report = conjugate_gradients(matrix, &mut parts, rhs, &mut x, &settings, workspace);
        let iterations = report.unwrap().iterations;
        assert!(iterations <= 8, "{iterations} at {stiffness}");
    }
    let problem = viscosity::crumbs(10, 1e2);
    let mut parts = stiff_parts(&problem).expect("it has stiff parts");
    assert!(asymmetry(&mut parts, problem.rhs.len()) < 1e-5);
    assert_positive_definite("stiff parts", &mut parts, problem.rhs.len());
    // What is as stiff all over, or as soft, has none.
    for stiffness in [0.1, 10.0, 1e4] {
        assert!(stiff_parts(&viscosity::ball(16, stiffness)).is_none());
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
    let problem = viscosity::rope_on_pool(32, 1e4).with_bulk(1e4);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let mut image = vec![0.0; problem.rhs.len()];
            let mut geometric = geometric(&problem).unwrap();
            geometric.apply(&problem.rhs, &mut image);
            image
        })
    };
    assert!(with(1) == with(5));
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
    let mut multigrid = StrainMultigrid::new(&matrix, places, rows).unwrap();
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
    let build = |places: &[UnknownPlace], rows: &WeightedRows| {
        let error = StrainMultigrid::new(&matrix, places, rows).unwrap_err();
        // One cell along z makes a slab, whose places are not looked at.
        match GeometricMultigrid::new(&matrix, places, rows) {
            Err(other) => assert_eq!(error, other),
            Ok(found) => assert!(found.is_none()),
        }
        error
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
    let matrix = normal_matrix(&[1.0; 3], &rows).unwrap();
    let places = [0, 1, 0].map(|z| UnknownPlace {
        cell: [0, 0, z],
        axis: 0,
    });
    assert_eq!(
        GeometricMultigrid::new(&matrix, &places, &rows).unwrap_err(),
        PreconditionerError::SamePlace {
            first: 0,
            second: 2,
            cell: [0; 3]
        }
    );
}

/// Liquid that is thin in whole or in part.
const THIN: [fn(i32, f64) -> ViscousProblem; 5] = [
    viscosity::thin,
    viscosity::viscous_sheets,
    viscosity::viscous_droplets,
    viscosity::slab,
    viscosity::rope_on_pool,
];

fn choice(problem: &ViscousProblem) -> ViscousChoice {
    ViscousChoice::new(&problem.matrix, &problem.mass, &problem.places)
}

#[test]
fn polynomials_of_the_chosen_degree_take_few_iterations_and_no_more_products_than_the_diagonal() {
    let iterations = |problem: &ViscousProblem, preconditioner: &mut dyn Preconditioner| {
        let mut x = vec![0.0; problem.rhs.len()];
        let settings = SolveSettings {
            relative_tolerance: 1e-6,
            max_iterations: 1000,
        };
        let (matrix, rhs) = (&problem.matrix, &problem.rhs);
        let workspace = &mut SolveWorkspace::default();
        conjugate_gradients(matrix, preconditioner, rhs, &mut x, &settings, workspace)
            .unwrap_or_else(|error| panic!("{}: {error}", problem.name))
            .iterations
    };
    for make in THIN {
        for stiffness in [1e-2, 1.0, 30.0] {
            let problem = make(20, stiffness).with_bulk(2.0 * stiffness);
            let ViscousChoice::Polynomial(degree) = choice(&problem) else {
                panic!(
                    "{} at {stiffness} is not left to a polynomial",
                    problem.name
                );
            };
            let mut polynomial = Chebyshev::new(Arc::new(problem.matrix.clone()), degree).unwrap();
            let few = iterations(&problem, &mut polynomial);
            let many = iterations(&problem, &mut Jacobi::new(&problem.matrix).unwrap());
            assert!(few <= 25, "{} at {stiffness}: {few}", problem.name);
            let limit = 14 * many / 10 + 2 * degree;
            assert!(
                few * degree <= limit,
                "{}: {few} of {degree}, {many}",
                problem.name
            );
        }
    }
}

#[test]
fn polynomials_are_symmetric_and_positive_definite() {
    let problem = viscosity::thin(8, 30.0);
    let count = problem.rhs.len();
    for degree in [1, 2, 7] {
        let mut polynomial = Chebyshev::new(Arc::new(problem.matrix.clone()), degree).unwrap();
        assert!(asymmetry(&mut polynomial, count) < 1e-5);
        assert_positive_definite("polynomial", &mut polynomial, count);
    }
}

#[test]
fn the_choice_goes_by_stiffness() {
    for stiffness in [0.5, 10.0, 1e4] {
        let problem = viscosity::ball(24, stiffness);
        let measured = ViscousChoice::stiffness(&problem.matrix, &problem.mass);
        assert!(
            measured > 0.7 * stiffness && measured < 1.3 * stiffness,
            "{measured} instead of {stiffness}"
        );
        let expected = if stiffness < 3.0 {
            ViscousChoice::Polynomial(3)
        } else {
            ViscousChoice::Geometric
        };
        assert_eq!(choice(&problem), expected);
    }
    // The same body on a floor that it sticks to.
    for (stiffness, on_grids) in [(10.0, false), (1e4, true)] {
        let mut problem = viscosity::ball(24, stiffness);
        let lowest = problem.places.iter().map(|place| place.cell[1]).min();
        let mut rows = problem.rows.clone();
        for (unknown, place) in problem.places.iter().enumerate() {
            if Some(place.cell[1]) <= lowest.map(|cell| cell + 2) {
                rows.push(4.0 * stiffness as f32, [(unknown as u32, 1.0)]);
            }
        }
        problem.matrix = normal_matrix(&problem.mass, &rows).unwrap();
        assert_eq!(choice(&problem) == ViscousChoice::Geometric, on_grids);
    }
    for make in THIN {
        let problem = make(28, 10.0);
        let chosen = choice(&problem);
        assert!(
            matches!(chosen, ViscousChoice::Polynomial(9..=13)),
            "{}: {chosen:?}",
            problem.name
        );
        let problem = make(28, 300.0);
        // The rope is four cells and a half thick.
        let expected = match problem.name {
            "rope on a pool" => ViscousChoice::Geometric,
            _ => ViscousChoice::Aggregation,
        };
        assert_eq!(choice(&problem), expected, "{}", problem.name);
    }
    let nothing = normal_matrix(&[1.0], &WeightedRows::default()).unwrap();
    assert_eq!(ViscousChoice::stiffness(&nothing, &[1.0]), 0.0);
}
