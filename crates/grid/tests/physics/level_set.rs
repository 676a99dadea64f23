//! The level-set liquid.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::{
    Collider, Contact, Drain, Elasticity, Emitter, KeyframedSolids, LevelSet, Liquid, LiquidSetup,
    Material, MaterialId, Measure, Solids, StepReport, WallCondition,
};
use ooze_field::level_set::Advection;
use ooze_geometry::Shape;
use ooze_grid::{LevelSetLiquid, LevelSetSettings, SurfaceTreatment, VelocityAdvection};

use crate::support::{GRAVITY, cuboid, fixed, setup, unit_box};

pub struct World {
    pub liquid: LevelSetLiquid,
    solids: KeyframedSolids,
    time: f64,
    pub report: StepReport,
}

impl World {
    pub fn new(setup: LiquidSetup, settings: LevelSetSettings, colliders: Vec<Collider>) -> Self {
        let solids = KeyframedSolids::new(colliders);
        Self {
            liquid: LevelSetLiquid::new(setup, settings, &solids),
            solids,
            time: 0.0,
            report: StepReport::default(),
        }
    }

    pub fn run(&mut self, end: f64, longest: f64) {
        while self.time < end - 1e-9 {
            let stable = self.liquid.stable_step(&self.solids).seconds;
            let dt = stable.min(longest).min(end - self.time);
            self.solids.advance(self.time, dt);
            let report = self.liquid.step(self.time, dt, &mut self.solids);
            self.report.absorb(report.expect("the step succeeds"));
            self.time += dt;
        }
    }

    pub fn measure(&self) -> Measure {
        self.liquid.measure(&self.solids)
    }
}

pub fn ball(centre: Vec3, radius: f32) -> Shape {
    Shape::sphere(centre, radius).expect("a fair ball")
}

/// A column of water beside a wall of a flat box.
fn dam(cells: i32, settings: LevelSetSettings) -> World {
    let water = cuboid(Vec3::splat(-1.0), Vec3::new(0.3, 0.6, 2.0));
    World::new(setup(unit_box(cells, true), water), settings, Vec::new())
}

#[test]
fn a_tank_stays_at_rest_with_hydrostatic_pressure() {
    for (flat, settings) in [
        (false, LevelSetSettings::default()),
        (true, LevelSetSettings::default()),
        (true, LevelSetSettings::goktekin_2011()),
    ] {
        let water = cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.5, 2.0));
        let mut world = World::new(setup(unit_box(20, flat), water), settings, Vec::new());
        let volume = world.measure().volume;
        let exact = 0.5 * if flat { 0.05 } else { 1.0 };
        assert!((volume / exact - 1.0).abs() < 2e-3, "flat {flat}: {volume}");
        world.run(0.5, 0.01);
        let measure = world.measure();
        let rms = (2.0 * measure.kinetic_energy / measure.mass).sqrt();
        let limit = 0.01 * f64::from(GRAVITY * 0.5).sqrt();
        assert!(rms < limit, "flat {flat}: residual speed {rms} of {limit}");
        for depth in [0.1, 0.2, 0.3, 0.4] {
            let point = Vec3::new(0.5, 0.5 - depth, 0.5 * if flat { 0.05 } else { 1.0 });
            let pressure = world.liquid.pressure_at(point).expect("water there");
            let expected = 998.0 * GRAVITY * depth;
            let error = (pressure - expected).abs() / (998.0 * GRAVITY * 0.5);
            // Pressure that is zero at the centres of air cells is half a cell off.
            let allowed = if settings.surface == SurfaceTreatment::Ghost {
                0.02
            } else {
                0.06
            };
            assert!(
                error < allowed,
                "flat {flat} depth {depth}: {pressure} {expected}"
            );
        }
        let drift = measure.volume_drift();
        assert!(drift.abs() < 2e-3, "flat {flat}: volume drift {drift}");
    }
}

