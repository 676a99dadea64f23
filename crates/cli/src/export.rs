//! A run for other programs: its frames in the terms of [`ooze_export`].

use std::collections::BTreeMap;
use std::path::PathBuf;

use glam::Vec3;
use ooze_cache::Origin;
use ooze_core::{Frame, Load, SolidLoad};
use ooze_export::{
    ExportError, ExportFrame, ExportSolid, Exporter, NamedMesh, PreviewSurface, Stage,
    StageCollider, StageLiquid, StageTracers, View,
};
use ooze_geometry::{Aabb, TriangleMesh};
use ooze_scene::Scene;
use ooze_staging::{Body, Look, StagingError};
use thiserror::Error;

use crate::pictures::{PictureError, liquids, particle_volume, solids, surfaces};
use solids::SolidMesh;

/// How much of the light that falls on a clear liquid the preview material keeps from passing. It knows no absorption, and
/// without any the liquid would have no colour.
const CLEAR_OPACITY: f32 = 0.3;
/// The same for a pane of glass.
const GLASS_OPACITY: f32 = 0.1;

/// A frame that could not be exported.
#[derive(Debug, Error)]
pub enum FrameExportError {
    /// The frame does not fit the scene, or the particles have no proper surface.
    #[error(transparent)]
    Frame(#[from] PictureError),
    /// The files could not be written.
    #[error(transparent)]
    Export(#[from] ExportError),
}

/// Which parts of frames are exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The particles with all channels.
    pub particles: bool,
    /// The surfaces of the liquids.
    pub surfaces: bool,
}

/// Hands frames of a scene over to an exporter.
pub struct FrameExport {
    scene: Scene,
    parts: Parts,
    exporter: Box<dyn Exporter>,
    /// What the liquid did to solids, by the number of the frame.
    loads: BTreeMap<u32, Vec<SolidLoad>>,
}

impl FrameExport {
    /// The frames of a scene for an exporter.
    pub fn new(scene: Scene, parts: Parts, exporter: Box<dyn Exporter>) -> Self {
        Self {
            scene,
            parts,
            exporter,
            loads: BTreeMap::new(),
        }
    }

    /// The same where it is known what the liquid did to solids, by the number of the frame.
    pub fn with_loads(self, loads: BTreeMap<u32, Vec<SolidLoad>>) -> Self {
        Self { loads, ..self }
    }

    /// Writes the next frame.
    pub fn write(
        &mut self,
        number: u32,
        origin: Origin,
        frame: &Frame,
    ) -> Result<(), FrameExportError> {
        let surfaces = if self.parts.surfaces {
            self.surfaces(frame)?
        } else {
            Vec::new()
        };
        let time = f64::from(number) / self.scene.time.frame_rate;
        let bodies = solids::bodies(&self.scene, frame, time)?;
        let bodies = bodies.iter().cloned();
        let solids: Vec<ExportSolid> = bodies
            .map(|body| ExportSolid {
                load: self.load(number, &body.name),
                body,
            })
            .collect();
        let has_tracers = frame.tracers.get("position").is_some();
        let frame = ExportFrame {
            number,
            time,
            origin,
            particles: self.parts.particles.then_some(&frame.particles),
            tracers: (self.parts.particles && has_tracers).then_some(&frame.tracers),
            surfaces: &surfaces,
            solids: &solids,
        };
        Ok(self.exporter.write(&frame)?)
    }

    /// What the liquid did to a solid in a frame, if that is known.
    fn load(&self, frame: u32, name: &str) -> Option<Load> {
        let mut loads = self.loads.get(&frame)?.iter();
        loads.find(|load| load.solid == name).map(SolidLoad::total)
    }

    /// A mesh for each material of the scene, empty where there is nothing of it.
    fn surfaces(&self, frame: &Frame) -> Result<Vec<NamedMesh>, PictureError> {
        let materials = self.scene.setup.materials.iter();
        let mut meshes: Vec<NamedMesh> = materials
            .map(|material| NamedMesh {
                name: material.name.clone(),
                mesh: TriangleMesh::default(),
            })
            .collect();
        for found in surfaces(&self.scene, frame)? {
            meshes[found.material].mesh = found.surface.mesh;
        }
        Ok(meshes)
    }

