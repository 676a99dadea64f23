//! Strings: liquid between plates that part.

use std::sync::Arc;

use glam::Vec3;
use ooze_core::{Collider, Contact, Elasticity, KeyframedSolids, Material, Side, WallCondition};
use ooze_geometry::{Interpolation, Keyframe, Motion, Pose, Shape};
use ooze_particles::cases::{self, World};
use ooze_particles::{ClavetLiquid, ClavetSettings};

const SPACING: f32 = 0.0035;
const HEIGHT: f32 = 0.015;
const RADIUS: f32 = 0.0125;
const SPEED: f64 = 0.06;
const STICKY: Contact = Contact {
    condition: WallCondition::Sticky,
    friction: 0.0,
    heat: None,
};

/// What became of the liquid between the plates.
#[derive(Clone, Copy, Debug)]
struct Bridge {
    /// Distance of the plates, in heights of the liquid at first, up to which it reached from one to the other.
    stretch: f32,
    /// Cross-section of its thinnest part then, relative to the one at first.
    thickness: f32,
}

/// Parts two plates with slime between them until it breaks, or to ten times its height.
fn part(modulus: f32, decay_rate: f32, stickiness: f32) -> Bridge {
    let mut domain = cases::closed_box(Vec3::new(0.06, 0.2, 0.06), 12, false);
    domain.sides[1][0] = Side::Closed(STICKY);
    let cell_size = domain.cell_size;
    let middle = Vec3::new(0.03, 0.0, 0.03);
    let column = Shape::cylinder(middle, middle + Vec3::Y * HEIGHT, RADIUS).expect("a fair column");
    let slime = Material {
        elasticity: Some(Elasticity {
            modulus,
            yield_strain: 0.02,
            decay_rate,
        }),
        ..Material::newtonian("slime", 1000.0, 2.0, 0.0)
    };
    let mut setup = cases::single_liquid(domain, slime, column);
    setup.forces = vec![cases::down()];
    let settings = ClavetSettings {
        spacing: SPACING / cell_size,
        compression: 0.005,
        cohesion: Some(0.2),
        stickiness,
        ..ClavetSettings::default()
    };
    let solids = rising_plate();
    let liquid = ClavetLiquid::new(setup, settings, &solids).expect("constants within the ranges");
    let mut world = World::with_solids(liquid, solids);
    let at_first = std::f32::consts::PI * RADIUS * RADIUS * 1.4 / (SPACING * SPACING);
    let mut bridge = Bridge {
        stretch: 1.0,
        thickness: 1.0,
    };
    while bridge.stretch < 10.0 {
        world.run(world.time + 0.02).expect("steps succeed");
        let gap = HEIGHT + (SPEED * world.time) as f32;
        let heights: Vec<f32> = world.positions().iter().map(|point| point.y).collect();
        // Slices of 1.4 spacings between the plates, half of one apart from the next.
        let slice = 1.4 * SPACING;
        let slices = ((gap - 2.0 * slice) / (0.5 * slice)) as usize;
        let counts = (0..=slices).map(|index| {
            let lower = 0.5 * slice * (1.0 + index as f32);
            let inside = |height: &&f32| (lower..lower + slice).contains(*height);
            heights.iter().filter(inside).count()
        });
        let thinnest = counts.min().unwrap_or(0);
        if thinnest == 0 {
            break;
        }
        bridge = Bridge {
            stretch: gap / HEIGHT,
            thickness: thinnest as f32 / at_first,
        };
    }
    bridge
}

/// A plate above the liquid that rises.
fn rising_plate() -> KeyframedSolids {
    let plate = Shape::cuboid(Vec3::new(0.03, 0.005, 0.03), Vec3::new(0.02, 0.005, 0.02));
    let key = |time: f64| Keyframe {
        time,
        position: Some(Vec3::Y * (HEIGHT + (SPEED * time) as f32)),
        interpolation: Interpolation::Linear,
        ..Keyframe::default()
    };
    let keys = [key(0.0), key(3.0)];
    KeyframedSolids::new(vec![Collider {
        name: "plate".into(),
        shape: Arc::new(plate.expect("a fair plate")),
        motion: Motion::new(Pose::IDENTITY, &keys, None).expect("a fair motion"),
        contact: STICKY,
    }])
}

#[test]
fn soft_slime_draws_a_string_that_thins_and_breaks() {
    let string = part(300.0, 20.0, 200.0);
    assert!(string.stretch > 3.5 && string.stretch < 10.0, "{string:?}");
    assert!(string.thickness < 0.15, "{string:?}");
}

#[test]
fn stiff_slime_tears_and_dry_plates_draw_nothing() {
    let torn = part(3000.0, 5.0, 200.0);
    assert!(torn.stretch < 2.5, "{torn:?}");
    let dry = part(300.0, 20.0, 0.0);
    assert!(dry.stretch < 2.5, "{dry:?}");
}
