//! Scenes with meshes.

use std::path::Path;

use glam::Vec3;
use ooze_geometry::{TriangleMesh, generate, write_obj};
use ooze_scene::{Override, Scene};

fn write(folder: &Path, name: &str, mesh: &TriangleMesh) {
    let file = std::fs::File::create(folder.join(name)).unwrap();
    write_obj(mesh, file).unwrap();
}

fn scene(shape: &str) -> String {
    format!(
        "[domain]\nsize = [1, 1, 1]\ncells = 32\n[[liquid]]\nshape.box = {{ lower = [0, 0, 0], upper = [1, 0.1, 1] }}\n\
         [[collider]]\nname = \"statue\"\n[collider.shape]\n{shape}\n"
    )
}

/// A ball of radius 1 around the origin.
fn ball() -> TriangleMesh {
    generate::icosphere(Vec3::ZERO, 1.0, 3)
}

#[test]
fn a_mesh_is_found_beside_the_scene_scaled_turned_and_moved() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("meshes")).unwrap();
    write(folder.path(), "meshes/ball.obj", &ball());
    let path = folder.path().join("scene.toml");
    let shape = "mesh = { file = \"meshes/ball.obj\", scale = 0.25, position = [0.5, 0.4, 0.5], rotation = { axis = [0, 1, 0], angle = 30 } }";
    std::fs::write(&path, scene(shape)).unwrap();
    let scene = Scene::load(&path).unwrap_or_else(|errors| panic!("{errors:?}"));
    let statue = &scene.colliders[0].shape;
    assert!(statue.contains(Vec3::new(0.5, 0.63, 0.5)));
    assert!(!statue.contains(Vec3::new(0.5, 0.67, 0.5)));
    assert_eq!(scene.mesh_files, [folder.path().join("meshes/ball.obj")]);
    assert_eq!(scene.base_folder, folder.path());
}

#[test]
fn a_mesh_can_be_hollowed_out_deeper_than_its_samples_usually_reach() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "ball.obj", &ball());
    let shape = "shell = { of.transform = { of.mesh = { file = \"ball.obj\" }, scale = 0.4, position = [0.5, 0.5, 0.5] }, thickness = 0.2 }";
    let scene = Scene::parse(&scene(shape), "scene.toml", folder.path())
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    let statue = &scene.colliders[0].shape;
    assert!(statue.contains(Vec3::new(0.5, 0.72, 0.5)));
    assert!(!statue.contains(Vec3::new(0.5, 0.68, 0.5)));
}

#[test]
fn the_same_file_twice_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("junk.obj"), "v 1 2\n").unwrap();
    let twice = "union = [{ mesh.file = \"junk.obj\" }, { mesh.file = \"junk.obj\" }]";
    let errors = Scene::parse(&scene(twice), "scene.toml", folder.path()).unwrap_err();
    let lines = errors.lines();
    assert_eq!(lines.len(), 1, "{errors:?}");
    assert!(
        lines[0].starts_with("scene.toml:9:24: `collider.0.shape.union.0.mesh.file`: the mesh "),
        "{errors:?}"
    );
    assert!(lines[0].contains("junk.obj cannot be used: "), "{errors:?}");
}

#[test]
fn a_mesh_with_a_hole_is_used_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = ball();
    mesh.triangles.pop();
    write(folder.path(), "holed.obj", &mesh);
    let shape = "mesh = { file = \"holed.obj\", scale = 0.2, position = [0.2, 0.2, 0.2] }";
    let scene = Scene::parse(&scene(shape), "scene.toml", folder.path())
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    let warnings: Vec<String> = scene
        .warnings()
        .iter()
        .map(|warning| warning.line())
        .collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].contains("the mesh holed.obj: ") && warnings[0].contains("hole"),
        "{warnings:?}"
    );
}

/// A cube of side 2 around the origin.
fn cube() -> TriangleMesh {
    generate::cuboid(Vec3::ZERO, Vec3::ONE)
}

/// What is said about a scene with a mesh as a collider, with more keys: errors, or warnings.
fn said(mesh: &TriangleMesh, keys: &str) -> Vec<String> {
    said_of(mesh, &format!("mesh = {{ file = \"statue.obj\"{keys} }}"))
}

/// The same, with the whole shape as it is written.
fn said_of(mesh: &TriangleMesh, shape: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "statue.obj", mesh);
    match Scene::parse(&scene(shape), "scene.toml", folder.path()) {
        Ok(scene) => scene
            .warnings()
            .iter()
            .map(|warning| warning.line())
            .collect(),
        Err(errors) => errors.lines(),
    }
}

