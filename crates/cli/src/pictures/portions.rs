//! The particles of a frame, sorted by what they are shown as.

use glam::Vec3;
use ooze_core::{Frame, TextureCoordinates};
use ooze_scene::Scene;
use ooze_surface::{Attributes, ParticleSurface, Slab};

use super::PictureError;

/// The particles in a frame of one material, or of several that mix.
pub(super) struct Portion {
    pub(super) material: usize,
    pub(super) positions: Vec<Vec3>,
    pub(super) velocities: Vec<Vec3>,
    pub(super) colours: Vec<Vec3>,
    pub(super) temperatures: Vec<f32>,
    /// The share of each that has melted, or none.
    pub(super) melted: Vec<f32>,
    pub(super) rest_positions: [Vec<Vec3>; 2],
}

impl Portion {
    /// What the particles carry.
    pub(super) fn attributes(&self) -> Attributes<'_> {
        Attributes {
            velocities: &self.velocities,
            colours: &self.colours,
            temperatures: &self.temperatures,
            rest_positions: self.rest_positions.each_ref().map(Vec::as_slice),
        }
    }

    /// The particles as surfaces are made from them.
    pub(super) fn particles(&self, scene: &Scene) -> ParticleSurface<'_> {
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

    /// The particles at some indices.
    pub(super) fn part(&self, indices: &[usize]) -> Self {
        Self {
            material: self.material,
            positions: chosen(&self.positions, indices),
            velocities: chosen(&self.velocities, indices),
            colours: chosen(&self.colours, indices),
            temperatures: chosen(&self.temperatures, indices),
            melted: chosen(&self.melted, indices),
            rest_positions: self
                .rest_positions
                .each_ref()
                .map(|layer| chosen(layer, indices)),
        }
    }
}

/// Volume of one particle of a scene in cubic metres.
pub fn particle_volume(scene: &Scene) -> f32 {
    scene.method.particle_volume(&scene.setup.domain) as f32
}

/// The particles of a frame by material; those of materials that mix, together.
pub(super) fn portions(scene: &Scene, frame: &Frame) -> Result<Vec<Portion>, PictureError> {
    let particles = &frame.particles;
    let positions = particles.vectors("position")?;
    let materials = particles.bytes("material").ok();
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
    let velocities = particles.vectors("velocity").unwrap_or_default();
    let colours = particles.vectors("colour").unwrap_or_default();
    let temperatures = particles.scalars("temperature").unwrap_or_default();
    let melted = particles.scalars("melted").unwrap_or_default();
    let rest_positions =
        TextureCoordinates::CHANNELS.map(|name| particles.vectors(name).unwrap_or_default());
    // Frames hold the colours of particles where those mix: between them there is no surface.
    let leading = |material: usize| {
        let look = |index: usize| &scene.setup.materials[index].appearance.look;
        let same = (0..material).find(|&other| look(other) == look(material));
        same.filter(|_| !colours.is_empty()).unwrap_or(material)
    };
    let leaders: Vec<usize> = (0..count).map(leading).collect();
    let mut found = Vec::new();
    for material in 0..count {
        let indices: Vec<usize> = (0..positions.len())
            .filter(|&index| {
                let own = materials.map_or(0, |list| usize::from(list[index]));
                leaders[own] == material
            })
            .collect();
        if !indices.is_empty() {
            found.push(Portion {
                material,
                positions: chosen(positions, &indices),
                velocities: chosen(velocities, &indices),
                colours: chosen(colours, &indices),
                temperatures: chosen(temperatures, &indices),
                melted: chosen(melted, &indices),
                rest_positions: rest_positions.map(|layer| chosen(layer, &indices)),
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
