//! Free bodies that melt.

use glam::Vec3;
use ooze::{Outcome, Simulation};
use ooze_core::FrameStatistics;

use crate::bits::check_bits;
use crate::{Listener, scene};

const ICE: &str = "
[materials.ice]
base = \"water\"
density = 1000
viscosity = 0.002
thermal = { conductivity = CONDUCTIVITY, specific_heat = 2000, melting_point = 273.15, melting_width = 1, latent_heat = 3e4 }
";

/// Runs a scene to its end: the figures of its frames, and the simulation as it is then.
fn whole(text: &str, method: &str) -> (Vec<FrameStatistics>, Simulation) {
    let mut simulation = Simulation::of_scene(&scene(text, method)).unwrap();
    let listener = Listener::default();
    simulation.add_sink(Box::new(listener.clone()));
    assert_eq!(simulation.run(&|| false).unwrap(), Outcome::Finished);
    let frames = listener.0.lock().expect("nobody panicked").clone();
    (frames, simulation)
}

const SIDE: f64 = 0.02;
const BASIN: f64 = 0.08;
const CELL: f64 = 0.0025;

/// A cube of ice that lies on water in a narrow basin.
fn in_a_basin(conductivity: &str, more: &str, water: f64, frames: u32) -> String {
    ICE.replace("CONDUCTIVITY", conductivity)
        + &format!(
            "
[domain]
flat = true
size = [{BASIN}, {BASIN}, {CELL}]
cells = 32
[time]
frame_rate = 30
frames = {frames}
[[liquid]]
material = \"ice\"
temperature = {water}
shape.box = {{ lower = [0, 0, -1], upper = [{BASIN}, 0.04, 1] }}
[[body]]
name = \"cube\"
material = \"ice\"
density = 900
temperature = 268
shape.box = {{ lower = [-0.01, -0.01, -1], upper = [0.01, 0.01, 1] }}
motion.position = [0.041, 0.042, 0]
{more}
"
        )
}

/// By how much a cube floats too deep, in cells: what of it is below the level of the water, against what its weight displaces.
fn too_deep(simulation: &Simulation) -> f64 {
    let cube = &simulation.solids().all()[0];
    let left = f64::from(cube.left.expect("it melts"));
    let displaced = 0.9 * left * SIDE * SIDE;
    // What has melted is a ninth smaller than it was.
    let water = BASIN * 0.04 - 0.008 * SIDE + 0.9 * (1.0 - left) * SIDE * SIDE;
    let level = (water + displaced) / BASIN;
    const FINE: usize = 200;
    let step = 2.0 * SIDE / FINE as f64;
    let place = cube.end.translation.as_dvec3();
    let mut below = 0.0;
    for index in 0..FINE * FINE {
        let across = |number: usize| (number as f64 + 0.5) * step - SIDE;
        let point = place + glam::DVec3::new(across(index % FINE), across(index / FINE), 0.0);
        let point = Vec3::new(point.x as f32, point.y as f32, 0.5 * CELL as f32);
        if f64::from(point.y) < level && cube.distance(&cube.end, point) < 0.0 {
            below += step * step;
        }
    }
    (below - displaced) / (left.sqrt() * SIDE * CELL)
}

