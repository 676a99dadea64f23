//! `ooze bench forecasts`: what `ooze check` foretells beside what runs take.
//!
//! Each run is the real command in a process and a folder of its own.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use ooze::forecast::Forecast;
use ooze_cache::RunFolder;
use ooze_scene::builtin;

use super::arguments::{Changes, SceneChoice};
use super::failure::Failure;
use super::source;
use super::table::table;
use super::words::{bytes, complain, duration, say};

/// A forecast may be off by this factor.
const FACTOR: f64 = 2.0;

/// What a run took.
struct Taken {
    simulation: f64,
    total: f64,
    steps: f64,
    memory: Option<f64>,
    disk: f64,
}

/// Runs scenes and compares; without names, all that are built in.
pub(crate) fn forecasts(names: &[String], changes: &Changes) -> Result<(), Failure> {
    let all: Vec<String> = builtin::list()
        .iter()
        .map(|scene| scene.name.into())
        .collect();
    let names = if names.is_empty() { &all } else { names };
    let mut rows = Vec::new();
    let mut off = 0;
    for name in names {
        complain(name);
        let choice = SceneChoice {
            scene: name.clone(),
            changes: changes.clone(),
        };
        let scene = source::resolve(&choice)?;
        let method = scene.method_name;
        let forecast = Forecast::of(&scene)
            .map_err(|error| Failure::Usage(format!("{name} cannot be foretold: {error}")))?;
        let taken = taken(&choice)?;
        let ratios = [
            forecast.steps / taken.steps,
            forecast.simulation.as_secs_f64() / taken.simulation,
            forecast.total().as_secs_f64() / taken.total,
            forecast.memory_bytes / taken.memory.unwrap_or(forecast.memory_bytes),
            forecast.disk_bytes / taken.disk,
        ];
        let within = |ratio: &f64| (1.0 / FACTOR..=FACTOR).contains(ratio);
        off += ratios.iter().filter(|ratio| !within(ratio)).count();
        let mut row = vec![name.clone(), method.into()];
        row.push(duration(Duration::from_secs_f64(taken.total)));
        row.push(
            taken
                .memory
                .map_or("?".into(), |memory| bytes(memory as u64)),
        );
        row.extend(ratios.map(|ratio| format!("{ratio:.2}")));
        rows.push(row);
    }
    let header = [
        "scene",
        "method",
        "took",
        "memory",
        "steps, foretold over taken",
        "simulation",
        "whole time",
        "memory ratio",
        "disk",
    ];
    say(&table(&header, &rows))?;
    match off {
        0 => Ok(()),
        failed => Err(Failure::Off { failed }),
    }
}

/// Runs a scene as a user would.
fn taken(choice: &SceneChoice) -> Result<Taken, Failure> {
    let folder = std::env::temp_dir().join(format!("ooze-forecast-{}", std::process::id()));
    let failed = |what: String| Failure::Usage(format!("{}: {what}", choice.scene));
    let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let start = Instant::now();
    let output = Command::new(program)
        .args(["run", "--quiet", "--threads"])
        .arg(rayon::current_num_threads().to_string())
        .arg(&choice.scene)
        .args(choice.changes.flags())
        .arg("-o")
        .arg(&folder)
        .output()
        .map_err(|error| failed(error.to_string()))?;
    let total = start.elapsed().as_secs_f64();
    let taken = if output.status.success() {
        measured(&folder, total)
    } else {
        Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()))
    };
    let _ = std::fs::remove_dir_all(&folder);
    taken
}

fn measured(folder: &Path, total: f64) -> Result<Taken, Failure> {
    let mut taken = Taken {
        simulation: 0.0,
        total,
        steps: 0.0,
        memory: None,
        disk: size_of(folder),
    };
    for line in RunFolder::open(folder)?.statistics()? {
        let line = line?;
        taken.steps += f64::from(line.substeps);
        taken.simulation += line.seconds.get("total").copied().unwrap_or(0.0);
        taken.memory = line.peak_memory_bytes.map(|bytes| bytes as f64);
    }
    Ok(taken)
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
