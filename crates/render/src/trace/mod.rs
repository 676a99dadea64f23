//! Rays against many triangles and spheres.

mod build;
mod bvh;
mod closest;
mod ray;
mod spheres;
mod triangles;

pub(crate) use ray::{Ray, RayFrame};
pub(crate) use spheres::SphereSet;
pub(crate) use triangles::{Crossing, MeshSource, TriangleSet};
