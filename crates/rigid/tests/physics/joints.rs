//! Joints and motors.

use std::f64::consts::PI;

use glam::{DMat3, DVec3, Vec3};
use ooze_core::{BodyId, Impulse, ImpulsePart, JointKind, Motor, Solid, SpatialInertia};

use crate::support::{GRAVITY, ball, body, cuboid, floored, joint, space, try_world, world};

#[test]
fn a_pendulum_swings_in_its_period() {
    // A thin rod that hangs from its upper end, let go a little to the side.
    let angle = 0.1f32;
    let turn = glam::Quat::from_rotation_z(angle);
    let mut rod = body("rod", cuboid(Vec3::new(0.01, 0.5, 0.01)), Vec3::ZERO);
    let start = ooze_geometry::Pose {
        translation: turn * (Vec3::NEG_Y * 0.5),
        rotation: turn,
        scale: 1.0,
    };
    rod.motion = ooze_geometry::Motion::fixed(start).expect("a fair pose");
    let hinge = joint(
        "hinge",
        JointKind::Hinge { axis: DVec3::Z },
        ["world", "rod"],
        DVec3::ZERO,
    );
    let mut world = world(&space(false), Vec::new(), vec![rod], &[hinge]);
    let dt = 0.002;
    let mut crossings = Vec::new();
    let mut last = world.place(0).x;
    let mut furthest = 0.0f64;
    while crossings.len() < 5 {
        world.step(dt);
        let now = world.place(0).x;
        if last > 0.0 && now <= 0.0 || last < 0.0 && now >= 0.0 {
            crossings.push(world.time - dt * now / (now - last));
        }
        if crossings.len() == 4 {
            furthest = furthest.max(now.abs());
        }
        last = now;
        assert!((world.place(0).length() - 0.5).abs() < 1e-3);
        assert!(world.time < 10.0);
    }
    let period = 0.5 * (crossings[4] - crossings[0]);
    let (length, radius) = (0.5f64, 1.0f64 / 12.0 + 0.0001 / 3.0);
    let swing = 2.0 * PI * ((length * length + radius) / (GRAVITY * length)).sqrt();
    let expected = swing * (1.0 + f64::from(angle).powi(2) / 16.0);
    assert!(
        (period / expected - 1.0).abs() < 0.01,
        "{period} of {expected}"
    );
    let kept = furthest / (0.5 * f64::from(angle).sin());
    assert!(kept > 0.95 && kept < 1.02, "{kept}");
}

#[test]
fn motors_reach_their_speed_at_the_rate_of_their_strength_and_stop() {
    let rotor = body("rotor", cuboid(Vec3::new(0.5, 0.05, 0.05)), Vec3::ZERO);
    let mut motor = joint(
        "motor",
        JointKind::Hinge { axis: DVec3::Z },
        ["world", "rotor"],
        DVec3::ZERO,
    );
    let moment = 500.0 * 0.01 * (0.25 + 0.0025) / 3.0;
    motor.motor = Some(Motor {
        velocity: 6.0,
        strength: 10.0 * moment,
        running: [0.1, 2.0],
    });
    let mut world = try_world(&space(false), Vec::new(), vec![rotor], &[motor], 0.0).expect("fair");
    let dt = 0.005;
    world.run(0.1, dt);
    assert!(world.spin(0).z.abs() < 1e-6, "{}", world.spin(0));
    world.run(0.3, dt);
    assert!((world.spin(0).z - 3.0).abs() < 0.06, "{}", world.spin(0));
    world.run(0.6, dt);
    assert!((world.spin(0).z - 6.0).abs() < 0.01, "{}", world.spin(0));
}

#[test]
fn sliders_slide_within_their_limits() {
    let block = body("block", cuboid(Vec3::splat(0.1)), Vec3::ZERO);
    let axis = DVec3::new(0.0, 0.6, 0.8);
    let mut rail = joint(
        "rail",
        JointKind::Slider { axis },
        ["world", "block"],
        DVec3::ZERO,
    );
    rail.limits = Some([-0.3, 0.2]);
    let mut world = world(&space(false), Vec::new(), vec![block], &[rail]);
    world.run(0.1, 0.002);
    let place = world.place(0);
    let expected = -0.5 * GRAVITY * 0.6 * 0.01;
    let along = place.dot(axis);
    assert!(
        (along / expected - 1.0).abs() < 0.03,
        "{along} of {expected}"
    );
    assert!((place - axis * along).length() < 1e-4, "{place}");
    world.run(1.0, 0.002);
    let along = world.place(0).dot(axis);
    assert!((along + 0.3).abs() < 3e-3, "{along}");
}

