//! Two liquids: buoyancy and interface tension.

use glam::Vec3;
use ooze_core::{LiquidSetup, Material, MaterialId};
use ooze_geometry::Shape;
use ooze_particles::cases::{self, World};
use ooze_particles::{MuellerLiquid, MuellerSettings};

use super::heat::heated;
use super::{centre, liquid};

/// A box full of one liquid with a body of another in its middle.
fn body_in_liquid(around: Material, body: Material, shape: Shape, cells: i32) -> LiquidSetup {
    let size = Vec3::new(0.2, 0.2, 0.0);
    let mut setup = cases::tank_setup(around, size, 0.2, cells, true);
    setup.materials.push(body);
    let mut inner = setup.initial[0].clone();
    inner.shape = shape.into();
    inner.material = MaterialId(1);
    setup.initial.insert(0, inner);
    setup
}

fn oil(name: &str, density: f32) -> Material {
    Material::newtonian(name, density, 0.5, 0.0)
}

fn ball() -> Shape {
    Shape::sphere(Vec3::new(0.1, 0.08, 0.0), 0.03).expect("a fair ball")
}

fn rise(density: f32) -> f32 {
    let setup = body_in_liquid(oil("water", 1000.0), oil("oil", density), ball(), 20);
    let mut world = World::new(liquid(&setup, MuellerSettings::default()));
    let before = centre(&world.liquid, 1);
    world.run(0.3).expect("steps succeed");
    (centre(&world.liquid, 1) - before).y
}

#[test]
fn light_liquid_rises_heavy_liquid_sinks_and_equal_liquid_stays() {
    let (light, equal, heavy) = (rise(700.0), rise(1000.0), rise(1300.0));
    assert!(light > 0.01, "{light}");
    assert!(heavy < -0.01, "{heavy}");
    // The tank itself stirs a little while its packing settles.
    assert!(equal.abs() < 0.25 * light, "{equal} {light}");
}

#[test]
fn warm_liquid_rises_where_it_expands_and_stays_where_it_does_not() {
    let rise = |expansion: f32| {
        let (cold, hot) = (oil("cold", 1000.0), oil("hot", 1000.0));
        let usual = cold.temperature;
        let mut setup = body_in_liquid(cold, hot, ball(), 20);
        setup.domain.sides[1][0] = heated(usual);
        let settings = MuellerSettings {
            thermal_expansion: expansion,
            heat_diffusivity: Some(0.0),
            ..MuellerSettings::default()
        };
        let mut world = World::new(liquid(&setup, settings));
        heat_material(&mut world.liquid, 1, usual + 50.0);
        let before = centre(&world.liquid, 1);
        world.run(0.3).expect("steps succeed");
        (centre(&world.liquid, 1) - before).y
    };
    let (with, without) = (rise(5e-3), rise(0.0));
    assert!(with > 0.005, "{with}");
    assert!(without.abs() < 0.25 * with, "{without} {with}");
}

fn heat_material(liquid: &mut MuellerLiquid, material: u8, temperature: f32) {
    use ooze_core::{ChannelData, Liquid};
    let mut saved = liquid.save();
    let materials = saved
        .bytes("material")
        .expect("materials are saved")
        .to_vec();
    let values = saved.scalars("temperature").expect("there is heat").iter();
    let heated = values
        .zip(materials)
        .map(|(&value, found)| {
            if found == material {
                temperature
            } else {
                value
            }
        })
        .collect();
    saved.insert("temperature", ChannelData::Scalar(heated));
    liquid.load(saved).expect("the state fits");
}

/// How much of its stretch a long body of liquid has left after a while.
fn stretch_left(interface_tension: f32) -> f64 {
    let axes = Vec3::new(0.06, 0.03, 1.0);
    let shape = Shape::ellipsoid(Vec3::new(0.1, 0.1, 0.0), axes).expect("a fair ellipse");
    let liquids = [oil("water", 1000.0), oil("oil", 1000.0)];
    let [around, body] = liquids;
    let mut setup = body_in_liquid(around, body, shape, 20);
    setup.forces.clear();
    let settings = MuellerSettings {
        interface_tension: Some(interface_tension),
        ..MuellerSettings::default()
    };
    let mut world = World::new(liquid(&setup, settings));
    let radii = |world: &World<MuellerLiquid>| {
        let particles = &world.liquid.state().particles;
        let pairs = particles.position.iter().zip(&particles.material);
        let own: Vec<Vec3> = pairs
            .filter(|&(_, &material)| material == 1)
            .map(|(&position, _)| position)
            .collect();
        cases::radii(&own)
    };
    let before = radii(&world);
    world.run(0.6).expect("steps succeed");
    let after = radii(&world);
    (after.x / after.y - 1.0) / (before.x / before.y - 1.0)
}

#[test]
fn interface_tension_rounds_a_body_and_without_it_nothing_does() {
    let (with, without) = (stretch_left(1.0), stretch_left(0.0));
    assert!(with < 0.6, "{with}");
    assert!((without - 1.0).abs() < 0.05, "{without}");
}
