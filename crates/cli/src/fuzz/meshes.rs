//! Mesh files of all formats in which bytes or numbers are others.

use glam::Vec3;
use ooze_geometry::{
    MeshDistance, MeshFormat, TriangleMesh, generate, parse_mesh, write_obj, write_ply,
};

use super::Answer;
use super::random::Random;

/// A whole file and its format.
fn whole(random: &mut Random) -> (MeshFormat, Vec<u8>) {
    let size = Vec3::new(0.5, 0.25, 1.0);
    let mesh = generate::cuboid(Vec3::new(0.1, 0.2, 0.3), size);
    let mut bytes = Vec::new();
    match random.below(6) {
        0 => {
            // Memory takes what a file would.
            let _ = write_obj(&mesh, &mut bytes);
            (MeshFormat::Obj, bytes)
        }
        1 => {
            let _ = write_ply(&mesh, &mut bytes);
            (MeshFormat::Ply, bytes)
        }
        2 => (MeshFormat::Ply, text_ply(&mesh).into_bytes()),
        3 => (MeshFormat::Stl, text_stl(&mesh).into_bytes()),
        4 => (MeshFormat::Stl, binary_stl(&mesh)),
        _ => (MeshFormat::Glb, glb(&mesh)),
    }
}

fn text_ply(mesh: &TriangleMesh) -> String {
    let (vertices, faces) = (mesh.positions.len(), mesh.triangles.len());
    let mut text = format!(
        "ply\nformat ascii 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\nelement face {faces}\nproperty list uchar int vertex_indices\nend_header\n"
    );
    for Vec3 { x, y, z } in &mesh.positions {
        text += &format!("{x} {y} {z}\n");
    }
    for [a, b, c] in &mesh.triangles {
        text += &format!("3 {a} {b} {c}\n");
    }
    text
}

fn text_stl(mesh: &TriangleMesh) -> String {
    let mut text = String::from("solid s\n");
    for index in 0..mesh.triangles.len() {
        text += "facet normal 0 0 0\nouter loop\n";
        for Vec3 { x, y, z } in mesh.corners(index) {
            text += &format!("vertex {x} {y} {z}\n");
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid s\n"
}

fn binary_stl(mesh: &TriangleMesh) -> Vec<u8> {
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

fn glb(mesh: &TriangleMesh) -> Vec<u8> {
    let coordinates = mesh.positions.iter().flat_map(|point| point.to_array());
    let mut data: Vec<u8> = coordinates.flat_map(f32::to_le_bytes).collect();
    let indices = mesh.triangles.iter().flatten();
    data.extend(indices.flat_map(|&index| (index as u16).to_le_bytes()));
    let (vertices, corners) = (mesh.positions.len(), 3 * mesh.triangles.len());
    let (first, second) = (12 * vertices, 2 * corners);
    let mut json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0,"scale":[1,1,2]}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"mode":4}}]}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":{vertices},"type":"VEC3"}},{{"bufferView":1,"componentType":5123,"count":{corners},"type":"SCALAR"}}],"bufferViews":[{{"buffer":0,"byteLength":{first}}},{{"buffer":0,"byteOffset":{first},"byteLength":{second}}}],"buffers":[{{"byteLength":{}}}]}}"#,
        first + second
    );
    while !json.len().is_multiple_of(4) {
        json.push(' ');
    }
    data.resize(data.len().next_multiple_of(4), 0);
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((12 + 8 + json.len() as u32 + 8 + data.len() as u32).to_le_bytes());
    for (name, chunk) in [(b"JSON", json.as_bytes()), (b"BIN\0", &data)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(name);
        bytes.extend(chunk);
    }
    bytes
}

/// Replaces numbers in the text of a file, in as many letters as they had, so that what follows stays in its place.
fn renumber(bytes: &mut [u8], random: &mut Random) {
    let digits: Vec<usize> = (0..bytes.len())
        .filter(|&at| bytes[at].is_ascii_digit())
        .collect();
    if digits.is_empty() {
        return;
    }
    for _ in 0..=random.below(3) {
        let at = *random.pick(&digits);
        bytes[at] = *random.pick(b"0123456789-e.");
    }
}

/// Reads one altered mesh.
pub(super) fn attempt(random: &mut Random) -> Answer {
    let (format, mut bytes) = whole(random);
    match random.below(4) {
        0 => renumber(&mut bytes, random),
        1 if random.once_in(4) => {
            let length = random.below(300);
            bytes = (0..length).map(|_| random.word() as u8).collect();
        }
        _ => random.damage(&mut bytes),
    }
    let Ok(mesh) = parse_mesh(&bytes, format) else {
        return Ok(false);
    };
    let vertices = mesh.positions.len();
    let mut corners = mesh.triangles.iter().flatten();
    if mesh.triangles.is_empty() || corners.any(|&corner| corner as usize >= vertices) {
        return Err("a mesh without sense was accepted".into());
    }
    // What a collider does with it.
    let _ = (mesh.edge_report(), mesh.volume());
    let Ok(distance) = MeshDistance::new(&mesh) else {
        return Ok(false);
    };
    for point in [Vec3::ZERO, Vec3::ONE, distance.bounds().lower] {
        if distance.distance(point).is_nan() {
            return Err(format!("no distance from {point}"));
        }
    }
    Ok(true)
}
