//! How long a sub-step is, and what happens when one fails. The only place where time steps are chosen.

use ooze_core::{StableStep, StepError, StepReport};

use super::{Simulation, SimulationError};

/// Frames to simulate and the bounds on their sub-steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Number of frames, the state at the start not counted.
    pub frames: u32,
    /// Frames a second.
    pub frame_rate: f64,
    /// Sub-steps that a frame may take; beyond, steps grow longer than the liquid asks for.
    pub max_substeps: u32,
}

impl Schedule {
    /// The moment at which a frame ends.
    fn end_of(&self, frame: u32) -> f64 {
        f64::from(frame) / self.frame_rate
    }
}

/// A step that fails is repeated with half its length, this many times in a row.
const MAX_HALVINGS: u32 = 5;
/// A sub-step cap that makes steps longer than this many stable steps hides an explosion.
const MAX_STRETCH: f64 = 100.0;
/// A step below this share of a frame gets nowhere.
const MIN_SHARE: f64 = 1e-7;
/// Relative slack, so that a stable step that just about fills the frame is not split for a rounding error.
const SLACK: f64 = 1e-9;

/// How an event about the sub-step cap begins.
const CAP_EVENT: &str = "the cap of";

/// The length of the next sub-step.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Choice {
    seconds: f64,
    /// It ends the frame.
    last: bool,
    /// How many stable steps it is long, if the cap made it longer than one.
    stretch: Option<f64>,
}

/// Splits what remains of a frame evenly into steps that are no longer than `stable`, nor than `limit` after a failure.
/// None if that would need too many steps.
fn choose(
    remaining: f64,
    stable: f64,
    limit: Option<f64>,
    substeps_left: u32,
    frame_seconds: f64,
) -> Option<Choice> {
    let wanted = limit.map_or(stable, |limit| stable.min(limit));
    if wanted.is_nan() || wanted < MIN_SHARE * frame_seconds {
        return None;
    }
    let needed = (remaining / wanted * (1.0 - SLACK)).ceil().max(1.0);
    // After a failure short steps are what helps: the cap does not count.
    let allowed = match limit {
        None => f64::from(substeps_left.max(1)),
        Some(_) => f64::INFINITY,
    };
    let count = needed.min(allowed);
    let seconds = remaining / count;
    let stretch = (needed > allowed).then_some(seconds / wanted);
    if stretch.is_some_and(|stretch| stretch > MAX_STRETCH) {
        return None;
    }
    Some(Choice {
        seconds,
        last: count == 1.0,
        stretch,
    })
}

impl Simulation {
    /// Takes one sub-step, or a shorter one if it fails; tells whether the frame is done.
    pub(super) fn sub_step(&mut self) -> Result<bool, SimulationError> {
        let mut halvings = 0;
        loop {
            let choice = self.next_step()?;
            let time = self.progress.time;
            let before = self.solids.save();
            // A fast solid is in the domain at one end of the step only.
            let watch = self.watch.as_ref();
            let speed_before = watch.map_or(0.0, |watch| watch.speed_of(&*self.solids));
            self.solids.advance(time, choice.seconds);
            let (liquid, solids) = (&mut self.liquid, &mut *self.solids);
            // On a thread of the pool: from outside, each of its hundreds of loops would wait for one to wake up.
            let step = rayon::scope(|_| liquid.step(time, choice.seconds, solids));
            let error = match step {
                Ok(mut report) => {
                    self.push_solids(&mut report, [time, time + choice.seconds]);
                    self.solids.warm(&report.body_heat);
                    // Not the frame's exact end: the solids stand where this sum says, and must after a resume.
                    self.progress.time = time + choice.seconds;
                    self.progress.part.absorb(choice.seconds, report);
                    if let Some(watch) = &self.watch {
                        let fastest = speed_before.max(watch.speed_of(&*self.solids));
                        let events = &mut self.progress.part.events;
                        watch.note_jump(fastest, choice.seconds, events);
                    }
                    return Ok(choice.last);
                }
                Err(error) => error,
            };
            self.solids
                .load(before, time)
                .map_err(|source| SimulationError::Rewind { time, source })?;
            let hopeless = matches!(
                error,
                StepError::TooLarge { .. } | StepError::StepTooSmall { .. }
            );
            if hopeless || halvings == MAX_HALVINGS {
                return Err(self.failed(error));
            }
            halvings += 1;
            self.progress.part.step_limit = Some(0.5 * choice.seconds);
            self.progress.part.events.push(format!(
                "a sub-step of {:.3e} s at t = {time:.6} s failed ({error}); repeated with half its length",
                choice.seconds
            ));
        }
    }

