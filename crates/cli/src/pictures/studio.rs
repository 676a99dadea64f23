//! Drawing frames of a scene.

use std::time::{Duration, Instant};

use ooze_cache::checksum;
use ooze_core::Frame;
use ooze_geometry::{Aabb, TriangleMesh};
use ooze_render::{Picture, Role, World, render};
use ooze_scene::{Scene, Show};
use ooze_staging::Look;

use super::colouring::{Scale, plain_look};
use super::section::Section;
use super::solids::{self, SolidMesh};
use super::{PictureError, liquids, melts, subject_of, tracers};

/// A picture, and what of its time went into the liquid's surface.
pub struct Drawn {
    /// The picture.
    pub picture: Picture,
    /// Time that finding the surface took.
    pub surfacing: Duration,
}

/// Everything about a scene's pictures that does not change from frame to frame.
pub struct Studio {
    scene: Scene,
    solids: Vec<SolidMesh>,
    looks: Vec<Look>,
    bounds: Aabb,
    /// How deep a flat scene is drawn.
    section: Option<Section>,
}

impl Studio {
    /// Sets up a scene for pictures.
    pub fn of_scene(scene: Scene) -> Result<Self, PictureError> {
        let subject = subject_of(&scene);
        let domain = &scene.setup.domain;
        let box_of_domain = Aabb::new(domain.lower, domain.upper());
        let solids = solids::visible(&scene, box_of_domain)?;
        let mut bounds = solids::bounds_with(&solids, subject, box_of_domain);
        let section = Section::of(domain, &bounds);
        if let Some(section) = &section {
            bounds = section.deepened(bounds);
        }
        let mut looks = liquids::looks(&scene, bounds.extent().max_element())?;
        if scene.pictures.colouring.is_some() {
            looks.fill(plain_look());
        }
        Ok(Self {
            solids,
            looks,
            bounds,
            section,
            scene,
        })
    }

    /// The picture of one frame, at a time in seconds.
    pub fn picture(&self, frame: &Frame, time: f64) -> Result<Drawn, PictureError> {
        let settings = &self.scene.pictures;
        let Some(colouring) = &settings.colouring else {
            return self.drawn(frame, time);
        };
        let scale = Scale::of(colouring, frame)?;
        let mut drawn = self.drawn(&scale.coloured(frame)?, time)?;
        scale.draw(&mut drawn.picture);
        Ok(drawn)
    }

    /// The picture of a frame as it is.
    fn drawn(&self, frame: &Frame, time: f64) -> Result<Drawn, PictureError> {
        let settings = &self.scene.pictures;
        let camera = settings.camera(&self.bounds, self.scene.time.frame_time());
        let pose = camera.pose(time as f32);
        let mut world = World::studio(&self.bounds);
        world.stage = settings.stage(&self.bounds).facing(pose.target - pose.eye);
        world.lights = settings.lights(&self.bounds, time);
        world.contact_gap = 0.5 * self.scene.setup.domain.cell_size;
        let mut surfacing = Duration::ZERO;
        match settings.show {
            Show::Surface => {
                let start = Instant::now();
                let found = melts::bodies(&self.scene, frame, &self.looks)?;
                surfacing = start.elapsed();
                let carried = self.scene.setup.texture;
                for liquid in found {
                    let name = &self.scene.setup.materials[liquid.material].name;
                    let mut look = liquid.look;
                    if let (Some(texture), Some(coordinates)) = (&mut look.texture, carried) {
                        texture.shares = coordinates.shares(time);
                    }
                    let mesh = self.deepened(liquid.mesh);
                    world.add(name, mesh, look, liquid.role);
                }
            }
            Show::Particles => world.particles = liquids::balls(&self.scene, frame)?,
            Show::Splats => {
                for (name, mesh, look) in liquids::splats(&self.scene, frame)? {
                    world.add(&name, mesh, look, Role::Solid);
                }
            }
        }
        for mut tracers in tracers::balls(&self.scene, frame)? {
            if let Some(section) = &self.section {
                section.bring_forward(&mut tracers.positions);
            }
            world.particles.push(tracers);
        }
        let bodies = solids::bodies(&self.scene, frame, time)?;
        for solid in &self.solids {
            let mesh = self.deepened(solid.placed(&bodies, camera.shutter));
            world.add(&solid.name, mesh, solid.look, Role::Solid);
        }
        let picture = render(&world, &camera, time as f32, &settings.image)?;
        Ok(Drawn { picture, surfacing })
    }

    /// A mesh as deep as the scene is drawn.
    fn deepened(&self, mut mesh: TriangleMesh) -> TriangleMesh {
        if let Some(section) = &self.section {
            section.deepen(&mut mesh);
        }
        mesh
    }

    /// The scene that pictures are made of.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The checksum of all that decides what pictures look like: where it differs, older pictures are out of date.
    pub fn recipe(&self) -> u32 {
        let scene = &self.scene;
        let parts = (
            env!("CARGO_PKG_VERSION"),
            &self.bounds,
            &scene.pictures,
            &scene.setup.materials,
            &scene.solid_looks,
            &scene.tracer_looks,
            &scene.textures,
            &scene.setup.texture,
            &scene.setup.domain,
            &scene.method,
            &scene.time,
        );
        checksum(format!("{parts:?}").as_bytes())
    }
}
