//! Surfaces of liquids that are level sets.

use ooze_field::{Field, level_set};
use ooze_geometry::TriangleMesh;

use crate::cubes::marching_cubes;
use crate::mesh::normals::{set_level_set_normals, set_vertex_normals};
use crate::mesh::pieces::Pieces;
use crate::mesh::rings::Rings;
use crate::mesh::smooth::{smooth, smooth_and_scale};
use crate::particles::{Surface, SurfaceReport};
use crate::settings::LevelSetSettings;
use crate::tetrahedra::{SideParticle, marching_tetrahedra};

/// Farthest that a surface is moved to match the level set's volume, in cells.
const FARTHEST_MOVE: f64 = 0.25;

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
    let mut mesh = match settings.extraction.subdivision() {
        None => marching_cubes(level_set, 0.0),
        Some(subdivision) => marching_tetrahedra(level_set, 0.0, subdivision, particles),
    };
    // A slab has sharp edges, which smoothing and smooth normals would round.
    let flat = level_set.topology().lattice().flat;
    let steps = if flat { 0 } else { settings.smoothing_steps };
    let volume_wanted = level_set::volume(level_set);
    let smoothing = if flat {
        smooth(&mut mesh, 0)
    } else {
        let pieces = Pieces::of(&mesh);
        let volumes = pieces.volumes(&mesh);
        let scale = scale_to(volume_wanted, &mesh, level_set);
        let rings = Rings::new(&mesh);
        smooth_and_scale(&mut mesh, &rings, &pieces, volumes, steps, scale)
    };
    if steps > 0 {
        set_vertex_normals(&mut mesh);
    } else if !flat {
        set_level_set_normals(&mut mesh, level_set);
    }
    Surface {
        mesh,
        report: SurfaceReport {
            volume_wanted,
            volume: smoothing.volume_after,
            smoothing,
            ..SurfaceReport::default()
        },
    }
}

/// The factor on a mesh's volume that makes up for what triangles cut off round shapes; one where it is more than that.
fn scale_to(volume_wanted: f64, mesh: &TriangleMesh, level_set: &Field<f32>) -> f64 {
    let volume = mesh.volume();
    let cell_size = f64::from(level_set.topology().lattice().cell_size);
    let near = (volume_wanted - volume).abs() < FARTHEST_MOVE * cell_size * mesh.area();
    if near && volume > 0.0 {
        volume_wanted / volume
    } else {
        1.0
    }
}