#[test]
fn a_drop_in_free_flight_falls_with_g_and_keeps_its_shape() {
    for (advection, surface) in [
        (VelocityAdvection::MacCormack, SurfaceTreatment::Ghost),
        (VelocityAdvection::SemiLagrangian, SurfaceTreatment::Smooth),
        (VelocityAdvection::SemiLagrangian, SurfaceTreatment::Lively),
    ] {
        let mut setup = setup(unit_box(24, false), ball(Vec3::new(0.5, 0.7, 0.5), 0.2));
        setup.initial[0].velocity = Vec3::new(0.5, 0.0, -0.25);
        let settings = LevelSetSettings {
            velocity_advection: advection,
            surface,
            ..LevelSetSettings::default()
        };
        let mut world = World::new(setup, settings, Vec::new());
        world.run(0.2, 0.01);
        let measure = world.measure();
        let mean = (measure.momentum / measure.mass).as_vec3();
        let expected = Vec3::new(0.5, -GRAVITY * 0.2, -0.25);
        assert!(
            mean.abs_diff_eq(expected, 2e-3),
            "{surface:?}: {mean} {expected}"
        );
        assert!(
            measure.volume_drift().abs() < 1e-3,
            "{}",
            measure.volume_drift()
        );
        // Steps are of first order in time: half a step's fall is what the centre may be off.
        let centre = Vec3::new(0.6, 0.7 - 0.5 * GRAVITY * 0.04, 0.45);
        let channels = world.liquid.channels();
        let markers = channels.vectors("position").expect("markers");
        let stray = markers
            .iter()
            .map(|point| point.distance(centre))
            .fold(0.0, f32::max);
        assert!(stray < 0.2 + 0.03, "{surface:?}: {stray}");
    }
}

#[test]
fn a_breaking_dam_keeps_its_volume_and_tells_what_it_loses_without_correction() {
    let mut kept = dam(32, LevelSetSettings::default());
    kept.run(0.8, 0.01);
    let drift = kept.measure().volume_drift();
    assert!(drift.abs() < 0.005, "{drift}");
    // The front has run along the floor and up the other wall.
    let far = kept
        .liquid
        .volume_where(&kept.solids, &|point| point.x > 0.9);
    assert!(far > 1e-3 * kept.measure().volume, "{far}");
    let mut free = dam(
        32,
        LevelSetSettings {
            volume_correction: false,
            tracking: ooze_field::level_set::TrackingSettings {
                advection: Advection::SemiLagrangian,
                particles: None,
                ..LevelSetSettings::default().tracking
            },
            ..LevelSetSettings::default()
        },
    );
    free.run(0.8, 0.01);
    assert!(
        free.measure().volume_drift().abs() > 0.01,
        "{}",
        free.measure().volume_drift()
    );
}

#[test]
fn drops_keep_their_own_volumes() {
    let mut setup = setup(unit_box(24, true), ball(Vec3::new(0.3, 0.5, 0.0), 0.15));
    let small = ball(Vec3::new(0.75, 0.6, 0.0), 0.08);
    setup.initial.push(setup.initial[0].clone());
    setup.initial[1].shape = Arc::new(small);
    setup.forces.clear();
    setup.initial[0].velocity = Vec3::new(0.1, 0.3, 0.0);
    setup.initial[1].velocity = Vec3::new(-0.3, -0.4, 0.0);
    let mut world = World::new(setup, LevelSetSettings::default(), Vec::new());
    let halves = |world: &World| {
        let part = |right: bool| {
            world
                .liquid
                .volume_where(&world.solids, &|point| (point.x > 0.53) == right)
        };
        [part(false), part(true)]
    };
    let before = halves(&world);
    world.run(0.4, 0.02);
    let after = halves(&world);
    for (before, after) in before.into_iter().zip(after) {
        assert!((after / before - 1.0).abs() < 5e-3, "{before} {after}");
    }
}

