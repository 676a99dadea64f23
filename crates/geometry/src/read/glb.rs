//! glTF 2.0 binary (GLB): all triangles of the default scene, with the transforms of their nodes applied.
//!
//! Not read: buffers in other files, compressed or quantised positions, sparse accessors, skins and morph targets.
//! A file that needs one of these says so.

use std::fmt::Display;

use glam::{DMat4, DQuat, DVec3, Vec3};

use super::glb_json::{Accessor, COMPONENT_F32, Document, Node, Primitive};
use crate::{MeshFault, TriangleMesh};

const MAGIC: &[u8] = b"glTF";
const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;

/// More vertices than this can only be a file made to harm: many nodes may show one large mesh.
const MOST_VERTICES: usize = 1 << 28;

pub(super) fn parse(bytes: &[u8]) -> Result<TriangleMesh, MeshFault> {
    let (json, binary) = split_chunks(bytes)?;
    let document: Document =
        serde_json::from_slice(json).map_err(|error| fault(format!("the description: {error}")))?;
    if let Some(extension) = document.extensions_required.first() {
        return Err(fault(format!(
            "needs the extension `{extension}`; export without it"
        )));
    }
    if document.meshes.is_empty() {
        return Err(fault("there is no mesh in the file"));
    }
    let roots = document.root_nodes().map_err(fault)?;
    let mut reader = Reader {
        document: &document,
        binary,
        mesh: TriangleMesh::default(),
    };
    reader.add_nodes(&roots)?;
    Ok(reader.mesh)
}

fn fault(problem: impl Display) -> MeshFault {
    MeshFault::Gltf(problem.to_string())
}

/// The JSON chunk and the binary chunk, which is empty when there is none.
fn split_chunks(bytes: &[u8]) -> Result<(&[u8], &[u8]), MeshFault> {
    if !bytes.starts_with(MAGIC) {
        return Err(fault(
            "not a binary glTF file: it does not begin with `glTF`",
        ));
    }
    let version = word(bytes, 4)?;
    if version != 2 {
        return Err(fault(format!(
            "version {version}, but only version 2 can be read"
        )));
    }
    let length = word(bytes, 8)? as usize;
    if length > bytes.len() {
        return Err(MeshFault::Truncated {
            announced: "the header says that header and chunks".into(),
            expected: length as u64,
            found: bytes.len() as u64,
        });
    }
    let (mut json, mut binary): (Option<&[u8]>, &[u8]) = (None, &[]);
    let mut position = HEADER_BYTES;
    while position + CHUNK_HEADER_BYTES <= bytes.len() {
        let length = word(bytes, position)? as usize;
        let start = position + CHUNK_HEADER_BYTES;
        let content = bytes
            .get(start..start.saturating_add(length))
            .ok_or_else(|| MeshFault::Truncated {
                announced: "a chunk and all before it".into(),
                expected: (start as u64).saturating_add(length as u64),
                found: bytes.len() as u64,
            })?;
        match &bytes[position + 4..start] {
            b"JSON" if json.is_none() => json = Some(content),
            b"BIN\0" if binary.is_empty() => binary = content,
            _ => {}
        }
        // Chunks begin at multiples of four bytes.
        position = (start + length).next_multiple_of(4);
    }
    let json = json.ok_or_else(|| fault("the chunk with the description is missing"))?;
    Ok((json, binary))
}

/// The little-endian number at `position`.
fn word(bytes: &[u8], position: usize) -> Result<u32, MeshFault> {
    bytes
        .get(position..position + 4)
        .and_then(|taken| taken.try_into().ok())
        .map(u32::from_le_bytes)
        .ok_or_else(|| MeshFault::Truncated {
            announced: "the headers".into(),
            expected: position as u64 + 4,
            found: bytes.len() as u64,
        })
}

struct Reader<'a> {
    document: &'a Document,
    binary: &'a [u8],
    mesh: TriangleMesh,
}

impl<'a> Reader<'a> {
    /// Adds the meshes of some nodes and of all below them, in the order of the file.
    fn add_nodes(&mut self, roots: &[usize]) -> Result<(), MeshFault> {
        let document = self.document;
        let mut seen = vec![false; document.nodes.len()];
        let mut waiting: Vec<_> = roots
            .iter()
            .rev()
            .map(|&root| (root, DMat4::IDENTITY))
            .collect();
        while let Some((index, parent)) = waiting.pop() {
            let node = get(&document.nodes, index, "node").map_err(fault)?;
            if std::mem::replace(&mut seen[index], true) {
                return Err(fault(format!(
                    "node {index} occurs twice, but nodes must form a tree"
                )));
            }
            let transform = parent * local_transform(node);
            if let Some(mesh) = node.mesh {
                let primitives = &get(&document.meshes, mesh, "mesh")
                    .map_err(fault)?
                    .primitives;
                for (number, primitive) in primitives.iter().enumerate() {
                    self.add_primitive(primitive, transform)
                        .map_err(|problem| {
                            fault(format!("mesh {mesh}, primitive {number}: {problem}"))
                        })?;
                }
            }
            waiting.extend(node.children.iter().rev().map(|&child| (child, transform)));
        }
        Ok(())
    }

