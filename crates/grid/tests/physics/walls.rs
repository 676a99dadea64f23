//! Liquids that meet solids.

use std::sync::Arc;

use crate::support::{GRAVITY, World, cuboid, fixed, setup, unit_box};
use glam::{Quat, Vec3};
use ooze_core::{Collider, Contact, Domain, Liquid, WallCondition};
use ooze_geometry::{Keyframe, Motion, Pose, Shape};
use ooze_grid::{FlipSettings, WallWeights};

#[test]
fn fast_liquid_never_crosses_a_wall_thicker_than_a_cell() {
    for weights in [WallWeights::Area, WallWeights::Volume] {
        let water = cuboid(Vec3::new(0.05, 0.0, 0.0), Vec3::new(0.35, 1.0, 1.0));
        let mut setup = setup(unit_box(20, false), water);
        setup.initial[0].velocity = Vec3::new(8.0, 0.0, 0.0);
        // A slanted wall, 1.2 cells thick, from floor to ceiling.
        let slab = Shape::cuboid(Vec3::ZERO, Vec3::new(0.03, 1.5, 1.5)).expect("fair");
        let wall = slab
            .transformed(Vec3::new(0.55, 0.5, 0.5), Quat::from_rotation_z(0.1), 1.0)
            .expect("fair");
        let mut settings = FlipSettings::default();
        settings.pressure.wall_weights = weights;
        let beyond = wall.clone();
        let mut world = World::new(
            setup,
            settings,
            vec![fixed("wall", wall, Contact::default())],
        );
        world.run(0.4, 0.01);
        let axis = Quat::from_rotation_z(0.1) * Vec3::X;
        for &point in world.positions() {
            assert!(
                (point - Vec3::new(0.55, 0.5, 0.5)).dot(axis) < 0.0,
                "{point} is through"
            );
            assert!(beyond.distance(point) > 0.0, "{point} is inside");
        }
    }
}

/// A block of water that slides along the floor, and its mean speed after a while.
fn sliding_speed(contact: Contact) -> f32 {
    let water = cuboid(Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.4, 0.15, 1.0));
    let mut setup = setup(unit_box(20, true), water);
    setup.initial[0].velocity = Vec3::new(1.0, 0.0, 0.0);
    setup.domain.sides[1][0] = ooze_core::Side::Closed(contact);
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    world.run(0.2, 0.01);
    world.mean_velocity().x
}

#[test]
fn walls_slow_liquid_as_their_contact_says() {
    let with = |condition, friction| {
        sliding_speed(Contact {
            condition,
            friction,
            heat: None,
        })
    };
    let slip = with(WallCondition::Slip, 0.0);
    let rough = with(WallCondition::Slip, 0.4);
    let no_slip = with(WallCondition::NoSlip, 0.0);
    let sticky = with(WallCondition::Sticky, 0.0);
    // Without contact nothing acts along the floor until the far wall is met.
    assert!((slip - 1.0).abs() < 0.05, "slip: {slip}");
    assert!(rough < slip - 0.05, "friction: {rough} of {slip}");
    assert!(no_slip < slip - 0.05, "no slip: {no_slip} of {slip}");
    assert!(sticky < no_slip, "sticky: {sticky} of {no_slip}");
}

#[test]
fn a_sticky_wall_holds_the_film_that_a_plain_one_lets_fall() {
    let fallen = |condition| {
        let film = cuboid(Vec3::new(0.0, 0.5, 0.0), Vec3::new(0.1, 0.9, 1.0));
        let mut setup = setup(unit_box(20, true), film);
        setup.domain.sides[0][0] = ooze_core::Side::Closed(Contact {
            condition,
            friction: 0.0,
            heat: None,
        });
        let mut world = World::new(setup, FlipSettings::default(), Vec::new());
        world.run(0.2, 0.01);
        let mean: f32 = world.positions().iter().map(|point| point.y).sum();
        0.7 - mean / world.positions().len() as f32
    };
    // Steps of 0.01 s: velocity first, then position.
    let free = 0.5 * crate::support::GRAVITY * 0.2 * 0.21;
    let (slip, sticky) = (fallen(WallCondition::Slip), fallen(WallCondition::Sticky));
    assert!((slip / free - 1.0).abs() < 0.05, "slip: {slip} of {free}");
    assert!(sticky < 0.7 * free, "sticky: {sticky} of {free}");
}

