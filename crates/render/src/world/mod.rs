//! What is in the picture, and how it is made ready for tracing.

mod checks;
mod contact;
mod normals;
mod prepared;
mod surface;
mod texture;

use glam::Vec3;
use ooze_geometry::TriangleMesh;
use std::sync::Arc;

use ooze_geometry::Aabb;
use ooze_staging::{Lights, Look, Stage};

pub(crate) use prepared::{Prepared, Target};
pub(crate) use surface::Surface;

/// What a body is, which decides who yields where bodies overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A liquid: gives way to solids, and is pressed against those it almost touches.
    Liquid,
    /// What has not melted of a liquid, within it: gives way to solids as a liquid does, and liquids are pressed against it.
    Core,
    /// A solid or a container.
    Solid,
}

/// A body with a surface.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name in error messages.
    pub name: String,
    /// Its surface. Clear and milky bodies need a closed one.
    pub mesh: Arc<TriangleMesh>,
    /// Its look.
    pub look: Look,
    /// Liquid or solid.
    pub role: Role,
}

/// Particles drawn as opaque balls, for quick looks.
#[derive(Clone, Debug)]
pub struct Particles {
    /// Their name in error messages.
    pub name: String,
    /// Centres in metres.
    pub positions: Vec<Vec3>,
    /// Radius of each ball in metres.
    pub radius: f32,
    /// Linear RGB colours, one a particle or none.
    pub colours: Vec<Vec3>,
    /// Temperatures in kelvin, one a particle or none.
    pub temperatures: Vec<f32>,
    /// Their look.
    pub look: Look,
}

/// Everything in the picture.
#[derive(Clone, Debug)]
pub struct World {
    /// Bodies with surfaces.
    pub objects: Vec<Object>,
    /// Clouds of particles.
    pub particles: Vec<Particles>,
    /// Ground and backdrop.
    pub stage: Stage,
    /// Lamps and sky.
    pub lights: Lights,
    /// Liquid surfaces nearer than this to a solid or the ground, in metres, are pressed against it, so that no sliver of
    /// air shows between them; 0 leaves them where they are. Half a cell of the simulation is right. Walls must be
    /// thicker than a quarter of it.
    pub contact_gap: f32,
}

impl World {
    /// An empty world in a photographer's studio around `bounds`.
    pub fn studio(bounds: &Aabb) -> Self {
        Self {
            objects: Vec::new(),
            particles: Vec::new(),
            stage: Stage::studio(bounds),
            lights: Lights::studio(bounds),
            contact_gap: 0.0,
        }
    }

    /// Adds a body.
    pub fn add(&mut self, name: &str, mesh: impl Into<Arc<TriangleMesh>>, look: Look, role: Role) {
        self.objects.push(Object {
            name: name.to_owned(),
            mesh: mesh.into(),
            look,
            role,
        });
    }

    /// The smallest box around all bodies and particles.
    pub fn bounds(&self) -> Aabb {
        let meshes = self.objects.iter().map(|object| object.mesh.bounds());
        let clouds = self.particles.iter().map(|cloud| {
            let centres = cloud
                .positions
                .iter()
                .fold(Aabb::EMPTY, |bounds, &point| bounds.including(point));
            Aabb {
                lower: centres.lower - Vec3::splat(cloud.radius),
                upper: centres.upper + Vec3::splat(cloud.radius),
            }
        });
        meshes
            .chain(clouds)
            .fold(Aabb::EMPTY, |all, bounds| all.union(bounds))
    }
}
