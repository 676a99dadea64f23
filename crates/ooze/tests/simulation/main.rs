//! The frame loop with a liquid of which everything is known.

mod asked;
mod toy;

#[path = "../support/mod.rs"]
mod support;

use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ooze::simulation::{Finished, Moment, Sink, SinkError};
use ooze::{CheckpointPolicy, Outcome, Recorder, Recording, Schedule, Simulation, SimulationError};
use ooze_cache::{
    FolderLock, FrameStatistics, Machine, RunFolder, RunInfo, RunStatus, RunWriter, Totals,
};
use ooze_core::{BodyId, StepError};
use support::contents;
use toy::{Ballistic, Buoy};

const SCHEDULE: Schedule = Schedule {
    frames: 4,
    frame_rate: 24.0,
    max_substeps: 1000,
};

fn simulation(liquid: Ballistic) -> Simulation {
    let probes = |liquid: &dyn ooze_core::Liquid, solids: &dyn ooze_core::Solids| {
        let below = liquid.volume_where(solids, &|point| point.y < 0.3);
        vec![Some(below), Some(f64::from(solids.position(BodyId(0)).x))]
    };
    Simulation::new(Box::new(liquid), Box::new(Buoy::default()), SCHEDULE)
        .with_probes(Box::new(probes))
}

/// Keeps the figures of every frame.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<FrameStatistics>>>);

impl Sink for Listener {
    fn frame(&mut self, _moment: &Moment, finished: &mut Finished) -> Result<(), SinkError> {
        self.0.lock().unwrap().push(finished.statistics.clone());
        Ok(())
    }
}

impl Listener {
    fn frames(&self) -> Vec<FrameStatistics> {
        self.0.lock().unwrap().clone()
    }
}

fn info() -> RunInfo {
    RunInfo {
        version: "0".into(),
        scene: "toy".into(),
        method: "ballistic".into(),
        seed: 0,
        frames: SCHEDULE.frames,
        frame_rate: SCHEDULE.frame_rate,
        particles_every: Some(1),
        video: None,
        scene_folder: None,
        inputs: Vec::new(),
        status: RunStatus::Running,
        machine: Machine::here(1),
        totals: Totals::default(),
        pictures: None,
        warnings: Vec::new(),
    }
}

fn recording(checkpoint_frames: u32) -> Recording {
    Recording {
        checkpoints: CheckpointPolicy {
            frames: checkpoint_frames,
            interval: Duration::MAX,
        },
        ..Recording::default()
    }
}

fn columns() -> Vec<String> {
    vec!["below".into(), "buoy".into()]
}

#[test]
fn frames_come_at_their_times_and_steps_follow_the_liquid() {
    let mut simulation = simulation(Ballistic::new(100));
    let listener = Listener::default();
    simulation.add_sink(Box::new(listener.clone()));
    assert_eq!(simulation.run(&|| false).unwrap(), Outcome::Finished);
    let frames = listener.frames();
    assert_eq!(frames.len(), 5);
    for (index, frame) in frames.iter().enumerate() {
        assert_eq!(frame.frame as usize, index);
        assert!((frame.time - index as f64 / 24.0).abs() < 1e-15);
        assert!(frame.dt_max <= 0.01);
        let mean = frame.dt_min * f64::from(frame.substeps);
        assert!(mean <= 1.0 / 24.0 + 1e-12, "{frame:?}");
    }
    assert_eq!(frames[0].substeps, 0);
    assert!(frames[1].substeps >= 5);
}

fn create(root: &Path) -> RunWriter {
    RunWriter::create(FolderLock::take(root).unwrap(), "", &columns()).unwrap()
}