#[test]
fn emitters_fill_and_drains_empty() {
    let mut setup = setup(
        unit_box(24, true),
        cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.1, 2.0)),
    );
    setup.emitters.push(Emitter {
        name: "tap".into(),
        shape: Arc::new(cuboid(Vec3::new(0.4, 0.7, -1.0), Vec3::new(0.6, 0.8, 1.0))),
        material: MaterialId(0),
        velocity: Vec3::new(0.0, -1.0, 0.0),
        start: 0.0,
        stop: 0.3,
        rate: None,
        temperature: None,
    });
    let flow = 0.2 / 24.0;
    let mut world = World::new(setup.clone(), LevelSetSettings::default(), Vec::new());
    let start = world.measure();
    assert!(
        ((start.volume - 0.1 / 24.0) / (0.02 / 24.0) - 1.0).abs() < 0.05,
        "{}",
        start.volume
    );
    world.run(0.3, 0.01);
    let filled = world.measure();
    let emitted = filled.expected_volume - start.expected_volume;
    assert!(
        (emitted / (0.3 * flow) - 1.0).abs() < 0.02,
        "{emitted} {}",
        0.3 * flow
    );
    assert!(
        filled.volume_drift().abs() < 0.01,
        "{}",
        filled.volume_drift()
    );
    setup.drains.push(Drain {
        name: "sink".into(),
        shape: Arc::new(cuboid(Vec3::splat(-1.0), Vec3::new(0.2, 2.0, 2.0))),
        start: 0.0,
        stop: 1e9,
    });
    let mut drained = World::new(setup, LevelSetSettings::default(), Vec::new());
    drained.run(0.3, 0.01);
    let left = drained.measure();
    assert!(
        left.volume < 0.85 * filled.volume,
        "{} {}",
        left.volume,
        filled.volume
    );
    assert!(left.volume_drift().abs() < 0.01, "{}", left.volume_drift());
}

#[test]
fn what_leaves_through_an_open_side_is_gone() {
    let mut domain = unit_box(24, true);
    domain.sides[1][0] = ooze_core::Side::Open;
    let mut world = World::new(
        setup(domain, ball(Vec3::new(0.5, 0.25, 0.0), 0.15)),
        LevelSetSettings::default(),
        Vec::new(),
    );
    let before = world.measure().volume;
    world.run(0.2, 0.01);
    let half = world.measure();
    assert!(
        half.volume < 0.95 * before && half.volume_drift().abs() < 0.02,
        "{half:?}"
    );
    world.run(0.5, 0.01);
    assert!(
        world.measure().volume < 0.01 * before,
        "{}",
        world.measure().volume
    );
    world.run(0.8, 0.01);
    let end = world.measure();
    assert_eq!((end.volume, end.expected_volume), (0.0, 0.0));
}

#[test]
fn a_resumed_run_and_any_number_of_threads_give_the_same_bytes() {
    let run = |threads: usize, interrupted: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads start").install(|| {
            let mut world = dam(24, LevelSetSettings::default());
            if interrupted {
                world.run(0.1, 0.01);
                let saved = world.liquid.save();
                let time = world.time;
                world = dam(24, LevelSetSettings::default());
                world.liquid.load(saved).expect("its own state");
                world.time = time;
            }
            world.run(0.1, 0.01);
            world.run(0.2, 0.01);
            world.liquid.save()
        })
    };
    let whole = run(2, false);
    assert!(whole == run(1, false), "threads");
    assert!(whole == run(2, true), "resume");
}

#[test]
fn markers_and_level_set_of_a_frame_agree() {
    let world = World::new(
        setup(unit_box(20, false), ball(Vec3::splat(0.4), 0.2)),
        LevelSetSettings::default(),
        Vec::new(),
    );
    let channels = world.liquid.channels();
    let phi = world.liquid.level_set().expect("a level set").distance;
    let volume = ooze_field::level_set::volume(&phi);
    let exact = 4.0 / 3.0 * std::f64::consts::PI * 0.008;
    assert!((volume / exact - 1.0).abs() < 0.002, "{volume} {exact}");
    let markers = channels.vectors("position").expect("markers");
    let counted = markers.len() as f64 * 0.025f64.powi(3);
    assert!((counted / exact - 1.0).abs() < 0.02, "{counted}");
    assert!(markers.iter().all(|point| phi.sample(*point) < 0.0));
    assert_eq!(phi.topology().lattice().cells, IVec3::splat(40));
}

#[test]
fn frames_name_the_particles_that_the_level_set_has_lost() {
    let mut world = dam(32, LevelSetSettings::default());
    let mut found = [0, 0];
    for moment in 1..=8 {
        world.run(0.1 * f64::from(moment), 0.01);
        let LevelSet {
            distance, escaped, ..
        } = world.liquid.level_set().expect("a level set");
        for particle in escaped {
            found[usize::from(particle.liquid)] += 1;
            // Liquid where the level set has none, air where it has liquid, each beyond its radius.
            let side = if particle.liquid { 1.0 } else { -1.0 };
            assert!(distance.sample(particle.position) * side > particle.radius);
        }
    }
    assert!(found[1] > 0, "{found:?}");
}

