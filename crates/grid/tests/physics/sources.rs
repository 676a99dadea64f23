//! Emitters, drains and open sides.

use std::sync::Arc;

use crate::support::{World, cuboid, setup, unit_box};
use glam::Vec3;
use ooze_core::{Drain, Emitter, Liquid, MaterialId, Side};
use ooze_grid::FlipSettings;

fn emitter(rate: Option<f64>) -> Emitter {
    Emitter {
        name: "tap".into(),
        shape: Arc::new(cuboid(Vec3::new(0.4, 0.8, 0.4), Vec3::new(0.6, 0.9, 0.6))),
        material: MaterialId(0),
        velocity: Vec3::new(0.0, -2.0, 0.0),
        start: 0.05,
        stop: 0.25,
        rate,
        temperature: None,
    }
}

fn emitted(rate: Option<f64>, longest_step: f64) -> f64 {
    let mut setup = setup(unit_box(20, false), cuboid(Vec3::ZERO, Vec3::splat(0.1)));
    setup.initial.clear();
    setup.emitters.push(emitter(rate));
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    world.run(0.4, longest_step);
    world.liquid.state().inventory.expected_volume
}

#[test]
fn an_emitter_delivers_its_area_times_speed_times_time() {
    // The region itself, then 0.04 m² at 2 m/s for 0.2 s.
    let expected = 0.004 + 0.04 * 2.0 * 0.2;
    for longest_step in [0.01, 0.0043] {
        let volume = emitted(None, longest_step);
        assert!(
            (volume / expected - 1.0).abs() < 0.02,
            "{volume} {expected}"
        );
    }
}

#[test]
fn a_rate_caps_what_is_emitted() {
    let rate = 0.03;
    let volume = emitted(Some(rate), 0.01);
    let expected = rate * 0.2;
    assert!(
        volume <= expected && volume > 0.95 * expected,
        "{volume} {expected}"
    );
}

#[test]
fn a_stream_has_the_density_of_everything_else() {
    let mut setup = setup(unit_box(20, false), cuboid(Vec3::ZERO, Vec3::splat(0.1)));
    setup.initial.clear();
    setup.forces.clear();
    setup.emitters.push(emitter(None));
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    world.run(0.25, 0.01);
    let stretch = |point: &&Vec3| point.y > 0.5 && point.y < 0.7;
    let count = world.positions().iter().filter(stretch).count() as f64;
    let expected = 0.04 * 0.2 * 8.0 * 8000.0;
    assert!((count / expected - 1.0).abs() < 0.05, "{count} {expected}");
}

#[test]
fn a_drain_empties_its_region_and_the_books_agree() {
    let mut setup = setup(
        unit_box(20, false),
        cuboid(Vec3::ZERO, Vec3::new(1.0, 0.3, 1.0)),
    );
    setup.drains.push(Drain {
        name: "sink".into(),
        shape: Arc::new(cuboid(Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.2, 0.1, 1.0))),
        start: 0.1,
        stop: f64::INFINITY,
    });
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    world.run(0.1, 0.01);
    let before = world.liquid.state().inventory.expected_volume;
    assert!((before - 0.3).abs() < 0.005, "{before}");
    world.run(0.5, 0.01);
    let measure = world.liquid.measure(&world.solids);
    assert!(measure.expected_volume < 0.8 * before);
    assert!(
        measure.volume_drift().abs() < 0.03,
        "{}",
        measure.volume_drift()
    );
}

#[test]
fn liquid_leaves_through_an_open_side_and_is_accounted_for() {
    let mut setup = setup(
        unit_box(20, false),
        cuboid(Vec3::ZERO, Vec3::new(0.5, 0.5, 1.0)),
    );
    setup.domain.sides[0][1] = Side::Open;
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    world.run(1.0, 0.01);
    let state = world.liquid.state();
    let remaining = state.particles.len() as f64 / (8.0 * 8000.0);
    assert!((state.inventory.expected_volume - remaining).abs() < 1e-6);
    assert!(remaining < 0.1, "{remaining}");
    assert!(world.positions().iter().all(|point| point.x < 1.0));
}

#[test]
fn nothing_is_missed_of_a_liquid_that_has_left_whole() {
    let block = cuboid(Vec3::splat(0.3), Vec3::splat(0.7));
    let mut setup = setup(unit_box(10, false), block);
    setup.domain.sides[0][1] = Side::Open;
    setup.initial[0].velocity = Vec3::new(4.0, 1.0, 0.0);
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    for step in 1..=10 {
        world.run(0.05 * f64::from(step), 0.02);
        let measure = world.liquid.measure(&world.solids);
        let drift = measure.volume_drift();
        assert!(drift.abs() < 0.05, "{} left: {drift}", measure.particles);
    }
    let measure = world.liquid.measure(&world.solids);
    assert_eq!((measure.particles, measure.expected_volume), (0, 0.0));
}
