//! Heat of the level-set liquid, by the scenes of FLIP's.

use std::sync::Arc;

use glam::Vec3;
use ooze_core::{
    Drain, Emitter, HeatFlow, HeatMeasure, Liquid, LiquidSetup, Material, MaterialId, Thermal,
};
use ooze_grid::LevelSetSettings;

use crate::level_set::World;
use crate::support::{cuboid, setup, unit_box};
use crate::warm_scenes::{
    HOT, conductor, entered, half_molten_block, heated_from_the_left, largest_error, melting,
    stefan_depth, warm_drop,
};

fn world(setup: LiquidSetup) -> World {
    World::new(setup, LevelSetSettings::default(), Vec::new())
}

fn heat(world: &World) -> HeatMeasure {
    world.measure().heat.expect("heat matters")
}

/// The markers of a frame with one of its channels.
fn shown(world: &World, channel: &str) -> Vec<(Vec3, f32)> {
    let channels = world.liquid.channels();
    let places = channels.vectors("position").expect("markers").iter();
    let values = channels.scalars(channel).expect("heat is shown").iter();
    places.copied().zip(values.copied()).collect()
}

/// Content, flows and figures of a run must agree: nothing comes from nowhere.
fn expect_balance(world: &World, before: HeatMeasure) -> HeatFlow {
    let flow = world.report.heat.expect("it is booked");
    let passed = flow.walls.abs() + flow.air.abs() + flow.carried.abs();
    let error = heat(world).content - before.content - flow.total();
    assert!(error.abs() < 1e-4 * passed, "{error} of {passed}");
    flow
}

/// Error of heat that has entered from a wall for a second, in steps of `dt`.
fn entering_error(cells: i32, dt: f64) -> f64 {
    let mut world = world(heated_from_the_left(conductor(), cells, HOT));
    world.run(1.0, dt);
    let found = shown(&world, "temperature").into_iter();
    let width = 1.0 / cells as f32;
    // Markers next to walls read what is continued into them.
    let inner = |point: Vec3| (point.x > width).then_some(point.x);
    largest_error(found, width, inner, |x| entered(x, 1.0))
}

#[test]
fn heat_enters_from_a_wall_as_erfc() {
    // Short steps are solved line by line, long ones at once.
    for dt in [0.004, 0.02] {
        let error = entering_error(32, dt);
        assert!(error < 0.012, "{dt}: {error}");
    }
}

#[test]
fn a_front_melts_as_stefan_s() {
    for dt in [0.04, 0.25] {
        let cells = 24;
        let mut world = world(heated_from_the_left(melting(0.5), cells, HOT));
        let before = heat(&world);
        for end in [2.0, 8.0] {
            world.run(end, dt);
            let (found, expected) = (heat(&world).melted, stefan_depth(end));
            let allowed = 0.02 * expected + 0.1 / f64::from(cells);
            assert!(
                (found - expected).abs() < allowed,
                "{dt} {end}: {found} {expected}"
            );
        }
        expect_balance(&world, before);
    }
}

#[test]
fn nothing_becomes_hotter_or_colder_than_what_is_around_and_no_heat_is_lost() {
    let mut world = world(warm_drop());
    let before = heat(&world);
    world.run(1.0, 0.02);
    let after = heat(&world);
    assert!(
        after.coldest >= 295.0 && after.hottest <= 380.0,
        "{after:?}"
    );
    // The middle of the drop is as warm as it was but for what conduction takes.
    assert!(after.hottest > 370.0, "{after:?}");
    let flow = expect_balance(&world, before);
    assert!(
        flow.walls > 0.0 && flow.air < 0.0 && flow.heaters == 0.0,
        "{flow:?}"
    );
    // Nothing is carried but what the volume is off by.
    assert!(flow.carried.abs() < 1e-4 * before.content.abs(), "{flow:?}");
}

#[test]
fn what_has_set_stands_while_what_has_melted_runs() {
    let mut world = world(half_molten_block());
    world.run(1.0, 0.02);
    let places = shown(&world, "melted");
    let set = places.iter().filter(|(_, melted)| *melted < 0.5);
    let top = set.map(|(point, _)| point.y).fold(0.0, f32::max);
    assert!(top > 0.47, "{top}");
    let run = places.iter().filter(|(_, melted)| *melted > 0.5);
    let heights: Vec<f32> = run.map(|(point, _)| point.y).collect();
    let mean = heights.iter().sum::<f32>() / heights.len() as f32;
    // A quarter at the start, an eighth when it has reached both sides.
    assert!(
        heights.len() > 150 && mean < 0.18,
        "{mean} of {}",
        heights.len()
    );
}

/// A hot stream of wax into a pool of cold water that drains away.
fn stream() -> LiquidSetup {
    let pool = cuboid(Vec3::ZERO, Vec3::new(1.0, 0.3, 1.0));
    let mut setup = setup(unit_box(20, true), pool);
    setup.initial[0].temperature = Some(280.0);
    setup.materials[0].thermal = Some(Thermal::conducting(0.6, 4180.0));
    setup
        .materials
        .push(Material::preset("wax").expect("a preset"));
    setup.emitters.push(Emitter {
        name: "tap".into(),
        shape: Arc::new(cuboid(Vec3::new(0.4, 0.7, -1.0), Vec3::new(0.6, 0.8, 1.0))),
        material: MaterialId(1),
        velocity: Vec3::new(0.0, -1.0, 0.0),
        start: 0.0,
        stop: 0.3,
        rate: None,
        temperature: Some(360.0),
    });
    setup.drains.push(Drain {
        name: "sink".into(),
        shape: Arc::new(cuboid(Vec3::splat(-1.0), Vec3::new(0.2, 0.2, 2.0))),
        start: 0.0,
        stop: 1e9,
    });
    setup
}

#[test]
fn a_stream_of_another_liquid_brings_its_heat_and_a_drain_takes_it() {
    let mut world = world(stream());
    let before = heat(&world);
    world.run(0.4, 0.01);
    let after = heat(&world);
    let flow = expect_balance(&world, before);
    assert!(flow.carried != 0.0 && flow.walls == 0.0, "{flow:?}");
    assert!(
        after.coldest >= 280.0 - 1e-3 && after.hottest <= 360.0 + 1e-3,
        "{after:?}"
    );
    assert!(after.hottest > 340.0, "{after:?}");
}

#[test]
fn heat_goes_on_from_a_checkpoint_as_if_nothing_had_been() {
    let mut straight = world(stream());
    straight.run(0.1, 0.01);
    let mut resumed = world(stream());
    resumed.run(0.1, 0.01);
    let measured = heat(&resumed);
    let saved = resumed.liquid.save();
    resumed.liquid.load(saved).expect("its own state");
    assert_eq!(heat(&resumed), measured);
    for world in [&mut straight, &mut resumed] {
        world.run(0.2, 0.01);
    }
    assert_eq!(heat(&resumed), heat(&straight));
    assert_eq!(
        shown(&resumed, "temperature"),
        shown(&straight, "temperature")
    );
}
