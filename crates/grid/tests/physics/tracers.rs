//! Tracers that level-set liquids carry along.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Quat, Vec3};
use ooze_core::{Collider, Contact, Drain, KeyframedSolids, Liquid, LiquidSetup, Side, Tracers};
use ooze_geometry::{Keyframe, Motion, Pose, Shape};
use ooze_grid::{LevelSetLiquid, LevelSetSettings};

use crate::level_set::{World, ball};
use crate::support::{GRAVITY, cuboid, setup, unit_box};

/// Adds tracers everywhere that are set at a time.
fn mark(setup: &mut LiquidSetup, spacing: f32, start: f64) {
    setup.tracers.push(Tracers {
        name: "dye".into(),
        shape: Arc::new(cuboid(Vec3::splat(-1.0), Vec3::splat(2.0))),
        spacing,
        start,
    });
}

/// Identities and places of the tracers of a liquid.
fn places(liquid: &LevelSetLiquid) -> Vec<(u32, Vec3)> {
    let tracers = liquid.tracers();
    let ids = tracers.words("id").expect("tracers").iter();
    let positions = tracers.vectors("position").expect("tracers").iter();
    ids.copied().zip(positions.copied()).collect()
}

fn moved(setup: LiquidSetup, end: f64, longest: f64) -> (World, Vec<(Vec3, Vec3)>) {
    let mut world = World::new(setup, LevelSetSettings::default(), Vec::new());
    let before = places(&world.liquid);
    assert!(before.len() > 100, "{}", before.len());
    world.run(end, longest);
    let after = places(&world.liquid);
    assert_eq!(after.len(), before.len(), "none is lost");
    let pairs = before.into_iter().zip(after).map(|(before, after)| {
        assert_eq!(before.0, after.0);
        (before.1, after.1)
    });
    let pairs = pairs.collect();
    (world, pairs)
}

#[test]
fn tracers_of_a_flying_drop_fly_with_it() {
    let mut setup = setup(unit_box(24, false), ball(Vec3::new(0.4, 0.7, 0.5), 0.2));
    setup.initial[0].velocity = Vec3::new(0.5, 0.0, -0.25);
    mark(&mut setup, 0.05, 0.0);
    let (world, pairs) = moved(setup, 0.2, 0.01);
    let way = 0.2 * Vec3::new(0.5, 0.0, -0.25) - Vec3::Y * (0.5 * GRAVITY * 0.2 * 0.2);
    for (before, after) in pairs {
        // Steps are of the first order in time: half a step's worth of gravity.
        let error = after.distance(before + way);
        assert!(error < 0.6 * GRAVITY * 0.01 * 0.2, "{before}: {error}");
    }
    let tracers = world.liquid.tracers();
    for velocity in tracers.vectors("velocity").expect("velocities") {
        let expected = Vec3::new(0.5, -GRAVITY * 0.2, -0.25);
        assert!(velocity.abs_diff_eq(expected, 0.02), "{velocity}");
    }
}

#[test]
fn tracers_of_a_spinning_drop_turn_with_it() {
    let centre = Vec3::new(0.5, 0.5, 0.0);
    let disc = Shape::cylinder(centre - Vec3::Z, centre + Vec3::Z, 0.3).expect("a fair disc");
    let mut setup = setup(unit_box(32, true), disc);
    setup.forces.clear();
    setup.initial[0].spin = Vec3::Z * TAU;
    mark(&mut setup, 0.04, 0.0);
    let end = 0.25;
    let (_, pairs) = moved(setup, end, 0.01);
    let turn = Quat::from_rotation_z(TAU * end as f32);
    // Velocities go on beyond the surface as they are at it, so that what is next to it lags a little.
    let deep = |before: Vec3| (before - centre).truncate().length() < 0.24;
    for (before, after) in pairs.into_iter().filter(|&(before, _)| deep(before)) {
        let expected = centre + turn * (before - centre);
        let error = after.truncate().distance(expected.truncate());
        // Half a cell, of up to 12 that they go.
        assert!(error < 0.5 / 32.0, "{before}: {error}");
    }
}

