//! `ooze export` of a tiny run in every format, read back by our own readers, and in `./test` USD by OpenUSD itself.

mod bodies;
mod crate_reader;
mod files;
mod python;
mod refusals;
mod solids;
mod usd;

use std::path::{Path, PathBuf};
use std::process::Command;

use ooze::simulation::{Finished, Moment, Sink, SinkError};
use ooze::{Outcome, Simulation};
use ooze_cache::{FolderLock, RunFolder, RunWriter};
use ooze_core::Frame;
use ooze_scene::{Override, Scene};
use tempfile::TempDir;

/// Honey that water falls on after the second frame, past a turning paddle and a mesh that turns, moves and grows, in a scene
/// whose name is no identifier.
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

[[collider]]
name = "wedge"
shape.mesh = { file = "wedge.obj", scale = 0.5 }
motion.spin = { axis = [0, 1, 0], turns_per_second = 2 }
motion.keyframes = [
    { time = 0, position = [0.13, 0.13, 0.12], scale = 1 },
    { time = 0.1, position = [0.12, 0.12, 0.12], scale = 1.5 },
]
"#;

/// A tetrahedron.
const WEDGE: &str = "
v 0 0 0
v 0.05 0 0
v 0 0.04 0
v 0 0 0.03
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
";

/// Keeps every frame and its figures.
struct Frames(RunWriter);

impl Sink for Frames {
    fn frame(&mut self, moment: &Moment, finished: &mut Finished) -> Result<(), SinkError> {
        let frame = Frame::of(moment.liquid, moment.solids);
        self.0.append_statistics(finished.statistics)?;
        Ok(self.0.write_frame(finished.statistics.frame, &frame)?)
    }
}

/// A finished run in a temporary folder.
struct Run {
    folder: TempDir,
}

impl Run {
    fn new() -> Self {
        Self::of(SCENE)
    }

    /// A finished run of a scene.
    fn of(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let run = Self { folder };
        std::fs::write(run.path("scene.toml"), text).unwrap();
        std::fs::write(run.path("wedge.obj"), WEDGE).unwrap();
        let scene = Scene::load(run.path("scene.toml")).unwrap();
        let writer =
            RunWriter::create(FolderLock::take(&run.path("out")).unwrap(), text, &[]).unwrap();
        // Paths in a run's own scene begin at its folder.
        std::fs::write(run.path("out/wedge.obj"), WEDGE).unwrap();
        let mut simulation = Simulation::of_scene(&scene).unwrap();
        simulation.add_sink(Box::new(Frames(writer)));
        assert_eq!(simulation.run(&|| false).unwrap(), Outcome::Finished);
        run
    }

    /// The scene of the run, with keys changed.
    fn scene(&self, changes: &[&str]) -> Scene {
        let changes: Vec<Override> = changes.iter().map(|text| Override::set(text)).collect();
        Scene::load_with(self.path("scene.toml"), &changes).unwrap()
    }

    /// A frame of the run.
    fn frame(&self, number: u32) -> Frame {
        let scene = self.scene(&[]);
        let folder = RunFolder::open(self.path("out")).unwrap();
        folder.read_frame(number, &scene.setup).unwrap()
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
