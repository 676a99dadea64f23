//! A chart: lines over time.

/// One line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Name in the legend.
    pub name: String,
    /// Time in seconds and value.
    pub points: Vec<(f64, f64)>,
}

/// Lines over time with a common scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What is shown, with its unit.
    pub title: String,
    /// The lines.
    pub lines: Vec<Line>,
}

impl Chart {
    /// A chart of the lines that have points; none if there are no such lines.
    pub fn new(title: impl Into<String>, lines: Vec<Line>) -> Option<Self> {
        let lines: Vec<Line> = lines
            .into_iter()
            .filter(|line| !line.points.is_empty())
            .collect();
        (!lines.is_empty()).then(|| Self {
            title: title.into(),
            lines,
        })
    }

    /// Lower and upper ends of time and value, with some room around constant lines.
    pub(super) fn ranges(&self) -> [(f64, f64); 2] {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        [
            range(points().map(|point| point.0), 0.0),
            range(points().map(|point| point.1), 0.05),
        ]
    }
}

/// The range of some numbers, widened by a share of its length at both ends.
fn range(values: impl Iterator<Item = f64>, widen: f64) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let length = high - low;
    if length > 1e-12 * high.abs().max(low.abs()) {
        (low - widen * length, high + widen * length)
    } else {
        let room = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
        (low - room, high + room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(values: &[f64]) -> Option<Chart> {
        let points = values.iter().enumerate();
        let line = Line {
            name: "line".into(),
            points: points.map(|(time, &value)| (time as f64, value)).collect(),
        };
        Chart::new("chart", vec![line])
    }

    #[test]
    fn a_chart_without_points_is_none() {
        assert!(chart(&[]).is_none());
    }

    #[test]
    fn ranges_hold_all_points_and_have_length() {
        let [time, value] = chart(&[1.0, 3.0, 2.0]).unwrap().ranges();
        assert_eq!(time, (0.0, 2.0));
        assert_eq!(value, (0.9, 3.1));
        for constant in [0.0, -2.0] {
            let [_, (low, high)] = chart(&[constant, constant]).unwrap().ranges();
            assert!(low < constant && constant < high);
        }
    }
}
