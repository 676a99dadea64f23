//! The scenes that come with ooze.

use ooze_scene::{Method, Scene, builtin, starter};

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
        assert!((0.5..=4.0).contains(&scene.time.duration()));
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
