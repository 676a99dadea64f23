//! Bodies that a liquid moves, and that moves only as they let it.

use glam::DVec3;
use glam::Vec3;
use ooze_core::{BodyId, Impulse, ImpulsePart, Solid};

use crate::support::{GRAVITY, World, ball, body, collider, cuboid, floored, pose, space, world};

/// A liquid that pushes a body up with so many times its weight, and that moves as much liquid along with it as so many times
/// its mass: the answer I = I₀ - A V of a liquid that solves for the body's velocity V along with its own.
fn liquid(solid: &Solid, number: usize, lift: f64, taken: f64, dt: f64) -> Vec<Impulse> {
    let free = solid.free.expect("it is free");
    let unforced = free.unforced.linear;
    let buoyancy = DVec3::Y * lift * GRAVITY * free.mass * dt;
    let velocity = (unforced + buoyancy / free.mass) / (1.0 + taken);
    let impulse = buoyancy - taken * free.mass * velocity;
    let place = solid.start.to_world(free.centre).as_dvec3();
    vec![Impulse {
        pressure: ImpulsePart::at(place, impulse),
        ..Impulse::none(BodyId(number as u16))
    }]
}

fn run(world: &mut World, number: usize, lift: f64, taken: f64, dt: f64, seconds: f64) -> f64 {
    let start = world.place(number);
    let mut furthest = 0.0f64;
    for _ in 0..(seconds / dt).round() as usize {
        world.step_with(dt, |solids| {
            liquid(&solids[number], number, lift, taken, dt)
        });
        furthest = furthest.max((world.place(number) - start).length());
    }
    furthest
}

#[test]
fn a_heavy_body_under_water_stays_on_the_ground_and_a_light_one_under_a_ceiling() {
    for taken in [0.0, 0.5, 5.0, 50.0] {
        for dt in [0.001, 0.01] {
            let resting = body("stone", cuboid(Vec3::splat(0.1)), Vec3::new(0.0, 0.1, 0.0));
            let mut ground = world(&floored(false), Vec::new(), vec![resting], &[]);
            let moved = run(&mut ground, 0, 0.5, taken, dt, 1.0);
            assert!(moved < 1e-4, "on the ground, {taken}, {dt}: {moved}");

            let plate = cuboid(Vec3::new(1.0, 0.1, 1.0));
            let ceiling = collider("ceiling", plate, pose(Vec3::Y * 0.2));
            let held = body("cork", ball(0.1), Vec3::ZERO);
            let mut under = world(&space(false), vec![ceiling], vec![held], &[]);
            // A liquid that takes time to know of the ceiling lets go for no longer than that.
            let moved = run(&mut under, 1, 20.0, taken, dt, 1.0);
            assert!(moved < 2e-3, "under the ceiling, {taken}, {dt}: {moved}");
        }
    }
}

#[test]
fn the_liquid_comes_to_know_that_a_body_rests() {
    let (taken, dt) = (5.0, 0.005);
    let resting = body("stone", cuboid(Vec3::splat(0.1)), Vec3::new(0.0, 0.1, 0.0));
    let mut world = world(&floored(false), Vec::new(), vec![resting], &[]);
    run(&mut world, 0, 0.5, taken, dt, 1.0);
    let mut seen = DVec3::INFINITY;
    world.step_with(dt, |solids| {
        let impulses = liquid(&solids[0], 0, 0.5, taken, dt);
        let free = solids[0].free.expect("it is free");
        seen = free.unforced.linear + impulses[0].total().linear / free.mass;
        impulses
    });
    assert!(seen.length() < 5e-6, "{seen}");
}

#[test]
fn a_free_body_moves_exactly_as_the_liquid_says() {
    let (lift, taken, dt) = (0.3, 0.5, 0.004);
    let sinking = body("ball", ball(0.1), Vec3::ZERO);
    let mut world = world(&space(false), Vec::new(), vec![sinking], &[]);
    let (mut velocity, mut place) = (0.0, 0.0);
    for _ in 0..100 {
        world.step_with(dt, |solids| liquid(&solids[0], 0, lift, taken, dt));
        velocity = (velocity - (1.0 - lift) * GRAVITY * dt) / (1.0 + taken);
        place += velocity * dt;
        assert!((world.velocity(0).y - velocity).abs() < 1e-6 * velocity.abs());
    }
    assert!((world.place(0).y - place).abs() < 1e-6);
}

#[test]
fn what_weighs_as_much_as_it_displaces_stays_to_the_last_bit() {
    let hovering = body("ball", ball(0.1), Vec3::new(0.3, 0.2, 0.1));
    let mut world = world(&space(false), Vec::new(), vec![hovering], &[]);
    let moved = run(&mut world, 0, 1.0, 0.5, 0.004, 1.0);
    assert!(moved < 1e-9, "{moved}");
}

#[test]
fn pushes_act_from_the_next_step_on_and_follows_at_once_but_not_twice() {
    let push = |solids: &[Solid]| {
        let mass = solids[0].free.expect("it is free").mass;
        let above = solids[0].end.translation.as_dvec3() + DVec3::Y * 0.1;
        vec![Impulse {
            viscous: ImpulsePart::at(above, DVec3::X * mass),
            ..Impulse::none(BodyId(0))
        }]
    };
    let dt = 0.01;
    let pushed = body("ball", ball(0.1), Vec3::ZERO);
    let mut by_particles = world(&space(false), Vec::new(), vec![pushed.clone()], &[]);
    by_particles.step_pushed(dt, push);
    assert_eq!(by_particles.velocity(0).x, 0.0);
    by_particles.step_pushed(dt, |_| Vec::new());
    assert!((by_particles.velocity(0).x - 1.0).abs() < 1e-6);
    // A tenth of a metre off the centre of a ball of a tenth of a metre: 5/2 radians a second.
    assert!(
        (by_particles.spin(0).z + 25.0).abs() < 1e-3,
        "{}",
        by_particles.spin(0)
    );

    let mut by_grid = world(&space(false), Vec::new(), vec![pushed], &[]);
    by_grid.step_with(dt, push);
    assert!((by_grid.velocity(0).x - 1.0).abs() < 1e-6);
    by_grid.step(dt);
    assert!(
        (by_grid.velocity(0).x - 1.0).abs() < 1e-6,
        "{}",
        by_grid.velocity(0)
    );
}

#[test]
fn a_body_on_the_ground_rests_under_pushes_of_particles() {
    let mut resting = body("stone", cuboid(Vec3::splat(0.1)), Vec3::new(0.0, 0.1, 0.0));
    resting.restitution = 0.5;
    let mut world = world(&floored(false), Vec::new(), vec![resting], &[]);
    for _ in 0..500 {
        let dt = 0.002;
        world.step_pushed(dt, |solids| {
            let mass = solids[0].free.expect("it is free").mass;
            vec![Impulse {
                pressure: ImpulsePart::at(
                    world_centre(solids),
                    DVec3::Y * 0.5 * GRAVITY * mass * dt,
                ),
                ..Impulse::none(BodyId(0))
            }]
        });
    }
    let moved = (world.place(0) - DVec3::Y * 0.1).length();
    assert!(moved < 1e-4, "{moved}");
}

fn world_centre(solids: &[Solid]) -> DVec3 {
    solids[0].end.translation.as_dvec3()
}
