//! Command lines and scenes that make no sense.

use crate::Workshop;

#[test]
fn bad_flags_are_explained() {
    let workshop = Workshop::new();
    for (arguments, words) in [
        (&["run"][..], "<SCENE>"),
        (&["run", "dam.toml", "--thread", "2"], "--threads"),
        (
            &["run", "dam.toml", "--threads", "0"],
            "0 is not in 1..=4096",
        ),
        (&["run", "dam.toml", "--threads", "many"], "invalid digit"),
        (&["run", "dam-brake"], "dam-break"),
        (&["export", "out"], "--format"),
        (
            &["export", "out", "--format", "doc"],
            "possible values: ply, obj",
        ),
        (
            &["export", "out", "--format", "ply", "--frames", "7..3"],
            "frame 7 comes after frame 3",
        ),
        (
            &["run", "dam.toml", "--method", "clavett"],
            "a similar value exists: 'clavet'",
        ),
        (&["completions", "csh"], "possible values: bash"),
        (&["fly"], "unrecognized subcommand"),
    ] {
        workshop.ooze(arguments, 2).complains(words);
    }
}

#[test]
fn scene_errors_point_at_the_place_and_write_nothing() {
    let workshop = Workshop::new();
    workshop.write(
        "bad.toml",
        &crate::DAM.replace("frame_rate = 30", "frame_rat = 30"),
    );
    for command in ["run", "check"] {
        workshop
            .ooze(&[command, "bad.toml"], 3)
            .complains("bad.toml")
            .complains("frame_rat")
            .complains("frame_rate");
    }
    for flags in [
        &["--frames", "many"][..],
        &["--resolution", "1"],
        &["--set", "gravity"],
        &["--set", "no.such.key=1"],
    ] {
        let spoken = workshop.ooze(&[&["run", "dam.toml"], flags].concat(), 3);
        spoken.complains(flags[0]);
    }
    assert!(!workshop.path("out").exists());
}

#[test]
fn files_that_are_not_there_are_named() {
    let workshop = Workshop::new();
    workshop
        .ooze(&["run", "scenes/none.toml"], 4)
        .complains("scenes/none.toml: there is no such file");
    for command in ["info", "resume"] {
        workshop
            .ooze(&[command, "nowhere"], 4)
            .complains("nowhere is not the folder of a run");
    }
}

#[test]
fn exit_codes_are_in_the_help_and_in_the_documentation() {
    let workshop = Workshop::new();
    let help = workshop.ooze(&["--help"], 0).out;
    let page = include_str!("../../../../docs/command-line.md");
    for code in [0, 1, 2, 3, 4, 70, 130] {
        assert!(help.contains(&format!("{code:>5}  ")), "{code} in {help}");
        assert!(page.contains(&format!("| {code} |")), "{code} in docs");
    }
}
