//! Elastic strength that depends on temperature: jelly that melts and sets.

use glam::Vec3;
use ooze_core::{
    Contact, Elasticity, Liquid, LiquidSetup, Material, Measure, MoltenStrength, Side, Thermal,
    WallCondition, WallHeat,
};
use ooze_grid::{FlipSettings, LevelSetSettings};

use crate::level_set;
use crate::support::{World, cuboid, setup, unit_box};

const COLD: f32 = 280.0;
const HOT: f32 = 320.0;

/// A jelly that melts at 300 K and conducts so well that it is soon as warm as its floor.
fn jelly(temperature: f32) -> Material {
    Material {
        temperature,
        elasticity: Some(Elasticity {
            modulus: 2e4,
            yield_strain: 0.6,
            decay_rate: 2.0,
        }),
        thermal: Some(Thermal {
            melting_point: Some(300.0),
            melting_width: Some(10.0),
            latent_heat: Some(1e3),
            molten_strength: Some(MoltenStrength {
                modulus: 0.0,
                yield_strain: 0.0,
            }),
            ..Thermal::conducting(2e4, 1000.0)
        }),
        ..Material::newtonian("jelly", 1000.0, 1.0, 0.0)
    }
}

/// A block in the middle of a flat box, which sticks to the floor.
fn block_setup(temperature: f32, floor: f32) -> LiquidSetup {
    let block = cuboid(Vec3::new(0.35, 0.0, 0.0), Vec3::new(0.65, 0.3, 1.0));
    let mut setup = setup(unit_box(24, true), block);
    setup.materials = vec![jelly(temperature)];
    let heat = Some(WallHeat {
        temperature: floor,
        transfer: None,
    });
    setup.domain.sides[1][0] = Side::Closed(Contact {
        condition: WallCondition::NoSlip,
        friction: 0.0,
        heat,
    });
    setup
}

fn block(temperature: f32, floor: f32) -> World {
    let setup = block_setup(temperature, floor);
    World::new(setup, FlipSettings::default(), Vec::new())
}

fn level_set_block(temperature: f32, floor: f32) -> level_set::World {
    let setup = block_setup(temperature, floor);
    level_set::World::new(setup, LevelSetSettings::default(), Vec::new())
}

/// The mean height: a splash that runs up the sides does not count for much.
fn height(world: &World) -> f64 {
    let heights = world.positions().iter().map(|point| f64::from(point.y));
    heights.sum::<f64>() / world.positions().len() as f64
}

/// Kinetic, potential and elastic energy in J.
fn energy(world: &World) -> f64 {
    let measure = world.liquid.measure(&world.solids);
    measure.kinetic_energy + measure.potential_energy + world.liquid.elastic_energy()
}

#[test]
fn jelly_stands_below_its_melting_point_and_runs_above_it() {
    let mut cold = block(COLD, COLD);
    let mut hot = block(HOT, HOT);
    cold.run(0.6, 0.01);
    hot.run(0.6, 0.01);
    assert!(height(&cold) > 0.13, "{}", height(&cold));
    assert!(height(&hot) < 0.09, "{}", height(&hot));
    assert!(cold.liquid.elastic_energy() > 0.005);
    assert_eq!(hot.liquid.elastic_energy(), 0.0);
}

#[test]
fn what_melts_loses_its_stress_and_runs_and_what_sets_stands() {
    // Cold jelly under its weight is strained; on a hot floor it melts, loses its stress and runs.
    let mut melts = block(COLD, HOT);
    let mut before = energy(&melts);
    let mut most = 0.0;
    while melts.time < 0.8 {
        melts.run(melts.time + 0.02, 0.01);
        let now = energy(&melts);
        assert!(now < before + 1e-3, "{}: {before} J to {now} J", melts.time);
        before = now;
        most = f64::max(most, melts.liquid.elastic_energy());
    }
    assert!(most > 0.1, "{most}");
    assert!(height(&melts) < 0.09, "{}", height(&melts));
    let left = melts.liquid.elastic_energy();
    assert!(left < 0.2 * most, "{left} {most}");
    // What sets on a cold floor stands as it is from then on.
    let mut sets = block(HOT, COLD);
    while sets.time < 0.6 {
        sets.run(sets.time + 0.02, 0.01);
    }
    let set = height(&sets);
    sets.run(1.0, 0.01);
    assert!(
        (height(&sets) / set - 1.0).abs() < 0.02,
        "{set} {}",
        height(&sets)
    );
}

/// The mean height by what lifting the liquid has taken.
fn mean_height(measure: &Measure) -> f64 {
    measure.potential_energy / (9.81 * measure.mass)
}

fn stored(measure: &Measure) -> f64 {
    measure.elastic_energy.expect("it is elastic")
}

#[test]
fn level_sets_of_jelly_stand_below_their_melting_point_and_run_above_it() {
    let mut cold = level_set_block(COLD, COLD);
    let mut hot = level_set_block(HOT, HOT);
    cold.run(0.4, 0.01);
    hot.run(0.4, 0.01);
    let (cold, hot) = (cold.measure(), hot.measure());
    assert!(mean_height(&cold) > 0.13, "{}", mean_height(&cold));
    assert!(mean_height(&hot) < 0.1, "{}", mean_height(&hot));
    assert!(stored(&cold) > 0.005, "{}", stored(&cold));
    assert!(stored(&hot) < 1e-3, "{}", stored(&hot));
}

#[test]
fn level_sets_that_melt_lose_their_stress_and_run_and_stand_where_they_set() {
    let mut melts = level_set_block(COLD, HOT);
    let energy =
        |measure: &Measure| measure.kinetic_energy + measure.potential_energy + stored(measure);
    let mut before = energy(&melts.measure());
    let mut most = 0.0;
    for frame in 1..=40 {
        melts.run(0.02 * f64::from(frame), 0.01);
        let measure = melts.measure();
        let now = energy(&measure);
        assert!(now < before + 0.05, "{frame}: {before} J to {now} J");
        before = now;
        most = f64::max(most, stored(&measure));
    }
    let measure = melts.measure();
    assert!(most > 0.1, "{most}");
    assert!(mean_height(&measure) < 0.1, "{}", mean_height(&measure));
    assert!(stored(&measure) < 0.2 * most, "{} {most}", stored(&measure));
    let mut sets = level_set_block(HOT, COLD);
    sets.run(0.6, 0.01);
    let set = mean_height(&sets.measure());
    sets.run(0.9, 0.01);
    let later = mean_height(&sets.measure());
    assert!((later / set - 1.0).abs() < 0.02, "{set} {later}");
}
