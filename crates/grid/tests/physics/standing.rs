//! Liquids that are so thick that they stand.

use glam::Vec3;
use ooze_core::{Contact, Material, Side, WallCondition};
use ooze_grid::FlipSettings;

use crate::support::{World, cuboid, setup, unit_box};

/// A block, half a metre high, on a floor that it sticks to. Under its weight it sinks by a tenth of a micrometre in a second.
fn block(cells: i32, flat: bool, settings: FlipSettings) -> World {
    let mut domain = unit_box(cells, flat);
    let floor = Contact {
        condition: WallCondition::NoSlip,
        ..Contact::default()
    };
    domain.sides[1][0] = Side::Closed(floor);
    let [near, far] = if flat { [0.0, 1.0] } else { [0.25, 0.75] };
    let (lower, upper) = (Vec3::new(0.25, 0.0, near), Vec3::new(0.75, 0.5, far));
    let mut setup = setup(domain, cuboid(lower, upper));
    setup.materials = vec![Material::newtonian("wax", 1000.0, 1e10, 0.0)];
    World::new(setup, settings, Vec::new())
}

/// Where the particles are, in the order in which they came.
fn places(world: &World) -> Vec<Vec3> {
    let particles = &world.liquid.state().particles;
    let order = particles.identity_order();
    let place = |&index: &u32| particles.position[index as usize];
    order.iter().map(place).collect()
}

#[test]
fn no_particle_of_what_stands_creeps() {
    for (cells, flat, steps) in [(16, true, 60), (20, true, 60), (16, false, 12)] {
        for settings in [FlipSettings::default(), FlipSettings::apic()] {
            for dt in [1.0 / 30.0, 0.01] {
                let mut world = block(cells, flat, settings);
                let start = places(&world);
                for _ in 0..steps {
                    world.step(dt);
                }
                let ways = start.iter().zip(places(&world));
                let ways = ways.map(|(start, end)| end.distance(*start) * cells as f32);
                let way = ways.fold(0.0, f32::max);
                assert!(way < 1e-4, "{cells} flat {flat} {dt}: {way} cells");
            }
        }
    }
}
