//! `ooze check`: errors, suspicions and costs of a scene before it is run.

use ooze_cli::forecast::Forecast;
use ooze_scene::{Problem, Scene};
use serde_json::{Value, json};

use super::arguments::Check;
use super::failure::Failure;
use super::run::use_threads;
use super::source;
use super::words::{bytes, complain, count, duration, length, say};

/// Shows what a scene is and what it will cost.
pub(crate) fn check(arguments: Check) -> Result<(), Failure> {
    use_threads(arguments.threads)?;
    let scene = match source::resolve(&arguments.choice) {
        Err(Failure::Scene(errors)) if arguments.json => {
            say(&format!("{:#}\n", report(errors.problems(), &[])))?;
            return Err(Failure::Scene(errors));
        }
        resolved => resolved?,
    };
    let forecast = if arguments.quick {
        None
    } else {
        foreseen(&scene)
    };
    if arguments.json {
        let mut report = report(&[], scene.warnings());
        report["scene"] = facts(&scene);
        report["forecast"] = forecast.as_ref().map_or(Value::Null, figures);
        return say(&format!("{report:#}\n"));
    }
    source::show_warnings(&scene);
    say(&describe(&scene, forecast.as_ref()))
}

/// What the run will take. A scene that cannot be tried on coarse cells is still a good scene.
fn foreseen(scene: &Scene) -> Option<Forecast> {
    match Forecast::of(scene) {
        Ok(forecast) => Some(forecast),
        Err(error) => {
            complain(&format!("time and memory cannot be foretold: {error}"));
            None
        }
    }
}

fn report(errors: &[Problem], warnings: &[Problem]) -> Value {
    let listed = |problems: &[Problem]| problems.iter().map(placed).collect::<Vec<_>>();
    json!({ "errors": listed(errors), "warnings": listed(warnings) })
}

/// A problem with its place, as editors want it: lines and columns count from 1.
fn placed(problem: &Problem) -> Value {
    let (line, column) = problem.line_and_column();
    json!({
        "file": problem.source_name(),
        "line": line,
        "column": column,
        "key": problem.key(),
        "message": problem.message(),
        "advice": problem.advice(),
    })
}

fn facts(scene: &Scene) -> Value {
    let domain = &scene.setup.domain;
    json!({
        "name": scene.name,
        "method": scene.method_name,
        "frames": scene.time.frames,
        "seconds": scene.time.duration(),
        "cells": domain.cells.to_array(),
        "cell_size": domain.cell_size,
    })
}

fn figures(forecast: &Forecast) -> Value {
    json!({
        "steps": forecast.steps.round(),
        "particles": forecast.particles.round(),
        "simulation_seconds": forecast.simulation.as_secs_f64(),
        "surface_seconds": forecast.surfaces.as_secs_f64(),
        "picture_seconds": forecast.pictures.as_secs_f64(),
        "memory_bytes": forecast.memory_bytes.round(),
        "disk_bytes": forecast.disk_bytes.round(),
    })
}

fn describe(scene: &Scene, forecast: Option<&Forecast>) -> String {
    let domain = &scene.setup.domain;
    let cells = domain.cells;
    let cost = scene.prediction();
    let warnings = match scene.warnings().len() {
        0 => "no warnings".into(),
        1 => "1 warning".into(),
        number => format!("{number} warnings"),
    };
    let mut text = format!("{}: no errors, {warnings}\n", scene.name);
    let mut line = |name: &str, value: String| text += &format!("{name:10} {value}\n");
    line(
        "frames",
        format!(
            "{} at {} frames/s: {:.3} s",
            scene.time.frames,
            scene.time.frame_rate,
            scene.time.duration()
        ),
    );
    line("method", scene.method_name.into());
    for property in scene.unread() {
        line("not read", property.clone());
    }
    if let Some(walls) = scene.automatic_walls() {
        line("walls", walls.into());
    }
    for material in scene.creeping() {
        line("creeps", material.clone());
    }
    line(
        "cells",
        format!(
            "{} × {} × {} of {}: {} in all, liquid in {} tiles of cells at the start",
            cells.x,
            cells.y,
            cells.z,
            length(f64::from(domain.cell_size)),
            count(cost.cells),
            count(cost.tiles),
        ),
    );
    let Some(forecast) = forecast else {
        return text;
    };
    line(
        "particles",
        format!("about {} at the most", count(forecast.particles as u64)),
    );
    let frames = f64::from(scene.time.frames.max(1));
    line(
        "steps",
        format!(
            "about {}, {:.1} a frame",
            count(forecast.steps as u64),
            forecast.steps / frames
        ),
    );
    line(
        "memory",
        format!("about {}", bytes(forecast.memory_bytes as u64)),
    );
    line(
        "disk",
        format!("about {}", bytes(forecast.disk_bytes as u64)),
    );
    line(
        "time",
        format!(
            "about {} here: simulation {}, surfaces {}, pictures {}",
            duration(forecast.total()),
            duration(forecast.simulation),
            duration(forecast.surfaces),
            duration(forecast.pictures),
        ),
    );
    text
}
