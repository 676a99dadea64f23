//! What can be wrong with a mesh or its file.

use std::{fmt, io, path::PathBuf};

use glam::Vec3;
use thiserror::Error;

/// A mesh that was refused: what is wrong with it and, when it came from a file, which file.
#[derive(Debug, Error)]
pub struct MeshError {
    /// The file that holds the mesh, if it came from one.
    pub path: Option<PathBuf>,
    /// What is wrong.
    pub fault: MeshFault,
}

impl fmt::Display for MeshError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(formatter, "{}: ", path.display())?;
        }
        self.fault.fmt(formatter)
    }
}

impl From<MeshFault> for MeshError {
    fn from(fault: MeshFault) -> Self {
        Self { path: None, fault }
    }
}

impl MeshError {
    /// The same fault, reported for the file at `path`.
    pub fn in_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.path = Some(path.into());
        self
    }
}

/// What is wrong with a mesh. Vertices and faces are counted from 0, lines from 1.
#[derive(Debug, Error)]
pub enum MeshFault {
    /// The file is missing or may not be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// The extension names no known format.
    #[error("{} is not a known mesh format; use .obj, .stl, .ply or .glb", extension_name(.extension))]
    UnknownExtension {
        /// The extension without its dot; empty if there is none.
        extension: String,
    },
    /// Nothing to read.
    #[error("the file is empty")]
    EmptyFile,
    /// A line of a text file, or of the text that heads a binary one, makes no sense.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong there.
        problem: String,
    },
    /// A binary file is shorter than its header announces.
    #[error("truncated: {announced} take {expected} bytes, but the file has {found}")]
    Truncated {
        /// What the header announces, as `12 triangles`.
        announced: String,
        /// The bytes that would take, headers included.
        expected: u64,
        /// The bytes there are.
        found: u64,
    },
    /// A record of a binary file makes no sense.
    #[error("{record}: {problem}")]
    Record {
        /// The record, as `face 12`.
        record: String,
        /// What is wrong there.
        problem: String,
    },
    /// A glTF file holds something that cannot serve as a mesh.
    #[error("glTF: {0}")]
    Gltf(String),
    /// There is not a single triangle.
    #[error("there are no triangles")]
    NoTriangles,
    /// A triangle refers to a vertex that does not exist.
    #[error("face {face} refers to vertex {vertex}, but there are only {vertices} vertices")]
    IndexOutOfRange {
        /// The face at fault.
        face: usize,
        /// The vertex it refers to.
        vertex: i64,
        /// The number of vertices.
        vertices: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} is at {position}, which is not a place: coordinates must be finite")]
    NotFinite {
        /// The vertex at fault.
        vertex: usize,
        /// Where it is.
        position: Vec3,
    },
    /// A coordinate is so large that millimetres are lost.
    #[error(
        "vertex {vertex} is at {position}, further than {limit} m from the origin; \
         are the units right? Coordinates are in metres"
    )]
    TooLarge {
        /// The vertex at fault.
        vertex: usize,
        /// Where it is.
        position: Vec3,
        /// The largest coordinate allowed.
        limit: f32,
    },
    /// No triangle has an area.
    #[error("all {triangles} triangles are degenerate: their corners coincide or lie on a line")]
    AllDegenerate {
        /// The number of triangles.
        triangles: usize,
    },
    /// The triangles enclose nothing, even with their holes closed.
    #[error(
        "a flat sheet: its {} m² enclose no volume; give it a thickness of at least a grid cell",
        short(*.area)
    )]
    FlatSheet {
        /// The area of the sheet in square metres.
        area: f64,
    },
    /// Too much of the surface is missing to tell inside from outside.
    #[error(
        "open by {boundary_edges} boundary edges of {edges}; holes: {holes}, the largest {} m across near {} (up to {} m \
         can be mended), together {share:.1} % of the surface (up to {share_limit} % can be mended); close it or thicken it",
        short(*.largest), short_vector(*.near), short(*.limit)
    )]
    Open {
        /// Edges with a triangle on one side only.
        boundary_edges: usize,
        /// Edges in all.
        edges: usize,
        /// The number of holes.
        holes: usize,
        /// The diameter of the largest hole in metres.
        largest: f32,
        /// The middle of the largest hole.
        near: Vec3,
        /// The diameter up to which a hole is mended, in metres.
        limit: f32,
        /// The missing surface as a percentage of the whole.
        share: f64,
        /// The percentage up to which holes are mended.
        share_limit: f64,
    },
    /// Too many triangles face the wrong way to tell inside from outside.
    #[error(
        "inconsistently oriented: {turned} of {triangles} triangles ({share:.0} %) face the other way than their \
         neighbours, so that inside and outside cancel; recalculate the normals"
    )]
    Inconsistent {
        /// Triangles that face the wrong way.
        turned: usize,
        /// Triangles in all.
        triangles: usize,
        /// The former as a percentage of the latter.
        share: f64,
    },
    /// The size of a sample cell is not a usable length.
    #[error("{parameter} is {value}, but must be finite and above 0 m")]
    SampleSize {
        /// `cell_size` or `band`.
        parameter: &'static str,
        /// Its value.
        value: f32,
    },
    /// The grid of samples would not fit in memory.
    #[error(
        "sampling every {cell_size} m needs about {mebibytes} MiB, more than {limit} MiB; \
         use a cell size of at least {} m",
        short(*.suggestion)
    )]
    SamplesTooFine {
        /// The cell size asked for.
        cell_size: f32,
        /// The memory it would take.
        mebibytes: u64,
        /// The memory allowed.
        limit: u64,
        /// A cell size that fits.
        suggestion: f32,
    },
}

fn extension_name(extension: &str) -> String {
    if extension.is_empty() {
        "no extension".into()
    } else {
        format!("`.{extension}`")
    }
}

/// A number with four significant digits.
pub(crate) fn short(number: impl Into<f64>) -> String {
    let number = number.into();
    let before_point = if number == 0.0 {
        0.0
    } else {
        number.abs().log10().floor() + 1.0
    };
    let decimals = (4.0 - before_point).clamp(0.0, 12.0);
    let rounded = format!("{number:.0$}", decimals as usize);
    match rounded.contains('.') {
        true => rounded
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        false => rounded,
    }
}

/// A place with four significant digits.
pub(crate) fn short_vector(vector: Vec3) -> String {
    let [x, y, z] = vector.to_array().map(short);
    format!("[{x}, {y}, {z}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_messages_are_short() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (1.999_999_9, "2"),
            (0.519_615_2, "0.5196"),
            (-12.3456, "-12.35"),
            (123_456.7, "123457"),
            (0.000_012_345_6, "0.00001235"),
            (1e-20, "0"),
        ];
        for (number, expected) in cases {
            assert_eq!(short(number), expected);
        }
    }
}
