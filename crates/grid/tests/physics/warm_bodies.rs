//! Bodies that cool by what they give to the liquid around them.

use glam::Vec3;
use ooze_core::{
    BodyHeat, ChannelError, Channels, Collider, Contact, Impulse, KeyframedSolids, Liquid,
    LiquidSetup, Material, Solid, Solids, StepReport, Thermal, WallHeat,
};
use ooze_grid::{
    FlipLiquid, FlipSettings, LevelSetLiquid, LevelSetSettings, MarkerLiquid, MarkerSettings,
};

use crate::support::{cuboid, fixed, setup, unit_box, water};
use crate::warm_scenes::{COLD, HOT, conductor};

/// Colliders of which the first one cools.
struct Cooling {
    solids: Vec<Solid>,
    temperature: f64,
}

impl Cooling {
    fn new(colliders: Vec<Collider>, capacity: f64) -> Self {
        let mut solids = KeyframedSolids::new(colliders).all().to_vec();
        solids[0].heat_capacity = Some(capacity);
        let temperature = solids[0].changing_temperature().expect("it is warm");
        Self {
            solids,
            temperature: f64::from(temperature),
        }
    }
}

impl Solids for Cooling {
    fn all(&self) -> &[Solid] {
        &self.solids
    }

    fn advance(&mut self, _time: f64, _dt: f64) {}

    fn push(&mut self, _impulses: &[Impulse], _dt: f64) {}

    fn warm(&mut self, heat: &[BodyHeat]) {
        for BodyHeat { body, gained } in heat {
            assert_eq!(body.0, 0, "others keep their temperature");
            let solid = &mut self.solids[0];
            self.temperature += gained / solid.heat_capacity.expect("it has one");
            let heat = solid.contact.heat.as_mut().expect("it is warm");
            heat.temperature = self.temperature as f32;
        }
    }

    fn save(&self) -> Channels {
        Channels::default()
    }

    fn load(&mut self, _saved: Channels, _time: f64) -> Result<(), ChannelError> {
        Ok(())
    }
}

/// A liquid around a solid that cools.
struct World {
    liquid: Box<dyn Liquid>,
    solids: Cooling,
    time: f64,
    report: StepReport,
}

impl World {
    fn step(&mut self, dt: f64) {
        let step = self.liquid.step(self.time, dt, &mut self.solids);
        let report = step.expect("the step succeeds");
        self.solids.warm(&report.body_heat);
        self.report.absorb(report);
        self.time += dt;
    }

    /// Heat content of the liquid in J.
    fn content(&self) -> f64 {
        let measure = self.liquid.measure(&self.solids);
        measure.heat.expect("heat matters").content
    }
}

const CELLS: i32 = 24;
/// In W/(m² K): so little passes that liquid and solid are each equally warm throughout.
const TRANSFER: f32 = 100.0;
/// Of the liquid of a flat box that a solid of a ninth of it is in, in J/K.
const LIQUID: f64 = 1e6 * (8.0 / 9.0) / CELLS as f64;

fn hot(transfer: Option<f32>) -> Contact {
    let heat = WallHeat {
        temperature: HOT,
        transfer,
    };
    Contact {
        heat: Some(heat),
        ..Contact::default()
    }
}

