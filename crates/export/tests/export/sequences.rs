//! PLY, OBJ and CSV.

use std::fs;
use std::path::Path;

use glam::Vec3;
use ooze_cache::Ledger;
use ooze_export::{ExportFrame, Exporter, FileSequence, SequenceFormat};
use ooze_geometry::{TriangleMesh, read_mesh};

use crate::{frame, nothing, particles, solid, surface};

fn export(folder: &Path, format: SequenceFormat, frame: &ExportFrame) {
    let mut sequence = Box::new(FileSequence::new(Ledger::read(folder).unwrap(), format));
    sequence.write(frame).unwrap();
    assert_eq!(sequence.finish().unwrap(), None);
}

#[test]
fn tables_hold_every_channel_to_the_last_digit() {
    let folder = tempfile::tempdir().unwrap();
    let channels = particles(2);
    let frame = frame(3, Some(&channels), &[]);
    export(folder.path(), SequenceFormat::Csv, &frame);
    let csv = fs::read_to_string(folder.path().join("particles_0003.csv")).unwrap();
    let third: f64 = 1.0 / 3.0;
    let expected = format!(
        "x,y,z,age,id,material,odd__name_,velocity_x,velocity_y,velocity_z\n\
         0.5,0,0.5,0.25,0,7,{third},0,1,0\n0.6,{},0.5,0.25,1,7,{third},0,1,0\n",
        1f32.sin()
    );
    assert_eq!(csv, expected);

    export(folder.path(), SequenceFormat::Ply, &frame);
    let ply = fs::read(folder.path().join("particles_0003.ply")).unwrap();
    let end = b"end_header\n";
    let start = ply.windows(end.len()).position(|part| part == end).unwrap() + end.len();
    let header = std::str::from_utf8(&ply[..start]).unwrap();
    for line in [
        "format binary_little_endian 1.0",
        "element vertex 2",
        "property float x",
        "property float age",
        "property uint id",
        "property uchar material",
        "property double odd__name_",
        "property float velocity_z",
    ] {
        assert!(header.lines().any(|found| found == line), "{header}");
    }
    let stride = 4 * 4 + 4 + 1 + 8 + 3 * 4;
    assert_eq!(ply.len() - start, 2 * stride);
    let second = &ply[start + stride..];
    assert_eq!(second[0..4], 0.6f32.to_le_bytes());
    assert_eq!(second[16..20], 1u32.to_le_bytes());
    assert_eq!(second[20], 7);
    assert_eq!(second[21..29], third.to_le_bytes());
}

#[test]
fn meshes_come_back_with_what_the_format_has_a_place_for() {
    let folder = tempfile::tempdir().unwrap();
    let surfaces = [surface("one")];
    let frame = frame(12, None, &surfaces);
    export(folder.path(), SequenceFormat::Ply, &frame);
    let ply = read_mesh(folder.path().join("surface_0012.ply")).unwrap();
    assert_eq!(ply, surfaces[0].mesh);
    export(folder.path(), SequenceFormat::Obj, &frame);
    let obj = read_mesh(folder.path().join("surface_0012.obj")).unwrap();
    let bare = TriangleMesh {
        positions: ply.positions.clone(),
        triangles: ply.triangles.clone(),
        ..TriangleMesh::default()
    };
    assert_eq!(obj, bare);
    assert!((obj.volume() - 0.5 * 0.5 * 0.7).abs() < 1e-6);
}

#[test]
fn several_surfaces_have_files_of_their_own_and_empty_ones_too() {
    let folder = tempfile::tempdir().unwrap();
    let surfaces = [surface("golden syrup"), nothing("air")];
    let empty = particles(0);
    let frame = frame(0, Some(&empty), &surfaces);
    export(folder.path(), SequenceFormat::Ply, &frame);
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort();
    let expected = [
        "particles_0000.ply",
        "surface_air_0000.ply",
        "surface_golden_syrup_0000.ply",
    ];
    assert_eq!(names, expected);
}

#[test]
fn the_table_of_poses_has_a_row_for_each_solid_in_each_frame() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::read(folder.path()).unwrap();
    let mut sequence = Box::new(FileSequence::new(ledger, SequenceFormat::Csv));
    let mut unknown = solid("cup, \"chipped\"", Vec3::Z, 0.0);
    unknown.load = None;
    let solids = [solid("ball", Vec3::new(0.1, 0.2, 0.3), 0.5), unknown];
    for number in [6, 12] {
        let mut frame = frame(number, None, &[]);
        frame.solids = &solids;
        sequence.write(&frame).unwrap();
    }
    sequence.finish().unwrap();
    let table = fs::read_to_string(folder.path().join("poses.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 1 + 2 * 2);
    let header = lines[0].split(',').count();
    let turn = solids[0].body.pose.rotation;
    let (y, w) = (turn.y, turn.w);
    let third: f64 = 1.0 / 3.0;
    let expected =
        format!("12,0.5,ball,0.1,0.2,0.3,0,{y},0,{w},2,0.5,-1,0,0,1,0,0,9.5,0.25,{third},0,0");
    assert_eq!(lines[3], expected);
    assert_eq!(expected.split(',').count(), header);
    assert_eq!(
        lines[4],
        "12,0.5,\"cup, \"\"chipped\"\"\",0,0,1,0,0,0,1,2,0.5,-1,0,0,1,0,,,,,,"
    );
}
