//! A liquid, its solids and its sinks, advanced frame by frame.

mod error;
mod memory;
mod sink;
mod stepping;
mod watch;

use ooze_core::{
    Checkpoint, FramePart, FrameStatistics, Liquid, Measure, Progress, SolidLoad, Solids,
};
use web_time::Instant;

pub use error::{RestoreError, SimulationError};
pub use memory::peak_bytes;
pub use sink::{Ending, Finished, Moment, Sink, SinkError};
pub use stepping::Schedule;
pub use watch::Watch;

/// What probes can read at the end of a frame.
#[derive(Clone, Copy)]
pub struct Observed<'a> {
    /// The liquid.
    pub liquid: &'a dyn Liquid,
    /// The solids.
    pub solids: &'a dyn Solids,
    /// What the liquid did to each of them in the frame, as in [`FrameStatistics::forces`].
    pub forces: &'a [SolidLoad],
}

/// Reads the probes of a scene at one moment, in the order of their columns.
pub type ReadProbes = Box<dyn Fn(&Observed<'_>) -> Vec<Option<f64>> + Send>;

/// How [`Simulation::run`] ended when nothing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All frames are done.
    Finished,
    /// The caller asked to stop before.
    Interrupted,
}

/// A liquid, its solids, and those who want to hear how they fare.
///
/// A run is reproducible: frames depend on the liquid, the solids and the schedule alone, not on where the run was
/// interrupted and resumed.
pub struct Simulation {
    liquid: Box<dyn Liquid>,
    solids: Box<dyn Solids>,
    schedule: Schedule,
    read_probes: ReadProbes,
    watch: Option<Watch>,
    sinks: Vec<Box<dyn Sink>>,
    progress: Progress,
    resumed: bool,
}

impl Simulation {
    /// A simulation at time zero, without probes and sinks.
    pub fn new(liquid: Box<dyn Liquid>, solids: Box<dyn Solids>, schedule: Schedule) -> Self {
        Self {
            liquid,
            solids,
            schedule,
            read_probes: Box::new(|_| Vec::new()),
            watch: None,
            sinks: Vec::new(),
            progress: Progress::default(),
            resumed: false,
        }
    }

    /// Has probes read after each frame.
    pub fn with_probes(mut self, read_probes: ReadProbes) -> Self {
        self.read_probes = read_probes;
        self
    }

    /// Has events tell of liquid that is lost, gained or closed in, and of solids that jump.
    pub fn with_watch(mut self, watch: Watch) -> Self {
        self.watch = Some(watch);
        self
    }

    /// Adds a listener; they are told in the order in which they were added.
    pub fn add_sink(&mut self, sink: Box<dyn Sink>) {
        self.sinks.push(sink);
    }

    /// Goes to a saved state.
    pub fn restore(&mut self, checkpoint: Checkpoint) -> Result<(), RestoreError> {
        let Schedule {
            frames, frame_rate, ..
        } = self.schedule;
        let progress = &checkpoint.progress;
        progress
            .check(frames, frame_rate)
            .map_err(RestoreError::Progress)?;
        self.liquid.load(checkpoint.liquid)?;
        self.solids
            .load(checkpoint.solids, checkpoint.progress.time)?;
        self.progress = checkpoint.progress;
        self.resumed = true;
        Ok(())
    }

    /// How far the simulation has come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The liquid.
    pub fn liquid(&self) -> &dyn Liquid {
        &*self.liquid
    }

    /// The solids.
    pub fn solids(&self) -> &dyn Solids {
        &*self.solids
    }

    /// Volume, momentum, energy and the like, as they are now.
    pub fn measure(&self) -> Measure {
        self.liquid.measure(&*self.solids)
    }

    /// Simulates until all frames are done or `stop`, asked after each sub-step, says so. The sinks are told how it ended.
    pub fn run(&mut self, stop: &dyn Fn() -> bool) -> Result<Outcome, SimulationError> {
        let result = self.all_frames(stop);
        let ending = match &result {
            Ok(Outcome::Finished) => Ending::Finished,
            Ok(Outcome::Interrupted) => Ending::Interrupted,
            Err(error) => Ending::Failed(error.to_string()),
        };
        let told = self.tell(|sink, moment| sink.ended(moment, &ending));
        // What stopped the run matters more than a sink that could not take note of it.
        result.and_then(|outcome| told.map(|()| outcome))
    }

    fn all_frames(&mut self, stop: &dyn Fn() -> bool) -> Result<Outcome, SimulationError> {
        if !self.resumed {
            self.deliver_frame(FramePart::default())?;
        }
        while self.progress.frame < self.schedule.frames {
            if self.advance_frame(stop)? == Outcome::Interrupted {
                return Ok(Outcome::Interrupted);
            }
        }
        Ok(Outcome::Finished)
    }

    /// Simulates to the end of the current frame and hands it to the sinks, unless `stop` says to leave earlier.
    pub fn advance_frame(&mut self, stop: &dyn Fn() -> bool) -> Result<Outcome, SimulationError> {
        loop {
            if stop() {
                return Ok(Outcome::Interrupted);
            }
            let start = Instant::now();
            let frame_done = self.sub_step()?;
            *self.progress.part.seconds.entry(TOTAL.into()).or_default() +=
                start.elapsed().as_secs_f64();
            if frame_done {
                break;
            }
            self.tell(|sink, moment| sink.sub_step(moment))?;
        }
        let part = std::mem::take(&mut self.progress.part);
        self.progress.frame += 1;
        self.deliver_frame(part)?;
        Ok(Outcome::Finished)
    }

    fn deliver_frame(&mut self, mut part: FramePart) -> Result<(), SimulationError> {
        let start = Instant::now();
        let measure = self.measure();
        if let Some(watch) = &self.watch {
            let events = watch.of_frame(&measure, &part, &*self.solids);
            part.events.extend(events);
        }
        let seconds = 1.0 / self.schedule.frame_rate;
        let (solids, held) = (self.solids.all(), self.liquid.held_solids());
        let forces = SolidLoad::of_all(solids, &held, &part.impulses, seconds);
        let readings = (self.read_probes)(&Observed {
            liquid: &*self.liquid,
            solids: &*self.solids,
            forces: &forces,
        });
        let mut statistics =
            FrameStatistics::new(&self.progress, part, &measure, forces, memory::peak_bytes());
        for name in ["measure", TOTAL] {
            *statistics.seconds.entry(name.into()).or_default() += start.elapsed().as_secs_f64();
        }
        self.tell(|sink, moment| {
            sink.frame(
                moment,
                &mut Finished {
                    statistics: &mut statistics,
                    readings: &readings,
                },
            )
        })
    }

    fn tell(
        &mut self,
        mut what: impl FnMut(&mut dyn Sink, &Moment) -> Result<(), SinkError>,
    ) -> Result<(), SimulationError> {
        let moment = Moment {
            schedule: &self.schedule,
            progress: &self.progress,
            liquid: &*self.liquid,
            solids: &*self.solids,
        };
        for sink in &mut self.sinks {
            what(&mut **sink, &moment).map_err(SimulationError::Output)?;
        }
        Ok(())
    }
}

/// The key of `seconds` that holds the whole of a frame.
const TOTAL: &str = "total";
