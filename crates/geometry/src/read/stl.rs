//! STL, text and binary. Its triangles do not share vertices; corners at equal coordinates are joined here.

use std::collections::HashMap;

use glam::Vec3;

use super::text::{fault, lines, vector};
use crate::{MeshFault, TriangleMesh};

/// A free text, then the number of triangles.
const HEADER_BYTES: usize = 84;
/// A normal, three corners and two bytes of attributes.
const TRIANGLE_BYTES: usize = 50;

pub(super) fn parse(bytes: &[u8]) -> Result<TriangleMesh, MeshFault> {
    // Binary files may begin with `solid` too, and text files may be of any length: neither alone decides.
    let announced = bytes
        .get(80..HEADER_BYTES)
        .and_then(|count| Some(u32::from_le_bytes(count.try_into().ok()?) as usize));
    let expected = announced.map(|count| HEADER_BYTES as u64 + (count * TRIANGLE_BYTES) as u64);
    let looks_like_text = bytes.trim_ascii_start().starts_with(b"solid")
        && expected.is_none_or(|expected| expected != bytes.len() as u64);
    if looks_like_text {
        return parse_text(bytes);
    }
    let found = bytes.len() as u64;
    match (announced, expected) {
        (Some(count), Some(expected)) if expected <= found => Ok(parse_binary(bytes, count)),
        (Some(count), Some(expected)) => Err(MeshFault::Truncated {
            announced: format!("{count} triangles"),
            expected,
            found,
        }),
        _ => Err(MeshFault::Truncated {
            announced: "the header and count of a binary STL file".into(),
            expected: HEADER_BYTES as u64,
            found,
        }),
    }
}

fn parse_binary(bytes: &[u8], count: usize) -> TriangleMesh {
    let mut joined = Joined::default();
    for record in bytes[HEADER_BYTES..]
        .chunks_exact(TRIANGLE_BYTES)
        .take(count)
    {
        let (coordinates, _) = record.as_chunks::<4>();
        let corner = |index: usize| {
            let first = 3 + 3 * index;
            Vec3::from_array([0, 1, 2].map(|axis| f32::from_le_bytes(coordinates[first + axis])))
        };
        joined.push_triangle([corner(0), corner(1), corner(2)]);
    }
    joined.mesh
}

fn parse_text(bytes: &[u8]) -> Result<TriangleMesh, MeshFault> {
    let mut joined = Joined::default();
    let mut corners: Vec<Vec3> = Vec::new();
    let mut last_line = 1;
    for (number, line) in lines(bytes) {
        let line = line?;
        let mut words = line.split_whitespace();
        match words.next().map(str::to_ascii_lowercase).as_deref() {
            Some("vertex") => corners.push(vector(&mut words, number)?),
            Some("endloop" | "endfacet") if !corners.is_empty() => {
                let triangle = <[Vec3; 3]>::try_from(corners.as_slice()).map_err(|_| {
                    fault(
                        number,
                        format!("a facet of {} vertices instead of 3", corners.len()),
                    )
                })?;
                joined.push_triangle(triangle);
                corners.clear();
            }
            Some(
                "solid" | "endsolid" | "facet" | "outer" | "endloop" | "endfacet" | "color" | "end",
            )
            | None => {}
            Some(word) => {
                let problem = format!("`{}` does not belong in STL", super::text::shortened(word));
                return Err(fault(number, problem));
            }
        }
        last_line = number;
    }
    if !corners.is_empty() {
        return Err(fault(last_line, "the file ends within a facet"));
    }
    Ok(joined.mesh)
}

/// A mesh that grows triangle by triangle and keeps one vertex for equal coordinates.
#[derive(Default)]
struct Joined {
    mesh: TriangleMesh,
    vertices: HashMap<[u32; 3], u32>,
}

impl Joined {
    fn push_triangle(&mut self, corners: [Vec3; 3]) {
        let triangle = corners.map(|corner| {
            // Adding zero makes the two zeros one.
            let key = (corner + 0.0).to_array().map(f32::to_bits);
            *self.vertices.entry(key).or_insert_with(|| {
                self.mesh.positions.push(corner);
                self.mesh.positions.len() as u32 - 1
            })
        });
        self.mesh.triangles.push(triangle);
    }
}
