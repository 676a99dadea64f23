//! Small rooms of air in vessels that are nearly full.

use crate::support::{GRAVITY, World, cuboid, fixed, setup, unit_box};
use glam::Vec3;
use ooze_core::{Contact, Liquid, Material, WallCondition};
use ooze_grid::{FlipSettings, Transfer};

#[test]
fn the_head_space_of_a_vessel_is_air_to_particles_too() {
    // Honey on either side of a block that reaches through the ceiling, which shuts the air off in a small room and a larger one.
    let trial = |cells: i32, settings: FlipSettings| {
        let honey = cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.7, 2.0));
        let mut setup = setup(unit_box(cells, true), honey);
        setup.materials[0] = Material::preset("honey").expect("a built-in material");
        let density = setup.materials[0].density;
        let sticks = Contact {
            condition: WallCondition::NoSlip,
            ..Contact::default()
        };
        let block = cuboid(Vec3::new(0.2, 0.15, -1.0), Vec3::new(0.3, 2.15, 1.0));
        let mut world = World::new(setup, settings, vec![fixed("block", block, sticks)]);
        world.run(0.1, 0.02);
        let about = format!("{cells} cells, {settings:?}");
        for x in [0.1, 0.65] {
            let point = |height: f32| Vec3::new(x, height, 0.5 / cells as f32);
            let seen = world.liquid.velocity_at(point(0.9));
            assert!(seen.is_none(), "{about}: liquid in the air, at {seen:?}");
            let pressure = world.liquid.pressure_at(point(0.4)).expect("honey");
            let share = pressure / (density * GRAVITY * 0.3);
            assert!(
                (share - 1.0).abs() < 0.1,
                "{about}: {share} of the weight above presses"
            );
        }
    };
    for cells in [16, 24, 32] {
        for transfer in [FlipSettings::default().transfer, Transfer::Apic] {
            // The correction would find the air again, by its volume.
            for volume_correction in [false, true] {
                let settings = FlipSettings {
                    transfer,
                    volume_correction,
                    ..FlipSettings::default()
                };
                trial(cells, settings);
            }
        }
    }
}
