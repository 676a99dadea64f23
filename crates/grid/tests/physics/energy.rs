//! Elastic liquids that nothing drives: kinetic, potential and elastic energy together never grow.

use std::sync::Arc;

use glam::{Quat, Vec3};
use ooze_core::{
    Collider, Contact, Elasticity, Liquid, LiquidSetup, Material, MaterialId, Measure, Side,
    WallCondition,
};
use ooze_geometry::Shape;
use ooze_grid::{
    ElasticityScheme, ElasticitySettings, FlipSettings, LevelSetSettings, Sampling, Transfer,
};

use crate::level_set;
use crate::support::{GRAVITY, World, cuboid, fixed, setup, unit_box};

/// Seconds.
const FRAME: f64 = 1.0 / 30.0;

fn jelly(modulus: f32) -> Material {
    Material {
        elasticity: Some(Elasticity {
            modulus,
            yield_strain: 0.5,
            decay_rate: 1.0,
        }),
        ..Material::newtonian("jelly", 1000.0, 1.0, 0.0)
    }
}

/// A slab of jelly in a corner, whose free side and top lie between cell planes.
fn slab(cells: i32, modulus: f32) -> LiquidSetup {
    let shape = cuboid(Vec3::ZERO, Vec3::new(0.52, 0.59, 1.0));
    let mut setup = setup(unit_box(cells, false), shape);
    setup.materials = vec![jelly(modulus)];
    setup
}

fn scheme(scheme: ElasticityScheme) -> FlipSettings {
    FlipSettings {
        elasticity: ElasticitySettings {
            scheme,
            ..ElasticitySettings::default()
        },
        ..FlipSettings::default()
    }
}

/// Runs a scene for so many seconds, in frames of a thirtieth, and asserts that its energy never exceeds that of the start by
/// more than a thousandth of what was put in, or what lifting all of it by a hundredth of a cell takes.
fn never_gains(
    case: &str,
    setup: LiquidSetup,
    settings: FlipSettings,
    solids: Vec<Collider>,
    seconds: f64,
) {
    let cell_size = f64::from(setup.domain.cell_size);
    let mut world = World::new(setup, settings, solids);
    let start = world.liquid.measure(&world.solids);
    let allowed = 0.01 * start.mass * f64::from(GRAVITY) * cell_size;
    let frames = (seconds / FRAME).round() as usize;
    let mut released = 0.0_f64;
    for frame in 1..=frames {
        world.run(frame as f64 * FRAME, FRAME);
        let now = world.liquid.measure(&world.solids);
        let gained = now.total_energy() - start.total_energy();
        released = released.max(start.potential_energy - now.potential_energy);
        let bound = allowed.max(1e-3 * (start.kinetic_energy + released));
        assert!(
            gained < bound,
            "{case}: {gained} J more at frame {frame}, {bound} allowed; moves with {} J",
            now.kinetic_energy
        );
    }
}

#[test]
fn jelly_that_stands_gains_no_energy() {
    for modulus in [1e4, 1e5, 1e6] {
        let chosen = scheme(ElasticityScheme::Automatic);
        never_gains(
            &format!("{modulus} Pa"),
            slab(8, modulus),
            chosen,
            Vec::new(),
            2.0,
        );
    }
}

#[test]
fn stiff_jelly_gains_no_energy_in_implicit_steps() {
    let chosen = scheme(ElasticityScheme::Implicit);
    never_gains("1e6 Pa", slab(8, 1e6), chosen, Vec::new(), 1.0);
    let chosen = scheme(ElasticityScheme::Automatic);
    never_gains("1e8 Pa", slab(8, 1e8), chosen, Vec::new(), 0.1);
}

#[test]
fn jelly_that_stands_gains_no_energy_whatever_carries_it() {
    let affine = FlipSettings {
        transfer: Transfer::Apic,
        ..FlipSettings::default()
    };
    never_gains("affine", slab(8, 1e5), affine, Vec::new(), 1.5);
    let coarse = FlipSettings {
        sampling: Sampling::Coarse,
        ..FlipSettings::default()
    };
    never_gains("coarse", slab(8, 1e5), coarse, Vec::new(), 1.5);
    let explicit = scheme(ElasticityScheme::Explicit);
    never_gains("explicit", slab(8, 1e5), explicit, Vec::new(), 1.5);
}

