//! The pressure that the viscous solve leaves behind.

use glam::{IVec3, Vec3};
use ooze_core::random::uniform;
use ooze_field::{Field, FieldByAxis, Place};

use super::super::weights::Weights;
use super::super::{CarriedPressure, CellViscosity};
use super::{Case, open_domain};

/// Half the length and half the thickness of a strand, in cells.
const HALF: Vec3 = Vec3::new(12.0, 2.0, 2.0);

/// A strand along x in the middle of a box of cells of size one.
fn strand(flat: bool) -> Case {
    let cells = IVec3::new(32, 12, if flat { 1 } else { 12 });
    let centre = 0.5 * cells.as_vec3();
    let case = Case::new(open_domain(cells, 1.0, flat), Vec::new(), move |point| {
        let beyond = (point - centre).abs() - HALF;
        let beyond = if flat { beyond.with_z(-1.0) } else { beyond };
        // Whole cells are full to the last octant.
        beyond.max_element()
    });
    case.with_viscosity(10.0)
}

/// The viscosity with which a strand resists when it is pulled apart for some long steps.
fn trouton(case: &Case, steps: usize) -> f64 {
    let (dt, centre) = (1e4, 0.5 * case.domain.cells.as_vec3());
    let mut pressure = CarriedPressure::new(Field::new(case.topology(), Place::Cell, 0.0));
    let mut velocity = case.velocity(|_| Vec3::ZERO);
    for _ in 0..steps {
        // Weight away from the middle: the tension there is half of the square of half the length, at density one.
        let pull = case.velocity(|point| Vec3::X * (point - centre).x * dt);
        for (velocity, pull) in velocity.iter_mut().zip(&pull) {
            for (velocity, pull) in velocity.values_mut().iter_mut().zip(pull.values()) {
                *velocity += pull;
            }
        }
        case.diffuse_under(&mut pressure, &mut velocity, dt);
    }
    let middle = (centre - 0.5).as_ivec3();
    let across: f32 = velocity[0].get(middle + IVec3::X) - velocity[0].get(middle);
    f64::from(0.5 * HALF.x * HALF.x / across)
}

#[test]
fn tension_meets_trouton_s_viscosity() {
    for (flat, expected) in [(false, 3.0), (true, 4.0)] {
        let mut case = strand(flat);
        let (first, later) = (trouton(&case, 1) / 10.0, trouton(&case, 8) / 10.0);
        // (3λ + 2μ)/(λ + μ), in the plane 4(λ + μ)/(λ + 2μ), for a bulk viscosity of λ = 2μ.
        let split = if flat { 3.0 } else { 8.0 / 3.0 };
        assert!((first / split - 1.0).abs() < 0.02, "flat {flat}: {first}");
        // A share of 0.97 that is kept makes 67 times the bulk viscosity of it.
        let kept = if flat {
            4.0 * 67.7 / 68.7
        } else {
            202.0 / 67.7
        };
        assert!((kept / expected - 1.0_f64).abs() < 0.02);
        assert!((later / kept - 1.0).abs() < 0.01, "flat {flat}: {later}");
        case.settings.bulk = 0.0;
        let soft = trouton(&case, 8) / 10.0;
        assert!((soft / 2.0 - 1.0).abs() < 0.02, "flat {flat}: {soft}");
    }
}

/// A velocity of noise.
fn noise(case: &Case) -> FieldByAxis<f32> {
    let mut velocity = case.velocity(|_| Vec3::ZERO);
    for (axis, field) in velocity.iter_mut().enumerate() {
        for (index, value) in field.values_mut().iter_mut().enumerate() {
            *value = uniform(axis as u64, index as u64) - 0.5;
        }
    }
    velocity
}

#[test]
fn energy_never_grows_alone_nor_with_that_of_the_pressure() {
    let case = strand(false);
    let viscosity = 10.0 * f64::from(case.settings.bulk);
    let weights = Weights::by_volume(&case.liquid);
    for dt in [1e-3f32, 0.1, 10.0, 1e3] {
        let mut velocity = noise(&case);
        let mut pressure = CarriedPressure::new(Field::new(case.topology(), Place::Cell, 0.0));
        let pressing = |pressure: &CarriedPressure| {
            let cells = weights.cells.values().iter().zip(pressure.cells.values());
            let squares: f64 = cells
                .map(|(&share, &rate)| f64::from(share) * f64::from(rate).powi(2))
                .sum();
            0.5 * f64::from(dt) * viscosity * squares
        };
        let mut last = (case.energy(&velocity), pressing(&pressure));
        for step in 0..6 {
            case.diffuse_under(&mut pressure, &mut velocity, dt);
            let now = (case.energy(&velocity), pressing(&pressure));
            for (now, last) in [(now.0, last.0), (now.0 + now.1, last.0 + last.1)] {
                // Velocities are stored with 32 bits.
                assert!(now <= 1.00001 * last, "dt {dt}, step {step}: {last} {now}");
            }
            last = now;
        }
    }
}

#[test]
fn a_pressure_moves_no_liquid_at_rest_but_is_not_held_back_where_viscosity_takes_more() {
    let case = strand(false);
    let rate = Field::from_points(case.topology(), Place::Cell, 0.0, |point| point.x.sin());
    // All that it could do at rest is to raise energy.
    let mut pressure = CarriedPressure::new(rate.clone());
    let mut velocity = case.velocity(|_| Vec3::ZERO);
    case.diffuse_under(&mut pressure, &mut velocity, 0.01);
    assert_eq!(case.energy(&velocity), 0.0);
    // Noise loses more than such a pressure gives: it acts in full.
    let mut alone = noise(&case);
    case.diffuse(&mut alone, 0.01);
    let mut pressed = noise(&case);
    case.diffuse_under(&mut CarriedPressure::new(rate), &mut pressed, 0.01);
    let difference: FieldByAxis<f32> = std::array::from_fn(|axis| {
        let mut field = pressed[axis].clone();
        for (value, alone) in field.values_mut().iter_mut().zip(alone[axis].values()) {
            *value -= alone;
        }
        field
    });
    assert!(case.energy(&difference) > 1e-4 * case.energy(&alone));
}

#[test]
fn thick_liquid_does_not_push_thin_liquid_by_what_it_carries() {
    // One half of a strand is a thousand times as thick as the other; both carry the same rate.
    let mut case = strand(false);
    let middle = 0.5 * case.domain.cells.x as f32;
    let cells = Field::from_points(case.topology(), Place::Cell, 0.0, |point| {
        if point.x < middle { 10.0 } else { 0.01 }
    });
    case.viscosity = CellViscosity::Varying {
        cells,
        largest: 10.0,
    };
    let rate = Field::new(case.topology(), Place::Cell, 1.0);
    let mut pressure = CarriedPressure::new(rate);
    // Shear, so that there is energy to lose.
    let mut velocity = case.velocity(|point| Vec3::X * 20.0 * (point.y - 6.0));
    case.diffuse_under(&mut pressure, &mut velocity, 0.01);
    let pascals = |x: i32| f64::from(pressure.pascals.get(IVec3::new(x, 6, 6)));
    // The thin half hardly moves in such a short step: twice its viscosity, times the share that is kept.
    assert!(
        (pascals(24) / (0.97 * 0.02) - 1.0).abs() < 0.05,
        "{}",
        pascals(24)
    );
    assert!(pascals(8) > 5.0, "{}", pascals(8));
    let fastest = velocity[2]
        .values()
        .iter()
        .fold(0.0, |most: f32, &v| most.max(v.abs()));
    assert!(fastest < 1.0, "{fastest}");
}
