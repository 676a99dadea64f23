//! Tanks at rest, with each kind of wall, and a breaking dam.

use glam::Vec3;
use ooze_core::{Liquid, Side, WallCondition};
use ooze_particles::cases::{self, World};
use ooze_particles::{MuellerSettings, WallForm};

use super::liquid;
use crate::support::water;

fn walls(walls: WallForm) -> MuellerSettings {
    MuellerSettings {
        walls,
        ..MuellerSettings::default()
    }
}

fn tank(form: WallForm, flat: bool, end: f64) -> cases::TankAtRest {
    let size = Vec3::new(0.5, 0.6, 0.2);
    let setup = cases::tank_setup(water(), size, 0.4, if flat { 15 } else { 10 }, flat);
    let found = cases::tank_at_rest(liquid(&setup, walls(form)), &setup, 0.4, end);
    found.expect("steps succeed")
}

#[test]
fn a_flat_tank_comes_to_rest_with_every_kind_of_wall() {
    for form in [WallForm::Distance, WallForm::Ghosts, WallForm::Particles] {
        let found = tank(form, true, 2.0);
        assert!(found.pressure_error < 0.02, "{form:?}: {found:?}");
        assert!(found.residual_speed < 0.01, "{form:?}: {found:?}");
        assert!(found.compression.abs() < 0.03, "{form:?}: {found:?}");
        assert!(found.sinking.abs() < 0.03, "{form:?}: {found:?}");
    }
}

#[test]
fn a_deep_tank_stays_at_rest() {
    let found = tank(WallForm::Ghosts, false, 0.3);
    assert!(found.pressure_error < 0.02, "{found:?}");
    assert!(found.residual_speed < 0.01, "{found:?}");
}

#[test]
fn liquid_at_rest_begins_with_the_pressure_of_its_weight() {
    let size = Vec3::new(0.5, 0.6, 0.2);
    let setup = cases::tank_setup(water(), size, 0.4, 10, true);
    let mut world = World::new(liquid(&setup, MuellerSettings::default()));
    let step = world.liquid.stable_step(&world.solids).seconds;
    world.step(step).expect("the step succeeds");
    for depth in [0.1, 0.2, 0.3] {
        let point = Vec3::new(0.25, 0.4 - depth, 0.02);
        let pressure = world.liquid.pressure_at(point).expect("there is liquid");
        let expected = 1000.0 * cases::GRAVITY * depth;
        assert!(
            (pressure / expected - 1.0).abs() < 0.05,
            "{depth}: {pressure}"
        );
    }
    // A block in the air weighs on nothing.
    let mut falling = setup.clone();
    falling.initial[0].shape = ooze_geometry::Shape::sphere(Vec3::new(0.25, 0.3, 0.0), 0.15)
        .expect("a fair ball")
        .into();
    let mut world = World::new(liquid(&falling, MuellerSettings::default()));
    world.step(step).expect("the step succeeds");
    let pressure = world.liquid.pressure_at(Vec3::new(0.25, 0.3, 0.02));
    assert!(
        pressure.expect("there is liquid").abs() < 20.0,
        "{pressure:?}"
    );
}

#[test]
fn compression_is_reported() {
    let size = Vec3::new(0.5, 0.6, 0.2);
    let setup = cases::tank_setup(water(), size, 0.4, 10, true);
    let mut world = World::new(liquid(&setup, MuellerSettings::default()));
    world.run(0.2).expect("steps succeed");
    let step = world.liquid.stable_step(&world.solids).seconds;
    let report = world.liquid.step(world.time, step, &mut world.solids);
    let found = report.expect("the step succeeds").density_error;
    let found = found.expect("particle liquids measure it");
    assert!(found.mean > 0.0 && found.mean < 0.03, "{found:?}");
    assert!(found.max >= found.mean && found.max < 0.2, "{found:?}");
}

#[test]
fn a_dam_breaks_as_in_the_laboratory() {
    let setup = cases::dam_break_setup(water(), 0.25, 60);
    let found = cases::dam_break(liquid(&setup, MuellerSettings::default()), 0.25);
    let found = found.expect("steps succeed");
    assert!(found.deviation < 0.1, "{found:?}");
    assert!((found.slope / 1.32 - 1.0).abs() < 0.1, "{found:?}");
}

/// Share of its speed that a sheet of syrup has kept beside a floor.
fn kept_speed(form: WallForm, condition: WallCondition) -> f64 {
    let syrup = ooze_core::Material::newtonian("syrup", 1000.0, 5.0, 0.0);
    let mut setup = cases::tank_setup(syrup, Vec3::new(0.4, 0.1, 0.0), 0.05, 32, true);
    for sides in &mut setup.domain.sides {
        for side in sides {
            if let Side::Closed(contact) = side {
                contact.condition = condition;
            }
        }
    }
    // In the middle, where the walls at the ends are not felt yet.
    setup.initial[0].velocity = Vec3::X * 0.05;
    let mut world = World::new(liquid(&setup, walls(form)));
    world.run(0.1).expect("steps succeed");
    let point = Vec3::new(0.2, 0.01, 0.0);
    let velocity = world.liquid.velocity_at(point).expect("there is liquid");
    f64::from(velocity.x / 0.05)
}

#[test]
fn walls_without_slip_hold_the_liquid_and_slip_walls_do_not() {
    for form in [WallForm::Distance, WallForm::Ghosts, WallForm::Particles] {
        let (held, free) = (
            kept_speed(form, WallCondition::NoSlip),
            kept_speed(form, WallCondition::Slip),
        );
        assert!(held < 0.5 * free, "{form:?}: {held} {free}");
    }
}
