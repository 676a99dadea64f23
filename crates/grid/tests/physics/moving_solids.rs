//! Solids that move, on both kinds of grid liquid.

use std::sync::Arc;

use glam::Vec3;
use ooze_core::{Collider, Contact, KeyframedSolids, Liquid, LiquidSetup, Solids};
use ooze_geometry::{Keyframe, Motion, Pose};
use ooze_grid::{FlipLiquid, FlipSettings, LevelSetLiquid, LevelSetSettings};

use crate::support::{cuboid, setup, unit_box};

const CELLS: i32 = 24;

/// Both liquids of a scene, by name.
fn liquids(setup: &LiquidSetup, solids: &KeyframedSolids) -> [(&'static str, Box<dyn Liquid>); 2] {
    let flip = FlipLiquid::new(setup.clone(), FlipSettings::default(), solids);
    let level_set = LevelSetLiquid::new(setup.clone(), LevelSetSettings::default(), solids);
    [("flip", Box::new(flip)), ("level-set", Box::new(level_set))]
}

/// Runs a liquid in steps of equal length, and hands it to `see` after each.
fn run(
    liquid: &mut dyn Liquid,
    solids: &mut KeyframedSolids,
    dt: f64,
    steps: u32,
    mut see: impl FnMut(&dyn Liquid, &KeyframedSolids),
) {
    for step in 0..steps {
        let time = dt * f64::from(step);
        solids.advance(time, dt);
        let report = liquid.step(time, dt, solids);
        report.expect("the step succeeds");
        see(liquid, solids);
    }
}

#[test]
fn a_plunger_pushes_as_far_in_its_last_step_as_in_the_others() {
    // Water that fills a channel but for its open end is pushed by a plunger at constant speed: every step moves its front
    // as far, that which ends on the last keyframe too.
    let key = |time, x| Keyframe {
        time,
        position: Some(Vec3::new(x, 0.0, 0.0)),
        ..Keyframe::default()
    };
    let keys = [key(0.0, 0.0), key(0.2, 0.2)];
    let plunger = Collider {
        name: "plunger".into(),
        shape: Arc::new(cuboid(
            Vec3::new(-1.0, -1.0, -1.0),
            Vec3::new(0.1, 2.0, 2.0),
        )),
        motion: Motion::new(Pose::IDENTITY, &keys, None).expect("fair keyframes"),
        contact: Contact::default(),
    };
    let water = cuboid(Vec3::new(0.1, -1.0, -1.0), Vec3::new(0.6, 2.0, 2.0));
    let mut setup = setup(unit_box(CELLS, true), water);
    setup.forces.clear();
    let solids = KeyframedSolids::new(vec![plunger]);
    for (name, mut liquid) in liquids(&setup, &solids) {
        let mut speeds = Vec::new();
        run(
            &mut *liquid,
            &mut solids.clone(),
            0.02,
            10,
            |liquid, solids| {
                let measure = liquid.measure(solids);
                speeds.push(measure.momentum.x / measure.mass);
            },
        );
        let steady = speeds.iter().all(|speed| (speed - 1.0).abs() < 0.02);
        assert!(steady, "{name}: {speeds:?}");
    }
}
