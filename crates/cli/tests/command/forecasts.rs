//! What `ooze check` foretells, beside what runs take.

use serde_json::Value;

use crate::Workshop;

fn checked(workshop: &Workshop, flags: &[&str]) -> Value {
    let arguments = [&["check", "dam.toml", "--json"], flags].concat();
    serde_json::from_str(&workshop.ooze(&arguments, 0).out).expect("JSON")
}

/// Sub-steps and most particles of the run in a folder.
fn taken(workshop: &Workshop, folder: &str) -> (f64, f64) {
    let text = std::fs::read_to_string(workshop.path(&format!("{folder}/stats.jsonl")));
    let lines = text.expect("statistics");
    let lines = lines.lines().map(|line| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let figure = |name: &str| line[name].as_f64().expect("a number");
        (figure("substeps"), figure("particles"))
    });
    lines.fold((0.0, 0.0), |(steps, most), (own, particles)| {
        (steps + own, particles.max(most))
    })
}

#[test]
fn steps_and_particles_are_foretold_within_a_factor_of_two() {
    let workshop = Workshop::new();
    for (method, cells) in [("flip", "32"), ("level-set", "24"), ("clavet", "24")] {
        let flags = ["--method", method, "--resolution", cells];
        let forecast = &checked(&workshop, &flags)["forecast"];
        let run = ["run", "dam.toml", "-q", "-o", method];
        workshop.ooze(&[&run[..], &flags].concat(), 0);
        let (steps, particles) = taken(&workshop, method);
        for (name, taken) in [("steps", steps), ("particles", particles)] {
            let ratio = forecast[name].as_f64().expect("a number") / taken;
            assert!((0.5..=2.0).contains(&ratio), "{method}: {name} {ratio}");
        }
        for name in ["simulation_seconds", "memory_bytes", "disk_bytes"] {
            assert!(forecast[name].as_f64().is_some_and(|figure| figure > 0.0));
        }
    }
}

#[test]
fn a_scene_is_tried_once() {
    let workshop = Workshop::new();
    let first = checked(&workshop, &[]);
    assert!(workshop.path("cache/ooze/pilots/dam.flip.json").exists());
    assert_eq!(checked(&workshop, &[]), first, "as it was measured");
    // A file that cannot be read is measured anew.
    workshop.write("cache/ooze/pilots/dam.flip.json", "{");
    assert_eq!(checked(&workshop, &[])["scene"], first["scene"]);
}

#[test]
fn editors_get_errors_with_their_places() {
    let workshop = Workshop::new();
    let bad = crate::DAM.replace("frame_rate = 30", "frame_rat = 30");
    workshop.write("dam.toml", &bad);
    let spoken = workshop.ooze(&["check", "dam.toml", "--json"], 3);
    let report: Value = serde_json::from_str(&spoken.out).expect("JSON");
    let error = &report["errors"][0];
    let line = bad.lines().position(|line| line.starts_with("frame_rat"));
    assert_eq!(error["line"].as_u64(), line.map(|line| line as u64 + 1));
    assert_eq!(
        (&error["column"], &error["file"]),
        (&1.into(), &"dam.toml".into())
    );
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|text| text.contains("frame_rat"))
    );
}

#[test]
fn what_bench_cannot_do_is_told_before_anything_runs() {
    let workshop = Workshop::new();
    workshop
        .ooze(&["bench", "block", "--scenes", "dam.toml"], 2)
        .complains("go with `ooze bench forecasts`");
    workshop
        .ooze(&["bench", "block", "--resolution", "8"], 2)
        .complains("go with `ooze bench forecasts`");
    workshop
        .ooze(&["bench", "forecasts", "--scenes", "dam.toml,honye"], 2)
        .complains("honey");
}
