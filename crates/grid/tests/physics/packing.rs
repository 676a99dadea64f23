//! Honest figures of how particles fill a liquid: what surfaces that are fitted to their number do not tell.

use crate::support::{World, cuboid, setup, unit_box};
use glam::{IVec3, Vec3};
use ooze_core::{CROWDED, Domain, Liquid, Measure, Packing};
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
