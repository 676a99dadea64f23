//! The coarse twin of a scene, run for a few seconds.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ooze_cache::CacheError;
use ooze_cache::sealed::{checkpoint_bytes, frame_bytes};
use ooze_core::{Checkpoint, Frame, StableStep};
use ooze_scene::{Method, Override, Scene, SceneErrors};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::pictures::PictureError;
use ooze::simulation::{Finished, Moment, Sink, SinkError, peak_bytes};
use ooze::{Simulation, SimulationError};

use super::picture_costs::PictureCosts;
use super::scout;

/// Cells or particles that a pilot has at most, by the cost of each: enough to be like the real thing.
const MOST_CELLS_OF_PARTICLES: f64 = 5_000.0;
const MOST_CELLS_OF_LEVEL_SETS: f64 = 1_500.0;
const MOST_PARTICLES: f64 = 4_000.0;
/// Cells along the longest side that a pilot has at least.
const LEAST_CELLS: f64 = 12.0;
/// Time that a pilot may take, and what its first frame may take.
const PATIENCE: Duration = Duration::from_secs(4);
const MOST_PATIENCE: Duration = Duration::from_secs(60);

/// What a coarse twin of a scene showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pilot {
    /// Size of its cells in metres.
    pub(super) cell_size: f32,
    /// Whether it carries particles along its surface only.
    pub(super) is_surface_only: bool,
    /// Its frames, and those that a scout saw in its place.
    frames: Vec<PilotFrame>,
    /// Most particles that it had itself, and those that it ended with.
    pub(super) most_particles: f64,
    pub(super) last_particles: f64,
    /// Bytes of its last frame on disk, and the time that it takes to pack them.
    pub(super) frame_bytes: f64,
    pub(super) writing_seconds: f64,
    /// Bytes of a checkpoint.
    pub(super) checkpoint_bytes: f64,
    /// Memory that simulating and drawing took.
    pub(super) simulation_bytes: f64,
    pub(super) picture_bytes: f64,
    pub(super) pictures: PictureCosts,
}

/// A frame of a pilot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PilotFrame {
    pub(super) particles: f64,
    /// The longest stable step at its end.
    pub(super) stable_seconds: f64,
    /// How steps shrink with cells: they are as long as this power of the cell size.
    pub(super) step_growth: f64,
    /// Time of a sub-step, and of what is done once a frame.
    pub(super) seconds_per_step: f64,
    pub(super) seconds_per_frame: f64,
}

/// A pilot that could not be run.
#[derive(Debug, Error)]
pub enum PilotError {
    /// The scene makes no sense on coarse cells.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// It could not be simulated.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// Its frame could not be packed.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// It could not be drawn.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// Not even a frame was done in time.
    #[error("not even a frame of a coarse twin is done in {} seconds", MOST_PATIENCE.as_secs())]
    TooSlow,
}

impl Pilot {
    /// Runs the coarse twin of a scene.
    pub(super) fn run(scene: &Scene) -> Result<Self, PilotError> {
        let cells = coarse_cells(scene);
        let coarse = on_cells(scene, cells)?;
        let memory_at_start = peak_bytes();
        let Flight {
            simulation,
            mut frames,
            seconds,
        } = Flight::of(&coarse, PATIENCE)?;
        let memory_simulated = peak_bytes();
        let counts = frames.iter().map(|frame| frame.particles);
        let most_particles = counts.fold(0.0, f64::max);
        let last_particles = frames.last().map_or(0.0, |frame| frame.particles);
        let frame = Frame::of(simulation.liquid(), simulation.solids());
        let packing = Instant::now();
        let frame_bytes = frame_bytes(&frame)?.len() as f64;
        let writing_seconds = packing.elapsed().as_secs_f64();
        let checkpoint = Checkpoint {
            liquid: simulation.liquid().save(),
            ..Checkpoint::default()
        };
        let checkpoint_bytes = checkpoint_bytes(&checkpoint)?.len() as f64;
        let pictures = if scene.output.video {
            PictureCosts::of(&coarse, &frame, simulation.progress().time)?
        } else {
            PictureCosts::default()
        };
        let grown = |before: Option<u64>, after: Option<u64>| {
            before.zip(after).map_or(0.0, |(a, b)| (b - a) as f64)
        };
        let picture_bytes = grown(memory_simulated, peak_bytes());
        drop(simulation);
        frames.extend(scout::beyond(scene, cells, &frames, seconds));
        Ok(Self {
            cell_size: coarse.setup.domain.cell_size,
            is_surface_only: matches!(scene.method, Method::LevelSet(_)),
            frames,
            most_particles,
            last_particles,
            frame_bytes,
            writing_seconds,
            checkpoint_bytes,
            simulation_bytes: grown(memory_at_start, memory_simulated),
            picture_bytes,
            pictures,
        })
    }

