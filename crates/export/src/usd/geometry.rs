//! Liquids' surfaces and particles as prims with samples, colliders and the camera as prims that are moved.

use std::io::{self, Seek, Write};

use glam::{Mat4, Vec2, Vec3};
use ooze_core::{ChannelData, Channels};
use ooze_geometry::TriangleMesh;

use super::crate_file::CrateFile;
use super::stage::{StageLiquid, StageTracers, View};
use super::track::{Attribute, Tracks};
use super::tree::{Prim, Property};
use super::value::Value;
use crate::names;

/// The attribute that viewers without materials colour things by.
pub(super) const COLOUR: &str = "primvars:displayColor";

/// Samples a mesh.
pub(super) fn sample_mesh<W: Write + Seek>(
    file: &mut CrateFile<W>,
    tracks: &mut Tracks,
    time: f64,
    mesh: &TriangleMesh,
) -> io::Result<()> {
    let corners = mesh.triangles.as_flattened();
    let counts = file.integers((0..mesh.triangles.len()).map(|_| 3))?;
    let indices = file.integers(corners.iter().map(|&corner| corner as i32))?;
    let triangles = mesh.triangles.len();
    let counts_attribute = Attribute::new("int[]", "faceVertexCounts");
    tracks.push(counts_attribute, time, triangles, counts);
    let indices_attribute = Attribute::new("int[]", "faceVertexIndices");
    tracks.push(indices_attribute, time, triangles, indices);
    tracks.push_extent(file, time, &mesh.positions, 0.0)?;
    for (attribute, vectors) in [
        (Attribute::new("point3f[]", "points"), &mesh.positions),
        (
            Attribute::new("normal3f[]", "normals").on_vertices(),
            &mesh.normals,
        ),
        (Attribute::new("vector3f[]", "velocities"), &mesh.velocities),
        (
            Attribute::new("color3f[]", COLOUR).on_vertices(),
            &mesh.colours,
        ),
        (
            rest_positions("primvars:rest_position"),
            &mesh.rest_positions[0],
        ),
        (
            rest_positions("primvars:rest_position_2"),
            &mesh.rest_positions[1],
        ),
    ] {
        // An array that the mesh does not have is no sample; one of a mesh without vertices is.
        if vectors.len() == mesh.positions.len() {
            tracks.push_vectors(file, attribute, time, vectors)?;
        }
    }
    if mesh.temperatures.len() == mesh.positions.len() {
        let attribute = Attribute::new("float[]", "primvars:temperature").on_vertices();
        let value = file.floats(&mesh.temperatures)?;
        tracks.push(attribute, time, mesh.temperatures.len(), value);
    }
    Ok(())
}

/// Texture coordinates: what USD calls the points of a mesh before it was deformed.
fn rest_positions(primvar: &str) -> Attribute<'_> {
    Attribute::new("point3f[]", primvar).on_vertices()
}

/// A mesh that never changes.
pub(super) fn still_mesh<W: Write + Seek>(
    file: &mut CrateFile<W>,
    mesh: &TriangleMesh,
) -> io::Result<Tracks> {
    let mut tracks = Tracks::still();
    sample_mesh(file, &mut tracks, 0.0, mesh)?;
    Ok(tracks)
}

/// Samples particles with all their channels.
pub(super) fn sample_particles<W: Write + Seek>(
    file: &mut CrateFile<W>,
    tracks: &mut Tracks,
    time: f64,
    channels: &Channels,
    liquids: &[StageLiquid],
    diameter: f32,
) -> io::Result<()> {
    for (name, data) in channels.iter() {
        sample_channel(file, tracks, time, name, data)?;
    }
    if let Ok(positions) = channels.vectors("position") {
        tracks.push_extent(file, time, positions, 0.5 * diameter)?;
    }
    if channels.vectors("colour").is_err()
        && liquids.len() > 1
        && let Ok(materials) = channels.bytes("material")
    {
        let colours: Vec<Vec3> = materials
            .iter()
            .map(|&material| {
                let liquid = liquids.get(usize::from(material));
                liquid.map_or(Vec3::ONE, |liquid| liquid.look.colour)
            })
            .collect();
        let attribute = Attribute::new("color3f[]", COLOUR).on_vertices();
        tracks.push_vectors(file, attribute, time, &colours)?;
    }
    Ok(())
}

