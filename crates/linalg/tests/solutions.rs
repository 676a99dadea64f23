//! Solutions against closed forms and dense elimination.

mod dense;
mod problems;

use ooze_linalg::{
    FloatingComponents, IncompleteCholesky, Jacobi, Multigrid, MultigridSettings, Preconditioner,
    SolveReport, SolveSettings, SolveWorkspace, SymmetricMatrix, conjugate_gradients,
};
use problems::{Problem, Random};
use proptest::prelude::*;

fn preconditioners(problem: &Problem) -> Vec<Box<dyn Preconditioner>> {
    let settings = MultigridSettings::default();
    vec![
        Box::new(Jacobi::new(&problem.matrix).unwrap()),
        Box::new(IncompleteCholesky::new(&problem.matrix, &problem.coordinates).unwrap()),
        Box::new(Multigrid::new(&problem.matrix, &problem.coordinates, &settings).unwrap()),
    ]
}

fn solve(
    problem: &Problem,
    preconditioner: &mut dyn Preconditioner,
    tolerance: f64,
    x: &mut [f64],
) -> SolveReport {
    let settings = SolveSettings {
        relative_tolerance: tolerance,
        max_iterations: 20_000,
    };
    let mut workspace = SolveWorkspace::default();
    conjugate_gradients(
        &problem.matrix,
        preconditioner,
        &problem.rhs,
        x,
        &settings,
        &mut workspace,
    )
    .unwrap_or_else(|error| panic!("{}: {error}", problem.name))
}

/// In a box under a surface at a fraction of the top cells' height, pressure grows linearly with depth.
#[test]
fn hydrostatic_pressure_is_linear_in_depth() {
    let mut problem = problems::full_box(12);
    for (rhs, cell) in problem.rhs.iter_mut().zip(&problem.coordinates) {
        *rhs = if cell[1] == 0 { 1.0 } else { 0.0 };
    }
    // The last liquid cells are at height 9, their surface 0.8 cells above the centres.
    for mut preconditioner in preconditioners(&problem) {
        let mut x = vec![0.0; problem.rhs.len()];
        solve(&problem, preconditioner.as_mut(), 1e-12, &mut x);
        for (x, cell) in x.iter().zip(&problem.coordinates) {
            let depth = f64::from(9 - cell[1]) + 0.8;
            // θ is rounded to f32 in the matrix.
            assert!((x - depth).abs() < 1e-6, "pressure {x} at depth {depth}");
        }
    }
}

#[test]
fn every_preconditioner_leads_to_the_dense_solution() {
    for problem in problems::all(8) {
        if !FloatingComponents::find(&problem.matrix).is_empty() {
            continue;
        }
        let exact = dense::solve(&dense::from_sparse(&problem.matrix), &problem.rhs);
        let scale = dense::norm(&exact);
        for mut preconditioner in preconditioners(&problem) {
            let mut x = vec![0.0; exact.len()];
            solve(&problem, preconditioner.as_mut(), 1e-11, &mut x);
            let difference: Vec<f64> = x.iter().zip(&exact).map(|(a, b)| a - b).collect();
            assert!(dense::norm(&difference) < 1e-6 * scale, "{}", problem.name);
        }
    }
}

#[test]
fn the_reported_residuals_are_the_true_ones() {
    let problem = problems::splash(24);
    let count = problem.rhs.len();
    let relative_residual = |x: &[f64]| {
        let mut product = vec![0.0; count];
        problem.matrix.multiply(x, &mut product);
        let residual: Vec<f64> = problem
            .rhs
            .iter()
            .zip(&product)
            .map(|(b, p)| b - p)
            .collect();
        dense::norm(&residual) / dense::norm(&problem.rhs)
    };
    for mut preconditioner in preconditioners(&problem) {
        let mut x = Random::new(5).vector(count);
        let before = relative_residual(&x);
        let report = solve(&problem, preconditioner.as_mut(), 1e-8, &mut x);
        assert!((report.initial_residual - before).abs() < 1e-12 * before);
        assert!((report.residual - relative_residual(&x)).abs() < 1e-13);
        assert!(report.residual <= 1e-8);
    }
}

/// From a guess a hundred million times too large the carried residual drifts; the solve notices and starts anew.
#[test]
fn a_bad_guess_costs_a_restart_not_accuracy() {
    let problem = problems::splash(20);
    let mut x = Random::new(6).vector(problem.rhs.len());
    x.iter_mut().for_each(|x| *x *= 1e8);
    let mut multigrid = Multigrid::new(
        &problem.matrix,
        &problem.coordinates,
        &MultigridSettings::default(),
    )
    .unwrap();
    let report = solve(&problem, &mut multigrid, 1e-11, &mut x);
    assert!(report.initial_residual > 1e6);
    assert!(report.residual <= 1e-11);
}

