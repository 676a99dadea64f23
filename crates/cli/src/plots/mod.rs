//! Figures and probes of runs over time, as charts.

mod chart;
mod draw;
mod figures;
mod legend;

pub use chart::{Chart, Line};
pub use draw::{PlotError, draw};
pub use figures::{RunFigures, charts_of_run, charts_of_runs};
