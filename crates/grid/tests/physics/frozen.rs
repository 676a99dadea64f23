//! Solids that melt: held as long as they are solid, liquid once they are not.

use glam::{DVec3, Quat, Vec3};
use ooze_core::{BodyId, HeatMeasure, Hold, Holder, Liquid, LiquidSetup};
use ooze_geometry::{Keyframe, Motion, Pose};
use ooze_grid::FlipSettings;

use crate::support::{GRAVITY, World, cuboid, setup, unit_box};
use crate::warm_scenes::{HOT, conductor, heated_from_the_left, melting, stefan_depth};

/// Lets a liquid of the start be a solid that stands.
fn stand(setup: &mut LiquidSetup, index: usize) {
    let motion = Motion::fixed(Pose::IDENTITY).expect("a fair pose");
    setup.initial[index].hold = Some(Hold {
        number: 1,
        by: Holder::Motion(motion),
    });
}

fn holders(world: &World) -> &[u8] {
    world.liquid.state().particles.carried.named("frozen")
}

fn free_share(world: &World) -> f64 {
    let free = holders(world).iter().filter(|&&number| number == 0).count();
    free as f64 / holders(world).len() as f64
}

fn heat(world: &World) -> HeatMeasure {
    let measure = world.liquid.measure(&world.solids);
    measure.heat.expect("heat matters")
}

/// Identities and places of the particles that are held.
fn held_places(world: &World) -> Vec<(u64, Vec3)> {
    let particles = &world.liquid.state().particles;
    let all = particles.identity.iter().zip(&particles.position);
    let held = all.zip(holders(world)).filter(|(_, number)| **number != 0);
    let mut places: Vec<(u64, Vec3)> = held
        .map(|((&id, &place), _)| (u64::from(id), place))
        .collect();
    places.sort_by_key(|(id, _)| *id);
    places
}

#[test]
fn a_solid_melts_from_a_hot_wall_as_stefan_s_and_comes_free() {
    let mut setup = heated_from_the_left(melting(0.5), 24, HOT);
    stand(&mut setup, 0);
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    let before = heat(&world).content;
    assert_eq!(free_share(&world), 0.0);
    for end in [1.0, 4.0] {
        world.run(end, 0.02);
        let expected = stefan_depth(end);
        let found = heat(&world).melted;
        let allowed = 0.02 * expected + 0.2 / 24.0;
        assert!((found - expected).abs() < allowed, "{found} {expected}");
        // Particles come free one by one.
        let free = free_share(&world);
        assert!((free - expected).abs() < 1.0 / 24.0, "{free} {expected}");
    }
    let gained = heat(&world).content - before;
    let booked = world.report.heat.expect("it is booked").total();
    assert!((gained / booked - 1.0).abs() < 1e-4, "{gained} {booked}");
}

/// A block that melts, without any stiffness of its own, in a corner, and hot liquid that falls onto it.
fn block_under_hot_liquid(stands: bool) -> World {
    let block = cuboid(Vec3::ZERO, Vec3::new(0.5, 0.4, 1.0));
    let mut setup = setup(unit_box(20, true), block);
    let mut ice = melting(0.5);
    (ice.name, ice.density, ice.viscosity) = ("ice".into(), 900.0, 1e-3);
    setup.materials = vec![ice];
    if stands {
        stand(&mut setup, 0);
    }
    let above = cuboid(Vec3::new(0.0, 0.45, 0.0), Vec3::new(0.5, 0.8, 1.0));
    let mut water = conductor();
    water.viscosity = 1e-3;
    setup.fill(above, water).temperature = Some(HOT);
    World::new(setup, FlipSettings::default(), Vec::new())
}

