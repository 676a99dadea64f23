//! Folders: one writer at a time, nothing of anybody else's is touched, and what is old is known to be.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::support::contents;
use crate::{Spoken, Workshop};

/// Everything in a folder, ooze's own notes left out.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != ".lock" && name != ".ooze-made.jsonl")
        .collect();
    names.sort();
    names
}

const RUN: [&str; 6] = ["run", "dam.toml", "--frames", "2", "-o", "out"];
const SMALL: [&str; 6] = [
    "--set",
    "output.video=true",
    "--set",
    "pictures.width=32",
    "--set",
    "pictures.height=32",
];

#[test]
fn a_folder_with_pictures_of_somebody_else_is_no_run() {
    let workshop = Workshop::new();
    fs::create_dir_all(workshop.path("holiday/images")).unwrap();
    for name in [
        "images/frame_0000.png",
        "scene.toml",
        "run.json",
        "stats.jsonl",
    ] {
        workshop.write(&format!("holiday/{name}"), "precious");
    }
    workshop
        .ooze(&["run", "dam.toml", "-o", "holiday", "--force"], 4)
        .complains("holiday is not empty and was not made by ooze");
    workshop
        .ooze(&["resume", "holiday"], 4)
        .complains("holiday is not the folder of a run");
    assert_eq!(
        names(&workshop.path("holiday")),
        ["images", "run.json", "scene.toml", "stats.jsonl"]
    );
    assert_eq!(names(&workshop.path("holiday/images")), ["frame_0000.png"]);
}

#[test]
fn force_says_what_it_removes_and_removes_nothing_else() {
    let workshop = Workshop::new();
    workshop.ooze(&[&RUN[..], &SMALL, &["--quiet"]].concat(), 0);
    let foreign = [
        "out/notes.txt",
        "out/film.partial",
        "out/frames/film.partial",
        "out/images/cat.png",
        "out/images/frame_0001.png",
        "out/images/frame_0009.png",
    ];
    for name in foreign {
        workshop.write(name, "precious");
    }
    let again = [
        &["run", "dam.toml", "--frames", "1", "-o", "out", "--force"],
        &["--no-video"][..],
    ]
    .concat();
    workshop
        .ooze(&again, 0)
        .complains("removing the older run in out: 3 frames and")
        .complains("images/cat.png stays: ooze did not make it");
    for name in foreign {
        assert_eq!(
            fs::read(workshop.path(name)).unwrap(),
            b"precious",
            "{name}"
        );
    }
    assert_eq!(
        names(&workshop.path("out/images")),
        ["cat.png", "frame_0001.png", "frame_0009.png"]
    );
    assert!(!workshop.path("out/dam.mp4").exists());
    // Neither does a resume tidy up what is not its own.
    workshop.ooze(&["resume", "out", "--quiet"], 0);
    assert!(workshop.path("out/film.partial").exists());
    // What lies where a picture should go is not replaced.
    workshop
        .ooze(&["render", "out", "--size", "32x32", "--force"], 4)
        .complains("frame_0001.png is there already, and ooze did not make it");
    assert_eq!(fs::read(workshop.path(foreign[4])).unwrap(), b"precious");
}

#[test]
fn a_run_goes_on_where_a_picture_cannot_be_put() {
    let workshop = Workshop::new();
    workshop.ooze(&[&RUN[..], &SMALL, &["--quiet"]].concat(), 0);
    workshop.write("out/images/frame_0001.png", "painted over");
    workshop
        .ooze(&[&RUN[..], &SMALL, &["--force"]].concat(), 4)
        .complains("warning: no picture of frame 1")
        .complains("all 2 frames are in out");
    assert_eq!(
        fs::read(workshop.path("out/images/frame_0001.png")).unwrap(),
        b"painted over"
    );
    assert!(workshop.path("out/images/frame_0002.png").exists());
}