/// Liquid in a flat box, and a hot solid in the middle of it that needs so much heat a kelvin.
fn worlds(setup: &LiquidSetup, transfer: Option<f32>, capacity: f64) -> [(&'static str, World); 3] {
    let block = cuboid(
        Vec3::new(1.0, 1.0, -3.0) / 3.0,
        Vec3::new(2.0, 2.0, 6.0) / 3.0,
    );
    let block = fixed("block", block, hot(transfer));
    let solids = || Cooling::new(vec![block.clone()], capacity);
    let flip = FlipLiquid::new(setup.clone(), FlipSettings::default(), &solids());
    let level_set = LevelSetLiquid::new(setup.clone(), LevelSetSettings::default(), &solids());
    let markers = MarkerLiquid::new(setup.clone(), MarkerSettings::default(), &solids());
    let world = |liquid: Box<dyn Liquid>| World {
        liquid,
        solids: solids(),
        time: 0.0,
        report: StepReport::default(),
    };
    [
        ("flip", world(Box::new(flip))),
        ("level set", world(Box::new(level_set))),
        ("markers", world(Box::new(markers))),
    ]
}

/// Without weight, so that nothing flows.
fn full_box(material: Material) -> LiquidSetup {
    let mut setup = setup(unit_box(CELLS, true), cuboid(Vec3::ZERO, Vec3::ONE));
    setup.materials = vec![material];
    setup.forces.clear();
    setup
}

#[test]
fn a_body_and_the_liquid_around_it_come_to_one_temperature_as_exp() {
    let area = 4.0 / 3.0 / f64::from(CELLS);
    let conductance = f64::from(TRANSFER) * area;
    // Short steps are solved line by line, long ones at once; in the last case the liquid warms as much as the body cools.
    for (capacity, share) in [(3.0, 0.02), (3000.0, 0.02), (LIQUID, 0.02)] {
        let setup = full_box(conductor());
        for (name, mut world) in worlds(&setup, Some(TRANSFER), capacity) {
            let together = 1.0 / (1.0 / capacity + 1.0 / LIQUID);
            let decay = together / conductance;
            let before = world.content();
            let steps = 75;
            for _ in 0..steps {
                world.step(share * decay);
            }
            let left = (-f64::from(steps) * share).exp();
            let end = (capacity * f64::from(HOT) + LIQUID * f64::from(COLD)) / (capacity + LIQUID);
            let expected = end + left * (f64::from(HOT) - end);
            let found = world.solids.temperature;
            let error = (found - expected) / (f64::from(HOT - COLD) * together / capacity);
            assert!(error.abs() < 0.01, "{name} {capacity}: {found} {expected}");
            // What one of them lost the other one got.
            let lost = capacity * (f64::from(HOT) - found);
            let gained = world.content() - before;
            assert!(
                (gained / lost - 1.0).abs() < 1e-4,
                "{name}: {gained} {lost}"
            );
            let flow = world.report.heat.expect("it is booked");
            assert!((flow.bodies / lost - 1.0).abs() < 1e-9, "{name}: {flow:?}");
            assert_eq!(flow.walls, 0.0);
        }
    }
}

#[test]
fn the_error_of_a_body_s_temperature_shrinks_with_the_step() {
    let capacity = 3000.0;
    let decay = capacity / (f64::from(TRANSFER) * 4.0 / 3.0 / f64::from(CELLS));
    let after = |steps: u32| {
        let setup = full_box(conductor());
        let [(_, mut world), ..] = worlds(&setup, Some(TRANSFER), capacity);
        for _ in 0..steps {
            world.step(decay / f64::from(steps));
        }
        world.solids.temperature
    };
    let [coarse, fine, finer] = [4, 8, 16].map(after);
    let ratio = (coarse - fine) / (fine - finer);
    assert!((1.7..2.4).contains(&ratio), "{coarse} {fine} {finer}");
}

#[test]
fn a_step_that_is_far_too_long_takes_body_and_liquid_to_one_temperature_and_not_beyond() {
    // What melts takes latent heat on the way.
    let mut wax = Material::preset("wax").expect("a preset");
    let thermal = wax.thermal.as_mut().expect("it melts");
    thermal.conductivity = 1e4;
    wax.temperature = 300.0;
    for capacity in [1.0, 1e4, 1e8] {
        let setup = full_box(wax.clone());
        for (name, mut world) in worlds(&setup, None, capacity) {
            let before = world.content();
            for step in 0..3 {
                world.step(1e6);
                let measure = world.liquid.measure(&world.solids);
                let heat = measure.heat.expect("heat matters");
                let own = world.solids.temperature;
                assert!(
                    (own - heat.mean).abs() < 0.05 && heat.hottest - heat.coldest < 0.1,
                    "{name} {capacity}, {step}: {own} {heat:?}"
                );
                assert!((300.0..=400.0).contains(&own), "{name} {capacity}: {own}");
            }
            let lost = capacity * (f64::from(HOT) - world.solids.temperature);
            let gained = world.content() - before;
            assert!(
                (gained / lost - 1.0).abs() < 1e-4,
                "{name}: {gained} {lost}"
            );
        }
    }
}

#[test]
fn a_body_that_touches_no_liquid_keeps_its_heat() {
    let mut water = water();
    water.thermal = Some(Thermal::conducting(0.6, 4000.0));
    let mut setup = full_box(water);
    setup.initial[0].shape = std::sync::Arc::new(cuboid(Vec3::ZERO, Vec3::new(1.0, 0.2, 1.0)));
    for (_, mut world) in worlds(&setup, None, 10.0) {
        for _ in 0..5 {
            world.step(0.1);
        }
        assert_eq!(world.solids.temperature, f64::from(HOT));
        assert_eq!(world.report.heat.expect("it is booked").bodies, 0.0);
    }
}
