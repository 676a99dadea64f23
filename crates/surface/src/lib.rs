//! Triangle surfaces of liquids, from level sets and from particles.
//!
//! - [`ParticleSurface`]: the surface of particles; smooth pools, whole sheets and strands, and the particles' volume.
//! - [`level_set_surface`], [`marching_cubes`], [`marching_tetrahedra`]: the surface of a level set on a sparse field.
//! - [`splat_markers`]: a field from massless markers, to extract a surface from.
//! - [`splats`]: particles at the surface as discs, for quick looks.
//! - [`smooth`], [`set_vertex_normals`], [`set_level_set_normals`], [`set_attributes`]: what is done to a mesh afterwards.
//!
//! All meshes but splats are closed and manifold, counter-clockwise seen from outside, and the same on any number of threads. Time
//! and memory grow with the liquid, not with the box around it. Flat liquids give slabs.

mod attributes;
mod cubes;
mod discs;
mod error;
mod level_set;
mod mesh;
mod particles;
mod samples;
mod settings;
mod slab;
mod splat;
mod tetrahedra;
mod tiles;
mod weld;

pub use attributes::{Attributes, set_attributes};
pub use cubes::marching_cubes;
pub use discs::splats;
pub use error::SurfaceError;
pub use level_set::level_set_surface;
pub use mesh::normals::{set_level_set_normals, set_vertex_normals};
pub use mesh::smooth::{SmoothingReport, smooth};
pub use particles::{ParticleSurface, Slab, Surface, SurfaceReport};
pub use settings::{Extraction, LevelSetSettings, SurfaceMethod, SurfaceSettings};
pub use splat::splat_markers;
pub use tetrahedra::{SideParticle, Subdivision, marching_tetrahedra};