    /// Hands on what a step of the liquid did to the solids, and refers it to their own origins for the figures of the frame.
    fn push_solids(&mut self, report: &mut StepReport, times: [f64; 2]) {
        let held = self.liquid.held_solids();
        let about_origins = report.impulses_about_origins(self.solids.all(), &held, times);
        let impulses = std::mem::replace(&mut report.impulses, about_origins);
        // The domain's sides, and the solids that melt, are numbered after the solids.
        let count = self.solids.all().len();
        let bodies = impulses.partition_point(|impulse| usize::from(impulse.body.0) < count);
        self.solids.push(&impulses[..bodies], times[1] - times[0]);
    }

    fn next_step(&mut self) -> Result<Choice, SimulationError> {
        let StableStep { seconds, limit } = self.liquid.stable_step(&*self.solids);
        let progress = &mut self.progress;
        let schedule = &self.schedule;
        let choice = choose(
            schedule.end_of(progress.frame + 1) - progress.time,
            seconds,
            progress.part.step_limit,
            schedule.max_substeps.saturating_sub(progress.part.substeps),
            1.0 / schedule.frame_rate,
        );
        let Some(choice) = choice else {
            let error = StepError::StepTooSmall {
                time: self.progress.time,
                step: self
                    .progress
                    .part
                    .step_limit
                    .map_or(seconds, |step| step.min(seconds)),
                limit,
                max_speed: self.liquid.measure(&*self.solids).max_speed,
            };
            return Err(self.failed(error));
        };
        let events = &mut progress.part.events;
        if let Some(stretch) = choice.stretch
            && !events.iter().any(|event| event.starts_with(CAP_EVENT))
        {
            events.push(format!(
                "{CAP_EVENT} {} sub-steps a frame made a step {stretch:.1} times as long as is stable ({limit}) at t = {:.6} s",
                schedule.max_substeps, progress.time
            ));
        }
        Ok(choice)
    }

    fn failed(&self, source: StepError) -> SimulationError {
        SimulationError::Step {
            frame: self.progress.frame + 1,
            time: self.progress.time,
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_split_evenly() {
        let choice = choose(1.0, 0.3, None, 100, 1.0).unwrap();
        assert_eq!((choice.seconds, choice.last), (0.25, false));
        assert_eq!(choice.stretch, None);
        let choice = choose(1.0, f64::INFINITY, None, 100, 1.0).unwrap();
        assert_eq!((choice.seconds, choice.last), (1.0, true));
        // A third three times is a whole, whatever the rounding.
        let choice = choose(1.0, 1.0 / 3.0 - 1e-16, None, 100, 1.0).unwrap();
        assert_eq!(choice.seconds, 1.0 / 3.0);
    }

    #[test]
    fn the_cap_stretches_steps_but_not_beyond_reason() {
        let choice = choose(1.0, 0.01, None, 10, 1.0).unwrap();
        assert_eq!((choice.seconds, choice.last), (0.1, false));
        assert!(
            choice
                .stretch
                .is_some_and(|stretch| (stretch - 10.0).abs() < 1e-9)
        );
        assert_eq!(choose(1.0, 0.0009, None, 10, 1.0), None);
        // After a failure the cap does not count.
        let choice = choose(1.0, 0.5, Some(0.01), 1, 1.0).unwrap();
        assert_eq!((choice.seconds, choice.stretch), (0.01, None));
    }

    #[test]
    fn steps_that_vanish_are_refused() {
        for stable in [0.0, -1.0, f64::NAN, 1e-9] {
            assert_eq!(
                choose(1.0, stable, None, 1_000_000_000, 1.0),
                None,
                "{stable}"
            );
        }
    }
}
