//! `ooze export` of a tiny run in every format, read back by our own readers, and in `./test` USD by OpenUSD itself.

mod crate_reader;
mod files;
mod python;
mod refusals;
mod usd;

use std::path::{Path, PathBuf};
use std::process::Command;

use ooze::simulation::{Finished, Moment, Sink, SinkError};
use ooze::{Outcome, Simulation};
use ooze_cache::{FolderLock, RunWriter};
use ooze_scene::Scene;
use tempfile::TempDir;

/// Honey that water falls on after the second frame, past a turning paddle, in a scene whose name is no identifier.
const SCENE: &str = r#"
name = "2 goos"

[domain]
size = [0.16, 0.16, 0.16]
cells = 16

[time]
frame_rate = 25
frames = 4

[[liquid]]
material = "honey"
shape.box = { lower = [0, 0, 0], upper = [0.16, 0.04, 0.16] }

[[emitter]]
material = "water"
shape.box = { lower = [0.06, 0.12, 0.06], upper = [0.1, 0.14, 0.1] }
velocity = [0, -1, 0]
start = 0.06

[[collider]]
name = "paddle"
look = "metal"
shape.box = { lower = [-0.03, -0.01, -0.02], upper = [0.03, 0.01, 0.02] }
motion.position = [0.05, 0.09, 0.05]
motion.spin = { axis = [0, 0, 1], turns_per_second = 1.5 }
"#;

/// Keeps the particles of every frame and nothing else.
struct Frames(RunWriter);

impl Sink for Frames {
    fn frame(&mut self, moment: &Moment, finished: &mut Finished) -> Result<(), SinkError> {
        let frame = finished.statistics.frame;
        Ok(self.0.write_frame(frame, &moment.liquid.channels())?)
    }
}

/// A finished run in a temporary folder.
struct Run {
    folder: TempDir,
}

impl Run {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let run = Self { folder };
        std::fs::write(run.path("scene.toml"), SCENE).unwrap();
        let scene = Scene::load(run.path("scene.toml")).unwrap();
        let writer =
            RunWriter::create(FolderLock::take(&run.path("out")).unwrap(), SCENE, &[]).unwrap();
        let mut simulation = Simulation::of_scene(&scene);
        simulation.add_sink(Box::new(Frames(writer)));
        assert_eq!(simulation.run(&|| false).unwrap(), Outcome::Finished);
        run
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the command, checks its exit code and returns what it complained about, on one line.
    fn ooze(&self, arguments: &[&str], code: i32) -> String {
        let output = Command::new(Path::new(env!("CARGO_BIN_EXE_ooze")))
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .expect("ooze starts");
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{complaint}");
        complaint.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Exports in a format, with further arguments.
    fn export(&self, format: &str, further: &[&str]) -> String {
        let arguments = ["export", "out", "--quiet", "--format", format];
        self.ooze(&[&arguments[..], further].concat(), 0)
    }

    /// Names in the folder that exports go to, sorted.
    fn exported(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.path("out/export"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.starts_with('.'))
            .collect();
        names.sort();
        names
    }
}
