//! Flow between walls.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::{Collider, Contact, WallCondition};
use ooze_field::{Field, FieldByAxis, Place};
use ooze_geometry::{Keyframe, Motion, Pose, Shape};

use super::{Case, closed, open_domain};
use crate::ShearMean;
use crate::viscosity::CellViscosity;

/// Length of channels in widths: what the open ends do has died away in the middle.
const LENGTH: i32 = 6;

/// Liquid between the open ends of a channel of unit width.
fn between_ends(point: Vec3) -> f32 {
    let half = 0.5 * LENGTH as f32;
    (point.x - half).abs() - half
}

/// A channel of unit width between the sides of the domain, full of liquid of unit viscosity.
fn channel(cells: i32, condition: WallCondition) -> Case {
    let mut domain = open_domain(
        IVec3::new(LENGTH * cells, cells, 1),
        1.0 / cells as f32,
        true,
    );
    domain.sides[1] = [closed(condition); 2];
    Case::new(domain, Vec::new(), between_ends)
}

/// Velocity along the channel in its middle, from wall to wall.
fn profile(velocity: &FieldByAxis<f32>, cells: i32) -> Vec<f64> {
    let middle = LENGTH * cells / 2;
    (0..cells)
        .map(|y| f64::from(velocity[0].get(IVec3::new(middle, y, 0))))
        .collect()
}

/// Velocity half-way between the walls.
fn centre(velocity: &FieldByAxis<f32>, cells: i32) -> f64 {
    let profile = profile(velocity, cells);
    let half = cells as usize / 2;
    // The parabola through four values around the middle.
    (9.0 * (profile[half - 1] + profile[half]) - profile[half - 2] - profile[half + 1]) / 16.0
}

/// Runs to each of the times in turn in about `steps` steps each; compares the centre's speed with what is expected.
fn follow(case: &Case, cells: i32, acceleration: f32, expected: &[(f64, f64)], scale: f64) {
    let mut velocity = case.velocity(|_| Vec3::ZERO);
    let mut time = 0.0;
    for &(end, value) in expected {
        let steps = 60;
        let dt = (end - time) / f64::from(steps);
        for _ in 0..steps {
            for value in velocity[0].values_mut() {
                *value += acceleration * dt as f32;
            }
            case.diffuse(&mut velocity, dt);
        }
        time = end;
        let found = centre(&velocity, cells) / scale;
        assert!(
            (found / value - 1.0).abs() < 0.01,
            "t = {time}: {found} instead of {value}"
        );
    }
}

#[test]
fn a_pressure_gradient_drives_the_start_up_of_poiseuille() {
    let expected = [
        (0.02, 0.15923),
        (0.05, 0.37039),
        (0.1, 0.61535),
        (0.2, 0.85664),
        (0.5, 0.99258),
    ];
    follow(
        &channel(32, WallCondition::NoSlip),
        32,
        1.0,
        &expected,
        0.125,
    );
}

/// A channel whose upper wall is a collider that slides along with unit speed.
fn couette(cells: i32, condition: WallCondition, gap: f32) -> Case {
    let size = 1.0 / cells as f32;
    let mut domain = open_domain(IVec3::new(LENGTH * cells, cells + 6, 1), size, true);
    domain.sides[1][0] = closed(WallCondition::NoSlip);
    let lid = Shape::cuboid(Vec3::new(0.0, gap + 2.0, 0.0), Vec3::new(100.0, 2.0, 100.0));
    let key = |time: f64| Keyframe {
        time,
        position: Some(Vec3::new(time as f32, 0.0, 0.0)),
        ..Keyframe::default()
    };
    let motion = Motion::new(Pose::IDENTITY, &[key(-1.0), key(1.0)], None);
    let collider = Collider {
        name: "lid".into(),
        shape: Arc::new(lid.expect("a fair box")),
        motion: motion.expect("a fair motion"),
        contact: Contact {
            condition,
            friction: 0.0,
            heat: None,
        },
    };
    Case::new(domain, vec![collider], between_ends)
}

#[test]
fn a_sliding_wall_drives_the_start_up_of_couette() {
    let expected = [
        (0.05, 0.11384),
        (0.1, 0.26276),
        (0.2, 0.41157),
        (0.5, 0.49542),
    ];
    follow(
        &couette(32, WallCondition::NoSlip, 1.0),
        32,
        0.0,
        &expected,
        1.0,
    );
    follow(
        &couette(32, WallCondition::Sticky, 1.0),
        32,
        0.0,
        &expected[..1],
        1.0,
    );
}

#[test]
fn a_slippery_wall_exerts_no_shear() {
    // A sliding lid that nothing sticks to leaves the liquid at rest.
    let case = couette(16, WallCondition::Slip, 1.0);
    let mut velocity = case.velocity(|_| Vec3::ZERO);
    case.diffuse(&mut velocity, 1.0);
    assert_eq!(centre(&velocity, 16), 0.0);
    // Flow along slippery walls goes on for ever, between others it stops.
    for (condition, kept) in [(WallCondition::Slip, 1.0), (WallCondition::NoSlip, 0.05)] {
        let case = channel(16, condition);
        let mut velocity = case.velocity(|_| Vec3::X);
        case.diffuse(&mut velocity, 2.0);
        let found = centre(&velocity, 16);
        assert!((found - kept).abs() < 0.03, "{condition:?}: {found}");
    }
}

