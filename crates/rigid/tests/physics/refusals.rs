//! What cannot be is refused by name.

use glam::{DVec3, Vec3};
use ooze_core::{Body, BodyMass, Collider, Domain, Joint, JointKind};
use ooze_geometry::{Interpolation, Keyframe, Motion, Pose, Shape};
use ooze_rigid::RigidError;

use crate::support::{
    GRAVITY, ball, body, collider, cuboid, floored, joint, pose, space, try_world,
};

fn refused(
    domain: &Domain,
    colliders: Vec<Collider>,
    bodies: Vec<Body>,
    joints: &[Joint],
) -> RigidError {
    match try_world(domain, colliders, bodies, joints, GRAVITY) {
        Ok(_) => panic!("it was let through"),
        Err(error) => error,
    }
}

#[test]
fn bodies_without_volume_mass_or_place_are_named() {
    let domain = floored(false);
    let ground = Shape::half_space(Vec3::ZERO, Vec3::Y).expect("fair ground");
    let error = refused(
        &domain,
        vec![],
        vec![body("ground", ground, Vec3::ZERO)],
        &[],
    );
    assert_eq!(
        error,
        RigidError::NoVolume {
            body: "ground".into()
        }
    );
    for (mass, quantity) in [
        (BodyMass::Mass(0.0), "mass"),
        (BodyMass::Mass(f64::NAN), "mass"),
        (BodyMass::Density(-1.0), "density"),
        (BodyMass::Density(f64::INFINITY), "density"),
    ] {
        let mut void = body("void", ball(0.1), Vec3::Y);
        void.mass = mass;
        let error = refused(&domain, vec![], vec![void], &[]);
        let RigidError::Mass {
            body,
            quantity: found,
            ..
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!((body.as_str(), *found), ("void", quantity));
    }
    let mut tiny = body("tiny", ball(0.1), Vec3::Y);
    tiny.mass = BodyMass::Mass(1e-320);
    let error = refused(&domain, vec![], vec![tiny], &[]);
    assert_eq!(
        error,
        RigidError::Inertia {
            body: "tiny".into()
        }
    );
    let mut bouncy = body("bouncy", ball(0.1), Vec3::Y);
    bouncy.restitution = 1.1;
    let error = refused(&domain, vec![], vec![bouncy], &[]);
    assert!(matches!(
        error,
        RigidError::Property {
            quantity: "restitution",
            ..
        }
    ));
    let far = body("far", ball(0.1), Vec3::Z * 3.0);
    let error = refused(&floored(true), vec![], vec![far], &[]);
    assert_eq!(error, RigidError::OutOfPlane { body: "far".into() });
}

#[test]
fn bodies_that_start_inside_something_are_named() {
    let domain = floored(false);
    let low = body("low", cuboid(Vec3::splat(0.1)), Vec3::Y * 0.05);
    let error = refused(&domain, vec![], vec![low], &[]);
    let RigidError::Outside {
        body: name,
        side,
        depth,
        ..
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!((name.as_str(), side), ("low", "bottom"));
    assert!((depth - 0.05).abs() < 1e-4, "{depth}");

    let one = body("one", ball(0.2), Vec3::Y);
    let other = body("other", cuboid(Vec3::splat(0.1)), Vec3::Y * 1.25);
    let error = refused(&domain, vec![], vec![one.clone(), other.clone()], &[]);
    assert!(error.to_string().contains("`one`") && error.to_string().contains("`other`"));
    // Wholly inside.
    let shelf = collider("shelf", cuboid(Vec3::ONE), pose(Vec3::Y));
    let error = refused(&domain, vec![shelf], vec![one.clone()], &[]);
    assert!(error.to_string().contains("`shelf`"), "{error}");
    // Joined ones may, and so may those beside one another.
    let weld = joint("weld", JointKind::Fixed, ["one", "other"], DVec3::Y);
    assert!(try_world(&domain, vec![], vec![one, other], &[weld], GRAVITY).is_ok());
    let beside = [0.1f32, 0.3].map(|height| {
        body(
            &format!("at {height}"),
            cuboid(Vec3::splat(0.1)),
            Vec3::Y * height,
        )
    });
    assert!(try_world(&domain, vec![], beside.to_vec(), &[], GRAVITY).is_ok());
    // Beyond an open side nothing is in the way.
    let outside = body("outside", ball(0.1), Vec3::new(5.0, 1.0, 0.0));
    assert!(try_world(&domain, vec![], vec![outside], &[], GRAVITY).is_ok());
}

/// How a body moves that is led from one place to another in a second.
fn led(from: Vec3, to: Vec3) -> Motion {
    let keyframe = |time: f64, place: Vec3| Keyframe {
        time,
        position: Some(place),
        rotation: None,
        scale: None,
        interpolation: Interpolation::Linear,
    };
    let frames = [keyframe(0.0, from), keyframe(1.0, to)];
    Motion::new(Pose::IDENTITY, &frames, None).expect("a fair motion")
}

#[test]
fn bodies_are_apart_where_they_are_released() {
    let domain = space(false);
    let shelf = || collider("shelf", cuboid(Vec3::ONE), Pose::IDENTITY);
    let held = |at: Vec3, released: f64| {
        let mut held = body("held", ball(0.2), at);
        held.released = released;
        held
    };
    // What is held inside of a solid is inside of it when it is released.
    let error = refused(&domain, vec![shelf()], vec![held(Vec3::X, 2.0)], &[]);
    let RigidError::Overlap { time, depth, .. } = error else {
        panic!("{error}");
    };
    assert!(time == 0.0 && (depth - 0.2).abs() < 0.01, "{depth}");
    // Led out of it, or into it, beside one that is led itself.
    let moved = |motion: Motion, other: Motion| {
        let mut body = held(Vec3::ZERO, 1.0);
        body.motion = motion;
        let mut shelf = shelf();
        shelf.motion = other;
        try_world(&domain, vec![shelf], vec![body], &[], GRAVITY).map(|_| ())
    };
    let (away, here) = (Vec3::X * 3.0, Vec3::X);
    let slow = led(Vec3::ZERO, Vec3::Y * 0.1);
    assert_eq!(moved(led(here, away), slow.clone()), Ok(()));
    let error = moved(led(away, here), slow);
    let Err(RigidError::Overlap { time, depth, .. }) = error else {
        panic!("{error:?}");
    };
    assert!(time == 1.0 && (depth - 0.2).abs() < 0.01, "{depth}");
    // Beyond a wall.
    let mut low = body("low", ball(0.2), Vec3::ZERO);
    (low.motion, low.released) = (led(Vec3::Y, Vec3::Y * 0.1), 1.0);
    let error = refused(&floored(false), vec![], vec![low], &[]);
    assert!(
        matches!(
            error,
            RigidError::Outside {
                time: 1.0,
                side: "bottom",
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn solids_wholly_inside_bodies_are_found_and_all_faults_are_told() {
    let domain = space(false);
    let pin = collider("pin", ball(0.05), pose(Vec3::X * 0.3));
    let bodies = [
        body("block", cuboid(Vec3::splat(0.5)), Vec3::ZERO),
        body("grain", ball(0.05), Vec3::X * -0.3),
        body("free", ball(0.1), Vec3::Y * 2.0),
        body("twin", ball(0.1), Vec3::Y * 2.0),
    ];
    let faults = ooze_rigid::faults(&[pin], &bodies, &[], DVec3::ZERO, &domain);
    let overlap = |fault: &RigidError| match fault {
        RigidError::Overlap { body, other, .. } => format!("{body} {other}"),
        other => panic!("{other}"),
    };
    let found: Vec<String> = faults.iter().map(overlap).collect();
    assert_eq!(found, ["block pin", "block grain", "free twin"]);
    // In the plane, too.
    let pin = collider("pin", ball(0.1), pose(Vec3::X * 0.25));
    let faults = ooze_rigid::faults(&[pin], &bodies[..1], &[], DVec3::ZERO, &space(true));
    assert_eq!(faults.len(), 1, "{faults:?}");
}

#[test]
fn ropes_reach_what_hangs_on_them_at_the_start() {
    let domain = space(false);
    let hung = |length: f64, released: f64| {
        let rope = joint(
            "rope",
            JointKind::Rope { length },
            ["world", "bob"],
            DVec3::Y,
        );
        let mut bob = body("bob", ball(0.1), Vec3::ZERO);
        bob.released = released;
        try_world(&domain, vec![], vec![bob], &[rope], GRAVITY).map(|_| ())
    };
    assert_eq!(hung(1.0, 0.0), Ok(()));
    let error = hung(0.5, 0.0).expect_err("it is too short");
    assert!(
        matches!(&error, RigidError::ShortRope { distance, .. } if (distance - 1.0).abs() < 1e-6),
        "{error}"
    );
    // What is driven may come within reach.
    assert_eq!(hung(0.5, 1.0), Ok(()));
}

#[test]
fn joints_that_hold_nothing_are_named() {
    let domain = space(false);
    let one = || vec![body("one", ball(0.1), Vec3::ZERO)];
    let post = || vec![collider("post", ball(0.1), pose(Vec3::X))];
    let with = |joint: Joint| refused(&domain, post(), one(), &[joint]);
    let anchor = DVec3::ZERO;
    let lost = with(joint("j", JointKind::Ball, ["one", "nobody"], anchor));
    assert_eq!(
        lost,
        RigidError::UnknownEnd {
            joint: "j".into(),
            end: "nobody".into()
        }
    );
    let idle = with(joint("j", JointKind::Ball, ["post", "world"], anchor));
    assert_eq!(idle, RigidError::NoBody { joint: "j".into() });
    let own = with(joint("j", JointKind::Ball, ["one", "one"], anchor));
    assert_eq!(
        own,
        RigidError::OneEnd {
            joint: "j".into(),
            end: "one".into()
        }
    );
    for kind in [
        JointKind::Hinge { axis: DVec3::ZERO },
        JointKind::Slider { axis: DVec3::NAN },
        JointKind::Rope { length: 0.0 },
    ] {
        let error = with(joint("j", kind, ["world", "one"], anchor));
        assert!(
            matches!(&error, RigidError::Joint { joint, .. } if joint == "j"),
            "{error}"
        );
    }
    let mut limited = joint(
        "j",
        JointKind::Hinge { axis: DVec3::X },
        ["world", "one"],
        anchor,
    );
    limited.limits = Some([0.5, 1.0]);
    assert!(matches!(with(limited), RigidError::Joint { .. }));
    let twins = vec![
        body("one", ball(0.1), Vec3::ZERO),
        body("one", ball(0.1), Vec3::X),
    ];
    let error = refused(&domain, vec![], twins, &[]);
    assert_eq!(error, RigidError::SameName { name: "one".into() });
    let cut = Shape::half_space(Vec3::ZERO, Vec3::Y).expect("fair ground");
    let hole = Shape::difference(cut, vec![ball(0.5)]).expect("a fair hole");
    let hollow = collider("hollow", hole, Pose::IDENTITY);
    let error = refused(&domain, vec![hollow], one(), &[]);
    assert!(error.to_string().contains("`hollow`"), "{error}");
}
