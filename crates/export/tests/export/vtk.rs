//! VTK files, taken apart as a reader would.

use std::collections::BTreeMap;
use std::path::Path;

use bytemuck::{Pod, pod_read_unaligned};
use glam::Vec3;
use ooze_cache::Ledger;
use ooze_export::{Exporter, FileSequence, SequenceFormat};

use crate::{frame, nothing, particles, solid, surface};

/// A file's XML, and its arrays by group and name: type, numbers an item, and bytes.
struct VtkFile {
    xml: String,
    arrays: BTreeMap<String, (String, usize, Vec<u8>)>,
}

fn attribute(tag: &str, name: &str) -> String {
    let start = tag.find(&format!(" {name}=\"")).expect(name) + name.len() + 3;
    let end = start + tag[start..].find('"').expect("a closing quote");
    tag[start..end].into()
}

impl VtkFile {
    fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let marker = b"<AppendedData encoding=\"raw\">\n_";
        let place = bytes.windows(marker.len()).position(|part| part == marker);
        let place = place.expect("appended data") + marker.len();
        let xml = String::from_utf8(bytes[..place].to_vec()).unwrap();
        let mut arrays = BTreeMap::new();
        let mut group = String::new();
        let mut end = place;
        for line in xml.lines() {
            if line.starts_with("<DataArray") && line.contains("appended") {
                let start = place + attribute(line, "offset").parse::<usize>().unwrap();
                assert_eq!(start, end, "arrays follow one another");
                let length = u64::from_le_bytes(bytes[start..start + 8].try_into().unwrap());
                end = start + 8 + length as usize;
                let components = attribute(line, "NumberOfComponents").parse().unwrap();
                let array = (
                    attribute(line, "type"),
                    components,
                    bytes[start + 8..end].to_vec(),
                );
                arrays.insert(format!("{group}/{}", attribute(line, "Name")), array);
            } else if let Some(tag) = line.strip_prefix('<') {
                group = tag.split([' ', '>']).next().unwrap_or_default().into();
            }
        }
        assert_eq!(&bytes[end..], b"\n</AppendedData>\n</VTKFile>\n");
        Self { xml, arrays }
    }

    fn array<T: Pod>(&self, name: &str, kind: &str, components: usize) -> Vec<T> {
        let (found, count, bytes) = &self.arrays[name];
        assert_eq!((found.as_str(), *count), (kind, components), "{name}");
        let items = bytes.chunks_exact(size_of::<T>());
        items.map(pod_read_unaligned).collect()
    }
}

