//! Tells the program which commit it is built from, where there is one: `ooze --version` says so, and so does each run.
//! Builds for development leave it out, because they would otherwise be built anew after every commit.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let released = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if let Some(commit) = released.then(commit).flatten() {
        version = format!("{version} ({commit})");
    }
    println!("cargo::rustc-env=OOZE_VERSION={version}");
}

/// Short name and date of the commit; none outside of a repository.
fn commit() -> Option<String> {
    // The log of HEAD changes with every commit and checkout.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={log}");
    git(&["log", "-1", "--format=%h %cs"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.into())
}
