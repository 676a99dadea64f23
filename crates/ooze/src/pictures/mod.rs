//! Pictures of a run from its cached particles: surfaces, colliders, camera and light.

pub(crate) mod colliders;
pub(crate) mod liquids;

use ooze_core::{ChannelError, Channels};
use ooze_geometry::Aabb;
use ooze_render::{Look, Picture, RenderError, Role, World, render};
use ooze_scene::{Scene, Show};
use ooze_surface::SurfaceError;
use thiserror::Error;

use colliders::ColliderMesh;
pub use liquids::{LiquidSurface, particle_volume, surfaces};

/// A picture that could not be made.
#[derive(Debug, Error)]
pub enum PictureError {
    /// The frame lacks a channel.
    #[error(transparent)]
    Channel(#[from] ChannelError),
    /// A particle is of a material that the scene does not have.
    #[error("particle {index} is of material {material}, but the scene has only {count}")]
    Material {
        /// Index of the particle in its frame.
        index: usize,
        /// What the frame says.
        material: u8,
        /// Number of materials in the scene.
        count: usize,
    },
    /// The particles have no proper surface.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// The renderer refused.
    #[error(transparent)]
    Render(#[from] RenderError),
}

/// Everything about a scene's pictures that does not change from frame to frame.
pub struct Studio {
    scene: Scene,
    colliders: Vec<ColliderMesh>,
    looks: Vec<Look>,
    bounds: Aabb,
}

impl Studio {
    /// Sets up a scene for pictures. `subject` is the box that the liquid takes up during the run.
    pub fn new(scene: Scene, subject: Aabb) -> Result<Self, PictureError> {
        let domain = &scene.setup.domain;
        let box_of_domain = Aabb::new(domain.lower, domain.upper());
        let colliders = colliders::visible(&scene, box_of_domain)?;
        let bounds = colliders::bounds_with(&colliders, subject, box_of_domain);
        let looks = liquids::looks(&scene, bounds.extent().max_element())?;
        Ok(Self {
            colliders,
            looks,
            bounds,
            scene,
        })
    }

    /// The picture of one frame.
    pub fn picture(&self, frame: &Channels, time: f64) -> Result<Picture, PictureError> {
        let settings = &self.scene.pictures;
        let mut world = World::studio(&self.bounds);
        world.stage = settings.stage(&self.bounds);
        world.lights = settings.lights(&self.bounds);
        world.contact_gap = 0.5 * self.scene.setup.domain.cell_size;
        match settings.show {
            Show::Surface => {
                for liquid in surfaces(&self.scene, frame)? {
                    let name = &self.scene.setup.materials[liquid.material].name;
                    let look = self.looks[liquid.material];
                    world.add(name, liquid.surface.mesh, look, Role::Liquid);
                }
            }
            Show::Particles => world.particles = liquids::balls(&self.scene, frame)?,
            Show::Splats => {
                for (name, mesh, look) in liquids::splats(&self.scene, frame)? {
                    world.add(&name, mesh, look, Role::Solid);
                }
            }
        }
        for collider in &self.colliders {
            let mesh = collider.mesh_at(time);
            world.add(&collider.name, mesh, collider.look, Role::Solid);
        }
        let camera = settings.camera(&self.bounds, self.scene.time.frame_time());
        Ok(render(&world, &camera, time as f32, &settings.image)?)
    }

    /// All that decides what pictures look like, as text: where it differs, older pictures are out of date.
    pub fn recipe(&self) -> String {
        format!(
            "{}\n{:#?}\n{:#?}\n",
            env!("CARGO_PKG_VERSION"),
            self.bounds,
            self.scene.pictures
        )
    }
}

/// The box around the bulk of the particles of some frames: spray does not count.
pub fn subject_bounds(frames: &[Channels]) -> Aabb {
    const SPRAY: f64 = 0.005;
    let mut bounds = Aabb::EMPTY;
    for frame in frames {
        let Ok(positions) = frame.vectors("position") else {
            continue;
        };
        if positions.is_empty() {
            continue;
        }
        let mut part = Aabb::EMPTY;
        for axis in 0..3 {
            let mut coordinates: Vec<f32> = positions.iter().map(|point| point[axis]).collect();
            coordinates.sort_unstable_by(f32::total_cmp);
            let last = coordinates.len() - 1;
            let outliers = (SPRAY * last as f64) as usize;
            part.lower[axis] = coordinates[outliers];
            part.upper[axis] = coordinates[last - outliers];
        }
        bounds = bounds.union(part);
    }
    bounds
}
