//! PLY (the Stanford polygon format), text and binary: vertices with their attributes, and polygons.

use glam::Vec3;

use super::{
    ply_header::{Element, Encoding, Header, Scalar},
    push_fan,
    text::{fault, shortened},
};
use crate::write::REST_NAMES;
use crate::{MeshFault, TriangleMesh};

pub(super) fn parse(bytes: &[u8]) -> Result<TriangleMesh, MeshFault> {
    let header = Header::parse(bytes)?;
    let mut source = Source::new(&header, bytes);
    let mut mesh = TriangleMesh::default();
    // Faces may come before the vertices they refer to.
    let mut polygons: Option<Vec<Vec<i64>>> = None;
    for element in &header.elements {
        source.check_length(element, &header)?;
        match element.name.as_str() {
            "vertex" => read_vertices(element, &mut source, &mut mesh)?,
            "face" => polygons = Some(read_faces(element, &mut source)?),
            _ => skip(element, &mut source)?,
        }
    }
    for (face, polygon) in polygons.unwrap_or_default().iter().enumerate() {
        push_fan(&mut mesh, face, polygon)?;
    }
    Ok(mesh)
}

/// Reads the vertices and the attributes that [`crate::write_ply`] writes.
fn read_vertices(
    element: &Element,
    source: &mut Source<'_>,
    mesh: &mut TriangleMesh,
) -> Result<(), MeshFault> {
    let find = |names: [&str; 3]| -> Option<[usize; 3]> {
        let mut columns = [0; 3];
        for (column, name) in columns.iter_mut().zip(names) {
            let is_it = |property: &super::ply_header::Property| {
                property.name == name && property.list_length.is_none()
            };
            *column = element.properties.iter().position(is_it)?;
        }
        Some(columns)
    };
    let positions = find(["x", "y", "z"]).ok_or_else(|| MeshFault::Record {
        record: "PLY header".into(),
        problem: "element `vertex` lacks the properties `x`, `y` and `z`".into(),
    })?;
    let normals = find(["nx", "ny", "nz"]);
    let velocities = find(["vx", "vy", "vz"]);
    let colours = find(["red", "green", "blue"]);
    let rests = REST_NAMES.map(find);
    // Whole numbers stand for shares of the largest.
    let whole = colours.map_or(1.0, |columns| match element.properties[columns[0]].scalar {
        Scalar::U8 => 1.0 / 255.0,
        Scalar::U16 => 1.0 / 65535.0,
        _ => 1.0,
    });
    let temperature = element
        .properties
        .iter()
        .position(|property| property.name == "temperature" && property.list_length.is_none());

    let mut values = vec![0.0; element.properties.len()];
    for index in 0..element.count {
        for (value, property) in values.iter_mut().zip(&element.properties) {
            match property.list_length {
                None => *value = source.scalar(property.scalar, element, index)?,
                Some(length) => {
                    source.list(length, property.scalar, element, index, |_| ())?;
                }
            }
        }
        let vector =
            |columns: [usize; 3]| Vec3::from_array(columns.map(|column| values[column] as f32));
        mesh.positions.push(vector(positions));
        mesh.normals.extend(normals.map(vector));
        mesh.velocities.extend(velocities.map(vector));
        mesh.colours
            .extend(colours.map(vector).map(|colour| colour * whole));
        for (layer, rest) in mesh.rest_positions.iter_mut().zip(rests) {
            layer.extend(rest.map(vector));
        }
        mesh.temperatures
            .extend(temperature.map(|column| values[column] as f32));
    }
    Ok(())
}

/// Reads the vertex indices of the faces and skips their other properties.
fn read_faces(element: &Element, source: &mut Source<'_>) -> Result<Vec<Vec<i64>>, MeshFault> {
    let indices = element
        .properties
        .iter()
        .position(|property| {
            ["vertex_indices", "vertex_index"].contains(&property.name.as_str())
                && property.list_length.is_some()
        })
        .ok_or_else(|| MeshFault::Record {
            record: "PLY header".into(),
            problem: "element `face` lacks the list property `vertex_indices`".into(),
        })?;
    let mut polygons = Vec::new();
    for index in 0..element.count {
        for (column, property) in element.properties.iter().enumerate() {
            match property.list_length {
                None => {
                    source.scalar(property.scalar, element, index)?;
                }
                Some(length) if column == indices => {
                    let mut polygon = Vec::new();
                    source.list(length, property.scalar, element, index, |value| {
                        polygon.push(value as i64);
                    })?;
                    polygons.push(polygon);
                }
                Some(length) => {
                    source.list(length, property.scalar, element, index, |_| ())?;
                }
            }
        }
    }
    Ok(polygons)
}

