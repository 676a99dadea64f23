//! Mesh files out: OBJ text and binary PLY.

use std::io::{self, BufWriter, Write};

use glam::Vec3;

use crate::TriangleMesh;

/// Properties of PLY vertices that hold layers of texture coordinates.
pub(crate) const REST_NAMES: [[&str; 3]; 2] = [
    ["rest_x", "rest_y", "rest_z"],
    ["rest_2_x", "rest_2_y", "rest_2_z"],
];

/// Writes a mesh as Wavefront OBJ text, with normals when present.
///
/// Coordinates are written with as many digits as reading them back exactly takes.
pub fn write_obj(mesh: &TriangleMesh, output: impl Write) -> io::Result<()> {
    check_attributes(mesh)?;
    let mut output = BufWriter::new(output);
    writeln!(
        output,
        "# {} vertices, {} triangles",
        mesh.positions.len(),
        mesh.triangles.len()
    )?;
    for (keyword, vectors) in [("v", &mesh.positions), ("vn", &mesh.normals)] {
        for vector in vectors {
            writeln!(output, "{keyword} {} {} {}", vector.x, vector.y, vector.z)?;
        }
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| u64::from(vertex) + 1);
        if mesh.normals.is_empty() {
            writeln!(output, "f {a} {b} {c}")?;
        } else {
            writeln!(output, "f {a}//{a} {b}//{b} {c}//{c}")?;
        }
    }
    output.flush()
}

/// Writes a mesh as binary little-endian PLY with every attribute that is present.
///
/// Properties of a vertex, all 32-bit floats: `x y z`, then where present `nx ny nz` (normal), `vx vy vz` (velocity in
/// metres per second), `red green blue` (linear, 0 to 1), `rest_x rest_y rest_z` and `rest_2_x rest_2_y rest_2_z` (layers of texture
/// coordinates in metres) and `temperature` (kelvin).
pub fn write_ply(mesh: &TriangleMesh, output: impl Write) -> io::Result<()> {
    check_attributes(mesh)?;
    let mut output = BufWriter::new(output);
    let vectors: Vec<(&[Vec3], [&str; 3])> = [
        (mesh.positions.as_slice(), ["x", "y", "z"]),
        (&mesh.normals, ["nx", "ny", "nz"]),
        (&mesh.velocities, ["vx", "vy", "vz"]),
        (&mesh.colours, ["red", "green", "blue"]),
        (&mesh.rest_positions[0], REST_NAMES[0]),
        (&mesh.rest_positions[1], REST_NAMES[1]),
    ]
    .into_iter()
    .filter(|(values, names)| !values.is_empty() || names[0] == "x")
    .collect();

    writeln!(output, "ply\nformat binary_little_endian 1.0")?;
    writeln!(output, "element vertex {}", mesh.positions.len())?;
    for name in vectors.iter().flat_map(|(_, names)| names) {
        writeln!(output, "property float {name}")?;
    }
    if !mesh.temperatures.is_empty() {
        writeln!(output, "property float temperature")?;
    }
    writeln!(output, "element face {}", mesh.triangles.len())?;
    writeln!(output, "property list uchar int vertex_indices\nend_header")?;

    for vertex in 0..mesh.positions.len() {
        for number in vectors
            .iter()
            .flat_map(|(values, _)| values[vertex].to_array())
        {
            output.write_all(&number.to_le_bytes())?;
        }
        if let Some(temperature) = mesh.temperatures.get(vertex) {
            output.write_all(&temperature.to_le_bytes())?;
        }
    }
    for triangle in &mesh.triangles {
        output.write_all(&[3])?;
        for index in triangle {
            output.write_all(&index.to_le_bytes())?;
        }
    }
    output.flush()
}

/// Refuses a mesh with an attribute that not every vertex has.
fn check_attributes(mesh: &TriangleMesh) -> io::Result<()> {
    let vertices = mesh.positions.len();
    for (name, count) in [
        ("normals", mesh.normals.len()),
        ("velocities", mesh.velocities.len()),
        ("colours", mesh.colours.len()),
        ("temperatures", mesh.temperatures.len()),
        ("texture coordinates", mesh.rest_positions[0].len()),
        ("texture coordinates", mesh.rest_positions[1].len()),
    ] {
        if count != 0 && count != vertices {
            let problem = format!("a mesh of {vertices} vertices with {count} {name}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
    }
    Ok(())
}