/// A block of goo on the floor of a flat box, with or without its elasticity.
fn block_of_goo(mut settings: LevelSetSettings, elastic: bool) -> World {
    settings.elasticity.enabled = elastic;
    let block = cuboid(Vec3::new(0.35, -1.0, -1.0), Vec3::new(0.65, 0.3, 1.0));
    let mut setup = setup(unit_box(24, true), block);
    setup.materials[0].viscosity = 5.0;
    setup.materials[0].elasticity = Some(Elasticity {
        modulus: 2e4,
        yield_strain: 1.0,
        decay_rate: 1.0,
    });
    World::new(setup, settings, Vec::new())
}

fn height(world: &World) -> f32 {
    let channels = world.liquid.channels();
    let markers = channels.vectors("position").expect("markers");
    markers.iter().map(|point| point.y).fold(0.0, f32::max)
}

#[test]
fn elastic_goo_stands_and_a_plain_liquid_does_not() {
    for settings in [
        LevelSetSettings::default(),
        LevelSetSettings::goktekin_2011(),
    ] {
        let mut goo = block_of_goo(settings, true);
        goo.run(0.25, 0.01);
        assert!(
            height(&goo) > 0.25,
            "{:?}: {}",
            settings.surface,
            height(&goo)
        );
        let speed = goo.measure().max_speed;
        assert!(speed < 0.6, "{:?}: {speed}", settings.surface);
        let mut liquid = block_of_goo(settings, false);
        liquid.run(0.25, 0.01);
        assert!(
            height(&liquid) < 0.22,
            "{:?}: {}",
            settings.surface,
            height(&liquid)
        );
    }
}

#[test]
fn elastic_goo_in_free_flight_falls_with_g_and_spins_on() {
    let mut setup = setup(unit_box(24, true), ball(Vec3::new(0.5, 0.6, 0.0), 0.2));
    setup.materials[0].elasticity = Some(Elasticity {
        modulus: 1e4,
        yield_strain: 0.5,
        decay_rate: 1.0,
    });
    setup.initial[0].spin = Vec3::new(0.0, 0.0, 6.0);
    let flight = |elastic: bool| {
        let mut settings = LevelSetSettings::default();
        settings.elasticity.enabled = elastic;
        let mut world = World::new(setup.clone(), settings, Vec::new());
        world.run(0.15, 0.01);
        let measure = world.measure();
        let mean = (measure.momentum / measure.mass).as_vec3();
        assert!((mean.y + GRAVITY * 0.15).abs() < 0.01, "{mean}");
        // The surface has moved with these velocities, but they have not moved themselves yet: a turn about where the centre
        // was a step ago looks like a drift across the fall.
        let apparent = 6.0 * 0.01 * GRAVITY * 0.15;
        assert!(
            (mean.x - apparent).abs() < 0.15 * apparent,
            "{mean} {apparent}"
        );
        let centre = glam::DVec3::new(0.5, 0.6 - 9.81 * 0.01 * 0.01 * 120.0, 0.0);
        (measure.angular_momentum - centre.cross(measure.momentum)).z / measure.mass
    };
    // What transport takes of the spin of a drop ten cells across, elastic forces do not take in addition.
    let (elastic, plain) = (flight(true), flight(false));
    let start = 0.5 * 0.04 * 6.0;
    assert!(
        elastic > 0.8 * start && plain > 0.8 * start,
        "{elastic} {plain} {start}"
    );
    assert!((elastic / plain - 1.0).abs() < 0.1, "{elastic} {plain}");
}

