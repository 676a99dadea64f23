//! Velocities against finite differences of positions, and refusals.

use super::*;

fn keyframe(time: f64) -> Keyframe {
    Keyframe {
        time,
        ..Keyframe::default()
    }
}

/// Moves, turns, grows and spins at once; parts have keys of their own.
fn eventful(interpolation: Interpolation) -> Motion {
    let keyframes = [
        Keyframe {
            position: Some(Vec3::ZERO),
            scale: Some(0.5),
            ..keyframe(0.5)
        },
        Keyframe {
            position: Some(Vec3::new(1.0, -0.4, 2.0)),
            rotation: Some(Quat::from_rotation_x(1.0)),
            ..keyframe(1.0)
        },
        Keyframe {
            rotation: Some(Quat::from_rotation_y(-0.7)),
            scale: Some(2.0),
            ..keyframe(1.7)
        },
        Keyframe {
            position: Some(Vec3::new(1.5, 0.0, 0.3)),
            rotation: Some(Quat::from_xyzw(0.1, 0.5, -0.3, 0.9)),
            scale: Some(1.0),
            ..keyframe(3.0)
        },
    ]
    .map(|keyframe| Keyframe {
        interpolation,
        ..keyframe
    });
    let spin = Spin {
        axis: Vec3::new(1.0, 1.0, 0.0),
        revolutions_per_second: 0.6,
    };
    Motion::new(Pose::IDENTITY, &keyframes, Some(spin)).unwrap()
}

fn world(state: &State, local: DVec3) -> DVec3 {
    state.position + state.rotation * (state.scale * local)
}

#[test]
fn velocity_is_the_derivative_of_the_position() {
    let step = 1e-5;
    let local = DVec3::new(0.3, -0.5, 0.7);
    for interpolation in [Interpolation::Linear, Interpolation::Smooth] {
        let motion = eventful(interpolation);
        for index in 0..400 {
            let time = 0.01 * f64::from(index) + 0.0031;
            let [before, now, after] =
                [time - step, time, time + step].map(|time| world(&motion.state(time), local));
            let numeric = (after - before) / (2.0 * step);
            let state = motion.state(time);
            let offset = now - state.position;
            let exact = state.velocity
                + state.angular.cross(offset)
                + state.scale_rate / state.scale * offset;
            assert!(
                (numeric - exact).length() < 1e-6,
                "{numeric} against {exact} at {time}"
            );
            let single = motion.velocity(time, now.as_vec3());
            assert!((single.as_dvec3() - exact).length() < 2e-5 * (1.0 + exact.length()));
        }
    }
}

#[test]
fn smooth_motion_has_continuous_velocity() {
    let motion = eventful(Interpolation::Smooth);
    let point = Vec3::new(0.4, 0.9, -0.2);
    for time in [0.5, 1.0, 1.7, 3.0] {
        let jump = motion.velocity(time + 1e-7, point) - motion.velocity(time - 1e-7, point);
        assert!(jump.length() < 1e-4, "velocity jumps by {jump} at {time}");
    }
}

#[test]
fn poses_invert() {
    let motion = eventful(Interpolation::Smooth);
    for time in [0.0, 0.8, 1.3, 2.9, 10.0] {
        let pose = motion.pose(time);
        let local = Vec3::new(0.2, -0.3, 0.9);
        assert!((pose.to_local(pose.to_world(local)) - local).length() < 1e-5);
        let expected = world(&motion.state(time), local.as_dvec3());
        assert!((pose.to_world(local).as_dvec3() - expected).length() < 1e-5);
    }
}

#[test]
fn spin_turns_at_the_stated_rate_for_ever() {
    let spin = Spin {
        axis: 3.0 * Vec3::Z,
        revolutions_per_second: 0.25,
    };
    let motion = Motion::new(Pose::IDENTITY, &[], Some(spin)).unwrap();
    // A quarter of a revolution after one second; a million revolutions later the same.
    for time in [1.0, 4_000_001.0] {
        assert!((motion.pose(time).to_world(Vec3::X) - Vec3::Y).length() < 1e-6);
        let velocity = motion.velocity(time, Vec3::Y);
        assert!((velocity - Vec3::NEG_X * std::f32::consts::FRAC_PI_2).length() < 1e-6);
    }
}

