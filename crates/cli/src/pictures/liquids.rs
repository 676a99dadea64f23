//! Liquids of a frame as surfaces or balls: one of each material, and one of materials that mix.

use ooze_core::{Frame, LevelSet, MaterialId};
use ooze_field::Field;
#[cfg(feature = "pictures")]
use ooze_geometry::TriangleMesh;
#[cfg(feature = "pictures")]
use ooze_render::Particles;
use ooze_scene::Scene;
use ooze_staging::{Look, StagingError};
use ooze_surface::{SideParticle, Surface, level_set_surface, set_attributes, splat_markers};

use super::PictureError;
use super::portions::{Portion, particle_volume, portions};

/// The surface in a frame of one material, or of several that mix.
pub struct LiquidSurface {
    /// Index of the material in the scene; of those that mix, of the first.
    pub material: usize,
    /// The surface, and figures about it.
    pub surface: Surface,
}

/// The looks of a scene's materials for a subject of some size in metres.
pub(crate) fn looks(scene: &Scene, size: f32) -> Result<Vec<Look>, StagingError> {
    let materials = scene.setup.materials.iter().enumerate();
    materials
        .map(|(index, material)| {
            let mut look = Look::named(&material.appearance.look)?.for_subject_size(size);
            look.texture = scene.textures.get(index).copied().flatten();
            let appearance = &material.appearance;
            look.clearing = appearance.clearing.unwrap_or(look.clearing);
            Ok(if appearance.recoloured {
                look.with_colour(appearance.colour)
            } else {
                look
            })
        })
        .collect()
}

/// The surfaces of a frame's materials; a material without particles has none, and materials that mix have one together.
/// Liquids that are level sets have the surface on which it is zero.
pub fn surfaces(scene: &Scene, frame: &Frame) -> Result<Vec<LiquidSurface>, PictureError> {
    if let Some(level_set) = &frame.level_set {
        return of_level_set(scene, frame, level_set);
    }
    portions(scene, frame)?
        .iter()
        .map(|portion| {
            Ok(LiquidSurface {
                material: portion.material,
                surface: of_particles(scene, portion)?,
            })
        })
        .collect()
}

/// The surface around particles.
pub(super) fn of_particles(scene: &Scene, portion: &Portion) -> Result<Surface, PictureError> {
    if scene.pictures.surface.splatted {
        splatted(scene, portion)
    } else {
        Ok(portion.particles(scene).build()?)
    }
}

/// Discs along the surfaces of a frame's materials, in the colours of those.
#[cfg(feature = "pictures")]
pub(super) fn splats(
    scene: &Scene,
    frame: &Frame,
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
    frame: &Frame,
    level_set: &LevelSet,
) -> Result<Vec<LiquidSurface>, PictureError> {
    let portions = portions(scene, frame)?;
    // Where materials share a level set, particles do not tell whose they are.
    let escaped = if portions.len() == 1 {
        escaped(level_set)
    } else {
        Vec::new()
    };
    portions
        .iter()
        .map(|markers| {
            let material = MaterialId(markers.material as u8);
            let own = level_set.part_of(material, scene.setup.domain.cell_size);
            Ok(LiquidSurface {
                material: markers.material,
                surface: zero_surface(scene, &own, &escaped, markers)?,
            })
        })
        .collect()
}

/// Particles that a level set has lost, as surfaces take them.
fn escaped(level_set: &LevelSet) -> Vec<SideParticle> {
    let particles = level_set.escaped.iter();
    particles
        .map(|particle| SideParticle {
            position: particle.position,
            radius: particle.radius,
            liquid: particle.liquid,
        })
        .collect()
}

/// The surface of particles that are splatted on a grid of half the cell size.
fn splatted(scene: &Scene, portion: &Portion) -> Result<Surface, PictureError> {
    let domain = &scene.setup.domain;
    let in_a_cell = domain.cell_size.powi(3) / particle_volume(scene);
    let level_set = splat_markers(&domain.lattice(), &portion.positions, in_a_cell)?;
    let mut surface = zero_surface(scene, &level_set, &[], portion)?;
    surface.report.volume_wanted =
        portion.positions.len() as f64 * f64::from(particle_volume(scene));
    Ok(surface)
}

