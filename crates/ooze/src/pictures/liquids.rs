//! Liquids of a frame as surfaces or balls, one of each material.

use glam::Vec3;
use ooze_core::Channels;
use ooze_core::lattice_channel::{level_set_of, part_of};
use ooze_field::Field;
use ooze_geometry::TriangleMesh;
use ooze_render::{Look, Particles, RenderError};
use ooze_scene::Scene;
use ooze_surface::{
    Attributes, ParticleSurface, Slab, Surface, level_set_surface, set_attributes, splat_markers,
};

use super::PictureError;

/// The surface of one material in a frame.
pub struct LiquidSurface {
    /// Index of the material in the scene.
    pub material: usize,
    /// The surface, and figures about it.
    pub surface: Surface,
}

/// The particles of one material in a frame.
struct Portion {
    material: usize,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    colours: Vec<Vec3>,
    temperatures: Vec<f32>,
}

impl Portion {
    /// What the particles carry.
    fn attributes(&self) -> Attributes<'_> {
        Attributes {
            velocities: &self.velocities,
            colours: &self.colours,
            temperatures: &self.temperatures,
        }
    }

    /// The particles as surfaces are made from them.
    fn particles(&self, scene: &Scene) -> ParticleSurface<'_> {
        let domain = &scene.setup.domain;
        let mut particles = ParticleSurface::new(&self.positions, particle_volume(scene));
        particles.settings = scene.pictures.surface.particles;
        particles.attributes = self.attributes();
        particles.slab = domain.flat.then(|| Slab {
            lower: domain.lower.z,
            upper: domain.upper().z,
        });
        particles
    }
}

/// Volume of one particle of a scene in cubic metres.
pub fn particle_volume(scene: &Scene) -> f32 {
    scene.method.particle_volume(&scene.setup.domain) as f32
}

/// The looks of a scene's materials for a subject of some size in metres.
pub(crate) fn looks(scene: &Scene, size: f32) -> Result<Vec<Look>, RenderError> {
    let materials = scene.setup.materials.iter();
    materials
        .map(|material| {
            let look = Look::named(&material.appearance.look)?.for_subject_size(size);
            let appearance = &material.appearance;
            Ok(if appearance.recoloured {
                look.with_colour(appearance.colour)
            } else {
                look
            })
        })
        .collect()
}

/// The surfaces of a frame's materials; a material without particles has none. Liquids that are level sets have the surface
/// on which it is zero.
pub fn surfaces(scene: &Scene, frame: &Channels) -> Result<Vec<LiquidSurface>, PictureError> {
    let domain = &scene.setup.domain;
    if let Some(level_set) = level_set_of(frame, domain)? {
        return of_level_set(scene, frame, &level_set);
    }
    portions(scene, frame)?
        .iter()
        .map(|portion| {
            let surface = if scene.pictures.surface.splatted {
                splatted(scene, portion)?
            } else {
                portion.particles(scene).build()?
            };
            Ok(LiquidSurface {
                material: portion.material,
                surface,
            })
        })
        .collect()
}

/// Discs along the surfaces of a frame's materials, in the colours of those.
pub(super) fn splats(
    scene: &Scene,
    frame: &Channels,
) -> Result<Vec<(String, TriangleMesh, Look)>, PictureError> {
    portions(scene, frame)?
        .iter()
        .map(|portion| {
            let material = &scene.setup.materials[portion.material];
            let look = Look::opaque(material.appearance.colour, 0.4);
            let mesh = ooze_surface::splats(&portion.particles(scene))?;
            Ok((material.name.clone(), mesh, look))
        })
        .collect()
}

/// The surfaces of the materials of a liquid that is a level set.
fn of_level_set(
    scene: &Scene,
    frame: &Channels,
    level_set: &Field<f32>,
) -> Result<Vec<LiquidSurface>, PictureError> {
    let domain = &scene.setup.domain;
    portions(scene, frame)?
        .iter()
        .map(|markers| {
            let own = part_of(frame, domain, level_set, markers.material as u8)?;
            Ok(LiquidSurface {
                material: markers.material,
                surface: zero_surface(scene, &own, markers)?,
            })
        })
        .collect()
}

