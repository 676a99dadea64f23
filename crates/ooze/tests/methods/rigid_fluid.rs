//! Bodies that are liquid for a while (Carlson 2004, ch. 5).

use glam::Vec3;
use ooze::Simulation;
use ooze::grid::{BodyCoupling, BodySettings, LevelSetLiquid, LevelSetSettings, LoopOrder};
use ooze_core::{Liquid, Solids};

use crate::bits::check_bits;
use crate::coupled::{CUP, Falling, GRAVITY, ROD, cup_of_water};
use crate::scene;

const BOTH: [LoopOrder; 2] = [LoopOrder::Lively, LoopOrder::Quick];

/// A rod of a density relative to water falls in a cup; its velocity after each of some steps.
fn velocities(ratio: f64, bodies: BodySettings, steps: usize) -> Vec<f64> {
    let settings = LevelSetSettings {
        bodies: BodySettings {
            coupling: BodyCoupling::RigidFluid,
            ..bodies
        },
        ..LevelSetSettings::default()
    };
    let setup = cup_of_water();
    let mut solids = Falling::new(setup.domain.cell_size, ratio);
    let mut liquid = LevelSetLiquid::new(setup, settings, &solids);
    let dt = 0.001;
    let step = |step: usize| {
        let time = dt * step as f64;
        solids.advance(time, dt);
        liquid.step(time, dt, &mut solids).expect("a step");
        solids.velocity()
    };
    (0..steps).map(step).collect()
}

/// How far accelerations may be off.
const NEAR: f64 = 0.1;

/// Acceleration once the water that the rod takes along has come to move with it.
fn late_acceleration(velocities: &[f64]) -> f64 {
    let later = &velocities[velocities.len() / 2..];
    (later[later.len() - 1] - later[0]) / (0.001 * (later.len() - 1) as f64)
}

/// Between cylinders of radii a and b, a moves liquid as if it had (b² + a²)/(b² − a²) of what it displaces in tow. Where cells are
/// partly rod water sticks to it, so that it is as if it were half a cell larger, with a skin of water.
fn taken() -> f64 {
    let skin = 0.5 * cup_of_water().domain.cell_size;
    let [rod, wet, cup] = [ROD, ROD + skin, CUP].map(|radius| f64::from(radius * radius));
    let displaced = wet / rod;
    displaced * (cup + wet) / (cup - wet) + displaced - 1.0
}

#[test]
fn rods_of_half_the_waters_density_and_more_fall_with_the_water_that_they_take_along() {
    for ratio in [0.6, 1.5, 4.0] {
        for loop_order in BOTH {
            for buoyant_weight in [false, true] {
                let bodies = BodySettings {
                    loop_order,
                    buoyant_weight,
                    ..BodySettings::default()
                };
                let found = late_acceleration(&velocities(ratio, bodies, 40));
                let expected = -GRAVITY * (ratio - 1.0) / (ratio + taken());
                assert!(
                    (found / expected - 1.0).abs() < NEAR,
                    "{ratio}, {bodies:?}: {found} of {expected} m/s²"
                );
            }
        }
    }
}

#[test]
fn a_light_rod_is_flung_about_by_the_liquids_inertia_and_is_not_without_it() {
    let ratio = 0.25;
    let settings = |ultra_buoyant: f32, buoyant_weight: bool| BodySettings {
        ultra_buoyant,
        buoyant_weight,
        loop_order: LoopOrder::Quick,
        ..BodySettings::default()
    };
    // What is left of the difference between rod and water after a step is C/(1 + C) (1/s − 1) times as much, for a rod of a density s that
    // takes C along: more than before below 1/(2 + 1/C).
    let all = velocities(ratio, settings(0.0, false), 12);
    let jumps: Vec<f64> = all.windows(2).map(|two| two[1] - two[0]).collect();
    let growth = -taken() / (1.0 + taken()) * (1.0 / ratio - 1.0);
    for two in jumps[4..].windows(2) {
        let found = two[1] / two[0];
        assert!(
            (found / growth - 1.0).abs() < NEAR,
            "{found} of {growth}: {all:?}"
        );
    }
    // Eq. 84: steady, with the inertia of liquid in its place; and where its lack of weight comes after the pressure, 1/s as strong.
    for (buoyant_weight, expected) in [
        (true, GRAVITY * (1.0 - ratio) / (1.0 + taken())),
        (false, GRAVITY * (1.0 / ratio - 1.0) / (1.0 + taken())),
    ] {
        let all = velocities(ratio, settings(0.45, buoyant_weight), 40);
        assert!(all.windows(2).all(|two| two[1] > two[0]), "{all:?}");
        let found = late_acceleration(&all);
        assert!(
            (found / expected - 1.0).abs() < NEAR,
            "{buoyant_weight}: {found} of {expected} m/s²"
        );
    }
}

