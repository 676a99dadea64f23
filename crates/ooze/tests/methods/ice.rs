//! Free bodies that melt.

use ooze::{Outcome, Simulation};
use ooze_core::{ChannelData, FrameStatistics};

use crate::{Listener, scene};

const ICE: &str = "
[materials.ice]
base = \"water\"
density = 1000
viscosity = 0.002
thermal = { conductivity = CONDUCTIVITY, specific_heat = 2000, melting_point = 273.15, melting_width = 1, latent_heat = 3e4 }
";

/// Runs a scene to its end: the figures of its frames, and the simulation as it is then.
fn whole(text: &str) -> (Vec<FrameStatistics>, Simulation) {
    let mut simulation = Simulation::of_scene(&scene(text, "flip")).unwrap();
    let listener = Listener::default();
    simulation.add_sink(Box::new(listener.clone()));
    assert_eq!(simulation.run(&|| false).unwrap(), Outcome::Finished);
    let frames = listener.0.lock().expect("nobody panicked").clone();
    (frames, simulation)
}

/// A cube of ice that lies on water in a narrow basin.
fn in_a_basin(conductivity: &str, more: &str, water: f64, frames: u32) -> String {
    ICE.replace("CONDUCTIVITY", conductivity)
        + &format!(
            "
[domain]
flat = true
size = [0.08, 0.08, 0.0025]
cells = 32
[time]
frame_rate = 30
frames = {frames}
[[liquid]]
material = \"ice\"
temperature = {water}
shape.box = {{ lower = [0, 0, -1], upper = [0.08, 0.04, 1] }}
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

#[test]
fn a_cube_of_ice_floats_as_deep_as_its_weight_asks_for() {
    let (frames, simulation) = whole(&in_a_basin("0.001", "locked = [\"turn-z\"]", 274.0, 60));
    let cube = &simulation.solids().all()[0];
    // Nine tenths of it are under water.
    let (side, basin) = (0.02, 0.08);
    let water = 0.04 * basin - 0.008 * side;
    let level = (water + 0.9 * side * side) / basin;
    let expected = level - 0.4 * side;
    let found = f64::from(cube.end.translation.y);
    let saved = simulation.solids().save();
    println!("left {:?}", saved.get("bodies_left"));
    for frame in &frames[1..] {
        println!("{} {:?}", frame.frame, frame.forces[0]);
    }
    assert!(
        (found - expected).abs() < 0.5 * 0.0025,
        "{found} {expected}"
    );
    let speed = cube.next.linear.length();
    assert!(speed < 0.01, "{speed}");
    let mass = [0, 60].map(|frame| frames[frame].mass);
    assert!((mass[1] / mass[0] - 1.0).abs() < 1e-12);
}

#[test]
fn a_cube_of_ice_becomes_water_and_neither_mass_nor_heat_is_lost() {
    let (frames, simulation) = whole(&in_a_basin("20", "", 300.0, 120));
    let [first, last] = [&frames[0], &frames[120]];
    assert!((last.mass / first.mass - 1.0).abs() < 1e-12);
    let heat = |frame: &FrameStatistics| frame.heat.expect("heat matters");
    assert!(heat(first).melted < 0.95, "{:?}", heat(first));
    assert!(heat(last).melted > 0.999, "{:?}", heat(last));
    let scale = heat(first).content.abs();
    let lost = heat(last).content - heat(first).content;
    assert!(lost.abs() < 1e-4 * scale, "{lost} of {scale}");
    // Nothing of it meets other solids any more.
    let saved = simulation.solids().save();
    let Some(ChannelData::Double(left)) = saved.get("bodies_left") else {
        panic!("{saved:?}");
    };
    assert_eq!(left[1], 0.0);
}

#[test]
fn a_cube_that_melts_in_flight_keeps_its_momentum() {
    let text = ICE.replace("CONDUCTIVITY", "1")
        + "

[domain]
size = [0.16, 0.08, 0.08]
cells = 32
[time]
frame_rate = 50
frames = 20
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
    let text = format!("gravity = [0, 0, 0]\n{text}");
    let (frames, _) = whole(&text);
    let [first, last] = [&frames[0], &frames[20]];
    for frame in &frames {
        println!(
            "{} {:?} {:?} {:?}",
            frame.frame,
            frame.angular_momentum,
            frame.momentum,
            frame.forces.first()
        );
    }
    let melted = last.heat.expect("heat matters").melted;
    assert!((0.2..0.9).contains(&melted), "{melted}");
    let off = last.momentum[0] / first.momentum[0] - 1.0;
    assert!(off.abs() < 0.01, "{off}");
    // About the cube's own way, which begins at (0.04, 0.04, 0.04).
    let spin = |frame: &FrameStatistics| frame.angular_momentum[2] + 0.04 * frame.momentum[0];
    let off = spin(last) / spin(first) - 1.0;
    assert!(off.abs() < 0.05, "{off}");
}
