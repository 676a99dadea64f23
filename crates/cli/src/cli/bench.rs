//! `ooze bench`: what whole scenes cost, and how cost grows.
//!
//! Each workload runs in a process of its own, so that its peak memory is its own.

use std::process::Command;
use std::time::Duration;

use ooze_cli::bench::{
    Animation, BodyAnimation, Cost, Crowd, CrowdCost, FRAME_RATE, FRAMES_RUN, Speed, TABLE_NINE,
    TABLE_SIX, WORKLOADS, Workload, crowds,
};
use ooze_scene::suggestion;

use super::arguments::Bench;
use super::failure::Failure;
use super::forecasts::forecasts;
use super::run::use_threads;
use super::table::table;
use super::words::{complain, say};

/// Seconds for which each animation with bodies is run.
const LIMIT: u64 = 30;

/// Runs one workload and prints its cost as JSON, or all of them and prints tables.
pub(crate) fn bench(arguments: Bench) -> Result<(), Failure> {
    let forecasting = arguments.workload.as_deref() == Some("forecasts");
    let limit = arguments.forecasts.limit;
    if !forecasting && (arguments.forecasts.are_chosen() || !arguments.changes.flags().is_empty()) {
        return Err(Failure::Usage(
            "workloads are what they are: scenes and changes to them go with `ooze bench forecasts`".into(),
        ));
    }
    let limited = forecasting || arguments.workload.as_deref() == Some("table-9");
    if limit.is_some() && !limited {
        return Err(Failure::Usage(
            "`--limit` goes with `ooze bench forecasts` and `ooze bench table-9`".into(),
        ));
    }
    match arguments.workload.as_deref() {
        Some(_) if forecasting => {
            forecasts(&arguments.forecasts, &arguments.changes, arguments.threads)
        }
        Some("bodies") => bodies(arguments.threads),
        Some("table-6") => table_six(arguments.threads),
        Some("table-9") => table_nine(limit.unwrap_or(LIMIT), arguments.threads),
        Some(name) => run_one(name, arguments.threads),
        None => run_all(arguments.threads),
    }
}

fn run_one(name: &str, threads: Option<u16>) -> Result<(), Failure> {
    use_threads(threads)?;
    let Some(workload) = Workload::find(name) else {
        let names: Vec<&str> = WORKLOADS.iter().map(|workload| workload.name).collect();
        let help = suggestion(name, &names);
        return Err(Failure::Usage(format!(
            "there is no workload `{name}`; {help}"
        )));
    };
    let cost = workload.run().map_err(Failure::Bench)?;
    let text = serde_json::to_string(&cost).map_err(|error| Failure::Usage(error.to_string()))?;
    say(&format!("{text}\n"))
}

/// Runs the animations of a table of 2004, with the methods of their scenes and with that of the thesis.
fn table_six(threads: Option<u16>) -> Result<(), Failure> {
    use_threads(threads)?;
    let mut rows = Vec::new();
    for animation in &TABLE_SIX {
        for method in [None, Some("carlson-2004")] {
            let speed = animation.run(method).map_err(Failure::Bench)?;
            complain(&format!(
                "{}, {}: {:.1} frames a second",
                animation.title,
                speed.method,
                1.0 / speed.seconds
            ));
            rows.push(six_row(animation, &speed));
        }
    }
    let header = [
        "animation",
        "grid of 2004",
        "s for all frames",
        "frames/s",
        "method",
        "our grid",
        "particles",
        "steps/frame",
        "frames/s",
        "s for as many",
    ];
    say(&table(&header, &rows))?;
    say(&format!(
        "\nOurs are told from the first {FRAMES_RUN} frames of each, measuring included, writing not.\n"
    ))
}

