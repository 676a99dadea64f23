//! Thick liquid that spins in weightlessness, in steps of ordinary length.

use glam::{DVec3, Vec3};
use ooze_core::{Liquid, Material};
use ooze_geometry::Shape;
use ooze_grid::{FlipSettings, Transfer};

use crate::support::{World, setup, unit_box};

/// Revolutions a second.
const RATE: f32 = 1.0;
const RADIUS: f32 = 0.3;

/// A disc or ball in flight that spins, so thick that it keeps its shape.
fn spinning(cells: i32, flat: bool) -> World {
    let centre = Vec3::new(0.5, 0.5, if flat { 0.0 } else { 0.5 });
    let ball = Shape::sphere(centre, RADIUS).expect("a fair ball");
    let mut setup = setup(unit_box(cells, flat), ball);
    setup.materials = vec![Material::newtonian("syrup", 1000.0, 1e4, 0.0)];
    setup.forces.clear();
    setup.initial[0].spin = Vec3::new(0.0, 0.0, std::f32::consts::TAU * RATE);
    setup.initial[0].velocity = Vec3::new(0.05, -0.03, 0.0);
    let settings = FlipSettings {
        transfer: Transfer::Apic,
        ..FlipSettings::default()
    };
    World::new(setup, settings, Vec::new())
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