#[test]
fn interrupted_anywhere_and_resumed_it_leaves_the_same_bytes() {
    let temporary = tempfile::tempdir().unwrap();
    let whole = temporary.path().join("whole");
    let start = |root: &Path| {
        let writer = create(root);
        let mut simulation = simulation(Ballistic::new(40));
        simulation.add_sink(Box::new(
            Recorder::begin(writer, info(), recording(0)).unwrap(),
        ));
        simulation
    };
    start(&whole).run(&|| false).unwrap();
    let expected = contents(&whole);
    assert_eq!(expected.len(), 5 + 5 + 1);

    let mut interruptions = 0;
    for patience in 1.. {
        let root = temporary.path().join(format!("stopped_{patience}"));
        let mut simulation = start(&root);
        loop {
            // Stops again and again after so many sub-steps.
            let asked = Cell::new(0);
            let stop = || {
                asked.set(asked.get() + 1);
                asked.get() > patience
            };
            if simulation.run(&stop).unwrap() == Outcome::Finished {
                break;
            }
            interruptions += 1;
            drop(simulation);
            let folder = RunFolder::open(&root).unwrap();
            assert_eq!(
                folder.info().unwrap().unwrap().status,
                RunStatus::Interrupted
            );
            let (writer, checkpoint) =
                RunWriter::resume(FolderLock::take(folder.root()).unwrap(), &columns()).unwrap();
            simulation = self::simulation(Ballistic::new(1));
            simulation.restore(checkpoint.unwrap()).unwrap();
            simulation.add_sink(Box::new(
                Recorder::begin(writer, info(), recording(0)).unwrap(),
            ));
        }
        assert_eq!(contents(&root), expected, "patience {patience}");
        let totals = RunFolder::open(&root)
            .unwrap()
            .info()
            .unwrap()
            .unwrap()
            .totals;
        assert_eq!(totals.frames, 4);
        if interruptions > 60 || patience > 12 {
            break;
        }
    }
    assert!(interruptions > 30, "{interruptions}");
}

#[test]
fn a_failed_step_is_repeated_with_half_its_length() {
    let mut liquid = Ballistic::new(10);
    liquid.stable = 1.0;
    liquid.longest = 0.011;
    let mut simulation = simulation(liquid);
    let listener = Listener::default();
    simulation.add_sink(Box::new(listener.clone()));
    simulation.run(&|| false).unwrap();
    for frame in &listener.frames()[1..] {
        // 1/24 s and its half fail; a quarter of it is short enough.
        assert_eq!(frame.substeps, 4);
        assert_eq!(frame.events.len(), 2, "{:?}", frame.events);
        assert!(frame.events[0].contains("the step is too long"));
        assert!((frame.dt_max - 1.0 / 96.0).abs() < 1e-12);
    }
    // The solid moved with the steps that held, not with those that failed.
    let x = simulation.solids().position(BodyId(0)).x;
    assert_eq!(x, simulation.progress().time as f32);
}

#[test]
fn steps_run_where_their_loops_do() {
    let liquid = Ballistic::new(10);
    let (attempts, inside) = (liquid.attempts.clone(), liquid.inside.clone());
    simulation(liquid).run(&|| false).unwrap();
    let [attempts, inside] = [attempts, inside].map(|count| count.load(Ordering::Relaxed));
    assert!(attempts > 0);
    assert_eq!(inside, attempts);
}

