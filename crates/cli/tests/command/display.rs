//! What a run shows, and what it leaves to look at.

use ooze_cache::{RunFolder, RunStatus};
use ooze_core::FrameStatistics;

use crate::Workshop;

#[test]
fn json_lines_are_the_statistics() {
    let workshop = Workshop::new();
    let spoken = workshop.ooze(
        &["run", "dam.toml", "-o", "out", "--frames", "3", "--json"],
        0,
    );
    let folder = RunFolder::open(workshop.path("out")).unwrap();
    let on_disk: Vec<FrameStatistics> = folder.statistics().unwrap().map(Result::unwrap).collect();
    let printed: Vec<FrameStatistics> = spoken
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(printed, on_disk);
    assert_eq!(printed.len(), 4);
    assert!(printed[3].solves["pressure"].count >= 1);
    assert!(printed[3].seconds["total"] > 0.0);
    assert!(printed[3].particles > 1000);
}

#[test]
fn a_run_tells_a_line_a_frame_or_nothing() {
    let workshop = Workshop::new();
    let spoken = workshop.ooze(&["run", "dam.toml", "--frames", "2"], 0);
    spoken
        .complains("frame 0/2")
        .complains("frame 2/2")
        .complains("particles")
        .complains("all 2 frames are in out/dam");
    let spoken = workshop.ooze(
        &["run", "dam.toml", "--frames", "2", "--quiet", "--force"],
        0,
    );
    assert_eq!((spoken.out.as_str(), spoken.err.as_str()), ("", ""));
}

#[test]
fn a_run_can_be_looked_at_and_exported() {
    let workshop = Workshop::new();
    workshop.ooze(
        &[
            "run",
            "dam.toml",
            "--frames",
            "3",
            "--threads",
            "2",
            "--quiet",
        ],
        0,
    );
    let folder = RunFolder::open(workshop.path("out/dam")).unwrap();
    let info = folder.info().unwrap().unwrap();
    assert_eq!(info.status, RunStatus::Finished);
    assert_eq!((info.totals.frames, info.machine.threads), (3, 2));

    let spoken = workshop.ooze(&["info", "out/dam"], 0);
    for words in [
        "scene    dam (3 frames at 30 frames/s)",
        "status   finished",
        "drift %",
    ] {
        assert!(spoken.out.contains(words), "{}", spoken.out);
    }

    // The dam's front moves towards +x, and the probe says so.
    let probes = folder.probes().unwrap();
    assert_eq!(probes.columns, ["front", "speed_x", "speed_y", "speed_z"]);
    let front = |row: usize| probes.rows[row].2[0].unwrap();
    assert!(front(0) < 0.16 && front(3) > front(0) + 0.005);
    assert!(probes.rows[3].2[1].is_some());

    workshop
        .ooze(&["export", "out/dam", "--format", "ply", "-o", "ply"], 0)
        .complains("wrote 4 frames to ply");
    let exported = std::fs::read(workshop.path("ply/particles_0003.ply")).unwrap();
    let last = folder.statistics().unwrap().last().unwrap().unwrap();
    let count = last.particles;
    let header = format!(
        "ply\nformat binary_little_endian 1.0\ncomment particles written by ooze; lengths in metres\nelement vertex {count}\n"
    );
    assert!(exported.starts_with(header.as_bytes()));

    workshop.ooze(
        &["export", "out/dam", "--format", "csv", "--frames", "1..2"],
        0,
    );
    let mut names: Vec<_> = std::fs::read_dir(workshop.path("out/dam/export"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort();
    let expected = ["particles_0001.csv", "particles_0002.csv", "poses.csv"];
    assert_eq!(names, expected);
    workshop
        .ooze(
            &["export", "out/dam", "--format", "csv", "--frames", "9.."],
            4,
        )
        .complains("holds none of the frames");
}