#[test]
fn a_good_guess_needs_no_iteration_and_no_flow_gives_no_pressure() {
    let mut problem = problems::splash(20);
    let mut jacobi = Jacobi::new(&problem.matrix).unwrap();
    let mut x = vec![0.0; problem.rhs.len()];
    solve(&problem, &mut jacobi, 1e-9, &mut x);
    let before = x.clone();
    let report = solve(&problem, &mut jacobi, 1e-8, &mut x);
    assert_eq!(report.iterations, 0);
    assert_eq!(x, before);
    problem.rhs.fill(0.0);
    let report = solve(&problem, &mut jacobi, 1e-8, &mut x);
    assert_eq!(report, SolveReport::default());
    assert!(x.iter().all(|&x| x == 0.0));
}

#[test]
fn an_empty_system_is_solved() {
    let matrix = SymmetricMatrix::from_rows(0, |_, _| {}).unwrap();
    let empty = Problem {
        name: "nothing",
        matrix,
        coordinates: Vec::new(),
        rhs: Vec::new(),
    };
    for mut preconditioner in preconditioners(&empty) {
        assert_eq!(
            solve(&empty, preconditioner.as_mut(), 1e-6, &mut []),
            SolveReport::default()
        );
    }
}

/// Sums over the rows of each floating component.
fn component_sums(floating: &FloatingComponents, vector: &[f64]) -> Vec<f64> {
    (0..floating.count())
        .map(|component| {
            floating
                .rows(component)
                .iter()
                .map(|&row| vector[row as usize])
                .sum()
        })
        .collect()
}

#[test]
fn a_closed_tank_is_solved_up_to_its_constant() {
    for mut problem in [problems::closed_box(16), problems::closed_bowl(20)] {
        let count = problem.rhs.len();
        let floating = FloatingComponents::find(&problem.matrix);
        assert_eq!(floating.count(), 1);
        assert_eq!(floating.rows(0).len(), count);
        // A smooth solution of zero mean, and the right-hand side that belongs to it.
        let mut exact: Vec<f64> = problem
            .coordinates
            .iter()
            .map(|c| (0.3 * f64::from(c[0] + 2 * c[1])).sin())
            .collect();
        floating.project(&mut exact);
        let mut rhs = vec![0.0; count];
        problem.matrix.multiply(&exact, &mut rhs);
        problem.rhs = rhs;
        for mut preconditioner in preconditioners(&problem) {
            let mut x = vec![7.0; count];
            let report = solve(&problem, preconditioner.as_mut(), 1e-10, &mut x);
            assert_eq!(report.floating_components, 1);
            assert!(report.incompatible < 1e-7, "{}", report.incompatible);
            for (x, exact) in x.iter().zip(&exact) {
                assert!((x - exact).abs() < 1e-6, "{x} where {exact} is right");
            }
        }
    }
}

#[test]
fn flow_that_a_closed_tank_cannot_take_is_left_out_and_reported() {
    let mut problem = problems::closed_box(12);
    let count = problem.rhs.len();
    // Half of the right-hand side's square norm is its mean.
    let mut random = Random::new(8);
    let floating = FloatingComponents::find(&problem.matrix);
    let mut fluctuation = random.vector(count);
    floating.project(&mut fluctuation);
    let scale = (count as f64).sqrt() / dense::norm(&fluctuation);
    problem.rhs = fluctuation.iter().map(|f| 1.0 + scale * f).collect();
    for mut preconditioner in preconditioners(&problem) {
        let mut x = vec![0.0; count];
        let report = solve(&problem, preconditioner.as_mut(), 1e-9, &mut x);
        assert!(
            (report.incompatible - 0.5f64.sqrt()).abs() < 1e-9,
            "{}",
            report.incompatible
        );
        assert!(component_sums(&floating, &x)[0].abs() < 1e-9 * dense::norm(&x));
        let mut product = vec![0.0; count];
        problem.matrix.multiply(&x, &mut product);
        let residual: Vec<f64> = fluctuation
            .iter()
            .zip(&product)
            .map(|(f, p)| scale * f - p)
            .collect();
        assert!(dense::norm(&residual) <= 1.01e-9 * dense::norm(&problem.rhs));
    }
}

/// Closed pockets beside open liquid: a chain cut into pieces, every third of them grounded.
#[test]
fn floating_pockets_beside_open_liquid_are_found() {
    let pieces = 30;
    let length = 7;
    let matrix = SymmetricMatrix::from_rows(pieces * length, |row, sink| {
        let (piece, place) = (row / length, row % length);
        if place > 0 {
            sink.couple(row - 1, 0.3);
        }
        if place + 1 < length {
            sink.couple(row + 1, 0.3);
        }
        if piece % 3 == 0 && place == 3 {
            sink.ground(1e-4);
        }
    })
    .unwrap();
    let floating = FloatingComponents::find(&matrix);
    assert_eq!(floating.count(), 20);
    assert_eq!(floating.rows(0), (7..14).collect::<Vec<u32>>());
    assert_eq!(floating.rows(1), (14..21).collect::<Vec<u32>>());
    let coordinates = (0..pieces * length).map(|row| [row as i32, 0, 0]).collect();
    let rhs = Random::new(9).vector(pieces * length);
    let problem = Problem {
        name: "pieces",
        matrix,
        coordinates,
        rhs,
    };
    for mut preconditioner in preconditioners(&problem) {
        let mut x = vec![0.0; problem.rhs.len()];
        let report = solve(&problem, preconditioner.as_mut(), 1e-9, &mut x);
        assert_eq!(report.floating_components, 20);
        for sum in component_sums(&floating, &x) {
            assert!(sum.abs() < 1e-9);
        }
    }
}