fn skip(element: &Element, source: &mut Source<'_>) -> Result<(), MeshFault> {
    // Records without properties take no space, and a count of them proves nothing.
    if element.properties.is_empty() {
        return Ok(());
    }
    for index in 0..element.count {
        for property in &element.properties {
            match property.list_length {
                None => {
                    source.scalar(property.scalar, element, index)?;
                }
                Some(length) => {
                    source.list(length, property.scalar, element, index, |_| ())?;
                }
            }
        }
    }
    Ok(())
}

/// The body of the file, read number by number.
struct Source<'a> {
    rest: &'a [u8],
    total: usize,
    encoding: Encoding,
    line: usize,
}

impl<'a> Source<'a> {
    fn new(header: &Header, bytes: &'a [u8]) -> Self {
        Self {
            rest: &bytes[header.bytes..],
            total: bytes.len(),
            encoding: header.encoding,
            line: header.lines + 1,
        }
    }

    /// Refuses a binary file that cannot hold the records its header announces.
    fn check_length(&self, element: &Element, header: &Header) -> Result<(), MeshFault> {
        if self.encoding == Encoding::Text {
            return Ok(());
        }
        let needed = element.count.saturating_mul(element.least_bytes());
        if needed <= self.rest.len() as u64 {
            return Ok(());
        }
        let before = (self.total - self.rest.len()) as u64;
        let header_share = if before == header.bytes as u64 {
            "the header"
        } else {
            "all before"
        };
        Err(MeshFault::Truncated {
            announced: format!(
                "{header_share} and {} records of `{}`",
                element.count, element.name
            ),
            expected: before.saturating_add(needed),
            found: self.total as u64,
        })
    }

    fn list(
        &mut self,
        length: Scalar,
        scalar: Scalar,
        element: &Element,
        index: u64,
        mut take: impl FnMut(f64),
    ) -> Result<(), MeshFault> {
        let count = self.scalar(length, element, index)?;
        if count < 0.0 || count.fract() != 0.0 || !count.is_finite() {
            return Err(record(element, index, format!("a list of {count} entries")));
        }
        for _ in 0..count as u64 {
            take(self.scalar(scalar, element, index)?);
        }
        Ok(())
    }

    fn scalar(&mut self, scalar: Scalar, element: &Element, index: u64) -> Result<f64, MeshFault> {
        match self.encoding {
            Encoding::Text => self.word(element, index),
            Encoding::LittleEndian | Encoding::BigEndian => self.binary(scalar, element, index),
        }
    }

    fn binary(&mut self, scalar: Scalar, element: &Element, index: u64) -> Result<f64, MeshFault> {
        let (taken, rest) = self
            .rest
            .split_at_checked(scalar.bytes())
            .ok_or_else(|| record(element, index, "the file ends here".into()))?;
        self.rest = rest;
        let mut bytes = [0; 8];
        bytes[..taken.len()].copy_from_slice(taken);
        if self.encoding == Encoding::BigEndian {
            bytes[..taken.len()].reverse();
        }
        let [a, b, c, d, ..] = bytes;
        Ok(match scalar {
            Scalar::I8 => f64::from(a as i8),
            Scalar::U8 => f64::from(a),
            Scalar::I16 => f64::from(i16::from_le_bytes([a, b])),
            Scalar::U16 => f64::from(u16::from_le_bytes([a, b])),
            Scalar::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Scalar::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Scalar::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Scalar::F64 => f64::from_le_bytes(bytes),
        })
    }

    fn word(&mut self, element: &Element, index: u64) -> Result<f64, MeshFault> {
        let start = self
            .rest
            .iter()
            .position(|byte| !byte.is_ascii_whitespace());
        let skipped = &self.rest[..start.unwrap_or(self.rest.len())];
        self.line += skipped.iter().filter(|&&byte| byte == b'\n').count();
        self.rest = &self.rest[skipped.len()..];
        if self.rest.is_empty() {
            return Err(record(element, index, "the file ends here".into()));
        }
        let length = self
            .rest
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        let word = String::from_utf8_lossy(word);
        word.parse()
            .map_err(|_| fault(self.line, format!("`{}` is not a number", shortened(&word))))
    }
}

fn record(element: &Element, index: u64, problem: String) -> MeshFault {
    MeshFault::Record {
        record: format!("{} {index}", shortened(&element.name)),
        problem,
    }
}
