//! Pictures of a run from its cached particles: surfaces, colliders, camera and light.

pub(crate) mod colliders;
pub(crate) mod liquids;
mod subject;

use ooze_cache::checksum;
use ooze_core::{ChannelError, Channels};
use ooze_geometry::Aabb;
use ooze_render::{Look, Picture, RenderError, Role, World, render};
use ooze_scene::{Scene, Show};
use ooze_surface::SurfaceError;
use thiserror::Error;

use colliders::ColliderMesh;
pub use liquids::{LiquidSurface, particle_volume, surfaces};
pub use subject::subject_of;

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
    /// Sets up a scene for pictures.
    pub fn of_scene(scene: Scene) -> Result<Self, PictureError> {
        let subject = subject_of(&scene);
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

    /// The checksum of all that decides what pictures look like: where it differs, older pictures are out of date.
    pub fn recipe(&self) -> u32 {
        let scene = &self.scene;
        let parts = (
            env!("CARGO_PKG_VERSION"),
            &self.bounds,
            &scene.pictures,
            &scene.setup.materials,
            &scene.collider_looks,
            &scene.setup.domain,
            &scene.method,
            &scene.time,
        );
        checksum(format!("{parts:?}").as_bytes())
    }
}
