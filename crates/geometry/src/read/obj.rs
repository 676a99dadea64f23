//! Wavefront OBJ: vertices and polygons. Everything else (groups, materials, texture coordinates, lines, curves) is
//! skipped.

use super::{
    push_fan,
    text::{fault, lines, shortened, vector},
};
use crate::{MeshFault, TriangleMesh};

pub(super) fn parse(bytes: &[u8]) -> Result<TriangleMesh, MeshFault> {
    let mut mesh = TriangleMesh::default();
    let mut polygons: Vec<(usize, Vec<i64>)> = Vec::new();
    let mut continued = String::new();
    for (number, line) in lines(bytes) {
        let line = line?;
        let line = line.trim_end();
        if let Some(part) = line.strip_suffix('\\') {
            continued.push_str(part);
            continued.push(' ');
            continue;
        }
        let whole = std::mem::take(&mut continued) + line;
        let mut words = whole.split_whitespace();
        match words.next() {
            Some("v") => mesh.positions.push(vector(&mut words, number)?),
            Some("f") => {
                let vertices = mesh.positions.len();
                let corners = words
                    .map(|word| corner(word, vertices, number))
                    .collect::<Result<Vec<_>, _>>()?;
                if corners.len() < 3 {
                    return Err(fault(
                        number,
                        format!("a face of {} corners", corners.len()),
                    ));
                }
                polygons.push((number, corners));
            }
            _ => {}
        }
    }
    // Faces may refer to vertices that follow them, so that they are checked when all are known.
    let vertices = mesh.positions.len();
    for (face, (line, polygon)) in polygons.iter().enumerate() {
        push_fan(&mut mesh, face, polygon).map_err(|error| match error {
            MeshFault::IndexOutOfRange { vertex, .. } => {
                let problem = format!(
                    "the face refers to vertex {}, but there are only {vertices}",
                    vertex + 1
                );
                fault(*line, problem)
            }
            other => other,
        })?;
    }
    Ok(mesh)
}

/// The vertex of a corner such as `3`, `3/1`, `3//2` or `-1` (the newest vertex so far), counted from 0.
fn corner(word: &str, vertices: usize, line: usize) -> Result<i64, MeshFault> {
    let index = word.split('/').next().unwrap_or_default();
    match index.parse::<i64>() {
        Ok(0) => Err(fault(
            line,
            "the face refers to vertex 0, but vertices count from 1",
        )),
        Ok(index) if index < 0 => {
            let vertex = index.saturating_add(vertices as i64);
            if vertex < 0 {
                let problem =
                    format!("the face refers to vertex {index}, but only {vertices} precede it");
                return Err(fault(line, problem));
            }
            Ok(vertex)
        }
        Ok(index) => Ok(index - 1),
        Err(_) => Err(fault(
            line,
            format!("`{}` is not a vertex number", shortened(word)),
        )),
    }
}
