//! Markers in cells (Carlson 2004, ch. 3 and 4) against closed forms.

use std::f64::consts::PI;

use glam::{IVec3, Vec3};
use ooze_core::{
    Collider, Contact, Domain, Force, KeyframedSolids, Liquid, LiquidSetup, Material, Side,
    StepReport, WallCondition,
};
use ooze_grid::{
    Diffusion, EdgeMean, MarkerLiquid, MarkerSettings, OuterFaces, PressurePreconditioner,
    WallFaces,
};

use crate::support::{GRAVITY, cuboid, fixed, setup, unit_box};
use crate::warm_scenes::{
    HOT, conductor, entered, heated_from_the_left, largest_error, melting, stefan_depth, warm_drop,
};

/// A liquid, its solids and what its steps have told.
struct Tank {
    liquid: MarkerLiquid,
    solids: KeyframedSolids,
    time: f64,
    report: StepReport,
}

impl Tank {
    fn new(setup: LiquidSetup, settings: MarkerSettings, colliders: Vec<Collider>) -> Self {
        let solids = KeyframedSolids::new(colliders);
        Self {
            liquid: MarkerLiquid::new(setup, settings, &solids),
            solids,
            time: 0.0,
            report: StepReport::default(),
        }
    }

    fn run(&mut self, steps: usize, dt: f64) {
        for _ in 0..steps {
            let step = self.liquid.step(self.time, dt, &mut self.solids);
            self.report.absorb(step.expect("a step"));
            self.time += dt;
        }
    }

    fn velocity(&self, point: Vec3) -> Vec3 {
        self.liquid.velocity_at(point).expect("liquid")
    }
}

/// A liquid of 1000 kg/m³.
fn syrup(viscosity: f32) -> Material {
    Material::newtonian("syrup", 1000.0, viscosity, 0.0)
}

fn of(material: Material, domain: Domain, lower: Vec3, upper: Vec3) -> LiquidSetup {
    let mut setup = setup(domain, cuboid(lower, upper));
    setup.materials = vec![material];
    setup
}

#[test]
fn a_tank_at_rest_stays_so_and_has_the_pressure_of_its_depth() {
    for (flat, air_pressure) in [(true, 0.0), (false, 1000.0)] {
        let cells = if flat { 16 } else { 8 };
        let (lower, upper) = (Vec3::ZERO, Vec3::new(1.0, 0.5, 1.0));
        let setup = of(syrup(0.001), unit_box(cells, flat), lower, upper);
        let settings = MarkerSettings {
            air_pressure,
            ..MarkerSettings::default()
        };
        let mut tank = Tank::new(setup, settings, Vec::new());
        tank.run(5, 0.02);
        assert!(tank.liquid.state().markers.max_speed() < 1e-5);
        // The air begins in the middle of its first cell.
        let surface = 0.5 + 0.5 / cells as f32;
        for depth in [0.1, 0.2, 0.4] {
            let point = Vec3::new(0.5, surface - depth, 0.5);
            let found = tank.liquid.pressure_at(point).expect("liquid");
            let expected = air_pressure + 1000.0 * GRAVITY * depth;
            assert!((found - expected).abs() < 2.0, "{found} {expected}");
        }
        // Later solves began with what the first had found.
        let solves = tank.report.solves["pressure"];
        assert!(
            5 * solves.iterations < 4 * solves.count * solves.iterations_max,
            "{solves:?}"
        );
    }
}

#[test]
fn liquid_that_is_shut_in_needs_no_air() {
    let setup = of(syrup(1.0), unit_box(8, false), Vec3::ZERO, Vec3::ONE);
    let mut tank = Tank::new(setup, MarkerSettings::default(), Vec::new());
    tank.run(3, 0.02);
    assert!(tank.liquid.state().markers.max_speed() < 1e-5);
}