/// Samples tracers, in the sizes and colours of their sets.
pub(super) fn sample_tracers<W: Write + Seek>(
    file: &mut CrateFile<W>,
    tracks: &mut Tracks,
    time: f64,
    channels: &Channels,
    looks: &[StageTracers],
) -> io::Result<()> {
    for (name, data) in channels.iter() {
        sample_channel(file, tracks, time, name, data)?;
    }
    let (Ok(positions), Ok(sets)) = (channels.vectors("position"), channels.bytes("set")) else {
        return Ok(());
    };
    let shown = |set: &u8| looks[usize::from(*set).min(looks.len() - 1)];
    let colours: Vec<Vec3> = sets.iter().map(|set| shown(set).colour).collect();
    let colour = Attribute::new("color3f[]", COLOUR).on_vertices();
    tracks.push_vectors(file, colour, time, &colours)?;
    let widths: Vec<f32> = sets.iter().map(|set| shown(set).diameter).collect();
    let value = file.floats(&widths)?;
    let width = Attribute::new("float[]", "widths").on_vertices();
    tracks.push(width, time, widths.len(), value);
    let largest = widths
        .iter()
        .fold(0.0, |largest: f32, width| largest.max(*width));
    tracks.push_extent(file, time, positions, 0.5 * largest)
}

fn sample_channel<W: Write + Seek>(
    file: &mut CrateFile<W>,
    tracks: &mut Tracks,
    time: f64,
    name: &str,
    data: &ChannelData,
) -> io::Result<()> {
    let primvar = format!("primvars:{}", names::identifier(name));
    let (type_name, value) = match data {
        ChannelData::Vector(vectors) => {
            let attribute = match name {
                "position" => Attribute::new("point3f[]", "points"),
                "velocity" => Attribute::new("vector3f[]", "velocities"),
                "colour" => Attribute::new("color3f[]", COLOUR).on_vertices(),
                "rest_position" | "rest_position_2" => rest_positions(&primvar),
                _ => Attribute::new("vector3f[]", &primvar).on_vertices(),
            };
            return tracks.push_vectors(file, attribute, time, vectors);
        }
        ChannelData::Word(numbers) if name == "id" => {
            let identities: Vec<i64> = numbers.iter().map(|&number| number.into()).collect();
            let value = file.identities(&identities)?;
            tracks.push(Attribute::new("int64[]", "ids"), time, data.len(), value);
            return Ok(());
        }
        ChannelData::Scalar(numbers) => ("float[]", file.floats(numbers)?),
        ChannelData::Double(numbers) => ("double[]", file.doubles(numbers)?),
        ChannelData::Byte(numbers) => ("int[]", file.integers(numbers.iter().map(|&n| n.into()))?),
        ChannelData::Word(numbers) => (
            "int[]",
            file.integers(numbers.iter().map(|&number| number as i32))?,
        ),
    };
    let attribute = Attribute::new(type_name, &primvar).on_vertices();
    tracks.push(attribute, time, data.len(), value);
    Ok(())
}

/// The prim of a mesh that has samples.
pub(super) fn mesh_prim<W: Write + Seek>(
    file: &mut CrateFile<W>,
    name: &str,
    tracks: Tracks,
    colour: Vec3,
    material: &str,
) -> io::Result<Prim> {
    let mut prim = Prim::new(file, "Mesh", name);
    let scheme = file.token("none");
    prim.push(
        Property::attribute(file, "token", "subdivisionScheme")
            .uniform()
            .value(scheme),
    );
    if !tracks.has(COLOUR) {
        prim.push(one_colour(file, colour)?);
    }
    tracks.give(file, &mut prim)?;
    bind(file, &mut prim, material)?;
    Ok(prim)
}

