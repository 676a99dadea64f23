//! Liquids of a frame as surfaces, one of each material.

use glam::Vec3;
use ooze_core::{ChannelError, Channels};
use ooze_render::{Look, RenderError};
use ooze_scene::{Method, Scene};
use ooze_surface::{Attributes, ParticleSurface, Slab, Surface};

use super::PictureError;

/// The surface of one material in a frame.
pub struct LiquidSurface {
    /// Index of the material in the scene.
    pub material: usize,
    /// The surface, and figures about it.
    pub surface: Surface,
}

/// Volume of one particle of a scene in cubic metres.
pub fn particle_volume(scene: &Scene) -> f32 {
    let Method::Flip(settings) = &scene.method;
    ooze_grid::particle_volume(&scene.setup.domain, settings.sampling) as f32
}

/// The looks of a scene's materials for a subject of some size in metres.
pub(crate) fn looks(scene: &Scene, size: f32) -> Result<Vec<Look>, RenderError> {
    let materials = scene.setup.materials.iter();
    materials
        .map(|material| Ok(Look::named(&material.appearance.look)?.for_subject_size(size)))
        .collect()
}

/// The surfaces of a frame's materials; a material without particles has none.
pub fn surfaces(scene: &Scene, frame: &Channels) -> Result<Vec<LiquidSurface>, PictureError> {
    let domain = &scene.setup.domain;
    let count = frame.vectors("position")?.len();
    let materials = optional(frame.bytes("material"))?;
    let mut found = Vec::new();
    for material in 0..scene.setup.materials.len() {
        let of_material = |particle: &usize| match materials.get(*particle) {
            Some(&index) => usize::from(index) == material,
            None => material == 0,
        };
        let chosen: Vec<usize> = (0..count).filter(of_material).collect();
        if chosen.is_empty() {
            continue;
        }
        let vectors = |name: &str| -> Result<Vec<Vec3>, ChannelError> {
            Ok(pick(optional(frame.vectors(name))?, &chosen))
        };
        let positions = vectors("position")?;
        let mut particles = ParticleSurface::new(&positions, particle_volume(scene));
        let (velocities, colours) = (vectors("velocity")?, vectors("colour")?);
        let temperatures = pick(optional(frame.scalars("temperature"))?, &chosen);
        particles.attributes = Attributes {
            velocities: &velocities,
            colours: &colours,
            temperatures: &temperatures,
        };
        particles.slab = domain.flat.then(|| Slab {
            lower: domain.lower.z,
            upper: domain.upper().z,
        });
        found.push(LiquidSurface {
            material,
            surface: particles.build()?,
        });
    }
    Ok(found)
}

/// Nothing for a channel that the run does not have.
fn optional<T>(found: Result<&[T], ChannelError>) -> Result<&[T], ChannelError> {
    match found {
        Err(ChannelError::Missing { .. }) => Ok(&[]),
        other => other,
    }
}

/// The values of some particles. Too short a list gives too few, which the surface refuses.
fn pick<T: Copy>(values: &[T], chosen: &[usize]) -> Vec<T> {
    let chosen = chosen.iter();
    chosen
        .filter_map(|&index| values.get(index).copied())
        .collect()
}
