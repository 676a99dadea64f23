//! What exporters write, read back.

mod refusals;
mod sequences;
mod usd;
mod vtk;

#[path = "../../../cli/tests/export/crate_reader.rs"]
mod crate_reader;
#[path = "../../../cli/tests/export/python.rs"]
mod python;

use glam::{Quat, Vec3};
use ooze_cache::Origin;
use ooze_core::{BodyPose, ChannelData, Channels, Load};
use ooze_export::{ExportFrame, ExportSolid, NamedMesh};
use ooze_geometry::{Pose, TriangleMesh, Twist, generate};

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

/// A solid at a place, turned about y, that moves and turns.
fn solid(name: &str, place: Vec3, angle: f32) -> ExportSolid {
    ExportSolid {
        body: BodyPose {
            name: name.into(),
            pose: Pose {
                translation: place,
                rotation: Quat::from_rotation_y(angle),
                scale: 2.0,
            },
            twist: Twist {
                centre: place,
                linear: Vec3::new(0.5, -1.0, 0.0),
                angular: Vec3::Y,
                growth: 0.0,
            },
            temperature: None,
            left: None,
        },
        load: Some(Load {
            force: [0.0, 9.5, 0.25],
            torque: [1.0 / 3.0, 0.0, 0.0],
        }),
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
        tracers: None,
        surfaces,
        solids: &[],
    }
}