#[test]
fn a_wall_between_faces_is_where_it_is() {
    // Steady flow between walls 32.0 to 32.9 cells apart: the shear rate follows the distance, not the cells.
    for fraction in [0.0, 0.2, 0.45, 0.7, 0.9] {
        let gap = 1.0 + fraction / 32.0;
        let case = couette(32, WallCondition::NoSlip, gap);
        let mut velocity = case.velocity(|_| Vec3::ZERO);
        for _ in 0..4 {
            case.diffuse(&mut velocity, 5.0);
        }
        let profile = profile(&velocity, 32);
        let shear = 32.0 * (profile[20] - profile[10]) / 10.0;
        let expected = 1.0 / f64::from(gap);
        assert!(
            (shear / expected - 1.0).abs() < 3e-3,
            "{fraction}: {shear} {expected}"
        );
    }
}

#[test]
fn two_layers_meet_with_equal_shear_stress() {
    let cells = 64;
    let mut case = channel(cells, WallCondition::NoSlip);
    case.viscosity = CellViscosity::Varying {
        cells: Field::from_cells(case.topology(), Place::Cell, 0.0, |cell| {
            if cell.y < cells / 2 { 1.0 } else { 10.0 }
        }),
        largest: 10.0,
    };
    let mut velocity = case.velocity(|_| Vec3::ZERO);
    let dt = 200.0;
    velocity[0].values_mut().fill(dt as f32);
    case.diffuse(&mut velocity, dt);
    let profile = profile(&velocity, cells);
    let (thin, thick) = (profile[cells as usize / 2 - 1], profile[cells as usize / 2]);
    let interface = (thin + 10.0 * thick) / 11.0;
    let largest = profile.iter().copied().fold(0.0, f64::max);
    let mean = profile.iter().sum::<f64>() / f64::from(cells);
    for (name, found, expected) in [
        ("interface", interface, 0.022_727_3),
        ("largest", largest, 0.043_646_7),
        ("mean", mean, 0.022_822_0),
    ] {
        assert!(
            (found / expected - 1.0).abs() < 0.01,
            "{name}: {found} of {expected}"
        );
    }
}

/// The steady flow under unit acceleration in a channel whose viscosity is that of its rows, in its middle.
fn driven(cells: i32, mean: ShearMean, viscosity: impl Fn(i32) -> f32 + Sync) -> Vec<f64> {
    let mut case = channel(cells, WallCondition::NoSlip);
    case.settings.edge_mean = mean;
    let row = |y: i32| viscosity(y.clamp(0, cells - 1));
    let largest = (0..cells).map(row).fold(0.0, f32::max);
    case.viscosity = CellViscosity::Varying {
        cells: Field::from_cells(case.topology(), Place::Cell, 0.0, |cell| row(cell.y)),
        largest,
    };
    let mut velocity = case.velocity(|_| Vec3::ZERO);
    let dt = 1e4;
    velocity[0].values_mut().fill(dt as f32);
    case.diffuse(&mut velocity, dt);
    profile(&velocity, cells)
}

#[test]
fn melt_runs_along_what_is_solid_as_along_a_wall_with_harmonic_means_alone() {
    // The upper half of a channel is molten: flow between walls half a width apart, h²/12 in the mean. Where the solid holds the
    // next row of melt fast, as it all but does with the other means, half a cell of sixteen is lost.
    let cells = 32;
    let flux = |mean| {
        let solid = |y: i32| if y < cells / 2 { 1e4 } else { 1.0 };
        let melt = &driven(cells, mean, solid)[cells as usize / 2..];
        melt.iter().sum::<f64>() / melt.len() as f64 * 12.0 / 0.25
    };
    let held = (15.5f64 / 16.0).powi(3);
    for (mean, expected) in [
        (ShearMean::Harmonic, 1.0),
        (ShearMean::Geometric, held),
        (ShearMean::Arithmetic, held),
    ] {
        let found = flux(mean);
        assert!((found / expected - 1.0).abs() < 0.02, "{mean:?}: {found}");
    }
}

#[test]
fn viscosity_that_changes_by_equal_factors_lies_between_harmonic_and_geometric() {
    // A lid shears liquid that is even below and thickens by e from row to row in the middle. Stress is the same everywhere, so
    // that the speed gained on the way is stress times the mean resistance; with x = 1/2 it is x coth x, x/sinh x and
    // x/(sinh x cosh x) of that with the three means.
    let (first, last) = (6, 10);
    let x = 0.5f64;
    for (mean, expected) in [
        (ShearMean::Harmonic, x / x.tanh()),
        (ShearMean::Geometric, x / x.sinh()),
        (ShearMean::Arithmetic, x / (x.sinh() * x.cosh())),
    ] {
        let mut case = couette(16, WallCondition::NoSlip, 1.0);
        case.settings.edge_mean = mean;
        let row = |y: i32| ((y - first).clamp(0, last - first) as f32).exp();
        case.viscosity = CellViscosity::Varying {
            cells: Field::from_cells(case.topology(), Place::Cell, 0.0, |cell| row(cell.y)),
            largest: row(last),
        };
        let mut velocity = case.velocity(|_| Vec3::ZERO);
        for _ in 0..3 {
            case.diffuse(&mut velocity, 50.0);
        }
        let profile = profile(&velocity, 16);
        let stress = profile[4] - profile[3];
        let resistance = 1.0 - f64::from(first - last).exp();
        let found = (profile[last as usize] - profile[first as usize]) / (stress * resistance);
        assert!(
            (found / expected - 1.0).abs() < 3e-3,
            "{mean:?}: {found} instead of {expected}"
        );
    }
}
