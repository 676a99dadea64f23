//! Liquid that turns with the drum that holds it.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::Vec3;
use ooze_core::{Collider, Contact, Liquid, LiquidSetup, Material, WallCondition};
use ooze_geometry::{Motion, Pose, Shape, Spin};
use ooze_grid::{FlipSettings, LevelSetSettings, Transfer};

use crate::level_set;
use crate::support::{World, cuboid, setup, unit_box};

/// Revolutions a second.
const RATE: f32 = 1.0;
const RADIUS: f32 = 0.4;
/// Between the planes of any grid.
const CENTRE: Vec3 = Vec3::new(0.493, 0.507, 0.498);

/// A drum full of liquid that turns with it: a cylinder in flat scenes, else a hollow ball.
fn scene(
    cells: i32,
    axis: Vec3,
    flat: bool,
    viscosity: f32,
    condition: WallCondition,
) -> (LiquidSetup, Collider) {
    let hollow = |centre: Vec3| {
        let shape = if flat {
            Shape::cylinder(centre - 2.0 * Vec3::Z, centre + 2.0 * Vec3::Z, RADIUS)
        } else {
            Shape::sphere(centre, RADIUS)
        };
        shape.expect("a fair hollow")
    };
    let block = cuboid(Vec3::splat(-0.95), Vec3::splat(0.95));
    let pose = Pose {
        translation: CENTRE,
        ..Pose::IDENTITY
    };
    let spin = Spin {
        axis,
        revolutions_per_second: f64::from(RATE),
    };
    let collider = Collider {
        name: "drum".into(),
        shape: Arc::new(Shape::difference(block, vec![hollow(Vec3::ZERO)]).expect("a fair drum")),
        motion: Motion::new(pose, &[], Some(spin)).expect("a fair motion"),
        contact: Contact {
            condition,
            friction: 0.0,
            heat: None,
        },
    };
    let mut setup = setup(unit_box(cells, flat), hollow(CENTRE));
    setup.materials = vec![Material::newtonian("liquid", 1000.0, viscosity, 0.0)];
    setup.forces.clear();
    setup.initial[0].spin = axis * (TAU * RATE);
    (setup, collider)
}

/// The same as particles.
fn drum((setup, collider): (LiquidSetup, Collider), transfer: Transfer) -> World {
    let settings = FlipSettings {
        transfer,
        ..FlipSettings::default()
    };
    World::new(setup, settings, vec![collider])
}

/// The fastest particle of a revolution in steps of ordinary length, over the speed of the drum's wall, and the share of its
/// angular momentum about the drum's axis that the liquid has at the end.
fn revolution(mut world: World, axis: Vec3) -> (f32, f64) {
    let turn = |world: &World| {
        let measure = world.liquid.measure(&world.solids);
        let about = measure.angular_momentum - CENTRE.as_dvec3().cross(measure.momentum);
        about.dot(axis.as_dvec3())
    };
    let at_first = turn(&world);
    let mut fastest: f32 = 0.0;
    while world.time < 1.0 / f64::from(RATE) {
        let stable = world.liquid.stable_step(&world.solids).seconds;
        world.step(stable);
        let velocities = world.liquid.state().particles.velocity.iter();
        fastest = velocities.map(|own| own.length()).fold(fastest, f32::max);
    }
    (fastest / (TAU * RATE * RADIUS), turn(&world) / at_first)
}

#[test]
fn nothing_in_a_drum_is_faster_than_its_wall() {
    let tilted = Vec3::new(0.3, 1.0, -0.6).normalize();
    let transfers = [FlipSettings::default().transfer, Transfer::Apic];
    for (cells, axis, flat) in [
        (24, Vec3::Z, true),
        (32, Vec3::Z, true),
        (16, tilted, false),
    ] {
        for transfer in transfers {
            for viscosity in [1e-3, 10.0] {
                let scene = scene(cells, axis, flat, viscosity, WallCondition::NoSlip);
                let world = drum(scene, transfer);
                let (fastest, kept) = revolution(world, axis);
                let case = format!("{cells} cells, {transfer:?}, {viscosity} Pa s");
                assert!(fastest < 1.015, "{case}: {fastest}");
                // Carrying takes some of the spin in long steps, which only liquid that is viscous gets back.
                let least = if viscosity > 1.0 { 0.93 } else { 0.75 };
                assert!(kept > least && kept < 1.005, "{case}: {kept}");
            }
        }
    }
}

#[test]
fn nothing_thick_is_faster_than_a_drum_that_it_glides_along() {
    let tilted = Vec3::new(0.3, 1.0, -0.6).normalize();
    let transfers = [FlipSettings::default().transfer, Transfer::Apic];
    for (cells, axis, flat) in [(24, Vec3::Z, true), (16, tilted, false)] {
        for transfer in transfers {
            let scene = scene(cells, axis, flat, 10.0, WallCondition::Slip);
            let (fastest, kept) = revolution(drum(scene, transfer), axis);
            let case = format!("{cells} cells, {transfer:?}");
            assert!(fastest < 1.015, "{case}: {fastest}");
            assert!(kept > 0.85 && kept < 1.005, "{case}: {kept}");
        }
    }
}

#[test]
fn the_fastest_of_a_level_set_is_liquid_and_no_wall() {
    let tilted = Vec3::new(0.3, 1.0, -0.6).normalize();
    for (cells, axis, flat) in [(24, Vec3::Z, true), (16, tilted, false)] {
        for viscosity in [1e-3, 10.0] {
            let held = WallCondition::NoSlip;
            let (setup, collider) = scene(cells, axis, flat, viscosity, held);
            let settings = LevelSetSettings::default();
            let mut world = level_set::World::new(setup, settings, vec![collider]);
            world.run(0.1 / f64::from(RATE), 1.0);
            let fastest = world.measure().max_speed / f64::from(TAU * RATE * RADIUS);
            assert!(
                (0.8..1.1).contains(&fastest),
                "{cells} cells, {viscosity} Pa s: {fastest}"
            );
        }
    }
}