#[test]
fn a_step_that_keeps_failing_stops_the_run_with_the_state_before_it() {
    let mut liquid = Ballistic::new(10);
    liquid.longest = 0.0;
    let attempts = liquid.attempts.clone();
    let before = ooze_core::Liquid::save(&liquid);
    let mut simulation = simulation(liquid);
    let error = simulation.run(&|| false).unwrap_err();
    assert!(
        matches!(
            error,
            SimulationError::Step {
                frame: 1,
                time: 0.0,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(attempts.load(Ordering::Relaxed), 6);
    assert_eq!(simulation.liquid().save(), before);
    assert_eq!(simulation.solids().position(BodyId(0)).x, 0.0);
}

#[test]
fn the_sub_step_cap_is_an_event_and_an_explosion_an_error() {
    let schedule = Schedule {
        max_substeps: 3,
        ..SCHEDULE
    };
    let run = |stable: f64| {
        let mut liquid = Ballistic::new(10);
        liquid.stable = stable;
        let mut simulation = Simulation::new(Box::new(liquid), Box::new(Buoy::default()), schedule);
        let listener = Listener::default();
        simulation.add_sink(Box::new(listener.clone()));
        (simulation.run(&|| false), listener.frames())
    };
    let (outcome, frames) = run(0.002);
    assert_eq!(outcome.unwrap(), Outcome::Finished);
    for frame in &frames[1..] {
        assert_eq!(frame.substeps, 3);
        assert_eq!(frame.events.len(), 1, "{:?}", frame.events);
        assert!(frame.events[0].starts_with("the cap of 3 sub-steps"));
    }
    let (outcome, frames) = run(1e-5);
    assert!(matches!(
        outcome.unwrap_err(),
        SimulationError::Step {
            source: StepError::StepTooSmall { limit: "speed", .. },
            ..
        }
    ));
    assert_eq!(frames.len(), 1);
}

#[test]
fn only_what_is_wanted_is_recorded() {
    let temporary = tempfile::tempdir().unwrap();
    let writer = create(temporary.path());
    let mut simulation = simulation(Ballistic::new(5));
    let recording = Recording {
        particles_every: Some(2),
        channels: Some(Vec::new()),
        ..Recording::default()
    };
    simulation.add_sink(Box::new(
        Recorder::begin(writer, info(), recording).unwrap(),
    ));
    simulation.run(&|| false).unwrap();
    let folder = RunFolder::open(temporary.path()).unwrap();
    assert_eq!(folder.frames().unwrap(), [0, 2, 4]);
    assert_eq!(folder.statistics().unwrap().count(), 5);
    let channels = folder.read_frame(2).unwrap();
    let names: Vec<&str> = channels.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["position"]);
}

#[test]
fn a_checkpoint_in_every_turn_can_be_resumed_after_a_kill() {
    let temporary = tempfile::tempdir().unwrap();
    let whole = temporary.path().join("whole");
    let killed = temporary.path().join("killed");
    for root in [&whole, &killed] {
        let writer = create(root);
        let mut simulation = simulation(Ballistic::new(40));
        simulation.add_sink(Box::new(
            Recorder::begin(writer, info(), recording(2)).unwrap(),
        ));
        if root == &whole {
            simulation.run(&|| false).unwrap();
        } else {
            // Three frames, of which the checkpoint knows two; then nobody is told anything more.
            simulation.add_sink(Box::new(Poison));
            let error = simulation.run(&|| false).unwrap_err();
            assert_eq!(error.to_string(), "enough");
        }
    }
    let folder = RunFolder::open(&killed).unwrap();
    assert_eq!(folder.frames().unwrap(), [0, 1, 2, 3]);
    assert!(matches!(
        folder.info().unwrap().unwrap().status,
        RunStatus::Failed(_)
    ));
    let (writer, checkpoint) =
        RunWriter::resume(FolderLock::take(folder.root()).unwrap(), &columns()).unwrap();
    let checkpoint = checkpoint.unwrap();
    assert_eq!(checkpoint.progress.frame, 2);
    let mut simulation = simulation(Ballistic::new(1));
    simulation.restore(checkpoint).unwrap();
    simulation.add_sink(Box::new(
        Recorder::begin(writer, info(), recording(0)).unwrap(),
    ));
    simulation.run(&|| false).unwrap();
    assert_eq!(contents(&killed), contents(&whole));
}

/// Fails at the third frame.
struct Poison;

impl Sink for Poison {
    fn frame(&mut self, moment: &Moment, _finished: &mut Finished) -> Result<(), SinkError> {
        if moment.progress.frame == 3 {
            return Err("enough".into());
        }
        Ok(())
    }
}
