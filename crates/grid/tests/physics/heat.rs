//! Heat on a grid against closed forms, and where it goes.

use std::sync::Arc;

use glam::Vec3;
use ooze_core::{
    Ambient, Collider, Contact, Drain, HeatMeasure, Heater, HeaterStrength, Liquid, LiquidSetup,
    Material, STEFAN_BOLTZMANN, Side, Thermal, ViscosityLaw, WallCondition,
};
use ooze_geometry::{Motion, Pose, Shape, Spin};
use ooze_grid::FlipSettings;

use crate::support::{World, cuboid, fixed, setup, unit_box};
use crate::warm_scenes::{
    COLD, DIFFUSIVITY, HOT, conductor, entered, half_molten_block, heated_from_the_left,
    largest_error, melting, stefan_depth, warm, warm_drop,
};

fn temperatures(world: &World) -> &[f32] {
    world.liquid.state().particles.carried.named("temperature")
}

/// Places and temperatures.
fn shown(world: &World) -> impl Iterator<Item = (Vec3, f32)> {
    let places = world.positions().iter().copied();
    places.zip(temperatures(world).iter().copied())
}

fn heat(world: &World) -> HeatMeasure {
    let measure = world.liquid.measure(&world.solids);
    measure.heat.expect("heat matters")
}

/// Error of heat that has entered from a wall for a second, in steps of `dt`.
fn entering_error(cells: i32, dt: f64) -> f64 {
    let setup = heated_from_the_left(conductor(), cells, HOT);
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    world.run(1.0, dt);
    let width = 1.0 / cells as f32;
    largest_error(
        shown(&world),
        width,
        |point| Some(point.x),
        |x| entered(x, 1.0),
    )
}

#[test]
fn heat_enters_from_a_wall_as_erfc() {
    // Short steps are solved line by line, long ones at once.
    for dt in [0.002, 0.02] {
        let error = entering_error(32, dt);
        assert!(error < 0.012, "{dt}: {error}");
    }
    let (coarse, fine) = (entering_error(16, 0.008), entering_error(32, 0.002));
    let order = (coarse / fine).log2();
    assert!(order > 1.5, "{coarse} {fine}: order {order}");
}

#[test]
fn an_oblique_wall_heats_as_a_straight_one_does() {
    let mut setup = heated_from_the_left(conductor(), 32, HOT);
    setup.domain.sides[0][0] = Side::Closed(Contact::default());
    let (point, normal) = (
        Vec3::new(0.3, 0.0, 0.0),
        Vec3::new(0.9, 0.43, 0.0).normalize(),
    );
    let wall = Shape::half_space(point, normal).expect("a fair plane");
    let collider = fixed("wall", wall, warm(HOT));
    let mut world = World::new(setup, FlipSettings::default(), vec![collider]);
    world.run(1.0, 0.01);
    // In the middle, where the box's own sides, which the wall does not meet squarely, are not felt yet.
    let distance = |place: Vec3| {
        let inner = (place.y - 0.45).abs() < 0.1;
        inner.then(|| (place - point).dot(normal))
    };
    let error = largest_error(shown(&world), 1.0 / 32.0, distance, |at| entered(at, 1.0));
    assert!(error < 0.03, "{error}");
}

#[test]
fn a_front_melts_as_stefan_s() {
    for (cells, dt) in [(24, 0.02), (40, 0.02), (24, 0.25)] {
        let setup = heated_from_the_left(melting(0.5), cells, HOT);
        let mut world = World::new(setup, FlipSettings::default(), Vec::new());
        let before = heat(&world).content;
        for end in [2.0, 8.0] {
            world.run(end, dt);
            let expected = stefan_depth(end);
            let found = heat(&world).melted;
            let allowed = 0.02 * expected + if dt < 0.1 { 0.2 } else { 1.0 } / f64::from(cells);
            assert!(
                (found - expected).abs() < allowed,
                "{cells} {dt} {end}: {found} {expected}"
            );
        }
        let gained = heat(&world).content - before;
        let booked = world.report.heat.expect("it is booked").total();
        assert!((gained / booked - 1.0).abs() < 1e-5, "{gained} {booked}");
    }
}

