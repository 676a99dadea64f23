//! What is exported of a frame, checked before any of it is written.

use std::path::PathBuf;

use ooze_cache::Origin;
use ooze_core::{BodyPose, ChannelError, Channels, Load};
use ooze_geometry::{Pose, TriangleMesh, Twist};

use crate::ExportError;

/// A mesh and what it is called.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedMesh {
    /// The name.
    pub name: String,
    /// The mesh; empty when there is nothing of it in the frame.
    pub mesh: TriangleMesh,
}

/// A solid in a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportSolid {
    /// Where it stands, and how it moves.
    pub body: BodyPose,
    /// What the liquid did to it, if that is known.
    pub load: Option<Load>,
}

impl ExportSolid {
    /// Where it stands, and how it moves, without its name.
    pub(crate) fn state(&self) -> (Pose, Twist) {
        (self.body.pose, self.body.twist)
    }

    fn is_finite(&self) -> bool {
        let (
            Pose {
                translation,
                rotation,
                scale,
            },
            twist,
        ) = self.state();
        let load = self.load.unwrap_or_default();
        translation.is_finite()
            && rotation.is_finite()
            && scale.is_finite()
            && twist.linear.is_finite()
            && twist.angular.is_finite()
            && load
                .force
                .iter()
                .chain(&load.torque)
                .all(|number| number.is_finite())
    }
}

/// What is exported of a frame.
#[derive(Clone, Copy, Debug)]
pub struct ExportFrame<'a> {
    /// Number of the frame.
    pub number: u32,
    /// Simulated seconds.
    pub time: f64,
    /// What the frame comes from.
    pub origin: Origin,
    /// The particles, if they are wanted.
    pub particles: Option<&'a Channels>,
    /// The surfaces, if they are wanted: the same ones in the same order in every frame.
    pub surfaces: &'a [NamedMesh],
    /// The tracers, if they are wanted and the scene has some.
    pub tracers: Option<&'a Channels>,
    /// The solids, in the order of the scene.
    pub solids: &'a [ExportSolid],
}

impl ExportFrame<'_> {
    /// Finds arrays that are too short or hold something that is not a number.
    pub(crate) fn check(&self) -> Result<(), ExportError> {
        for (what, channels) in [
            ("the particles", self.particles),
            ("the tracers", self.tracers),
        ] {
            if let Some(channels) = channels {
                self.check_points(what, channels)?;
            }
        }
        self.surfaces
            .iter()
            .try_for_each(|surface| self.check_mesh(surface))?;
        let odd = self.solids.iter().position(|solid| !solid.is_finite());
        match odd {
            Some(item) => Err(self.not_finite("the solids", "pose", item)),
            None => Ok(()),
        }
    }

    fn check_points(&self, what: &str, channels: &Channels) -> Result<(), ExportError> {
        let frame = self.number;
        let wrong = |source: ChannelError| ExportError::Channel { frame, source };
        let count = channels.vectors("position").map_err(wrong)?.len();
        for (name, data) in channels.iter() {
            if data.len() != count {
                return Err(wrong(ChannelError::WrongLength {
                    name: name.into(),
                    found: data.len(),
                    expected: count,
                }));
            }
            if let Some(item) = data.first_not_finite() {
                return Err(self.not_finite(what, name, item));
            }
        }
        Ok(())
    }

    fn check_mesh(&self, surface: &NamedMesh) -> Result<(), ExportError> {
        let NamedMesh { name, mesh } = surface;
        let vertices = mesh.positions.len();
        for (array, vectors) in [
            ("positions", &mesh.positions),
            ("normals", &mesh.normals),
            ("velocities", &mesh.velocities),
            ("colours", &mesh.colours),
            ("texture coordinates", &mesh.rest_positions[0]),
            ("texture coordinates", &mesh.rest_positions[1]),
        ] {
            let odd = vectors.iter().position(|vector| !vector.is_finite());
            self.check_array(name, array, vectors.len(), vertices, odd)?;
        }
        let odd = mesh.temperatures.iter().position(|t| !t.is_finite());
        self.check_array(name, "temperatures", mesh.temperatures.len(), vertices, odd)
    }

    fn check_array(
        &self,
        name: &str,
        array: &'static str,
        found: usize,
        vertices: usize,
        odd: Option<usize>,
    ) -> Result<(), ExportError> {
        if found != 0 && found != vertices {
            return Err(ExportError::Mesh {
                frame: self.number,
                name: name.into(),
                array,
                found,
                vertices,
            });
        }
        match odd {
            Some(item) => Err(self.not_finite(name, array, item)),
            None => Ok(()),
        }
    }

    fn not_finite(&self, of: &str, array: &str, item: usize) -> ExportError {
        ExportError::NotFinite {
            frame: self.number,
            of: of.into(),
            array: array.into(),
            item,
        }
    }
}

/// Something that takes frame after frame and leaves files behind.
pub trait Exporter {
    /// Writes the next frame.
    fn write(&mut self, frame: &ExportFrame) -> Result<(), ExportError>;

    /// Writes what comes after the last frame; tells the file to open, if there is a single one.
    fn finish(self: Box<Self>) -> Result<Option<PathBuf>, ExportError>;
}