#[test]
fn a_cube_of_ice_floats_as_deep_as_its_weight_asks_for_also_while_it_melts() {
    for (conductivity, water, method, melts) in [
        ("0.001", 274.0, "flip", 0.05),
        ("8", 290.0, "flip", 0.5),
        ("8", 290.0, "apic", 0.5),
    ] {
        let text = in_a_basin(conductivity, "locked = [\"turn-z\"]", water, 60);
        let (frames, simulation) = whole(&text, method);
        let cube = &simulation.solids().all()[0];
        let off = too_deep(&simulation);
        let melted = 1.0 - f64::from(cube.left.expect("it melts"));
        assert!(off.abs() < 0.5, "{method}: {off}");
        assert!(
            melted < 0.9 && (melted >= 0.2) == (melts > 0.1),
            "{method}: {melted}"
        );
        let mass = [0, 60].map(|frame| frames[frame].mass);
        assert!((mass[1] / mass[0] - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_cube_of_ice_becomes_water_and_neither_mass_nor_heat_is_lost() {
    // The last crumb comes free after three seconds, and melts in its own cold water until well into the fifth.
    let (frames, simulation) = whole(&in_a_basin("20", "", 300.0, 150), "flip");
    let [first, last] = [&frames[0], &frames[150]];
    assert!((last.mass / first.mass - 1.0).abs() < 1e-12);
    let heat = |frame: &FrameStatistics| frame.heat.expect("heat matters");
    assert!(heat(first).melted < 0.95, "{:?}", heat(first));
    assert!(heat(last).melted > 0.999, "{:?}", heat(last));
    let scale = heat(first).content.abs();
    let lost = heat(last).content - heat(first).content;
    assert!(lost.abs() < 1e-4 * scale, "{lost} of {scale}");
    // It is gone: nothing pushes it, and nothing meets it.
    assert_eq!(last.forces[0].left, Some(0.0));
    assert!(last.forces[0].motion.is_none());
    assert_eq!(last.forces[0].total(), Default::default());
    assert!(simulation.solids().all()[0].is_gone());
    let shares = frames.iter().filter_map(|frame| frame.forces.first()?.left);
    let shares: Vec<f32> = shares.collect();
    assert!(
        shares.windows(2).all(|pair| pair[1] <= pair[0]),
        "{shares:?}"
    );
    assert!(shares[3] > 0.5, "{shares:?}");
}

#[test]
fn a_cube_that_melts_on_one_side_turns_over() {
    let angle = |heater: &str| {
        let text = in_a_basin("2", "", 274.0, 45) + heater;
        let (_, simulation) = whole(&text, "flip");
        let cube = &simulation.solids().all()[0];
        let turned = cube.end.rotation * Vec3::X;
        (turned.y.atan2(turned.x), cube.left.expect("it melts"))
    };
    let heater = "
[[heater]]
shape.box = { lower = [0.02, 0.02, -1], upper = [0.038, 0.05, 1] }
temperature = 350
heat_transfer = 20000
reach = 0.0005
depth = 0.001
stop = 1
";
    let (still, melting) = (angle(""), angle(heater));
    assert!(still.0.abs() < 0.15 && still.1 > 0.95, "{still:?}");
    assert!((0.1..0.9).contains(&melting.1), "{melting:?}");
    assert!(melting.0.abs() > 0.5, "{melting:?}");
}

/// A cube that flies and spins beside a heater.
fn in_flight() -> String {
    let text = ICE.replace("CONDUCTIVITY", "1")
        + "
[domain]
size = [0.16, 0.08, 0.08]
cells = 32
[time]
frame_rate = 50
frames = 12
[[body]]
name = \"cube\"
material = \"ice\"
temperature = 272
shape.box = { lower = [-0.01, -0.01, -0.01], upper = [0.01, 0.01, 0.01] }
motion.position = [0.04, 0.04, 0.04]
velocity = [0.15, 0, 0]
turns_per_second = [0, 0, 1]
[[heater]]
shape.sphere = { centre = [0.09, 0.075, 0.04], radius = 0.01 }
reach = 0.4
power = 600
shadows = false
";
    format!("gravity = [0, 0, 0]\n{text}")
}

#[test]
fn a_cube_that_melts_in_flight_keeps_its_momentum() {
    let (frames, _) = whole(&in_flight(), "apic");
    let [first, last] = [&frames[1], &frames[12]];
    let left = last.forces[0].left.expect("it melts");
    let change = |of: fn(&FrameStatistics) -> [f64; 3]| {
        let [before, after] = [first, last].map(of).map(glam::DVec3::from_array);
        (after - before).length() / before.length()
    };
    let (linear, angular) = (
        change(|frame| frame.momentum),
        change(|frame| frame.angular_momentum),
    );
    assert!((0.3..0.95).contains(&left), "{left}");
    assert!(linear < 0.01 && angular < 0.01, "{linear} {angular}");
}

#[test]
fn cubes_melt_to_the_same_bits_on_any_number_of_threads_and_after_a_resume() {
    check_bits(&scene(&in_flight(), "flip"), 8, |first| {
        let share = first.solids().all()[0].left.expect("it melts");
        assert!(share < 1.0, "{share}");
    });
}

#[test]
fn water_that_freezes_onto_a_cube_takes_few_iterations() {
    let text = in_a_basin("20", "", 274.0, 20).replace("temperature = 268", "temperature = 240");
    let (frames, _) = whole(&text, "flip");
    for statistics in &frames[1..] {
        let solves = &statistics.solves;
        assert!(!solves.contains_key("viscosity attempts"), "{solves:?}");
        assert!(solves["viscosity"].iterations_max <= 40, "{solves:?}");
        assert_eq!(statistics.events, Vec::<String>::new());
    }
}