#[test]
fn a_front_into_what_is_colder_melts_as_neumann_s() {
    // St_l = 0.5 above and St_s = 0.2 below the melting point, equal properties: λ = 0.39753.
    let cold = COLD - 40.0;
    let mut setup = heated_from_the_left(melting(0.5), 48, HOT);
    setup.initial[0].temperature = Some(cold);
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    let end = 2.0;
    world.run(end, 0.01);
    let expected = 2.0 * 0.397_53 * (f64::from(DIFFUSIVITY) * end).sqrt();
    let found = heat(&world).melted;
    assert!(
        (found - expected).abs() < 0.02 * expected + 0.2 / 48.0,
        "{found} {expected}"
    );
}

#[test]
fn viscosity_that_falls_across_a_gap_bends_the_profile() {
    // Between a hot shaft that turns and a cold drum: T is linear in ln r, and μ r³ ω′ is the same everywhere.
    let (inner, outer) = (0.15_f32, 0.45_f32);
    let mut material = Material::newtonian("syrup", 1000.0, 200.0, 0.0);
    let mut thermal = Thermal::conducting(1e5, 1000.0);
    let rate = 10f32.ln() / (HOT - COLD);
    thermal.viscosity_law = Some(ViscosityLaw::Exponential { rate });
    (material.thermal, material.temperature) = (Some(thermal), COLD);
    let mut setup = setup(unit_box(48, true), cuboid(Vec3::ZERO, Vec3::ONE));
    setup.materials = vec![material];
    setup.forces.clear();
    let centre = Vec3::new(0.5, 0.5, 0.0);
    let rod = |radius: f32| Shape::cylinder(Vec3::NEG_Z, Vec3::Z, radius).expect("a fair rod");
    let around = cuboid(Vec3::splat(-2.0), Vec3::splat(2.0));
    let drum = Shape::difference(around, vec![rod(outer)]).expect("a fair drum");
    let held = |temperature| Contact {
        condition: WallCondition::NoSlip,
        ..warm(temperature)
    };
    let at_centre = |turns: f64| {
        let spin = Spin {
            axis: Vec3::Z,
            revolutions_per_second: turns,
        };
        let pose = Pose {
            translation: centre,
            ..Pose::IDENTITY
        };
        Motion::new(pose, &[], (turns > 0.0).then_some(spin)).expect("a fair motion")
    };
    let shaft = Collider {
        motion: at_centre(0.05),
        ..fixed("shaft", rod(inner), held(HOT))
    };
    let drum = Collider {
        motion: at_centre(0.0),
        ..fixed("drum", drum, held(COLD))
    };
    let mut world = World::new(setup, FlipSettings::default(), vec![shaft, drum]);
    world.run(3.0, 0.05);
    let profile = |radius: f32| {
        // From the drum, where nothing turns.
        let steps = 2000;
        let step = (outer - radius) / steps as f32;
        let term = |index: i32| {
            let at = radius + (index as f32 + 0.5) * step;
            let warmth = (outer / at).ln() / (outer / inner).ln();
            10f32.powf(warmth) / at.powi(3) * step
        };
        (0..steps).map(term).sum::<f32>()
    };
    let turning = std::f32::consts::TAU * 0.05;
    for radius in [0.2, 0.3, 0.4] {
        let expected = profile(radius) / profile(inner) * turning * radius;
        let found = world.liquid_speed_at(centre + Vec3::new(0.6, 0.8, 0.0) * radius);
        assert!(
            (found - expected).abs() < 0.02 * turning * inner,
            "{radius}: {found} {expected}"
        );
    }
}

#[test]
fn nothing_becomes_hotter_or_colder_than_what_is_around_and_no_heat_is_lost() {
    let mut world = World::new(warm_drop(), FlipSettings::default(), Vec::new());
    let before = heat(&world).content;
    world.run(1.0, 0.02);
    let after = heat(&world);
    assert!(
        after.coldest >= 295.0 && after.hottest <= 400.0,
        "{after:?}"
    );
    let flow = world.report.heat.expect("it is booked");
    assert!(
        flow.walls > 0.0 && flow.air < 0.0 && flow.heaters == 0.0,
        "{flow:?}"
    );
    let passed = flow.walls - flow.air;
    let error = after.content - before - flow.total();
    assert!(error.abs() < 1e-4 * passed, "{error} of {passed}");
}

