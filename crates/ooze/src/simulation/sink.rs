//! Those who are told about a simulation's progress: folders, pictures, terminals.

use ooze_core::{Checkpoint, FrameStatistics, Liquid, Progress, Solids};

use super::Schedule;

/// Whatever a sink may fail with.
pub type SinkError = Box<dyn std::error::Error + Send + Sync>;

/// A simulation between two sub-steps.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// What the simulation is to do.
    pub schedule: &'a Schedule,
    /// How far it has come.
    pub progress: &'a Progress,
    /// The liquid.
    pub liquid: &'a dyn Liquid,
    /// The solids.
    pub solids: &'a dyn Solids,
}

impl Moment<'_> {
    /// Everything that the rest of the run depends on.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            progress: self.progress.clone(),
            liquid: self.liquid.save(),
            solids: self.solids.save(),
        }
    }
}

/// What a finished frame comes to.
pub struct Finished<'a> {
    /// Its figures. A sink may add its own time to `seconds` for the sinks after it.
    pub statistics: &'a mut FrameStatistics,
    /// The readings of the probes.
    pub readings: &'a [Option<f64>],
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All frames are done.
    Finished,
    /// The user stopped it.
    Interrupted,
    /// An error stopped it.
    Failed(String),
}

/// Somebody who is told about progress.
pub trait Sink: Send {
    /// A sub-step inside a frame was taken. The last sub-step of a frame is announced by [`Sink::frame`] instead.
    fn sub_step(&mut self, moment: &Moment) -> Result<(), SinkError> {
        let _ = moment;
        Ok(())
    }

    /// A frame is finished.
    fn frame(&mut self, moment: &Moment, finished: &mut Finished) -> Result<(), SinkError>;

    /// The run is over.
    fn ended(&mut self, moment: &Moment, ending: &Ending) -> Result<(), SinkError> {
        let _ = (moment, ending);
        Ok(())
    }
}