/// Runs animations with bodies of a table of 2004 for so many seconds each, with the methods of their scenes and with that of the thesis.
fn table_nine(limit: u64, threads: Option<u16>) -> Result<(), Failure> {
    use_threads(threads)?;
    let mut rows = Vec::new();
    for animation in &TABLE_NINE {
        for &method in animation.methods {
            let run = animation.run(method, Duration::from_secs(limit));
            let (speed, frames) = run.map_err(Failure::Bench)?;
            complain(&format!(
                "{}, {}: {:.2} seconds a frame",
                animation.title, speed.method, speed.seconds
            ));
            rows.push(nine_row(animation, &speed, frames));
        }
    }
    let header = [
        "animation",
        "grid of 2004",
        "s of it",
        "steps/frame",
        "s/frame",
        "minutes",
        "method",
        "our grid",
        "particles",
        "frames run",
        "steps/frame",
        "s/frame",
        "minutes for as much",
    ];
    say(&table(&header, &rows))?;
    say(&format!(
        "\nOurs are told from the frames that {limit} seconds were enough for, measuring included, writing not. There and here \
         frames are {FRAME_RATE} a second.\n"
    ))
}

fn nine_row(animation: &BodyAnimation, speed: &Speed, run: usize) -> Vec<String> {
    let grid = |[x, y, z]: [i32; 3]| format!("{x}×{y}×{z}");
    let frames = f64::from(animation.frames());
    vec![
        animation.title.into(),
        grid(animation.grid),
        animation.duration.to_string(),
        format!("{:.1}", f64::from(animation.steps) / frames),
        format!("{:.1}", 60.0 * f64::from(animation.minutes) / frames),
        animation.minutes.to_string(),
        speed.method.into(),
        grid(speed.cells),
        speed.particles.to_string(),
        run.to_string(),
        format!("{:.1}", speed.steps),
        format!("{:.2}", speed.seconds),
        format!("{:.0}", frames * speed.seconds / 60.0),
    ]
}

/// Runs bodies in a pool, with those methods that solve for them together with the liquid and with those that do so afterwards.
fn bodies(threads: Option<u16>) -> Result<(), Failure> {
    use_threads(threads)?;
    let mut rows = Vec::new();
    let mut without: Option<CrowdCost> = None;
    for crowd in crowds() {
        let cost = crowd.run().map_err(Failure::Bench)?;
        let kind = crowd.kind.name();
        complain(&format!(
            "{}, {kind}, {:.0} cells: {:.1} ms a step",
            crowd.method,
            cost.cells,
            1e3 * cost.seconds
        ));
        let share = without.as_ref().map(|without| cost.share(without));
        rows.push(body_row(&crowd, &cost, share.filter(|_| cost.cells > 0.0)));
        if cost.cells == 0.0 {
            without = Some(cost);
        }
    }
    let header = [
        "method",
        "bodies",
        "number",
        "their cells",
        "particles",
        "steps",
        "ms/step",
        "coupling's share of it",
        "µs for each of their cells",
        "pressure iterations",
    ];
    say(&table(&header, &rows))
}

/// `share` is what coupling takes of a step.
fn body_row(crowd: &Crowd, cost: &CrowdCost, share: Option<f64>) -> Vec<String> {
    let number: u32 = crowd.count.iter().product();
    let told = |value: &dyn Fn(f64) -> String| share.map_or("-".into(), value);
    vec![
        crowd.method.into(),
        crowd.kind.name().into(),
        number.to_string(),
        format!("{:.0}", cost.cells),
        cost.particles.to_string(),
        cost.steps.to_string(),
        format!("{:.1}", 1e3 * cost.seconds),
        told(&|share| format!("{:.1} %", 100.0 * share)),
        told(&|share| format!("{:.2}", 1e6 * share * cost.seconds / cost.cells)),
        format!("{:.1}", cost.iterations),
    ]
}

fn six_row(animation: &Animation, speed: &Speed) -> Vec<String> {
    let [x, y, z] = speed.cells;
    let frames = f64::from(animation.frames);
    vec![
        animation.title.into(),
        animation.grid.into(),
        format!("{:.0} for {frames}", animation.seconds),
        format!("{:.1}", frames / animation.seconds),
        speed.method.into(),
        format!("{x}×{y}×{z}"),
        speed.particles.to_string(),
        format!("{:.1}", speed.steps),
        format!("{:.1}", 1.0 / speed.seconds),
        format!("{:.0}", frames * speed.seconds),
    ]
}

