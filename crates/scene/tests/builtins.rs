//! The scenes that come with ooze.

use ooze_scene::{Method, Scene, builtin, method_names, starter, starter_for};

#[test]
fn every_built_in_scene_reads_without_warnings_and_is_large_enough() {
    for builtin in builtin::list() {
        let scene = builtin
            .scene()
            .unwrap_or_else(|errors| panic!("{errors:?}"));
        assert_eq!(scene.warnings().len(), 0, "{:?}", scene.warnings());
        assert_eq!(scene.name, builtin.name);
        assert_eq!(scene.description, builtin.summary);
        let prediction = scene.prediction();
        // Steps of the force-based liquid are as short as sound asks for: its scenes are small.
        let forces = matches!(scene.method, Method::Mueller(_));
        let fewest_cells = if forces { 20 } else { 64 };
        assert!(
            scene.setup.domain.cells.max_element() >= fewest_cells,
            "{}",
            scene.name
        );
        let least = match (forces, scene.setup.domain.flat) {
            (true, _) => 4_000,
            (false, true) => 5_000,
            (false, false) => 20_000,
        };
        assert!(prediction.most_particles >= least, "{}", scene.name);
        // What two cores do in minutes.
        assert!(prediction.most_particles <= 330_000, "{}", scene.name);
        // What melts, sets or is piled up drop by drop takes its time.
        assert!((0.5..=20.0).contains(&scene.time.duration()));
    }
}

#[test]
fn the_starter_is_a_scene_without_warnings() {
    for name in ["my-scene", "with \"quotes\" and \\"] {
        let text = starter(name);
        let read = Scene::parse(&text, "new.toml", "");
        if name == "my-scene" {
            let scene = read.unwrap_or_else(|errors| panic!("{errors:?}"));
            assert_eq!(scene.warnings().len(), 0, "{:?}", scene.warnings());
            assert_eq!(scene.name, name);
        } else {
            // Not good for a folder, but good TOML.
            let errors = read.unwrap_err();
            assert!(
                errors
                    .problems()
                    .iter()
                    .all(|problem| problem.key() == "name"),
                "{errors:?}"
            );
        }
    }
}

#[test]
fn there_is_a_starter_for_every_method_that_runs_in_a_minute() {
    for method in method_names() {
        let text = starter_for(method, "mine").unwrap();
        let scene =
            Scene::parse(&text, "mine.toml", "").unwrap_or_else(|errors| panic!("{errors:?}"));
        assert_eq!(scene.warnings().len(), 0, "{:?}", scene.warnings());
        assert_eq!((scene.method_name, scene.name.as_str()), (method, "mine"));
        assert!(scene.prediction().most_particles < 40_000, "{method}");
        assert!(scene.time.frames <= 30, "{method}");
    }
    assert_eq!(starter_for("magic", "mine"), None);
}

/// What is commented out in a starter is there to be used: every such line must be good as well.
#[test]
fn what_starters_leave_commented_out_is_valid_too() {
    for method in [
        "flip",
        "level-set",
        "carlson-2004-rigid",
        "carlson-2004",
        "clavet",
        "mueller",
    ] {
        let text = starter_for(method, "mine").unwrap();
        // Code begins with a bracket or a key; prose does not.
        let code = |line: &str| {
            let key = line.split([' ', '=']).next().unwrap_or("");
            let assigns = line.contains(" = ")
                && key
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || "._".contains(c));
            line.starts_with('[') || line.starts_with(']') || line.starts_with("    {") || assigns
        };
        let mut shown = String::new();
        let mut uncommented = 0;
        for line in text.lines() {
            match line.strip_prefix("# ") {
                // A mesh would have to be there, and a flat scene is another one.
                Some(rest) if code(rest) && !rest.contains("mesh") && !rest.starts_with("flat") => {
                    uncommented += 1;
                    shown += rest;
                }
                _ => shown += line,
            }
            shown.push('\n');
        }
        // The collider that had a mesh has no shape now.
        let shown = shown.replace("[[collider]]\n# shape.mesh", "# shape.mesh");
        assert!(uncommented > 1, "{method}");
        if let Err(errors) = Scene::parse(&shown, "mine.toml", "") {
            panic!("{method}: {errors:?}\n{shown}");
        }
    }
}