#[test]
fn nothing_is_damped_in_free_flight() {
    for viscosity in [0.0, 1e4] {
        for outer_faces in [OuterFaces::Following, OuterFaces::Held] {
            let (lower, upper) = (Vec3::new(0.3, 0.6, 0.3), Vec3::new(0.63, 0.84, 0.7));
            let setup = of(syrup(viscosity), unit_box(16, false), lower, upper);
            let settings = MarkerSettings {
                outer_faces,
                ..MarkerSettings::default()
            };
            let mut tank = Tank::new(setup, settings, Vec::new());
            let start = tank
                .liquid
                .state()
                .markers
                .position
                .iter()
                .map(|point| point.y);
            let start: f32 = start.sum::<f32>() / tank.liquid.state().markers.len() as f32;
            tank.run(20, 0.01);
            let markers = &tank.liquid.state().markers;
            for velocity in &markers.velocity {
                let fallen = *velocity + Vec3::Y * 0.2 * GRAVITY;
                assert!(
                    fallen.length() < 1e-3,
                    "{viscosity} {outer_faces:?}: {velocity}"
                );
            }
            // Markers move with velocities from before the step.
            let mean = markers.position.iter().map(|point| point.y).sum::<f32>();
            let fall = start - mean / markers.len() as f32;
            let expected = 0.5 * GRAVITY * 0.2 * (0.2 - 0.01);
            assert!((fall - expected).abs() < 1e-3, "{fall} {expected}");
        }
    }
}

#[test]
fn a_thick_block_stands_unless_its_surface_is_held() {
    let sinking = |outer_faces| {
        let mut domain = unit_box(16, true);
        domain.sides[1][0] = Side::Closed(Contact {
            condition: WallCondition::NoSlip,
            ..Contact::default()
        });
        let (lower, upper) = (Vec3::new(0.25, 0.0, 0.0), Vec3::new(0.75, 0.5, 1.0));
        let setup = of(syrup(1e6), domain, lower, upper);
        let settings = MarkerSettings {
            outer_faces,
            ..MarkerSettings::default()
        };
        let mut tank = Tank::new(setup, settings, Vec::new());
        tank.run(20, 1.0 / 30.0);
        tank.liquid.state().markers.max_speed()
    };
    // A column without a hold at its sides creeps with gH²/(2ν), 1.2 mm/s.
    let following = sinking(OuterFaces::Following);
    assert!(following < 0.003, "{following}");
    let held = sinking(OuterFaces::Held);
    assert!(held > 10.0 * following, "{held} {following}");
}

#[test]
fn the_air_around_what_stands_does_not_make_steps_shorter() {
    let (lower, upper) = (Vec3::new(0.25, 0.0, 0.0), Vec3::new(0.75, 0.5, 1.0));
    let setup = of(syrup(1e6), unit_box(16, true), lower, upper);
    let mut tank = Tank::new(setup, MarkerSettings::default(), Vec::new());
    let step = |tank: &Tank| tank.liquid.stable_step(&tank.solids).seconds;
    // What starts at rest has this speed once it has crossed a cell.
    let falling = f64::from((2.0 * GRAVITY / 16.0).sqrt());
    let expected = f64::from(MarkerSettings::default().cfl) / 16.0 / falling;
    for _ in 0..6 {
        tank.run(10, 1.0 / 30.0);
        assert!(
            (step(&tank) / expected - 1.0).abs() < 1e-3,
            "{}",
            step(&tank)
        );
    }
}

/// A block between two planes, with room before and behind it.
fn between_planes(cells: i32, condition: WallCondition, viscosity: f32) -> LiquidSetup {
    let mut domain = unit_box(cells, true);
    domain.cells = IVec3::new(5 * cells, cells, 1);
    let plane = Contact {
        condition,
        ..Contact::default()
    };
    domain.sides[1] = [Side::Closed(plane); 2];
    let (lower, upper) = (Vec3::new(1.0, 0.0, 0.0), Vec3::new(4.0, 1.0, 1.0));
    let mut setup = of(syrup(viscosity), domain, lower, upper);
    setup.forces.clear();
    setup
}

