//! Mesh files in: OBJ, STL, PLY and binary glTF.
//!
//! The readers are our own: they are small, and those on offer either panic on broken files (gltf 1.4: a header length
//! below 12 bytes, an accessor out of range) or lose the line or record at fault (tobj, stl_io, ply-rs). None of ours
//! panics on any input or reserves memory that the file's size does not justify. Polygons are cut into fans, which
//! keeps even a concave polygon right for winding numbers. Normals and other attributes are read from PLY files only:
//! colliders and sources need positions alone.

mod glb;
mod glb_json;
mod obj;
mod ply;
mod ply_header;
mod stl;
mod text;

use std::{fs, path::Path};

use crate::{MeshError, MeshFault, TriangleMesh};

/// The mesh file formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFormat {
    /// Wavefront OBJ.
    Obj,
    /// STL, text or binary.
    Stl,
    /// PLY, text or binary of either byte order.
    Ply,
    /// glTF 2.0 binary, all in one file.
    Glb,
}

impl MeshFormat {
    /// The format of a file by its extension, in capitals or not.
    pub fn of(path: &Path) -> Result<Self, MeshFault> {
        let extension = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match extension.to_ascii_lowercase().as_str() {
            "obj" => Ok(Self::Obj),
            "stl" => Ok(Self::Stl),
            "ply" => Ok(Self::Ply),
            "glb" => Ok(Self::Glb),
            _ => Err(MeshFault::UnknownExtension { extension }),
        }
    }
}

/// Reads a mesh, choosing the format by the file's extension.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<TriangleMesh, MeshError> {
    let path = path.as_ref();
    let read = || {
        let format = MeshFormat::of(path)?;
        let bytes = fs::read(path).map_err(MeshFault::Unreadable)?;
        parse(&bytes, format)
    };
    read().map_err(|fault| MeshError::from(fault).in_file(path))
}

/// Reads a mesh from bytes in memory.
pub fn parse_mesh(bytes: &[u8], format: MeshFormat) -> Result<TriangleMesh, MeshError> {
    Ok(parse(bytes, format)?)
}

fn parse(bytes: &[u8], format: MeshFormat) -> Result<TriangleMesh, MeshFault> {
    if bytes.is_empty() {
        return Err(MeshFault::EmptyFile);
    }
    let mesh = match format {
        MeshFormat::Obj => obj::parse(bytes),
        MeshFormat::Stl => stl::parse(bytes),
        MeshFormat::Ply => ply::parse(bytes),
        MeshFormat::Glb => glb::parse(bytes),
    }?;
    if mesh.triangles.is_empty() {
        return Err(MeshFault::NoTriangles);
    }
    Ok(mesh)
}

/// Cuts the polygon of face `face` into a fan of triangles, checking that its vertices exist.
fn push_fan(mesh: &mut TriangleMesh, face: usize, polygon: &[i64]) -> Result<(), MeshFault> {
    let vertices = mesh.positions.len();
    let check = |&vertex: &i64| {
        u32::try_from(vertex)
            .ok()
            .filter(|&index| (index as usize) < vertices)
            .ok_or(MeshFault::IndexOutOfRange {
                face,
                vertex,
                vertices,
            })
    };
    let corners: Vec<u32> = polygon.iter().map(check).collect::<Result<_, _>>()?;
    if let [apex, rest @ ..] = corners.as_slice() {
        mesh.triangles
            .extend(rest.windows(2).map(|pair| [*apex, pair[0], pair[1]]));
    }
    Ok(())
}
