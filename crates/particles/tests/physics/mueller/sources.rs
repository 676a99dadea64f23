//! Emitters, drains and moving colliders.

use std::sync::Arc;

use glam::Vec3;
use ooze_core::{Collider, Contact, Drain, Emitter, KeyframedSolids, Liquid, MaterialId, Solids};
use ooze_geometry::{Interpolation, Keyframe, Motion, Pose, Shape};
use ooze_particles::cases::{self, World};
use ooze_particles::{MuellerLiquid, MuellerSettings, WallForm};

use super::liquid;
use crate::support::water;

#[test]
fn an_emitter_emits_its_area_times_its_speed_and_a_drain_takes_it_all() {
    let mut setup = cases::tank_setup(water(), Vec3::new(0.4, 0.4, 0.0), 0.1, 20, true);
    setup.initial.clear();
    let nozzle = Shape::cuboid(Vec3::new(0.2, 0.3, 0.0), Vec3::new(0.05, 0.02, 1.0));
    setup.emitters.push(Emitter {
        name: "nozzle".into(),
        shape: Arc::new(nozzle.expect("a fair box")),
        material: MaterialId(0),
        velocity: Vec3::new(0.0, -0.5, 0.0),
        start: 0.0,
        stop: 0.2,
        rate: None,
        temperature: None,
    });
    let sink = Shape::cuboid(Vec3::new(0.2, 0.1, 0.0), Vec3::new(0.2, 0.1, 1.0));
    setup.drains.push(Drain {
        name: "sink".into(),
        shape: Arc::new(sink.expect("a fair box")),
        start: 0.25,
        stop: f64::INFINITY,
    });
    let mut world = World::new(liquid(&setup, MuellerSettings::default()));
    world.run(0.2).expect("steps succeed");
    let measure = world.liquid.measure(&world.solids);
    // What fills the nozzle at first, and 0.5 m/s through its width of 0.1 m, a cell deep.
    let depth = f64::from(setup.domain.cell_size);
    let expected = (0.04 + 0.5 * 0.2) * 0.1 * depth;
    assert!(
        (measure.expected_volume / expected - 1.0).abs() < 0.05,
        "{measure:?} {expected}"
    );
    assert!(measure.volume_drift().abs() < 0.03, "{measure:?}");
    world.run(1.0).expect("steps succeed");
    let measure = world.liquid.measure(&world.solids);
    assert_eq!(measure.particles, 0, "{measure:?}");
    // Nothing is left in the books either: not a trace of rounding, of which no particle would be a drift of −100 %.
    assert_eq!(
        (measure.expected_volume, measure.volume_drift()),
        (0.0, 0.0)
    );
}

/// A block that is pushed through a tank along x.
fn pushed_block() -> KeyframedSolids {
    let block = Shape::cuboid(Vec3::ZERO, Vec3::new(0.05, 0.1, 1.0)).expect("a fair block");
    let key = |time: f64, x: f32| Keyframe {
        time,
        position: Some(Vec3::new(x, 0.1, 0.0)),
        rotation: None,
        scale: None,
        interpolation: Interpolation::Linear,
    };
    let keys = [key(0.0, 0.1), key(0.4, 0.3)];
    KeyframedSolids::new(vec![Collider {
        name: "block".into(),
        shape: Arc::new(block),
        motion: Motion::new(Pose::IDENTITY, &keys, None).expect("a fair motion"),
        contact: Contact::default(),
    }])
}

#[test]
fn a_moving_block_pushes_the_liquid_out_of_its_way() {
    for walls in [WallForm::Distance, WallForm::Ghosts, WallForm::Particles] {
        let setup = cases::tank_setup(water(), Vec3::new(0.6, 0.4, 0.0), 0.15, 30, true);
        let settings = MuellerSettings {
            walls,
            ..MuellerSettings::default()
        };
        let solids = pushed_block();
        let liquid = MuellerLiquid::new(setup, settings, &solids);
        let mut world = World::with_solids(liquid, solids);
        let ahead = |world: &World<MuellerLiquid>| {
            let positions = &world.liquid.state().particles.position;
            positions.iter().filter(|point| point.x > 0.36).count()
        };
        let (before, count) = (ahead(&world), world.positions().len());
        world.run(0.4).expect("steps succeed");
        let positions = world.positions();
        let spacing = world.liquid.resolution().spacing;
        for &point in &positions {
            let block = &world.solids.all()[0];
            let distance = block.distance(&block.end, point);
            assert!(distance > -0.3 * spacing, "{walls:?}: {point} {distance}");
            assert!(point.is_finite() && point.y < 0.4, "{walls:?}: {point}");
        }
        assert_eq!(positions.len(), count);
        // Liquid between the block's front and where it stops has moved on, and piles up.
        assert!(
            ahead(&world) as f64 > 1.15 * before as f64,
            "{walls:?}: {before}"
        );
    }
}
