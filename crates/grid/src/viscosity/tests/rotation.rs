//! Liquids that turn freely.

use glam::{DVec3, IVec3, Vec3};
use ooze_field::FieldByAxis;

use super::{Case, open_domain};
use crate::{SurfaceCondition, ViscosityScheme};

/// A disc or ball of radius 0.3 in a unit box.
fn ball(cells: i32, flat: bool) -> Case {
    let size = 1.0 / cells as f32;
    let centre = Vec3::new(0.5, 0.5, if flat { 0.5 * size } else { 0.5 });
    Case::new(
        open_domain(IVec3::splat(cells), size, flat),
        Vec::new(),
        move |point| {
            let point = if flat { point.with_z(centre.z) } else { point };
            point.distance(centre) - 0.3
        },
    )
}

fn spinning(case: &Case, spin: Vec3) -> FieldByAxis<f32> {
    let centre = 0.5 * (case.domain.lower + case.domain.upper());
    case.velocity(|point| spin.cross(point - centre))
}

#[test]
fn free_rotation_and_translation_are_kept_at_any_viscosity() {
    for (flat, spin) in [(true, Vec3::Z), (false, Vec3::new(1.0, -2.0, 0.5))] {
        let case = ball(if flat { 32 } else { 16 }, flat);
        let shift = Vec3::new(0.2, 0.1, if flat { 0.0 } else { -0.3 });
        for exponent in [-2, 0, 2, 4] {
            let mut velocity = spinning(&case, spin);
            for (axis, field) in velocity.iter_mut().enumerate() {
                field
                    .values_mut()
                    .iter_mut()
                    .for_each(|value| *value += shift[axis]);
            }
            let before = (case.momentum(&velocity), case.angular_momentum(&velocity));
            let dx = f64::from(case.domain.cell_size);
            case.diffuse(&mut velocity, 10f64.powi(exponent) * dx * dx);
            let after = (case.momentum(&velocity), case.angular_momentum(&velocity));
            let limit = 10.0 * case.settings.tolerance;
            let momentum = (after.0 - before.0).length() / before.0.length();
            let angular = (after.1 - before.1).length() / before.1.length();
            assert!(
                momentum < limit,
                "flat {flat}, 1e{exponent}: momentum {momentum}"
            );
            assert!(
                angular < limit,
                "flat {flat}, 1e{exponent}: angular momentum {angular}"
            );
        }
    }
}

#[test]
fn liquids_of_different_density_share_their_momentum() {
    let mut case = ball(24, true);
    let heavy = |point: Vec3| if point.x > 0.5 { 10.0 } else { 1.0 };
    case.density = Some(case.velocity(|point| Vec3::splat(heavy(point))));
    // The heavy half moves, the light one rests.
    let mut velocity = case.velocity(|point| Vec3::Y * (heavy(point) - 1.0) / 9.0);
    let (momentum, spin) = (case.momentum(&velocity), case.angular_momentum(&velocity));
    case.diffuse(&mut velocity, 100.0);
    let limit = 10.0 * case.settings.tolerance;
    assert!((case.momentum(&velocity) - momentum).length() < limit * momentum.length());
    assert!((case.angular_momentum(&velocity) - spin).length() < limit * spin.length());
    // It ends as a rigid motion about the common centre of mass, which goes at 10/11 of the speed.
    let mass = case.sum(&velocity, |_, axis, _| if axis == 1 { 1.0 } else { 0.0 });
    assert!((momentum.y / mass - 10.0 / 11.0).abs() < 0.01);
    let slope =
        |x: i32| velocity[1].get(IVec3::new(x + 1, 12, 0)) - velocity[1].get(IVec3::new(x, 12, 0));
    assert!(
        (slope(8) / slope(15) - 1.0).abs() < 0.01,
        "{} {}",
        slope(8),
        slope(15)
    );
}

/// The rate at which angular momentum decays, in viscosity over radius squared, after faster modes have gone.
fn decay_rate(cells: i32, flat: bool, scheme: ViscosityScheme) -> f64 {
    let case = ball(cells, flat).with_scheme(scheme);
    let mut velocity = spinning(&case, Vec3::Z);
    let spin = |velocity: &FieldByAxis<f32>| case.angular_momentum(velocity).dot(DVec3::Z);
    let (radius, share) = (0.3f64, 0.02);
    let dt = share * radius * radius;
    for _ in 0..10 {
        case.diffuse(&mut velocity, dt);
    }
    let before = spin(&velocity);
    case.diffuse(&mut velocity, dt);
    // One backward Euler step divides by 1 + rate · dt.
    (before / spin(&velocity) - 1.0) / share
}

#[test]
fn the_wrong_condition_stops_rotation_as_theory_says() {
    let neumann = ViscosityScheme::Decoupled(SurfaceCondition::Neumann);
    // The first zeros of J1' and j1', squared.
    for (cells, flat, expected) in [(48, true, 3.390), (24, false, 4.333)] {
        let wrong = decay_rate(cells, flat, neumann);
        assert!(
            (wrong / expected - 1.0).abs() < 0.02,
            "flat {flat}: {wrong} of {expected}"
        );
        let right = decay_rate(cells, flat, ViscosityScheme::Variational);
        assert!(right.abs() < 1e-3, "flat {flat}: {right}");
    }
}

#[test]
fn held_air_slows_rotation_less_than_a_neumann_condition_and_more_than_none() {
    let dirichlet = ViscosityScheme::Decoupled(SurfaceCondition::Dirichlet);
    let case = ball(32, true).with_scheme(dirichlet);
    let mut velocity = spinning(&case, Vec3::Z);
    let before = case.angular_momentum(&velocity).z;
    // The air turns along rigidly here, so that one step changes nothing.
    case.diffuse(&mut velocity, 1.0);
    let kept = case.angular_momentum(&velocity).z / before;
    assert!((kept - 1.0).abs() < 1e-3, "{kept}");
    // Air that was continued from the liquid as a constant has lost the rotation's slope.
    let mut lagging = spinning(&case, Vec3::Z);
    let outer = case.velocity(|point| {
        let arm = (point - Vec3::new(0.5, 0.5, point.z)).clamp_length_max(0.3);
        Vec3::Z.cross(arm)
    });
    for (field, outer) in lagging.iter_mut().zip(&outer) {
        field.values_mut().copy_from_slice(outer.values());
    }
    let before = case.angular_momentum(&lagging).z;
    for _ in 0..3 {
        case.diffuse(&mut lagging, 1.0);
    }
    let held = case.angular_momentum(&lagging).z / before;
    // A Neumann condition keeps next to nothing of it in steps as long as these.
    assert!(held < 1.0 && held > 0.7, "{held}");
}
