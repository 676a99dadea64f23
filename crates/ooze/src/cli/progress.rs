//! Showing how a run fares: a bar on a terminal, lines elsewhere, JSON for programs.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ooze::simulation::{Ending, Finished, Moment, Sink, SinkError};
use ooze_cache::FrameStatistics;

use super::arguments::Following;
use super::words::{self, complain, count, say};

/// The sinks that a user's choice of display asks for.
pub(crate) fn sinks(following: &Following) -> Vec<Box<dyn Sink>> {
    let mut sinks: Vec<Box<dyn Sink>> = Vec::new();
    if following.json {
        sinks.push(Box::new(JsonLines));
    }
    if !following.display.quiet {
        if io::stderr().is_terminal() {
            sinks.push(Box::new(Bar::default()));
        } else if !following.json {
            sinks.push(Box::new(PlainLines::default()));
        }
    }
    sinks
}

/// A line of `stats.jsonl` on standard output after every frame.
struct JsonLines;

impl Sink for JsonLines {
    fn frame(&mut self, _moment: &Moment, finished: &mut Finished) -> Result<(), SinkError> {
        let line = serde_json::to_string(&finished.statistics)?;
        Ok(say(&format!("{line}\n"))?)
    }
}

/// What both the bar and the lines tell about a frame.
fn describe(frame: &FrameStatistics) -> String {
    let iterations = frame
        .solves
        .get("pressure")
        .map_or(0, |solves| solves.iterations_max);
    format!(
        "{} sub-steps, {} particles, {iterations} iterations",
        frame.substeps,
        count(frame.particles as u64),
    )
}

/// Time that the rest of a run takes if it goes on as it did since `start`, when `first` frames were done.
fn remaining(start: Instant, first: f64, moment: &Moment) -> Option<Duration> {
    let done = fraction_done(moment) - first;
    let left = f64::from(moment.schedule.frames) - fraction_done(moment);
    let seconds = start.elapsed().as_secs_f64() * left / done;
    Duration::try_from_secs_f64(seconds).ok()
}

/// Frames that are done, parts of a frame included.
fn fraction_done(moment: &Moment) -> f64 {
    moment.progress.time * moment.schedule.frame_rate
}

/// One line a frame.
#[derive(Default)]
struct PlainLines {
    start: Option<(Instant, f64)>,
}

impl Sink for PlainLines {
    fn frame(&mut self, moment: &Moment, finished: &mut Finished) -> Result<(), SinkError> {
        let now = (Instant::now(), fraction_done(moment));
        let (start, first) = *self.start.get_or_insert(now);
        let frame = &finished.statistics;
        let rest = remaining(start, first, moment).map_or_else(String::new, |rest| {
            format!(", ETA {}", words::duration(rest))
        });
        complain(&format!(
            "frame {}/{}: {}{rest}",
            frame.frame,
            moment.schedule.frames,
            describe(frame),
        ));
        for event in &frame.events {
            complain(&format!("  {event}"));
        }
        Ok(())
    }
}

/// A bar that is redrawn after every sub-step.
#[derive(Default)]
struct Bar {
    bar: Option<ProgressBar>,
    start: Option<(Instant, f64)>,
    particles: usize,
}

/// Steps of the bar for one frame.
const RESOLUTION: f64 = 1000.0;

impl Bar {
    fn show(&mut self, moment: &Moment, text: &str) {
        let now = (Instant::now(), fraction_done(moment));
        let (start, first) = *self.start.get_or_insert(now);
        let rest = remaining(start, first, moment).map_or_else(|| "-".into(), words::duration);
        let length = f64::from(moment.schedule.frames) * RESOLUTION;
        let bar = self.bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{bar:30} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let target = ProgressDrawTarget::stderr();
            ProgressBar::with_draw_target(Some(length as u64), target).with_style(style)
        });
        bar.set_message(format!(
            "frame {}/{} {text}, ETA {rest}",
            moment.progress.frame, moment.schedule.frames
        ));
        bar.set_position((fraction_done(moment) * RESOLUTION) as u64);
    }
}

impl Sink for Bar {
    fn sub_step(&mut self, moment: &Moment) -> Result<(), SinkError> {
        let part = &moment.progress.part;
        let iterations = part
            .solves
            .get("pressure")
            .map_or(0, |solves| solves.iterations / solves.count.max(1));
        let text = format!(
            "+ sub-step {}, {} particles, {iterations} iterations",
            part.substeps,
            count(self.particles as u64),
        );
        self.show(moment, &text);
        Ok(())
    }

    fn frame(&mut self, moment: &Moment, finished: &mut Finished) -> Result<(), SinkError> {
        self.particles = finished.statistics.particles;
        self.show(moment, &describe(finished.statistics));
        if let Some(bar) = &self.bar {
            for event in &finished.statistics.events {
                bar.println(format!("frame {}: {event}", finished.statistics.frame));
            }
        }
        Ok(())
    }

    fn ended(&mut self, _moment: &Moment, _ending: &Ending) -> Result<(), SinkError> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        Ok(())
    }
}