/// A floor through the lower middle of the box that leans across the grid: two of them are a groove, in which things can rest.
fn lean(angle: f32) -> Collider {
    let normal = Quat::from_rotation_z(angle) * Vec3::Y;
    let shape = Shape::half_space(Vec3::new(0.5, 0.2, 0.5), normal).expect("fair");
    let contact = Contact {
        condition: WallCondition::NoSlip,
        friction: 0.0,
        heat: None,
    };
    fixed("floor", shape, contact)
}

#[test]
fn jelly_on_a_floor_that_leans_across_the_grid_gains_no_energy() {
    let shape = cuboid(Vec3::new(0.2, 0.1, 0.2), Vec3::new(0.8, 0.62, 0.8));
    let mut setup = setup(unit_box(12, false), shape);
    setup.materials = vec![jelly(1e5)];
    never_gains(
        "leaning",
        setup,
        FlipSettings::default(),
        vec![lean(0.35), lean(-0.6)],
        1.0,
    );
}

#[test]
fn jellies_of_two_moduli_gain_no_energy() {
    let mut setup = slab(8, 1e6);
    let upper = cuboid(Vec3::new(0.0, 0.33, 0.0), Vec3::new(0.52, 0.59, 1.0));
    let lower = cuboid(Vec3::ZERO, Vec3::new(0.52, 0.33, 1.0));
    setup.materials = vec![jelly(1e6), jelly(2e4)];
    setup.initial[0].shape = Arc::new(lower);
    let mut other = setup.initial[0].clone();
    other.shape = Arc::new(upper);
    other.material = MaterialId(1);
    setup.initial.push(other);
    for chosen in [ElasticityScheme::Automatic, ElasticityScheme::Implicit] {
        never_gains(
            &format!("{chosen:?}"),
            setup.clone(),
            scheme(chosen),
            Vec::new(),
            1.0,
        );
    }
}

#[test]
fn jelly_that_falls_gains_no_energy() {
    let shape = cuboid(Vec3::new(0.27, 0.31, 0.29), Vec3::new(0.7, 0.72, 0.71));
    for transfer in [Transfer::Flip(0.97), Transfer::Apic] {
        let mut setup = setup(unit_box(12, false), shape.clone());
        setup.materials = vec![jelly(1e5)];
        let settings = FlipSettings {
            transfer,
            ..FlipSettings::default()
        };
        never_gains(&format!("{transfer:?}"), setup, settings, Vec::new(), 1.0);
    }
}

/// A cube of jelly about to land, in explicit steps.
struct Landing {
    modulus: f32,
    /// Its lower corner and its speed in m/s.
    lower: Vec3,
    speed: f32,
    walls: [Collider; 2],
    /// In seconds.
    step: f64,
    steps: usize,
}

impl Landing {
    /// Asserts that no energy comes out of nothing on 32 cells, and that the cube is strained by a share of what it fell with.
    fn pays(self, transfer: Transfer, share: f64) {
        let shape = cuboid(self.lower, self.lower + Vec3::new(0.41, 0.41, 0.42));
        let mut setup = setup(unit_box(32, false), shape);
        setup.materials = vec![jelly(self.modulus)];
        setup.initial[0].velocity = Vec3::new(0.0, -self.speed, 0.0);
        let settings = FlipSettings {
            transfer,
            ..scheme(ElasticityScheme::Explicit)
        };
        let mut world = World::new(setup, settings, self.walls.to_vec());
        let mut before = world.liquid.measure(&world.solids);
        let moving = before.kinetic_energy;
        let mut least = f64::INFINITY;
        for step in 1..=self.steps {
            world.run(step as f64 * self.step, self.step);
            let now = world.liquid.measure(&world.solids);
            // Velocities are those of the middle of the step, positions and strain those of its end.
            let later = now.total_energy() - now.kinetic_energy;
            let earlier = before.total_energy() - before.kinetic_energy;
            let energy = now.kinetic_energy + 0.5 * (later + earlier);
            least = least.min(energy);
            assert!(
                energy - least < 1e-3 * moving,
                "{} Pa, {transfer:?}: {} J more in step {step}",
                self.modulus,
                energy - least
            );
            before = now;
        }
        let strained = before.elastic_energy.expect("it is elastic");
        assert!(strained > share * moving, "{strained} J");
    }
}

