//! From a checked scene to a simulation of it.

use glam::Vec3;
use ooze_core::{BodyId, KeyframedSolids, Liquid, Solids};
use ooze_grid::FlipLiquid;
use ooze_scene::{Measure, Method, Probe, Scene};

use crate::recorder::{CheckpointPolicy, Recording};
use crate::simulation::{ReadProbes, Schedule, Simulation};

impl Simulation {
    /// The simulation that a scene describes, at its start, without sinks.
    pub fn of_scene(scene: &Scene) -> Self {
        let solids = KeyframedSolids::new(scene.colliders.clone());
        let liquid = match &scene.method {
            Method::Flip(settings) => FlipLiquid::new(scene.setup.clone(), *settings, &solids),
        };
        let schedule = Schedule {
            frames: scene.time.frames,
            frame_rate: scene.time.frame_rate,
            max_substeps: scene.time.max_substeps,
        };
        Self::new(Box::new(liquid), Box::new(solids), schedule)
            .with_probes(read_probes(scene.probes.clone()))
    }
}

/// Names of the columns of a scene's probes, in the order of their readings.
pub fn probe_columns(scene: &Scene) -> Vec<String> {
    scene.probes.iter().flat_map(Probe::columns).collect()
}

/// What a scene asks to be recorded.
pub fn recording(scene: &Scene) -> Recording {
    let output = &scene.output;
    Recording {
        particles_every: output.particles.then_some(output.every),
        channels: output.channels.clone(),
        checkpoints: CheckpointPolicy {
            frames: output.checkpoint_frames.unwrap_or(0),
            interval: std::time::Duration::from_secs_f64(60.0 * output.checkpoint_minutes),
        },
    }
}

fn read_probes(probes: Vec<Probe>) -> ReadProbes {
    Box::new(move |liquid, solids| {
        probes
            .iter()
            .flat_map(|probe| read(&probe.measure, liquid, solids))
            .collect()
    })
}

/// The readings of one probe, one a column.
fn read(measure: &Measure, liquid: &dyn Liquid, solids: &dyn Solids) -> Vec<Option<f64>> {
    match measure {
        Measure::Volume(shape) => {
            let volume = liquid.volume_where(solids, &|point| shape.distance(point) < 0.0);
            vec![Some(volume)]
        }
        Measure::Velocity(point) => components(liquid.velocity_at(*point)),
        Measure::Pressure(point) => vec![liquid.pressure_at(*point).map(f64::from)],
        Measure::Front { axis, upward } => vec![front(liquid, *axis, *upward)],
        Measure::Body(index) => {
            let body = u16::try_from(*index).ok().map(BodyId);
            components(body.map(|body| solids.position(body)))
        }
    }
}

fn components(vector: Option<Vec3>) -> Vec<Option<f64>> {
    (0..3)
        .map(|axis| vector.map(|vector| f64::from(vector[axis])))
        .collect()
}

/// The coordinate of the particle that is furthest along an axis.
fn front(liquid: &dyn Liquid, axis: usize, upward: bool) -> Option<f64> {
    let channels = liquid.channels();
    let coordinates = channels
        .vectors("position")
        .ok()?
        .iter()
        .map(|position| position[axis]);
    let furthest = if upward {
        coordinates.reduce(f32::max)
    } else {
        coordinates.reduce(f32::min)
    };
    furthest.map(f64::from)
}