#[cfg(unix)]
#[test]
fn a_folder_is_locked_while_anything_is_made_in_it() {
    let workshop = Workshop::new();
    workshop.ooze(&[&RUN[..], &["--quiet"]].concat(), 0);
    let before = contents(&workshop.path("out"));
    let mut child = workshop
        .command(&[
            "render",
            "out",
            "--size",
            "1920x1080",
            "--quality",
            "final",
            "-q",
        ])
        .stderr(Stdio::null())
        .spawn()
        .expect("ooze starts");
    crate::reproducible::wait_for(&workshop.path("out/images"));
    for command in [
        &["render", "out"][..],
        &["mesh", "out"],
        &["export", "out", "--format", "csv"],
        &["plot", "out"],
        &["resume", "out"],
        &[&RUN[..], &["--force"]].concat(),
    ] {
        workshop
            .ooze(command, 4)
            .complains("out is in use by another ooze process");
    }
    // Elsewhere there is room.
    workshop.ooze(&["plot", "out", "-o", "plots.svg"], 0);
    workshop.ooze(&["mesh", "out", "-o", "meshes", "--quiet"], 0);
    child.kill().expect("a child to kill");
    child.wait().expect("an end");
    assert_eq!(contents(&workshop.path("out")), before);
    // A dead process locks nothing, and what it left half-written goes.
    workshop.ooze(&["render", "out", "--size", "32x32", "--quiet"], 0);
    assert_eq!(
        names(&workshop.path("out/images")),
        [
            "frame_0000.png",
            "frame_0001.png",
            "frame_0002.png",
            "recipe.toml"
        ]
    );
}

#[test]
fn of_several_that_begin_at_once_one_runs() {
    let workshop = Workshop::new();
    let children: Vec<_> = (0..4)
        .map(|_| {
            workshop
                .command(&[&RUN[..], &["--quiet"]].concat())
                .stderr(Stdio::piped())
                .spawn()
                .expect("ooze starts")
        })
        .collect();
    let codes: Vec<Option<i32>> = children
        .into_iter()
        .map(|child| child.wait_with_output().expect("an end").status.code())
        .collect();
    let count = |code| codes.iter().filter(|&&found| found == Some(code)).count();
    assert_eq!((count(0), count(4)), (1, 3), "{codes:?}");
    workshop.ooze(&[&RUN[..4], &["-o", "alone", "--quiet"]].concat(), 0);
    assert_eq!(
        contents(&workshop.path("out")),
        contents(&workshop.path("alone"))
    );
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;

    let workshop = Workshop::new();
    workshop.write("diary", "dear diary");
    let diary = workshop.path("diary");
    fs::create_dir(workshop.path("trap")).unwrap();
    symlink(&diary, workshop.path("trap/.lock")).unwrap();
    workshop
        .ooze(&["run", "dam.toml", "-o", "trap", "--frames", "1"], 4)
        .complains("trap/.lock: is a link");

    workshop.ooze(&[&RUN[..], &["--quiet"]].concat(), 0);
    for name in [
        "run.json.partial",
        "plots.part",
        "frames/particles_0002.npz.partial",
    ] {
        symlink(&diary, workshop.path("out").join(name)).unwrap();
    }
    fs::remove_file(workshop.path("out/stats.jsonl")).unwrap();
    symlink(&diary, workshop.path("out/stats.jsonl")).unwrap();
    workshop
        .ooze(&["resume", "out"], 4)
        .complains("stats.jsonl: is a link");
    workshop.ooze(&[&RUN[..], &["--quiet", "--force"]].concat(), 0);
    workshop.ooze(&["plot", "out"], 0);
    assert_eq!(fs::read(&diary).unwrap(), b"dear diary");
}

