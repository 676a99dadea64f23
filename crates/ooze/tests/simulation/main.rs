//! The frame loop with a liquid of which everything is known.

mod asked;
mod toy;

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use ooze::simulation::{Finished, Moment, Sink, SinkError};
use ooze::{Outcome, Schedule, Simulation, SimulationError};
use ooze_core::{FrameStatistics, Load, StepError};
use toy::{Ballistic, Buoy, SCHEDULE, simulation};

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
    let x = simulation.solids().all()[0].end.translation.x;
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
    assert_eq!(simulation.solids().all()[0].end.translation.x, 0.0);
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
fn forces_are_those_of_the_frame_about_the_solid_where_it_is() {
    let mut simulation = simulation(Ballistic::new(10));
    let listener = Listener::default();
    simulation.add_sink(Box::new(listener.clone()));
    simulation.run(&|| false).unwrap();
    let frames = listener.frames();
    assert!(frames[0].forces.is_empty());
    for frame in &frames[1..] {
        let [buoy] = &frame.forces[..] else {
            panic!("{:?}", frame.forces);
        };
        assert_eq!(buoy.solid, "buoy");
        assert_eq!(buoy.viscous, Load::default());
        let near = |found: [f64; 3], expected: [f64; 3]| {
            let pairs = found.into_iter().zip(expected);
            pairs.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())) < 1e-6
        };
        // A newton upwards, two metres ahead, however far the buoy has come.
        assert!(near(buoy.pressure.force, [0.0, 1.0, 0.0]), "{buoy:?}");
        assert!(near(buoy.pressure.torque, [0.0, 0.0, 2.0]), "{buoy:?}");
    }
}
