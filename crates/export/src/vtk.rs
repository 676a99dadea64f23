//! VTK's XML files: unstructured grids of particles (`.vtu`), polygons (`.vtp`) and collections of them (`.pvd`).
//!
//! Numbers are appended to the XML as they are, each array after its length in bytes; ParaView, VTK and meshio read that,
//! and files are no larger than the data.

use std::io::{self, Write};

use bytemuck::cast_slice;
use glam::Vec3;
use ooze_core::{ChannelData, Channels, Load};
use ooze_geometry::{Pose, TriangleMesh, Twist};

use crate::ExportSolid;

/// The number of the cell type that is a single point.
const VERTEX_CELL: u8 = 1;

/// An array of a file: its name, type, numbers an item, and bytes.
struct Array<'a> {
    name: &'a str,
    kind: &'static str,
    components: usize,
    bytes: Bytes<'a>,
}

enum Bytes<'a> {
    Borrowed(&'a [u8]),
    Made(Vec<u8>),
}

impl Bytes<'_> {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Made(bytes) => bytes,
        }
    }
}

impl<'a> Array<'a> {
    fn new(name: &'a str, kind: &'static str, components: usize, bytes: &'a [u8]) -> Self {
        Self {
            name,
            kind,
            components,
            bytes: Bytes::Borrowed(bytes),
        }
    }

    fn made(name: &'a str, kind: &'static str, bytes: Vec<u8>) -> Self {
        Self {
            name,
            kind,
            components: 1,
            bytes: Bytes::Made(bytes),
        }
    }

    /// The whole numbers from `first` on, `step` apart.
    fn counting(name: &'a str, count: usize, first: i64, step: i64) -> Self {
        let numbers = (0..count as i64).flat_map(|index| (first + step * index).to_le_bytes());
        Self::made(name, "Int64", numbers.collect())
    }

    fn of_channel(name: &'a str, data: &'a ChannelData) -> Self {
        match data {
            ChannelData::Scalar(values) => Self::new(name, "Float32", 1, cast_slice(values)),
            ChannelData::Vector(values) => Self::new(name, "Float32", 3, cast_slice(values)),
            ChannelData::Byte(values) => Self::new(name, "UInt8", 1, values),
            ChannelData::Word(values) => Self::new(name, "UInt32", 1, cast_slice(values)),
            ChannelData::Double(values) => Self::new(name, "Float64", 1, cast_slice(values)),
        }
    }
}

/// A group of arrays: points, cells, or what belongs to points.
struct Group<'a> {
    tag: &'static str,
    /// Further attributes of the tag.
    attributes: String,
    arrays: Vec<Array<'a>>,
}

/// Writes particles with all their channels.
pub(crate) fn write_particles(
    channels: &Channels,
    time: f64,
    output: &mut dyn Write,
) -> io::Result<()> {
    let positions = channels.vectors("position").map_err(io::Error::other)?;
    let count = positions.len();
    let carried = channels.iter().filter(|(name, _)| *name != "position");
    let groups = [
        points(cast_slice(positions)),
        Group {
            tag: "Cells",
            attributes: String::new(),
            arrays: vec![
                Array::counting("connectivity", count, 0, 1),
                Array::counting("offsets", count, 1, 1),
                Array::made("types", "UInt8", vec![VERTEX_CELL; count]),
            ],
        },
        Group {
            tag: "PointData",
            attributes: String::new(),
            arrays: carried
                .map(|(name, data)| Array::of_channel(name, data))
                .collect(),
        },
    ];
    let piece = format!("NumberOfPoints=\"{count}\" NumberOfCells=\"{count}\"");
    write_file("UnstructuredGrid", &piece, time, &groups, output)
}

/// Writes a mesh with everything that its vertices carry.
pub(crate) fn write_surface(
    mesh: &TriangleMesh,
    time: f64,
    output: &mut dyn Write,
) -> io::Result<()> {
    let triangles = mesh.triangles.len();
    let corners = mesh.triangles.as_flattened().iter();
    let connectivity = corners.flat_map(|&corner| i64::from(corner).to_le_bytes());
    let arrays = [
        ("normal", 3, cast_slice(&mesh.normals)),
        ("velocity", 3, cast_slice(&mesh.velocities)),
        ("colour", 3, cast_slice(&mesh.colours)),
        ("temperature", 1, cast_slice(&mesh.temperatures)),
        ("rest_position", 3, cast_slice(&mesh.rest_positions[0])),
        ("rest_position_2", 3, cast_slice(&mesh.rest_positions[1])),
    ];
    let groups = [
        points(cast_slice(&mesh.positions)),
        Group {
            tag: "Polys",
            attributes: String::new(),
            arrays: vec![
                Array::made("connectivity", "Int64", connectivity.collect()),
                Array::counting("offsets", triangles, 3, 3),
            ],
        },
        Group {
            tag: "PointData",
            attributes: if mesh.normals.is_empty() {
                String::new()
            } else {
                " Normals=\"normal\"".into()
            },
            arrays: arrays
                .into_iter()
                .filter(|(_, _, bytes): &(_, _, &[u8])| !bytes.is_empty())
                .map(|(name, components, bytes)| Array::new(name, "Float32", components, bytes))
                .collect(),
        },
    ];
    let piece = format!(
        "NumberOfPoints=\"{}\" NumberOfPolys=\"{triangles}\"",
        mesh.positions.len()
    );
    write_file("PolyData", &piece, time, &groups, output)
}