#[test]
fn surfaces_of_an_older_run_are_not_taken_for_new_ones() {
    let workshop = Workshop::new();
    workshop.ooze(&[&RUN[..], &["--quiet"]].concat(), 0);
    for target in ["out/meshes", "elsewhere"] {
        workshop.ooze(&["mesh", "out", "-o", target, "--quiet"], 0);
    }
    workshop.ooze(&["export", "out", "--format", "csv", "-o", "csv"], 0);
    let old = fs::read(workshop.path("elsewhere/surface_0001.ply")).unwrap();

    let other = ["--set", "gravity=[0,9.81,0]", "--quiet", "--force"];
    workshop.ooze(&[&RUN[..3], &["1", "-o", "out"], &other[..]].concat(), 0);
    assert!(!workshop.path("out/meshes").exists());
    workshop
        .ooze(&["mesh", "out", "-o", "elsewhere"], 0)
        .complains("surface_0002.ply in elsewhere")
        .complains("made from other frames");
    let new = fs::read(workshop.path("elsewhere/surface_0001.ply")).unwrap();
    assert_ne!(new, old);
    workshop
        .ooze(&["export", "out", "--format", "csv", "-o", "csv"], 0)
        .complains("particles_0002.csv in csv");
    // What is up to date is kept, and said to be.
    workshop
        .ooze(&["mesh", "out", "-o", "elsewhere"], 0)
        .complains("wrote 0 surfaces to elsewhere (2 more were there already");
}

#[test]
fn a_file_of_dots_makes_a_run_inside_out() {
    let workshop = Workshop::new();
    let text = crate::DAM.replace("name = \"dam\"", "");
    workshop.write("...toml", &text);
    workshop.write("odd:name*.toml", &text);
    workshop.ooze(&["run", "...toml", "--frames", "1", "--quiet"], 0);
    workshop.ooze(&["run", "odd:name*.toml", "--frames", "1", "--quiet"], 0);
    assert_eq!(names(&workshop.path("out")), ["odd-name-", "scene"]);
    assert!(!workshop.path("frames").exists());
}

#[test]
fn a_missing_frame_and_another_version_are_told() {
    let workshop = Workshop::new();
    workshop.ooze(&["run", "dam.toml", "-o", "out", "--quiet"], 0);
    fs::remove_file(workshop.path("out/frames/particles_0003.npz")).unwrap();
    let summary = workshop.path("out/run.json");
    let text = fs::read_to_string(&summary).unwrap();
    let mut info: serde_json::Value = serde_json::from_str(&text).unwrap();
    info["version"] = "0.0.7".into();
    fs::write(&summary, info.to_string()).unwrap();
    workshop
        .ooze(&["info", "out"], 4)
        .complains("frame 3 is not in out")
        .complains("1 of the run's files is damaged");
    workshop
        .ooze(&["resume", "out"], 0)
        .complains("out/frames/particles_0003.npz is missing")
        .complains("ooze 0.0.7 began this run");
    let text = fs::read_to_string(&summary).unwrap();
    assert!(text.contains("ooze 0.0.7 began this run"), "{text}");
}

#[test]
fn a_name_that_ends_like_a_file_is_no_folder() {
    let workshop = Workshop::new();
    workshop.ooze(&[&RUN[..], &["--quiet"]].concat(), 0);
    workshop
        .ooze(&["export", "out", "--format", "usd", "-o", "shot.usda"], 2)
        .complains("ends in .usdc or .usd");
    workshop
        .ooze(&["export", "out", "--format", "csv", "-o", "shot.csv"], 2)
        .complains("csv is written as a file a frame");
    workshop.ooze(&["mesh", "out", "-o", "shot.ply"], 2);
    workshop.ooze(&["export", "out", "--format", "usd", "-o", "shot.usdc"], 0);
    assert!(workshop.path("shot.usdc").is_file());
    assert_eq!(
        names(&workshop.path(".")),
        ["dam.toml", "out", "shot.usdc", "tap.toml"]
    );
}

