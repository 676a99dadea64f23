//! Which figures of a run are drawn.

use std::collections::BTreeSet;

use ooze_cache::ProbeTable;
use ooze_core::FrameStatistics;

use super::{Chart, Line};

/// The figures of one run.
pub struct RunFigures {
    /// Its name in legends.
    pub name: String,
    /// A line a frame.
    pub statistics: Vec<FrameStatistics>,
    /// The probes.
    pub probes: ProbeTable,
}

/// A figure that runs are compared by.
type Figure = (&'static str, fn(&FrameStatistics) -> f64);

/// Figures of which a run has one line each.
const FIGURES: [Figure; 7] = [
    ("volume, litres", |frame| 1000.0 * frame.volume),
    ("volume drift, %", |frame| 100.0 * frame.volume_drift),
    ("kinetic energy, J", |frame| frame.kinetic_energy),
    ("largest speed, m/s", |frame| frame.max_speed),
    ("sub-steps a frame", |frame| f64::from(frame.substeps)),
    ("particles", |frame| frame.particles as f64),
    ("seconds a frame", |frame| {
        frame.seconds.get("total").copied().unwrap_or(0.0)
    }),
];

const AXES: [&str; 3] = ["x", "y", "z"];

impl RunFigures {
    fn line(&self, name: &str, value: impl Fn(&FrameStatistics) -> Option<f64>) -> Line {
        let points = self.statistics.iter();
        Line {
            name: name.into(),
            points: points
                .filter_map(|frame| Some((frame.time, value(frame)?)))
                .collect(),
        }
    }

    fn axes(&self, value: impl Fn(&FrameStatistics) -> [f64; 3]) -> Vec<Line> {
        let axes = AXES.iter().enumerate();
        axes.map(|(axis, name)| self.line(name, |frame| Some(value(frame)[axis])))
            .collect()
    }

    fn probe(&self, column: usize, name: &str) -> Line {
        let rows = self.probes.rows.iter();
        Line {
            name: name.into(),
            points: rows
                .filter_map(|(_, time, values)| Some((*time, values[column]?)))
                .collect(),
        }
    }

    /// The names of all linear solves.
    fn solves(&self) -> BTreeSet<&str> {
        let frames = self.statistics.iter();
        frames
            .flat_map(|frame| frame.solves.keys().map(String::as_str))
            .collect()
    }

    /// Iterations of a solve, on average over a frame.
    fn iterations(&self, solve: &str, name: &str) -> Line {
        self.line(name, |frame| {
            let summary = frame.solves.get(solve)?;
            (summary.count > 0).then(|| summary.iterations as f64 / summary.count as f64)
        })
    }
}

/// Everything worth seeing about one run.
pub fn charts_of_run(run: &RunFigures) -> Vec<Chart> {
    let mut charts: Vec<Option<Chart>> = FIGURES
        .iter()
        .map(|(title, value)| {
            Chart::new(
                *title,
                vec![run.line(&run.name, |frame| Some(value(frame)))],
            )
        })
        .collect();
    charts.push(Chart::new("energies, J", energies(run)));
    charts.push(Chart::new(
        "momentum, kg m/s",
        run.axes(|frame| frame.momentum),
    ));
    charts.push(Chart::new(
        "angular momentum, kg m²/s",
        run.axes(|frame| frame.angular_momentum),
    ));
    let solves = run.solves().into_iter();
    charts.push(Chart::new(
        "iterations a solve",
        solves.map(|solve| run.iterations(solve, solve)).collect(),
    ));
    charts.push(Chart::new("milliseconds a stage and frame", stages(run)));
    charts.extend(probes(run));
    charts.into_iter().flatten().collect()
}

/// A chart for each column of probes, but one for the three of a vector.
fn probes(run: &RunFigures) -> Vec<Option<Chart>> {
    let columns = &run.probes.columns;
    let mut charts = Vec::new();
    let mut next = 0;
    while let Some(name) = columns.get(next) {
        let vector = name.strip_suffix("_x").filter(|vector| {
            let parts = AXES.map(|axis| format!("{vector}_{axis}"));
            columns[next..].starts_with(&parts)
        });
        let alone = [name.as_str()];
        let (title, parts) = match vector {
            Some(vector) => (vector, AXES.as_slice()),
            None => (name.as_str(), alone.as_slice()),
        };
        let lines = (next..).zip(parts);
        let lines = lines
            .map(|(column, part)| run.probe(column, part))
            .collect();
        charts.push(Chart::new(format!("probe {title}"), lines));
        next += parts.len();
    }
    charts
}

/// The energies that are exchanged, and their sum, which nothing but what drives the liquid raises; potential energy from
/// that of the start on.
fn energies(run: &RunFigures) -> Vec<Line> {
    let start = run.statistics.first();
    let start = start.map_or(0.0, |frame| frame.potential_energy);
    let potential = |frame: &FrameStatistics| frame.potential_energy - start;
    let elastic = |frame: &FrameStatistics| frame.elastic_energy.unwrap_or(0.0);
    vec![
        run.line("kinetic", |frame| Some(frame.kinetic_energy)),
        run.line("potential", |frame| Some(potential(frame))),
        run.line("elastic", |frame| frame.elastic_energy),
        run.line("sum", |frame| {
            Some(frame.kinetic_energy + potential(frame) + elastic(frame))
        }),
    ]
}

/// Time of the stages that matter.
fn stages(run: &RunFigures) -> Vec<Line> {
    const SHOWN: usize = 6;
    let mut names: Vec<(f64, &str)> = Vec::new();
    for frame in &run.statistics {
        for (stage, seconds) in &frame.seconds {
            match names.iter_mut().find(|(_, name)| name == stage) {
                Some((sum, _)) => *sum += seconds,
                None if stage != "total" => names.push((*seconds, stage)),
                None => {}
            }
        }
    }
    names.sort_by(|a, b| b.0.total_cmp(&a.0));
    let shown = names.into_iter().take(SHOWN);
    shown
        .map(|(_, stage)| run.line(stage, |frame| Some(1000.0 * frame.seconds.get(stage)?)))
        .collect()
}

/// The figures and probes that runs have in common, a line a run in each chart.
pub fn charts_of_runs(runs: &[RunFigures]) -> Vec<Chart> {
    let of_each =
        |line: &dyn Fn(&RunFigures) -> Option<Line>| runs.iter().filter_map(line).collect();
    let mut charts: Vec<Option<Chart>> = FIGURES
        .iter()
        .map(|(title, value)| {
            let line = |run: &RunFigures| Some(run.line(&run.name, |frame| Some(value(frame))));
            Chart::new(*title, of_each(&line))
        })
        .collect();
    let solves: BTreeSet<&str> = runs.iter().flat_map(RunFigures::solves).collect();
    for solve in solves {
        let line = |run: &RunFigures| Some(run.iterations(solve, &run.name));
        charts.push(Chart::new(
            format!("iterations a {solve} solve"),
            of_each(&line),
        ));
    }
    let probes: BTreeSet<&String> = runs.iter().flat_map(|run| &run.probes.columns).collect();
    for probe in probes {
        let line = |run: &RunFigures| {
            let column = run.probes.column(probe)?;
            Some(run.probe(column, &run.name))
        };
        charts.push(Chart::new(format!("probe {probe}"), of_each(&line)));
    }
    charts.into_iter().flatten().collect()
}
