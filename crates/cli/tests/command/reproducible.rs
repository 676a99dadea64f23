//! The same bytes whatever the number of threads and however often a run is stopped.

use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ooze_core::random::uniform;
use ooze_scene::method_names;

use crate::support::contents;
use crate::{Spoken, Workshop};

/// Goo and water, with all that can come, go and move: an emitter, a drain, a turning paddle, and a warm cork with a weight on a rope.
const MIX: &str = r#"
name = "mix"

[domain]
size = [0.16, 0.16, 0.16]
cells = 8

[time]
frame_rate = 60
frames = 3

[materials.goo]
base = "water"
density = 1000
viscosity = 2
elasticity = { modulus = 50, yield_strain = 0.3, decay_rate = 1 }

[[liquid]]
material = "goo"
shape.box = { lower = [0, 0, 0], upper = [0.06, 0.08, 0.16] }

[[liquid]]
material = "water"
shape.box = { lower = [0.06, 0, 0], upper = [0.16, 0.04, 0.16] }

[[emitter]]
material = "water"
shape.box = { lower = [0.08, 0.12, 0.06], upper = [0.12, 0.14, 0.1] }
velocity = [0, -1, 0]

[[drain]]
shape.sphere = { centre = [0.16, 0, 0.16], radius = 0.02 }

[[collider]]
name = "paddle"
shape.box = { lower = [-0.03, -0.01, -0.02], upper = [0.03, 0.01, 0.02] }
motion.position = [0.1, 0.06, 0.08]
motion.spin = { axis = [0, 0, 1], turns_per_second = 1.5 }

[[body]]
name = "cork"
density = 200
temperature = 350
heat_capacity = 1700
shape.sphere = { centre = [0.13, 0.05, 0.13], radius = 0.02 }
turns_per_second = [0, 1, 0]

[[body]]
name = "weight"
density = 3000
shape.box = { lower = [0.115, 0.005, 0.015], upper = [0.145, 0.035, 0.045] }

[[joint]]
first = "cork"
second = "weight"
anchor = [0.13, 0.05, 0.13]
kind.rope = { length = 0.11 }

[output]
checkpoint_frames = 1
video = false
"#;

/// Points that level sets carry along, some from the start and some set later.
const TRACERS: &str = r#"
[[tracers]]
shape.box = { lower = [0, 0, 0], upper = [0.16, 0.08, 0.16] }
spacing = 0.01

[[tracers]]
shape.box = { lower = [0, 0, 0], upper = [0.16, 0.08, 0.16] }
spacing = 0.01
start = 0.02
"#;

/// A cube of ice that melts in a cup of warm water, beside a shelf on which two blocks fall asleep after half a second.
const THAW: &str = r#"
name = "thaw"

[domain]
flat = true
size = [0.08, 0.08, 0.0025]
cells = 32

[time]
frame_rate = 12
frames = 10

[materials.ice]
base = "water"
density = 1000
viscosity = 0.002
thermal = { conductivity = 30, specific_heat = 2000, melting_point = 273.15, melting_width = 1, latent_heat = 3e4 }

[[liquid]]
material = "ice"
temperature = 340
shape.box = { lower = [0, 0, -1], upper = [0.05, 0.03, 1] }

[[collider]]
name = "shelf"
shape.box = { lower = [0.05, 0, -1], upper = [0.08, 0.04, 1] }

[[body]]
name = "cube"
material = "ice"
density = 900
temperature = 268
shape.box = { lower = [-0.01, -0.01, -1], upper = [0.01, 0.01, 1] }
motion.position = [0.025, 0.03, 0]

[[body]]
name = "lower block"
density = 700
shape.box = { lower = [0.06, 0.04, -1], upper = [0.07, 0.05, 1] }

[[body]]
name = "upper block"
density = 700
shape.box = { lower = [0.061, 0.05, -1], upper = [0.069, 0.06, 1] }

[output]
checkpoint_frames = 1
video = false
"#;

/// The scene for a method; those that know no elasticity get a goo without, those without warm walls a cork that is not warm, one that
/// couples bodies to one liquid only gets only that, one whose walls are whole cells gets no bodies, and those that carry tracers get some.
fn mix_for(method: &str) -> String {
    let begins = |names: &[&str]| names.iter().any(|name| method.starts_with(name));
    let is_elastic = !begins(&["mueller", "batty", "carlson"]);
    let has_walls_of_heat = !begins(&["mueller", "clavet", "carlson-2004-rigid"]);
    let keep = |line: &&str| match line.split(' ').next() {
        Some("elasticity") => is_elastic,
        Some("temperature" | "heat_capacity") => has_walls_of_heat,
        _ => true,
    };
    let scene = match method {
        "carlson-2004" => without(MIX, &["[[body]]", "[[joint]]"]),
        "carlson-2004-rigid" => MIX.replace("material = \"water\"", "material = \"goo\""),
        _ => MIX.into(),
    };
    let mut lines: Vec<&str> = scene.lines().filter(keep).collect();
    let carry_tracers = ["level-set", "goktekin", "carlson-2004-rigid"];
    if carry_tracers.iter().any(|name| method.starts_with(name)) {
        lines.push(TRACERS);
    }
    lines.join("\n")
}

/// A scene without the tables of these names.
fn without(scene: &str, tables: &[&str]) -> String {
    let paragraphs = scene.split("\n\n");
    let kept = paragraphs.filter(|text| !tables.iter().any(|table| text.starts_with(table)));
    kept.collect::<Vec<_>>().join("\n\n")
}

