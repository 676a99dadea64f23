//! Showing how a run fares: a bar on a terminal, lines elsewhere, JSON for programs.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ooze::simulation::{Ending, Finished, Moment, Sink, SinkError};
use ooze_core::FrameStatistics;

use super::arguments::Following;
use super::events::Events;
use super::words::{self, complain, number, say};

/// The sinks that a user's choice of display asks for. Where pictures are made, `pictures` tells how many there are.
pub(crate) fn sinks(
    following: &Following,
    pictures: Option<Arc<AtomicUsize>>,
) -> Vec<Box<dyn Sink>> {
    let clock = Clock {
        start: None,
        pictures,
    };
    let mut sinks: Vec<Box<dyn Sink>> = Vec::new();
    if following.json {
        sinks.push(Box::new(JsonLines));
    }
    if !following.display.quiet {
        if io::stderr().is_terminal() {
            sinks.push(Box::new(Bar {
                clock,
                bar: None,
                particles: 0,
                events: Events::default(),
            }));
        } else if !following.json {
            let events = Events::default();
            sinks.push(Box::new(PlainLines { clock, events }));
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
        "{}, {}, {}",
        number(frame.substeps as usize, "sub-step"),
        number(frame.particles, "particle"),
        number(iterations as usize, "iteration"),
    )
}

/// How far a run has come since it was begun or resumed.
struct Clock {
    /// When the first frame was shown, and how many were done then.
    start: Option<(Instant, f64)>,
    /// Number of pictures.
    pictures: Option<Arc<AtomicUsize>>,
}

impl Clock {
    /// Frame, pictures if there are any: `frame 3/45, 4 pictures`.
    fn done(&self, moment: &Moment) -> String {
        let frame = format!("frame {}/{}", moment.progress.frame, moment.schedule.frames);
        match &self.pictures {
            Some(pictures) => {
                let pictures = pictures.load(Ordering::Relaxed);
                format!("{frame}, {}", words::number(pictures, "picture"))
            }
            None => frame,
        }
    }

    /// Time that the rest takes if it goes on as it did, pictures included: `video in 20 s`.
    fn rest(&mut self, moment: &Moment) -> Option<String> {
        let now = (Instant::now(), fraction_done(moment));
        let (start, first) = *self.start.get_or_insert(now);
        let done = fraction_done(moment) - first;
        let left = f64::from(moment.schedule.frames) - fraction_done(moment);
        let seconds = start.elapsed().as_secs_f64() * left / done;
        let rest = Duration::try_from_secs_f64(seconds).ok()?;
        let what = if self.pictures.is_some() {
            "video in"
        } else {
            "ETA"
        };
        Some(format!("{what} {}", words::duration(rest)))
    }
}

/// Frames that are done, parts of a frame included.
fn fraction_done(moment: &Moment) -> f64 {
    moment.progress.time * moment.schedule.frame_rate
}

/// One line a frame.
struct PlainLines {
    clock: Clock,
    events: Events,
}

impl Sink for PlainLines {
    fn frame(&mut self, moment: &Moment, finished: &mut Finished) -> Result<(), SinkError> {
        let frame = &finished.statistics;
        let rest = self.clock.rest(moment);
        let rest = rest.map_or_else(String::new, |rest| format!(", {rest}"));
        complain(&format!(
            "{}: {}{rest}",
            self.clock.done(moment),
            describe(frame)
        ));
        for event in &frame.events {
            if self.events.note(frame.frame, event) {
                complain(&format!("  {event}"));
            }
        }
        Ok(())
    }

    fn ended(&mut self, _moment: &Moment, _ending: &Ending) -> Result<(), SinkError> {
        for line in self.events.repeated() {
            complain(&line);
        }
        Ok(())
    }
}

/// A bar that is redrawn after every sub-step.
struct Bar {
    clock: Clock,
    bar: Option<ProgressBar>,
    particles: usize,
    events: Events,
}

/// Steps of the bar for one frame.
const RESOLUTION: f64 = 1000.0;

impl Bar {
    fn show(&mut self, moment: &Moment, text: &str) {
        let rest = self.clock.rest(moment);
        let rest = rest.map_or_else(String::new, |rest| format!(", {rest}"));
        let length = f64::from(moment.schedule.frames) * RESOLUTION;
        let bar = self.bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{bar:30} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let target = ProgressDrawTarget::stderr();
            ProgressBar::with_draw_target(Some(length as u64), target).with_style(style)
        });
        bar.set_message(format!("{} {text}{rest}", self.clock.done(moment)));
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
            "+ sub-step {}, {}, {}",
            part.substeps,
            number(self.particles, "particle"),
            number(iterations as usize, "iteration"),
        );
        self.show(moment, &text);
        Ok(())
    }

    fn frame(&mut self, moment: &Moment, finished: &mut Finished) -> Result<(), SinkError> {
        self.particles = finished.statistics.particles;
        self.show(moment, &describe(finished.statistics));
        if let Some(bar) = &self.bar {
            let frame = finished.statistics.frame;
            for event in &finished.statistics.events {
                if self.events.note(frame, event) {
                    bar.println(format!("frame {frame}: {event}"));
                }
            }
        }
        Ok(())
    }

    fn ended(&mut self, _moment: &Moment, _ending: &Ending) -> Result<(), SinkError> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        for line in self.events.repeated() {
            complain(&line);
        }
        Ok(())
    }
}