    /// Writes what comes after the last frame; tells the file to open, if there is a single one.
    pub fn finish(self) -> Result<Option<PathBuf>, ExportError> {
        self.exporter.finish()
    }
}

/// The meshes of the solids of a scene that are shown, in their own frames.
pub fn solid_meshes(scene: &Scene) -> Result<Vec<NamedMesh>, StagingError> {
    let solids = solids::visible(scene, domain_box(scene))?.into_iter();
    let named = solids.map(|SolidMesh { name, mesh, .. }| NamedMesh { name, mesh });
    Ok(named.collect())
}

fn domain_box(scene: &Scene) -> Aabb {
    let domain = &scene.setup.domain;
    Aabb::new(domain.lower, domain.upper())
}

/// Of which solid before it each is a copy at another place, look and all, by its place among those that are shown.
fn copies(scene: &Scene, shown: &[SolidMesh]) -> Vec<Option<(usize, Vec3)>> {
    let solids = scene.solids();
    let mut copies: Vec<Option<(usize, Vec3)>> = Vec::with_capacity(shown.len());
    for (number, solid) in shown.iter().enumerate() {
        let own = solid.index();
        let mut originals = (0..number).filter(|&earlier| copies[earlier].is_none());
        let copied = originals.find_map(|earlier| {
            let other = shown[earlier].index();
            let alike = scene.solid_looks[other] == scene.solid_looks[own];
            let shift = alike.then(|| solids[other].shape.shift_to(&solids[own].shape))??;
            Some((earlier, shift))
        });
        copies.push(copied);
    }
    copies
}

/// What a USD file shows of a scene beside the frames. `subject` is the box that the liquid takes up during the run.
pub fn usd_stage(scene: &Scene, subject: Aabb, parts: Parts) -> Result<Stage, StagingError> {
    let box_of_domain = domain_box(scene);
    let solids = solids::visible(scene, box_of_domain)?;
    let bounds = solids::bounds_with(&solids, subject, box_of_domain);
    let image = scene.pictures.image;
    let aspect = image.width as f32 / image.height as f32;
    let camera = scene.pictures.camera(&bounds, scene.time.frame_time());
    let looks = liquids::looks(scene, bounds.extent().max_element())?;
    let copies = copies(scene, &solids);
    let materials = scene.setup.materials.iter().zip(&looks);
    Ok(Stage {
        name: scene.name.clone(),
        frame_rate: scene.time.frame_rate,
        liquids: materials
            .map(|(material, look)| StageLiquid {
                name: material.name.clone(),
                look: preview(look),
            })
            .collect(),
        particle_diameter: particle_volume(scene).cbrt(),
        tracers: scene
            .tracer_looks
            .iter()
            .map(|look| StageTracers {
                colour: look.colour,
                diameter: look.diameter,
            })
            .collect(),
        surfaces: parts.surfaces,
        colliders: solids
            .into_iter()
            .zip(copies)
            .map(|(mut solid, copy_of)| {
                let mut look = preview(&solid.look);
                // The one colour of a solid belongs to its material.
                if let Some(&colour) = solid.mesh.colours.first() {
                    look.colour = colour;
                    solid.mesh.colours.clear();
                }
                StageCollider {
                    index: solid.index(),
                    copy_of,
                    name: solid.name,
                    look,
                    mesh: solid.mesh,
                }
            })
            .collect(),
        camera: Box::new(move |time| {
            let pose = camera.pose(time as f32);
            View {
                eye: pose.eye,
                target: pose.target,
                up: camera.up,
                field_of_view: pose.field_of_view,
                aspect,
            }
        }),
    })
}

/// A look in the few terms that every program understands.
fn preview(look: &Look) -> PreviewSurface {
    PreviewSurface {
        colour: look.colour(),
        roughness: look.roughness,
        metallic: match look.body {
            Body::Metal { .. } => 1.0,
            _ => 0.0,
        },
        opacity: match look.body {
            Body::Clear { .. } => CLEAR_OPACITY,
            Body::ThinGlass { .. } => GLASS_OPACITY,
            _ => 1.0,
        },
        refractive_index: look.refractive_index,
        emission: look.glow.map_or(Vec3::ZERO, |glow| {
            glow.radiance_at(glow.default_temperature)
        }),
    }
}
