//! One scene, foretold and run.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use ooze_cache::RunFolder;
use serde::Deserialize;

use super::super::arguments::SceneChoice;
use super::super::failure::Failure;
use super::report::{Figures, Row};

/// How often to look whether a run has ended.
const PATIENCE: Duration = Duration::from_millis(100);
/// A run that takes so many times its limit is ended.
const MOST_LIMITS: u32 = 4;

/// How scenes are tried.
pub(super) struct Trial {
    /// Threads of each process.
    pub(super) threads: usize,
    /// Scenes that are foretold to take longer are run for fewer frames.
    pub(super) limit: Option<Duration>,
}

/// What `ooze check --json` says, as far as it matters here.
#[derive(Deserialize)]
struct Checked {
    scene: Facts,
    forecast: Option<Figures>,
}

#[derive(Deserialize)]
struct Facts {
    method: String,
    frames: u32,
}

impl Trial {
    /// Foretells a scene and runs it.
    pub(super) fn row(&self, subject: &SceneChoice) -> Result<Row, Failure> {
        let place = Place::new();
        let (facts, foretold) = self.foretold(subject, &place)?;
        let mut subject = SceneChoice {
            scene: subject.scene.clone(),
            changes: subject.changes.clone(),
        };
        let whole =
            foretold.simulation_seconds + foretold.surface_seconds + foretold.picture_seconds;
        let limit = self
            .limit
            .map_or(f64::INFINITY, |limit| limit.as_secs_f64());
        let (facts, foretold, of) = if whole > limit {
            let share = f64::from(facts.frames) * limit / whole;
            subject.changes.frames = Some(share.floor().max(1.0).to_string());
            let (fewer, foretold) = self.foretold(&subject, &place)?;
            (fewer, foretold, facts.frames)
        } else {
            let of = facts.frames;
            (facts, foretold, of)
        };
        let taken = self.taken(&subject, &place)?;
        Ok(Row {
            scene: subject.scene,
            cells: subject.changes.resolution,
            method: facts.method,
            frames: facts.frames,
            of,
            foretold,
            taken,
        })
    }

    fn foretold(&self, subject: &SceneChoice, place: &Place) -> Result<(Facts, Figures), Failure> {
        let mut command = self.command("check", subject)?;
        // An empty cache: what was measured on a quieter day is no forecast of now.
        command.arg("--json").env("XDG_CACHE_HOME", place.cache());
        let output = command.output().map_err(|error| failed(subject, &error))?;
        let _ = std::fs::remove_dir_all(place.cache());
        let complaint = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            return Err(failed(subject, &complaint));
        }
        let checked: Checked =
            serde_json::from_slice(&output.stdout).map_err(|error| failed(subject, &error))?;
        match checked.forecast {
            Some(figures) => Ok((checked.scene, figures)),
            None => Err(failed(subject, &complaint)),
        }
    }

    /// Runs a scene as a user would.
    fn taken(&self, subject: &SceneChoice, place: &Place) -> Result<Figures, Failure> {
        let mut command = self.command("run", subject)?;
        command.arg("--quiet").arg("-o").arg(place.run());
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let run = command.spawn().map_err(|error| failed(subject, &error))?;
        self.wait(run, subject)?;
        measured(&place.run())?.ok_or_else(|| failed(subject, &"the run left no summary"))
    }

    /// Waits for a run to end well, but not for ever.
    fn wait(&self, mut run: Child, subject: &SceneChoice) -> Result<(), Failure> {
        let start = Instant::now();
        loop {
            let ended = run.try_wait().map_err(|error| failed(subject, &error))?;
            if let Some(status) = ended {
                let output = run
                    .wait_with_output()
                    .map_err(|error| failed(subject, &error))?;
                return match status.success() {
                    true => Ok(()),
                    false => Err(failed(subject, &String::from_utf8_lossy(&output.stderr))),
                };
            }
            if self
                .limit
                .is_some_and(|limit| start.elapsed() > MOST_LIMITS * limit)
            {
                run.kill().map_err(|error| failed(subject, &error))?;
                run.wait().map_err(|error| failed(subject, &error))?;
                return Err(failed(
                    subject,
                    &format!("ended after {MOST_LIMITS} times the limit"),
                ));
            }
            std::thread::sleep(PATIENCE);
        }
    }

    fn command(&self, name: &str, subject: &SceneChoice) -> Result<Command, Failure> {
        let program = std::env::current_exe().map_err(|error| failed(subject, &error))?;
        let mut command = Command::new(program);
        command
            .arg(name)
            .arg(&subject.scene)
            .args(subject.changes.flags());
        command.arg("--threads").arg(self.threads.to_string());
        Ok(command)
    }
}

fn failed(subject: &SceneChoice, what: &dyn std::fmt::Display) -> Failure {
    Failure::Usage(format!("{} cannot be tried: {what}", subject.scene))
}

/// A folder for one trial, gone with it.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("ooze-forecast-{}-{number}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn cache(&self) -> PathBuf {
        self.0.join("cache")
    }

    fn run(&self) -> PathBuf {
        self.0.join("run")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a run took.
fn measured(folder: &Path) -> Result<Option<Figures>, Failure> {
    let Some(info) = RunFolder::open(folder)?.info()? else {
        return Ok(None);
    };
    let pictures = info.pictures.unwrap_or_default();
    let peak = info
        .totals
        .peak_memory_bytes
        .max(pictures.peak_memory_bytes);
    Ok(Some(Figures {
        steps: info.totals.substeps as f64,
        simulation_seconds: info.totals.wall_seconds,
        surface_seconds: pictures.surface_seconds,
        picture_seconds: pictures.drawing_seconds,
        memory_bytes: peak.map(|bytes| bytes as f64),
        disk_bytes: size_of(folder),
    }))
}

/// Bytes of all files under a folder.
fn size_of(folder: &Path) -> f64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(data) if data.is_dir() => size_of(&entry.path()),
        Ok(data) => data.len() as f64,
        Err(_) => 0.0,
    });
    sizes.sum()
}