#[test]
fn surfaces_and_particles_hold_everything_they_carry() {
    let folder = tempfile::tempdir().unwrap();
    let (channels, surfaces) = (particles(3), [surface("one")]);
    let mut sequence = Box::new(FileSequence::new(
        Ledger::read(folder.path()).unwrap(),
        SequenceFormat::Vtk,
    ));
    sequence
        .write(&frame(6, Some(&channels), &surfaces))
        .unwrap();
    sequence
        .write(&frame(12, Some(&particles(0)), &[nothing("one")]))
        .unwrap();
    sequence.finish().unwrap();

    let file = VtkFile::read(&folder.path().join("particles_0006.vtu"));
    assert!(
        file.xml
            .contains("<Piece NumberOfPoints=\"3\" NumberOfCells=\"3\">")
    );
    assert!(file.xml.contains(">0.25</DataArray>"), "the time");
    let positions = channels.vectors("position").unwrap();
    assert_eq!(
        file.array::<Vec3>("Points/position", "Float32", 3),
        positions
    );
    assert_eq!(
        file.array::<i64>("Cells/connectivity", "Int64", 1),
        [0, 1, 2]
    );
    assert_eq!(file.array::<i64>("Cells/offsets", "Int64", 1), [1, 2, 3]);
    assert_eq!(file.array::<u8>("Cells/types", "UInt8", 1), [1, 1, 1]);
    assert_eq!(file.array::<u32>("PointData/id", "UInt32", 1), [0, 1, 2]);
    assert_eq!(
        file.array::<u8>("PointData/material", "UInt8", 1),
        [7, 7, 7]
    );
    assert_eq!(file.array::<f32>("PointData/age", "Float32", 1), [0.25; 3]);
    assert_eq!(
        file.array::<Vec3>("PointData/velocity", "Float32", 3),
        [Vec3::Y; 3]
    );
    let odd = "PointData/odd &quot;name&quot;";
    assert_eq!(file.array::<f64>(odd, "Float64", 1), [1.0 / 3.0; 3]);

    let file = VtkFile::read(&folder.path().join("surface_0006.vtp"));
    let mesh = &surfaces[0].mesh;
    assert!(
        file.xml
            .contains("NumberOfPoints=\"8\" NumberOfPolys=\"12\""),
        "{}",
        file.xml
    );
    assert_eq!(
        file.array::<Vec3>("Points/position", "Float32", 3),
        mesh.positions
    );
    let corners = mesh
        .triangles
        .as_flattened()
        .iter()
        .map(|&corner| i64::from(corner));
    let corners: Vec<i64> = corners.collect();
    assert_eq!(file.array::<i64>("Polys/connectivity", "Int64", 1), corners);
    let offsets: Vec<i64> = (1..=12).map(|triangle| 3 * triangle).collect();
    assert_eq!(file.array::<i64>("Polys/offsets", "Int64", 1), offsets);
    assert_eq!(
        file.array::<Vec3>("PointData/normal", "Float32", 3),
        mesh.normals
    );
    assert_eq!(
        file.array::<Vec3>("PointData/velocity", "Float32", 3),
        mesh.velocities
    );
    assert_eq!(
        file.array::<Vec3>("PointData/colour", "Float32", 3),
        mesh.colours
    );
    assert_eq!(
        file.array::<f32>("PointData/temperature", "Float32", 1),
        mesh.temperatures
    );
    for (name, layer) in ["rest_position", "rest_position_2"]
        .iter()
        .zip(&mesh.rest_positions)
    {
        let path = format!("PointData/{name}");
        assert_eq!(file.array::<Vec3>(&path, "Float32", 3), *layer);
    }

    let empty = VtkFile::read(&folder.path().join("surface_0012.vtp"));
    assert!(
        empty
            .array::<i64>("Polys/connectivity", "Int64", 1)
            .is_empty()
    );
    let text = std::fs::read_to_string(folder.path().join("surface.pvd")).unwrap();
    assert!(text.contains("timestep=\"0.25\" part=\"0\" file=\"surface_0006.vtp\""));
    assert!(text.contains("timestep=\"0.5\" part=\"0\" file=\"surface_0012.vtp\""));
}

#[test]
fn solids_are_points_with_poses_beside_meshes_that_are_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::read(folder.path()).unwrap();
    let sequence = FileSequence::new(ledger, SequenceFormat::Vtk);
    let mut sequence = Box::new(sequence.with_solids(vec![surface("ball"), surface("2nd ball")]));
    let solids = [
        solid("ball", Vec3::X, 0.5),
        solid("2nd ball", Vec3::Z, -0.25),
    ];
    for number in [6, 12] {
        let mut frame = frame(number, None, &[]);
        frame.solids = &solids;
        sequence.write(&frame).unwrap();
    }
    sequence.finish().unwrap();
    let file = VtkFile::read(&folder.path().join("solids_0012.vtp"));
    assert!(
        file.xml
            .contains("NumberOfPoints=\"2\" NumberOfVerts=\"2\"")
    );
    let places = file.array::<Vec3>("Points/position", "Float32", 3);
    assert_eq!(places, [Vec3::X, Vec3::Z]);
    assert_eq!(file.array::<i64>("Verts/offsets", "Int64", 1), [1, 2]);
    let turns = file.array::<[f32; 4]>("PointData/orientation", "Float32", 4);
    let turn = solids[1].body.pose.rotation;
    assert_eq!(turns[1], [turn.w, turn.x, turn.y, turn.z]);
    let velocities = file.array::<Vec3>("PointData/velocity", "Float32", 3);
    assert_eq!(velocities, [Vec3::new(0.5, -1.0, 0.0); 2]);
    assert_eq!(
        file.array::<Vec3>("PointData/spin", "Float32", 3),
        [Vec3::Y; 2]
    );
    assert_eq!(file.array::<f32>("PointData/scale", "Float32", 1), [2.0; 2]);
    let forces = file.array::<[f64; 3]>("PointData/force", "Float64", 3);
    assert_eq!(forces, [[0.0, 9.5, 0.25]; 2]);
    for name in ["solid_ball.vtp", "solid__2nd_ball.vtp"] {
        let mesh = VtkFile::read(&folder.path().join(name));
        let points = mesh.array::<Vec3>("Points/position", "Float32", 3);
        assert_eq!(points, surface("ball").mesh.positions);
    }
    let text = std::fs::read_to_string(folder.path().join("solids.pvd")).unwrap();
    assert!(text.contains("timestep=\"0.5\" part=\"0\" file=\"solids_0012.vtp\""));
}
