//! The checked scene: everything a simulation needs, in the words of the solvers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DVec3, Vec3};
use ooze_core::{Body, Collider, Joint, LiquidSetup};
use ooze_geometry::Shape;
use ooze_staging::Texture;

use crate::file::SceneKeys;
use crate::keys::{Reader, Value};
use crate::overrides::{self, Override};
use crate::place::{Place, source};
use crate::{Method, PictureSettings, Prediction, Problem, SceneErrors, check, node, written};

/// Everything about a simulation, its pictures and what it leaves behind: read from a file and checked, or made in code by
/// [`Scene::new`].
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name of the scene, good for a folder's name.
    pub name: String,
    /// What the scene shows.
    pub description: String,
    /// Space, materials, liquids, emitters, drains and forces.
    pub setup: LiquidSetup,
    /// How the liquid is simulated.
    pub method: Method,
    /// Name of the preset that the method started from.
    pub method_name: &'static str,
    /// Solids that follow keyframes.
    pub colliders: Vec<Collider>,
    /// Solids that move freely.
    pub bodies: Vec<Body>,
    /// What holds bodies together.
    pub joints: Vec<Joint>,
    /// What pictures make of the colliders and then of the bodies, one entry each.
    pub solid_looks: Vec<SolidLook>,
    /// Patterns that stick to materials, in their order; none for those beyond the list.
    pub textures: Vec<Option<Texture>>,
    /// What pictures show of the tracers, in their order; nothing of those beyond the list.
    pub tracer_looks: Vec<TracerLook>,
    /// What is measured every frame.
    pub probes: Vec<Probe>,
    /// Frames and sub-steps.
    pub time: TimeSettings,
    /// What a run leaves behind.
    pub output: OutputSettings,
    /// How pictures are made.
    pub pictures: PictureSettings,
    /// The scene file exactly as run: with overrides, they are worked in.
    pub source_text: String,
    /// The folder that paths in the scene are relative to.
    pub base_folder: PathBuf,
    /// Mesh files that the scene reads.
    pub mesh_files: Vec<PathBuf>,
    pub(crate) warnings: Vec<Problem>,
    pub(crate) unread: Vec<String>,
    pub(crate) walls: Option<String>,
    pub(crate) creeping: Vec<String>,
    pub(crate) prediction: Prediction,
}

/// Frames and sub-steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeSettings {
    /// Frames per second.
    pub frame_rate: f64,
    /// Frames to compute after the first, which is the start.
    pub frames: u32,
    /// Most sub-steps that a frame may take.
    pub max_substeps: u32,
}

impl TimeSettings {
    /// Seconds between two frames.
    pub fn frame_time(&self) -> f64 {
        1.0 / self.frame_rate
    }

    /// Seconds from the first frame to the last.
    pub fn duration(&self) -> f64 {
        f64::from(self.frames) / self.frame_rate
    }
}

/// What a run leaves behind, and how often.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputSettings {
    /// Particles are written at every n-th frame.
    pub every: u32,
    /// Whether particles are written at all.
    pub particles: bool,
    /// Whether a run ends with pictures and a video.
    pub video: bool,
    /// Channels of particle frames beside positions; none for all that the method has.
    pub channels: Option<Vec<String>>,
    /// A checkpoint is written at every n-th frame.
    pub checkpoint_frames: Option<u32>,
    /// A checkpoint is written when the last is this many minutes old.
    pub checkpoint_minutes: f64,
}

/// What pictures make of a solid.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidLook {
    /// Whether it is shown.
    pub visible: bool,
    /// Name of the look: `matte`, `metal` or `glass`.
    pub look: &'static str,
    /// Linear red, green and blue.
    pub colour: Vec3,
}

/// What pictures show of tracers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TracerLook {
    /// Diameter of their points in metres.
    pub diameter: f32,
    /// Linear red, green and blue.
    pub colour: Vec3,
}

/// Something that is measured every frame.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Name in the scene file.
    pub name: String,
    /// What it measures.
    pub measure: ProbeQuantity,
}

/// What a probe measures.
#[derive(Clone, Debug)]
pub enum ProbeQuantity {
    /// Volume of liquid inside a shape, in m³.
    Volume(Arc<Shape>),
    /// Velocity of the liquid at a point, in m/s.
    Velocity(Vec3),
    /// Pressure of the liquid at a point, in Pa.
    Pressure(Vec3),
    /// The coordinate that liquid reaches furthest along an axis, in m.
    Front {
        /// 0, 1 or 2 for x, y or z.
        axis: usize,
        /// Whether the largest coordinate is meant, else the smallest.
        upward: bool,
    },
    /// Where a rope that falls from a nozzle meets its pile.
    Coil {
        /// Middle of the nozzle's outlet.
        nozzle: Vec3,
        /// Height of the layers in which the rope is looked at, in m.
        layer: f32,
    },
    /// Position of a solid's origin, in m; an index into [`Scene::colliders`] and beyond them into [`Scene::bodies`].
    Body(usize),
    /// How a solid stands and moves, by the same index.
    Pose(usize),
    /// Force in N and torque in N m of the liquid on a body, parts of pressure and of viscosity; an index into
    /// [`Scene::colliders`], beyond them into [`Scene::bodies`], and beyond those into the solids that melt, in the order of their numbers.
    Force(usize),
}

