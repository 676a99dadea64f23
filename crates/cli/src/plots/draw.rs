//! Charts as SVG or PNG files.

use std::path::{Path, PathBuf};
use std::sync::Once;

use ooze_cache::CacheError;
use ooze_render::{Picture, RenderError, write_png};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use thiserror::Error;

use super::Chart;
use super::legend::Legend;

/// Width and height of one chart in pixels, and charts in a row.
pub(super) const CHART: (u32, u32) = (460, 300);
const COLUMNS: usize = 3;
/// The only font.
pub(super) const FONT: &str = "ooze";

/// Charts that could not be drawn.
#[derive(Debug, Error)]
pub enum PlotError {
    /// The file's name does not say which format is wanted.
    #[error("{}: plots are written as .svg or .png", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// There is nothing to draw.
    #[error("there are no frames to plot")]
    Nothing,
    /// The plotting library refused.
    #[error("the plots cannot be drawn: {0}")]
    Drawing(String),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] CacheError),
    /// The picture cannot be written.
    #[error(transparent)]
    Picture(#[from] RenderError),
}

/// Draws charts in rows to a file whose ending, `.svg` or `.png`, tells the format.
pub fn draw(charts: &[Chart], path: &Path) -> Result<(), PlotError> {
    if charts.is_empty() {
        return Err(PlotError::Nothing);
    }
    register_fonts();
    let columns = COLUMNS.min(charts.len());
    let rows = charts.len().div_ceil(columns);
    let size = (CHART.0 * columns as u32, CHART.1 * rows as u32);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => {
            let mut text = String::new();
            draw_all(
                &SVGBackend::with_string(&mut text, size).into_drawing_area(),
                charts,
                (rows, columns),
            )?;
            Ok(ooze_files::write(path, text.as_bytes()).map_err(CacheError::from)?)
        }
        Some("png") => {
            let mut pixels = vec![0; 3 * (size.0 * size.1) as usize];
            let area = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
            draw_all(&area, charts, (rows, columns))?;
            drop(area);
            let picture = Picture {
                width: size.0,
                height: size.1,
                pixels: pixels.as_chunks().0.to_vec(),
            };
            Ok(write_png(path, &picture)?)
        }
        _ => Err(PlotError::UnknownFormat { path: path.into() }),
    }
}

/// Text is drawn with a font of our own, so that plots look the same on every machine.
fn register_fonts() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // A font that cannot be read leaves plots without text; it is part of the program and is tested.
        let _ = register_font(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT);
    });
}

fn draw_all<Backend: DrawingBackend>(
    area: &DrawingArea<Backend, Shift>,
    charts: &[Chart],
    grid: (usize, usize),
) -> Result<(), PlotError> {
    let refused =
        |error: DrawingAreaErrorKind<Backend::ErrorType>| PlotError::Drawing(error.to_string());
    area.fill(&WHITE).map_err(refused)?;
    for (cell, chart) in area.split_evenly(grid).iter().zip(charts) {
        draw_chart(cell, chart).map_err(refused)?;
    }
    area.present().map_err(refused)
}

fn draw_chart<Backend: DrawingBackend>(
    area: &DrawingArea<Backend, Shift>,
    chart: &Chart,
) -> Result<(), DrawingAreaErrorKind<Backend::ErrorType>> {
    let [times, values] = chart.ranges();
    let legend = Legend::of(chart);
    let (area, below) = area.split_vertically(CHART.1 as i32 - legend.height());
    let mut context = ChartBuilder::on(&area)
        .caption(&chart.title, (FONT, 16))
        .margin(10)
        .x_label_area_size(36)
        .y_label_area_size(62)
        .build_cartesian_2d(times.0..times.1, values.0..values.1)?;
    context
        .configure_mesh()
        .light_line_style(WHITE)
        .bold_line_style(BLACK.mix(0.12))
        .label_style((FONT, 12))
        .x_desc("time, s")
        .axis_desc_style((FONT, 12))
        .x_label_formatter(&|time| label(*time, times))
        .y_label_formatter(&|value| label(*value, values))
        .draw()?;
    for (index, line) in chart.lines.iter().enumerate() {
        context.draw_series(LineSeries::new(line.points.iter().copied(), stroke(index)))?;
    }
    legend.draw(&below)
}

/// How the line of an index is drawn.
pub(super) fn stroke(index: usize) -> ShapeStyle {
    Palette99::pick(index).to_rgba().stroke_width(2)
}

/// A number on an axis of the given range, with as many digits as tell it from its neighbours, about a tenth of the range
/// away.
fn label(value: f64, (low, high): (f64, f64)) -> String {
    let step = 0.1 * (high - low);
    let size = low.abs().max(high.abs());
    if value.abs() < 1e-6 * step {
        return "0".into();
    }
    if (1e-3..1e5).contains(&size) {
        let decimals = (-step.log10()).ceil().clamp(0.0, 12.0) as usize;
        let text = format!("{value:.decimals$}");
        return if decimals > 0 {
            text.trim_end_matches('0').trim_end_matches('.').into()
        } else {
            text
        };
    }
    let digits = (value.abs() / step).log10().ceil().clamp(0.0, 12.0) as usize;
    format!("{value:.digits$e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short_and_tell_neighbours_apart() {
        assert_eq!(label(0.0, (0.0, 1.0)), "0");
        assert_eq!(label(0.25, (0.0, 0.5)), "0.25");
        assert_eq!(label(0.5, (0.0, 4.0)), "0.5");
        assert_eq!(label(98_000.0, (90_000.0, 99_000.0)), "98000");
        assert_eq!(label(1.5e7, (0.0, 2e7)), "1.5e7");
        assert_eq!(label(-0.5, (-1.0, 1.0)), "-0.5");
        for (low, step) in [
            (1.23456, 1e-5),
            (98_765.0, 0.5),
            (3.2e-7, 1e-12),
            (-5.0, 0.02),
            (2e9, 3.0),
        ] {
            let ticks: Vec<f64> = (0..10).map(|tick| low + step * f64::from(tick)).collect();
            let labels: Vec<String> = ticks
                .iter()
                .map(|&tick| label(tick, (low, ticks[9])))
                .collect();
            for pair in labels.windows(2) {
                assert_ne!(pair[0], pair[1], "{labels:?}");
            }
        }
    }
}