#[test]
fn spin_happens_in_the_objects_own_frame() {
    let keyframes = [Keyframe {
        rotation: Some(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)),
        ..keyframe(0.0)
    }];
    let spin = Spin {
        axis: Vec3::Y,
        revolutions_per_second: 1.0,
    };
    let motion = Motion::new(Pose::IDENTITY, &keyframes, Some(spin)).unwrap();
    let angular = motion.twist(0.3).angular;
    assert!(
        (angular - std::f32::consts::TAU * Vec3::Z).length() < 1e-5,
        "{angular}"
    );
}

#[test]
fn only_what_never_changes_is_static() {
    let at = |time: f64, position: Vec3| Keyframe {
        position: Some(position),
        ..keyframe(time)
    };
    let build = |keyframes: &[Keyframe]| Motion::new(Pose::IDENTITY, keyframes, None).unwrap();
    assert!(Motion::fixed(Pose::IDENTITY).unwrap().is_static());
    assert!(build(&[at(0.0, Vec3::X), at(1.0, Vec3::X)]).is_static());
    assert!(!build(&[at(0.0, Vec3::X), at(1.0, Vec3::Y)]).is_static());
    let spinning = |revolutions_per_second| {
        let spin = Spin {
            axis: Vec3::Y,
            revolutions_per_second,
        };
        Motion::new(Pose::IDENTITY, &[], Some(spin)).unwrap()
    };
    assert!(!spinning(1.0).is_static() && spinning(0.0).is_static());
    assert!(!eventful(Interpolation::Linear).is_static());
}

#[test]
fn rest_pose_serves_parts_without_keys() {
    let rest = Pose {
        translation: Vec3::Y,
        rotation: Quat::from_rotation_z(0.2),
        scale: 3.0,
    };
    let keyframes = [Keyframe {
        position: Some(Vec3::X),
        ..keyframe(1.0)
    }];
    let pose = Motion::new(rest, &keyframes, None).unwrap().pose(0.0);
    assert_eq!((pose.translation, pose.scale), (Vec3::X, 3.0));
    assert!(pose.rotation.angle_between(rest.rotation) < 1e-6);
}

#[test]
fn impossible_motions_are_named() {
    let scaled = |time: f64, scale: f32| Keyframe {
        scale: Some(scale),
        ..keyframe(time)
    };
    let moved = |time: f64, position: Vec3| Keyframe {
        position: Some(position),
        ..keyframe(time)
    };
    let nothing = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let unturned = Keyframe {
        rotation: Some(nothing),
        ..keyframe(0.0)
    };
    let spin = |axis, revolutions_per_second| {
        Some(Spin {
            axis,
            revolutions_per_second,
        })
    };
    let cases = [
        (
            vec![scaled(0.0, 1.0), scaled(1.0, 0.0)],
            None,
            "keyframe 2: scale is 0, but must be finite and above 0",
        ),
        (
            vec![scaled(0.0, f32::NAN)],
            None,
            "keyframe 1: scale is NaN, but must be finite and above 0",
        ),
        (
            vec![scaled(1.0, 1.0), scaled(1.0, 2.0)],
            None,
            "keyframe 2: time is 1, but must be after keyframe 1, 1 s",
        ),
        (
            vec![scaled(1.5, 1.0), scaled(0.5, 2.0)],
            None,
            "keyframe 2: time is 0.5, but must be after keyframe 1, 1.5 s",
        ),
        (
            vec![scaled(f64::NAN, 1.0)],
            None,
            "keyframe 1: time is NaN, but must be finite",
        ),
        (
            vec![moved(0.0, Vec3::INFINITY)],
            None,
            "keyframe 1: position is [inf, inf, inf], but must be finite",
        ),
        (
            vec![unturned],
            None,
            "keyframe 1: rotation is [0, 0, 0, 0], but must be finite and not all zero",
        ),
        (
            vec![],
            spin(Vec3::ZERO, 1.0),
            "spin: axis is [0, 0, 0], but must be finite and not zero",
        ),
        (
            vec![],
            spin(Vec3::Y, f64::INFINITY),
            "spin: revolutions_per_second is inf, but must be finite",
        ),
    ];
    for (keyframes, spin, message) in cases {
        let error = Motion::new(Pose::IDENTITY, &keyframes, spin).expect_err(message);
        assert_eq!(error.to_string(), message);
    }
    let shrunk = Pose {
        scale: -1.0,
        ..Pose::IDENTITY
    };
    let message = "rest pose: scale is -1, but must be finite and above 0";
    assert_eq!(
        Motion::fixed(shrunk).expect_err(message).to_string(),
        message
    );
}
