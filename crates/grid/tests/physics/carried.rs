//! A quantity that this crate has never heard of: it is carried, shown and kept because a rule says so.

use glam::Vec3;
use ooze_core::channel_rules::expect_not_negative;
use ooze_core::{
    Birth, ChannelData, ChannelRule, Emitter, Handle, KeyframedSolids, Liquid, LiquidSetup,
    MaterialId,
};
use ooze_geometry::Shape;
use ooze_grid::{FlipSettings, LevelSetLiquid, LevelSetSettings};

use crate::support::{World, cuboid, setup, unit_box};

/// Height of birth: what is emitted is told from what was there, and one particle from another.
fn height(birth: &Birth<'_>) -> f32 {
    match birth.liquid {
        Some(_) => birth.position.y,
        None => 100.0 + birth.position.y,
    }
}

/// A dam that breaks below a jet of water, whose particles know at what height they were born.
fn dam() -> (LiquidSetup, Handle<f32>) {
    let column = cuboid(Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.4, 0.6, 1.0));
    let mut setup = setup(unit_box(16, true), column);
    let nozzle = Shape::cuboid(Vec3::new(0.7, 0.8, 0.0), Vec3::new(0.1, 0.1, 1.0));
    setup.emitters.push(Emitter {
        name: "nozzle".into(),
        shape: nozzle.expect("a fair box").into(),
        material: MaterialId(0),
        velocity: Vec3::new(0.0, -1.0, 0.0),
        start: 0.0,
        stop: f64::INFINITY,
        rate: None,
        temperature: None,
    });
    let rule = ChannelRule::new("birth_height", height).in_frames();
    let channel = setup.carried.register(rule.checked(expect_not_negative));
    (setup, channel)
}

/// Each particle's identity and what it carries.
fn carried(world: &World, channel: Handle<f32>) -> Vec<(u32, f32)> {
    let particles = &world.liquid.state().particles;
    let values = particles.carried[channel].iter().copied();
    let mut pairs: Vec<_> = particles.identity.iter().copied().zip(values).collect();
    pairs.sort_by_key(|pair| pair.0);
    pairs
}

#[test]
fn a_stranger_s_quantity_survives_sorting_emission_frames_and_checkpoints() {
    let (setup, channel) = dam();
    let mut world = World::new(setup.clone(), FlipSettings::default(), Vec::new());
    let before = carried(&world, channel);
    let order = world.liquid.state().particles.identity.clone();
    world.run(0.3, 0.01);
    let after = carried(&world, channel);
    assert_ne!(
        world.liquid.state().particles.identity,
        order,
        "sorted anew"
    );
    assert_eq!(after[..before.len()], before[..]);
    let emitted = &after[before.len()..];
    assert!(emitted.len() > 20, "{}", emitted.len());
    assert!(
        emitted
            .iter()
            .all(|&(_, height)| (100.7..100.9).contains(&height))
    );

    let shown: Vec<f32> = after.iter().map(|pair| pair.1).collect();
    let frame = world.liquid.channels();
    assert_eq!(frame.scalars("birth_height"), Ok(&shown[..]));

    let mut resumed = World::new(setup, FlipSettings::default(), Vec::new());
    resumed
        .liquid
        .load(world.liquid.save())
        .expect("a good checkpoint");
    assert_eq!(resumed.liquid.state(), world.liquid.state());
    let mut damaged = world.liquid.save();
    damaged.insert("birth_height", ChannelData::Scalar(vec![-1.0; after.len()]));
    let error = resumed.liquid.load(damaged).expect_err("a bad checkpoint");
    assert!(
        error
            .to_string()
            .starts_with("channel `birth_height`, row 0: -1.0"),
        "{error}"
    );
}

#[test]
fn what_is_carried_along_changes_nothing_else() {
    let (with, _) = dam();
    let mut without = with.clone();
    without.carried = ooze_core::Carried::default();
    let [with, without] = [with, without].map(|setup| {
        let mut world = World::new(setup, FlipSettings::default(), Vec::new());
        world.run(0.1, 0.01);
        world
    });
    assert_eq!(with.positions(), without.positions());
}

/// A ball that falls beside a nozzle; liquid knows how far along x it was born, and what was emitted is far off.
fn ball() -> LiquidSetup {
    let sphere = Shape::sphere(Vec3::new(0.3, 0.75, 0.0), 0.15).expect("a fair sphere");
    let mut setup = setup(unit_box(24, true), sphere);
    setup.emitters = dam().0.emitters;
    setup.emitters[0].velocity.y = -2.0;
    let rule = ChannelRule::new("birth_way", |birth| match birth.liquid {
        Some(_) => birth.position.x,
        None => 100.0,
    });
    setup
        .carried
        .register(rule.in_frames().checked(expect_not_negative));
    setup
}

#[test]
fn a_level_set_carries_a_stranger_s_quantity_too() {
    let setup = ball();
    let mut solids = KeyframedSolids::new(Vec::new());
    let mut liquid = LevelSetLiquid::new(setup.clone(), LevelSetSettings::default(), &solids);
    let mut time = 0.0;
    let mut run = |liquid: &mut LevelSetLiquid, steps: usize| {
        for _ in 0..steps {
            liquid.step(time, 0.01, &mut solids).expect("a step");
            time += 0.01;
        }
    };
    run(&mut liquid, 15);
    let frame = liquid.channels();
    let places = frame.vectors("position").expect("markers");
    let ways = frame.scalars("birth_way").expect("a channel");
    assert_eq!(places.len(), ways.len());
    let mut counts = [0, 0];
    for (place, way) in places.iter().zip(ways) {
        // What falls straight down keeps its x, within a cell: beside the surface values are continued.
        let emitted = place.x > 0.5;
        let expected = if emitted { 100.0 } else { place.x };
        assert!((way - expected).abs() < 1.0 / 24.0, "{place}: {way}");
        counts[usize::from(emitted)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");

    let saved = liquid.save();
    let solids = KeyframedSolids::new(Vec::new());
    let mut resumed = LevelSetLiquid::new(setup, LevelSetSettings::default(), &solids);
    resumed.load(saved.clone()).expect("a good checkpoint");
    assert_eq!(resumed.channels(), frame);
    let mut damaged = saved;
    let values = damaged
        .scalars("carried_birth_way_0_values")
        .expect("a field");
    let negative = ChannelData::Scalar(vec![-1.0; values.len()]);
    damaged.insert("carried_birth_way_0_values", negative);
    let error = resumed.load(damaged).expect_err("a bad checkpoint");
    assert!(
        error
            .to_string()
            .starts_with("channel `birth_way`, row 0: -1.0"),
        "{error}"
    );
}