#[test]
fn hinges_stop_at_their_limits_in_the_sense_of_their_axes() {
    // A rod that lies along x falls about an axis at its left end: its angle about z falls.
    for (limits, expected) in [([-0.5, 1.0], -0.5), ([-1.5, 0.1], -1.5)] {
        let rod = body("rod", cuboid(Vec3::new(0.5, 0.05, 0.05)), Vec3::X * 0.5);
        let mut hinge = joint(
            "hinge",
            JointKind::Hinge { axis: DVec3::Z },
            ["world", "rod"],
            DVec3::ZERO,
        );
        hinge.limits = Some(limits);
        let mut world = world(&space(false), Vec::new(), vec![rod], &[hinge]);
        let mut least = 0.0f64;
        for _ in 0..1000 {
            world.step(0.002);
            let along = world.solid(0).end.rotation * Vec3::X;
            least = least.min(f64::from(along.y.atan2(along.x)));
        }
        assert!((least - expected).abs() < 0.02, "{least} of {expected}");
    }
}

#[test]
fn ropes_hold_no_further_than_they_are_long() {
    let weight = body("weight", ball(0.1), Vec3::new(0.3, -0.2, 0.0));
    let rope = joint(
        "rope",
        JointKind::Rope { length: 0.8 },
        ["world", "weight"],
        DVec3::ZERO,
    );
    let mut world = world(&space(false), Vec::new(), vec![weight], &[rope]);
    let mut furthest = 0.0f64;
    for step in 0..1500 {
        world.step(0.002);
        furthest = furthest.max(world.place(0).length());
        if step < 40 {
            // Slack, it falls freely.
            let fallen = 0.5 * GRAVITY * world.time * world.time;
            assert!((world.place(0).y + 0.2 + fallen).abs() < 0.1 * fallen.max(0.001));
        }
    }
    assert!(furthest < 0.82 && furthest > 0.79, "{furthest}");
}

#[test]
fn a_joint_lets_go_when_its_time_has_come() {
    let weight = body("weight", ball(0.1), Vec3::ZERO);
    let mut hang = joint("hang", JointKind::Fixed, ["world", "weight"], DVec3::ZERO);
    hang.until = 0.5;
    let mut world = world(&space(false), Vec::new(), vec![weight], &[hang]);
    world.run(0.5, 0.002);
    assert!(world.place(0).length() < 1e-6, "{}", world.place(0));
    world.run(0.4, 0.002);
    let fallen = 0.5 * GRAVITY * 0.4 * 0.4;
    assert!(
        (world.place(0).y + fallen).abs() < 0.01 * fallen,
        "{}",
        world.place(0)
    );
}

#[test]
fn balls_in_sockets_and_welds_hold_and_what_they_join_does_not_collide() {
    let one = body("one", cuboid(Vec3::splat(0.1)), Vec3::ZERO);
    // Half inside the other.
    let other = body("other", cuboid(Vec3::splat(0.1)), Vec3::X * 0.1);
    let hang = joint("hang", JointKind::Ball, ["world", "one"], DVec3::Y * 0.1);
    let weld = joint("weld", JointKind::Fixed, ["one", "other"], DVec3::X * 0.05);
    let mut world = world(&space(false), Vec::new(), vec![one, other], &[hang, weld]);
    let mut fastest = 0.0f64;
    for _ in 0..500 {
        world.step(0.002);
        let [a, b] = [0, 1].map(|number| world.solid(number).end);
        let held = a.to_world(Vec3::Y * 0.1).distance(Vec3::Y * 0.1);
        assert!(held < 1e-3, "{held}");
        let apart = a.to_world(Vec3::X * 0.1).distance(b.translation);
        assert!(apart < 1e-3, "{apart}");
        fastest = fastest.max(world.velocity(1).length());
    }
    // They swing from where they were, no faster than a fall as deep as they hang.
    assert!(
        fastest > 0.1 && fastest < (2.0 * GRAVITY * 0.2f64).sqrt(),
        "{fastest}"
    );
}

#[test]
fn walls_stop_what_is_joined_to_the_world() {
    let block = body("block", cuboid(Vec3::splat(0.1)), Vec3::Y * 0.5);
    let rail = joint(
        "rail",
        JointKind::Slider { axis: DVec3::Y },
        ["world", "block"],
        DVec3::ZERO,
    );
    let mut world = world(&floored(false), Vec::new(), vec![block], &[rail]);
    world.run(1.0, 0.004);
    assert!((world.place(0).y - 0.1).abs() < 2e-3, "{}", world.place(0));
}

/// A liquid that holds back whatever turns in it about z with so much torque a spin, and that solves for the spin along with its own.
fn thick(solid: &Solid, drag: f64, dt: f64) -> (f64, Vec<Impulse>) {
    let free = solid.free.expect("it is free");
    let turn = DMat3::from_quat(solid.start.rotation.as_dquat());
    let inertia = turn * free.inertia * turn.transpose();
    let inertia = SpatialInertia::of_body(free.mass, inertia).plus(&free.joined);
    let answer = inertia.inverse_among(free.locked).angular.z_axis.z;
    let spin = free.unforced.angular.z / (1.0 + drag * dt * answer);
    let impulse = ImpulsePart {
        linear: DVec3::ZERO,
        angular: DVec3::NEG_Z * drag * dt * spin,
    };
    let impulse = Impulse {
        viscous: impulse,
        ..Impulse::none(BodyId(0))
    };
    (spin, vec![impulse])
}

