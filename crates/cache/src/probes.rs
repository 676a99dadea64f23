//! `probes.csv`: a column a probe, a row a frame. A reading that does not exist (the pressure where there is no liquid) is
//! an empty cell.

use std::path::Path;

use crate::{CacheError, line_log};

/// The readings of all probes of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProbeTable {
    /// Names of the columns after `frame` and `time`.
    pub columns: Vec<String>,
    /// Frame, time and readings of each row.
    pub rows: Vec<(u32, f64, Vec<Option<f64>>)>,
}

impl ProbeTable {
    /// Index of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    pub(crate) fn read(path: &Path) -> Result<Self, CacheError> {
        let mut lines = line_log::read_lines(path)?.into_iter().enumerate();
        let Some((_, header)) = lines.next() else {
            return Ok(Self::default());
        };
        let columns = split_cells(&header).into_iter().skip(2).collect::<Vec<_>>();
        let rows = lines
            .map(|(index, line)| {
                row(&line, columns.len()).ok_or_else(|| CacheError::Line {
                    path: path.into(),
                    line: index + 1,
                    reason: format!("expected {} numbers, found `{line}`", columns.len() + 2),
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { columns, rows })
    }
}

/// The first line of the file.
pub(crate) fn header_line(columns: &[String]) -> String {
    let mut line = String::from("frame,time");
    for column in columns {
        line.push(',');
        line.push_str(&quote(column));
    }
    line
}

/// A later line of the file that is meant for `path`.
pub(crate) fn row_line(
    path: &Path,
    columns: &[String],
    frame: u32,
    time: f64,
    readings: &[Option<f64>],
) -> Result<String, CacheError> {
    if readings.len() != columns.len() {
        return Err(CacheError::unexpected(
            path,
            format!("{} readings for {} columns", readings.len(), columns.len()),
        ));
    }
    let mut line = format!("{frame},{time}");
    for (column, reading) in columns.iter().zip(readings) {
        line.push(',');
        match reading {
            Some(value) if !value.is_finite() => {
                return Err(CacheError::NotFinite {
                    path: path.into(),
                    channel: column.clone(),
                    item: frame as usize,
                });
            }
            Some(value) => line.push_str(&value.to_string()),
            None => {}
        }
    }
    Ok(line)
}

/// Quotes a cell if it needs it (RFC 4180).
pub(crate) fn quote(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.into()
    }
}

/// The cells of a line, quotes undone.
fn split_cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let cell = cells.last_mut().expect("begins with one cell");
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            other => cell.push(other),
        }
    }
    cells
}

fn row(line: &str, columns: usize) -> Option<(u32, f64, Vec<Option<f64>>)> {
    let cells = split_cells(line);
    let (frame, rest) = cells.split_first()?;
    let (time, readings) = rest.split_first()?;
    if readings.len() != columns {
        return None;
    }
    let readings = readings
        .iter()
        .map(|cell| {
            if cell.is_empty() {
                Some(None)
            } else {
                cell.parse().ok().map(Some)
            }
        })
        .collect::<Option<Vec<_>>>()?;
    Some((frame.parse().ok()?, time.parse().ok()?, readings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_comes_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("probes.csv");
        let columns = vec!["depth, left".to_owned(), "a \"b\"".to_owned()];
        let rows = vec![
            (0, 0.0, vec![Some(0.1), None]),
            (1, 1.0 / 24.0, vec![Some(-1.5e-30), Some(3.0)]),
        ];
        let mut text = header_line(&columns) + "\n";
        for (frame, time, readings) in &rows {
            text += &row_line(&path, &columns, *frame, *time, readings).unwrap();
            text += "\n";
        }
        std::fs::write(&path, &text).unwrap();
        let table = ProbeTable::read(&path).unwrap();
        assert_eq!(table, ProbeTable { columns, rows });
        assert_eq!(table.column("depth, left"), Some(0));

        std::fs::write(&path, text + "2,0.1,x,\n").unwrap();
        let message = ProbeTable::read(&path).unwrap_err().to_string();
        assert!(message.contains("probes.csv, line 4"), "{message}");
    }

    #[test]
    fn a_nan_is_refused_and_named() {
        let columns = vec!["speed".to_owned()];
        let error =
            row_line(Path::new("probes.csv"), &columns, 4, 0.0, &[Some(f64::NAN)]).unwrap_err();
        assert!(
            matches!(error, CacheError::NotFinite { ref channel, item: 4, .. } if channel == "speed")
        );
    }
}
