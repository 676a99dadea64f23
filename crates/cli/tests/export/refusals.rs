//! Frames, targets and wishes that make no sense are explained, and nothing half-written stays behind.

use std::fs;

use crate::Run;

#[test]
fn impossible_wishes_are_explained() {
    let run = Run::new();
    let export =
        |arguments: &[&str], code| run.ooze(&[&["export", "out"], arguments].concat(), code);
    let complaint = export(&["--format", "obj", "--what", "particles"], 2);
    assert!(complaint.contains("no place for particles"), "{complaint}");
    let complaint = export(&["--format", "csv", "--what", "both"], 2);
    assert!(complaint.contains("no place for surfaces"), "{complaint}");
    let complaint = export(&["--format", "usd", "--frames", "7.."], 4);
    assert!(complaint.contains("none of the frames"), "{complaint}");
    export(&["--format", "abc"], 2);
    assert!(!run.path("out/export").exists());
}

#[test]
fn targets_that_cannot_be_written_are_named() {
    let run = Run::new();
    for format in ["ply", "obj", "vtk", "usd", "csv"] {
        let arguments = [
            "export",
            "out",
            "--format",
            format,
            "-o",
            "scene.toml/below",
        ];
        let complaint = run.ooze(&arguments, 4);
        assert!(complaint.contains("scene.toml/below"), "{complaint}");
        assert!(complaint.contains("`-o`"), "{complaint}");
    }
    // A folder stands where the file should go.
    fs::create_dir(run.path("taken.usdc")).unwrap();
    fs::write(run.path("taken.usdc/other"), "").unwrap();
    let complaint = run.ooze(
        &["export", "out", "--format", "usd", "--to", "taken.usdc"],
        4,
    );
    assert!(complaint.contains("cannot write taken.usdc"), "{complaint}");
    assert!(!run.path("taken.usdc.partial").exists());
}

#[test]
fn a_missing_or_damaged_frame_stops_the_export_and_leaves_no_file() {
    let run = Run::new();
    let frame = run.path("out/frames/particles_0002.npz");
    let whole = fs::read(&frame).unwrap();
    fs::write(&frame, &whole[..whole.len() / 2]).unwrap();
    let complaint = run.ooze(&["export", "out", "--format", "usd"], 4);
    assert!(
        complaint.contains("particles_0002.npz is truncated"),
        "{complaint}"
    );
    fs::remove_file(&frame).unwrap();
    let complaint = run.ooze(&["export", "out", "--format", "usd"], 4);
    assert!(complaint.contains("frame 2 is not in out"), "{complaint}");
    assert!(run.exported().is_empty(), "{:?}", run.exported());
    // What is whole on either side of the gap can be had.
    run.export("usd", &["--frames", "3.."]);
    assert_eq!(run.exported(), ["2 goos.usdc"]);
}
