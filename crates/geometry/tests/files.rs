//! Mesh files: the same cube in every format, broken files with their messages, and any bytes at all.

mod support;

use glam::{Quat, Vec3};
use ooze_geometry::{
    MeshFormat, TriangleMesh, generate, parse_mesh, read_mesh, write_obj, write_ply,
};
use proptest::prelude::*;
use support::files::*;

fn cube() -> TriangleMesh {
    generate::cuboid(Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.5, 0.25, 1.0))
}

/// The triangles as corners, each from its least corner on, in ascending order: what remains when vertices are
/// numbered differently.
fn soup(mesh: &TriangleMesh) -> Vec<[[u32; 3]; 3]> {
    let mut triangles: Vec<_> = (0..mesh.triangles.len())
        .map(|index| {
            let mut corners = mesh
                .corners(index)
                .map(|corner| corner.to_array().map(|number| number.to_bits()));
            let least = (0..3).min_by_key(|&corner| corners[corner]).unwrap();
            corners.rotate_left(least);
            corners
        })
        .collect();
    triangles.sort_unstable();
    triangles
}

#[test]
fn all_formats_hold_the_same_cube() {
    let cube = cube();
    let mut obj = Vec::new();
    write_obj(&cube, &mut obj).unwrap();
    let mut ply = Vec::new();
    write_ply(&cube, &mut ply).unwrap();
    let cases = [
        ("OBJ", MeshFormat::Obj, obj),
        ("binary PLY", MeshFormat::Ply, ply),
        ("big-endian PLY", MeshFormat::Ply, big_endian_ply(&cube)),
        ("text PLY", MeshFormat::Ply, text_ply(&cube)),
        ("binary STL", MeshFormat::Stl, binary_stl(&cube)),
        ("text STL", MeshFormat::Stl, text_stl(&cube)),
        ("GLB", MeshFormat::Glb, glb(&cube)),
    ];
    for (name, format, bytes) in cases {
        let mesh = parse_mesh(&bytes, format).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(soup(&mesh), soup(&cube), "{name}");
        assert_eq!(mesh.positions.len(), 8, "{name}");
        assert!(mesh.edge_report().is_closed_manifold(), "{name}");
    }
}

#[test]
fn ply_keeps_every_attribute() {
    let mut mesh = cube();
    let vector = |scale: f32| -> Vec<Vec3> {
        (0..8)
            .map(|index| Vec3::new(0.1, -1.5, 3.0) * scale * index as f32)
            .collect()
    };
    mesh.normals = vector(1.0);
    mesh.velocities = vector(2.0);
    mesh.colours = vector(0.25);
    mesh.temperatures = (0..8).map(|index| 300.0 + index as f32).collect();
    mesh.rest_positions = [vector(3.0), vector(-1.0)];
    let mut bytes = Vec::new();
    write_ply(&mesh, &mut bytes).unwrap();
    assert_eq!(parse_mesh(&bytes, MeshFormat::Ply).unwrap(), mesh);

    mesh.velocities.pop();
    let error = write_ply(&mesh, Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "a mesh of 8 vertices with 7 velocities");
}

#[test]
fn obj_writes_normals_and_reads_itself() {
    let mut mesh = cube();
    mesh.normals = mesh
        .positions
        .iter()
        .map(|position| position.normalize())
        .collect();
    let mut bytes = Vec::new();
    write_obj(&mesh, &mut bytes).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert_eq!(
        text.lines().filter(|line| line.starts_with("vn ")).count(),
        8
    );
    assert!(text.contains("//"));
    let back = parse_mesh(&bytes, MeshFormat::Obj).unwrap();
    assert_eq!(
        (back.positions, back.triangles),
        (mesh.positions, mesh.triangles)
    );
}

#[test]
fn obj_understands_polygons_negative_numbers_and_continued_lines() {
    let text = "# \u{fc}ber\n\
        o thing\n\
        v 0 0 0 1.0\n v 1 0 0\nv 1 1 0 0.5 0.5 0.5\n v 0 1 0\r\n\
        vt 0 0\nvn 0 0 1\n\
        f 1/1/1 2/1/1 \\\n 3/1/1 4/1/1\n\
        v 0.5 0.5 2\n\
        f -1 -2 -3\n l 1 2\n";
    let mesh = parse_mesh(text.as_bytes(), MeshFormat::Obj).unwrap();
    assert_eq!(mesh.positions.len(), 5);
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3], [4, 3, 2]]);
}