/// What the pose of a solid consists of.
const POSE: [&str; 13] = [
    "x",
    "y",
    "z",
    "turn_x",
    "turn_y",
    "turn_z",
    "turn_w",
    "velocity_x",
    "velocity_y",
    "velocity_z",
    "spin_x",
    "spin_y",
    "spin_z",
];

impl Probe {
    /// Names of its columns in `probes.csv`: one, or more where a reading has parts.
    pub fn columns(&self) -> Vec<String> {
        match self.measure {
            ProbeQuantity::Velocity(_) | ProbeQuantity::Body(_) => by_axis(&self.name),
            ProbeQuantity::Pose(_) => POSE.map(|part| format!("{}_{part}", self.name)).into(),
            ProbeQuantity::Force(_) => {
                let parts = ["pressure", "viscous", "pressure_torque", "viscous_torque"];
                let columns = parts.map(|part| by_axis(&format!("{}_{part}", self.name)));
                columns.concat()
            }
            ProbeQuantity::Coil { .. } => {
                let readings = ["angle", "radius", "height", "rope_radius"];
                readings.map(|what| format!("{}_{what}", self.name)).into()
            }
            _ => vec![self.name.clone()],
        }
    }
}

/// Names of a vector's columns.
fn by_axis(name: &str) -> Vec<String> {
    ["x", "y", "z"].map(|axis| format!("{name}_{axis}")).into()
}

impl Scene {
    /// Reads a scene file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneErrors> {
        Self::load_with(path, &[])
    }

    /// Reads a scene file and changes some of its keys.
    pub fn load_with(path: impl AsRef<Path>, overrides: &[Override]) -> Result<Self, SceneErrors> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = std::fs::read(path)
            .map_err(|error| whole_file(&name, format!("cannot be read: {error}")))?;
        let text = String::from_utf8(text).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            whole_file(&name, format!("is no UTF-8 text: byte {valid} is wrong"))
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse_with(&text, &name, folder, overrides)
    }

    /// Reads the text of a scene. Messages call it `source_name`; paths are relative to `base_folder`.
    pub fn parse(
        text: &str,
        source_name: &str,
        base_folder: impl AsRef<Path>,
    ) -> Result<Self, SceneErrors> {
        Self::parse_with(text, source_name, base_folder, &[])
    }

    /// Reads the text of a scene and changes some of its keys.
    pub fn parse_with(
        text: &str,
        source_name: &str,
        base_folder: impl AsRef<Path>,
        overrides: &[Override],
    ) -> Result<Self, SceneErrors> {
        // A byte order mark is no part of the text.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let fail = |problems| SceneErrors::new(source_name, problems);
        let mut tree = node::parse(&source(source_name, text)).map_err(fail)?;
        let mut problems = Vec::new();
        overrides::apply(&mut tree, overrides, &mut problems);
        let mut reader = Reader::new(SceneKeys::description, tree.names_under("materials"));
        reader.problems = problems;
        let keys = SceneKeys::read(&tree, &(), &mut reader);
        let origin = check::Origin {
            source_name,
            source_text: if overrides.is_empty() {
                text.into()
            } else {
                written::written(&tree, source_name, overrides)
            },
            base_folder: base_folder.as_ref(),
        };
        let (scene, problems) = check::scene(keys.as_ref(), origin, reader.problems, &reader.asked);
        match scene {
            Some(scene) if problems.is_empty() => Ok(scene),
            _ => Err(fail(problems)),
        }
    }

    /// The acceleration that bodies feel beside contacts, joints and the liquid: gravity, and forces that are the same everywhere.
    pub fn gravity_of_bodies(&self) -> DVec3 {
        check::steady_acceleration(&self.setup.forces)
    }

    /// All solids as they stand at the start: colliders, then bodies, which a simulation moves on from there.
    pub fn solids(&self) -> Vec<Collider> {
        let bodies = self.bodies.iter().map(Body::as_collider);
        self.colliders.iter().cloned().chain(bodies).collect()
    }

    /// What looks wrong although the scene can be run: values in wrong units, walls thinner than a cell, liquid outside
    /// of the domain, and the like.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// What materials have that the method does not read, a line each, as far as it is not worth a warning.
    pub fn unread(&self) -> &[String] {
        &self.unread
    }

    /// What walls do whose contact is left to the liquids, and why, if there are any.
    pub fn automatic_walls(&self) -> Option<&str> {
        self.walls.as_deref()
    }

    /// What sinks by more than a hundredth of its height in a minute when it has set, a line for each material.
    pub fn creeping(&self) -> &[String] {
        &self.creeping
    }

    /// What the scene will cost.
    pub fn prediction(&self) -> &Prediction {
        &self.prediction
    }
}

/// An error about a file of which nothing could be read.
fn whole_file(name: &str, what: String) -> SceneErrors {
    let place = Place {
        source: source(name, ""),
        span: 0..0,
        key: "".into(),
    };
    let problem = Problem::error(&place, format!("{name} {what}"));
    SceneErrors::new(name, vec![problem])
}