#[test]
fn a_ball_that_ploughs_through_a_pool_pushes_tracers_aside() {
    let key = |time, x| Keyframe {
        time,
        position: Some(Vec3::new(x, 0.25, 0.5)),
        ..Keyframe::default()
    };
    let motion = Motion::new(Pose::IDENTITY, &[key(0.0, 0.2), key(0.3, 0.7)], None);
    let collider = Collider {
        name: "ball".into(),
        shape: Arc::new(ball(Vec3::ZERO, 0.15)),
        motion: motion.expect("fair keyframes"),
        contact: Contact::default(),
    };
    let pool = cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.5, 2.0));
    let mut setup = setup(unit_box(20, false), pool);
    mark(&mut setup, 0.04, 0.0);
    let mut world = World::new(setup, LevelSetSettings::default(), vec![collider]);
    let before = places(&world.liquid);
    let inside = |tracers: &[(u32, Vec3)], x: f32| {
        let depths = tracers
            .iter()
            .map(|(_, point)| 0.15 - point.distance(Vec3::new(x, 0.25, 0.5)));
        depths.fold(f32::NEG_INFINITY, f32::max)
    };
    let in_the_way = |tracers: &[(u32, Vec3)]| inside(tracers, 0.7);
    assert!(in_the_way(&before) > 0.1);
    // Distances between the corners of cells are a little off.
    let allowed = 0.1 / 20.0;
    assert!(inside(&before, 0.2) < allowed);
    world.run(0.3, 0.02);
    let after = places(&world.liquid);
    assert!(in_the_way(&after) < allowed, "{}", in_the_way(&after));
    let kept = after.len() as f32 / before.len() as f32;
    assert!(kept > 0.99, "{kept}");
    let outside =
        |&(_, point): &(u32, Vec3)| point.min_element() < 0.0 || point.max_element() > 1.0;
    assert!(!after.iter().any(outside));
}

#[test]
fn tracers_leave_with_their_liquid_and_are_set_when_their_time_comes() {
    let pool = cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.5, 2.0));
    let mut setup = setup(unit_box(16, true), pool);
    mark(&mut setup, 0.05, 0.0);
    mark(&mut setup, 0.1, 0.05);
    setup.domain.sides[0][1] = Side::Open;
    setup.drains.push(Drain {
        name: "sink".into(),
        shape: Arc::new(cuboid(Vec3::splat(-1.0), Vec3::splat(2.0))),
        start: 0.2,
        stop: f64::INFINITY,
    });
    let mut world = World::new(setup, LevelSetSettings::default(), Vec::new());
    let sets = |world: &World| {
        let tracers = world.liquid.tracers();
        let sets = tracers.bytes("set").expect("sets").to_vec();
        [0, 1].map(|set| sets.iter().filter(|&&own| own == set).count())
    };
    let [all, none] = sets(&world);
    assert!(all > 150 && none == 0, "{all} {none}");
    world.run(0.1, 0.01);
    let [first, second] = sets(&world);
    assert!(first < all, "some of them have left through the open side");
    assert!((30..60).contains(&second), "{second}");
    world.run(0.25, 0.01);
    assert_eq!(sets(&world), [0, 0]);
}

#[test]
fn a_liquid_that_is_loaded_carries_its_tracers_on() {
    let scene = || {
        let column = cuboid(Vec3::splat(-1.0), Vec3::new(0.3, 0.6, 2.0));
        let mut setup = setup(unit_box(16, true), column);
        mark(&mut setup, 0.03, 0.0);
        mark(&mut setup, 0.03, 0.06);
        setup
    };
    let solids = KeyframedSolids::new(Vec::new());
    let start = || LevelSetLiquid::new(scene(), LevelSetSettings::default(), &solids);
    let run = |liquid: &mut LevelSetLiquid, steps: std::ops::Range<u32>| {
        for step in steps {
            let mut solids = solids.clone();
            let report = liquid.step(0.01 * f64::from(step), 0.01, &mut solids);
            report.expect("the step succeeds");
        }
    };
    let mut whole = start();
    run(&mut whole, 0..4);
    let saved = whole.save();
    run(&mut whole, 4..9);
    let mut loaded = start();
    loaded.load(saved.clone()).expect("a saved state");
    run(&mut loaded, 4..9);
    assert_eq!(loaded.tracers(), whole.tracers());
    assert!(places(&whole).windows(2).all(|pair| pair[0].0 < pair[1].0));

    let mut broken = saved;
    let mut sets = broken.take_bytes("tracer_set").expect("sets");
    sets[2] = 2;
    broken.insert("tracer_set", ooze_core::ChannelData::Byte(sets));
    let error = loaded.load(broken).expect_err("there are two sets");
    assert_eq!(
        error.to_string(),
        "channel `tracer_set`, row 2: 2 is not the index of one of the scene's 2 sets of tracers"
    );
}