#[test]
fn motors_turn_light_paddles_in_thick_liquids_as_far_as_their_strength_goes() {
    let moment = 500.0 * 0.01 * (0.25 + 0.0025) / 3.0;
    let (dt, aim) = (0.01, 2.0);
    // A liquid that would stop the paddle in a ten-thousandth of a step.
    let drag = 1e4 * moment / dt;
    for (strength, expected, steps) in [(100.0, aim, 20), (1.2, aim, 60), (0.5, 0.5 * aim, 150)] {
        let rotor = body("rotor", cuboid(Vec3::new(0.5, 0.05, 0.05)), Vec3::ZERO);
        let mut motor = joint(
            "motor",
            JointKind::Hinge { axis: DVec3::Z },
            ["world", "rotor"],
            DVec3::ZERO,
        );
        motor.motor = Some(Motor {
            velocity: aim,
            strength: strength * drag * aim,
            running: [0.0, 1e9],
        });
        motor.until = 2.0;
        let domain = space(false);
        let mut world = try_world(&domain, Vec::new(), vec![rotor], &[motor], 0.0).expect("fair");
        let mut felt = 0.0;
        while world.time < steps as f64 * dt {
            world.step_with(dt, |solids| {
                let (spin, impulses) = thick(&solids[0], drag, dt);
                felt = spin;
                impulses
            });
        }
        // A motor that is too weak is as fast as its strength goes, roughly.
        let bound = if strength < 1.0 { 0.25 } else { 0.02 };
        let share = felt / expected;
        assert!(
            (share - 1.0).abs() < bound,
            "{strength}: the liquid feels {felt}"
        );
        let place = world.place(0).length();
        assert!(place < 1e-3, "{strength}: {place}");
        // Let go, it stops at once, and is not flung about.
        while world.time < 2.1 {
            world.step_with(dt, |solids| thick(&solids[0], drag, dt).1);
        }
        let spin = world.spin(0).length();
        assert!(spin < 0.01 * aim, "{strength}: {spin} after it is let go");
    }
}

#[test]
fn liquid_that_holds_a_light_body_slows_what_is_joined_to_it() {
    let drag = 100.0;
    let dt = 0.01;
    for kind in [JointKind::Fixed, JointKind::Ball] {
        // A block of 50 kg, and a plate of 50 g before it.
        let mut block = body("block", cuboid(Vec3::splat(0.1)), Vec3::ZERO);
        block.mass = ooze_core::BodyMass::Mass(50.0);
        block.velocity.linear = DVec3::X;
        let plate = cuboid(Vec3::new(0.01, 0.05, 0.05));
        let mut plate = body("plate", plate, Vec3::X * 0.15);
        plate.mass = ooze_core::BodyMass::Mass(0.05);
        plate.velocity.linear = DVec3::X;
        let weld = joint("weld", kind, ["block", "plate"], DVec3::X * 0.15);
        let space = space(false);
        let world = try_world(&space, Vec::new(), vec![block, plate], &[weld], 0.0);
        let mut world = world.expect("a fair scene");
        let mut lost = 0.0;
        for _ in 0..50 {
            world.step_with(dt, |solids| {
                let free = solids[1].free.expect("it is free");
                let turn = DMat3::from_quat(solids[1].start.rotation.as_dquat());
                let inertia = turn * free.inertia * turn.transpose();
                let whole = SpatialInertia::of_body(free.mass, inertia).plus(&free.joined);
                let mobility = whole.inverse_among(free.locked).linear.x_axis.x;
                let impulse = -drag * dt * free.unforced.linear.x / (1.0 + drag * dt * mobility);
                lost -= impulse;
                let place = solids[1].start.to_world(free.centre).as_dvec3();
                vec![Impulse {
                    viscous: ImpulsePart::at(place, DVec3::X * impulse),
                    ..Impulse::none(BodyId(1))
                }]
            });
        }
        let [block, plate] = [0, 1].map(|number| world.velocity(number).x);
        // v = exp(−c t/(M + m)), in steps that are implicit.
        let expected = (1.0 + drag * dt / 50.05f64).powi(-50);
        assert!(
            (block / expected - 1.0).abs() < 0.02,
            "{kind:?}: {block} of {expected}"
        );
        assert!(
            (plate - block).abs() < 1e-3,
            "{kind:?}: {plate} and {block}"
        );
        let momentum = 50.0 * block + 0.05 * plate;
        assert!(
            (momentum + lost - 50.05).abs() < 1e-3,
            "{kind:?}: {momentum} and {lost}"
        );
    }
}
