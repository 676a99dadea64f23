//! Shapes with signed distance, triangle meshes and keyframed motion.
//!
//! - [`Shape`]: primitives, meshes and their combinations, each with a signed distance (negative inside).
//! - [`MeshDistance`]: the signed distance of a triangle mesh, tolerant of small holes and self-intersections.
//! - [`read_mesh`], [`write_obj`], [`write_ply`]: meshes from and to files; [`generate`]: meshes from formulas.
//! - [`Motion`]: keyframed and spinning rigid motion with uniform scale, and its exact velocity at any point.

mod aabb;
mod box_tree;
mod distance;
pub mod generate;
mod mass;
mod mesh;
mod motion;
mod read;
mod shape;
mod write;

pub use aabb::Aabb;
pub use box_tree::{BoxNode, BoxTree, BoxTreeSettings};
pub use distance::{MeshDistance, MeshWarning};
pub use mass::MassProperties;
pub use mesh::{EdgeReport, TriangleMesh};
pub use mesh::{MeshError, MeshFault};
pub use motion::{Interpolation, Keyframe, Motion, MotionError, Pose, Spin, Twist};
pub use read::{MeshFormat, parse_mesh, read_mesh};
pub use shape::{Form, Grains, Shape, ShapeError, ShellSide};
pub use write::{write_obj, write_ply};
