//! Folders of runs that are interrupted, killed and resumed, with a liquid of which everything is known.

#[path = "../support/mod.rs"]
mod support;
#[path = "../../../ooze/tests/simulation/toy.rs"]
mod toy;

use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

use ooze::Outcome;
use ooze::simulation::{Finished, Moment, Sink, SinkError};
use ooze_cache::{FolderLock, Machine, RunFolder, RunInfo, RunStatus, RunWriter, Totals};
use ooze_cli::{CheckpointPolicy, Recorder, Recording};
use support::contents;
use toy::{Ballistic, SCHEDULE, simulation};

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
    let bytes = std::fs::read(folder.particles_path(2)).unwrap();
    let mut names = Vec::new();
    ooze_cache::sealed::with_members(&bytes, |members| {
        names.extend(members.iter().map(|(name, _)| name.clone()));
    })
    .unwrap();
    // Where solids are is wanted always.
    names.retain(|name| !name.starts_with("body_"));
    assert_eq!(names, ["position.npy"]);
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