#[test]
fn a_moving_paddle_takes_the_liquid_along_and_stays_dry_inside() {
    let water = cuboid(Vec3::ZERO, Vec3::new(1.0, 0.4, 1.0));
    // It reaches below the floor: where two solids merely touch, neither knows the way out.
    let paddle = cuboid(Vec3::new(-0.06, -0.7, -1.0), Vec3::new(0.06, 0.5, 1.0));
    let key = |time: f64, x: f32| Keyframe {
        time,
        position: Some(Vec3::new(x, 0.5, 0.0)),
        ..Keyframe::default()
    };
    let motion = Motion::new(Pose::IDENTITY, &[key(0.0, 0.2), key(0.4, 0.6)], None);
    let collider = Collider {
        name: "paddle".into(),
        shape: Arc::new(paddle),
        motion: motion.expect("a fair motion"),
        contact: Contact::default(),
    };
    let mut world = World::new(
        setup(unit_box(24, true), water),
        FlipSettings::default(),
        vec![collider],
    );
    let seeded = world.positions().len();
    world.run(0.3, 0.01);
    let paddle_at = 0.5;
    let inside = |point: &&Vec3| (point.x - paddle_at).abs() < 0.06 && point.y < 0.99;
    let drowned: Vec<&Vec3> = world.positions().iter().filter(inside).collect();
    assert!(drowned.is_empty(), "inside the paddle: {drowned:?}");
    let ahead = world
        .positions()
        .iter()
        .filter(|point| point.x > paddle_at)
        .count();
    // 0.74 of the floor was ahead of the paddle at the start; nothing leaks through or around.
    let share = ahead as f32 / seeded as f32;
    let at_start = 0.74 / 0.88;
    assert!(
        (share - at_start).abs() < 0.02,
        "{share} is ahead of {at_start}"
    );
    // The water ahead piles up above its old level.
    let highest = world
        .positions()
        .iter()
        .map(|point| point.y)
        .fold(0.0, f32::max);
    assert!(highest > 0.5, "{highest}");
}

#[test]
fn a_full_closed_box_is_solvable_and_still() {
    let water = cuboid(Vec3::splat(-1.0), Vec3::splat(2.0));
    let mut world = World::new(
        setup(unit_box(12, false), water),
        FlipSettings::default(),
        Vec::new(),
    );
    world.run(0.1, 0.01);
    let measure = world.liquid.measure(&world.solids);
    assert!(measure.max_speed < 0.05, "{}", measure.max_speed);
    assert!(
        measure.volume_drift().abs() < 0.01,
        "{}",
        measure.volume_drift()
    );
}

/// Mean vertical speed after a tenth of a second of a block that fills the upper part of a box, where no air can come
/// between it and the ceiling from the sides, and the speed of a tank at rest.
fn hung(condition: WallCondition) -> (f32, f32) {
    let contact = Contact {
        condition,
        friction: 0.0,
        heat: None,
    };
    let contained = |shape| {
        let mut setup = setup(unit_box(20, true), shape);
        setup.domain.sides = [[ooze_core::Side::Closed(contact); 2]; 3];
        World::new(setup, FlipSettings::default(), Vec::new())
    };
    let mut block = contained(cuboid(Vec3::new(-1.0, 0.7, -1.0), Vec3::splat(2.0)));
    block.run(0.1, 0.01);
    let mut tank = contained(cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.4, 2.0)));
    tank.run(0.2, 0.01);
    let rest = tank.liquid.measure(&tank.solids);
    let speed = (2.0 * rest.kinetic_energy / rest.mass).sqrt();
    (block.mean_velocity().y, speed as f32)
}

