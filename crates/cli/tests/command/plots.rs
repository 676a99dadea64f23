//! `ooze plot` and `ooze compare`.

use std::fs;

use super::Workshop;

#[test]
fn figures_and_probes_are_plotted() {
    let workshop = Workshop::new();
    workshop.ooze(&["run", "dam.toml", "--frames", "3", "--quiet"], 0);
    workshop.ooze(&["plot", "out/dam"], 0);
    let svg = fs::read_to_string(workshop.path("out/dam/plots.svg")).unwrap();
    for title in [
        "volume drift",
        "momentum",
        "kinetic energy",
        "iterations",
        "stage",
        "probe front",
        "probe speed",
    ] {
        assert!(svg.contains(title), "{title}");
    }
    workshop.ooze(&["plot", "out/dam", "-o", "plots.png"], 0);
    let png = fs::read(workshop.path("plots.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG") && png.len() > 10_000);
    workshop
        .ooze(&["plot", "out/dam", "-o", "plots.pdf"], 4)
        .complains("plots are written as .svg or .png");
    workshop
        .ooze(&["plot", "out/dam", "-o", "nowhere/plots.svg"], 4)
        .complains("nowhere/plots.svg");
}

#[test]
fn runs_are_put_side_by_side() {
    let workshop = Workshop::new();
    for method in ["flip", "apic"] {
        let target = format!("out/{method}");
        let run = ["run", "dam.toml", "--frames", "2", "-q", "--method", method];
        workshop.ooze(&[&run[..], &["-o", &target]].concat(), 0);
    }
    let compare = ["compare", "out/flip", "out/apic", "-o", "both"];
    workshop
        .ooze(&compare, 0)
        .complains("`ooze render` each of the runs first");
    let svg = fs::read_to_string(workshop.path("both/plots.svg")).unwrap();
    assert!(svg.contains("flip") && svg.contains("apic") && svg.contains("probe front"));

    for method in ["out/flip", "out/apic"] {
        workshop.ooze(&["render", method, "--size", "32x32", "-q"], 0);
    }
    workshop.ooze(&compare, 0).complains("both/sheet.png");
    workshop.ooze(&["compare", "out/flip"], 2);
}
