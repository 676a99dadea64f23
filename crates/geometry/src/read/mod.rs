//! Mesh files in.
#![allow(unused_variables)]

use std::path::Path;

use crate::{MeshError, TriangleMesh};

/// The mesh file formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFormat {
    /// Wavefront OBJ.
    Obj,
    /// STL, text or binary.
    Stl,
    /// PLY, text or binary of either byte order.
    Ply,
    /// glTF 2.0 binary.
    Glb,
}

/// Reads a mesh, choosing the format by the file's extension.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<TriangleMesh, MeshError> {
    todo!()
}
/// Reads a mesh from bytes in memory.
pub fn parse_mesh(bytes: &[u8], format: MeshFormat) -> Result<TriangleMesh, MeshError> {
    todo!()
}
