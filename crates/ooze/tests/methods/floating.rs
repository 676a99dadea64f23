//! Light bodies in liquids of particles, which hear of what they do to bodies a step later.

use ooze::Simulation;
use ooze_scene::method_names;

use crate::scene;

/// A ball of a density dropped from just above a tank of water.
fn tank(density: f64, cells: u32, frames: u32) -> String {
    format!(
        "
[domain]
size = [0.16, 0.16, 0.16]
cells = {cells}
contact = \"slip\"
[time]
frames = {frames}
frame_rate = 30
[[liquid]]
material = \"water\"
shape.box = {{ lower = [0, 0, 0], upper = [0.16, 0.08, 0.16] }}
[[body]]
name = \"ball\"
density = {density}
shape.sphere = {{ centre = [0.083, 0.112, 0.078], radius = 0.03 }}
[output]
video = false
"
    )
}

#[test]
fn balls_of_any_weight_come_to_rest_on_liquids_of_particles() {
    let of_particles = ["clavet", "mueller"];
    let methods: Vec<&str> = method_names()
        .filter(|method| of_particles.iter().any(|family| method.starts_with(family)))
        .collect();
    assert_eq!(methods.len(), 4);
    for method in methods {
        // As published, few particles draw one another in so hard that they throw the lightest ball about.
        let densities = match method {
            "clavet-2005" | "mueller-2003" => &[300.0][..],
            _ => &[20.0, 300.0],
        };
        // Steps of a state equation are short, and liquids that are relaxed are slow to settle.
        let (cells, frames) = match method.starts_with("mueller") {
            true => (8, 20),
            false => (12, 30),
        };
        for &density in densities {
            let scene = scene(&tank(density, cells, frames), method);
            let mut simulation = Simulation::of_scene(&scene).expect("a fair scene");
            let mut fastest = 0.0f32;
            for frame in 0..scene.time.frames {
                let ended = simulation.advance_frame(&|| false);
                assert!(
                    ended.is_ok(),
                    "{method}, {density}, frame {frame}: {ended:?}"
                );
                if frame > frames * 3 / 4 {
                    fastest = fastest.max(simulation.solids().all()[0].next.linear.length());
                }
            }
            // It falls in at 0.2 m/s.
            assert!(fastest < 0.3, "{method}, {density}: {fastest} m/s");
            let place = simulation.solids().all()[0].end.translation;
            let height = place.y + 0.112;
            let floats = 0.07..0.13;
            assert!(floats.contains(&height), "{method}, {density}: {height} m");
        }
    }
}
