//! Signed distance of triangle meshes.
//!
//! The distance is to the nearest triangle, exact; its sign is that of the winding number, which is robust against
//! T-junctions, repeated and intersecting pieces. Holes are closed first ([`holes`]), so that the signed distance is
//! continuous and 1-Lipschitz there too. Triangles inside of the solid, where pieces overlap, are no surface and do not
//! count for the distance; those that lie inside in part are cut where they enter, to 1/256 of the mesh's size.

mod bvh;
mod holes;
mod orient;
mod sampled;
mod separation;
mod solid;
mod triangle;
mod warning;
mod weld;
mod winding;

use std::{fmt, sync::Arc};

use glam::Vec3;

use crate::{Aabb, MeshError, TriangleMesh};
use bvh::Bvh;
use sampled::SampledDistance;
use solid::Solid;
use triangle::Nearest;

pub use warning::MeshWarning;

/// The signed distance of a triangle mesh; cheap to clone.
#[derive(Clone)]
pub struct MeshDistance {
    solid: Arc<Solid>,
    samples: Option<Arc<SampledDistance>>,
}

/// A summary: the trees and samples would fill many pages.
impl fmt::Debug for MeshDistance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MeshDistance")
            .field("triangles", &self.surface().triangles.len())
            .field("bounds", &self.bounds())
            .field("sample_bytes", &self.sample_bytes())
            .finish_non_exhaustive()
    }
}

impl MeshDistance {
    /// Prepares a mesh for distance queries: closes small holes, turns what faces the wrong way (both are told by
    /// [`Self::warnings`]), and refuses meshes that do not enclose a volume.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, MeshError> {
        Ok(Self {
            solid: Arc::new(Solid::new(mesh)?),
            samples: None,
        })
    }

    /// The same mesh with a grid of samples `cell_size` metres apart, which [`Self::sampled`] then uses.
    ///
    /// The samples resolve the distance up to `band` metres from the surface on either side; beyond that they give a
    /// lower bound. Refuses grids that would take more than 512 MiB.
    pub fn baked(&self, cell_size: f32, band: f32) -> Result<Self, MeshError> {
        let samples = SampledDistance::new(self, cell_size, band)?;
        Ok(Self {
            solid: Arc::clone(&self.solid),
            samples: Some(Arc::new(samples)),
        })
    }

    /// The exact signed distance, negative inside.
    pub fn distance(&self, point: Vec3) -> f32 {
        let distance = self.nearest(point).offset.length();
        if self.is_inside(point) {
            -distance
        } else {
            distance
        }
    }

    /// The distance from the grid of samples if there is one, else the exact one.
    ///
    /// Up to the band the error is at most [`Self::tolerance`], and falls with the square of the cell size where the
    /// surface is smooth. Further away it never exceeds the true distance, nor falls below the band.
    pub fn sampled(&self, point: Vec3) -> f32 {
        match &self.samples {
            Some(samples) => samples.distance(point),
            None => self.distance(point),
        }
    }

    /// The unit gradient of [`Self::sampled`].
    pub fn sampled_gradient(&self, point: Vec3) -> Vec3 {
        match &self.samples {
            Some(samples) => samples.gradient(point),
            None => self.gradient(point),
        }
    }

    /// The unit gradient of [`Self::distance`].
    pub fn gradient(&self, point: Vec3) -> Vec3 {
        let nearest = self.nearest(point);
        let outward = if self.is_inside(point) {
            -nearest.offset
        } else {
            nearest.offset
        };
        outward.try_normalize().unwrap_or_else(|| {
            let [a, b, c] = self.surface().triangles[nearest.triangle as usize];
            (b - a).cross(c - a).normalize_or(Vec3::Y)
        })
    }

    /// The nearest point of the surface.
    pub fn closest_point(&self, point: Vec3) -> Vec3 {
        point - self.nearest(point).offset
    }

    /// How many times the surface winds around `point`: 0 outside, 1 inside, 2 inside two overlapping pieces.
    pub fn winding_number(&self, point: Vec3) -> f32 {
        self.solid
            .winding
            .winding_number(&self.solid.closed, point.as_dvec3()) as f32
    }

    /// The mesh to draw: as it was given, or as it was put right where it had holes or faced the wrong way.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.solid.mesh
    }

    /// The smallest box around the surface.
    pub fn bounds(&self) -> Aabb {
        self.surface().bounds()
    }

    /// The most by which |[`Self::sampled`]| may exceed the true distance: zero without a grid of samples.
    pub fn tolerance(&self) -> f32 {
        self.samples
            .as_ref()
            .map_or(0.0, |samples| samples.tolerance())
    }

    /// How far from the surface [`Self::sampled`] resolves the distance: everywhere without a grid of samples.
    pub fn band(&self) -> f32 {
        self.samples
            .as_ref()
            .map_or(f32::INFINITY, |samples| samples.band())
    }

    /// The memory that the grid of samples takes.
    pub fn sample_bytes(&self) -> usize {
        self.samples.as_ref().map_or(0, |samples| samples.bytes())
    }

    /// What was odd about the mesh and how it was put right.
    pub fn warnings(&self) -> &[MeshWarning] {
        &self.solid.warnings
    }

    fn surface(&self) -> &Bvh {
        self.solid.separating.as_ref().unwrap_or(&self.solid.closed)
    }

    fn is_inside(&self, point: Vec3) -> bool {
        self.solid
            .winding
            .winding_number(&self.solid.closed, point.as_dvec3())
            > 0.5
    }

    fn nearest(&self, point: Vec3) -> Nearest {
        // Only a point without coordinates has no nearest triangle.
        let nowhere = Nearest {
            offset: Vec3::NAN,
            triangle: 0,
        };
        self.surface()
            .nearest(point, f32::INFINITY)
            .unwrap_or(nowhere)
    }
}