    fn add_primitive(&mut self, primitive: &Primitive, transform: DMat4) -> Result<(), String> {
        let position = primitive.attributes.position.ok_or("it has no positions")?;
        let positions = self.positions(position)?;
        let indices = match primitive.indices {
            Some(accessor) => self.indices(accessor)?,
            None => (0..positions.len() as u32).collect(),
        };
        let outside = |index: &&u32| **index as usize >= positions.len();
        if let Some(index) = indices.iter().find(outside) {
            let vertices = positions.len();
            return Err(format!(
                "it refers to vertex {index}, but there are only {vertices}"
            ));
        }
        let mut triangles = triangles(primitive.mode, &indices)?;
        // A mirroring transform turns triangles inside out.
        if transform.determinant() < 0.0 {
            triangles
                .iter_mut()
                .for_each(|triangle| triangle.swap(1, 2));
        }
        let first = self.mesh.positions.len() as u32;
        if self.mesh.positions.len() + positions.len() > MOST_VERTICES {
            return Err(format!("more than {MOST_VERTICES} vertices in all"));
        }
        let place = |position: Vec3| transform.transform_point3(position.as_dvec3()).as_vec3();
        self.mesh.positions.extend(positions.into_iter().map(place));
        self.mesh.triangles.extend(
            triangles
                .iter()
                .map(|corners| corners.map(|index| first + index)),
        );
        Ok(())
    }

    fn positions(&self, index: usize) -> Result<Vec<Vec3>, String> {
        let accessor = get(&self.document.accessors, index, "accessor")?;
        if (accessor.kind.as_str(), accessor.component_type) != ("VEC3", COMPONENT_F32) {
            return Err("its positions are not vectors of 32-bit floats".into());
        }
        let records = self.records(index, accessor, 12)?;
        let coordinate = |record: &[u8], axis: usize| {
            f32::from_le_bytes(std::array::from_fn(|byte| record[4 * axis + byte]))
        };
        let vector = |record| Vec3::from_array([0, 1, 2].map(|axis| coordinate(record, axis)));
        Ok(records.map(vector).collect())
    }

    fn indices(&self, index: usize) -> Result<Vec<u32>, String> {
        let accessor = get(&self.document.accessors, index, "accessor")?;
        let size = match (accessor.kind.as_str(), accessor.component_type) {
            ("SCALAR", 5121) => 1,
            ("SCALAR", 5123) => 2,
            ("SCALAR", 5125) => 4,
            _ => return Err("its indices are not unsigned whole numbers".into()),
        };
        let number = |record: &[u8]| {
            record
                .iter()
                .rev()
                .fold(0_u32, |number, &byte| number << 8 | u32::from(byte))
        };
        Ok(self.records(index, accessor, size)?.map(number).collect())
    }

    /// The records of an accessor, each `size` bytes; all of them are known to exist.
    fn records(
        &self,
        index: usize,
        accessor: &Accessor,
        size: usize,
    ) -> Result<impl Iterator<Item = &'a [u8]>, String> {
        if accessor.sparse.is_some() {
            return Err(format!(
                "accessor {index} is sparse, which is not supported"
            ));
        }
        let view = accessor
            .buffer_view
            .ok_or(format!("accessor {index} has no data"))?;
        let view = get(&self.document.buffer_views, view, "buffer view")?;
        let buffer = get(&self.document.buffers, view.buffer, "buffer")?;
        if let Some(uri) = &buffer.uri {
            let uri = super::text::shortened(uri);
            return Err(format!(
                "its data are in `{uri}`; export it all in one .glb file"
            ));
        }
        if view.buffer != 0 {
            return Err(format!(
                "buffer {} has neither data nor an address",
                view.buffer
            ));
        }
        let stride = view.byte_stride.unwrap_or(size).max(size);
        let outside = || format!("accessor {index} reaches beyond the data in the file");
        let end = view
            .byte_offset
            .checked_add(view.byte_length)
            .ok_or_else(outside)?;
        let data = self
            .binary
            .get(view.byte_offset..end)
            .and_then(|data| data.get(accessor.byte_offset..))
            .ok_or_else(outside)?;
        let needed = match accessor.count {
            0 => 0,
            count => (count - 1)
                .checked_mul(stride)
                .and_then(|all_but_last| all_but_last.checked_add(size))
                .ok_or_else(outside)?,
        };
        let data = data.get(..needed).ok_or_else(outside)?;
        Ok((0..accessor.count).map(move |record| &data[record * stride..][..size]))
    }
}

/// Cuts the vertices of a primitive into triangles by its mode.
fn triangles(mode: u32, indices: &[u32]) -> Result<Vec<[u32; 3]>, String> {
    match mode {
        4 => Ok(indices.as_chunks::<3>().0.to_vec()),
        // Every other triangle of a strip runs the other way round.
        5 => Ok(indices
            .windows(3)
            .enumerate()
            .map(|(index, corners)| match index % 2 {
                0 => [corners[0], corners[1], corners[2]],
                _ => [corners[1], corners[0], corners[2]],
            })
            .collect()),
        6 => Ok(indices
            .split_first()
            .map(|(apex, rest)| {
                rest.windows(2)
                    .map(|pair| [*apex, pair[0], pair[1]])
                    .collect()
            })
            .unwrap_or_default()),
        0 => Err("it is made of points, not triangles".into()),
        1..=3 => Err("it is made of lines, not triangles".into()),
        _ => Err(format!("unknown mode {mode}")),
    }
}

fn local_transform(node: &Node) -> DMat4 {
    if let Some(matrix) = node.matrix {
        return DMat4::from_cols_array(&matrix);
    }
    let rotation = node.rotation.map_or(DQuat::IDENTITY, DQuat::from_array);
    let rotation = if rotation.length_squared() > 0.0 {
        rotation.normalize()
    } else {
        rotation
    };
    DMat4::from_scale_rotation_translation(
        node.scale.map_or(DVec3::ONE, DVec3::from_array),
        rotation,
        node.translation.map_or(DVec3::ZERO, DVec3::from_array),
    )
}

fn get<'a, T>(list: &'a [T], index: usize, what: &str) -> Result<&'a T, String> {
    list.get(index)
        .ok_or_else(|| format!("{what} {index} does not exist"))
}