    /// What a frame was like; those that were not reached are as the last one.
    pub(super) fn frame(&self, frame: u32) -> &PilotFrame {
        &self.frames[(frame as usize).min(self.frames.len() - 1)]
    }

    /// The number of the last frame that was reached.
    pub(super) fn frames_done(&self) -> u32 {
        self.frames.len() as u32 - 1
    }
}

/// A twin that was run for a while.
pub(super) struct Flight {
    simulation: Simulation,
    pub(super) frames: Vec<PilotFrame>,
    /// Time that it took.
    seconds: f64,
}

impl Flight {
    /// Runs a twin for as long as patience lasts.
    pub(super) fn of(twin: &Scene, patience: Duration) -> Result<Self, PilotError> {
        let mut simulation = Simulation::of_scene(twin)?;
        let seen = Arc::new(Mutex::new(Vec::new()));
        simulation.add_sink(Box::new(Watch(Arc::clone(&seen))));
        let start = Instant::now();
        let done = || seen.lock().map_or(0, |frames| frames.len());
        simulation.run(&|| {
            let elapsed = start.elapsed();
            elapsed > MOST_PATIENCE || elapsed > patience && done() > 1
        })?;
        let seconds = start.elapsed().as_secs_f64();
        let mut frames = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
        if frames.len() < 2 {
            return Err(PilotError::TooSlow);
        }
        // The first frame is the start: nothing was computed for it.
        frames[0] = PilotFrame {
            particles: frames[0].particles,
            ..frames[1]
        };
        Ok(Self {
            simulation,
            frames,
            seconds,
        })
    }
}

/// Cells along the longest side with which a scene is simulated in seconds.
fn coarse_cells(scene: &Scene) -> f64 {
    let domain = &scene.setup.domain;
    let longest = f64::from(domain.cells.max_element());
    let cost = scene.prediction();
    let of_cell = domain.lattice().cell_volume() / scene.method.particle_volume(domain);
    let (per_element, most) = match &scene.method {
        Method::LevelSet(_) => (of_cell, MOST_CELLS_OF_LEVEL_SETS),
        method if method.is_on_grid() => (of_cell, MOST_CELLS_OF_PARTICLES),
        _ => (1.0, MOST_PARTICLES),
    };
    let elements = cost.most_particles as f64 / per_element;
    let fewer = (most / elements.max(1.0)).powf(1.0 / domain.dimensions() as f64);
    (longest * fewer).max(LEAST_CELLS).min(longest).round()
}

/// The scene on so many cells along its longest side.
pub(super) fn on_cells(scene: &Scene, cells: f64) -> Result<Scene, SceneErrors> {
    let overrides = [Override::resolution(&cells.to_string())];
    let name = format!("{} on coarse cells", scene.name);
    Scene::parse_with(&scene.source_text, &name, &scene.base_folder, &overrides)
}

/// The sink that notes what frames take.
struct Watch(Arc<Mutex<Vec<PilotFrame>>>);

impl Sink for Watch {
    fn frame(&mut self, moment: &Moment, finished: &mut Finished) -> Result<(), SinkError> {
        let StableStep { seconds, limit } = moment.liquid.stable_step(moment.solids);
        let statistics = &finished.statistics;
        let named = |name: &str| statistics.seconds.get(name).copied().unwrap_or(0.0);
        let stepping = named("total") - named("measure");
        let mut frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        frames.push(PilotFrame {
            particles: statistics.particles as f64,
            stable_seconds: seconds,
            step_growth: step_growth(limit),
            seconds_per_step: stepping / f64::from(statistics.substeps.max(1)),
            seconds_per_frame: named("measure"),
        });
        Ok(())
    }
}

/// The power of the cell size that a limit of stable steps goes with: signals cross a cell, diffusion its square, and
/// capillary waves are between them.
fn step_growth(limit: &str) -> f64 {
    match limit {
        "viscosity" | "heat" => 2.0,
        "surface tension" => 1.5,
        _ => 1.0,
    }
}
