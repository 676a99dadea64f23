//! Pictures while the simulation goes on, and what Ctrl-C leaves of them.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Stdio};

use crate::reproducible::{signal, wait_for};
use crate::support::contents;
use crate::{Spoken, Workshop};

fn start(workshop: &Workshop, arguments: &[&str]) -> Child {
    workshop
        .command(arguments)
        .stderr(Stdio::piped())
        .spawn()
        .expect("ooze starts")
}

fn with_pictures(width: u32, height: u32, quality: &str) -> Vec<String> {
    [
        "output.video=true".to_owned(),
        format!("pictures.width={width}"),
        format!("pictures.height={height}"),
        format!("pictures.quality={quality}"),
    ]
    .into_iter()
    .flat_map(|set| ["--set".to_owned(), set])
    .collect()
}

fn arguments<'a>(fixed: &[&'a str], more: &'a [String]) -> Vec<&'a str> {
    let more = more.iter().map(String::as_str);
    fixed.iter().copied().chain(more).collect()
}

fn pictures(workshop: &Workshop, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(workshop.path(folder)).unwrap();
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "png"))
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect()
}

#[test]
fn pictures_made_early_are_those_made_late_and_change_no_frame() {
    let workshop = Workshop::new();
    let more = with_pictures(48, 32, "draft");
    let run = arguments(&["run", "tap.toml", "--frames", "3", "-o", "early"], &more);
    workshop
        .ooze(&run, 0)
        .complains("frame 3/3, 4 pictures")
        .complains("video in")
        .complains("4 pictures in early/images, all of them in the video early/tap.mp4");
    let early = pictures(&workshop, "early/images");
    assert_eq!(early.len(), 4);
    let summary = fs::read_to_string(workshop.path("early/run.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["pictures"]["pictures"], 4);
    for part in ["surface_seconds", "drawing_seconds"] {
        let spent = summary["pictures"][part].as_f64();
        assert!(spent.is_some_and(|seconds| seconds > 0.0), "{summary}");
    }
    let video = fs::read(workshop.path("early/tap.mp4")).unwrap();

    let fixed = [
        "run",
        "tap.toml",
        "--frames",
        "3",
        "-o",
        "late",
        "-q",
        "--no-video",
    ];
    workshop.ooze(&arguments(&fixed, &more), 0);
    assert!(!workshop.path("late/images").exists());
    assert_eq!(
        contents(&workshop.path("early")),
        contents(&workshop.path("late"))
    );
    workshop.ooze(&["render", "late", "--quiet", "--threads", "3"], 0);
    assert_eq!(pictures(&workshop, "late/images"), early);
    assert_eq!(fs::read(workshop.path("late/tap.mp4")).unwrap(), video);
}

#[cfg(unix)]
#[test]
fn stopped_early_it_leaves_a_video_of_what_there_is() {
    let workshop = Workshop::new();
    let more = with_pictures(48, 32, "draft");
    let run = arguments(&["run", "dam.toml", "--frames", "9000", "-o", "out"], &more);
    let child = start(&workshop, &run);
    // It is there long before the last frame is simulated.
    wait_for(&workshop.path("out/images/frame_0002.png"));
    assert!(!workshop.path("out/dam.mp4").exists());
    signal(&child, "-INT");
    Spoken::of(child.wait_with_output().expect("an end"), 130)
        .complains("stopping")
        .complains("all of them in the video out/dam.mp4")
        .complains("ooze resume out");
    assert!(workshop.path("out/dam.mp4").exists());
    assert!(workshop.path("out/checkpoint/state.npz").exists());
    let info = workshop.ooze(&["info", "out"], 0);
    assert!(info.out.contains("status   interrupted"), "{}", info.out);
}

#[cfg(unix)]
#[test]
fn a_picture_that_takes_long_is_not_waited_for() {
    let workshop = Workshop::new();
    let more = with_pictures(2560, 1440, "final");
    let run = arguments(&["run", "dam.toml", "--frames", "1", "-o", "out"], &more);
    let child = start(&workshop, &run);
    wait_for(&workshop.path("out/images"));
    wait_for(&workshop.path("out/frames/particles_0000.npz"));
    wait_for(&workshop.path("out/stats.jsonl"));
    std::thread::sleep(std::time::Duration::from_millis(300));
    signal(&child, "-INT");
    Spoken::of(child.wait_with_output().expect("an end"), 130).complains("stopping");
    assert!(pictures(&workshop, "out/images").is_empty());
    // The run itself can go on.
    workshop.ooze(&["resume", "out", "--no-video", "--quiet"], 0);
}

#[cfg(unix)]
#[test]
fn a_render_that_is_stopped_goes_on_where_it_was() {
    let workshop = Workshop::new();
    workshop.ooze(&["run", "dam.toml", "-o", "out", "--quiet"], 0);
    let render = ["render", "out", "--size", "320x180"];
    let child = start(&workshop, &render);
    wait_for(&workshop.path("out/images/frame_0000.png"));
    signal(&child, "-INT");
    Spoken::of(child.wait_with_output().expect("an end"), 130)
        .complains("stopping; the video will show the pictures that there are")
        .complains("ooze render out");
    let some = pictures(&workshop, "out/images");
    assert!(!some.is_empty() && some.len() < 9, "{}", some.len());
    assert!(workshop.path("out/dam.mp4").exists());
}
