//! Liquids that should do nothing, or nothing but what gravity tells them.

use crate::support::{GRAVITY, World, cuboid, setup, unit_box};
use glam::Vec3;
use ooze_core::Liquid;
use ooze_grid::{FlipSettings, Sampling, Transfer};

/// Half a box of water, 20 cells a side.
fn tank(flat: bool, settings: FlipSettings) -> World {
    let lower = Vec3::splat(-1.0);
    let water = cuboid(lower, Vec3::new(2.0, 0.5, 2.0));
    World::new(setup(unit_box(20, flat), water), settings, Vec::new())
}

#[test]
fn a_tank_stays_at_rest_with_hydrostatic_pressure() {
    // One particle a cell leaves the velocity noisy; the paper uses it for viscous liquids, which damp the noise.
    for (flat, sampling, residual) in [
        (false, Sampling::Fine, 0.01),
        (true, Sampling::Fine, 0.01),
        (true, Sampling::Coarse, 0.05),
    ] {
        let mut world = tank(
            flat,
            FlipSettings {
                sampling,
                ..FlipSettings::default()
            },
        );
        world.run(1.0, 0.01);
        let measure = world.liquid.measure(&world.solids);
        let height = 0.5;
        let limit = residual * f64::from(GRAVITY * height).sqrt();
        let rms = (2.0 * measure.kinetic_energy / measure.mass).sqrt();
        assert!(
            rms < limit,
            "flat {flat} {sampling:?}: residual speed {rms} of {limit}"
        );
        for depth in [0.1, 0.2, 0.3, 0.4] {
            let point = Vec3::new(0.5, height - depth, 0.5 * if flat { 0.05 } else { 1.0 });
            let pressure = world.liquid.pressure_at(point).expect("water there");
            let expected = 998.0 * GRAVITY * depth;
            let error = (pressure - expected).abs() / (998.0 * GRAVITY * height);
            // The surface over one particle a cell is uneven by half a cell.
            let allowed = if sampling == Sampling::Fine {
                0.02
            } else {
                0.15
            };
            assert!(
                error < allowed,
                "flat {flat} {sampling:?} depth {depth}: {pressure} {expected}"
            );
        }
        let drift = measure.volume_drift();
        assert!(
            drift.abs() < 0.01,
            "flat {flat} {sampling:?}: volume drift {drift}"
        );
    }
}

#[test]
fn a_blob_in_free_flight_falls_with_g_and_drifts_with_its_velocity() {
    for transfer in [Transfer::Flip(0.97), Transfer::Apic] {
        let ball = ooze_geometry::Shape::sphere(Vec3::new(0.5, 0.7, 0.5), 0.2).expect("fair");
        let mut setup = setup(unit_box(24, false), ball);
        setup.initial[0].velocity = Vec3::new(0.5, 0.0, -0.25);
        let settings = FlipSettings {
            transfer,
            ..FlipSettings::default()
        };
        let mut world = World::new(setup, settings, Vec::new());
        world.run(0.2, 0.01);
        let expected = Vec3::new(0.5, -GRAVITY * 0.2, -0.25);
        let mean = world.mean_velocity();
        assert!(
            mean.abs_diff_eq(expected, 2e-3),
            "{transfer:?}: {mean} {expected}"
        );
        // It stays one ball: no particle has strayed.
        let centre = Vec3::new(0.6, 0.7 - 0.5 * GRAVITY * 0.04, 0.45);
        let stray = world
            .positions()
            .iter()
            .map(|point| point.distance(centre))
            .fold(0.0, f32::max);
        assert!(
            stray < 0.25,
            "{transfer:?}: a particle is {stray} from the centre"
        );
    }
}

#[test]
fn a_rigid_translation_without_gravity_is_kept() {
    let ball = ooze_geometry::Shape::sphere(Vec3::splat(0.4), 0.2).expect("fair");
    let mut setup = setup(unit_box(24, false), ball);
    setup.forces.clear();
    setup.initial[0].velocity = Vec3::new(0.8, 0.4, 0.2);
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    let before = world.liquid.measure(&world.solids);
    world.run(0.25, 0.01);
    let after = world.liquid.measure(&world.solids);
    let change = (after.momentum - before.momentum).length() / before.momentum.length();
    assert!(change < 1e-4, "momentum changed by {change}");
    let loss = 1.0 - after.kinetic_energy / before.kinetic_energy;
    assert!(loss.abs() < 1e-3, "kinetic energy lost {loss}");
}

#[test]
fn affine_transfer_keeps_a_free_drop_spinning() {
    let ball = ooze_geometry::Shape::sphere(Vec3::new(0.5, 0.5, 1.0 / 64.0), 0.3).expect("fair");
    let mut setup = setup(unit_box(32, true), ball);
    setup.forces.clear();
    setup.initial[0].spin = Vec3::new(0.0, 0.0, 2.0);
    let measure_spin = |transfer| {
        let settings = FlipSettings {
            transfer,
            ..FlipSettings::default()
        };
        let mut world = World::new(setup.clone(), settings, Vec::new());
        let spin = |world: &World| {
            let measure = world.liquid.measure(&world.solids);
            let centre = glam::DVec3::new(0.5, 0.5, 1.0 / 64.0);
            (measure.angular_momentum - centre.cross(measure.momentum)).z
        };
        let before = spin(&world);
        world.run(0.3, 0.01);
        spin(&world) / before
    };
    let affine = measure_spin(Transfer::Apic);
    let damped = measure_spin(Transfer::Flip(0.0));
    // An inviscid drop spins up its radius; what matters is that angular momentum does not decay.
    assert!((affine - 1.0).abs() < 0.01, "affine: {affine}");
    assert!(damped < 0.98, "particle-in-cell damps rotation: {damped}");
}
