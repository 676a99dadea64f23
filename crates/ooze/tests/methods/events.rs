//! What goes wrong without stopping a run is told, and what goes well is not.

use ooze_core::FrameStatistics;
use ooze_scene::{Scene, method_names};

use crate::extremes::{BOX, PISTON, WATER};
use crate::{run, scene};

fn told(frames: &[FrameStatistics], words: &str) -> bool {
    let mut events = frames.iter().flat_map(|frame| &frame.events);
    events.any(|event| event.contains(words))
}

#[test]
fn a_piston_that_presses_liquid_away_is_told() {
    for method in method_names() {
        // A run that ends with an error has told enough.
        let Ok(frames) = run(&scene(&format!("{BOX}{WATER}{PISTON}"), method)) else {
            continue;
        };
        let lost = ["volume than was seeded", "inside solids", "crowded"];
        let any = lost.iter().any(|words| told(&frames, words));
        let last = frames.last();
        assert!(any, "{method}: {last:?}");
        // The cause is named too.
        assert!(told(&frames, "of room for"), "{method}: {last:?}");
    }
}

#[test]
fn particles_that_crowd_on_a_grid_are_told() {
    let slosh = "
        [domain]
        size = [1, 1, 0.25]
        cells = 24
        [time]
        frames = 40
        frame_rate = 30
        [output]
        video = false
        [[liquid]]
        material = \"water\"
        shape.box = { lower = [0, 0, 0], upper = [0.5, 0.5, 0.25] }
        [method]
        preset = \"flip\"
        ";
    for (correction, crowds) in [("true", false), ("false", true)] {
        let text = format!("{slosh}density_correction = {correction}");
        let scene = Scene::parse_with(&text, "test.toml", "", &[]).expect("a fair scene");
        let frames = run(&scene).expect("a fair run");
        assert_eq!(told(&frames, "particles are crowded"), crowds);
        // Surfaces are fitted to the particles' number, and tell of nothing.
        assert!(!told(&frames, "volume than was seeded"));
    }
}

#[test]
fn a_solid_that_jumps_is_told() {
    let bullet = "
        [[collider]]
        shape.box = { lower = [0, 0, 0], upper = [0.2, 0.5, 1] }
        motion.keyframes = [
            { time = 0, position = [0.9, 0, 0], interpolation = \"linear\" },
            { time = 0.1, position = [-9.1, 0, 0] },
        ]
        ";
    let text =
        format!("{BOX}{WATER}{bullet}").replace("frames = 6", "frames = 1\nmax_substeps = 4");
    for method in method_names() {
        match run(&scene(&text, method)) {
            Ok(frames) => assert!(told(&frames, "a solid moved"), "{method}: {frames:?}"),
            Err(error) => assert!(error.to_string().contains("t = "), "{method}: {error}"),
        }
    }
}

#[test]
fn a_tank_at_rest_has_nothing_to_tell() {
    let tank = "
        [[liquid]]
        material = \"water\"
        shape.box = { lower = [0, 0, 0], upper = [1, 0.5, 1] }
        ";
    let text = format!("{BOX}{tank}").replace("frames = 6", "frames = 3");
    // As published, `batty-bridson-2008` corrects neither density nor volume: it loses volume, and says so.
    for method in method_names().filter(|method| !method.starts_with("batty")) {
        let frames = run(&scene(&text, method)).unwrap_or_else(|error| panic!("{method}: {error}"));
        let events: Vec<&String> = frames.iter().flat_map(|frame| &frame.events).collect();
        assert!(events.is_empty(), "{method}: {events:?}");
    }
}