/// The prim of particles that have samples, of one diameter unless that is among the samples. As guides they do not show inside the
/// surface when a picture is made.
pub(super) fn points_prim<W: Write + Seek>(
    file: &mut CrateFile<W>,
    name: &str,
    tracks: Tracks,
    colour: Vec3,
    diameter: Option<f32>,
    guide: bool,
) -> io::Result<Prim> {
    let mut prim = Prim::new(file, "Points", name);
    if guide {
        let purpose = file.token("guide");
        prim.push(
            Property::attribute(file, "token", "purpose")
                .uniform()
                .value(purpose),
        );
    }
    if let Some(diameter) = diameter {
        let widths = file.floats(&[diameter])?;
        let constant = file.token("constant");
        prim.push(
            Property::attribute(file, "float[]", "widths")
                .value(widths)
                .field("interpolation", constant),
        );
    }
    if !tracks.has(COLOUR) {
        prim.push(one_colour(file, colour)?);
    }
    tracks.give(file, &mut prim)?;
    Ok(prim)
}

fn one_colour<W: Write + Seek>(file: &mut CrateFile<W>, colour: Vec3) -> io::Result<Property> {
    let value = file.vectors(&[colour])?;
    let constant = file.token("constant");
    Ok(Property::attribute(file, "color3f[]", COLOUR)
        .value(value)
        .field("interpolation", constant))
}

fn bind<W: Write + Seek>(
    file: &mut CrateFile<W>,
    prim: &mut Prim,
    material: &str,
) -> io::Result<()> {
    prim.field(
        "apiSchemas",
        file.prepended_tokens(&["MaterialBindingAPI"])?,
    );
    let target = file.target(material)?;
    prim.push(Property::relationship("material:binding", target));
    Ok(())
}

/// Places a prim: for good, or anew in each frame.
pub(super) fn place<W: Write + Seek>(
    file: &mut CrateFile<W>,
    prim: &mut Prim,
    times: &[f64],
    placements: &[Mat4],
) -> io::Result<()> {
    const NAME: &str = "xformOp:transform";
    let order = file.token_array(&[NAME])?;
    prim.push(
        Property::attribute(file, "token[]", "xformOpOrder")
            .uniform()
            .value(order),
    );
    let property = Property::attribute(file, "matrix4d", NAME);
    let still = placements.windows(2).all(|pair| pair[0] == pair[1]);
    prim.push(match placements.first() {
        Some(&only) if still => property.value(file.matrix(only)?),
        _ => {
            let values = placements
                .iter()
                .map(|&placement| file.matrix(placement))
                .collect::<io::Result<Vec<Value>>>()?;
            let times = file.doubles(times)?;
            property.samples(file.time_samples(times, &values)?)
        }
    });
    Ok(())
}

/// The prim of a camera. Lengths of lenses are in tenths of the unit, which is a metre.
pub(super) fn camera_prim<W: Write + Seek>(
    file: &mut CrateFile<W>,
    name: &str,
    times: &[f64],
    views: &[View],
) -> io::Result<Prim> {
    const APERTURE_WIDTH: f32 = 0.36;
    let mut prim = Prim::new(file, "Camera", name);
    let placements: Vec<Mat4> = views.iter().map(View::placement).collect();
    place(file, &mut prim, times, &placements)?;
    let Some(first) = views.first() else {
        return Ok(prim);
    };
    let height = APERTURE_WIDTH / first.aspect;
    let focal_length = |view: &View| 0.5 * height / (0.5 * view.field_of_view.to_radians()).tan();
    let focal = Property::attribute(file, "float", "focalLength");
    let still = views.iter().all(|v| v.field_of_view == first.field_of_view);
    prim.push(if still {
        focal.value(Value::float(focal_length(first)))
    } else {
        let lengths: Vec<Value> = views
            .iter()
            .map(|view| Value::float(focal_length(view)))
            .collect();
        let times = file.doubles(times)?;
        focal.samples(file.time_samples(times, &lengths)?)
    });
    for (name, length) in [
        ("horizontalAperture", APERTURE_WIDTH),
        ("verticalAperture", height),
    ] {
        prim.push(Property::attribute(file, "float", name).value(Value::float(length)));
    }
    let distance = views
        .iter()
        .map(|view| view.eye.distance(view.target))
        .fold(0.0, f32::max);
    let range = file.pair(Vec2::new(0.01, 100.0) * distance)?;
    prim.push(Property::attribute(file, "float2", "clippingRange").value(range));
    Ok(prim)
}
