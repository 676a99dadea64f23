//! What lights scenes: pictures of surroundings, a sun, lamps.

use std::path::Path;

use ooze_scene::{Environment, Scene};
use ooze_staging::{AreaLight, LightShape};

/// A panorama of two by one pixels as Radiance writes it: (1, 0.5, 0.25) and black.
const PANORAMA: &[u8] =
    b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n\x80\x40\x20\x81\x00\x00\x00\x00";

fn scene(folder: &Path, environment: &str) -> Result<Scene, Vec<String>> {
    let text = format!(
        "[domain]\nsize = [1, 1, 1]\ncells = 32\n[[liquid]]\nshape.sphere = {{ centre = [0.5, 0.5, 0.5], radius = 0.1 }}\n\
         [pictures.environment]\n{environment}\n"
    );
    Scene::parse(&text, "scene.toml", folder).map_err(|errors| errors.lines())
}

#[test]
fn a_picture_beside_the_scene_lights_it() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("room.hdr"), PANORAMA).expect("written");
    let scene = scene(
        folder.path(),
        "picture = { file = \"room.hdr\", turn = 90 }",
    )
    .expect("sound");
    let Some(Environment::Picture(surroundings)) = &scene.pictures.environment else {
        panic!("{:?}", scene.pictures.environment);
    };
    assert_eq!((surroundings.turn, surroundings.brightness), (90.0, 1.0));
    let bounds = ooze_geometry::Aabb::new(glam::Vec3::ZERO, glam::Vec3::ONE);
    let lights = scene.pictures.lights(&bounds, 0.0);
    assert!(lights.area.is_empty() && lights.surroundings.is_some());
    assert!(scene.pictures.stage(&bounds).backdrop.is_some());
}

#[test]
fn a_picture_that_cannot_be_used_is_named_with_its_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(
        folder.path().join("cut.hdr"),
        &PANORAMA[..PANORAMA.len() - 3],
    )
    .expect("written");
    std::fs::write(folder.path().join("text.exr"), "not a picture").expect("written");
    for (file, fault) in [
        ("cut.hdr", "row 0: the file ends"),
        ("text.exr", "OpenEXR"),
        ("none.hdr", "cannot read"),
        ("photo.jpg", "must end in .hdr"),
    ] {
        let errors = scene(folder.path(), &format!("picture.file = \"{file}\"")).expect_err(file);
        let told = errors.join("\n");
        assert!(
            told.contains("7:") && told.contains(file) && told.contains(fault),
            "{told}"
        );
    }
}

#[test]
fn a_low_sun_is_refused_and_a_high_one_shines() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(scene(folder.path(), "daylight.elevation = -3").is_err());
    let scene = scene(folder.path(), "daylight = { elevation = 60 }").expect("sound");
    let bounds = ooze_geometry::Aabb::new(glam::Vec3::ZERO, glam::Vec3::ONE);
    let lights = scene.pictures.lights(&bounds, 0.0);
    assert_eq!(lights.area.len(), 1);
    assert!(lights.sky.zenith.z > lights.sky.zenith.x);
}

#[test]
fn the_lamp_of_a_heater_shines_while_the_heater_is_on() {
    let text = "[domain]\nsize = [1, 1, 1]\ncells = 32\n\
         [[liquid]]\nmaterial = \"wax\"\nshape.sphere = { centre = [0.5, 0.5, 0.5], radius = 0.1 }\n\
         [[heater]]\nname = \"flame\"\nshape.sphere = { centre = [0.5, 0.8, 0.5], radius = 0.1 }\nreach = 0.3\npower = 10\nstart = 1\nstop = 2\n\
         [[pictures.lamp]]\ncentre = [0.5, 0.8, 0.5]\ntarget = [0.5, 0.8, 2]\nwidth = 0.1\nheight = 0.1\nheater = \"flame\"\n\
         [[pictures.lamp]]\ncentre = [0, 2, 0]\ntarget = [0.5, 0.5, 0.5]\nwidth = 1\nheight = 1\n";
    let scene = Scene::parse(text, "scene.toml", "").expect("sound");
    let bounds = ooze_geometry::Aabb::new(glam::Vec3::ZERO, glam::Vec3::ONE);
    let shining = |time| {
        let lights = scene.pictures.lights(&bounds, time);
        let width = |light: &AreaLight| match light.shape {
            LightShape::Rectangle { width, .. } => width,
            LightShape::Disc { .. } => f32::NAN,
        };
        lights.area.iter().map(width).collect::<Vec<f32>>()
    };
    assert_eq!(shining(0.5), [1.0]);
    assert_eq!(shining(1.0), [0.1, 1.0]);
    assert_eq!(shining(2.0), [1.0]);
}
