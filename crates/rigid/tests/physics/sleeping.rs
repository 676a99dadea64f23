//! Bodies that have come to rest, and what wakes them.

use glam::{DVec3, Vec3};
use ooze_core::{BodyId, Impulse, ImpulsePart, Solids};
use ooze_geometry::{Interpolation, Keyframe, Motion, Pose};

use crate::support::{World, ball, body, collider, cuboid, floored, pose, world};

const DT: f64 = 0.004;

/// Three blocks on one another, and a ball that waits high above them.
fn stack(sleeps: bool) -> World {
    let block = |number: usize| {
        let at = Vec3::new(0.0, 0.1 + 0.2 * number as f32, 0.0);
        let mut block = body(&format!("block {number}"), cuboid(Vec3::splat(0.1)), at);
        (block.friction, block.sleeps) = (0.5, sleeps);
        block
    };
    let mut bodies: Vec<_> = (0..3).map(block).collect();
    // It falls for a second and a half, and hits the uppermost block from the side.
    let mut thrown = body("ball", ball(0.1), Vec3::new(-3.25, 11.9, 0.0));
    thrown.velocity.linear = DVec3::X * 2.0;
    bodies.push(thrown);
    let mut domain = floored(false);
    domain.cells.y = 128;
    world(&domain, Vec::new(), bodies, &[])
}

fn places(world: &World) -> Vec<DVec3> {
    (0..3).map(|number| world.place(number)).collect()
}

#[test]
fn a_stack_sleeps_until_it_is_hit() {
    let mut awake = stack(false);
    let mut asleep = stack(true);
    asleep.run(1.0, DT);
    awake.run(1.0, DT);
    let before = places(&asleep);
    asleep.run(0.4, DT);
    awake.run(0.4, DT);
    // To the last bit.
    assert_eq!(places(&asleep), before);
    assert!((0..3).all(|number| asleep.velocity(number) == DVec3::ZERO));
    for (one, other) in places(&asleep).iter().zip(places(&awake)) {
        assert!((*one - other).length() < 2e-3, "{one} {other}");
    }
    // The ball arrives with 15 m/s.
    asleep.run(0.4, DT);
    let moved = places(&asleep);
    let top = (moved[2] - before[2]).length();
    assert!(top > 0.02, "{top}");
    assert_ne!(moved[0], before[0]);
}

#[test]
fn what_liquid_does_to_one_wakes_all_that_sleep_with_it() {
    for particles in [false, true] {
        let mut world = stack(true);
        world.run(1.0, DT);
        let before = places(&world);
        // Lifts the lowest one, with those on it.
        let lift = |_: &[ooze_core::Solid]| {
            vec![Impulse {
                pressure: ImpulsePart {
                    linear: DVec3::Y * 30.0,
                    angular: DVec3::ZERO,
                },
                ..Impulse::none(BodyId(0))
            }]
        };
        match particles {
            true => world.step_pushed(DT, lift),
            false => world.step_with(DT, lift),
        }
        world.run(0.1, DT);
        for (number, (after, before)) in places(&world).iter().zip(&before).enumerate() {
            assert!(after.y > before.y + 0.01, "{particles} {number}: {after}");
        }
    }
}

#[test]
fn a_solid_on_keyframes_that_moves_off_wakes_what_lies_on_it() {
    let key = |time: f64, height: f32| Keyframe {
        time,
        position: Some(Vec3::new(0.0, height, 0.0)),
        rotation: None,
        scale: None,
        interpolation: Interpolation::Linear,
    };
    let keys = [key(0.0, 1.0), key(1.5, 1.0), key(1.6, 0.5), key(3.0, 0.5)];
    let motion = Motion::new(Pose::IDENTITY, &keys, None);
    let mut table = collider("table", cuboid(Vec3::new(0.5, 0.1, 0.5)), pose(Vec3::Y));
    table.motion = motion.expect("fair keyframes");
    let mut block = body("block", cuboid(Vec3::splat(0.1)), Vec3::new(0.0, 1.2, 0.0));
    block.friction = 0.5;
    let mut world = world(&floored(false), vec![table], vec![block], &[]);
    world.run(1.2, DT);
    let height = world.place(1).y;
    world.run(0.2, DT);
    assert_eq!(world.place(1).y, height);
    world.run(1.0, DT);
    assert!((world.place(1).y - 0.7).abs() < 0.01, "{}", world.place(1));
}

#[test]
fn sleep_goes_on_after_a_resume() {
    for stop in [60, 120, 200, 300, 380, 400] {
        let mut parted = stack(true);
        for _ in 0..stop {
            parted.step(DT);
        }
        let mut resumed = stack(true);
        let saved = parted.solids.save();
        resumed
            .solids
            .load(saved, parted.time)
            .expect("fair channels");
        resumed.time = parted.time;
        for _ in 0..60 {
            parted.step(DT);
            resumed.step(DT);
        }
        assert_eq!(parted.solids.save(), resumed.solids.save(), "{stop}");
    }
}