/// Contact that only a winding way through the numbering reveals.
#[test]
fn ground_is_found_along_any_path() {
    let count = 1000;
    // Each row is coupled to the row half the chain away, so that neighbours in the numbering are far apart.
    let order = |place: usize| place * 387 % count;
    let mut place_of = vec![0; count];
    (0..count).for_each(|place| place_of[order(place)] = place);
    for grounded in [true, false] {
        let matrix = SymmetricMatrix::from_rows(count, |row, sink| {
            let place = place_of[row];
            if place > 0 {
                sink.couple(order(place - 1), 1.0);
            }
            if place + 1 < count {
                sink.couple(order(place + 1), 1.0);
            } else if grounded {
                sink.ground(1.0);
            }
        })
        .unwrap();
        assert_eq!(
            FloatingComponents::find(&matrix).count(),
            usize::from(!grounded)
        );
    }
}

/// A cell walled in on all sides has an empty row; its pressure is zero and disturbs nobody.
#[test]
fn a_cell_without_open_faces_is_left_alone() {
    let matrix = SymmetricMatrix::from_rows(5, |row, sink| match row {
        2 => {}
        0 | 4 => sink.ground(2.0),
        _ => {
            sink.couple(4 - row, 1.0);
            sink.ground(1.0);
        }
    })
    .unwrap();
    let problem = Problem {
        name: "walled in",
        matrix,
        coordinates: vec![[0, 0, 0], [4, 0, 0], [2, 2, 2], [5, 0, 0], [8, 0, 0]],
        rhs: vec![1.0, 1.0, 3.0, 1.0, 1.0],
    };
    for mut preconditioner in preconditioners(&problem) {
        let mut x = vec![1.0; 5];
        let report = solve(&problem, preconditioner.as_mut(), 1e-12, &mut x);
        assert!((report.incompatible - 3.0 / 13f64.sqrt()).abs() < 1e-12);
        for (x, exact) in x.iter().zip([0.5, 1.0, 0.0, 1.0, 0.5]) {
            assert!((x - exact).abs() < 1e-12);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Liquid scattered at random over a small box, with weights over three decades and few surfaces.
    #[test]
    fn random_networks_are_solved(
        seed in any::<u64>(), density in 0.2f64..1.0, ground in 0.0f64..0.3, extent in prop::array::uniform3(1i32..8),
    ) {
        let problem = random_network(seed, density, ground, extent);
        let floating = FloatingComponents::find(&problem.matrix);
        let mut compatible = problem.rhs.clone();
        floating.project(&mut compatible);
        let mut first: Option<Vec<f64>> = None;
        for mut preconditioner in preconditioners(&problem) {
            let mut x = vec![0.0; problem.rhs.len()];
            let report = solve(&problem, preconditioner.as_mut(), 1e-11, &mut x);
            prop_assert!(report.residual <= 1e-11);
            for sum in component_sums(&floating, &x) {
                prop_assert!(sum.abs() <= 1e-9 * (1.0 + dense::norm(&x)));
            }
            let exact = first.get_or_insert_with(|| x.clone());
            let difference: Vec<f64> = x.iter().zip(exact.iter()).map(|(a, b)| a - b).collect();
            prop_assert!(dense::norm(&difference) <= 1e-5 * (1.0 + dense::norm(exact)));
        }
    }
}

fn random_network(seed: u64, density: f64, ground: f64, extent: [i32; 3]) -> Problem {
    let mut random = Random::new(seed);
    let mut uniform = move || 0.5 + 0.5 * random.symmetric();
    let mut coordinates = Vec::new();
    for x in 0..extent[0] {
        for y in 0..extent[1] {
            for z in 0..extent[2] {
                if uniform() < density {
                    coordinates.push([x - 3, y, z + 5]);
                }
            }
        }
    }
    let mut weights = Vec::new();
    for (i, a) in coordinates.iter().enumerate() {
        for (j, b) in coordinates.iter().enumerate().take(i) {
            if (0..3).map(|axis| (a[axis] - b[axis]).abs()).sum::<i32>() == 1 {
                weights.push((i, j, 10f64.powf(-3.0 * uniform()) as f32));
            }
        }
    }
    let grounds: Vec<f32> = coordinates
        .iter()
        .map(|_| {
            if uniform() < ground {
                10f64.powf(2.0 * uniform() - 1.0) as f32
            } else {
                0.0
            }
        })
        .collect();
    let matrix = SymmetricMatrix::from_rows(coordinates.len(), |row, sink| {
        sink.ground(grounds[row]);
        for &(i, j, weight) in &weights {
            if row == i {
                sink.couple(j, weight);
            } else if row == j {
                sink.couple(i, weight);
            }
        }
    })
    .unwrap();
    let rhs = coordinates.iter().map(|_| uniform() - 0.5).collect();
    Problem {
        name: "random network",
        matrix,
        coordinates,
        rhs,
    }
}
