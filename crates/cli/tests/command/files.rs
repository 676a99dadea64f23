//! Folders and disks that do not do what is asked of them.

use crate::{Spoken, Workshop, support::contents};

#[test]
fn an_older_run_is_kept_unless_told_otherwise() {
    let workshop = Workshop::new();
    let run = ["run", "dam.toml", "-o", "out", "--quiet", "--frames", "1"];
    workshop.ooze(&run, 0);
    let before = contents(&workshop.path("out"));
    workshop
        .ooze(&["run", "tap.toml", "-o", "out"], 4)
        .complains("out already holds a run")
        .complains("`--force`");
    assert_eq!(contents(&workshop.path("out")), before);
    workshop.ooze(&[&run[..], &["--force"]].concat(), 0);
    assert_eq!(contents(&workshop.path("out")), before);
}

#[test]
fn a_folder_of_other_things_is_never_touched() {
    let workshop = Workshop::new();
    std::fs::create_dir(workshop.path("thesis")).unwrap();
    workshop.write("thesis/chapter_1.txt", "Liquids are");
    workshop
        .ooze(&["run", "dam.toml", "-o", "thesis", "--force"], 4)
        .complains("thesis is not empty and was not made by ooze");
    assert_eq!(
        std::fs::read_dir(workshop.path("thesis")).unwrap().count(),
        1
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let workshop = Workshop::new();
    workshop
        .ooze(&["run", "dam.toml", "-o", "dam.toml/out"], 4)
        .complains("cannot make the folder dam.toml/out")
        .complains("`-o`");
}

/// The shell limits the size of a file, and the program is told of it as of a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_keeps_what_is_finished() {
    let workshop = Workshop::new();
    workshop.ooze(&["run", "tap.toml", "-o", "whole", "--quiet"], 0);
    let size = |frame: u32| {
        let path = workshop.path(&format!("whole/frames/particles_{frame:04}.npz"));
        std::fs::metadata(path).unwrap().len()
    };
    assert!(size(3) + 1024 < size(4), "{} {}", size(3), size(4));
    // In POSIX shells the limit counts blocks of 512 bytes.
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec \"$0\" run tap.toml -o full",
        size(3).div_ceil(512)
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .arg(crate::binary())
        .current_dir(workshop.path("."))
        .output()
        .unwrap();
    Spoken::of(output, 4)
        .complains("cannot write full/frames/particles_0004.npz")
        .complains("free some space");
    let folder = ooze_cache::RunFolder::open(workshop.path("full")).unwrap();
    assert_eq!(folder.frames().unwrap(), [0, 1, 2, 3]);
    assert!(
        !workshop
            .path("full/frames/particles_0004.npz.partial")
            .exists()
    );
    let info = workshop.ooze(&["info", "full"], 0);
    assert!(
        info.out.contains("status   failed: cannot write"),
        "{}",
        info.out
    );
    workshop.ooze(&["resume", "full"], 0);
    assert_eq!(
        contents(&workshop.path("full")),
        contents(&workshop.path("whole"))
    );
}
