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
        "[domain]\nsize = [1, 1, 1]\ncells = 32\n[[liquid]]\nshape.sphere = {{ centre = [0.5, 0.5, 0.5], radius = 0.1 }}\n\
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
        lines[0].starts_with("scene.toml:9:24: `collider[0].shape.union[0].mesh.file`: the mesh "),
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

#[test]
fn a_mesh_too_fine_to_sample_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "ball.obj", &ball());
    // A ball of 300 m in cells of 2 cm would need samples without number.
    let text = scene("mesh = { file = \"ball.obj\", scale = 300.0 }");
    let errors = Scene::parse_with(
        &text,
        "scene.toml",
        folder.path(),
        &[Override::set("domain.cell_size=0.02")],
    )
    .unwrap_err();
    assert!(
        errors.lines()[0]
            .contains("`collider[0].shape.mesh.file`: the mesh ball.obj cannot be sampled: "),
        "{errors:?}"
    );
}