fn run_all(threads: Option<u16>) -> Result<(), Failure> {
    let most = threads.map_or(0, usize::from).max(1);
    let most = if threads.is_some() { most } else { 2 };
    let mut costs = Vec::new();
    for workload in &WORKLOADS {
        let both = ["million", "viscous-ball-5"];
        let counts = if both.iter().any(|name| workload.name.starts_with(name)) && most > 1 {
            vec![1, most]
        } else {
            vec![most]
        };
        for threads in counts {
            complain(&format!(
                "{}: {} ({threads} threads)",
                workload.name, workload.summary
            ));
            costs.push(in_own_process(workload, threads)?);
        }
    }
    say(&cost_table(&costs))?;
    say("\n")?;
    say(&ratio_table(&costs, most))
}

fn in_own_process(workload: &Workload, threads: usize) -> Result<Cost, Failure> {
    let failed = |what: String| Failure::Usage(format!("{}: {what}", workload.name));
    let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let output = Command::new(program)
        .args(["bench", workload.name, "--threads", &threads.to_string()])
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| failed(error.to_string()))
}

fn cost_table(costs: &[Cost]) -> String {
    let header = [
        "workload",
        "threads",
        "particles",
        "steps",
        "ms/step",
        "with measuring and writing",
        "M particle-steps/s",
        "pressure iterations",
        "viscosity iterations",
        "viscosity ms",
        "peak MiB",
    ];
    let rows: Vec<Vec<String>> = costs
        .iter()
        .map(|cost| {
            vec![
                cost.workload.clone(),
                cost.threads.to_string(),
                cost.particles.to_string(),
                cost.steps.to_string(),
                format!("{:.1}", cost.seconds_per_step * 1e3),
                format!("{:.1}", cost.whole_seconds_per_step * 1e3),
                format!("{:.2}", cost.million_particle_steps_per_second),
                format!("{:.1}", cost.pressure_iterations),
                viscosity_iterations(cost),
                format!("{:.1}", 1e3 * cost.stages.get("viscosity").unwrap_or(&0.0)),
                cost.peak_memory_bytes
                    .map_or("?".into(), |bytes| (bytes >> 20).to_string()),
            ]
        })
        .collect();
    table(&header, &rows)
}

/// Mean and most; nothing without viscosity.
fn viscosity_iterations(cost: &Cost) -> String {
    match cost.viscosity_iterations {
        (_, 0) => "-".into(),
        (mean, most) => format!("{mean:.0} (at most {most})"),
    }
}

fn ratio_table(costs: &[Cost], threads: usize) -> String {
    let find = |name: &str, threads: usize| {
        costs
            .iter()
            .find(|cost| cost.workload == name && cost.threads == threads)
    };
    let mut rows = Vec::new();
    let mut ratio = |what: &str, numerator: Option<f64>, denominator: Option<f64>, limit: &str| {
        if let (Some(numerator), Some(denominator)) = (numerator, denominator) {
            let value = format!("{:.2}", numerator / denominator);
            rows.push(vec![what.to_owned(), value, limit.to_owned()]);
        }
    };
    let seconds = |name: &str, threads| find(name, threads).map(|cost| cost.seconds_per_step);
    let memory = |name: &str| {
        find(name, threads)
            .and_then(|cost| cost.peak_memory_bytes)
            .map(|bytes| bytes as f64)
    };
    let (block, large, two) = ("block", "block-in-large-box", "two-blocks");
    ratio(
        "step time, box of 8 times the volume",
        seconds(large, threads),
        seconds(block, threads),
        "1.3",
    );
    ratio(
        "memory, box of 8 times the volume",
        memory(large),
        memory(block),
        "1.5",
    );
    ratio(
        "step time, twice the liquid",
        seconds(two, threads),
        seconds(block, threads),
        "2.3",
    );
    for name in ["million", "million-quiet"] {
        let what = format!("{name}: speed-up from 1 to {threads} threads");
        ratio(&what, seconds(name, 1), seconds(name, threads), "");
    }
    let viscosity = |name: &str| {
        let cost = find(name, threads)?;
        cost.stages.get("viscosity").copied()
    };
    for name in ["viscous-ball-cholesky", "viscous-ball-jacobi"] {
        let what = format!("viscous stage, multigrid beside {name}");
        ratio(
            &what,
            viscosity("viscous-ball-5000"),
            viscosity(name),
            "0.125",
        );
    }
    table(&["ratio", "measured", "at most"], &rows)
}
