//! What a large step costs the other schemes (Batty & Bridson 2008, sec. 7: about 28 sub-steps explicit, 14
//! implicit-explicit, one with the variational scheme).

use glam::{IVec3, Vec3};
use ooze_core::{StepError, StepReport};
use ooze_field::face_fields;

use super::{Case, open_domain};
use crate::ViscosityScheme;
use crate::reactions::Reactions;

/// A blob with a velocity that has every wavelength.
fn blob(scheme: ViscosityScheme) -> Case {
    let case = Case::new(
        open_domain(IVec3::splat(40), 1.0, true),
        Vec::new(),
        |point| (point - Vec3::new(20.0, 20.0, point.z)).length() - 12.3,
    );
    case.with_viscosity(3.5).with_scheme(scheme)
}

fn rough(case: &Case) -> ooze_field::FieldByAxis<f32> {
    case.velocity(|point| {
        let key = point.dot(Vec3::new(2.0, 200.0, 0.0)) as u64;
        Vec3::new(
            ooze_core::random::uniform(1, key) - 0.5,
            ooze_core::random::uniform(2, key) - 0.5,
            0.0,
        )
    })
}

#[test]
fn explicit_schemes_take_sub_steps_and_stay_stable() {
    for (scheme, expected) in [
        (ViscosityScheme::Explicit, 28),
        (ViscosityScheme::ImplicitExplicit, 14),
        (ViscosityScheme::Variational, 1),
    ] {
        let case = blob(scheme);
        let mut velocity = rough(&case);
        let mut energy = case.energy(&velocity);
        for _ in 0..4 {
            let report = case.diffuse(&mut velocity, 1.0);
            assert_eq!(report.solves["viscosity"].count, expected, "{scheme:?}");
            let after = case.energy(&velocity);
            assert!(after <= energy, "{scheme:?}: {after} from {energy}");
            energy = after;
        }
    }
}

#[test]
fn half_the_sub_steps_are_not_enough_for_the_explicit_scheme() {
    // The stable step is no more careful than it must be: at twice its length the roughest motion grows.
    let case = blob(ViscosityScheme::Explicit).with_viscosity(0.125);
    let mut velocity = case.velocity(|point| {
        let odd = (point.x.floor() + point.y.floor()) as i32 % 2 == 0;
        Vec3::new(1.0, 1.0, 0.0) * if odd { 1.0 } else { -1.0 }
    });
    let before = case.energy(&velocity);
    let report = case.diffuse(&mut velocity, 1.0);
    assert_eq!(report.solves["viscosity"].count, 1);
    assert!(case.energy(&velocity) > 0.5 * before);
}

#[test]
fn schemes_agree_on_slow_smooth_flow() {
    let result = |scheme| {
        let case = blob(scheme).with_viscosity(0.5);
        let mut velocity = case.velocity(|point| {
            let arm = point - Vec3::new(20.0, 20.0, point.z);
            // Stretching along x and y without divergence, smoothly stronger in the middle.
            Vec3::new(arm.x, -arm.y, 0.0) * 0.01
        });
        let before = case.energy(&velocity);
        for _ in 0..20 {
            case.diffuse(&mut velocity, 1.0);
        }
        case.energy(&velocity) / before
    };
    let variational = result(ViscosityScheme::Variational);
    for scheme in [ViscosityScheme::Explicit, ViscosityScheme::ImplicitExplicit] {
        let other = result(scheme);
        assert!(
            (other / variational - 1.0).abs() < 0.1,
            "{scheme:?}: {other} {variational}"
        );
    }
}

#[test]
fn a_hopeless_step_is_refused_with_a_reason() {
    let case = blob(ViscosityScheme::Explicit).with_viscosity(1e6);
    let mut velocity = rough(&case);
    let mut known = face_fields(case.topology(), 1u8);
    let outcome = case.seen(|liquid| {
        let mut reactions = Reactions::new(liquid.obstacles);
        let reports = (&mut reactions, &mut StepReport::default());
        liquid.diffuse(&mut velocity, &mut known, 1.0, reports)
    });
    match outcome {
        Err(StepError::Solve { stage, reason }) => {
            assert_eq!(stage, "viscosity");
            assert!(reason.contains("sub-steps"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
}
