//! Bodies that stop holes: what stands on them stays above.

use ooze::Simulation;

use crate::scene;

/// Water on a floor with a slot of six cells in it, and what lies on the slot.
fn above_a_slot(body: &str) -> String {
    format!(
        "
[domain]
size = [0.4, 0.4, 0.01]
cell_size = 0.01
flat = true
contact = \"slip\"
[time]
frame_rate = 30
frames = 30
[[liquid]]
material = \"water\"
shape.box = {{ lower = [0.0, 0.22, -1.0], upper = [0.4, 0.34, 1.0] }}
[[collider]]
name = \"left\"
contact = \"slip\"
shape.box = {{ lower = [-1.0, 0.2, -1.0], upper = [0.17, 0.22, 1.0] }}
[[collider]]
name = \"right\"
contact = \"slip\"
shape.box = {{ lower = [0.23, 0.2, -1.0], upper = [1.0, 0.22, 1.0] }}
{body}
[output]
video = false
"
    )
}

/// A ball, as the plane has it, on the edges of the slot.
const BALL: &str = "
[[body]]
density = 2000
shape.cylinder = { from = [0, 0, -1], to = [0, 0, 1], radius = 0.05 }
motion = { position = [0.2, 0.2602, 0.0] }
";

/// A plate of one cell.
const PLATE: &str = "
[[body]]
density = 3000
shape.box = { centre = [0, 0, 0], size = [0.1, 0.01, 2.0] }
motion = { position = [0.2013, 0.2252, 0.0] }
";

/// The share of the liquid that is below the floor after a second.
fn lost(body: &str, method: &str) -> f64 {
    let mut simulation = Simulation::of_scene(&scene(&above_a_slot(body), method)).unwrap();
    simulation.run(&|| false).unwrap();
    let channels = simulation.liquid().channels();
    let places = channels.vectors("position").unwrap();
    let below = places.iter().filter(|place| place.y < 0.2);
    below.count() as f64 / places.len() as f64
}

#[test]
fn a_ball_and_a_plate_of_one_cell_hold_the_water_above_a_slot() {
    for method in ["flip", "level-set"] {
        for body in [BALL, PLATE] {
            let found = lost(body, method);
            assert!(found < 0.01, "{method}: {found} with {body}");
        }
        let open = lost("", method);
        assert!(open > 0.5, "{method}: {open}");
    }
}