#[test]
fn what_is_solid_stands_under_its_load_and_what_melts_flows_off() {
    let mut world = block_under_hot_liquid(true);
    let start = held_places(&world);
    let (mass, content) = (world.liquid.measure(&world.solids).mass, heat(&world));
    world.run(1.5, 0.02);
    // Not a particle of the solid has moved, however long liquid has run over it.
    let now = held_places(&world);
    let before = |id: u64| {
        start
            .iter()
            .find(|(own, _)| *own == id)
            .map(|found| found.1)
    };
    assert!(now.len() > start.len() / 2, "{} {}", now.len(), start.len());
    assert!(now.len() < start.len(), "nothing has melted");
    for (id, place) in &now {
        assert_eq!(before(*id), Some(*place));
    }
    // What runs over it comes to the floor beside it.
    let beside = world.positions().iter().filter(|point| point.x > 0.55);
    assert!(beside.count() > 200);
    let kept = world.liquid.measure(&world.solids).mass / mass;
    assert!((kept - 1.0).abs() < 1e-12, "{kept}");
    // Walls pass nothing: all heat is where it was, though much of it has gone from hot to cold.
    let after = heat(&world);
    let passed = content.hottest - after.hottest;
    assert!(passed > 5.0, "{passed}");
    let lost = (after.content - content.content).abs();
    assert!(lost < 1e-4 * content.content.abs(), "{lost}");
    // The same block that is not held runs down at once.
    let mut free = block_under_hot_liquid(false);
    free.run(0.5, 0.02);
    let stays = |world: &World| {
        let inside = world.positions().iter();
        inside
            .filter(|point| point.x < 0.5 && point.y < 0.3)
            .count()
    };
    assert!(stays(&free) < stays(&world));
}

#[test]
fn a_solid_that_melts_follows_its_motion_until_it_does() {
    let block = cuboid(Vec3::splat(0.3), Vec3::splat(0.5));
    let mut setup = setup(unit_box(16, false), block);
    let turned = Quat::from_rotation_z(0.6);
    let key = |time, position, rotation| Keyframe {
        time,
        position: Some(position),
        rotation: Some(rotation),
        ..Keyframe::default()
    };
    let end = Vec3::new(0.3, 0.1, 0.05);
    let keys = [key(0.0, Vec3::ZERO, Quat::IDENTITY), key(0.4, end, turned)];
    let motion = Motion::new(Pose::IDENTITY, &keys, None).expect("a fair motion");
    setup.initial[0].hold = Some(Hold {
        number: 3,
        by: Holder::Motion(motion),
    });
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    let start = held_places(&world);
    world.run(0.4, 0.05);
    let now = held_places(&world);
    assert_eq!(start.len(), now.len());
    for ((_, before), (_, after)) in start.iter().zip(&now) {
        let expected = end + turned * *before;
        assert!(after.abs_diff_eq(expected, 1e-5), "{after} {expected}");
    }
}

/// The mean force on the only solid that melts in a flat tank of cold water at rest around it, in newtons.
fn force_on_held(solid: [Vec3; 2], water: [Vec3; 2]) -> DVec3 {
    let mut setup = setup(unit_box(20, true), cuboid(solid[0], solid[1]));
    setup.materials = vec![melting(0.5)];
    stand(&mut setup, 0);
    let mut cold = conductor();
    cold.viscosity = 1e-3;
    setup.fill(cuboid(water[0], water[1]), cold);
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    let dt = 0.01;
    for _ in 0..20 {
        world.step(dt);
    }
    // After the six sides of the domain.
    let mut impulses = world.report.impulses.iter();
    let own = impulses.find(|impulse| impulse.body == BodyId(6));
    own.expect("it is pushed").total().linear / world.time
}

#[test]
fn a_solid_that_melts_bears_what_stands_on_it_and_is_lifted_by_what_it_displaces() {
    let weight = f64::from(GRAVITY) * 1000.0 * 0.05;
    let (bottom, all) = (Vec3::new(0.0, 0.0, -1.0), Vec3::new(1.0, 0.7, 1.0));
    let bed = [bottom, Vec3::new(1.0, 0.3, 1.0)];
    let borne = force_on_held(bed, [Vec3::new(0.0, 0.3, -1.0), all]);
    assert!((borne.y / (-0.4 * weight) - 1.0).abs() < 0.01, "{borne}");
    assert!(borne.x.abs() < 1e-3 * weight, "{borne}");
    let block = [Vec3::new(0.4, 0.2, -1.0), Vec3::new(0.6, 0.5, 1.0)];
    let lifted = force_on_held(block, [bottom, all]);
    assert!((lifted.y / (0.06 * weight) - 1.0).abs() < 0.02, "{lifted}");
}