#[test]
fn threads_do_not_change_a_byte() {
    let workshop = Workshop::new();
    let runs = ["1", "2", "5"].map(|threads| {
        let folder = format!("out_{threads}");
        let flags = ["--threads", threads, "-o", &folder, "--quiet"];
        workshop.ooze(&[&["run", "dam.toml"], &flags[..]].concat(), 0);
        contents(&workshop.path(&folder))
    });
    // Nine frames and nine lines of statistics, and the probes.
    assert_eq!(runs[0].len(), 19);
    assert!(runs.windows(2).all(|pair| pair[0] == pair[1]));
}

/// Starts a run, or goes on with it if it has got as far as having a scene.
fn start(workshop: &Workshop, scene: &[&str], folder: &str) -> Child {
    let begun = workshop.path(folder).join("scene.toml").exists();
    let run = [&["run"], scene, &["-o", folder, "--quiet", "--force"]].concat();
    let resume = ["resume", folder, "--quiet"];
    workshop
        .command(if begun { &resume } else { &run })
        .stderr(Stdio::piped())
        .spawn()
        .expect("ooze starts")
}

#[test]
fn killed_ten_times_it_leaves_the_same_bytes() {
    survives_kills(&Workshop::new(), &["dam.toml"], 10, 2026);
}

#[test]
fn killed_in_every_method_it_leaves_the_same_bytes() {
    let workshop = Workshop::new();
    for (index, method) in method_names().enumerate() {
        workshop.write("mix.toml", &mix_for(method));
        let scene = ["mix.toml", "--method", method];
        survives_kills(&workshop, &scene, 3, 7 + index as u64);
        for folder in ["whole", "killed"] {
            std::fs::remove_dir_all(workshop.path(folder)).expect("a folder to remove");
        }
    }
}

#[test]
fn killed_while_bodies_melt_and_sleep_it_leaves_the_same_bytes() {
    let workshop = Workshop::new();
    workshop.write("thaw.toml", THAW);
    survives_kills(&workshop, &["thaw.toml", "--method", "apic"], 5, 31);
}

/// Kills a run so often at random moments, goes on with it each time, and compares what it leaves with a run that was left
/// alone.
fn survives_kills(workshop: &Workshop, scene: &[&str], wanted: u32, seed: u64) {
    let clock = Instant::now();
    workshop.ooze(&[&["run"], scene, &["-o", "whole", "--quiet"]].concat(), 0);
    let whole_run = clock.elapsed();

    let expected = contents(&workshop.path("whole"));
    let same_as_whole = || {
        let folder = workshop.path("killed");
        assert!(contents(&folder) == expected, "{scene:?}");
        assert_no_debris(&folder);
    };
    let mut kills = 0;
    let mut moment = 0;
    while kills < wanted {
        let mut child = start(workshop, scene, "killed");
        sleep(whole_run.mul_f32(0.4 * uniform(seed, moment)));
        child.kill().expect("a child to kill");
        let status = child.wait().expect("an end");
        kills += u32::from(status.code().is_none());
        if status.success() {
            // It got to the end before it was killed; begin another one.
            same_as_whole();
            std::fs::remove_dir_all(workshop.path("killed")).expect("a folder to remove");
        }
        moment += 1;
        assert!(moment < 100, "{kills} kills");
    }
    let output = start(workshop, scene, "killed").wait_with_output();
    Spoken::of(output.expect("an end"), 0);
    same_as_whole();
}

fn assert_no_debris(run: &Path) {
    for folder in [run, &run.join("frames"), &run.join("checkpoint")] {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            assert!(!name.to_string_lossy().contains("partial"), "{name:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn interrupted_it_says_how_to_go_on_and_does() {
    let workshop = Workshop::new();
    for (signal_name, scene, folder) in [
        ("-INT", "dam.toml", "interrupted"),
        ("-TERM", "tap.toml", "terminated"),
    ] {
        workshop.ooze(&["run", scene, "-o", "whole", "--quiet", "--force"], 0);
        let expected = contents(&workshop.path("whole"));
        let child = workshop
            .command(&["run", scene, "-o", folder])
            .stderr(Stdio::piped())
            .spawn()
            .expect("ooze starts");
        wait_for(&workshop.path(folder).join("frames/particles_0002.npz"));
        signal(&child, signal_name);
        let spoken = Spoken::of(child.wait_with_output().expect("an end"), 130);
        spoken
            .complains("stopping after this sub-step")
            .complains(&format!("ooze resume {folder}"));
        let info = workshop.ooze(&["info", folder], 0);
        assert!(info.out.contains("status   interrupted"), "{}", info.out);
        workshop.ooze(&["resume", folder], 0);
        assert_eq!(contents(&workshop.path(folder)), expected);
    }
    // Nothing is left to do, and nothing is done.
    workshop
        .ooze(&["resume", "interrupted"], 0)
        .complains("all 8 frames are in interrupted");
}

#[cfg(unix)]
#[test]
fn two_processes_do_not_write_to_one_run() {
    let workshop = Workshop::new();
    let mut child = workshop
        .command(&[
            "run", "dam.toml", "-o", "busy", "--frames", "100000", "--quiet",
        ])
        .spawn()
        .expect("ooze starts");
    wait_for(&workshop.path("busy/frames/particles_0000.npz"));
    workshop
        .ooze(&["resume", "busy"], 4)
        .complains("busy is in use by another ooze process");
    child.kill().expect("a child to kill");
    child.wait().expect("an end");
}

#[cfg(unix)]
pub(crate) fn wait_for(path: &Path) {
    let patience = Instant::now() + Duration::from_secs(60);
    while !path.exists() {
        assert!(Instant::now() < patience, "{path:?} does not appear");
        sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
pub(crate) fn signal(child: &Child, name: &str) {
    let sent = std::process::Command::new("kill")
        .args([name, &child.id().to_string()])
        .status()
        .expect("a kill command");
    assert!(sent.success());
}
