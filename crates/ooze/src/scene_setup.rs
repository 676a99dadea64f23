//! From a checked scene to a simulation of it.

use ooze_core::{KeyframedSolids, Liquid, Solids};
use ooze_rigid::RigidSolids;
use ooze_scene::Scene;

use crate::probes;
use crate::simulation::{Schedule, Simulation, SimulationError, Watch};

/// The solids that a scene describes, at their start.
pub fn solids_of(scene: &Scene) -> Result<Box<dyn Solids>, SimulationError> {
    let colliders = scene.colliders.clone();
    if scene.bodies.is_empty() {
        return Ok(Box::new(KeyframedSolids::new(colliders)));
    }
    let (bodies, gravity) = (scene.bodies.clone(), scene.gravity_of_bodies());
    let solids = RigidSolids::new(
        colliders,
        bodies,
        &scene.joints,
        gravity,
        &scene.setup.domain,
    )?;
    Ok(Box::new(solids))
}

/// The liquid that a scene describes, at its start.
pub fn liquid_of(scene: &Scene, solids: &dyn Solids) -> Result<Box<dyn Liquid>, SimulationError> {
    Ok(scene.method.liquid(scene.setup.clone(), solids)?)
}

/// What a run of a scene is to be held against; `liquid` is there as at the start.
fn watch_of(scene: &Scene, liquid: &dyn Liquid, solids: &dyn Solids) -> Watch {
    let setup = &scene.setup;
    let watch = Watch::new(setup.domain.clone(), !scene.method.is_on_grid());
    let has_sources = !setup.emitters.is_empty() || !setup.drains.is_empty();
    if has_sources || setup.domain.has_open_sides() {
        return watch;
    }
    watch.with_mass(liquid.measure(solids).mass)
}

impl Simulation {
    /// The simulation that a scene describes, at its start, without sinks.
    pub fn of_scene(scene: &Scene) -> Result<Self, SimulationError> {
        let solids = solids_of(scene)?;
        let liquid = liquid_of(scene, &*solids)?;
        let watch = watch_of(scene, &*liquid, &*solids);
        let schedule = Schedule {
            frames: scene.time.frames,
            frame_rate: scene.time.frame_rate,
            max_substeps: scene.time.max_substeps,
        };
        Ok(Self::new(liquid, solids, schedule)
            .with_probes(probes::reader(scene.probes.clone()))
            .with_watch(watch))
    }
}
