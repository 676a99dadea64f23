//! Mesh files out.
#![allow(unused_variables)]

use std::io::{self, Write};

use crate::TriangleMesh;

/// Writes a mesh as Wavefront OBJ text, with normals when present.
pub fn write_obj(mesh: &TriangleMesh, output: impl Write) -> io::Result<()> {
    todo!()
}
/// Writes a mesh as binary little-endian PLY, with every attribute that is present.
pub fn write_ply(mesh: &TriangleMesh, output: impl Write) -> io::Result<()> {
    todo!()
}
