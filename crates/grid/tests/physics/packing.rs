//! Honest figures of how particles fill a liquid: what surfaces that are fitted to their number do not tell.

use crate::support::{World, cuboid, setup, unit_box};
use glam::{IVec3, Vec3};
use ooze_core::random::uniform;
use ooze_core::{CROWDED, Domain, Liquid, Material, Measure, Packing};
use ooze_geometry::Shape;
use ooze_grid::FlipSettings;

fn packing(measure: &Measure) -> Packing {
    measure.packing.expect("particles have a packing")
}

/// What was worst while water fell into a corner of a box and sloshed.
#[derive(Debug)]
struct Worst {
    drift: f64,
    uncorrected: f64,
    packing: Packing,
}

fn slosh(settings: FlipSettings) -> Worst {
    let domain = Domain {
        cells: IVec3::new(24, 24, 6),
        ..unit_box(24, false)
    };
    let water = cuboid(Vec3::ZERO, Vec3::new(0.35, 0.6, 0.25));
    let mut world = World::new(setup(domain, water), settings, Vec::new());
    let start = world.liquid.measure(&world.solids);
    let mut worst = Worst {
        drift: 0.0,
        uncorrected: 0.0,
        packing: packing(&start),
    };
    // Seeding is even: a jittered lattice fills its cells to a particle.
    assert!(worst.packing.densest < 1.6 && worst.packing.crowded == 0.0);
    assert!(start.uncorrected_drift().abs() < 0.03, "{start:?}");
    for frame in 1..=60 {
        world.run(f64::from(frame) / 30.0, 0.02);
        let measure = world.liquid.measure(&world.solids);
        let now = packing(&measure);
        worst.drift = worst.drift.max(measure.volume_drift().abs());
        worst.uncorrected = worst.uncorrected.min(measure.uncorrected_drift());
        worst.packing.densest = worst.packing.densest.max(now.densest);
        worst.packing.crowded = worst.packing.crowded.max(now.crowded);
    }
    worst
}

#[test]
fn sloshing_water_crowds_without_density_correction_and_the_figures_say_so() {
    let without = slosh(FlipSettings {
        density_correction: false,
        ..FlipSettings::default()
    });
    let with = slosh(FlipSettings::default());
    // Fitted surfaces hide it.
    assert!(without.drift < 0.01, "{without:?}");
    assert!(without.uncorrected < -0.01, "{without:?}");
    assert!(without.packing.densest > CROWDED, "{without:?}");
    assert!(without.packing.crowded > 1e-3, "{without:?}");
    // Corrected, particles stay apart.
    assert!(with.drift < 0.01 && with.uncorrected > -0.01, "{with:?}");
    assert!(with.packing.densest < CROWDED, "{with:?}");
}

#[test]
fn the_head_space_of_a_vessel_of_few_cells_is_not_filled() {
    for cells in [IVec3::new(4, 4, 4), IVec3::new(4, 5, 4)] {
        let domain = Domain {
            cells,
            ..unit_box(4, false)
        };
        let water = cuboid(Vec3::ZERO, Vec3::new(0.5, 0.5, 1.0));
        let mut world = World::new(setup(domain, water), FlipSettings::default(), Vec::new());
        for frame in 0..=20 {
            world.run(f64::from(frame) / 30.0, 0.02);
            let measure = world.liquid.measure(&world.solids);
            let drift = measure.volume_drift();
            assert!(drift.abs() < 0.1, "{cells}, frame {frame}: {drift}");
        }
    }
}

/// A cube of 14 cells in weightlessness with eight bubbles in it, if they are wanted.
fn bubbly_cube(with_bubbles: bool) -> World {
    let dx = 1.0 / 24.0;
    let (lower, upper) = (Vec3::splat(6.3 * dx), Vec3::splat(20.3 * dx));
    let bubbles = (0..8)
        .map(|corner| IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2).as_vec3())
        .map(|corner| lower + (3.7 + 6.6 * corner) * dx)
        .map(|centre| Shape::sphere(centre, BUBBLE * dx).expect("a fair bubble"));
    let cube = cuboid(lower, upper);
    let shape = match with_bubbles {
        true => Shape::difference(cube, bubbles.collect()).expect("a fair cube"),
        false => cube,
    };
    let mut setup = setup(unit_box(24, false), shape);
    setup.materials = vec![Material::newtonian("honey", 1400.0, 10.0, 0.0)];
    setup.forces.clear();
    World::new(setup, FlipSettings::default(), Vec::new())
}

/// Radius of a bubble in cells.
const BUBBLE: f32 = 2.0;

/// Share of the points just below the cube's faces that the solver takes for liquid.
fn skin(world: &mut World) -> f64 {
    world.step(1e-3);
    let dx = 1.0 / 24.0;
    let inset = 0.1 * dx;
    let mut inside = 0;
    for index in 0..600 {
        let along = |seed: u64| (7.3 + 12.0 * uniform(seed, index)) * dx;
        let mut point = Vec3::new(along(0), along(1), along(2));
        let side = index as usize % 6;
        point[side / 2] = [6.3 * dx + inset, 20.3 * dx - inset][side % 2];
        inside += usize::from(world.liquid.pressure_at(point).is_some());
    }
    inside as f64 / 600.0
}

#[test]
fn bubbles_are_told_from_liquid_and_keep_their_room() {
    let mut bubbly = bubbly_cube(true);
    let measure = bubbly.liquid.measure(&bubbly.solids);
    let cell = f64::from(1.0f32 / 24.0).powi(3);
    let shut_in = 8.0 * 4.0 / 3.0 * std::f64::consts::PI * f64::from(BUBBLE).powi(3) * cell;
    let filled = packing(&measure).filled_air;
    // Hollows are wrapped a fifth of a cell tighter than they are.
    let share = filled / shut_in;
    assert!((0.65..1.1).contains(&share), "{share}");
    assert!(measure.uncorrected_drift().abs() < 0.05, "{measure:?}");
    assert!(measure.volume_drift().abs() < 0.01, "{measure:?}");
    // The surface around them is where it is without them: liquid is not drawn in to make up for the air.
    let (with, without) = (skin(&mut bubbly), skin(&mut bubbly_cube(false)));
    assert!(with > without - 0.25, "{with} and {without}");
    for frame in 1..=10 {
        bubbly.run(f64::from(frame) / 30.0, 0.02);
        let measure = bubbly.liquid.measure(&bubbly.solids);
        let kept = packing(&measure).filled_air / filled;
        assert!((0.95..1.05).contains(&kept), "frame {frame}: {kept}");
    }
}