/// Runs ooze under a limit of the shell.
#[cfg(unix)]
fn limited(workshop: &Workshop, limit: &str, arguments: &str, code: i32) -> Spoken {
    let script = format!("trap '' XFSZ; ulimit {limit}; exec \"$0\" {arguments}");
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .arg(crate::binary())
        .current_dir(workshop.path("."))
        .env("XDG_CACHE_HOME", workshop.path("cache"))
        .output()
        .unwrap();
    Spoken::of(output, code)
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_still_full_costs_no_figures() {
    let workshop = Workshop::new();
    workshop.ooze(&["run", "tap.toml", "-o", "whole", "--quiet"], 0);
    let third = workshop.path("whole/frames/particles_0003.npz");
    let limit = format!("-f {}", fs::metadata(third).unwrap().len().div_ceil(512));
    let figures = || {
        let folder = ooze_cache::RunFolder::open(workshop.path("full")).unwrap();
        let frames: Vec<u32> = folder
            .statistics()
            .unwrap()
            .map(|line| line.unwrap().frame)
            .collect();
        (frames, folder.probes().unwrap().rows.len())
    };
    limited(&workshop, &limit, "run tap.toml -o full --quiet", 4);
    assert_eq!(figures(), (vec![0, 1, 2, 3], 4));
    limited(&workshop, &limit, "resume full --quiet", 4);
    assert_eq!(figures(), (vec![0, 1, 2, 3], 4));
    let info = workshop.ooze(&["info", "full"], 0);
    assert!(info.out.contains("3 frames"), "{}", info.out);
    workshop.ooze(&["resume", "full", "--quiet"], 0);
    assert_eq!(
        contents(&workshop.path("full")),
        contents(&workshop.path("whole"))
    );
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_half_done() {
    let workshop = Workshop::new();
    workshop.ooze(&[&RUN[..], &["--quiet"]].concat(), 0);
    let before = names(&workshop.path("out"));
    limited(&workshop, "-f 2", "plot out", 4).complains("free some space");
    limited(&workshop, "-f 0", "render out --size 32x32 --quiet", 4);
    limited(&workshop, "-f 2", "mesh out --quiet", 4);
    assert!(names(&workshop.path("out/images")).is_empty());
    assert!(names(&workshop.path("out/meshes")).is_empty());
    let mut after = names(&workshop.path("out"));
    after.retain(|name| name != "images" && name != "meshes");
    assert_eq!(after, before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_scene_that_does_not_fit_into_memory_is_refused() {
    let workshop = Workshop::new();
    let large = ["dam.toml", "--resolution", "512", "--frames", "1"];
    let checked = workshop.ooze(&[&["check"], &large[..]].concat(), 0);
    let memory = checked
        .out
        .lines()
        .find_map(|line| line.strip_prefix("memory"));
    let about = memory.expect("a line about memory").trim();
    let run = format!("run {}", large.join(" "));
    limited(&workshop, "-v 2000000", &run, 3)
        .complains(&format!("dam will need {about} of memory"))
        .complains("there are 1.9 GiB here");
    assert!(!workshop.path("out").exists());
}

#[test]
fn what_the_user_did_not_want_is_not_made_by_a_resume() {
    let workshop = Workshop::new();
    workshop.ooze(&[&RUN[..], &SMALL, &["--no-video", "--quiet"]].concat(), 0);
    workshop.ooze(&["resume", "out", "--quiet"], 0);
    assert!(!workshop.path("out/images").exists() && !workshop.path("out/dam.mp4").exists());
    workshop.ooze(&["render", "out", "--quiet"], 0);
    assert!(workshop.path("out/dam.mp4").exists());
}

#[test]
fn messages_quote_no_more_than_can_be_read() {
    let workshop = Workshop::new();
    let points = "[0.1, 0.2, 0.3], ".repeat(100_000);
    let text = format!("{}\nfriends = [{points}]\n", crate::DAM);
    workshop.write("long.toml", &text);
    let spoken = workshop.ooze(&["check", "long.toml"], 3);
    spoken.complains("friends");
    assert!(spoken.err.len() < 4000, "{}", spoken.err.len());

    let stiff = "materials.rock = { base = \"gelatin\", elasticity = { modulus = 1e12 } }\n";
    workshop.write("stiff.toml", &format!("{stiff}{}", crate::DAM));
    workshop
        .ooze(&["check", "stiff.toml"], 3)
        .complains("modulus` is 1e12, but must be at most 1e9 Pa");
}
