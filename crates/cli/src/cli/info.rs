//! `ooze info`: a run as a table.

use std::time::Duration;

use ooze_cache::{CacheError, InputFile, Ledger, RunFolder, RunInfo, RunStatus, Totals};
use ooze_core::FrameStatistics;
use ooze_scene::Scene;
use rayon::prelude::*;

use super::arguments::Info;
use super::events::Events;
use super::failure::Failure;
use super::frames::IMAGES;
use super::source;
use super::table::table;
use super::words::{bytes, complain, count, duration, number, say};
use super::workplace::old_files;

/// Rows of the table unless all are asked for.
const ROWS: usize = 20;

/// Shows a run, and looks for damaged frames.
pub(crate) fn info(arguments: Info) -> Result<(), Failure> {
    let folder = RunFolder::open(&arguments.folder)?;
    let statistics = folder.statistics()?.collect::<Result<Vec<_>, _>>()?;
    let mut text = String::new();
    let info = folder.info()?;
    if let Some(info) = &info {
        text += &describe(info);
    }
    text += "\n";
    text += &frame_table(&statistics, arguments.all);
    text += "\n";
    text += &totals(&statistics);
    let mut events = Events::default();
    for frame in &statistics {
        for event in &frame.events {
            events.note(frame.frame, event);
        }
    }
    for line in events.lines() {
        text += &format!("{line}\n");
    }
    text += &out_of_date(&folder)?;
    say(&text)?;
    let last = statistics.last().map(|frame| frame.frame);
    // A line that was altered may name any frame.
    let written = info.and_then(|info| Some((info.particles_every?, last?.min(info.frames))));
    let scene = source::of_run(&folder).ok();
    report_damage(&folder, scene.as_ref(), written)
}

/// Names what was made from other frames or figures than those that are there now.
fn out_of_date(folder: &RunFolder) -> Result<String, Failure> {
    let mut text = String::new();
    for name in [IMAGES, "meshes", "export"] {
        let old = old_files(&folder.root().join(name), folder)?.len();
        if old > 0 {
            let old = number(old, "file");
            text += &format!(
                "old      {old} in {name}/ made from other frames than those that are there now\n"
            );
        }
    }
    let ledger = Ledger::read(folder.root())?;
    let figures = InputFile::of(&folder.statistics_path()).ok();
    let figures = figures.map(|file| file.checksum);
    for (name, origin) in ledger.files().filter(|(name, _)| name.starts_with("plots")) {
        if origin.map(|from| from.data) != figures {
            text += &format!("old      {name} was made from older figures\n");
        }
    }
    Ok(text)
}

fn describe(info: &RunInfo) -> String {
    let status = match &info.status {
        RunStatus::Running => "running, or killed".into(),
        RunStatus::Interrupted => "interrupted".into(),
        RunStatus::Failed(reason) => format!("failed: {reason}"),
        RunStatus::Finished => "finished".into(),
    };
    let machine = &info.machine;
    let mut text = format!(
        "scene    {} ({} frames at {} frames/s)\nmethod   {}, seed {}, ooze {}\nmachine  {} {}, {} of {} processors\nstatus   {status}\n",
        info.scene,
        info.frames,
        info.frame_rate,
        info.method,
        info.seed,
        info.version,
        machine.system,
        machine.architecture,
        machine.threads,
        machine.processors,
    );
    for warning in &info.warnings {
        text += &format!("warning  {warning}\n");
    }
    text
}

fn frame_table(statistics: &[FrameStatistics], all: bool) -> String {
    let stride = if all {
        1
    } else {
        statistics.len().div_ceil(ROWS).max(1)
    };
    let last = statistics.len().saturating_sub(1);
    let rows: Vec<Vec<String>> = statistics
        .iter()
        .enumerate()
        .filter(|(index, _)| index.is_multiple_of(stride) || *index == last)
        .map(|(_, frame)| row(frame))
        .collect();
    let header = [
        "frame",
        "time s",
        "sub-steps",
        "particles",
        "volume m³",
        "drift %",
        "uncorrected %",
        "densest",
        "emptiest",
        "crowded %",
        "speed m/s",
        "energy J",
        "iterations",
        "seconds",
    ];
    table(&header, &rows)
}

