//! Bodies in jelly, whose elastic stress turns light ones round within a step.

use std::f64::consts::{PI, TAU};

use ooze::Simulation;

use crate::{run, scene};

/// A rod in jelly between walls, lying across a flat scene.
fn in_a_block(density: f64, modulus: f64) -> String {
    format!(
        "
[domain]
flat = true
size = [0.16, 0.16, 0.005]
cell_size = 0.005
contact = \"no-slip\"
[time]
frame_rate = 60
frames = 8
[materials.jelly]
base = \"water\"
density = 1000
viscosity = 0
elasticity = {{ modulus = {modulus}, yield_strain = 100, decay_rate = 0 }}
[[liquid]]
material = \"jelly\"
shape.box = {{ lower = [0, 0, -1], upper = [0.16, 0.12, 1] }}
[[body]]
name = \"rod\"
density = {density}
contact = \"no-slip\"
shape.cylinder = {{ from = [0, 0, -1], to = [0, 0, 1], radius = 0.02 }}
motion.position = [0.081, 0.061, 0]
"
    )
}

#[test]
fn jelly_holds_the_lightest_bodies_without_a_shake() {
    for density in [5.0, 200.0] {
        for method in ["flip", "level-set"] {
            let frames = run(&scene(&in_a_block(density, 1e4), method));
            let frames = frames.unwrap_or_else(|error| panic!("{method} {density}: {error}"));
            let fastest = frames.iter().map(|frame| frame.max_speed);
            let fastest = fastest.fold(0.0, f64::max);
            // It weighs nothing beside what it displaces, whose weight bends the jelly by 0.2 mm.
            assert!(fastest < 0.03, "{method} {density}: {fastest} m/s");
        }
    }
}

const ROD: f64 = 0.05;
const CUP: f64 = 0.15;
const MODULUS: f64 = 1e4;
const DENSITY: f64 = 1000.0;
const HEAVIER: f64 = 20.0;

/// A heavy rod in a cup of jelly, which it begins to turn in.
fn in_a_cup() -> String {
    let ratio = HEAVIER * DENSITY;
    format!(
        "
gravity = [0, 0, 0]
[domain]
flat = true
size = [0.32, 0.32, 0.01]
cells = 48
[time]
frame_rate = 250
frames = 50
[materials.jelly]
base = \"water\"
density = {DENSITY}
viscosity = 0
elasticity = {{ modulus = {MODULUS}, yield_strain = 100, decay_rate = 0 }}
[[liquid]]
material = \"jelly\"
shape.box = {{ lower = [0, 0, -1], upper = [0.32, 0.32, 1] }}
[[collider]]
name = \"cup\"
contact = \"no-slip\"
[collider.shape.difference]
from.box = {{ lower = [-1, -1, -1], upper = [1, 1, 1] }}
subtract = [{{ cylinder = {{ from = [0.163, 0.158, -2], to = [0.163, 0.158, 2], radius = {CUP} }} }}]
[[body]]
name = \"rod\"
density = {ratio}
contact = \"no-slip\"
shape.cylinder = {{ from = [0, 0, -1], to = [0, 0, 1], radius = {ROD} }}
motion.position = [0.163, 0.158, 0]
turns_per_second = [0, 0, 0.05]
"
    )
}

/// Seconds in which the rod turns to and fro: jelly of the shear modulus G holds it with the torque 4πG a²b²/(b² − a²) a metre for each
/// radian, and swings with it as a/(b² − a²) (b²/r − r) does, which is how it is bent where it has no mass.
fn period() -> f64 {
    let (a, b) = (ROD * ROD, CUP * CUP);
    let stiffness = 4.0 * PI * (0.5 * MODULUS) * a * b / (b - a);
    let jelly = |steps: u32| -> f64 {
        let width = (CUP - ROD) / f64::from(steps);
        let radii = (0..steps).map(|step| ROD + width * (f64::from(step) + 0.5));
        let along = |radius: f64| a / (b - a) * (b / radius - radius);
        radii
            .map(|radius| TAU * DENSITY * along(radius).powi(2) * radius * width)
            .sum()
    };
    let rod = 0.5 * HEAVIER * DENSITY * PI * a * a;
    TAU * ((rod + jelly(1000)) / stiffness).sqrt()
}

#[test]
fn a_rod_that_hangs_in_jelly_turns_to_and_fro_as_long_as_it_should() {
    let scene = scene(&in_a_cup(), "level-set");
    let mut simulation = Simulation::of_scene(&scene).expect("a fair scene");
    let mut spins = Vec::new();
    for _ in 0..scene.time.frames {
        simulation.advance_frame(&|| false).expect("a frame");
        let rod = &simulation.solids().all()[1];
        spins.push(f64::from(rod.next.angular.z));
    }
    let turns = spins.windows(2).enumerate();
    let turned: Vec<f64> = turns
        .filter(|(_, pair)| pair[0] * pair[1] <= 0.0)
        .map(|(frame, pair)| frame as f64 + 1.0 + pair[0] / (pair[0] - pair[1]))
        .collect();
    // Halfway back, and as far on the other side.
    let &[first, second] = &turned[..] else {
        panic!("turns back after frames {turned:?}");
    };
    let measured = 2.0 * (second - first) / 250.0;
    let ratio = measured / period();
    // Seven cells from its axis to its surface are few.
    assert!((1.0..1.12).contains(&ratio), "{ratio} of the period");
}
