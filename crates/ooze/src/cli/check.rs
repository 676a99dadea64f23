//! `ooze check`: errors, suspicions and costs of a scene before it is run.

use std::cell::Cell;
use std::time::{Duration, Instant};

use ooze::Simulation;
use ooze_core::Force;
use ooze_scene::{Override, Scene, builtin};

use super::arguments::Check;
use super::failure::Failure;
use super::source;
use super::words::{bytes, count, duration, length, say};

/// Shows what a scene is and what it will cost.
pub(crate) fn check(arguments: Check) -> Result<(), Failure> {
    let scene = source::resolve(&arguments.choice)?;
    source::show_warnings(&scene);
    say(&describe(&scene, machine_speed()))
}

fn describe(scene: &Scene, particle_steps_per_second: Option<f64>) -> String {
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
    line(
        "particles",
        format!(
            "{} at the start, {} at the most",
            count(cost.particles),
            count(cost.most_particles)
        ),
    );
    line("memory", format!("about {}", bytes(cost.memory_bytes)));
    line(
        "disk",
        format!("about {} before compression", bytes(cost.disk_bytes)),
    );
    if let Some(speed) = particle_steps_per_second {
        let substeps = substeps_per_frame(scene);
        let particles = 0.5 * (cost.particles + cost.most_particles) as f64;
        let seconds = f64::from(scene.time.frames) * substeps * particles / speed;
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        line(
            "time",
            format!(
                "about {}, for some {substeps:.0} sub-steps a frame and {:.2} million particle-steps a second here",
                duration(time),
                speed * 1e-6
            ),
        );
    }
    text
}

/// Sub-steps that a frame will take, from the speed that liquid reaches when it falls through half of the domain, and
/// from the speeds that the scene gives it.
fn substeps_per_frame(scene: &Scene) -> f64 {
    let domain = &scene.setup.domain;
    let extent = (domain.upper() - domain.lower).as_dvec3();
    let fall = |force: &Force| match force {
        Force::Constant { acceleration } => (acceleration.as_dvec3().abs() * extent).element_sum(),
        Force::Swirl {
            radius, strength, ..
        } => f64::from(radius * strength).abs(),
    };
    // v² = 2 a h with h half of the extent.
    let fallen = scene.setup.forces.iter().map(fall).sum::<f64>().sqrt();
    let initial = scene.setup.initial.iter().map(|liquid| liquid.velocity);
    let emitted = scene.setup.emitters.iter().map(|emitter| emitter.velocity);
    let given = initial
        .chain(emitted)
        .map(|velocity| f64::from(velocity.length()))
        .fold(0.0, f64::max);
    let cells_per_step = scene.method.cells_per_step();
    let cells_per_frame = fallen.max(given) * scene.time.frame_time() / f64::from(domain.cell_size);
    (cells_per_frame / cells_per_step)
        .ceil()
        .clamp(1.0, f64::from(scene.time.max_substeps))
}

/// Particle-steps a second that this machine manages, from a few sub-steps of a small scene.
fn machine_speed() -> Option<f64> {
    const RESOLUTION: &str = "48";
    let dam = builtin::find("dam-break")?;
    let overrides = [Override::resolution(RESOLUTION), Override::frames("2")];
    let scene = Scene::parse_with(dam.text, dam.name, "", &overrides).ok()?;
    let mut simulation = Simulation::of_scene(&scene);
    // The first frame touches memory for the first time; the second tells.
    simulation.advance_frame(&|| false).ok()?;
    let start = Instant::now();
    let steps = Cell::new(0u32);
    let count_steps = || {
        steps.set(steps.get() + 1);
        false
    };
    simulation.advance_frame(&count_steps).ok()?;
    let seconds = start.elapsed().as_secs_f64();
    let particles = simulation.liquid().measure(simulation.solids()).particles;
    Some(particles as f64 * f64::from(steps.get()) / seconds)
}