fn row(frame: &FrameStatistics) -> Vec<String> {
    let iterations = frame
        .solves
        .get("pressure")
        .map_or(0, |solves| solves.iterations_max);
    vec![
        frame.frame.to_string(),
        format!("{:.3}", frame.time),
        frame.substeps.to_string(),
        count(frame.particles as u64),
        format!("{:.4e}", frame.volume),
        format!("{:+.2}", 100.0 * frame.volume_drift),
        or_dash(frame.uncorrected_drift, |drift| {
            format!("{:+.2}", 100.0 * drift)
        }),
        or_dash(frame.packing, |packing| format!("{:.1}", packing.densest)),
        or_dash(frame.packing, |packing| format!("{:.1}", packing.emptiest)),
        or_dash(frame.packing, |packing| {
            format!("{:.2}", 100.0 * packing.crowded)
        }),
        format!("{:.3}", frame.max_speed),
        format!("{:.3e}", frame.kinetic_energy),
        iterations.to_string(),
        format!("{:.2}", frame.seconds.get("total").unwrap_or(&0.0)),
    ]
}

/// A figure that not every method has.
fn or_dash<T>(figure: Option<T>, show: impl FnOnce(T) -> String) -> String {
    figure.map_or_else(|| "-".into(), show)
}

fn totals(statistics: &[FrameStatistics]) -> String {
    let mut totals = Totals::default();
    let mut stages = std::collections::BTreeMap::<&str, f64>::new();
    for frame in statistics {
        totals.absorb(frame);
        for (name, seconds) in &frame.seconds {
            *stages.entry(name).or_default() += seconds;
        }
    }
    let whole = stages.remove("total").unwrap_or(0.0);
    let mut text = format!(
        "{} frames, {} sub-steps, {:.3} s simulated in {}, volume drift at most {:.2} %",
        totals.frames,
        totals.substeps,
        totals.simulated_seconds,
        duration(Duration::try_from_secs_f64(totals.wall_seconds).unwrap_or_default()),
        100.0 * totals.volume_drift_max,
    );
    if let (Some(drift), Some(densest)) = (totals.uncorrected_drift_max, totals.densest) {
        text += &format!(
            " (uncorrected {:.2} %, densest cell {densest:.1} times the density at rest)",
            100.0 * drift
        );
    }
    if let Some(peak) = totals.peak_memory_bytes {
        text += &format!(", {} of memory", bytes(peak));
    }
    text += "\n";
    if whole > 0.0 {
        let mut stages: Vec<_> = stages.into_iter().collect();
        stages.sort_by(|a, b| b.1.total_cmp(&a.1));
        let shares: Vec<String> = stages
            .iter()
            .map(|(name, seconds)| format!("{name} {:.0} %", 100.0 * seconds / whole))
            .collect();
        text += &format!("time by stage: {}\n", shares.join(", "));
    }
    text
}

/// Checks every frame, and names those that are damaged or missing or hold what no run would write. Without the scene, which
/// may need files that are gone, their checksums must do. `written` is the distance from a frame to the next that is written,
/// and the last frame of which there are figures.
fn report_damage(
    folder: &RunFolder,
    scene: Option<&Scene>,
    written: Option<(u32, u32)>,
) -> Result<(), Failure> {
    let check = |frame: u32| match scene {
        Some(scene) => folder.read_frame(frame, &scene.setup).err(),
        None => folder.verify_frame(frame).err(),
    };
    let mut frames = folder.frames()?;
    if let Some((every, last)) = written {
        frames.extend(folder.missing_frames(every, last)?);
        frames.sort_unstable();
    }
    let errors: Vec<CacheError> = frames
        .par_iter()
        .filter_map(|&frame| check(frame))
        .collect();
    for error in &errors {
        complain(&format!("error: {error}"));
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Failure::Damaged {
            count: errors.len(),
        })
    }
}
