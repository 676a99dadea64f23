//! The same bytes whatever the number of threads and however often a run is stopped.

use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ooze_core::random::uniform;

use crate::support::contents;
use crate::{Spoken, Workshop};

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
fn start(workshop: &Workshop, folder: &str) -> Child {
    let begun = workshop.path(folder).join("scene.toml").exists();
    let arguments: &[&str] = if begun {
        &["resume", folder, "--quiet"]
    } else {
        &["run", "dam.toml", "-o", folder, "--quiet", "--force"]
    };
    workshop
        .command(arguments)
        .stderr(Stdio::piped())
        .spawn()
        .expect("ooze starts")
}

#[test]
fn killed_ten_times_it_leaves_the_same_bytes() {
    let workshop = Workshop::new();
    let clock = Instant::now();
    workshop.ooze(&["run", "dam.toml", "-o", "whole", "--quiet"], 0);
    let whole_run = clock.elapsed();

    let expected = contents(&workshop.path("whole"));
    let same_as_whole = || {
        let folder = workshop.path("killed");
        assert_eq!(contents(&folder), expected);
        assert_no_debris(&folder);
    };
    let mut kills = 0;
    let mut moment = 0;
    while kills < 10 {
        let mut child = start(&workshop, "killed");
        sleep(whole_run.mul_f32(0.4 * uniform(2026, moment)));
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
    let output = start(&workshop, "killed").wait_with_output();
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
