//! Elastic and yielding liquids as a whole.

use crate::support::{GRAVITY, World, cuboid, setup, unit_box};
use std::sync::Arc;

use glam::{DVec3, Vec3};
use ooze_core::{
    ChannelData, ChannelError, Contact, Elasticity, Gradient, Liquid, LiquidSetup, Material,
    MaterialId, Side, SymmetricTensor, WallCondition,
};
use ooze_geometry::Shape;
use ooze_grid::{ElasticityScheme, ElasticitySettings, FlipSettings, Transfer};

/// A goo of water's density.
fn goo(modulus: f32, yield_strain: f32, decay_rate: f32, viscosity: f32) -> Material {
    Material {
        elasticity: Some(Elasticity {
            modulus,
            yield_strain,
            decay_rate,
        }),
        ..Material::newtonian("goo", 1000.0, viscosity, 0.0)
    }
}

fn of(mut setup: LiquidSetup, material: Material) -> LiquidSetup {
    setup.materials = vec![material];
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

fn strains(world: &World) -> &[SymmetricTensor] {
    world.liquid.state().particles.carried.named("strain")
}

fn with(elasticity: ElasticitySettings) -> FlipSettings {
    FlipSettings {
        elasticity,
        ..FlipSettings::default()
    }
}

fn scheme(scheme: ElasticityScheme) -> FlipSettings {
    with(ElasticitySettings {
        scheme,
        ..ElasticitySettings::default()
    })
}

fn centre(world: &World) -> DVec3 {
    let positions = world.positions();
    let sum: DVec3 = positions.iter().map(|point| point.as_dvec3()).sum();
    sum / positions.len() as f64
}

/// About the centre of mass.
fn angular_momentum(world: &World) -> DVec3 {
    let measure = world.liquid.measure(&world.solids);
    measure.angular_momentum - centre(world).cross(measure.momentum)
}

fn ellipsoid() -> Shape {
    Shape::ellipsoid(Vec3::new(0.5, 0.5, 0.5), Vec3::new(0.26, 0.18, 0.2)).expect("fair")
}

/// A blob that spins and is free.
fn thrown(settings: FlipSettings, material: Material) -> World {
    let mut setup = of(setup(unit_box(16, false), ellipsoid()), material);
    setup.initial[0].velocity = Vec3::new(0.2, 2.0, 0.0);
    setup.initial[0].spin = Vec3::new(0.0, 0.0, 3.0);
    World::new(setup, settings, Vec::new())
}

#[test]
fn strained_goo_in_free_flight_falls_with_gravity_and_keeps_its_spin() {
    for chosen in [ElasticityScheme::Automatic, ElasticityScheme::Implicit] {
        let mut world = thrown(scheme(chosen), goo(500.0, 10.0, 1.0, 0.0));
        let (velocity, spin) = (world.mean_velocity(), angular_momentum(&world));
        world.run(0.2, 0.01);
        let gained = world.mean_velocity() - velocity;
        let expected = Vec3::new(0.0, -GRAVITY * 0.2, 0.0);
        let error = (gained - expected).length() / expected.length();
        assert!(error < 1e-3, "{chosen:?}: gained {gained} of {expected}");
        let turned = (angular_momentum(&world) - spin).length() / spin.length();
        assert!(
            turned < 0.02,
            "{chosen:?}: angular momentum changed by {turned}"
        );
        // Its spin has strained it meanwhile.
        assert!(world.liquid.elastic_energy() > 0.0);
        let sizes = strains(&world).iter();
        let largest = sizes.map(|strain| strain.norm()).fold(0.0, f32::max);
        assert!(
            (0.01..0.6).contains(&largest),
            "{chosen:?}: strain {largest}"
        );
    }
}

#[test]
fn strain_survives_a_checkpoint_and_others_have_none() {
    let run = |world: &mut World| {
        for _ in 0..4 {
            world.step(0.005);
        }
    };
    let material = goo(500.0, 0.1, 3.0, 1.0);
    let mut whole = thrown(FlipSettings::default(), material.clone());
    run(&mut whole);
    let saved = whole.liquid.save();
    assert!(
        saved
            .vectors("strain_diagonal")
            .is_ok_and(|values| !values.is_empty())
    );
    let mut resumed = thrown(FlipSettings::default(), material.clone());
    resumed.liquid.load(saved).expect("a good checkpoint");
    resumed.time = whole.time;
    run(&mut whole);
    run(&mut resumed);
    assert_eq!(whole.liquid.state(), resumed.liquid.state());
    // Switched off, or made of water, a liquid carries no strain.
    let off = with(ElasticitySettings {
        enabled: false,
        ..ElasticitySettings::default()
    });
    let mut stiff = thrown(off, material);
    run(&mut stiff);
    let particles = &stiff.liquid.state().particles;
    assert!(strains(&stiff).is_empty());
    assert!(particles.carried.named::<Gradient>("affine").is_empty());
    assert!(stiff.liquid.save().get("strain_diagonal").is_none());
    // Neither can go on where the other has stopped.
    let missing = |name: &str| Err(ChannelError::Missing { name: name.into() });
    let (strained, stiff_one) = (whole.liquid.save(), stiff.liquid.save());
    assert_eq!(
        stiff.liquid.load(strained),
        Err(ChannelError::Strange {
            name: "affine_x".into()
        })
    );
    assert_eq!(whole.liquid.load(stiff_one), missing("affine_x"));
    let mut surplus = stiff.liquid.save();
    let rows = vec![Vec3::ZERO; stiff.positions().len()];
    surplus.insert("affine_x", ChannelData::Vector(rows));
    let name = "affine_x".into();
    assert_eq!(
        stiff.liquid.load(surplus),
        Err(ChannelError::Strange { name })
    );
}

#[test]
fn explicit_steps_are_as_short_as_elastic_waves_ask_for() {
    let stiff = goo(1e5, 1.0, 1.0, 0.0);
    let explicit = thrown(scheme(ElasticityScheme::Explicit), stiff.clone());
    let step = explicit.liquid.stable_step(&explicit.solids);
    assert_eq!(step.limit, "elastic waves");
    // Half of dx √(ρ/μ_e).
    assert!((step.seconds / (0.5 / 16.0 * 0.1) - 1.0).abs() < 1e-3);
    let automatic = thrown(scheme(ElasticityScheme::Automatic), stiff);
    let longer = automatic.liquid.stable_step(&automatic.solids);
    assert!((longer.seconds / step.seconds - 3.0).abs() < 1e-3);
    let soft = thrown(
        scheme(ElasticityScheme::Automatic),
        goo(10.0, 1.0, 1.0, 0.0),
    );
    let step = soft.liquid.stable_step(&soft.solids);
    assert_eq!(step.limit, "speed of the liquid");
}

/// How much narrower than long a flat liquid is, whichever way it points.
fn slenderness(world: &World) -> f64 {
    let middle = centre(world);
    let (mut squares, mut product) = (DVec3::ZERO, 0.0);
    for point in world.positions() {
        let offset = point.as_dvec3() - middle;
        squares += offset * offset;
        product += offset.x * offset.y;
    }
    let mean = 0.5 * (squares.x + squares.y);
    let spread = (0.25 * (squares.x - squares.y).powi(2) + product * product).sqrt();
    ((mean - spread) / (mean + spread)).sqrt()
}

#[test]
fn a_squeezed_cube_that_is_turned_recovers_only_if_its_strain_turns_with_it() {
    let recovered = |rotation: bool| {
        // A cube 0.4 m wide, squeezed by a fifth along x and let go while it spins. It is so viscous that it turns half
        // around in the time in which it recovers.
        let squeezed = cuboid(Vec3::new(0.34, 0.25, -1.0), Vec3::new(0.66, 0.75, 1.0));
        let mut setup = of(
            setup(unit_box(32, true), squeezed),
            goo(20_000.0, 10.0, 1.0, 8000.0),
        );
        setup.forces.clear();
        setup.initial[0].spin = Vec3::new(0.0, 0.0, 4.0);
        let settings = with(ElasticitySettings {
            rotation,
            ..ElasticitySettings::default()
        });
        let mut world = World::new(setup, settings, Vec::new());
        let mut state = world.liquid.save();
        let strain = 0.8_f32.ln();
        let diagonal = vec![Vec3::new(strain, -strain, 0.0); world.positions().len()];
        state.insert("strain_diagonal", ChannelData::Vector(diagonal));
        world.liquid.load(state).expect("the same liquid, strained");
        let before = slenderness(&world);
        world.run(2.0, 0.004);
        (before, slenderness(&world))
    };
    let (before, turned) = recovered(true);
    assert!((before - 0.64).abs() < 0.02, "squeezed: {before}");
    assert!(turned > 0.9, "recovered: {turned}");
    // Strain that points where it pointed before unfolds it in all directions one after the other.
    let (_, carried) = recovered(false);
    assert!(carried < 0.7, "not turned: {carried}");
}

/// A column of a yield-stress liquid, 0.4 m wide and high, with its yield stress as a share of ρ g H.
fn column(left: f32, share: f32) -> (Shape, Material) {
    let shape = cuboid(Vec3::new(left, 0.0, -1.0), Vec3::new(left + 0.4, 0.4, 1.0));
    let stress = share * 1000.0 * GRAVITY * 0.4;
    // Stress at yield is μ_e γ/√2.
    let modulus = stress * std::f32::consts::SQRT_2 / 0.1;
    (shape, goo(modulus, 0.1, 50.0, 5.0))
}

#[test]
fn of_two_columns_the_stronger_stands_and_the_weaker_flows() {
    let mut domain = unit_box(24, true);
    domain.cells.x *= 2;
    let (strong, first) = column(0.1, 0.65);
    let (weak, second) = column(1.3, 0.15);
    let mut setup = walls(setup(domain, strong), WallCondition::NoSlip);
    setup.materials = vec![first, second];
    let mut other = setup.initial[0].clone();
    other.shape = Arc::new(weak);
    other.material = MaterialId(1);
    setup.initial.push(other);
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    let heights = |world: &World| {
        let particles = &world.liquid.state().particles;
        [0, 1].map(|material| {
            let own = particles.position.iter().zip(&particles.material);
            let own: Vec<f32> = own
                .filter(|(_, of)| **of == material)
                .map(|(point, _)| point.y)
                .collect();
            own.iter().sum::<f32>() / own.len() as f32
        })
    };
    let before = heights(&world);
    world.run(0.6, 0.01);
    let after = heights(&world);
    let shares = [after[0] / before[0], after[1] / before[1]];
    assert!(shares[0] > 0.93, "the strong column fell to {}", shares[0]);
    assert!(shares[1] < 0.75, "the weak column stands at {}", shares[1]);
    let measure = world.liquid.measure(&world.solids);
    assert!(measure.volume_drift().abs() < 0.01);
}

#[test]
fn spray_carries_no_strain() {
    // A drop of a few particles, sheared as it flies, beside a blob that keeps its strain.
    let mut setup = of(
        setup(unit_box(16, false), ellipsoid()),
        goo(500.0, 10.0, 1.0, 0.0),
    );
    setup.initial[0].spin = Vec3::new(0.0, 0.0, 6.0);
    let mut drop = setup.initial[0].clone();
    let sphere = Shape::sphere(Vec3::new(0.1, 0.9, 0.1), 0.03);
    drop.shape = Arc::new(sphere.expect("fair"));
    setup.initial.push(drop);
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    world.run(0.05, 0.01);
    let mut sizes = [Vec::new(), Vec::new()];
    for (point, strain) in world.positions().iter().zip(strains(&world)) {
        sizes[usize::from(point.x > 0.2)].push(strain.norm());
    }
    assert!((1..12).contains(&sizes[0].len()), "{}", sizes[0].len());
    assert!(sizes[0].iter().all(|&size| size == 0.0));
    assert!(sizes[1].iter().any(|&size| size > 0.01));
}

/// The speed in m/s of a cube that is hurled at the floor, its modulus in Pa, and cells along the box.
const SPEED: f32 = 2.0;
const MODULUS: f32 = 64e3;
const CELLS: i32 = 24;

/// A cube that is hurled at the floor.
fn hurled(condition: WallCondition) -> World {
    let cube = cuboid(Vec3::new(0.3, 0.04, -1.0), Vec3::new(0.7, 0.44, 2.0));
    let scene = setup(unit_box(CELLS, true), cube);
    // Squeezed by a quarter, v √(ρ/μ_e); its waves need a tenth of a second up and down.
    let mut scene = walls(of(scene, goo(MODULUS, 5.0, 1.0, 0.5)), condition);
    scene.initial[0].velocity = Vec3::new(0.0, -SPEED, 0.0);
    let settings = FlipSettings {
        transfer: Transfer::Apic,
        ..FlipSettings::default()
    };
    World::new(scene, settings, Vec::new())
}

/// The height of its lowest part in cells.
fn underside(world: &World) -> f32 {
    let heights = world.positions().iter().map(|point| point.y);
    heights.fold(1.0, f32::min) * CELLS as f32
}

/// Of a cube hurled at the floor: its upward speed as a share of the speed of impact once it has sprung back, what pulls at it
/// after that as a share of gravity, and the height of its lowest part in cells then.
fn hurled_at_the_floor(condition: WallCondition) -> (f32, f32, f32) {
    let mut world = hurled(condition);
    world.run(0.1, 0.01);
    let rebound = world.mean_velocity().y;
    world.run(0.15, 0.01);
    let rising = world.mean_velocity().y;
    world.run(0.2, 0.01);
    let height = underside(&world);
    // It swings in flight, and the grid does not see all of that: over a whole period nothing of it is left.
    world.run(0.25, 0.01);
    let pull = (rising - world.mean_velocity().y) / (0.1 * GRAVITY);
    (rebound / SPEED, pull, height)
}

#[test]
fn a_cube_bounces_off_a_floor_that_lets_go_and_is_held_by_one_that_does_not() {
    let (rebound, pull, height) = hurled_at_the_floor(WallCondition::Separating);
    assert!(rebound > 0.5, "{rebound}");
    assert!((pull - 1.0).abs() < 0.05, "{pull}");
    assert!(height > 1.5, "{height}");
    let (_, _, height) = hurled_at_the_floor(WallCondition::Slip);
    assert!(height < 1.0, "{height}");
}

#[test]
fn steps_are_short_only_while_a_cube_touches_a_floor_that_lets_go() {
    let mut world = hurled(WallCondition::Separating);
    let explicit = 0.5 / f64::from(CELLS) / f64::from(MODULUS / 1000.0).sqrt();
    let mut on_the_floor: f64 = 0.0;
    let mut in_flight = f64::INFINITY;
    while world.time < 0.2 {
        let stable = world.liquid.stable_step(&world.solids).seconds;
        // It lands after two hundredths of a second, and flies again after about a tenth.
        if (0.035..0.08).contains(&world.time) {
            on_the_floor = on_the_floor.max(stable);
        } else if world.time < 0.01 || underside(&world) > 1.0 {
            in_flight = in_flight.min(stable);
        }
        world.step(stable);
    }
    assert!(underside(&world) > 1.0, "it is in the air again");
    assert!(
        on_the_floor < 1.001 * explicit,
        "{on_the_floor} s on the floor"
    );
    assert!(in_flight > 2.5 * explicit, "{in_flight} s in flight");
}