/// A ball in flight that is cooled by air, or heated by a heater.
fn ball(cells: i32) -> LiquidSetup {
    let shape = Shape::sphere(Vec3::splat(0.5), 0.25).expect("a fair ball");
    let mut setup = setup(unit_box(cells, false), shape);
    setup.materials = vec![conductor()];
    setup.forces.clear();
    setup
}

#[test]
fn a_ball_cools_in_air_by_its_surface() {
    // So well conducting that it is equally warm throughout: T − T_air ∝ exp(−3 h t/(ρ c R)).
    let mut setup = ball(20);
    setup.initial[0].temperature = Some(HOT);
    setup.heat.ambient = Some(Ambient {
        temperature: COLD,
        transfer: 1e4,
        emissivity: 0.0,
    });
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    world.run(4.0, 0.1);
    // The slowest mode of a ball of Biot number 0.25.
    let expected = (-3.0 * 0.01 / 0.25 * 4.0_f64).exp();
    let found = (heat(&world).mean - f64::from(COLD)) / f64::from(HOT - COLD);
    assert!((found / expected - 1.0).abs() < 0.06, "{found} {expected}");
}

#[test]
fn a_ball_that_glows_in_the_dark_cools_as_the_fourth_power_has_it() {
    // Equally warm throughout, in air at next to absolute zero: 1/T³ grows by 9 ε σ t/(ρ c R).
    let (hot, emissivity, radius) = (1000.0, 0.8, 0.25);
    let mut setup = ball(20);
    let mut thermal = Thermal::conducting(1e4, 100.0);
    thermal.viscosity_law = None;
    setup.materials[0].thermal = Some(thermal);
    setup.initial[0].temperature = Some(hot);
    setup.heat.ambient = Some(Ambient {
        temperature: 1.0,
        transfer: 0.0,
        emissivity,
    });
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    let (time, density) = (100.0, 1000.0);
    world.run(time, 2.0);
    let rate = 9.0 * f64::from(emissivity) * STEFAN_BOLTZMANN / (density * 100.0 * radius);
    let expected = (f64::from(hot).powi(-3) + rate * time).powf(-1.0 / 3.0);
    let (found, lost) = (heat(&world).mean, f64::from(hot) - expected);
    assert!((found - expected).abs() < 0.06 * lost, "{found} {expected}");
}

#[test]
fn a_cooler_takes_its_power_and_never_more_than_there_is() {
    let cooled = |power: f32, steps: u32| {
        let mut setup = ball(16);
        let shape = Shape::sphere(Vec3::splat(0.5), 0.2).expect("a fair ball");
        let strength = HeaterStrength::Power(power);
        setup.heat.heaters.push(heater(shape, strength));
        let mut world = World::new(setup, FlipSettings::default(), Vec::new());
        let before = heat(&world).content;
        world.run(0.01 * f64::from(steps), 0.01);
        let after = heat(&world);
        let taken = world.report.heat.expect("it is booked").heaters;
        let gained = after.content - before;
        assert!(
            (gained - taken).abs() < 1e-4 * taken.abs(),
            "{gained} {taken}"
        );
        (after.coldest, taken)
    };
    let (_, taken) = cooled(-5e4, 1);
    assert!((taken / -500.0 - 1.0).abs() < 1e-3, "{taken}");
    // A hundred times what would bring all of it to absolute zero.
    let (coldest, _) = cooled(-1e12, 5);
    assert!((0.0..10.0).contains(&coldest), "{coldest}");
}

/// A heater that stands and is always on.
fn heater(shape: Shape, strength: HeaterStrength) -> Heater {
    Heater {
        name: "heater".into(),
        shape: Arc::new(shape),
        motion: Motion::fixed(Pose::IDENTITY).expect("a fair pose"),
        strength,
        reach: 0.1,
        depth: 0.05,
        shadows: false,
        start: 0.0,
        stop: f64::INFINITY,
    }
}

