//! Completions and manual pages.

use std::fs;

use crate::Workshop;

#[test]
fn every_shell_gets_completions() {
    let workshop = Workshop::new();
    let words = ["render", "resolution", "goktekin-2011"];
    // Those for the last two shells do not go as far as the values of flags.
    for (shell, words) in [
        ("bash", &words[..]),
        ("zsh", &words[..]),
        ("fish", &words[..]),
        ("powershell", &words[..2]),
        ("elvish", &words[..2]),
    ] {
        let script = workshop.ooze(&["completions", shell], 0).out;
        for word in words {
            assert!(script.contains(word), "{shell} does not know `{word}`");
        }
    }
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let workshop = Workshop::new();
    fs::create_dir(workshop.path("man")).expect("a folder");
    workshop.ooze(&["man", "man"], 0);
    let page = fs::read_to_string(workshop.path("man/ooze-run.1")).expect("a page");
    assert!(page.contains("Simulate a scene"));
    assert!(workshop.path("man/ooze-export.1").exists());
    workshop
        .ooze(&["man", "no-such-folder"], 4)
        .complains("no-such-folder");
}

#[test]
fn help_names_the_methods() {
    let help = Workshop::new().ooze(&["run", "--help"], 0).out;
    assert!(help.contains("possible values: flip, apic"), "{help}");
}
