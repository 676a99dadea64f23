//! Bodies that meet something.

use glam::{DVec3, Quat, Vec3};
use ooze_geometry::{Pose, Shape};

use crate::support::{
    GRAVITY, ball, body, collider, cuboid, floored, pose, slope, space, try_world, world,
};

#[test]
fn balls_bounce_to_the_square_of_their_restitution() {
    for restitution in [0.0, 0.5, 0.8] {
        for dt in [0.0005, 0.002] {
            let mut bouncing = body("ball", ball(0.1), Vec3::new(0.0, 1.1, 0.0));
            bouncing.restitution = restitution;
            let mut world = world(&floored(false), Vec::new(), vec![bouncing], &[]);
            let mut highest = 0.0f64;
            let mut bounced = false;
            while world.time < 1.2 {
                world.step(dt);
                bounced |= world.place(0).y < 0.15;
                if bounced && world.velocity(0).y > 0.0 {
                    highest = highest.max(world.place(0).y - 0.1);
                }
            }
            let expected = restitution * restitution;
            assert!(
                (highest - expected).abs() < 0.01 + 6.0 * dt,
                "{restitution} {dt}: {highest}"
            );
        }
    }
}

#[test]
fn blocks_stay_on_gentle_slopes_and_slide_down_steep_ones_as_friction_lets_them() {
    let friction = 0.4;
    // Where they can move within a plane only, too.
    let cases =
        [10.0f32, 19.0, 25.0, 40.0].map(|degrees| [false, true].map(|flat| (degrees, flat)));
    for (degrees, flat) in cases.into_iter().flatten() {
        let angle = degrees.to_radians();
        let turn = Quat::from_rotation_z(angle);
        let mut sliding = body("block", cuboid(Vec3::new(0.2, 0.1, 0.2)), Vec3::ZERO);
        sliding.friction = friction;
        let start = Pose {
            translation: turn * (Vec3::Y * 0.1),
            rotation: turn,
            scale: 1.0,
        };
        sliding.motion = ooze_geometry::Motion::fixed(start).expect("a fair pose");
        let mut world = world(&space(flat), vec![slope(angle)], vec![sliding], &[]);
        let down = (turn * Vec3::NEG_X).as_dvec3();
        world.run(0.8, 0.004);
        let way = (world.place(1) - start.translation.as_dvec3()).dot(down);
        let angle = f64::from(angle);
        let expected = GRAVITY * (angle.sin() - friction * angle.cos());
        if expected < 0.0 {
            assert!(way.abs() < 2e-4, "{degrees}, flat {flat}: {way}");
            continue;
        }
        let speed = world.velocity(1).dot(down);
        assert!(
            (speed / (expected * 0.8) - 1.0).abs() < 0.03,
            "{degrees}, flat {flat}: {speed}"
        );
        assert!(
            (way / (0.5 * expected * 0.64) - 1.0).abs() < 0.03,
            "{degrees}, flat {flat}: {way}"
        );
    }
}

#[test]
fn a_stack_of_boxes_stands() {
    for dt in [0.001, 1.0 / 120.0] {
        let boxes = (0..5).map(|number| {
            let at = Vec3::new(0.0, 0.05 + 0.1 * number as f32, 0.0);
            let mut one = body(&format!("box {number}"), cuboid(Vec3::splat(0.05)), at);
            one.friction = 0.5;
            one
        });
        let mut world = world(&floored(false), Vec::new(), boxes.collect(), &[]);
        let mut fastest = 0.0f64;
        while world.time < 5.0 {
            world.step(dt);
            // Boxes that begin just touching fall for two steps before rapier finds their contacts.
            for number in (0..5).filter(|_| world.time > 0.1) {
                fastest = fastest.max(world.velocity(number).length());
            }
        }
        for number in 0..5 {
            let start = DVec3::new(0.0, 0.05 + 0.1 * number as f64, 0.0);
            let crept = (world.place(number) - start).length();
            assert!(crept < 8e-3, "{dt}: {number} crept {crept}");
        }
        assert!(fastest < 0.02, "{dt}: {fastest}");
    }
}

#[test]
fn a_ball_rests_in_a_cup_that_is_cut_out_of_a_cylinder() {
    let outer = Shape::cylinder(Vec3::ZERO, Vec3::Y * 0.6, 0.3).expect("fair");
    let inner = Shape::cylinder(Vec3::Y * 0.1, Vec3::Y, 0.25).expect("fair");
    let cup = Shape::difference(outer, vec![inner]).expect("a fair cup");
    let mut held = body("ball", ball(0.1), Vec3::new(0.05, 0.8, 0.02));
    held.friction = 0.3;
    held.velocity.linear = DVec3::new(0.8, 0.0, 0.3);
    let cup = collider("cup", cup, Pose::IDENTITY);
    let mut world = world(&space(false), vec![cup], vec![held], &[]);
    world.run(3.0, 0.004);
    let place = world.place(1);
    assert!((place.y - 0.2).abs() < 2e-3, "{place}");
    assert!(place.x.hypot(place.z) < 0.155, "{place}");
}