#[test]
fn flow_between_planes_fades_as_it_should_implicit_or_not() {
    let middle = Vec3::new(2.5, 0.5, 0.5);
    let run = |condition, settings| {
        let mut setup = between_planes(16, condition, 1000.0);
        setup.initial[0].velocity = Vec3::X * 0.1;
        let mut tank = Tank::new(setup, settings, Vec::new());
        tank.run(100, 0.0009);
        f64::from(tank.velocity(middle).x) / 0.1
    };
    let usual = MarkerSettings::default();
    let explicit = MarkerSettings {
        diffusion: Diffusion::Explicit,
        ..usual
    };
    // 4/π Σ (−1)ᵏ/(2k+1) exp(−(2k+1)²π²νt/H²)
    let term = |odd: f64| 4.0 / (PI * odd) * (-odd * odd * PI * PI * 0.09).exp();
    let expected = term(1.0) - term(3.0) + term(5.0);
    for settings in [usual, explicit] {
        let found = run(WallCondition::NoSlip, settings);
        assert!((found / expected - 1.0).abs() < 0.03, "{found} {expected}");
    }
    // With its zero half a cell inside the walls, the channel is wider.
    let zero = MarkerSettings {
        wall_faces: WallFaces::Zero,
        ..usual
    };
    assert!(run(WallCondition::NoSlip, zero) > 1.05 * expected);
    // Where it glides, nothing holds it.
    let free = run(WallCondition::Slip, usual);
    assert!((free - 1.0).abs() < 1e-3, "{free}");
}

#[test]
fn a_force_along_planes_makes_a_parabola_in_steps_of_any_length() {
    let cells = 16;
    let mut setup = between_planes(cells, WallCondition::NoSlip, 1000.0);
    setup.forces.push(Force::Constant {
        acceleration: Vec3::X * 0.1,
    });
    let mut tank = Tank::new(setup, MarkerSettings::default(), Vec::new());
    tank.run(20, 0.1);
    for height in [0.2, 0.5, 0.7] {
        let found = tank.velocity(Vec3::new(2.5, height, 0.5)).x;
        let expected = 0.5 * 0.1 * height * (1.0 - height);
        assert!(
            (found / expected - 1.0).abs() < 0.03,
            "{height}: {found} {expected}"
        );
    }
}

#[test]
fn melt_runs_down_a_solid_side_where_the_mean_is_geometric() {
    let cell = 1.0 / 16.0;
    let fall = |edge_mean, preconditioner| {
        let plane = Contact {
            condition: WallCondition::NoSlip,
            ..Contact::default()
        };
        let mut domain = unit_box(16, true);
        domain.sides[0][0] = Side::Closed(plane);
        let mut setup = of(
            syrup(1e6),
            domain,
            Vec3::new(0.0, 0.25, 0.0),
            Vec3::new(0.5, 0.75, 1.0),
        );
        let (lower, upper) = (
            Vec3::new(0.5, 0.25, 0.0),
            Vec3::new(0.5 + 2.0 * cell, 0.75, 1.0),
        );
        setup.fill(cuboid(lower, upper), syrup(1.0));
        let settings = MarkerSettings {
            edge_mean,
            viscosity_preconditioner: preconditioner,
            ..MarkerSettings::default()
        };
        let mut tank = Tank::new(setup, settings, Vec::new());
        tank.run(5, 0.01);
        // The block stands.
        assert!(tank.velocity(Vec3::new(0.1, 0.5, 0.5)).length() < 1e-3);
        -tank.velocity(Vec3::new(0.5 + 0.5 * cell, 0.5, 0.5)).y
    };
    let jacobi = PressurePreconditioner::Jacobi;
    let geometric = fall(EdgeMean::Geometric, jacobi);
    let arithmetic = fall(EdgeMean::Arithmetic, jacobi);
    assert!(geometric > 0.02, "{geometric}");
    assert!(arithmetic < 0.1 * geometric, "{arithmetic} {geometric}");
    let quicker = fall(
        EdgeMean::Geometric,
        PressurePreconditioner::IncompleteCholesky,
    );
    assert!((quicker / geometric - 1.0).abs() < 1e-3, "{quicker}");
}

#[test]
fn explicit_viscosity_needs_the_steps_that_the_thesis_counts() {
    // Cells of 0.1 and ν = 10 and 100: 6000 and 60 000 steps a second; implicit 30 (sec. 4.1).
    let steps = |viscosity: f32, diffusion| {
        let mut domain = unit_box(10, false);
        domain.cell_size = 0.1;
        let setup = of(syrup(viscosity), domain, Vec3::ZERO, Vec3::splat(0.5));
        let settings = MarkerSettings {
            diffusion,
            ..MarkerSettings::default()
        };
        let tank = Tank::new(setup, settings, Vec::new());
        1.0 / tank.liquid.stable_step(&tank.solids).seconds
    };
    for (viscosity, expected) in [(1e4, 6000.0), (1e5, 60_000.0)] {
        let found = steps(viscosity, Diffusion::Explicit);
        assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected}");
        assert!(steps(viscosity, Diffusion::Implicit) < 30.0);
    }
}