#[test]
fn jelly_that_lands_pays_for_its_strain() {
    // The first few particles that meet a wall across the grid fill little of the cells around them.
    for transfer in [Transfer::Flip(0.99), Transfer::Apic] {
        let landing = Landing {
            modulus: 1e5,
            lower: Vec3::new(0.31, 0.365, 0.29),
            speed: 1.5,
            walls: [lean(-0.35), lean(0.6)],
            step: 1.0 / 660.0,
            steps: 32,
        };
        landing.pays(transfer, 0.02);
    }
}

#[test]
fn stiff_jelly_that_lands_on_an_edge_pays_for_its_strain() {
    // Stress pulls hardest at the faces with the fewest particles.
    for transfer in [Transfer::Flip(0.97), Transfer::Apic] {
        let landing = Landing {
            modulus: 1e6,
            lower: Vec3::new(0.31, 0.37, 0.29),
            speed: 1.4,
            walls: [lean(-0.347), lean(0.593)],
            step: 1.0 / 2100.0,
            steps: 75,
        };
        landing.pays(transfer, 0.2);
    }
}

#[test]
fn jelly_falls_freely_below_a_ceiling_that_it_does_not_touch() {
    let held = Contact {
        condition: WallCondition::NoSlip,
        friction: 0.0,
        heat: None,
    };
    // One and a half cells below: air between them must not take the ceiling's velocity on.
    let shape = cuboid(Vec3::new(0.31, 0.47, 0.29), Vec3::new(0.72, 0.88, 0.71));
    for transfer in [Transfer::Flip(0.97), Transfer::Apic] {
        let mut setup = setup(unit_box(12, false), shape.clone());
        setup.domain.sides = [[Side::Closed(held); 2]; 3];
        setup.materials = vec![jelly(1e4)];
        let settings = FlipSettings {
            transfer,
            ..FlipSettings::default()
        };
        let mut world = World::new(setup, settings, Vec::new());
        for _ in 0..40 {
            world.step(1.0 / 3000.0);
        }
        let speed = -f64::from(world.mean_velocity().y);
        let free = f64::from(GRAVITY) * world.time;
        assert!(
            (speed / free - 1.0).abs() < 1e-3,
            "{transfer:?}: {speed} of {free} m/s"
        );
    }
}

fn level_set_settings(scheme: ElasticityScheme) -> LevelSetSettings {
    LevelSetSettings {
        elasticity: ElasticitySettings {
            scheme,
            ..ElasticitySettings::default()
        },
        ..LevelSetSettings::default()
    }
}

/// [`never_gains`] for a level set.
fn level_set_never_gains(
    case: &str,
    setup: LiquidSetup,
    scheme: ElasticityScheme,
    solids: Vec<Collider>,
    seconds: f64,
) {
    let cell_size = f64::from(setup.domain.cell_size);
    let mut world = level_set::World::new(setup, level_set_settings(scheme), solids);
    let start = world.measure();
    let allowed = 0.01 * start.mass * f64::from(GRAVITY) * cell_size;
    let mut released = 0.0_f64;
    for frame in 1..=(seconds / FRAME).round() as usize {
        world.run(frame as f64 * FRAME, FRAME);
        let now = world.measure();
        let gained = now.total_energy() - start.total_energy();
        released = released.max(start.potential_energy - now.potential_energy);
        let bound = allowed.max(1e-3 * (start.kinetic_energy + released));
        assert!(
            gained < bound,
            "{case}, {scheme:?}: {gained} J more at frame {frame}, {bound} allowed; moves with {} J",
            now.kinetic_energy
        );
    }
}

/// A square of jelly whose lower side is `height` above the floor, over a groove whose sides lean across the grid.
fn over_groove(cells: i32, modulus: f32, height: f32) -> (LiquidSetup, Vec<Collider>) {
    let side = |normal: Vec3| {
        let point = Vec3::new(0.5, 0.2, 0.5);
        let shape = Shape::half_space(point, normal.normalize()).expect("fair");
        fixed("side", shape, Contact::default())
    };
    let lower = Vec3::new(0.31, height, -1.0);
    let shape = cuboid(lower, lower + Vec3::new(0.41, 0.41, 3.0));
    let mut setup = setup(unit_box(cells, true), shape);
    setup.materials = vec![jelly(modulus)];
    let sides = vec![
        side(Vec3::new(0.34, 0.94, 0.0)),
        side(Vec3::new(-0.56, 0.83, 0.0)),
    ];
    (setup, sides)
}