#[test]
fn a_ring_falls_over_a_pole_and_a_cup_that_is_free_catches_a_ball() {
    let ring = Shape::torus(Vec3::ZERO, Vec3::Y, 0.3, 0.08).expect("fair");
    let ring = body("ring", ring, Vec3::new(0.0, 1.2, 0.0));
    let pole = Shape::cylinder(Vec3::ZERO, Vec3::Y, 0.1).expect("fair");
    let pole = collider("pole", pole, Pose::IDENTITY);
    let mut over = world(&floored(false), vec![pole], vec![ring], &[]);
    over.run(2.0, 0.004);
    let place = over.place(1);
    assert!(
        (place.y - 0.08).abs() < 0.01 && place.x.hypot(place.z) < 0.15,
        "{place}"
    );

    let outer = Shape::cylinder(Vec3::ZERO, Vec3::Y * 0.6, 0.3).expect("fair");
    let inner = Shape::cylinder(Vec3::Y * 0.1, Vec3::Y, 0.25).expect("fair");
    let cup = Shape::difference(outer, vec![inner]).expect("a fair cup");
    let cup = body("cup", cup, Vec3::ZERO);
    let caught = body("ball", ball(0.1), Vec3::new(0.0, 0.8, 0.0));
    let mut catching = world(&floored(false), Vec::new(), vec![cup, caught], &[]);
    catching.run(2.0, 0.004);
    let place = catching.place(1);
    assert!(
        (place.y - 0.2).abs() < 0.01 && place.x.hypot(place.z) < 0.16,
        "{place}"
    );
}

#[test]
fn fast_bodies_do_not_pass_thin_walls_nor_one_another() {
    let plate = collider("plate", cuboid(Vec3::new(1.0, 0.002, 1.0)), Pose::IDENTITY);
    let mut fast = body("bullet", ball(0.02), Vec3::new(0.0, 1.0, 0.0));
    fast.velocity.linear = DVec3::new(0.0, -200.0, 0.0);
    let mut stopped = world(&space(false), vec![plate], vec![fast.clone()], &[]);
    stopped.run(0.2, 0.01);
    assert!(stopped.place(1).y > 0.0, "{}", stopped.place(1));

    let target = body("target", ball(0.05), Vec3::ZERO);
    let met = try_world(&space(false), Vec::new(), vec![fast, target], &[], 0.0);
    let mut met = met.expect("a fair scene");
    met.run(0.1, 0.01);
    assert!(
        met.place(0).y > met.place(1).y,
        "{} {}",
        met.place(0),
        met.place(1)
    );
}

#[test]
fn a_paddle_of_keyframes_sweeps_what_is_in_its_way() {
    let spin = ooze_geometry::Spin {
        axis: Vec3::Y,
        revolutions_per_second: 2.0,
    };
    let mut paddle = collider(
        "paddle",
        cuboid(Vec3::new(1.0, 0.2, 0.02)),
        pose(Vec3::ZERO),
    );
    paddle.motion = ooze_geometry::Motion::new(Pose::IDENTITY, &[], Some(spin)).expect("fair");
    let swept = body("ball", ball(0.1), Vec3::new(0.0, 0.0, 0.7));
    let made = try_world(&space(false), vec![paddle], vec![swept], &[], 0.0);
    let mut world = made.expect("a fair scene");
    world.run(0.4, 0.005);
    let speed = world.velocity(1).length();
    // At least as fast as the blade where it was hit.
    assert!(speed > 0.9 * 0.7 * 2.0 * std::f64::consts::TAU, "{speed}");
}

#[test]
fn flat_bodies_rest_on_flat_ground() {
    let mut resting = body(
        "box",
        cuboid(Vec3::new(0.2, 0.1, 0.5)),
        Vec3::new(0.0, 0.1, 0.0),
    );
    resting.friction = 0.5;
    let mut falling = body("disc", ball(0.2), Vec3::new(0.05, 0.8, 0.0));
    falling.friction = 0.5;
    let mut world = world(&floored(true), Vec::new(), vec![resting, falling], &[]);
    world.run(2.0, 0.005);
    for number in 0..2 {
        let solid = world.solid(number);
        assert!(solid.end.translation.z.abs() < 1e-12);
        let upright = solid.end.rotation * Vec3::Z;
        assert!((upright - Vec3::Z).length() < 1e-6, "{upright}");
        assert!(world.place(number).y > 0.09);
    }
}
