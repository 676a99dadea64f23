//! Viscous liquids as a whole.

use crate::support::{GRAVITY, World, cuboid, setup, unit_box};
use glam::{DVec3, Vec3};
use ooze_core::{Contact, Liquid, LiquidSetup, Material, Side, ViscosityGradient, WallCondition};
use ooze_geometry::Shape;
use ooze_grid::{
    FlipSettings, SurfaceCondition, Transfer, ViscosityScheme, ViscositySettings, ViscousPressure,
};

/// A liquid of water's density.
fn syrup(viscosity: f32) -> Material {
    Material::newtonian("syrup", 1000.0, viscosity, 0.0)
}

fn viscous(mut setup: LiquidSetup, viscosity: f32) -> LiquidSetup {
    setup.materials = vec![syrup(viscosity)];
    setup
}

fn walls(mut setup: LiquidSetup, condition: WallCondition) -> LiquidSetup {
    let contact = Contact {
        condition,
        friction: 0.0,
        heat: None,
    };
    setup.domain.sides = [[Side::Closed(contact); 2]; 3];
    setup
}

fn without_viscosity() -> FlipSettings {
    FlipSettings {
        viscosity: ViscositySettings {
            enabled: false,
            ..ViscositySettings::default()
        },
        ..FlipSettings::default()
    }
}

fn angular_momentum(world: &World) -> DVec3 {
    let measure = world.liquid.measure(&world.solids);
    let positions = world.positions();
    let sum: DVec3 = positions.iter().map(|point| point.as_dvec3()).sum();
    measure.angular_momentum - (sum / positions.len() as f64).cross(measure.momentum)
}

#[test]
fn a_blob_of_any_viscosity_falls_with_gravity_and_does_not_turn() {
    for viscosity in [0.5, 5e1, 5e3, 5e5] {
        let blob = Shape::ellipsoid(Vec3::new(0.43, 0.7, 0.52), Vec3::new(0.21, 0.13, 0.17));
        let mut setup = viscous(setup(unit_box(20, false), blob.expect("fair")), viscosity);
        // Rough at the start, so that viscosity has something to do.
        setup.initial[0].velocity = Vec3::new(0.1, 0.0, 0.0);
        let mut world = World::new(setup, FlipSettings::default(), Vec::new());
        let before = world.mean_velocity();
        let spin = angular_momentum(&world);
        for _ in 0..10 {
            world.step(0.01);
        }
        let gained = world.mean_velocity() - before;
        let expected = Vec3::new(0.0, -GRAVITY * 0.1, 0.0);
        let error = (gained - expected).length() / expected.length();
        assert!(error < 1e-4, "{viscosity} Pa s: gained {gained}");
        let mass = world.liquid.measure(&world.solids).mass;
        let turned =
            (angular_momentum(&world) - spin).length() / (mass * 0.2 * f64::from(GRAVITY) * 0.1);
        assert!(turned < 1e-4, "{viscosity} Pa s: angular momentum {turned}");
        assert!(world.report.solves["viscosity"].failures == 0);
    }
}

/// Mean speed of a block that slides along the floor for a while.
fn sliding(viscosity: f32, condition: WallCondition, settings: FlipSettings) -> f32 {
    let block = cuboid(Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.4, 0.15, 1.0));
    let mut setup = walls(
        viscous(setup(unit_box(20, true), block), viscosity),
        condition,
    );
    setup.initial[0].velocity = Vec3::new(1.0, 0.0, 0.0);
    setup.forces.clear();
    let mut world = World::new(setup, settings, Vec::new());
    world.run(0.1, 0.01);
    world.mean_velocity().x
}

#[test]
fn viscosity_carries_the_walls_hold_into_the_liquid() {
    let slip = sliding(20.0, WallCondition::Slip, FlipSettings::default());
    let held = sliding(20.0, WallCondition::NoSlip, FlipSettings::default());
    let off = sliding(20.0, WallCondition::NoSlip, without_viscosity());
    // Along a slippery floor nothing slows the block. Momentum diffuses through its height h in h²/ν = 1 s; after 0.1 s
    // a third of it has gone into the floor: 2/√π · √(νt)/h.
    assert!((slip - 1.0).abs() < 0.02, "slip: {slip}");
    let expected = 1.0 - 2.0 / std::f32::consts::PI.sqrt() * (0.02_f32 * 0.1).sqrt() / 0.15;
    assert!((held - expected).abs() < 0.08, "held: {held} of {expected}");
    assert!(off > held + 0.1, "off: {off}, on: {held}");
}

