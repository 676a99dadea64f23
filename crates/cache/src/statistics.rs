//! `stats.jsonl`: one line of figures a frame.

use std::path::{Path, PathBuf};

use ooze_core::FrameStatistics;
use serde_json::Value;

use crate::{CacheError, line_log};

/// The line with the figures of a frame in the file that is meant for `path`.
pub(crate) fn line(statistics: &FrameStatistics, path: &Path) -> Result<String, CacheError> {
    let value = serde_json::to_value(statistics)
        .map_err(|error| CacheError::unexpected(path, error.to_string()))?;
    // JSON has no NaN: it would silently become null.
    let absent = usize::from(statistics.peak_memory_bytes.is_none());
    let mut nulls = Vec::new();
    collect_nulls(&value, "", &mut nulls);
    if nulls.len() > absent {
        nulls.retain(|key| key != "peak_memory_bytes");
        return Err(CacheError::NotFinite {
            path: path.into(),
            channel: nulls.swap_remove(0),
            item: statistics.frame as usize,
        });
    }
    serde_json::to_string(statistics)
        .map_err(|error| CacheError::unexpected(path, error.to_string()))
}
fn collect_nulls(value: &Value, name: &str, found: &mut Vec<String>) {
    let inner = |key: &str| {
        if name.is_empty() {
            key.to_owned()
        } else {
            format!("{name}.{key}")
        }
    };
    match value {
        Value::Null => found.push(name.to_owned()),
        Value::Object(members) => {
            for (key, member) in members {
                collect_nulls(member, &inner(key), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect_nulls(item, &inner(&index.to_string()), found);
            }
        }
        _ => {}
    }
}

/// The frames' figures of a run, in order.
#[derive(Debug)]
pub struct StatisticsLines {
    path: PathBuf,
    lines: std::iter::Enumerate<std::vec::IntoIter<String>>,
}

impl StatisticsLines {
    pub(crate) fn open(path: &Path) -> Result<Self, CacheError> {
        Ok(Self::of(path, line_log::read_lines(path)?))
    }

    /// The figures in lines of a file.
    pub(crate) fn of(path: &Path, lines: Vec<String>) -> Self {
        Self {
            path: path.into(),
            lines: lines.into_iter().enumerate(),
        }
    }
}

impl Iterator for StatisticsLines {
    type Item = Result<FrameStatistics, CacheError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (index, line) = self.lines.next()?;
        Some(
            serde_json::from_str(&line).map_err(|error| CacheError::Line {
                path: self.path.clone(),
                line: index + 1,
                reason: error.to_string(),
            }),
        )
    }
}

#[cfg(test)]
mod tests {
    use ooze_core::{DensityError, Load, Packing, SolidLoad, SolveSummary};

    use super::*;

    #[test]
    fn a_line_has_the_promised_keys_and_comes_back_bit_for_bit() {
        let mut statistics = FrameStatistics {
            frame: 3,
            time: 0.1 + 0.2,
            mass: 1.0 / 3.0,
            momentum: [1e-300, -0.0, 5e-324],
            elastic_energy: Some(0.25),
            peak_memory_bytes: Some(1 << 40),
            events: vec!["a \"quoted\" event".into()],
            density_error: Some(DensityError {
                mean: 0.001,
                max: 0.02,
            }),
            uncorrected_drift: Some(-0.03),
            packing: Some(Packing {
                uncorrected_volume: 0.1,
                filled_air: 0.02,
                densest: 3.5,
                emptiest: 0.5,
                crowded: 0.01,
            }),
            forces: vec![SolidLoad {
                solid: "paddle".into(),
                pressure: Load {
                    force: [0.1, -1.0 / 7.0, 0.0],
                    torque: [0.0, 3.0, 0.0],
                },
                viscous: Load::default(),
                motion: None,
                temperature: None,
                left: None,
            }],
            ..FrameStatistics::default()
        };
        statistics.solves.insert(
            "pressure".into(),
            SolveSummary::single(7, 1.0e-7 / 3.0, true),
        );
        statistics.seconds.insert("total".into(), 0.7);
        let line = line(&statistics, Path::new("stats.jsonl")).unwrap();
        let keys: Vec<String> = serde_json::from_str::<serde_json::Map<String, Value>>(&line)
            .unwrap()
            .keys()
            .cloned()
            .collect();
        for key in [
            "frame",
            "time",
            "substeps",
            "dt_min",
            "dt_max",
            "particles",
            "liquid_cells",
            "volume",
            "volume_drift",
            "uncorrected_drift",
            "packing",
            "mass",
            "momentum",
            "angular_momentum",
            "kinetic_energy",
            "potential_energy",
            "elastic_energy",
            "max_speed",
            "density_error",
            "forces",
            "solves",
            "seconds",
            "peak_memory_bytes",
            "events",
        ] {
            assert!(keys.iter().any(|found| found == key), "{key} in {line}");
        }
        assert_eq!(
            serde_json::from_str::<FrameStatistics>(&line).unwrap(),
            statistics
        );
    }

    #[test]
    fn a_nan_is_refused_and_named() {
        let statistics = FrameStatistics {
            frame: 9,
            momentum: [0.0, f64::NAN, 0.0],
            ..FrameStatistics::default()
        };
        let error = line(&statistics, Path::new("stats.jsonl")).unwrap_err();
        assert!(
            matches!(error, CacheError::NotFinite { ref channel, item: 9, .. } if channel == "momentum.1"),
            "{error}"
        );
    }
}