/// The surface on which a level set on half the scene's cells is zero, corrected by particles that escaped from it, with
/// what markers near it carry.
fn zero_surface(
    scene: &Scene,
    level_set: &Field<f32>,
    escaped: &[SideParticle],
    portion: &Portion,
) -> Result<Surface, PictureError> {
    let domain = &scene.setup.domain;
    let mut surface = level_set_surface(level_set, &scene.pictures.surface.level_set, escaped);
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
#[cfg(feature = "pictures")]
pub(super) fn balls(scene: &Scene, frame: &Frame) -> Result<Vec<Particles>, PictureError> {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;
    use ooze_core::{ChannelData, EscapedParticle};
    use ooze_field::{Place, Topology};
    use ooze_scene::{Override, builtin};

    use super::*;

    #[test]
    fn materials_whose_colours_mix_have_one_surface() {
        let built_in = builtin::find("cream-in-coffee").expect("a built-in scene");
        let scene = Scene::parse(built_in.text, "cream-in-coffee", "").expect("sound");
        let spacing = scene.setup.domain.cell_size * 0.5;
        // Cream and coffee by turns.
        let place = |index: i32| Vec3::new((index % 20) as f32, (index / 20) as f32, 0.0);
        let positions: Vec<Vec3> = (0..400).map(|index| spacing * place(index)).collect();
        let mut frame = Frame::default();
        let particles = &mut frame.particles;
        particles.insert("position", ChannelData::Vector(positions));
        let materials = (0..400).map(|index| u8::from(index % 2 == 0)).collect();
        particles.insert("material", ChannelData::Byte(materials));
        let apart = surfaces(&scene, &frame).expect("surfaces");
        assert_eq!(apart.len(), 2);
        let grey = vec![Vec3::splat(0.5); 400];
        let colours = ChannelData::Vector(grey);
        frame.particles.insert("colour", colours);
        let mixed = surfaces(&scene, &frame).expect("surfaces");
        assert_eq!(mixed.len(), 1);
        let report = &mixed[0].surface.report;
        assert!((report.volume / report.volume_wanted - 1.0).abs() < 0.02);
    }

    #[test]
    fn finer_tetrahedra_show_what_the_level_set_has_lost() {
        let built_in = builtin::find("dam-break").expect("a built-in scene");
        let overrides = [
            Override::resolution("16"),
            Override::set("pictures.surface.extraction=tetrahedra-24"),
        ];
        let scene = Scene::parse_with(built_in.text, "dam-break", "", &overrides).expect("sound");
        let domain = &scene.setup.domain;
        let lattice = domain.lattice().refined();
        let topology = Arc::new(Topology::full(lattice));
        let centre = 0.5 * (domain.lower + domain.upper());
        let size = lattice.cell_size;
        let level_set = Field::from_points(&topology, Place::Node, size, |point| {
            (point.distance(centre) - 4.0 * size).clamp(-size, size)
        });
        let mut particles = ooze_core::Channels::default();
        particles.insert("position", ChannelData::Vector(vec![centre]));
        let reach = |escaped: Vec<EscapedParticle>| {
            let level_set = LevelSet {
                distance: level_set.clone(),
                shares: Vec::new(),
                escaped,
            };
            let frame = Frame {
                particles: particles.clone(),
                level_set: Some(level_set),
                ..Frame::default()
            };
            let found = surfaces(&scene, &frame).expect("surfaces");
            assert!(found[0].surface.mesh.edge_report().is_closed_manifold());
            found[0]
                .surface
                .mesh
                .positions
                .iter()
                .fold(0.0, |far: f32, point| far.max(point.distance(centre)))
        };
        assert!(reach(Vec::new()) < 5.0 * size);
        // A droplet in the middle of a cube, where the level set has no sample.
        let position = lattice.origin
            + size * ((centre - lattice.origin) / size).floor()
            + size * Vec3::new(6.5, 0.5, 0.5);
        let droplet = EscapedParticle {
            position,
            radius: 0.3 * size,
            liquid: true,
        };
        assert!(reach(vec![droplet]) > 6.0 * size);
    }
}
