//! Bodies that meet nothing.

use glam::{DVec3, Vec3};
use ooze_core::BodyVelocity;
use ooze_geometry::{Interpolation, Keyframe, Motion, Pose, Shape};

use crate::support::{GRAVITY, ball, body, cuboid, space, world};

#[test]
fn what_falls_freely_falls_as_liquid_does() {
    let mut falling = body("ball", ball(0.1), Vec3::new(0.0, 1.0, 0.0));
    falling.velocity.linear = DVec3::new(0.5, 2.0, 0.0);
    let mut world = world(&space(false), Vec::new(), vec![falling], &[]);
    let mut velocity = DVec3::new(0.5, 2.0, 0.0);
    let mut place = DVec3::Y;
    for step in 0..400 {
        let dt = if step % 3 == 0 { 0.002 } else { 0.0013 };
        velocity.y -= GRAVITY * dt;
        place += velocity * dt;
        world.step(dt);
        let unforced = world.solid(0).free.expect("it is free").unforced;
        assert!((unforced.linear - velocity).length() < 1e-12);
    }
    assert!(
        (world.place(0) - place).length() < 1e-6,
        "{}",
        world.place(0)
    );
}

#[test]
fn a_spinning_body_of_three_moments_keeps_its_angular_momentum_and_energy() {
    let mut spinning = body("book", cuboid(Vec3::new(0.3, 0.05, 0.15)), Vec3::ZERO);
    // About the axis that it does not keep spinning about.
    spinning.velocity.angular = DVec3::new(0.05, 0.1, 8.0);
    let mut world = crate::support::try_world(&space(false), Vec::new(), vec![spinning], &[], 0.0)
        .expect("a fair scene");
    let momentum = |world: &crate::support::World| {
        let solid = world.solid(0);
        let inertia = solid.free.expect("it is free").inertia;
        let turn = glam::DMat3::from_quat(solid.end.rotation.as_dquat());
        let momentum = turn * inertia * turn.transpose() * world.spin(0);
        (momentum, 0.5 * momentum.dot(world.spin(0)))
    };
    let (before, energy) = momentum(&world);
    let mut flipped = false;
    for _ in 0..800 {
        world.step(0.0025);
        let (now, left) = momentum(&world);
        assert!((now - before).length() < 1e-4 * before.length());
        assert!((left / energy - 1.0).abs() < 0.01, "{left} of {energy}");
        let axis = world.solid(0).end.rotation * Vec3::Z;
        flipped |= axis.z < -0.5;
    }
    // It tumbles, as such bodies do.
    assert!(flipped);
}

#[test]
fn a_body_whose_centre_is_off_its_origin_turns_about_its_centre() {
    let shape = Shape::cuboid(Vec3::new(0.5, 0.0, 0.0), Vec3::splat(0.1)).expect("a fair box");
    let mut turning = body("box", shape, Vec3::ZERO);
    turning.velocity = BodyVelocity {
        linear: DVec3::new(0.0, 0.0, 0.3),
        angular: DVec3::new(0.0, 0.0, 2.0),
    };
    let domain = space(false);
    let made = crate::support::try_world(&domain, Vec::new(), vec![turning], &[], 0.0);
    let mut world = made.expect("a fair scene");
    for _ in 0..100 {
        world.step(0.01);
        let solid = world.solid(0);
        let centre = solid.free.expect("it is free").centre;
        let place = solid.end.to_world(centre).as_dvec3();
        let expected = DVec3::new(0.5, 0.0, 0.3 * world.time);
        assert!((place - expected).length() < 1e-6, "{place}");
        // The twist takes it from start to end.
        let carried = carry(solid, Vec3::new(0.6, 0.1, -0.1), 0.01);
        assert!((carried - solid.carried(carried_from(solid))).length() < 1e-5);
    }
    let turned = world.solid(0).end.rotation * Vec3::X;
    assert!((turned.y.atan2(turned.x) - 2.0).abs() < 1e-4);
}

fn carried_from(solid: &ooze_core::Solid) -> Vec3 {
    solid.start.to_world(Vec3::new(0.6, 0.1, -0.1))
}

/// Where the twist takes a point of the body, in short steps.
fn carry(solid: &ooze_core::Solid, local: Vec3, seconds: f32) -> Vec3 {
    let part = seconds / 200.0;
    (0..200).fold(solid.start.to_world(local), |point, _| {
        let half_way = point + 0.5 * part * solid.twist.velocity(point);
        point + part * solid.twist.velocity(half_way)
    })
}

#[test]
fn a_body_that_is_released_goes_on_as_its_keyframes_moved_it() {
    let key = |time, x| Keyframe {
        time,
        position: Some(Vec3::new(x, 0.0, 0.0)),
        interpolation: Interpolation::Linear,
        ..Keyframe::default()
    };
    let keys = [key(0.0, 0.0), key(0.5, 1.0)];
    for dt in [0.01, 0.03] {
        let mut thrown = body("ball", ball(0.1), Vec3::ZERO);
        thrown.motion = Motion::new(Pose::IDENTITY, &keys, None).expect("fair keyframes");
        thrown.released = 0.5;
        let mut world = world(&space(false), Vec::new(), vec![thrown], &[]);
        while world.time < 0.5 - 1e-9 {
            world.step(dt);
            let before = world.time - dt < 0.5 - 1e-9;
            assert_eq!(world.solid(0).free.is_none(), before);
        }
        let late = world.time - 0.5;
        assert!((world.place(0).x - 1.0 - 2.0 * late).abs() < 1e-5);
        world.run(30.0 * 0.01, 0.01);
        let free = world.time - 0.5;
        assert!((world.velocity(0).x - 2.0).abs() < 1e-5);
        assert!((world.place(0).x - 1.0 - 2.0 * free).abs() < 1e-4);
        let fallen = 0.5 * GRAVITY * free * free;
        assert!(
            (world.place(0).y + fallen).abs() < 0.12 * fallen,
            "{}",
            world.place(0)
        );
    }
}

#[test]
fn locked_axes_stay_and_flat_scenes_stay_in_the_plane() {
    let mut locked = body("box", cuboid(Vec3::new(0.1, 0.2, 0.3)), Vec3::ZERO);
    locked.locked = [[true, false, true], [true, false, true]];
    locked.velocity = BodyVelocity {
        linear: DVec3::ONE,
        angular: DVec3::ONE,
    };
    let mut bound = world(&space(false), Vec::new(), vec![locked.clone()], &[]);
    bound.run(0.2, 0.01);
    assert_eq!(bound.place(0).x, 0.0);
    assert_eq!(bound.place(0).z, 0.0);
    assert!(
        (bound.spin(0) - DVec3::Y).length() < 1e-6,
        "{}",
        bound.spin(0)
    );

    locked.locked = [[false; 3]; 2];
    let mut flat = world(&space(true), Vec::new(), vec![locked], &[]);
    flat.run(0.2, 0.01);
    assert!(flat.place(0).z.abs() < 1e-12);
    assert!(
        (flat.spin(0) - DVec3::Z).length() < 1e-6,
        "{}",
        flat.spin(0)
    );
    assert!(flat.velocity(0).x > 0.99);
    // As much of it as is within the thickness of a cell.
    let mass = flat.solid(0).free.expect("it is free").mass;
    assert!((mass - 500.0 * 0.08 * 0.125).abs() < 1e-3 * mass, "{mass}");
}