/// A box in a flat tank, as wide as four times its height.
fn floating(ratio: f64, height: f64, more: &str) -> String {
    format!(
        "
        [domain]
        size = [1.0, 0.8, 0.025]
        cell_size = 0.025
        flat = true
        contact = \"slip\"
        [time]
        frame_rate = 30
        frames = 30
        [method]
        preset = \"carlson-2004-rigid\"
        {more}
        [materials.oil]
        density = 1000.0
        viscosity = 0.1
        [[liquid]]
        material = \"oil\"
        shape.box = {{ lower = [0.0, 0.0, -1.0], upper = [1.0, 0.4075, 1.0] }}
        [[body]]
        name = \"box\"
        density = {}
        shape.box = {{ lower = [-0.2, -0.1, -1.0], upper = [0.2, 0.1, 1.0] }}
        motion.keyframes = [{{ time = 0.0, position = [0.51, {height}, 0.0] }}]
        [output]
        video = false
        ",
        1000.0 * ratio
    )
}

fn height_of_body(simulation: &Simulation) -> f64 {
    f64::from(simulation.solids().all()[0].end.translation.y)
}

fn finished(text: &str, method: &str) -> Simulation {
    let mut simulation = Simulation::of_scene(&scene(text, method)).expect("a fair scene");
    let ended = simulation.run(&|| false);
    ended.unwrap_or_else(|error| panic!("{method}: {error}"));
    simulation
}

#[test]
fn boxes_float_as_deep_as_archimedes_has_it_within_a_cell() {
    for (ratio, more) in [(0.6, ""), (0.9, ""), (0.3, "bodies.buoyant_weight = true")] {
        // Where it displaces its weight, of the liquid that was there before it too.
        let height = 0.4075 + 0.1 - 0.2 * ratio;
        let simulation = finished(&floating(ratio, height, more), "carlson-2004-rigid");
        let off = (height_of_body(&simulation) - height) / 0.025;
        assert!(off.abs() < 1.0, "{ratio}: {off} cells");
        let motion = simulation.solids().all()[0].motion().expect("it is free");
        let mass = 0.4 * 0.2 * 0.025 * 1000.0 * ratio;
        let speed = motion.momentum[1] / mass;
        assert!(speed.abs() < 0.1, "{ratio}: {speed} m/s");
    }
}

/// A ball under water.
const SINKING: &str = "
[domain]
size = [0.4, 0.8, 0.4]
cells = 32
[time]
frames = 6
frame_rate = 60
[materials.plain]
base = \"water\"
viscosity = 0.01
[[liquid]]
material = \"plain\"
shape.box = { lower = [0, 0, 0], upper = [0.4, 0.75, 0.4] }
[[body]]
density = 5700
shape.sphere = { centre = [0.203, 0.5, 0.198], radius = 0.08 }
[output]
video = false
";

#[test]
fn a_stone_sinks_about_as_fast_as_one_that_is_solved_for_with_the_water() {
    let velocity = |method: &str| {
        let simulation = finished(SINKING, method);
        let solid = &simulation.solids().all()[0];
        f64::from(solid.next.linear.y)
    };
    let [joint, rigid] = ["level-set", "carlson-2004-rigid"].map(velocity);
    assert!(joint < -0.4, "{joint}");
    assert!((rigid / joint - 1.0).abs() < 0.15, "{rigid} of {joint} m/s");
}

/// A brick and a stick, one of them in the water and the other above it.
const MIXED: &str = "
[domain]
size = [0.4, 0.4, 0.4]
cells = 16
[time]
frames = 5
frame_rate = 60
[[liquid]]
material = \"water\"
shape.box = { lower = [0, 0, 0], upper = [0.4, 0.15, 0.4] }
[[body]]
name = \"stick\"
density = 300
shape.box = { lower = [0.1, 0.3, 0.1], upper = [0.3, 0.34, 0.14] }
velocity = [0.1, 0.4, 0.2]
turns_per_second = [0, 0, 1]
[[body]]
name = \"brick\"
density = 2000
shape.box = { lower = [0.15, 0.1, 0.15], upper = [0.25, 0.16, 0.25] }
turns_per_second = [0, 1, 0]
[output]
video = false
";

#[test]
fn a_body_in_the_air_moves_as_without_liquid() {
    let scene = scene(MIXED, "carlson-2004-rigid");
    let mut simulation = Simulation::of_scene(&scene).expect("a fair scene");
    simulation.run(&|| false).expect("it runs");
    let stick = &simulation.solids().all()[0];
    let centre = stick.free.expect("it is free").centre;
    let found = stick.next.velocity(stick.end.to_world(centre));
    let time = 5.0 / 60.0;
    let expected = Vec3::new(0.1, 0.4 - 9.81 * time, 0.2);
    assert!(
        found.abs_diff_eq(expected, 1e-5),
        "{found} of {expected} m/s"
    );
    // The water has had its say on the other one.
    let brick = simulation.solids().all()[1].motion().expect("it is free");
    let fallen = 0.1 * 0.1 * 0.06 * 2000.0 * 9.81 * f64::from(time);
    assert!(-brick.momentum[1] < 0.9 * fallen, "{brick:?}");
}

#[test]
fn the_same_bits_come_out_on_any_number_of_threads_and_after_a_resume() {
    // The brick is in the water when the first part ends.
    check_bits(&scene(MIXED, "carlson-2004-rigid"), 2, |_| ());
}
