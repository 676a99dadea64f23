//! Frames that are empty, tiny or nonsense, and cameras in odd places: a sensible picture or a clear error, never a panic.

use std::fs;
use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::Workshop;

/// Replaces frame 1 of a run by particles at the given positions, of the given material.
fn put_frame(workshop: &Workshop, positions: &[[f32; 3]], material: u8) {
    let path = workshop.path("out/dam/frames/particles_0001.npz");
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut member = |name: &str, kind: &str, shape: String, bytes: Vec<u8>| {
        let mut header =
            format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
        while (header.len() + 11) % 64 != 0 {
            header.push(' ');
        }
        header.push('\n');
        let options =
            SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        archive.start_file(name, options).unwrap();
        archive.write_all(b"\x93NUMPY\x01\x00").unwrap();
        archive
            .write_all(&(header.len() as u16).to_le_bytes())
            .unwrap();
        archive.write_all(header.as_bytes()).unwrap();
        archive.write_all(&bytes).unwrap();
    };
    let count = positions.len();
    let coordinates = positions.iter().flatten();
    let bytes: Vec<u8> = coordinates.flat_map(|value| value.to_le_bytes()).collect();
    member(
        "position.npy",
        "<f4",
        format!("({count}, 3)"),
        bytes.clone(),
    );
    member(
        "velocity.npy",
        "<f4",
        format!("({count}, 3)"),
        vec![0; bytes.len()],
    );
    member(
        "material.npy",
        "|u1",
        format!("({count},)"),
        vec![material; count],
    );
    // The seal: a checksum over everything before it.
    archive.set_comment("ooze npz 1 crc32 00000000").unwrap();
    let mut bytes = archive.finish().unwrap().into_inner();
    bytes.truncate(bytes.len() - 8);
    let digits = format!("{:08x}", crc32fast::hash(&bytes));
    bytes.extend(digits.as_bytes());
    fs::write(path, bytes).unwrap();
}

fn run() -> Workshop {
    let workshop = Workshop::new();
    workshop.ooze(&["run", "dam.toml", "--frames", "1", "--quiet"], 0);
    workshop
}

const RENDER: [&str; 6] = ["render", "out/dam", "--size", "32x32", "--quiet", "--force"];

#[test]
fn an_empty_frame_is_an_empty_picture() {
    let workshop = run();
    put_frame(&workshop, &[], 0);
    workshop.ooze(&RENDER, 0);
    workshop.ooze(&["mesh", "out/dam", "--quiet"], 0);
}

#[test]
fn one_particle_is_a_drop() {
    let workshop = run();
    put_frame(&workshop, &[[0.1, 0.1, 0.08]], 0);
    workshop.ooze(&RENDER, 0);
    workshop.ooze(&["mesh", "out/dam", "--quiet"], 0);
    let mesh = workshop.path("out/dam/meshes/surface_0001.ply");
    let mesh = ooze_geometry::read_mesh(&mesh).unwrap();
    assert!(mesh.volume() > 0.0 && mesh.edge_report().is_closed_manifold());
}

#[test]
fn a_number_that_is_none_is_named() {
    let workshop = run();
    put_frame(&workshop, &[[0.1, 0.1, 0.08], [0.1, f32::NAN, 0.08]], 0);
    for command in [&RENDER[..], &["mesh", "out/dam", "--quiet", "--force"]] {
        workshop
            .ooze(command, 4)
            .complains("particles_0001.npz")
            .complains("position");
    }
}

#[test]
fn a_material_that_the_scene_lacks_is_named() {
    let workshop = run();
    put_frame(&workshop, &[[0.1, 0.1, 0.08]], 7);
    workshop
        .ooze(&RENDER, 4)
        .complains("particles_0001.npz: channel `material`, row 0: 7 is not 0");
}

#[test]
fn a_camera_inside_the_liquid_sees_something() {
    let workshop = run();
    let inside = "pictures.camera.path.look_at={eye=[0.08,0.1,0.08],target=[0.3,0.1,0.08]}";
    workshop.ooze(&[&RENDER[..], &["--set", inside]].concat(), 0);
}

#[test]
fn targets_that_cannot_be_written_are_named() {
    let workshop = run();
    workshop.write("file", "not a folder");
    workshop
        .ooze(&["mesh", "out/dam", "-o", "file/meshes"], 4)
        .complains("file/meshes");
    fs::write(workshop.path("out/dam/images"), "in the way").unwrap();
    workshop.ooze(&RENDER, 4).complains("images");
    workshop.ooze(&["run", "dam.toml", "-o", "file/run"], 4);
}
