//! Following a scene frame by frame.

use std::sync::{Arc, Mutex, PoisonError};

use ooze_cache::FrameStatistics;
use ooze_core::{Liquid, Solids};
use ooze_scene::Scene;

use crate::simulation::{Finished, Moment, Sink, SinkError};
use crate::{Simulation, SimulationError};

/// Runs a scene and shows it to `observe` at the start and after each frame, with its time.
pub(super) fn follow(
    scene: &Scene,
    mut observe: impl FnMut(f64, &dyn Liquid, &dyn Solids),
) -> Result<(), SimulationError> {
    let mut simulation = Simulation::of_scene(scene);
    observe(0.0, simulation.liquid(), simulation.solids());
    for _ in 0..scene.time.frames {
        simulation.advance_frame(&|| false)?;
        let time = simulation.progress().time;
        observe(time, simulation.liquid(), simulation.solids());
    }
    Ok(())
}

/// Runs a scene and returns the figures of its frames.
pub(crate) fn figures(scene: &Scene) -> Result<Vec<FrameStatistics>, SimulationError> {
    let collected = Arc::new(Mutex::new(Vec::new()));
    let mut simulation = Simulation::of_scene(scene);
    simulation.add_sink(Box::new(Collector(Arc::clone(&collected))));
    simulation.run(&|| false)?;
    let mut figures = collected.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(std::mem::take(&mut figures))
}

/// Keeps the figures of every frame.
struct Collector(Arc<Mutex<Vec<FrameStatistics>>>);

impl Sink for Collector {
    fn frame(&mut self, _moment: &Moment, finished: &mut Finished) -> Result<(), SinkError> {
        let mut figures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        figures.push(finished.statistics.clone());
        Ok(())
    }
}