#[test]
fn glb_applies_the_transforms_of_nodes() {
    let cube = cube();
    let turn = Quat::from_rotation_z(0.5) * Quat::from_rotation_x(1.0);
    let [x, y, z, w] = turn.to_array();
    // A mirrored child below a turned and moved parent.
    let nodes = format!(
        r#"[{{"children":[1],"translation":[1,2,3],"rotation":[{x},{y},{z},{w}]}},
            {{"mesh":0,"scale":[2,2,-2]}}]"#
    );
    let bytes = glb_with(&cube, &nodes, 4, r#"{"byteLength":1}"#);
    let mesh = parse_mesh(&bytes, MeshFormat::Glb).unwrap();
    for (position, original) in mesh.positions.iter().zip(&cube.positions) {
        let expected = Vec3::new(1.0, 2.0, 3.0) + turn * (*original * Vec3::new(2.0, 2.0, -2.0));
        assert!((*position - expected).length() < 1e-5);
    }
    // Mirrored triangles still face outwards.
    assert!((mesh.volume() - 8.0 * cube.volume()).abs() < 1e-4);
}

#[test]
fn glb_reads_strips_and_fans() {
    let mut square = TriangleMesh {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y],
        triangles: vec![[0, 1, 2], [3, 3, 3]],
        ..TriangleMesh::default()
    };
    let one_node = r#"[{"mesh":0}]"#;
    let strip = glb_with(&square, one_node, 5, r#"{"byteLength":1}"#);
    let mesh = parse_mesh(&strip, MeshFormat::Glb).unwrap();
    assert_eq!(mesh.triangles[..2], [[0, 1, 2], [2, 1, 3]]);
    square.triangles = vec![[0, 1, 3], [2, 2, 2]];
    let fan = glb_with(&square, one_node, 6, r#"{"byteLength":1}"#);
    let mesh = parse_mesh(&fan, MeshFormat::Glb).unwrap();
    assert_eq!(mesh.triangles[..2], [[0, 1, 3], [0, 3, 2]]);
}

/// Broken contents of files, each with the message it must cause.
fn broken() -> Vec<(MeshFormat, Vec<u8>, &'static str)> {
    use MeshFormat::{Glb, Obj, Ply, Stl};
    let cube = cube();
    let one_node = r#"[{"mesh":0}]"#;
    let inside = r#"{"byteLength":1}"#;
    let text = |text: &str| text.as_bytes().to_vec();
    let ply_header = |lines: &str| text(&format!("ply\n{lines}\nend_header\n"));
    vec![
        (Obj, vec![], "the file is empty"),
        (
            Obj,
            text("v 0 0 0\nv 1 0 0\nv 0 1 0\n"),
            "there are no triangles",
        ),
        (
            Obj,
            text("v 0 0 0\nv 1 0 nothing\n"),
            "line 2: z is `nothing`, not a number",
        ),
        (Obj, text("v 0 0\n"), "line 1: z is missing"),
        (
            Obj,
            text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"),
            "line 4: the face refers to vertex 4, but there are only 3",
        ),
        (
            Obj,
            text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n"),
            "line 4: the face refers to vertex 0, but vertices count from 1",
        ),
        (
            Obj,
            text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 1 2\n"),
            "line 4: the face refers to vertex -4, but only 3 precede it",
        ),
        (
            Obj,
            text("v 0 0 0\nv 1 0 0\nf 1 2\n"),
            "line 3: a face of 2 corners",
        ),
        (
            Obj,
            text("v 0 0 0\nf 1 x 1\n"),
            "line 2: `x` is not a vertex number",
        ),
        (
            Obj,
            b"Kaydara FBX Binary  \x00\x1a\x00".to_vec(),
            "line 1: not text: is this a binary file of another format?",
        ),
        (
            Stl,
            binary_stl(&cube)[..400].to_vec(),
            "truncated: 12 triangles take 684 bytes, but the file has 400",
        ),
        (
            Stl,
            vec![7; 20],
            "truncated: the header and count of a binary STL file take 84 bytes, but the file has 20",
        ),
        (
            Stl,
            text(
                "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\n",
            ),
            "line 6: a facet of 2 vertices instead of 3",
        ),
        (
            Stl,
            text("solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0"),
            "line 5: the file ends within a facet",
        ),
        (
            Stl,
            text("solid s\nvertex 0 zero 0\n"),
            "line 2: y is `zero`, not a number",
        ),
        (
            Stl,
            text("solid s\n<html>\n"),
            "line 2: `<html>` does not belong in STL",
        ),
        (
            Stl,
            text("solid nothing\nendsolid nothing\n"),
            "there are no triangles",
        ),
        (
            Ply,
            text("plywood\n"),
            "line 1: a PLY file begins with `ply`",
        ),
        (
            Ply,
            text("ply\nformat ascii 1.0\n"),
            "line 3: the PLY header ends without `end_header`",
        ),
        (
            Ply,
            ply_header("comment x"),
            "line 3: PLY header: the `format` line is missing",
        ),
        (
            Ply,
            ply_header("format utf 1.0"),
            "line 2: PLY header: unknown format `utf`",
        ),
        (
            Ply,
            ply_header("format ascii 1.0\nproperty float x"),
            "line 3: PLY header: a property before the first element",
        ),
        (
            Ply,
            ply_header("format ascii 1.0\nelement vertex many"),
            "line 3: PLY header: `many` is not a number of records",
        ),
        (
            Ply,
            ply_header("format ascii 1.0\nelement vertex 1\nproperty quaternion x"),
            "line 4: PLY header: unknown type `quaternion`",
        ),
        (
            Ply,
            ply_header("format ascii 1.0\nelement vertex 1\nproperty float x"),
            "PLY header: element `vertex` lacks the properties `x`, `y` and `z`",
        ),
        (
            Ply,
            ply_header("format ascii 1.0\nelement face 1\nproperty int id"),
            "PLY header: element `face` lacks the list property `vertex_indices`",
        ),
        (
            Ply,
            replaced(text_ply(&cube), "0.6", "zero"),
            "line 12: `zero` is not a number",
        ),
        (
            Ply,
            replaced(text_ply(&cube), "\n3 ", "\n3 8"),
            "face 0 refers to vertex 84, but there are only 8 vertices",
        ),
        (
            Ply,
            replaced(text_ply(&cube), "vertex 8", "vertex 80"),
            "vertex 24: the file ends here",
        ),
        (
            Ply,
            replaced(big_endian_ply(&cube), "vertex 8", "vertex 800"),
            "truncated: the header and 800 records of `vertex` take 9791 bytes, but the file has 443",
        ),
        (
            Ply,
            big_endian_ply(&cube)[..400].to_vec(),
            "face 8: the file ends here",
        ),
        (
            Glb,
            text("not this"),
            "glTF: not a binary glTF file: it does not begin with `glTF`",
        ),
        (
            Glb,
            text("glTF"),
            "truncated: the headers take 8 bytes, but the file has 4",
        ),
        (
            Glb,
            glb(&cube)[..200].to_vec(),
            "truncated: the header says that header and chunks take 664 bytes, but the file has 200",
        ),
        (Glb, glb_json("{}"), "glTF: there is no mesh in the file"),
        (
            Glb,
            glb_json("[1, 2"),
            "glTF: the description: invalid type: integer `1`, expected ",
        ),
        (
            Glb,
            glb_json(r#"{"extensionsRequired":["KHR_draco_mesh_compression"]}"#),
            "glTF: needs the extension `KHR_draco_mesh_compression`; export without it",
        ),
        (
            Glb,
            glb_with(&cube, one_node, 1, inside),
            "glTF: mesh 0, primitive 0: it is made of lines, not triangles",
        ),
        (
            Glb,
            glb_with(&cube, one_node, 0, inside),
            "glTF: mesh 0, primitive 0: it is made of points, not triangles",
        ),
        (
            Glb,
            glb_with(&cube, one_node, 4, r#"{"byteLength":1,"uri":"cube.bin"}"#),
            "glTF: mesh 0, primitive 0: its data are in `cube.bin`; export it all in one .glb file",
        ),
        (
            Glb,
            glb_with(&cube, r#"[{"mesh":3}]"#, 4, inside),
            "glTF: mesh 3 does not exist",
        ),
        (
            Glb,
            glb_with(&cube, r#"[{"mesh":0,"children":[0]}]"#, 4, inside),
            "glTF: node 0 occurs twice, but nodes must form a tree",
        ),
        (
            Glb,
            replaced(glb(&cube), r#""count":8"#, r#""count":9"#),
            "glTF: mesh 0, primitive 0: accessor 0 reaches beyond the data in the file",
        ),
        (
            Glb,
            replaced(glb(&cube), r#""count":8"#, r#""count":5"#),
            "glTF: mesh 0, primitive 0: it refers to vertex 6, but there are only 5",
        ),
        (
            Glb,
            replaced(glb(&cube), r#""POSITION":0"#, r#""NORMALS_":0"#),
            "glTF: mesh 0, primitive 0: it has no positions",
        ),
    ]
}

/// The contents with the first occurrence of `from` replaced by `to`.
fn replaced(mut bytes: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    let place = bytes
        .windows(from.len())
        .position(|window| window == from.as_bytes());
    let place = place.unwrap_or_else(|| panic!("{from} does not occur"));
    bytes.splice(place..place + from.len(), to.bytes());
    bytes
}

#[test]
fn broken_files_are_refused_by_name() {
    for (format, bytes, message) in broken() {
        let error = parse_mesh(&bytes, format).expect_err(message).to_string();
        assert!(
            error.starts_with(message),
            "expected: {message}\n   found: {error}"
        );
    }
}

#[test]
fn files_are_named_in_messages() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let message = |name: &str| read_mesh(path(name)).unwrap_err().to_string();
    let place = folder.path().display();

    std::fs::write(path("empty.stl"), "").unwrap();
    assert_eq!(
        message("empty.stl"),
        format!("{place}/empty.stl: the file is empty")
    );
    assert!(message("missing.obj").starts_with(&format!(
        "{place}/missing.obj: cannot be read: No such file"
    )));
    std::fs::create_dir(path("folder.obj")).unwrap();
    assert!(message("folder.obj").starts_with(&format!("{place}/folder.obj: cannot be read: ")));
    let known = "is not a known mesh format; use .obj, .stl, .ply or .glb";
    assert_eq!(
        message("model.fbx"),
        format!("{place}/model.fbx: `.fbx` {known}")
    );
    assert_eq!(
        message("model"),
        format!("{place}/model: no extension {known}")
    );

    std::fs::write(path("CUBE.STL"), binary_stl(&cube())).unwrap();
    assert_eq!(soup(&read_mesh(path("CUBE.STL")).unwrap()), soup(&cube()));
}

fn formats() -> impl Strategy<Value = MeshFormat> {
    prop_oneof![
        Just(MeshFormat::Obj),
        Just(MeshFormat::Stl),
        Just(MeshFormat::Ply),
        Just(MeshFormat::Glb)
    ]
}

/// Valid files of all kinds.
fn whole_files() -> Vec<(MeshFormat, Vec<u8>)> {
    let cube = cube();
    let mut obj = Vec::new();
    write_obj(&cube, &mut obj).unwrap();
    vec![
        (MeshFormat::Obj, obj),
        (MeshFormat::Stl, binary_stl(&cube)),
        (MeshFormat::Stl, text_stl(&cube)),
        (MeshFormat::Ply, text_ply(&cube)),
        (MeshFormat::Ply, big_endian_ply(&cube)),
        (MeshFormat::Glb, glb(&cube)),
    ]
}

/// What every mesh that a reader accepts must keep to.
fn check_usable(mesh: &TriangleMesh) {
    let vertices = mesh.positions.len();
    assert!(!mesh.triangles.is_empty());
    assert!(
        mesh.triangles
            .iter()
            .flatten()
            .all(|&index| (index as usize) < vertices)
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(format in formats(), bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(mesh) = parse_mesh(&bytes, format) {
            check_usable(&mesh);
        }
    }

    #[test]
    fn altered_files_never_panic(
        kind in 0_usize..6,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        keep in any::<prop::sample::Index>(),
        truncate in any::<bool>(),
    ) {
        let (format, mut bytes) = whole_files().swap_remove(kind);
        for (place, value) in changes {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if truncate {
            bytes.truncate(keep.index(bytes.len()));
        }
        if let Ok(mesh) = parse_mesh(&bytes, format) {
            check_usable(&mesh);
        }
    }

    #[test]
    fn altered_descriptions_never_panic(
        place in any::<prop::sample::Index>(),
        number in prop_oneof![Just("-1"), Just("99999999999999999999"), Just("1e300"), Just("4294967296"), Just("null"), Just("[]")],
    ) {
        // Replaces one of the numbers of the JSON part.
        let bytes = glb(&cube());
        let text: String = glb_text(&bytes);
        let digits: Vec<usize> = text.char_indices().filter(|(_, letter)| letter.is_ascii_digit()).map(|(index, _)| index).collect();
        let at = digits[place.index(digits.len())];
        let altered = format!("{}{number}{}", &text[..at], &text[at + 1..]);
        if let Ok(mesh) = parse_mesh(&glb_json_with_data(&altered, &bytes), MeshFormat::Glb) {
            check_usable(&mesh);
        }
    }
}
