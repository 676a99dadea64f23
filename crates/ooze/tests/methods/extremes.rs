//! Liquids that have nowhere to go, and liquids that are not there.

use ooze_scene::method_names;

use crate::{run, scene};

pub(crate) const BOX: &str = "
[domain]
size = [1, 1, 1]
cells = 10
[time]
frames = 6
frame_rate = 15
[output]
video = false
";

pub(crate) const WATER: &str = "
[[liquid]]
material = \"water\"
shape.box = { lower = [0, 0, 0], upper = [0.5, 0.6, 1] }
";

/// A ball that grows until it is larger than the domain.
const GROWING: &str = "
[[collider]]
shape.sphere = { centre = [0, 0, 0], radius = 0.1 }
[collider.motion]
position = [0.5, 0.3, 0.5]
keyframes = [{ time = 0, scale = 1 }, { time = 0.3, scale = 20 }]
";

/// A plate that fills the domain's width and comes down on the water until nothing is left below it.
pub(crate) const PISTON: &str = "
[[collider]]
shape.box = { lower = [-1, 0, -1], upper = [2, 1, 2] }
motion.keyframes = [
    { time = 0, position = [0, 0.65, 0], interpolation = \"linear\" },
    { time = 0.3, position = [0, 0.0, 0] },
]
";

/// Runs a scene with every method. It may end with an error that says why, but not otherwise.
fn every_method(text: &str) {
    for method in method_names() {
        match run(&scene(text, method)) {
            Ok(frames) => assert_eq!(frames.len(), 7, "{method}"),
            Err(error) => assert!(error.to_string().contains("t = "), "{method}: {error}"),
        }
    }
}

/// The same scene in few sub-steps: what is squeezed moves so fast that it would ask for very many.
fn capped(text: &str) -> String {
    text.replace("frames = 6", "frames = 6\nmax_substeps = 20")
}

#[test]
fn a_collider_that_outgrows_the_domain_is_survived() {
    every_method(&capped(&format!("{BOX}{WATER}{GROWING}")));
}

#[test]
fn a_piston_that_leaves_no_room_is_survived() {
    every_method(&capped(&format!("{BOX}{WATER}{PISTON}")));
}

#[test]
fn liquid_that_all_drains_is_survived() {
    let drain = "
        [[drain]]
        start = 0.1
        shape.box = { lower = [-1, -1, -1], upper = [2, 2, 2] }
        ";
    every_method(&format!("{BOX}{WATER}{drain}"));
    // Strain is carried where there is goo, and by nobody when it is gone.
    let goo = "
        [materials.goo]
        base = \"water\"
        elasticity = { modulus = 100, yield_strain = 0.1, decay_rate = 1 }
        ";
    let text = format!("{BOX}{WATER}{drain}{goo}").replace("\"water\"\nshape", "\"goo\"\nshape");
    for method in ["flip", "apic", "level-set", "goktekin-2011", "clavet"] {
        let frames = run(&scene(&text, method)).unwrap_or_else(|error| panic!("{method}: {error}"));
        let last = frames.last().map(|frame| frame.particles);
        assert_eq!(last, Some(0), "{method}");
    }
}

#[test]
fn liquid_that_comes_later_is_survived() {
    let emitter = "
        [[emitter]]
        material = \"honey\"
        start = 0.2
        shape.box = { lower = [0.4, 0.6, 0.4], upper = [0.6, 0.7, 0.6] }
        velocity = [0, -1, 0]
        ";
    every_method(&format!("{BOX}{emitter}"));
}
