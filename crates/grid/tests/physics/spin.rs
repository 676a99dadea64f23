//! Thick liquid that spins in weightlessness, in steps of ordinary length.

use glam::{DVec3, Vec3};
use ooze_core::{Elasticity, KeyframedSolids, Liquid, LiquidSetup, Material};
use ooze_geometry::Shape;
use ooze_grid::{ElasticityScheme, FlipSettings, LevelSetLiquid, LevelSetSettings, Transfer};

use crate::support::{World, setup, unit_box};

/// Revolutions a second.
const RATE: f32 = 1.0;
const RADIUS: f32 = 0.3;

/// A disc or ball in flight that spins, so thick that it keeps its shape.
fn spinning(cells: i32, flat: bool) -> World {
    let settings = FlipSettings {
        transfer: Transfer::Apic,
        ..FlipSettings::default()
    };
    let syrup = Material::newtonian("syrup", 1000.0, 1e4, 0.0);
    World::new(spinning_setup(cells, flat, syrup), settings, Vec::new())
}

/// The same of another material.
fn spinning_setup(cells: i32, flat: bool, material: Material) -> LiquidSetup {
    let centre = Vec3::new(0.5, 0.5, if flat { 0.0 } else { 0.5 });
    let ball = Shape::sphere(centre, RADIUS).expect("a fair ball");
    let mut setup = setup(unit_box(cells, flat), ball);
    setup.materials = vec![material];
    setup.forces.clear();
    setup.initial[0].spin = Vec3::new(0.0, 0.0, std::f32::consts::TAU * RATE);
    setup.initial[0].velocity = Vec3::new(0.05, -0.03, 0.0);
    setup
}

/// Angular momentum about the centre of mass.
fn spin(world: &World) -> DVec3 {
    let measure = world.liquid.measure(&world.solids);
    let points = world.positions().iter();
    let centre = points.map(|point| point.as_dvec3()).sum::<DVec3>() / measure.particles as f64;
    measure.angular_momentum - centre.cross(measure.momentum)
}

/// Share of its spin that a world loses in a revolution, and its change of velocity beside the speed of the rim.
fn loss(mut world: World, cells: i32, revolutions: f64) -> (f64, f32) {
    // The rim crosses one cell in a step.
    let rim_speed = std::f32::consts::TAU * RATE * RADIUS;
    let dt = f64::from(1.0 / (cells as f32 * rim_speed));
    // The first steps even out how the ball was filled with particles.
    world.run(2.0 * dt, dt);
    let (start, before, velocity) = (world.time, spin(&world), world.mean_velocity());
    world.run(start + revolutions / f64::from(RATE), dt);
    let after = spin(&world);
    assert!(after.truncate().length() < 0.005 * after.z, "{after}");
    // The rim stays on.
    let centre = world.positions().iter().sum::<Vec3>() / world.positions().len() as f32;
    let radii = world.positions().iter().map(|point| point.distance(centre));
    let farthest = radii.fold(0.0, f32::max);
    assert!(farthest < RADIUS + 0.25 / cells as f32, "{farthest}");
    let share = 1.0 - (after.z / before.z).powf(1.0 / revolutions);
    let drift = (world.mean_velocity() - velocity).length() / rim_speed;
    (share, drift)
}

#[test]
fn a_disc_keeps_its_spin_for_a_revolution() {
    // 32 cells across. Without what carrying takes away being given back, a fifth would go.
    let cells = 53;
    let (share, drift) = loss(spinning(cells, true), cells, 1.0);
    assert!(share.abs() < 0.01, "lost {share}");
    assert!(drift < 0.002, "drifts by {drift} of the rim's speed");
}

#[test]
fn a_ball_keeps_its_spin() {
    // 16 cells across, an eighth of a revolution.
    let cells = 27;
    let (share, drift) = loss(spinning(cells, false), cells, 0.125);
    assert!(share.abs() < 0.01, "lost {share}");
    assert!(drift < 0.002, "drifts by {drift} of the rim's speed");
}

#[test]
fn stiff_elastic_bodies_keep_their_spin_in_long_steps() {
    // 16 cells across. Steps in which the rim crosses a cell would be 20 times as long as explicit ones.
    let cells = 27;
    for (modulus, scheme) in [
        (4e5, ElasticityScheme::Explicit),
        (4e5, ElasticityScheme::Automatic),
        (4e5, ElasticityScheme::Implicit),
    ] {
        let gel = Material {
            elasticity: Some(Elasticity {
                modulus,
                yield_strain: 10.0,
                decay_rate: 1.0,
            }),
            ..Material::newtonian("gel", 1000.0, 0.0, 0.0)
        };
        let mut settings = FlipSettings::default();
        settings.elasticity.scheme = scheme;
        let world = World::new(spinning_setup(cells, true, gel), settings, Vec::new());
        let (share, drift) = loss(world, cells, 0.25);
        assert!(share.abs() < 0.02, "{modulus} {scheme:?}: lost {share}");
        assert!(drift < 0.02, "{modulus} {scheme:?}: drifts by {drift}");
    }
}

/// The spin of a stiff disc of gel on a level set after some seconds, as a share of what it was.
fn spin_left_on_a_level_set(seconds: f64) -> f64 {
    let gel = Material {
        elasticity: Some(Elasticity {
            modulus: 4e5,
            yield_strain: 10.0,
            decay_rate: 1.0,
        }),
        ..Material::newtonian("gel", 1000.0, 0.0, 0.0)
    };
    let mut solids = KeyframedSolids::new(Vec::new());
    let setup = spinning_setup(27, true, gel);
    let mut liquid = LevelSetLiquid::new(setup, LevelSetSettings::default(), &solids);
    let about_centre = |liquid: &LevelSetLiquid, solids: &KeyframedSolids, time: f64| {
        let measure = liquid.measure(solids);
        let centre = DVec3::new(0.5 + 0.05 * time, 0.5 - 0.03 * time, 0.0);
        (measure.angular_momentum - centre.cross(measure.momentum)).z
    };
    let start = about_centre(&liquid, &solids, 0.0);
    let mut time = 0.0;
    while time < seconds - 1e-9 {
        let dt = liquid.stable_step(&solids).seconds.min(seconds - time);
        let report = liquid.step(time, dt, &mut solids);
        report.expect("the step succeeds");
        time += dt;
    }
    about_centre(&liquid, &solids, seconds) / start
}

#[test]
fn a_stiff_disc_on_a_level_set_keeps_its_spin() {
    // Carrying along a rotation takes 1 − cos ωdt of it in each step, if that is not given back.
    let left = spin_left_on_a_level_set(0.25);
    assert!((left - 1.0).abs() < 0.03, "{left}");
}
