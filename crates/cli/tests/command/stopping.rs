//! Ctrl-C is honoured soon in every stage, and what it leaves behind is whole.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::Workshop;
use crate::reproducible::{signal, wait_for};

/// Far more than it takes on a busy machine, and far less than the work that is stopped.
const SOON: Duration = Duration::from_secs(5);

/// Names of files that were not finished.
fn unfinished(workshop: &Workshop, folder: &str) -> usize {
    let entries = fs::read_dir(workshop.path(folder)).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    names
        .filter(|name| name.to_string_lossy().ends_with(".partial"))
        .count()
}

#[test]
fn every_stage_is_left_soon_and_can_be_taken_up_again() {
    let workshop = Workshop::new();
    workshop.ooze(&["run", "dam.toml", "-o", "out", "-q"], 0);
    // The last frame again and again, so that there is work for a while even if this test has to wait for its turn.
    let frame = |number: u32| workshop.path(&format!("out/frames/particles_{number:04}.npz"));
    for number in 9..9000 {
        fs::hard_link(frame(8), frame(number)).expect("another name");
    }
    // Meshes and exports leave it to the system to end them, which shells forbid for Ctrl-C in jobs behind an ampersand; a
    // plain end is the same to them, and never forbidden.
    let stages: [(&[&str], &str, &str, &str); 4] = [
        (
            &["run", "dam.toml", "--frames", "9000", "-o", "long"],
            "long/frames",
            "particles_0002.npz",
            "-INT",
        ),
        (
            &["render", "out", "--size", "32x32", "--threads", "1"],
            "out/images",
            "frame_0002.png",
            "-INT",
        ),
        (
            &["mesh", "out", "--threads", "1"],
            "out/meshes",
            "surface_0002.ply",
            "-TERM",
        ),
        (
            &["export", "out", "--format", "ply", "--threads", "1"],
            "out/export",
            "surface_0002.ply",
            "-TERM",
        ),
    ];
    for (arguments, folder, begun, end) in stages {
        let mut child = workshop
            .command(&[arguments, &["--quiet"]].concat())
            .stderr(Stdio::null())
            .spawn()
            .expect("ooze starts");
        wait_for(&workshop.path(folder).join(begun));
        let asked = Instant::now();
        signal(&child, end);
        let status = child.wait().expect("an end");
        let waited = asked.elapsed();
        assert!(!status.success(), "{arguments:?} had nothing left to do");
        assert!(waited < SOON, "{arguments:?}: {waited:?}");
    }
    // Nobody holds the folder, and the next command tidies up.
    workshop.ooze(&["mesh", "out", "--frames", "..3", "-q"], 0);
    assert_eq!(unfinished(&workshop, "out/meshes"), 0);
    let export = ["export", "out", "--format", "ply", "--frames", "..3", "-q"];
    workshop.ooze(&export, 0);
    assert_eq!(unfinished(&workshop, "out/export"), 0);
    assert_eq!(unfinished(&workshop, "long/frames"), 0);
}