/// Writes where solids are as points, with how they are turned, w first as VTK has it, and what else is known of them.
pub(crate) fn write_solids(
    solids: &[ExportSolid],
    time: f64,
    output: &mut dyn Write,
) -> io::Result<()> {
    let count = solids.len();
    let states: Vec<(Pose, Twist)> = solids.iter().map(ExportSolid::state).collect();
    let vectors = |of: &dyn Fn(&(Pose, Twist)) -> Vec3| -> Vec<u8> {
        let vectors: Vec<Vec3> = states.iter().map(of).collect();
        cast_slice(&vectors).to_vec()
    };
    let turns: Vec<[f32; 4]> = states
        .iter()
        .map(|(pose, _)| {
            [
                pose.rotation.w,
                pose.rotation.x,
                pose.rotation.y,
                pose.rotation.z,
            ]
        })
        .collect();
    let scales: Vec<f32> = states.iter().map(|(pose, _)| pose.scale).collect();
    let array = |name, components, bytes| Array {
        components,
        ..Array::made(name, "Float32", bytes)
    };
    let mut data = vec![
        Array::counting("solid", count, 0, 1),
        array("orientation", 4, cast_slice(&turns).to_vec()),
        array("scale", 1, cast_slice(&scales).to_vec()),
        array("velocity", 3, vectors(&|(_, twist)| twist.linear)),
        array("spin", 3, vectors(&|(_, twist)| twist.angular)),
    ];
    let loads: Option<Vec<Load>> = solids.iter().map(|solid| solid.load).collect();
    if let Some(loads) = &loads {
        let numbers = |of: fn(&Load) -> [f64; 3]| {
            let numbers: Vec<[f64; 3]> = loads.iter().map(of).collect();
            cast_slice(&numbers).to_vec()
        };
        for (name, bytes) in [
            ("force", numbers(|load| load.force)),
            ("torque", numbers(|load| load.torque)),
        ] {
            data.push(Array {
                components: 3,
                ..Array::made(name, "Float64", bytes)
            });
        }
    }
    let positions: Vec<Vec3> = states.iter().map(|(pose, _)| pose.translation).collect();
    let groups = [
        points(cast_slice(&positions)),
        Group {
            tag: "Verts",
            attributes: String::new(),
            arrays: vec![
                Array::counting("connectivity", count, 0, 1),
                Array::counting("offsets", count, 1, 1),
            ],
        },
        Group {
            tag: "PointData",
            attributes: String::new(),
            arrays: data,
        },
    ];
    let piece = format!("NumberOfPoints=\"{count}\" NumberOfVerts=\"{count}\"");
    write_file("PolyData", &piece, time, &groups, output)
}

fn points(bytes: &[u8]) -> Group<'_> {
    Group {
        tag: "Points",
        attributes: String::new(),
        arrays: vec![Array::new("position", "Float32", 3, bytes)],
    }
}

fn write_file(
    kind: &str,
    piece: &str,
    time: f64,
    groups: &[Group],
    output: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        output,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"{kind}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <{kind}>\n\
         <FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time}</DataArray></FieldData>\n\
         <Piece {piece}>"
    )?;
    let mut offset = 0;
    for group in groups {
        writeln!(output, "<{}{}>", group.tag, group.attributes)?;
        for array in &group.arrays {
            writeln!(
                output,
                "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{offset}\"/>",
                array.kind,
                escaped(array.name),
                array.components
            )?;
            offset += size_of::<u64>() + array.bytes.as_slice().len();
        }
        writeln!(output, "</{}>", group.tag)?;
    }
    write!(
        output,
        "</Piece>\n</{kind}>\n<AppendedData encoding=\"raw\">\n_"
    )?;
    for array in groups.iter().flat_map(|group| &group.arrays) {
        let bytes = array.bytes.as_slice();
        output.write_all(&(bytes.len() as u64).to_le_bytes())?;
        output.write_all(bytes)?;
    }
    write!(output, "\n</AppendedData>\n</VTKFile>\n")
}

/// A text inside of an XML attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

/// Files and their times.
#[derive(Default)]
pub(crate) struct Collection {
    files: Vec<(f64, String)>,
}

impl Collection {
    /// Adds a file that lies beside the collection.
    pub(crate) fn push(&mut self, time: f64, name: String) {
        self.files.push((time, name));
    }

    /// The `.pvd` file that lists them.
    pub(crate) fn text(&self) -> String {
        let lines: String = self
            .files
            .iter()
            .map(|(time, name)| {
                let name = escaped(name);
                format!("<DataSet timestep=\"{time}\" part=\"0\" file=\"{name}\"/>\n")
            })
            .collect();
        format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n{lines}</Collection>\n</VTKFile>\n"
        )
    }
}