#[test]
fn a_film_flows_down_a_wall_that_it_sticks_to() {
    // Eight cells thick; the mean speed of a film is gh²/(3ν), reached within h²/ν = 16 ms.
    let (thickness, viscosity) = (0.125_f32, 1000.0);
    let film = cuboid(Vec3::new(-1.0, 0.1, -1.0), Vec3::new(thickness, 0.9, 1.0));
    let setup = viscous(setup(unit_box(64, true), film), viscosity);
    let mut world = World::new(
        walls(setup, WallCondition::NoSlip),
        FlipSettings::default(),
        Vec::new(),
    );
    world.run(0.06, 0.002);
    let particles = &world.liquid.state().particles;
    let middle = particles.position.iter().zip(&particles.velocity);
    let middle: Vec<f32> = middle
        .filter(|(point, _)| (0.4..0.6).contains(&point.y))
        .map(|(_, velocity)| -velocity.y)
        .collect();
    let mean = middle.iter().sum::<f32>() / middle.len() as f32;
    let expected = GRAVITY * thickness * thickness / 3.0;
    assert!((mean / expected - 1.0).abs() < 0.05, "{mean} of {expected}");
}

#[test]
fn thick_liquid_keeps_its_shape_where_thin_liquid_collapses() {
    let middle = |viscosity: f32| {
        let column = cuboid(Vec3::new(0.35, 0.0, 0.0), Vec3::new(0.65, 0.6, 1.0));
        let setup = viscous(setup(unit_box(20, true), column), viscosity);
        let setup = walls(setup, WallCondition::NoSlip);
        let mut world = World::new(setup, FlipSettings::default(), Vec::new());
        world.run(0.5, 0.02);
        let heights: f32 = world.positions().iter().map(|point| point.y).sum();
        (heights / world.positions().len() as f32, world)
    };
    let (thin, _) = middle(1e-3);
    let (thick, world) = middle(1e5);
    assert!(thin < 0.2, "thin: {thin}");
    // The rate of strain is about ρgH/(8μ) = 0.7 % per second.
    assert!((thick / 0.3 - 1.0).abs() < 0.01, "thick: {thick}");
    let measure = world.liquid.measure(&world.solids);
    assert!(measure.max_speed < 0.05, "{}", measure.max_speed);
    assert!(measure.volume_drift().abs() < 0.01);
}

#[test]
fn a_tank_of_thick_liquid_stays_at_rest() {
    for condition in [WallCondition::NoSlip, WallCondition::Slip] {
        let pool = cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.5, 2.0));
        let setup = walls(viscous(setup(unit_box(16, false), pool), 10.0), condition);
        let mut world = World::new(setup, FlipSettings::default(), Vec::new());
        world.run(0.2, 0.01);
        let measure = world.liquid.measure(&world.solids);
        let rms = (2.0 * measure.kinetic_energy / measure.mass).sqrt();
        // The surface over jittered particles is uneven at first.
        let limit = 0.01 * f64::from(GRAVITY * 0.5).sqrt();
        assert!(rms < limit, "{condition:?}: {rms} of {limit} m/s");
        let pressure = world
            .liquid
            .pressure_at(Vec3::new(0.5, 0.25, 0.5))
            .expect("liquid");
        let expected = 1000.0 * GRAVITY * 0.25;
        assert!(
            (pressure / expected - 1.0).abs() < 0.03,
            "{pressure} {expected}"
        );
    }
}

#[test]
fn a_spinning_disc_goes_on_spinning() {
    // A tenth of a revolution. Few long steps show what turning costs, many short ones what each of them loses; with
    // FLIP that would be its share of PIC.
    let trials = [
        (Transfer::Apic, 10),
        (Transfer::Flip(0.97), 10),
        (Transfer::Apic, 150),
    ];
    for (transfer, steps) in trials {
        let disc = Shape::sphere(Vec3::new(0.5, 0.5, 1.0 / 96.0), 1.0 / 3.0).expect("fair");
        let mut setup = viscous(setup(unit_box(48, true), disc), 100.0);
        setup.forces.clear();
        setup.initial[0].spin = Vec3::new(0.0, 0.0, std::f32::consts::TAU);
        let settings = FlipSettings {
            transfer,
            ..FlipSettings::default()
        };
        let mut world = World::new(setup, settings, Vec::new());
        let before = angular_momentum(&world).z;
        world.run(0.1, 0.1 / f64::from(steps));
        let kept = angular_momentum(&world).z / before;
        assert!(
            (kept - 1.0).abs() < 0.002,
            "{transfer:?}, {steps} steps: {kept}"
        );
    }
}

