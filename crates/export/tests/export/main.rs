//! What exporters write, read back.

mod refusals;
mod sequences;
mod usd;
mod vtk;

#[path = "../../../cli/tests/export/crate_reader.rs"]
mod crate_reader;
#[path = "../../../cli/tests/export/python.rs"]
mod python;

use glam::Vec3;
use ooze_cache::Origin;
use ooze_core::{ChannelData, Channels};
use ooze_export::{ExportFrame, NamedMesh};
use ooze_geometry::{TriangleMesh, generate};

/// Particles with a channel of every type.
fn particles(count: usize) -> Channels {
    let mut channels = Channels::default();
    let position = |i: usize| Vec3::new(i as f32 * 0.1 + 0.5, (i as f32).sin(), 0.5);
    let positions = (0..count).map(position).collect();
    channels.insert("position", ChannelData::Vector(positions));
    channels.insert("velocity", ChannelData::Vector(vec![Vec3::Y; count]));
    channels.insert("id", ChannelData::Word((0..count as u32).collect()));
    channels.insert("material", ChannelData::Byte(vec![7; count]));
    channels.insert("age", ChannelData::Scalar(vec![0.25; count]));
    channels.insert("odd \"name\"", ChannelData::Double(vec![1.0 / 3.0; count]));
    channels
}

/// A box whose corners carry everything that vertices can.
fn surface(name: &str) -> NamedMesh {
    let centre = Vec3::new(0.25, 0.35, 0.55);
    let mut mesh = generate::cuboid(centre, Vec3::new(0.25, 0.25, 0.35));
    let positions = mesh.positions.iter();
    mesh.normals = positions
        .clone()
        .map(|p| (p - centre).normalize())
        .collect();
    mesh.velocities = positions.clone().map(|p| p.cross(Vec3::Y)).collect();
    mesh.colours = positions.clone().map(|p| p.abs()).collect();
    mesh.temperatures = positions.clone().map(|p| 300.0 + 100.0 * p.y).collect();
    let shifted = |by: Vec3| positions.clone().map(|&p| p + by).collect();
    mesh.rest_positions = [shifted(Vec3::X), shifted(Vec3::Z)];
    NamedMesh {
        name: name.into(),
        mesh,
    }
}

fn nothing(name: &str) -> NamedMesh {
    NamedMesh {
        name: name.into(),
        mesh: TriangleMesh::default(),
    }
}

fn frame<'a>(
    number: u32,
    particles: Option<&'a Channels>,
    surfaces: &'a [NamedMesh],
) -> ExportFrame<'a> {
    ExportFrame {
        number,
        time: f64::from(number) / 24.0,
        origin: Origin::default(),
        particles,
        surfaces,
        solids: &[],
    }
}
