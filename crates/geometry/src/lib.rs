//! Shapes with signed distance, triangle meshes and keyframed motion.

mod mesh;

pub use mesh::TriangleMesh;
