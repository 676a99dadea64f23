//! `stats.jsonl`: one line of figures a frame.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ooze_core::{DensityError, Measure, Packing, SolveSummary};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CacheError, FramePart, Progress, line_log};

/// The figures of one frame. Field names are the keys of the file and are relied upon by users' scripts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrameStatistics {
    /// Number of the frame; 0 is the state at the start.
    pub frame: u32,
    /// Simulated seconds at the end of the frame.
    pub time: f64,
    /// Sub-steps that the frame took.
    pub substeps: u32,
    /// Shortest sub-step in seconds; zero if there was none.
    pub dt_min: f64,
    /// Longest sub-step in seconds.
    pub dt_max: f64,
    /// Number of particles.
    pub particles: usize,
    /// Cells that hold liquid.
    pub liquid_cells: usize,
    /// Volume inside the liquid's surface in cubic metres.
    pub volume: f64,
    /// Deviation of the volume relative to what was seeded, emitted and drained.
    pub volume_drift: f64,
    /// The same of the surface as the particles shape it, for methods that then fit it to their number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncorrected_drift: Option<f64>,
    /// How evenly particles fill the liquid, for those methods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packing: Option<Packing>,
    /// Mass in kilograms.
    pub mass: f64,
    /// Momentum in kg m/s.
    pub momentum: [f64; 3],
    /// Angular momentum about the world's origin in kg m²/s.
    pub angular_momentum: [f64; 3],
    /// Kinetic energy in joules.
    pub kinetic_energy: f64,
    /// Potential energy in joules, from the world's origin on.
    #[serde(default)]
    pub potential_energy: f64,
    /// Energy of elastic strain in joules, for liquids that carry strain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elastic_energy: Option<f64>,
    /// Largest speed in m/s.
    pub max_speed: f64,
    /// Compression of the particles in the last sub-step, for methods that measure it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density_error: Option<DensityError>,
    /// Volume in cubic metres of enclosed air that became liquid in the frame, for methods that fill pockets. Volume correction
    /// takes it from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filled_volume: Option<f64>,
    /// Linear solves by name.
    pub solves: BTreeMap<String, SolveSummary>,
    /// Wall-clock seconds: `total`, and one a stage.
    pub seconds: BTreeMap<String, f64>,
    /// Largest memory the process has had so far in bytes, where the operating system tells.
    pub peak_memory_bytes: Option<u64>,
    /// Things worth telling the user.
    pub events: Vec<String>,
}

impl FrameStatistics {
    /// The figures of a frame that has just been finished at `progress`, whose sub-steps were `part`.
    pub fn new(
        progress: &Progress,
        part: FramePart,
        measure: &Measure,
        peak_memory_bytes: Option<u64>,
    ) -> Self {
        Self {
            frame: progress.frame,
            time: progress.time,
            substeps: part.substeps,
            dt_min: part.dt_min,
            dt_max: part.dt_max,
            particles: measure.particles,
            liquid_cells: part.liquid_cells,
            volume: measure.volume,
            volume_drift: measure.volume_drift(),
            uncorrected_drift: measure.packing.map(|_| measure.uncorrected_drift()),
            packing: measure.packing,
            mass: measure.mass,
            momentum: measure.momentum.to_array(),
            angular_momentum: measure.angular_momentum.to_array(),
            kinetic_energy: measure.kinetic_energy,
            potential_energy: measure.potential_energy,
            elastic_energy: measure.elastic_energy,
            max_speed: measure.max_speed,
            density_error: part.density_error,
            filled_volume: part.filled_volume,
            solves: part.solves,
            seconds: part.seconds,
            peak_memory_bytes,
            events: part.events,
        }
    }

    /// The line of the file that is meant for `path`.
    pub(crate) fn to_line(&self, path: &Path) -> Result<String, CacheError> {
        let value = serde_json::to_value(self)
            .map_err(|error| CacheError::unexpected(path, error.to_string()))?;
        // JSON has no NaN: it would silently become null.
        let absent = usize::from(self.peak_memory_bytes.is_none());
        let mut nulls = Vec::new();
        collect_nulls(&value, "", &mut nulls);
        if nulls.len() > absent {
            nulls.retain(|key| key != "peak_memory_bytes");
            return Err(CacheError::NotFinite {
                path: path.into(),
                channel: nulls.swap_remove(0),
                item: self.frame as usize,
            });
        }
        serde_json::to_string(self).map_err(|error| CacheError::unexpected(path, error.to_string()))
    }
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
            ..FrameStatistics::default()
        };
        statistics.solves.insert(
            "pressure".into(),
            SolveSummary::single(7, 1.0e-7 / 3.0, true),
        );
        statistics.seconds.insert("total".into(), 0.7);
        let line = statistics.to_line(Path::new("stats.jsonl")).unwrap();
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
        let error = statistics.to_line(Path::new("stats.jsonl")).unwrap_err();
        assert!(
            matches!(error, CacheError::NotFinite { ref channel, item: 9, .. } if channel == "momentum.1"),
            "{error}"
        );
    }
}