/// The surface of particles that are splatted on a grid of half the cell size.
fn splatted(scene: &Scene, portion: &Portion) -> Result<Surface, PictureError> {
    let domain = &scene.setup.domain;
    let in_a_cell = domain.cell_size.powi(3) / particle_volume(scene);
    let level_set = splat_markers(&domain.lattice(), &portion.positions, in_a_cell)?;
    let mut surface = zero_surface(scene, &level_set, portion)?;
    surface.report.volume_wanted =
        portion.positions.len() as f64 * f64::from(particle_volume(scene));
    Ok(surface)
}

/// The surface on which a level set on half the scene's cells is zero, with what particles near it carry.
fn zero_surface(
    scene: &Scene,
    level_set: &Field<f32>,
    portion: &Portion,
) -> Result<Surface, PictureError> {
    let domain = &scene.setup.domain;
    let mut surface = level_set_surface(level_set, &scene.pictures.surface.level_set, &[]);
    if domain.flat {
        // The level set's slab is half as thick as the scene's.
        let middle = domain.lower.z + 0.25 * domain.cell_size;
        for position in &mut surface.mesh.positions {
            position.z = if position.z < middle {
                domain.lower.z
            } else {
                domain.upper().z
            };
        }
        surface.report.volume *= 2.0;
        surface.report.volume_wanted *= 2.0;
    }
    let spacing = particle_volume(scene).cbrt();
    let attributes = portion.attributes();
    set_attributes(&mut surface.mesh, &portion.positions, spacing, &attributes)?;
    Ok(surface)
}

/// The particles of a frame as balls in the colours of their materials.
pub(super) fn balls(scene: &Scene, frame: &Channels) -> Result<Vec<Particles>, PictureError> {
    // Balls of a particle's volume just overlap their neighbours' where the liquid is whole.
    let radius = (0.75 * particle_volume(scene) / std::f32::consts::PI).cbrt();
    let portions = portions(scene, frame)?.into_iter();
    Ok(portions
        .map(|portion| {
            let material = &scene.setup.materials[portion.material];
            Particles {
                name: material.name.clone(),
                positions: portion.positions,
                radius,
                colours: portion.colours,
                temperatures: portion.temperatures,
                look: Look::opaque(material.appearance.colour, 0.4),
            }
        })
        .collect())
}

fn portions(scene: &Scene, frame: &Channels) -> Result<Vec<Portion>, PictureError> {
    let positions = frame.vectors("position")?;
    let materials = frame.bytes("material").ok();
    let count = scene.setup.materials.len();
    let unknown = materials.and_then(|list| list.iter().position(|&id| usize::from(id) >= count));
    if let (Some(index), Some(list)) = (unknown, materials) {
        return Err(PictureError::Material {
            index,
            material: list[index],
            count,
        });
    }
    // What a frame does not hold is not shown.
    let velocities = frame.vectors("velocity").unwrap_or_default();
    let colours = frame.vectors("colour").unwrap_or_default();
    let temperatures = frame.scalars("temperature").unwrap_or_default();
    let mut found = Vec::new();
    for material in 0..count {
        let indices: Vec<usize> = (0..positions.len())
            .filter(|&index| {
                materials.map_or(material == 0, |list| usize::from(list[index]) == material)
            })
            .collect();
        if !indices.is_empty() {
            found.push(Portion {
                material,
                positions: chosen(positions, &indices),
                velocities: chosen(velocities, &indices),
                colours: chosen(colours, &indices),
                temperatures: chosen(temperatures, &indices),
            });
        }
    }
    Ok(found)
}

/// The values at some indices; none of an empty list.
fn chosen<T: Copy>(values: &[T], indices: &[usize]) -> Vec<T> {
    if values.is_empty() {
        return Vec::new();
    }
    indices.iter().map(|&index| values[index]).collect()
}
