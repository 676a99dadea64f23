//! Writers of the formats that the library only reads.

use std::fmt::Write;

use ooze_geometry::TriangleMesh;

pub(crate) fn binary_stl(mesh: &TriangleMesh) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for index in 0..mesh.triangles.len() {
        bytes.extend([0; 12]);
        for corner in mesh.corners(index) {
            bytes.extend(corner.to_array().into_iter().flat_map(f32::to_le_bytes));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

pub(crate) fn text_stl(mesh: &TriangleMesh) -> Vec<u8> {
    let mut text = String::from("solid cube\n");
    for index in 0..mesh.triangles.len() {
        text.push_str("  facet normal 0 0 0\n    outer loop\n");
        for corner in mesh.corners(index) {
            writeln!(
                text,
                "      vertex {:e} {:e} {:e}",
                corner.x, corner.y, corner.z
            )
            .unwrap();
        }
        text.push_str("    endloop\n  endfacet\n");
    }
    text.push_str("endsolid cube\n");
    text.into_bytes()
}

fn ply_header(mesh: &TriangleMesh, format: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment made for tests\nelement vertex {}\nproperty float x\n\
         property float y\nproperty float z\nelement face {}\nproperty list uchar uint vertex_index\n\
         end_header\n",
        mesh.positions.len(),
        mesh.triangles.len()
    )
}

pub(crate) fn text_ply(mesh: &TriangleMesh) -> Vec<u8> {
    let mut text = ply_header(mesh, "ascii");
    for position in &mesh.positions {
        writeln!(text, "{} {} {}", position.x, position.y, position.z).unwrap();
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(text, "3 {a} {b} {c}").unwrap();
    }
    text.into_bytes()
}

pub(crate) fn big_endian_ply(mesh: &TriangleMesh) -> Vec<u8> {
    let mut bytes = ply_header(mesh, "binary_big_endian").into_bytes();
    for position in &mesh.positions {
        bytes.extend(position.to_array().into_iter().flat_map(f32::to_be_bytes));
    }
    for triangle in &mesh.triangles {
        bytes.push(3);
        bytes.extend(triangle.iter().flat_map(|index| index.to_be_bytes()));
    }
    bytes
}

/// A GLB file of one node with one mesh.
pub(crate) fn glb(mesh: &TriangleMesh) -> Vec<u8> {
    glb_with(mesh, r#"[{"mesh":0}]"#, 4, r#"{"byteLength":1}"#)
}

/// A GLB file with the given nodes, primitive mode and buffer.
pub(crate) fn glb_with(mesh: &TriangleMesh, nodes: &str, mode: u32, buffer: &str) -> Vec<u8> {
    let mut data: Vec<u8> = mesh
        .positions
        .iter()
        .flat_map(|position| position.to_array())
        .flat_map(f32::to_le_bytes)
        .collect();
    let vertex_bytes = data.len();
    data.extend(
        mesh.triangles
            .iter()
            .flatten()
            .flat_map(|&index| (index as u16).to_le_bytes()),
    );
    let index_bytes = data.len() - vertex_bytes;
    let (vertices, indices) = (mesh.positions.len(), 3 * mesh.triangles.len());
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":{nodes},
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"mode":{mode}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{vertices},"type":"VEC3"}},
        {{"bufferView":1,"componentType":5123,"count":{indices},"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{vertex_bytes}}},
        {{"buffer":0,"byteOffset":{vertex_bytes},"byteLength":{index_bytes}}}],"buffers":[{buffer}]}}"#
    );
    chunks(&json, &data)
}

/// A GLB file of a description alone.
pub(crate) fn glb_json(json: &str) -> Vec<u8> {
    chunks(json, &[])
}

/// The description in a GLB file.
pub(crate) fn glb_text(bytes: &[u8]) -> String {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    String::from_utf8(bytes[20..20 + length].to_vec()).unwrap()
}

/// Another description with the data of a GLB file.
pub(crate) fn glb_json_with_data(json: &str, bytes: &[u8]) -> Vec<u8> {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    chunks(json, &bytes[20 + length + 8..])
}

fn chunks(json: &str, data: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut data = data.to_vec();
    data.resize(data.len().next_multiple_of(4), 0);
    let mut bytes = b"glTF".to_vec();
    bytes.extend(2_u32.to_le_bytes());
    bytes.extend((28 + json.len() as u32 + data.len() as u32).to_le_bytes());
    for (name, content) in [(b"JSON", &json), (b"BIN\0", &data)] {
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(name);
        bytes.extend(content);
    }
    bytes
}