#[test]
fn two_liquids_rest_on_one_another_and_press_with_their_weights() {
    let mut setup = setup(
        unit_box(20, true),
        cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.3, 2.0)),
    );
    let mut oil = setup.initial[0].clone();
    oil.shape = Arc::new(cuboid(Vec3::new(-1.0, 0.3, -1.0), Vec3::new(2.0, 0.6, 2.0)));
    oil.material = MaterialId(1);
    setup.initial.push(oil);
    setup.materials.push(setup.materials[0].clone());
    setup.materials[1].density = 500.0;
    let mut world = World::new(setup.clone(), LevelSetSettings::default(), Vec::new());
    world.run(0.3, 0.01);
    let pressure = |y: f32| {
        let point = Vec3::new(0.5, y, 0.025);
        world.liquid.pressure_at(point).expect("liquid there")
    };
    for (y, expected) in [
        (0.45, 500.0 * 0.15 * GRAVITY),
        (0.1, (500.0 * 0.3 + 998.0 * 0.2) * GRAVITY),
    ] {
        let found = pressure(y);
        assert!((found / expected - 1.0).abs() < 0.02, "{found} {expected}");
    }
    let measure = world.measure();
    let mass = 0.3 * (500.0 + 998.0) * 0.05;
    assert!((measure.mass / mass - 1.0).abs() < 0.01, "{}", measure.mass);
    let rms = (2.0 * measure.kinetic_energy / measure.mass).sqrt();
    assert!(rms < 0.02, "residual speed {rms}");
    let channels = world.liquid.channels();
    let markers = channels.vectors("position").expect("markers");
    let materials = channels.bytes("material").expect("materials");
    for (point, &material) in markers.iter().zip(materials) {
        assert_eq!(material, u8::from(point.y > 0.3), "{point}");
    }
    // The other way up, and tilted a little, it turns over.
    setup.materials.swap(0, 1);
    setup.forces.push(ooze_core::Force::Constant {
        acceleration: Vec3::new(1.0, 0.0, 0.0),
    });
    let mut heavy = World::new(setup, LevelSetSettings::default(), Vec::new());
    heavy.run(1.0, 0.01);
    let low = heavy.liquid.channels();
    let materials = low.bytes("material").expect("materials").iter();
    let markers = low.vectors("position").expect("markers").iter();
    let sunk = markers
        .zip(materials)
        .filter(|(point, material)| point.y < 0.2 && **material == 1);
    assert!(sunk.count() > 20);
}

#[test]
fn a_ball_splashes_into_a_tank_of_the_same_liquid() {
    for modulus in [0.0, 400.0] {
        let mut setup = setup(
            unit_box(24, false),
            cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.2, 2.0)),
        );
        let mut thrown = setup.initial[0].clone();
        thrown.shape = Arc::new(ball(Vec3::new(0.3, 0.5, 0.5), 0.12));
        thrown.velocity = Vec3::new(2.0, -5.0, 0.0);
        setup.initial.push(thrown);
        setup.materials[0].viscosity = 0.3;
        setup.materials[0].elasticity = Some(Elasticity {
            modulus,
            yield_strain: 0.15,
            decay_rate: 6.0,
        });
        let mut world = World::new(setup, LevelSetSettings::default(), Vec::new());
        world.run(0.3, 0.02);
        let measure = world.measure();
        // The ball's own energy and height do not allow more.
        assert!(measure.max_speed < 15.0, "{modulus}: {}", measure.max_speed);
        assert!(
            measure.volume_drift().abs() < 0.01,
            "{modulus}: {measure:?}"
        );
    }
}

#[test]
fn the_head_space_of_a_vessel_is_not_filled() {
    // Honey on either side of a block that reaches through the ceiling, which shuts the air off in two small rooms.
    for cells in [16, 24, 32] {
        let honey = cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.7, 2.0));
        let mut setup = setup(unit_box(cells, true), honey);
        setup.materials[0] = Material::preset("honey").expect("a built-in material");
        let sticks = Contact {
            condition: WallCondition::NoSlip,
            ..Contact::default()
        };
        let block = cuboid(Vec3::new(0.3, 0.15, -1.0), Vec3::new(0.7, 2.15, 1.0));
        let block = fixed("block", block, sticks);
        let mut world = World::new(setup, LevelSetSettings::default(), vec![block]);
        let before = world.measure().volume;
        world.run(0.1, 0.02);
        let change = world.measure().volume / before - 1.0;
        assert!(
            change.abs() < 0.003,
            "{cells} cells: volume changed by {change}"
        );
        assert_eq!(world.report.filled_volume, Some(0.0), "{cells} cells");
    }
}