#[test]
fn a_level_set_of_jelly_gains_no_energy_when_it_falls_into_a_groove() {
    for scheme in [
        ElasticityScheme::Automatic,
        ElasticityScheme::Explicit,
        ElasticityScheme::Implicit,
    ] {
        let (setup, sides) = over_groove(12, 1e6, 0.47);
        level_set_never_gains("groove", setup, scheme, sides, 0.5);
    }
}

#[test]
fn a_level_set_of_jelly_that_lands_pays_for_its_strain() {
    // Beside walls across the grid faces weigh less for pressure than the liquid that goes on inside the walls has it.
    let (mut setup, sides) = over_groove(16, 1e5, 0.34);
    setup.initial[0].velocity = Vec3::new(0.0, -1.6, 0.0);
    let settings = level_set_settings(ElasticityScheme::Explicit);
    let mut world = level_set::World::new(setup, settings, sides);
    let start = world.measure();
    let mut before = start.clone();
    for number in 1..=48 {
        let step = 1.0 / 600.0;
        world.run(f64::from(number) * step, step);
        let now = world.measure();
        let stored = |measure: &Measure| measure.total_energy() - measure.kinetic_energy;
        // Velocities are those of the middle of the step, positions and strain those of its end.
        let energy = now.kinetic_energy + 0.5 * (stored(&before) + stored(&now));
        let gained = energy - start.total_energy();
        assert!(
            gained < 0.012 * start.kinetic_energy,
            "{gained} J more in step {number}"
        );
        before = now;
    }
    let strained = before.elastic_energy.expect("it is elastic");
    assert!(strained > 0.1 * start.kinetic_energy, "{strained} J");
}

#[test]
fn a_level_set_of_stiff_jelly_does_not_ring_as_it_falls() {
    // In explicit steps as long as they may be; its surface would be the first to ring.
    let shape = cuboid(Vec3::new(0.31, 0.47, 0.29), Vec3::new(0.72, 0.88, 0.71));
    let mut setup = setup(unit_box(12, false), shape);
    setup.materials = vec![jelly(1e6)];
    let settings = level_set_settings(ElasticityScheme::Explicit);
    let mut world = level_set::World::new(setup, settings, Vec::new());
    world.run(6.0 * FRAME, FRAME);
    let now = world.measure();
    let strained = now.elastic_energy.expect("it is elastic");
    assert!(strained < 1e-4 * now.kinetic_energy, "{strained} J");
}

#[test]
fn a_level_set_in_flight_is_where_its_velocity_takes_it() {
    // The square is thrown across the planes of a grid that cannot hold its corners, and in so many steps that a surface which
    // lags behind would be seen to.
    for (modulus, step) in [(1e6, 1.0 / 700.0), (1e8, 1.0 / 7000.0)] {
        let cells = 8;
        let (mut setup, _) = over_groove(cells, modulus, 0.45);
        setup.initial[0].velocity = Vec3::new(-0.6, 0.8, 0.0);
        let settings = level_set_settings(ElasticityScheme::Explicit);
        let mut world = level_set::World::new(setup, settings, Vec::new());
        let start = world.measure();
        let height = |now: &Measure| now.potential_energy / (now.mass * f64::from(GRAVITY));
        let mut way = 0.0;
        for number in 1..=(0.1 / step) as u32 {
            world.run(f64::from(number) * step, step);
            let now = world.measure();
            way += step * now.momentum.y / now.mass;
            let strayed = (height(&now) - height(&start) - way) * f64::from(cells);
            assert!(
                strayed.abs() < 5e-3,
                "{modulus} Pa: {strayed} cells in step {number}"
            );
        }
    }
}

#[test]
fn a_level_set_of_jelly_that_stands_gains_no_energy() {
    for modulus in [1e4, 1e5, 1e6] {
        for scheme in [ElasticityScheme::Automatic, ElasticityScheme::Explicit] {
            let shape = cuboid(Vec3::new(0.0, 0.0, -1.0), Vec3::new(0.52, 0.59, 2.0));
            let mut setup = setup(unit_box(8, true), shape);
            setup.materials = vec![jelly(modulus)];
            level_set_never_gains(&format!("{modulus} Pa"), setup, scheme, Vec::new(), 1.0);
        }
    }
}
