//! Free drops: strained, under tension, spinning.

use glam::Vec3;
use ooze_core::{Liquid, Material};
use ooze_particles::MuellerSettings;
use ooze_particles::cases::{self, SwingingDrop, World};

use super::liquid;
use crate::support::water;

#[test]
fn a_strained_drop_becomes_the_ellipse_of_theory() {
    let drop = liquid(&cases::strained_drop(24), MuellerSettings::default());
    let found = cases::elliptical_drop(drop).expect("steps succeed");
    for (found, (_, minor, major)) in found.iter().zip(cases::STRAINED_DROP) {
        assert!((found.x / minor - 1.0).abs() < 0.02, "{found:?}: {minor}");
        assert!((found.y / major - 1.0).abs() < 0.02, "{found:?}: {major}");
    }
}

const RADIUS: f32 = 0.01;
const TENSION: f32 = 0.07;

/// A drop that is stretched by a factor, with a kinematic viscosity in m²/s and a surface tension in N/m.
fn stretched(stretch: f32, viscosity: f32, tension: f32, across: i32) -> ooze_core::LiquidSetup {
    let drop = SwingingDrop {
        radius: RADIUS,
        stretch,
        tension,
        viscosity,
    };
    drop.setup(across)
}

#[test]
fn a_stretched_drop_swings_as_theory_says() {
    let drop = SwingingDrop::CENTIMETRE;
    let liquid = liquid(&drop.setup(16), MuellerSettings::default());
    let found = cases::oscillation(liquid, drop.end()).expect("steps succeed");
    let found = found.expect("it swings");
    let (frequency, decay) = drop.frequency_and_decay();
    assert!(
        (found.frequency / frequency - 1.0).abs() < 0.05,
        "{found:?} {frequency}"
    );
    assert!((found.decay / decay - 1.0).abs() < 0.1, "{found:?} {decay}");
}

#[test]
fn a_round_drop_has_the_pressure_of_its_tension() {
    let setup = stretched(1.0, 1e-4, TENSION, 20);
    let mut world = World::new(liquid(&setup, MuellerSettings::default()));
    world.run(0.15).expect("steps succeed");
    let middle = Vec3::new(3.0 * RADIUS, 3.0 * RADIUS, 0.0);
    let pressure = world.liquid.pressure_at(middle).expect("there is liquid");
    let expected = TENSION / RADIUS;
    assert!(
        (pressure / expected - 1.0).abs() < 0.1,
        "{pressure} {expected}"
    );
}

#[test]
fn a_ball_has_twice_the_pressure_of_a_disc() {
    let material = Material::newtonian("drop", 1000.0, 0.1, TENSION);
    let size = Vec3::splat(3.0 * RADIUS);
    let ball = ooze_geometry::Shape::sphere(0.5 * size, RADIUS).expect("a fair ball");
    let setup = cases::single_liquid(cases::closed_box(size, 14, false), material, ball);
    let mut world = World::new(liquid(&setup, MuellerSettings::default()));
    world.run(0.03).expect("steps succeed");
    let pressure = world.liquid.pressure_at(0.5 * size);
    let pressure = pressure.expect("there is liquid");
    let expected = 2.0 * TENSION / RADIUS;
    // Ten spacings to a radius are few for a curvature in three dimensions.
    assert!(
        (pressure / expected - 1.0).abs() < 0.25,
        "{pressure} {expected}"
    );
}

#[test]
fn without_tension_a_drop_keeps_its_form() {
    let setup = stretched(1.2, 1e-5, 0.0, 10);
    let mut world = World::new(liquid(&setup, MuellerSettings::default()));
    let before = cases::radii(&world.positions());
    world.run(0.06).expect("steps succeed");
    let after = cases::radii(&world.positions());
    assert!(
        (after.x / before.x - 1.0).abs() < 0.01,
        "{before:?} {after:?}"
    );
    assert!(
        (after.y / before.y - 1.0).abs() < 0.01,
        "{before:?} {after:?}"
    );
}

#[test]
fn momentum_of_a_free_drop_is_kept_and_its_surface_found() {
    let mut setup = cases::drop_in_space(water(), 0.01, 1.2, 12);
    setup.initial[0].velocity = Vec3::new(0.1, 0.03, 0.0);
    let drift = cases::momentum_drift(liquid(&setup, MuellerSettings::default()));
    let drift = drift.expect("steps succeed");
    assert!(drift < 1e-6, "momentum drifts by {drift} a step");
    let mut world = World::new(liquid(&setup, MuellerSettings::default()));
    world.run(0.01).expect("steps succeed");
    let surface = world.liquid.surface_particles(&world.solids);
    let positions = &world.liquid.state().particles.position;
    let centre = positions.iter().copied().sum::<Vec3>() / positions.len() as f32;
    // Some 2πR over the spacing are at the surface, and their normals point outwards.
    assert!(
        surface.len() > 60 && surface.len() < positions.len() * 6 / 10,
        "{}",
        surface.len()
    );
    for (index, normal) in surface {
        let outward = (positions[index] - centre).normalize();
        assert!(outward.dot(normal) > 0.7, "{outward} {normal}");
    }
}

#[test]
fn a_viscous_drop_spins_on() {
    let syrup = Material::newtonian("syrup", 1000.0, 10.0, 0.0);
    let mut setup = cases::drop_in_space(syrup, 0.1, 1.0, 10);
    setup.initial[0].spin = Vec3::Z * 1.0;
    let mut world = World::new(liquid(&setup, MuellerSettings::default()));
    let spin = |world: &World<_>| {
        let particles = &ooze_particles::MuellerLiquid::state(&world.liquid).particles;
        let middle = Vec3::new(0.3, 0.3, 0.0);
        let pairs = particles.position.iter().zip(&particles.velocity);
        pairs
            .map(|(&point, &velocity)| f64::from((point - middle).cross(velocity).z))
            .sum::<f64>()
    };
    let before = spin(&world);
    // Ten times the time in which viscosity evens out what is not a rotation.
    world.run(0.5).expect("steps succeed");
    let after = spin(&world);
    assert!((after / before - 1.0).abs() < 0.01, "{before} {after}");
}