#[test]
fn a_block_falls_from_a_ceiling_that_lets_go_and_hangs_from_one_that_does_not() {
    let (falling, rests) = hung(WallCondition::Separating);
    let (hanging, _) = hung(WallCondition::Slip);
    let free = -GRAVITY * 0.1;
    assert!((falling / free - 1.0).abs() < 0.03, "{falling} of {free}");
    assert!(hanging > 0.1 * free, "{hanging} of {free}");
    // Walls that let go hold what is pressed against them.
    assert!(rests < 0.02, "{rests}");
}

/// Height at which what is drawn out begins.
const LOWERED: f32 = 0.15;
/// Cells that it rises by in a step: nothing but the liquid's own tension draws it along, gravity is too weak.
const CELLS_A_STEP: f32 = 0.8;

/// Draws a solid, its underside at its origin, out of thick liquid in so many steps.
fn drawn_out(solid: Shape, domain: Domain, viscosity: f32, steps: u32) -> World {
    let rise = CELLS_A_STEP * domain.cell_size * steps as f32;
    let middle = if domain.flat { 0.0 } else { 0.5 };
    let mut setup = setup(domain, cuboid(Vec3::ZERO, Vec3::new(1.0, 0.7, 1.0)));
    setup.materials[0].viscosity = viscosity;
    let dt = 0.02;
    let key = |time: f64, height: f32| Keyframe {
        time,
        position: Some(Vec3::new(0.5, height, middle)),
        ..Keyframe::default()
    };
    let keys = [
        key(0.0, LOWERED),
        key(dt * f64::from(steps), LOWERED + rise),
    ];
    let drawn = Collider {
        name: "drawn out".into(),
        shape: Arc::new(solid),
        motion: Motion::new(Pose::IDENTITY, &keys, None).expect("a fair motion"),
        contact: Contact {
            condition: WallCondition::NoSlip,
            friction: 0.0,
            heat: None,
        },
    };
    let mut world = World::new(setup, FlipSettings::default(), vec![drawn]);
    for _ in 0..steps {
        world.step(dt);
    }
    world
}

#[test]
fn viscous_liquid_follows_a_plunger_that_is_drawn_out() {
    let (cells, steps) = (24, 5);
    let cell = 1.0 / cells as f32;
    let plunger = cuboid(Vec3::new(-0.2, 0.0, -1.0), Vec3::new(0.2, 2.0, 1.0));
    let world = drawn_out(plunger, unit_box(cells, true), 100.0, steps);
    let underside = LOWERED + CELLS_A_STEP * cell * steps as f32;
    let below = |point: &&Vec3| {
        (point.x - 0.5).abs() < 0.15 && point.y < underside && point.y > underside - 1.5 * cell
    };
    let found = world.positions().iter().filter(below).count() as f32;
    let full = 4.0 * 0.3 * 1.5 / cell;
    assert!(found > 0.8 * full, "{found} of {full} particles follow");
}

#[test]
fn viscous_liquid_follows_a_round_tip_that_is_drawn_out() {
    // The liquid around a tip of few cells is stretched until its particles hardly touch it, when it leaves the pool.
    let (cells, steps) = (24, 9);
    let cell = 1.0 / cells as f32;
    let radius = 2.5 * cell;
    let rod = Shape::capsule(Vec3::Y * radius, 2.0 * Vec3::Y, radius).expect("a fair rod");
    let ring =
        Shape::torus(3.5 * cell * Vec3::Y, Vec3::Y, 4.0 * cell, 1.5 * cell).expect("a fair ring");
    let tip = Shape::smooth_union(vec![rod, ring], cell).expect("a fair tip");
    let world = drawn_out(tip, unit_box(cells, false), 1000.0, steps);
    let underside = LOWERED + CELLS_A_STEP * cell * steps as f32;
    let core = |point: &&Vec3| {
        let aside = Vec3::new(point.x - 0.5, 0.0, point.z - 0.5).length();
        aside < 1.5 * cell && point.y < underside - 0.5 * cell && point.y > underside - 3.5 * cell
    };
    let found = world.positions().iter().filter(core).count() as f32;
    let full = 8.0 * std::f32::consts::PI * 1.5 * 1.5 * 3.0;
    assert!(found > 0.8 * full, "{found} of {full} particles follow");
}
