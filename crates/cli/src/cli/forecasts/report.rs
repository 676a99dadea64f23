//! Rows of the table.

use std::time::Duration;

use serde::Deserialize;

use super::super::words::{bytes, count, duration};

/// A forecast may be off by this factor.
const FACTOR: f64 = 2.0;
/// A duration or a size that is off by less than this does not matter.
const LEAST_SECONDS: f64 = 1.0;
const LEAST_BYTES: f64 = 1e6;

/// The head of the table.
pub(super) const HEADER: &str = "\
Each figure is foretold / taken, with the ratio of the two; bold ones are off by more than a factor of 2.

| scene | method | frames | steps | simulation | surfaces | pictures | memory | disk |
|---|---|---|---|---|---|---|---|---|";

/// What a run is foretold to take, or took.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub(super) struct Figures {
    pub(super) steps: f64,
    pub(super) simulation_seconds: f64,
    pub(super) surface_seconds: f64,
    pub(super) picture_seconds: f64,
    /// None where the operating system does not tell.
    pub(super) memory_bytes: Option<f64>,
    pub(super) disk_bytes: f64,
}

/// A run beside its forecast.
pub(super) struct Row {
    pub(super) scene: String,
    /// Cells along the longest side, if they are not the scene's own.
    pub(super) cells: Option<String>,
    pub(super) method: String,
    pub(super) frames: u32,
    /// Frames of the whole scene.
    pub(super) of: u32,
    pub(super) foretold: Figures,
    pub(super) taken: Figures,
}

/// One figure, foretold and taken.
struct Pair {
    foretold: f64,
    taken: f64,
    /// A difference that does not matter.
    least: f64,
    words: fn(f64) -> String,
}

impl Pair {
    fn is_off(&self) -> bool {
        let ratio = self.foretold / self.taken;
        let within = (1.0 / FACTOR..=FACTOR).contains(&ratio);
        !within && (self.foretold - self.taken).abs() > self.least
    }

    fn cell(&self) -> String {
        let [foretold, taken] = [self.foretold, self.taken].map(self.words);
        let ratio = match self.taken {
            0.0 => "–".into(),
            taken => format!("{:.2}", self.foretold / taken),
        };
        match self.is_off() {
            true => format!("{foretold} / {taken}, **{ratio}**"),
            false => format!("{foretold} / {taken}, {ratio}"),
        }
    }
}

impl Row {
    fn pairs(&self) -> [Pair; 6] {
        let (a, b) = (&self.foretold, &self.taken);
        let number = |number: f64| count(number.round() as u64);
        let time =
            |seconds: f64| duration(Duration::try_from_secs_f64(seconds).unwrap_or_default());
        let size = |size: f64| bytes(size as u64);
        let pair = |foretold, taken, least, words| Pair {
            foretold,
            taken,
            least,
            words,
        };
        // Where it cannot be measured it cannot be wrong.
        let memory = a.memory_bytes.zip(b.memory_bytes).unwrap_or_default();
        [
            pair(a.steps, b.steps, 0.0, number),
            pair(
                a.simulation_seconds,
                b.simulation_seconds,
                LEAST_SECONDS,
                time,
            ),
            pair(a.surface_seconds, b.surface_seconds, LEAST_SECONDS, time),
            pair(a.picture_seconds, b.picture_seconds, LEAST_SECONDS, time),
            pair(memory.0, memory.1, LEAST_BYTES, size),
            pair(a.disk_bytes, b.disk_bytes, LEAST_BYTES, size),
        ]
    }

    /// How many figures are off by more than they may be.
    pub(super) fn off(&self) -> usize {
        self.pairs().iter().filter(|pair| pair.is_off()).count()
    }

    /// The row in Markdown.
    pub(super) fn line(&self) -> String {
        let cells = self.cells.as_ref();
        let cells = cells.map_or(String::new(), |cells| format!(", {cells} cells"));
        let frames = match self.frames == self.of {
            true => self.frames.to_string(),
            false => format!("{} of {}", self.frames, self.of),
        };
        let mut line = format!("| `{}`{cells} | `{}` | {frames} |", self.scene, self.method);
        for pair in self.pairs() {
            line += &format!(" {} |", pair.cell());
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_off_stands_out() {
        let taken = Figures {
            steps: 100.0,
            simulation_seconds: 60.0,
            surface_seconds: 0.2,
            picture_seconds: 30.0,
            memory_bytes: Some(1e9),
            disk_bytes: 1e8,
        };
        let row = |foretold: Figures| Row {
            scene: "dam".into(),
            cells: None,
            method: "flip".into(),
            frames: 30,
            of: 60,
            foretold,
            taken,
        };
        assert_eq!(row(taken).off(), 0);
        // Twice as much is still right, and what takes no time cannot be wrong.
        let right = Figures {
            steps: 200.0,
            surface_seconds: 0.9,
            ..taken
        };
        assert_eq!(row(right).off(), 0);
        let wrong = row(Figures {
            steps: 201.0,
            disk_bytes: 4e7,
            ..taken
        });
        assert_eq!(wrong.off(), 2);
        let line = wrong.line();
        assert!(
            line.starts_with("| `dam` | `flip` | 30 of 60 | 201 / 100, **2.01** |"),
            "{line}"
        );
    }
}