#[test]
fn a_gradient_stiffens_one_end() {
    let block = cuboid(Vec3::new(0.2, 0.02, 0.0), Vec3::new(0.8, 0.42, 1.0));
    let mut setup = setup(unit_box(24, true), block);
    setup.materials = vec![syrup(1.0)];
    setup.initial[0].viscosity_gradient = Some(ViscosityGradient {
        from: Vec3::new(0.25, 0.0, 0.0),
        to: Vec3::new(0.75, 0.0, 0.0),
        values: [1e-3, 1e5],
    });
    let setup = walls(setup, WallCondition::NoSlip);
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    world.run(0.4, 0.01);
    let highest = |lower: f32, upper: f32| {
        let inside = world
            .positions()
            .iter()
            .filter(|point| (lower..upper).contains(&point.x));
        inside.map(|point| point.y).fold(0.0, f32::max)
    };
    let (thin, thick) = (highest(0.2, 0.3), highest(0.7, 0.8));
    assert!(
        thick > 0.37 && thin < 0.8 * thick,
        "thin end {thin}, thick end {thick}"
    );
    // The channel is carried: particles that were thin are still thin.
    let carried = &world.liquid.state().particles.carried;
    let viscosity = carried.named::<f32>("viscosity");
    assert!(viscosity.iter().any(|&value| value < 2e-3));
    assert!(viscosity.iter().any(|&value| value > 500.0));
}

/// A slender strip that hangs from a ceiling it sticks to, in steps of `dt`; returns its length relative to the first at
/// `time`.
fn hanging_strip(pressure: ViscousPressure, dt: f64, time: f64) -> f64 {
    let strip = cuboid(Vec3::new(0.46875, 0.5, -1.0), Vec3::new(0.53125, 1.0, 1.0));
    let setup = viscous(setup(unit_box(128, true), strip), 4000.0);
    let mut settings = FlipSettings::default();
    settings.viscosity.pressure = pressure;
    let mut world = World::new(walls(setup, WallCondition::NoSlip), settings, Vec::new());
    let length = |world: &World| {
        // From the lowest hundredth of the particles.
        let mut heights: Vec<f32> = world.positions().iter().map(|point| point.y).collect();
        heights.sort_by(f32::total_cmp);
        let count = heights.len() / 100;
        1.0 - f64::from(heights[..count].iter().sum::<f32>()) / count as f64
    };
    let before = length(&world);
    while world.time < time - 1e-9 {
        world.step(dt);
    }
    length(&world) / before
}

#[test]
fn a_hanging_strip_stretches_with_trouton_s_viscosity() {
    // In the plane the resistance to stretching is 4μ: L/L₀ = -ln(1 - τ)/τ with τ = tρgL₀/(4μ), so slowly that inertia
    // does not matter.
    let time = 0.8;
    let tau = time * f64::from(GRAVITY) * 0.5 / 16.0;
    let expected = -(1.0 - tau).ln() / tau;
    let found = hanging_strip(ViscousPressure::Automatic, 0.04, time);
    assert!(
        (found / expected - 1.0).abs() < 0.02,
        "{found} of {expected}"
    );
    // Pressure and viscosity one after the other, each blind for the other, let it stretch a third too fast.
    let blind = hanging_strip(ViscousPressure::Apart, 0.04, time);
    let excess = (blind - 1.0) / (expected - 1.0);
    assert!(excess > 1.3, "one after the other: {blind} of {expected}");
}

/// Speed of the tip of a beam clamped at a wall, ten times as long as high and eight cells high, relative to what theory
/// says, once it has stopped accelerating.
fn cantilever(scheme: ViscosityScheme, pressure: ViscousPressure) -> f32 {
    let beam = cuboid(Vec3::new(-1.0, 0.45, -1.0), Vec3::new(0.8, 0.53, 1.0));
    let setup = viscous(setup(unit_box(100, true), beam), 6.4e6);
    let mut settings = FlipSettings::default();
    settings.viscosity.scheme = scheme;
    settings.viscosity.pressure = pressure;
    let mut world = World::new(walls(setup, WallCondition::NoSlip), settings, Vec::new());
    for _ in 0..4 {
        world.step(0.02);
    }
    let (length, height, viscosity) = (0.8_f32, 0.08_f32, 6.4e3);
    let bending = 3.0 * GRAVITY * length.powi(4) / (8.0 * viscosity * height * height);
    let shear = 0.6 * GRAVITY * length * length / viscosity;
    let tip = world.liquid.velocity_at(Vec3::new(0.795, 0.485, 0.005));
    -tip.expect("liquid at the tip").y / (bending + shear)
}

