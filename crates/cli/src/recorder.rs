//! The sink that fills a run's folder: frames, statistics, probe readings, checkpoints and the summary.

use std::time::{Duration, Instant};

use ooze_cache::{CacheError, RunInfo, RunStatus, RunWriter, Totals};
use ooze_core::Frame;

use ooze::simulation::{Ending, Finished, Moment, Sink, SinkError};

/// What is recorded beside statistics and probe readings.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Particles and solids are written at every n-th frame, or never.
    pub particles_every: Option<u32>,
    /// Channels of particles beside their positions; none for all that there are.
    pub channels: Option<Vec<String>>,
    /// When checkpoints are written.
    pub checkpoints: CheckpointPolicy,
}

impl Default for Recording {
    fn default() -> Self {
        Self {
            particles_every: Some(1),
            channels: None,
            checkpoints: CheckpointPolicy::default(),
        }
    }
}

/// When checkpoints are written, beside those at the start, at the end and when the user interrupts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckpointPolicy {
    /// After every so many frames; 0 for never.
    pub frames: u32,
    /// When so much time has passed since the last one, also inside a frame.
    pub interval: Duration,
}

impl Default for CheckpointPolicy {
    fn default() -> Self {
        Self {
            frames: 0,
            interval: Duration::from_secs(120),
        }
    }
}

/// Fills a run's folder.
pub struct Recorder {
    writer: RunWriter,
    info: RunInfo,
    recording: Recording,
    last_checkpoint: Instant,
}

impl Recorder {
    /// Begins to record, or goes on after a resume: what the folder already holds is added to the totals.
    pub fn begin(
        writer: RunWriter,
        mut info: RunInfo,
        recording: Recording,
    ) -> Result<Self, CacheError> {
        info.status = RunStatus::Running;
        info.totals = Totals::default();
        for line in writer.statistics()? {
            info.totals.absorb(&line?);
        }
        let mut recorder = Self {
            writer,
            info,
            recording,
            last_checkpoint: Instant::now(),
        };
        recorder.writer.write_info(&recorder.info)?;
        Ok(recorder)
    }

    fn checkpoint(&mut self, moment: &Moment) -> Result<(), CacheError> {
        self.writer.write_checkpoint(&moment.checkpoint())?;
        self.last_checkpoint = Instant::now();
        Ok(())
    }

    fn write_frame(&mut self, moment: &Moment) -> Result<(), CacheError> {
        let frame = moment.progress.frame;
        match self.recording.particles_every {
            Some(every) if frame.is_multiple_of(every) => {}
            _ => return Ok(()),
        }
        let mut parts = Frame::of(moment.liquid, moment.solids);
        if let Some(wanted) = &self.recording.channels {
            let is_wanted = |name: &str| wanted.iter().any(|wanted| wanted == name);
            parts
                .particles
                .retain(|name| name == "position" || is_wanted(name));
        }
        self.writer.write_frame(frame, &parts)
    }

    fn interval_is_over(&self) -> bool {
        self.last_checkpoint.elapsed() >= self.recording.checkpoints.interval
    }

    fn checkpoint_is_due(&self, moment: &Moment) -> bool {
        let frame = moment.progress.frame;
        let at_an_end = frame == 0 || frame == moment.schedule.frames;
        let every = self.recording.checkpoints.frames;
        let in_turn = every > 0 && frame.is_multiple_of(every);
        at_an_end || in_turn || self.interval_is_over()
    }
}

impl Sink for Recorder {
    fn sub_step(&mut self, moment: &Moment) -> Result<(), SinkError> {
        if self.interval_is_over() {
            self.checkpoint(moment)?;
        }
        Ok(())
    }

    fn frame(&mut self, moment: &Moment, finished: &mut Finished) -> Result<(), SinkError> {
        let start = Instant::now();
        let frame = moment.progress.frame;
        self.write_frame(moment)?;
        for name in ["output", "total"] {
            let seconds = finished.statistics.seconds.entry(name.into());
            *seconds.or_default() += start.elapsed().as_secs_f64();
        }
        self.writer.append_statistics(finished.statistics)?;
        self.writer
            .append_probes(frame, moment.progress.time, finished.readings)?;
        self.info.totals.absorb(finished.statistics);
        if self.checkpoint_is_due(moment) {
            self.checkpoint(moment)?;
        }
        Ok(())
    }

    fn ended(&mut self, moment: &Moment, ending: &Ending) -> Result<(), SinkError> {
        self.info.status = match ending {
            Ending::Finished => RunStatus::Finished,
            Ending::Interrupted => {
                self.checkpoint(moment)?;
                RunStatus::Interrupted
            }
            Ending::Failed(reason) => RunStatus::Failed(reason.clone()),
        };
        Ok(self.writer.write_info(&self.info)?)
    }
}
