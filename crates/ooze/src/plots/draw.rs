//! Charts as SVG or PNG files.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Once;

use ooze_cache::{CacheError, WholeFile};
use ooze_render::{Picture, RenderError, write_png};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use thiserror::Error;

use super::Chart;

/// Width and height of one chart in pixels, and charts in a row.
const CHART: (u32, u32) = (460, 280);
const COLUMNS: usize = 3;
/// The only font.
const FONT: &str = "ooze";

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
            let mut file = WholeFile::create(path)?;
            file.write_all(text.as_bytes())
                .map_err(|source| CacheError::io("write", path, source))?;
            Ok(file.finish()?)
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
    let [(start, end), (low, high)] = chart.ranges();
    let mut context = ChartBuilder::on(area)
        .caption(&chart.title, (FONT, 16))
        .margin(10)
        .x_label_area_size(24)
        .y_label_area_size(58)
        .build_cartesian_2d(start..end, low..high)?;
    context
        .configure_mesh()
        .light_line_style(WHITE)
        .bold_line_style(BLACK.mix(0.12))
        .label_style((FONT, 12))
        .x_label_formatter(&|time| short(*time))
        .y_label_formatter(&|value| short(*value))
        .draw()?;
    for (index, line) in chart.lines.iter().enumerate() {
        let colour = Palette99::pick(index).to_rgba();
        context
            .draw_series(LineSeries::new(
                line.points.iter().copied(),
                colour.stroke_width(2),
            ))?
            .label(&line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 14, y)], colour.stroke_width(2)));
    }
    if chart.lines.len() > 1 {
        context
            .configure_series_labels()
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.2))
            .label_font((FONT, 12))
            .draw()?;
    }
    Ok(())
}

/// A number with the digits that matter.
fn short(value: f64) -> String {
    let size = value.abs();
    if size < 1e-12 {
        "0".into()
    } else if !(1e-3..1e5).contains(&size) {
        format!("{value:.1e}")
    } else {
        let text = format!("{value:.4}");
        let whole_digits = text.split('.').next().map_or(0, str::len);
        let kept = &text[..text.len().min((whole_digits + 1).max(6))];
        kept.trim_end_matches('0').trim_end_matches('.').into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short() {
        assert_eq!(short(0.0), "0");
        assert_eq!(short(0.25), "0.25");
        assert_eq!(short(1234.5678), "1234.5");
        assert_eq!(short(98000.0), "98000");
        assert_eq!(short(1.5e7), "1.5e7");
        assert_eq!(short(-0.5), "-0.5");
    }
}