#[test]
fn what_a_heater_gives_to_liquid_inside_of_it_does_not_depend_on_the_cells() {
    // So short that the liquid is hardly warmer in the end: h/d · V · ΔT · t.
    let (radius, transfer, time) = (0.2, 1e4, 0.01);
    let volume = 4.0 / 3.0 * std::f64::consts::PI * f64::from(radius).powi(3);
    let expected = f64::from(transfer) / 0.05 * volume * f64::from(HOT - COLD) * time;
    for cells in [20, 32] {
        for (strength, expected, tolerance) in [
            (
                HeaterStrength::Temperature {
                    temperature: HOT,
                    transfer,
                },
                expected,
                0.03,
            ),
            (HeaterStrength::Power(5e4), 5e4 * time, 1e-5),
        ] {
            let mut setup = ball(cells);
            let shape = Shape::sphere(Vec3::splat(0.5), radius).expect("a fair ball");
            setup.heat.heaters.push(heater(shape, strength));
            let mut world = World::new(setup, FlipSettings::default(), Vec::new());
            world.run(time, 0.5 * time);
            let given = world.report.heat.expect("it is booked").heaters;
            let error = given / expected - 1.0;
            assert!(error.abs() < tolerance, "{cells} {strength:?}: {error}");
        }
    }
}

#[test]
fn a_heater_heats_the_side_that_sees_it() {
    let heated = |shadows: bool, screen: bool| {
        let mut setup = ball(20);
        let lamp = Shape::sphere(Vec3::new(0.5, 0.95, 0.5), 0.03).expect("a fair lamp");
        let strength = HeaterStrength::Temperature {
            temperature: HOT,
            transfer: 1e4,
        };
        setup.heat.heaters.push(Heater {
            reach: 2.0,
            shadows,
            ..heater(lamp, strength)
        });
        let plate = cuboid(Vec3::new(0.0, 0.82, 0.0), Vec3::new(1.0, 0.88, 1.0));
        let colliders = screen.then(|| fixed("screen", plate, Contact::default()));
        let mut world = World::new(
            setup,
            FlipSettings::default(),
            colliders.into_iter().collect(),
        );
        world.run(0.2, 0.05);
        let flow = world.report.heat.expect("it is booked").heaters;
        let gained = heat(&world).content;
        assert!(
            (gained - flow).abs() <= 1e-4 * flow.abs(),
            "{gained} {flow}"
        );
        let particles = world.positions().iter().zip(temperatures(&world));
        let warmest = |above: bool| {
            let half = particles
                .clone()
                .filter(|(point, _)| (point.y > 0.5) == above);
            half.map(|(_, &temperature)| temperature)
                .fold(0.0, f32::max)
        };
        (flow, warmest(true), warmest(false))
    };
    let (open, above, below) = heated(true, false);
    assert!(open > 0.0 && above > COLD + 2.0, "{open} {above}");
    assert!(below < COLD + 0.5 * (above - COLD), "{above} {below}");
    let (screened, ..) = heated(true, true);
    assert_eq!(screened, 0.0);
    let (through, ..) = heated(false, true);
    assert!((through / open - 1.0).abs() < 0.1, "{through} {open}");
}

#[test]
fn what_has_set_stands_while_what_has_melted_runs() {
    let mut world = World::new(half_molten_block(), FlipSettings::default(), Vec::new());
    world.run(1.0, 0.02);
    let melted: &[f32] = world.liquid.state().particles.carried.named("melted");
    let places = world.positions().iter().zip(melted);
    let set = places.clone().filter(|&(_, &melted)| melted < 0.5);
    let top = set.map(|(point, _)| point.y).fold(0.0, f32::max);
    assert!(top > 0.47, "{top}");
    let run = places.filter(|&(_, &melted)| melted > 0.5);
    let heights: Vec<f32> = run.map(|(point, _)| point.y).collect();
    let mean = heights.iter().sum::<f32>() / heights.len() as f32;
    // A quarter at the start, an eighth when it has reached both sides.
    assert!(
        heights.len() > 200 && mean < 0.18,
        "{mean} of {}",
        heights.len()
    );
}

#[test]
fn liquid_that_has_all_gone_has_no_temperature() {
    let mut setup = heated_from_the_left(conductor(), 8, HOT);
    setup.drains.push(Drain {
        name: "sink".into(),
        shape: Arc::new(cuboid(Vec3::splat(-1.0), Vec3::splat(2.0))),
        start: 0.0,
        stop: 1e9,
    });
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    assert!(heat(&world).coldest.is_finite());
    world.step(0.01);
    assert!(world.positions().is_empty());
    assert_eq!(world.liquid.measure(&world.solids).heat, None);
}
