//! The real binary in temporary folders.

mod contents;
mod damage;
mod display;
mod early;
mod errors;
mod files;
mod folders;
mod forecasts;
mod odd_frames;
mod pictures;
mod plots;
mod reproducible;
mod scenes;
mod shell;
#[cfg(unix)]
mod stopping;

#[path = "../support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A dam that breaks, on a grid of 24 cells.
const DAM: &str = r#"
name = "dam"

[domain]
size = [0.48, 0.32, 0.16]
cells = 24

[time]
frame_rate = 30
frames = 8

[[liquid]]
shape.box = { lower = [0, 0, 0], upper = [0.16, 0.24, 0.16] }

[[collider]]
name = "post"
shape.box = { lower = [0.3, 0, 0.06], upper = [0.36, 0.2, 0.1] }

[[probe]]
name = "front"
measure.front.direction = "+x"

[[probe]]
name = "speed"
measure.velocity.point = [0.08, 0.04, 0.08]

[output]
checkpoint_frames = 1
video = false
"#;

/// A tank that fills past a turning and sinking paddle, and drains: every frame is larger than the one before.
const TAP: &str = r#"
name = "tap"

[domain]
size = [0.24, 0.24, 0.24]
cells = 24

[time]
frame_rate = 30
frames = 6

[[emitter]]
shape.box = { lower = [0.08, 0.16, 0.08], upper = [0.16, 0.2, 0.16] }
velocity = [0, -2, 0]

[[collider]]
name = "paddle"
shape.rounded_box = { centre = [0, 0, 0], size = [0.1, 0.04, 0.08], radius = 0.01 }
motion.position = [0.12, 0.1, 0.12]
motion.spin = { axis = [0, 0, 1], turns_per_second = 1.5 }
motion.keyframes = [
    { time = 0.0, position = [0.12, 0.1, 0.12] },
    { time = 0.2, position = [0.12, 0.06, 0.12] },
]

[[drain]]
shape.sphere = { centre = [0.2, 0, 0.2], radius = 0.03 }

[[probe]]
name = "paddle"
measure.body.collider = "paddle"

[output]
video = false
"#;

/// A temporary folder in which `ooze` is run.
struct Workshop {
    folder: TempDir,
}

impl Workshop {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let workshop = Self { folder };
        workshop.write("dam.toml", DAM);
        workshop.write("tap.toml", TAP);
        workshop
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a writable temporary folder");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.args(arguments).current_dir(self.folder.path());
        command.env("XDG_CACHE_HOME", self.path("cache"));
        command
    }

    /// Runs the command and checks its exit code.
    fn ooze(&self, arguments: &[&str], code: i32) -> Spoken {
        let output = self.command(arguments).output().expect("ooze starts");
        Spoken::of(output, code)
    }
}

fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_ooze"))
}

/// What a command said, with line breaks and runs of spaces made one space: messages are folded to the terminal's width.
struct Spoken {
    out: String,
    err: String,
}

impl Spoken {
    fn of(output: Output, code: i32) -> Self {
        let spoken = Self {
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        assert_eq!(
            output.status.code(),
            Some(code),
            "out: {}\nerr: {}",
            spoken.out,
            spoken.err
        );
        spoken
    }

    /// Checks that standard error says something.
    fn complains(&self, words: &str) -> &Self {
        let unfolded = self.err.replace("│", " ");
        let flat = unfolded.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(words), "`{words}` is not in:\n{}", self.err);
        self
    }
}