#[test]
fn a_mesh_in_millimetres_is_refused_at_once_with_scale_and_position() {
    // A statue of 400 mm that stands in the middle of a floor of 1000 mm, as it was modelled.
    let statue = generate::cuboid(
        Vec3::new(500.0, 200.0, 500.0),
        Vec3::new(100.0, 200.0, 100.0),
    );
    assert_eq!(
        said(&statue, ""),
        [
            "scene.toml:9:17: the mesh statue.obj is 400 m long, 400 times the domain (is it in millimetres? write scale = 0.001)"
        ]
    );
    assert!(said(&statue, ", scale = 0.001").is_empty());
    // Where the file's name stands for the mesh, the answer has a table.
    let mended = "mesh = { file = \"statue.obj\", scale = 0.001 }";
    let told = said_of(&statue, "mesh = \"statue.obj\"");
    assert!(told[0].contains(&format!("write {mended})")), "{told:?}");
    assert!(said_of(&statue, mended).is_empty());
    // The same around its own origin would stand half outside: what to write is inside.
    let statue = generate::cuboid(Vec3::new(-9000.0, 0.0, 0.0), Vec3::new(100.0, 200.0, 100.0));
    assert_eq!(
        said(&statue, ""),
        [
            "scene.toml:9:17: the mesh statue.obj is 400 m long, 400 times the domain (is it in millimetres? write scale = 0.001, position = [9.5, 0.5, 0.5])"
        ]
    );
    assert!(said(&statue, ", scale = 0.001, position = [9.5, 0.5, 0.5]").is_empty());
}

#[test]
fn a_mesh_ten_times_too_large_is_refused_before_it_is_sampled() {
    let mesh = generate::cuboid(Vec3::ZERO, Vec3::splat(5.0));
    let lines = said(&mesh, "");
    assert_eq!(
        lines,
        [
            "scene.toml:9:17: the mesh statue.obj is 10 m long, 10 times the domain (is it in centimetres? write scale = 0.01, position = [0.5, 0.5, 0.5])"
        ]
    );
    // No unit explains it: it is made to fit.
    let lines = said(&mesh, ", scale = 10, position = [0.5, 0.5, 0.5]");
    assert!(
        lines[0].ends_with(
            "100 m long, 100 times the domain (is it in millimetres? write scale = 0.01)"
        ),
        "{lines:?}"
    );
    let lines = said(&generate::cuboid(Vec3::ZERO, Vec3::splat(1e5)), "");
    assert!(
        lines[0].ends_with("(to fit it in: write scale = 3.5e-6, position = [0.5, 0.5, 0.5])"),
        "{lines:?}"
    );
    // Large, but not beyond reason.
    let lines = said(&mesh, ", scale = 0.3, position = [0.5, -1.45, 0.5]");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("3 m long, 3 times the domain"),
        "{lines:?}"
    );
}

#[test]
fn a_mesh_smaller_than_a_cell_is_refused_with_a_scale() {
    let lines = said(&cube(), ", scale = 0.0001, position = [0.5, 0.2, 0.5]");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("is 0.0002 m long, less than a cell of 0.03125 m (is it in kilometres? write scale = 0.1)"),
        "{lines:?}"
    );
}

#[test]
fn a_mesh_outside_is_told_with_a_position() {
    let lines = said(&cube(), ", scale = 0.2, position = [5, 0.5, 0.5]");
    assert_eq!(
        lines,
        [
            "scene.toml:9:17: the mesh statue.obj lies outside of the domain, where no liquid comes: from [4.8, 0.3, 0.3] to [5.2, 0.7, 0.7] m (to put it in the middle, write position = [0.5, 0.5, 0.5])"
        ]
    );
}

#[test]
fn a_mesh_that_its_motion_brings_in_is_not_outside() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "statue.obj", &ball());
    let moving = |end: f64| {
        let motion = format!(
            "{}motion.keyframes = [{{ time = 0, position = [4, 0.5, 0.5] }}, {{ time = 1, position = [{end}, 0.5, 0.5] }}]\n",
            scene("").replace(
                "[collider.shape]\n\n",
                "shape.mesh = { file = \"statue.obj\", scale = 0.2 }\n"
            )
        );
        let read = Scene::parse(&motion, "scene.toml", folder.path());
        read.unwrap_or_else(|errors| panic!("{errors:?}"))
            .warnings()
            .len()
    };
    assert_eq!(moving(0.5), 0);
    assert_eq!(moving(3.0), 1);
}

#[test]
fn a_thin_mesh_is_told() {
    let plate = generate::cuboid(Vec3::new(0.5, 0.3, 0.5), Vec3::new(0.3, 0.008, 0.3));
    let lines = said(&plate, "");
    let thin = "the mesh statue.obj is 0.016 m thin, less than a cell of 0.03125 m";
    assert!(lines.iter().any(|line| line.contains(thin)), "{lines:?}");
}

#[test]
fn a_mesh_too_fine_to_sample_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "ball.obj", &ball());
    // A ball of almost four metres in cells of half a millimetre would need samples without number.
    let text = scene("mesh = { file = \"ball.obj\", scale = 1.9 }");
    let errors = Scene::parse_with(
        &text,
        "scene.toml",
        folder.path(),
        &[Override::set("domain.cell_size=0.0005")],
    )
    .unwrap_err();
    assert!(
        errors.lines()[0]
            .contains("`collider.0.shape.mesh.file`: the mesh ball.obj cannot be sampled: "),
        "{errors:?}"
    );
}
