//! The names of a chart's lines, below it, where they hide nothing.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::Chart;
use super::draw::{CHART, FONT, stroke};

/// Height of a row of names in pixels.
const ROW: i32 = 16;
/// Where rows begin and end.
const SIDES: (i32, i32) = (60, CHART.0 as i32 - 10);
/// Length of the piece of line before a name, and room after it.
const PIECE: i32 = 14;
const GAP: i32 = 6;
/// Widest letter of the font, about, at its size of 12 pixels.
const LETTER: i32 = 7;

/// The names of lines and where they stand.
pub(super) struct Legend<'a> {
    /// Name, left end and row of each.
    entries: Vec<(&'a str, i32, i32)>,
    rows: i32,
}

impl<'a> Legend<'a> {
    /// That of a chart; empty where there is only one line, which the title names.
    pub(super) fn of(chart: &'a Chart) -> Self {
        let mut legend = Self {
            entries: Vec::new(),
            rows: 0,
        };
        if chart.lines.len() < 2 {
            return legend;
        }
        let (mut left, mut row) = (SIDES.0, 0);
        for line in &chart.lines {
            let width = PIECE + GAP + LETTER * line.name.chars().count() as i32 + GAP;
            if left + width > SIDES.1 && left > SIDES.0 {
                (left, row) = (SIDES.0, row + 1);
            }
            legend.entries.push((&line.name, left, row));
            left += width;
        }
        legend.rows = row + 1;
        legend
    }

    /// Height that it takes up in pixels.
    pub(super) fn height(&self) -> i32 {
        if self.rows == 0 {
            0
        } else {
            ROW * self.rows + GAP
        }
    }

    /// Draws it from the top of `area`.
    pub(super) fn draw<Backend: DrawingBackend>(
        &self,
        area: &DrawingArea<Backend, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<Backend::ErrorType>> {
        for (index, (name, left, row)) in self.entries.iter().enumerate() {
            let middle = ROW * row + ROW / 2;
            let ends = [(*left, middle), (left + PIECE, middle)];
            area.draw(&PathElement::new(ends, stroke(index)))?;
            let place = (left + PIECE + GAP, middle - 6);
            area.draw(&Text::new(*name, place, (FONT, 12).into_font()))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Line;
    use super::*;

    #[test]
    fn names_wrap_and_stay_within_their_chart() {
        let lines = (0..9).map(|index| Line {
            name: format!("stage number {index}"),
            points: vec![(0.0, 0.0)],
        });
        let chart = Chart::new("chart", lines.collect()).expect("lines");
        let legend = Legend::of(&chart);
        assert!(legend.rows > 1 && legend.height() > ROW);
        for (name, left, _) in &legend.entries {
            let right = left + PIECE + GAP + LETTER * name.len() as i32;
            assert!(*left >= SIDES.0 && right <= SIDES.1, "{name}");
        }
        let alone = Chart::new("chart", vec![chart.lines[0].clone()]).expect("a line");
        assert_eq!(Legend::of(&alone).height(), 0);
    }
}
