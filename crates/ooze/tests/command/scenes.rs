//! Scenes that come with the program, and those that begin with its help.

use crate::Workshop;

#[test]
fn a_new_scene_is_sound_and_kept() {
    let workshop = Workshop::new();
    let spoken = workshop.ooze(&["new", "mine"], 0);
    assert!(spoken.out.contains("ooze run mine.toml"), "{}", spoken.out);
    let text = std::fs::read_to_string(workshop.path("mine.toml")).unwrap();
    let spoken = workshop.ooze(&["check", "mine.toml"], 0);
    assert!(spoken.out.contains("particles"), "{}", spoken.out);
    workshop
        .ooze(&["new", "mine.toml"], 4)
        .complains("mine.toml: is there already");
    assert_eq!(
        std::fs::read_to_string(workshop.path("mine.toml")).unwrap(),
        text
    );
    let flags = ["--resolution", "24", "--frames", "1", "--quiet"];
    workshop.ooze(&[&["run", "mine.toml"], &flags[..]].concat(), 0);
    assert!(workshop.path("out/mine/frames/particles_0001.npz").exists());
}

#[test]
fn built_in_scenes_are_listed_and_sound() {
    let workshop = Workshop::new();
    let list = workshop.ooze(&["list"], 0).out;
    for name in ["honey", "buckling-sheet", "dam-break", "hollow-shape"] {
        assert!(list.lines().any(|line| line.starts_with(name)), "{list}");
        workshop.ooze(&["check", "--quick", name], 0);
    }
}

#[test]
fn changes_are_written_into_the_scene_as_run() {
    let workshop = Workshop::new();
    let flags = [
        "--frames",
        "1",
        "--set",
        "seed=7",
        "--set",
        "gravity=[0,-1.6,0]",
        "--quiet",
    ];
    workshop.ooze(&[&["run", "dam.toml"], &flags[..]].concat(), 0);
    let text = std::fs::read_to_string(workshop.path("out/dam/scene.toml")).unwrap();
    assert!(text.contains("seed = 7"), "{text}");
    // The scene as run gives the same run again.
    workshop.ooze(&["run", "out/dam/scene.toml", "-o", "again", "--quiet"], 0);
    assert_eq!(
        crate::support::contents(&workshop.path("again")),
        crate::support::contents(&workshop.path("out/dam"))
    );
}

#[test]
fn schema_and_reference_are_printed() {
    let workshop = Workshop::new();
    let schema = workshop.ooze(&["schema"], 0).out;
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    assert!(schema["properties"]["domain"].is_object());
    assert!(workshop.ooze(&["reference"], 0).out.starts_with("# "));
}
