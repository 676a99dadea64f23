//! Animates viscous, elastic and yielding liquids.
//!
//! A [`Scene`] says what there is and what happens to it. It is read from TOML, with every mistake named by its place, or made
//! in code:
//!
//! ```
//! use ooze::glam::Vec3;
//! use ooze::{Domain, LiquidSetup, Material, Method, Scene, Shape, Simulation};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut setup = LiquidSetup::new(Domain::closed(Vec3::ZERO, Vec3::splat(0.1), 12));
//! let honey = Material::preset("honey").ok_or("there is honey")?;
//! setup.fill(Shape::sphere(Vec3::splat(0.05), 0.02)?, honey);
//! let scene = Scene::new("ball", setup, Method::Flip(Default::default()));
//!
//! let mut simulation = Simulation::of_scene(&scene)?;
//! simulation.advance_frame(&|| false)?;
//! assert!(simulation.measure().momentum.y < 0.0);
//! # Ok(())
//! # }
//! ```
//!
//! [`Simulation`] owns a liquid, its solids and its sinks, and advances them frame by frame. A [`Sink`] hears of every frame,
//! with its [`FrameStatistics`] and the readings of the scene's probes. Whatever implements [`Liquid`] can be simulated, and
//! whatever implements [`Solids`] can stand in its way.
//!
//! Nothing is written anywhere: folders of runs, pictures and video are the business of the `ooze` command. The library
//! compiles for browsers too, where steps run on one thread.

pub mod probes;
pub mod scene_setup;
pub mod simulation;

pub use glam;
pub use ooze_core as core;
pub use ooze_field as field;
pub use ooze_geometry as geometry;
pub use ooze_grid as grid;
pub use ooze_particles as particles;
pub use ooze_rigid as rigid;
pub use ooze_scene as scene;
pub use ooze_staging as staging;
pub use ooze_surface as surface;

pub use ooze_core::{
    Channels, Checkpoint, Collider, Contact, Domain, Emitter, Force, FrameStatistics, Liquid,
    LiquidSetup, Material, Measure, ParticleSet, Progress, Side, Solid, Solids, StableStep,
    StepError, StepReport, WallCondition,
};
pub use ooze_geometry::{Motion, Shape};
pub use ooze_scene::{Method, Override, Scene, SceneErrors};
pub use simulation::{
    Ending, Finished, Moment, Outcome, Schedule, Simulation, SimulationError, Sink, SinkError,
};
