//! `ooze run --video`, `ooze render` and `ooze sheet`.

use std::fs;

use super::Workshop;

/// The boxes that every player looks for.
fn is_video(bytes: &[u8]) -> bool {
    let has = |name: &[u8]| bytes.windows(4).any(|window| window == name);
    has(b"ftyp") && has(b"moov") && has(b"avc1")
}

#[test]
fn a_run_becomes_pictures_a_video_and_a_sheet() {
    let workshop = Workshop::new();
    workshop.ooze(&["run", "dam.toml", "--frames", "2", "--quiet"], 0);
    let render = ["render", "out/dam", "--size", "64x36", "--quiet"];
    workshop.ooze(&render, 0).complains("wrote 3 pictures");
    assert!(is_video(
        &fs::read(workshop.path("out/dam/dam.mp4")).unwrap()
    ));
    let first = workshop.path("out/dam/images/frame_0000.png");
    let made = fs::read(&first).unwrap();

    // What is there is kept, and what is made again on another number of threads is the same.
    fs::remove_file(workshop.path("out/dam/images/frame_0001.png")).unwrap();
    let kept = fs::metadata(&first).unwrap().modified().unwrap();
    workshop.ooze(&render, 0);
    assert_eq!(fs::metadata(&first).unwrap().modified().unwrap(), kept);
    workshop.ooze(&[&render[..], &["--force", "--threads", "5"]].concat(), 0);
    assert_eq!(fs::read(&first).unwrap(), made);

    workshop.ooze(&["sheet", "out/dam", "--count", "2"], 0);
    assert!(workshop.path("out/dam/sheet.png").is_file());
}

#[test]
fn what_cannot_be_shown_is_explained() {
    let workshop = Workshop::new();
    workshop.ooze(&["run", "dam.toml", "--frames", "1", "--quiet"], 0);
    workshop
        .ooze(&["sheet", "out/dam"], 4)
        .complains("make them with `ooze render`");
    workshop
        .ooze(&["render", "out/dam", "--frames", "7.."], 4)
        .complains("holds none of the frames");
    workshop
        .ooze(&["render", "out/dam", "--size", "63x36"], 2)
        .complains("both even");
    workshop
        .ooze(&["render", "out/dam", "--quality", "best"], 4)
        .complains("best");
    workshop
        .ooze(&["render", "nowhere"], 4)
        .complains("nowhere");
}
