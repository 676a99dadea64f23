//! Following a scene frame by frame.

use std::sync::{Arc, Mutex, PoisonError};

use glam::{DVec3, Vec3};
use ooze_core::{FrameStatistics, Liquid, Solids};
use ooze_scene::Scene;

use ooze::simulation::{Finished, Moment, Sink, SinkError};
use ooze::{Simulation, SimulationError};

/// Runs a scene and shows it to `observe` at the start and after each frame, with its time.
pub(super) fn follow(
    scene: &Scene,
    mut observe: impl FnMut(f64, &dyn Liquid, &dyn Solids),
) -> Result<(), SimulationError> {
    let mut simulation = Simulation::of_scene(scene)?;
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
    figures_of(Simulation::of_scene(scene)?)
}

/// Runs a simulation with its sinks and returns the figures of its frames.
pub(crate) fn figures_of(simulation: Simulation) -> Result<Vec<FrameStatistics>, SimulationError> {
    figures_until(simulation, |_| false)
}

/// The same for as long as `stop`, which is told after each step how many frames there are, does not say that it is enough.
pub(crate) fn figures_until(
    mut simulation: Simulation,
    stop: impl Fn(usize) -> bool,
) -> Result<Vec<FrameStatistics>, SimulationError> {
    let collected = Arc::new(Mutex::new(Vec::new()));
    simulation.add_sink(Box::new(Collector(Arc::clone(&collected))));
    let figures = || collected.lock().unwrap_or_else(PoisonError::into_inner);
    simulation.run(&|| stop(figures().len()))?;
    Ok(std::mem::take(&mut *figures()))
}

/// How a liquid of one density moves as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    /// Velocity of the centre of mass in m/s.
    pub velocity: DVec3,
    /// Angular momentum about the centre of mass over mass, in m²/s.
    pub spin: DVec3,
}

impl Motion {
    /// The motion of a liquid as it is now.
    pub(super) fn of(liquid: &dyn Liquid, solids: &dyn Solids) -> Self {
        let measure = liquid.measure(solids);
        let velocity = measure.momentum / measure.mass;
        let points = positions(liquid);
        let sum: DVec3 = points.iter().map(|point| point.as_dvec3()).sum();
        let centre = sum / points.len() as f64;
        Self {
            velocity,
            spin: measure.angular_momentum / measure.mass - centre.cross(velocity),
        }
    }
}

/// Where the particles are; none if the liquid has no particles.
pub(super) fn positions(liquid: &dyn Liquid) -> Vec<Vec3> {
    let channels = liquid.channels();
    channels.vectors("position").unwrap_or_default().to_vec()
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