#[test]
fn a_cantilever_sinks_as_beam_theory_says_and_the_wrong_conditions_fail() {
    let together = cantilever(ViscosityScheme::Variational, ViscousPressure::Automatic);
    assert!((together - 1.0).abs() < 0.03, "{together}");
    // One after the other, the beam's own Trouton viscosity is 2μ instead of 4μ.
    let blind = cantilever(ViscosityScheme::Variational, ViscousPressure::Apart);
    assert!((blind / 2.0 - 1.0).abs() < 0.05, "{blind}");
    // Where no component may change along the normal, the beam can shear but not bend, and hardly moves; where the air
    // keeps its velocity, the beam falls as if it were not held (Batty & Bridson 2008, fig. 8).
    let decoupled = |surface| {
        cantilever(
            ViscosityScheme::Decoupled(surface),
            ViscousPressure::Automatic,
        )
    };
    let neumann = decoupled(SurfaceCondition::Neumann);
    assert!(neumann < 0.1, "{neumann}");
    let dirichlet = decoupled(SurfaceCondition::Dirichlet);
    assert!(dirichlet > 3.0, "{dirichlet}");
}

/// Viscous liquid with a gradient that falls on a ball, after a few steps.
fn busy_world() -> World {
    let block = cuboid(Vec3::new(0.2, 0.3, 0.2), Vec3::new(0.8, 0.7, 0.8));
    let mut setup = walls(setup(unit_box(16, false), block), WallCondition::NoSlip);
    setup.materials = vec![syrup(1.0)];
    setup.initial[0].velocity = Vec3::new(0.3, -1.0, 0.1);
    setup.initial[0].viscosity_gradient = Some(ViscosityGradient {
        from: Vec3::new(0.2, 0.3, 0.2),
        to: Vec3::new(0.8, 0.7, 0.8),
        values: [0.1, 100.0],
    });
    let ball = Shape::sphere(Vec3::new(0.5, 0.2, 0.45), 0.17).expect("fair");
    let contact = Contact {
        condition: WallCondition::Slip,
        friction: 0.0,
        heat: None,
    };
    let colliders = vec![crate::support::fixed("ball", ball, contact)];
    World::new(setup, FlipSettings::default(), colliders)
}

#[test]
fn viscous_steps_give_the_same_bytes_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads start").install(|| {
            let mut world = busy_world();
            world.run(0.05, 0.01);
            assert!(world.report.solves["viscosity"].count > 0);
            world.liquid.save()
        })
    };
    assert_eq!(run(1), run(5));
}

#[test]
fn a_saved_viscous_liquid_goes_on_as_if_nothing_had_happened() {
    let mut world = busy_world();
    world.run(0.03, 0.01);
    let saved = world.liquid.save();
    assert!(
        saved
            .scalars("viscosity")
            .is_ok_and(|values| values.len() == world.positions().len())
    );
    let mut other = busy_world();
    other
        .liquid
        .load(saved)
        .expect("what was saved can be loaded");
    other.time = world.time;
    for world in [&mut world, &mut other] {
        world.step(0.01);
        world.step(0.01);
    }
    assert_eq!(world.liquid.save(), other.liquid.save());
}

#[test]
fn the_first_projection_can_be_saved_in_free_flight_only() {
    let without = |flying: bool, first_projection: bool| {
        let shape = if flying {
            Shape::sphere(Vec3::new(0.5, 0.6, 1.0 / 32.0), 0.2).expect("fair")
        } else {
            cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.5, 2.0))
        };
        let setup = walls(
            viscous(setup(unit_box(16, true), shape), 50.0),
            WallCondition::NoSlip,
        );
        let mut settings = FlipSettings::default();
        settings.viscosity.pressure = ViscousPressure::Apart;
        settings.viscosity.first_projection = first_projection;
        let mut world = World::new(setup, settings, Vec::new());
        for _ in 0..10 {
            world.step(0.01);
        }
        let energy = world.liquid.measure(&world.solids).kinetic_energy;
        (energy, world.report.solves["pressure"].count)
    };
    let excess = |flying: bool| {
        let ((with, twice), (without, once)) = (without(flying, true), without(flying, false));
        assert_eq!((twice, once), (20, 10));
        without / with
    };
    let flight = excess(true);
    assert!((flight - 1.0).abs() < 1e-3, "in flight: {flight}");
    // In a tank the walls hold back the liquid that gravity has set falling, and pressure cannot undo that.
    let tank = excess(false);
    assert!(tank > 5.0, "in a tank: {tank}");
}
