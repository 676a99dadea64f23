//! Surfaces of liquids that are level sets.

use ooze_field::Field;

use crate::cubes::marching_cubes;
use crate::mesh::normals::{set_level_set_normals, set_vertex_normals};
use crate::mesh::smooth::smooth;
use crate::particles::{Surface, SurfaceReport};
use crate::settings::{Extraction, LevelSetSettings};
use crate::tetrahedra::{SideParticle, marching_tetrahedra};

/// The surface on which a level set is zero: a closed mesh with normals, from the level set's gradient or, where it was
/// smoothed, from its own triangles. Flat lattices give slabs, which have sharp edges: they are not smoothed and have no
/// normals.
///
/// `particles` of a particle level set correct the points that finer tetrahedra add; marching cubes uses none. For
/// velocities, colours and temperatures see [`crate::set_attributes`].
pub fn level_set_surface(
    level_set: &Field<f32>,
    settings: &LevelSetSettings,
    particles: &[SideParticle],
) -> Surface {
    let mut mesh = match settings.extraction {
        Extraction::Cubes => marching_cubes(level_set, 0.0),
        Extraction::Tetrahedra(subdivision) => {
            marching_tetrahedra(level_set, 0.0, subdivision, particles)
        }
    };
    // A slab has sharp edges, which smoothing and smooth normals would round.
    let flat = level_set.topology().lattice().flat;
    let steps = if flat { 0 } else { settings.smoothing_steps };
    let smoothing = smooth(&mut mesh, steps);
    if steps > 0 {
        set_vertex_normals(&mut mesh);
    } else if !flat {
        set_level_set_normals(&mut mesh, level_set);
    }
    Surface {
        mesh,
        report: SurfaceReport {
            volume_wanted: smoothing.volume_before,
            volume: smoothing.volume_after,
            smoothing,
            ..SurfaceReport::default()
        },
    }
}