#[test]
fn a_block_under_water_is_lifted_by_what_it_displaces() {
    let (lower, upper) = (Vec3::ZERO, Vec3::new(1.0, 0.75, 1.0));
    let setup = of(syrup(0.001), unit_box(16, true), lower, upper);
    let block = cuboid(Vec3::new(0.25, 0.25, -1.0), Vec3::new(0.5, 0.5, 1.0));
    let colliders = vec![fixed("block", block, Contact::default())];
    let mut tank = Tank::new(setup, MarkerSettings::default(), colliders);
    tank.run(4, 0.01);
    let lift = tank.report.impulses[0].total().linear.y / tank.time;
    let expected = 1000.0 * f64::from(GRAVITY) * 0.0625 / 16.0;
    assert!((lift / expected - 1.0).abs() < 0.01, "{lift} {expected}");
}

/// Places and temperatures of markers.
fn shown(tank: &Tank) -> impl Iterator<Item = (Vec3, f32)> {
    let markers = &tank.liquid.state().markers;
    let temperatures: &[f32] = markers.carried.named("temperature");
    markers
        .position
        .iter()
        .copied()
        .zip(temperatures.iter().copied())
}

#[test]
fn heat_enters_as_erfc_and_fronts_melt_as_stefan_s() {
    let setup = heated_from_the_left(conductor(), 32, HOT);
    let mut tank = Tank::new(setup, MarkerSettings::default(), Vec::new());
    tank.run(50, 0.02);
    let width = 1.0 / 32.0;
    let error = largest_error(
        shown(&tank),
        width,
        |point| Some(point.x),
        |x| entered(x, 1.0),
    );
    assert!(error < 0.012, "{error}");
    let setup = heated_from_the_left(melting(0.5), 40, HOT);
    let mut tank = Tank::new(setup, MarkerSettings::default(), Vec::new());
    tank.run(100, 0.02);
    let found = tank.liquid.measure(&tank.solids).heat.expect("heat").melted;
    let expected = stefan_depth(2.0);
    assert!(
        (found - expected).abs() < 0.02 * expected + 0.005,
        "{found} {expected}"
    );
}

#[test]
fn no_heat_is_made_or_lost_where_liquid_flows() {
    let setup = warm_drop();
    let mut tank = Tank::new(setup, MarkerSettings::default(), Vec::new());
    let heat = |tank: &Tank| tank.liquid.measure(&tank.solids).heat.expect("it matters");
    let before = heat(&tank);
    tank.run(30, 0.01);
    let after = heat(&tank);
    let booked = tank.report.heat.expect("it is booked").total();
    let gained = after.content - before.content;
    let scale = before.content.abs().max(booked.abs()).max(1.0);
    assert!((gained - booked).abs() < 1e-5 * scale, "{gained} {booked}");
    // Neither colder than the air nor hotter than the floor.
    assert!(
        after.coldest > 295.0 && after.hottest < f64::from(HOT),
        "{after:?}"
    );
}

#[test]
fn a_checkpoint_and_any_number_of_threads_lead_on_to_the_same_bytes() {
    let run = |threads: usize, resumed: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("a pool").install(|| {
            let mut tank = Tank::new(warm_drop(), MarkerSettings::default(), Vec::new());
            tank.run(12, 0.01);
            if resumed {
                let saved = tank.liquid.save();
                let time = tank.time;
                tank = Tank::new(warm_drop(), MarkerSettings::default(), Vec::new());
                tank.liquid.load(saved).expect("a whole checkpoint");
                tank.time = time;
            }
            tank.run(8, 0.01);
            tank.liquid.save()
        })
    };
    let whole = run(1, false);
    assert!(run(3, false) == whole);
    assert!(run(2, true) == whole);
}
