//! Whole pictures: the same for any number of threads, close to committed references, sensible for odd input.

mod support;

use glam::{Vec3, vec3};
use ooze_geometry::generate::{cuboid, icosphere, torus};
use ooze_geometry::{Aabb, TriangleMesh};
use ooze_render::{
    Camera, ImageSettings, Lens, Lights, Look, Particles, Pattern, Picture, Quality, Role, Stage,
    ToneMap, World, read_png, render, render_film, write_png,
};
use std::path::{Path, PathBuf};
use support::{bare_paint, empty_world, exact_settings, narrow_camera};

fn look(name: &str) -> Look {
    Look::named(name).expect("preset")
}

/// A honey ring, a cream ball, a glass ball and a metal block on a checkered floor.
fn still_life() -> World {
    let bounds = Aabb::new(vec3(-0.12, 0.0, -0.12), vec3(0.12, 0.1, 0.12));
    let mut world = World::studio(&bounds);
    world.contact_gap = 0.002;
    if let Some(ground) = &mut world.stage.ground {
        ground.pattern = Pattern::Checker {
            size: 0.05,
            colour: Vec3::splat(0.15),
        };
    }
    world.add(
        "honey",
        torus(vec3(-0.05, 0.021, 0.03), 0.05, 0.02, 96, 48),
        look("honey"),
        Role::Liquid,
    );
    world.add(
        "cream",
        icosphere(vec3(0.07, 0.035, -0.02), 0.035, 5),
        look("cream"),
        Role::Liquid,
    );
    world.add(
        "glass",
        icosphere(vec3(0.03, 0.02, 0.08), 0.02, 5),
        look("glass"),
        Role::Solid,
    );
    world.add(
        "block",
        cuboid(vec3(-0.04, 0.04, -0.08), vec3(0.03, 0.04, 0.02)),
        look("metal"),
        Role::Solid,
    );
    world
}

/// Two hot balls at night.
fn embers() -> World {
    let bounds = Aabb::new(vec3(-0.12, 0.0, -0.1), vec3(0.12, 0.1, 0.1));
    let mut world = World::studio(&bounds);
    world.stage = Stage::dark(&bounds);
    world.lights = Lights::dusk(&bounds);
    for (place, hottest) in [
        (vec3(-0.05, 0.045, 0.0), 1500.0),
        (vec3(0.06, 0.035, 0.04), 1150.0),
    ] {
        let mut mesh = icosphere(place, place.y, 5);
        mesh.temperatures = mesh
            .positions
            .iter()
            .map(|point| hottest - 4000.0 * point.y)
            .collect();
        world.add("ember", mesh, look("lava"), Role::Liquid);
    }
    world
}

/// A heap of coloured particles.
fn heap() -> World {
    let positions: Vec<Vec3> = (0..600)
        .map(|index| {
            let (height, angle) = ((index as f32 / 600.0).sqrt(), 2.4 * index as f32);
            vec3(
                0.1 * (1.0 - height) * angle.cos(),
                0.1 * height,
                0.1 * (1.0 - height) * angle.sin(),
            )
        })
        .collect();
    let colours = positions
        .iter()
        .map(|point| vec3(0.1, 0.2, 0.8).lerp(vec3(0.9, 0.4, 0.1), point.y * 10.0))
        .collect();
    let mut world = World::studio(&Aabb::from_points(positions.iter().copied()));
    world.particles.push(Particles {
        name: "heap".into(),
        positions,
        radius: 0.008,
        colours,
        temperatures: vec![],
        look: look("plastic"),
    });
    world
}

fn small(quality: Quality) -> ImageSettings {
    ImageSettings {
        width: 96,
        height: 64,
        quality,
        ..ImageSettings::default()
    }
}

fn quick_final() -> Quality {
    Quality {
        samples: 16,
        samples_max: 32,
        ..Quality::finished()
    }
}

fn picture(world: &World, quality: Quality) -> Picture {
    render(
        world,
        &Camera::framing(&world.bounds(), 1.5),
        0.0,
        &small(quality),
    )
    .expect("sound")
}

#[test]
fn pictures_are_the_same_on_one_and_on_five_threads() {
    for quality in [Quality::preview(), Quality::draft(), quick_final()] {
        let with_threads = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("threads");
            pool.install(|| picture(&still_life(), quality))
        };
        assert!(
            with_threads(1) == with_threads(5),
            "pictures differ between 1 and 5 threads"
        );
    }
}

fn reference_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/references")
        .join(format!("{name}.png"))
}

fn mean(values: &[u8]) -> f64 {
    values.iter().map(|&value| f64::from(value)).sum::<f64>() / values.len() as f64
}

/// By how much the bytes of two pictures differ.
fn differences(first: &Picture, second: &Picture) -> Vec<u8> {
    let pairs = first.bytes().iter().zip(second.bytes());
    pairs
        .map(|(first, second)| first.abs_diff(*second))
        .collect()
}

/// Compares with a committed picture. Tolerance: mean difference of 1.5 levels of 255, and at most 1 % of the values off
/// by more than 16; other processors may round differently and send a few paths elsewhere. Set
/// `OOZE_UPDATE_REFERENCES=1` to write the references anew after an intended change, and look at them.
fn compare_with_reference(name: &str, found: &Picture) {
    let path = reference_path(name);
    if std::env::var_os("OOZE_UPDATE_REFERENCES").is_some() {
        write_png(&path, found).expect("writable");
        return;
    }
    let reference = read_png(&path).expect("the reference is committed");
    assert_eq!(
        (found.width, found.height),
        (reference.width, reference.height)
    );
    let differences = differences(found, &reference);
    let mean = mean(&differences);
    let far_off =
        differences.iter().filter(|&&value| value > 16).count() as f64 / differences.len() as f64;
    assert!(
        mean < 1.5 && far_off < 0.01,
        "{name}: mean difference {mean:.3}, {:.2} % far off",
        100.0 * far_off
    );
}

#[test]
fn pictures_match_their_references() {
    compare_with_reference(
        "still-life-draft",
        &picture(&still_life(), Quality::draft()),
    );
    compare_with_reference("still-life-final", &picture(&still_life(), quick_final()));
    compare_with_reference("embers-draft", &picture(&embers(), Quality::draft()));
    compare_with_reference("heap-draft", &picture(&heap(), Quality::draft()));
}

#[test]
fn draft_and_final_agree_in_brightness() {
    for world in [still_life(), embers()] {
        let [draft, finished] =
            [Quality::draft(), quick_final()].map(|quality| mean(picture(&world, quality).bytes()));
        assert!(
            (draft - finished).abs() < 0.05 * finished,
            "{draft} {finished}"
        );
    }
}

#[test]
fn a_preview_shows_what_the_draft_shows() {
    for world in [still_life(), embers(), heap()] {
        let [preview, draft] = [Quality::preview(), Quality::draft()]
            .map(|quality| picture(&world, quality).resized(12, 8));
        let differences = differences(&preview, &draft);
        let mean = mean(&differences);
        let most = differences.into_iter().max().unwrap_or(0);
        assert!(mean < 5.0 && most < 60, "{mean} {most}");
    }
}

#[test]
fn an_empty_world_is_its_backdrop() {
    let world = World::studio(&Aabb::EMPTY);
    let camera = Camera::framing(&world.bounds(), 1.5);
    let picture = render(&world, &camera, 0.0, &small(Quality::draft()))
        .expect("an empty frame is a picture too");
    assert!(
        picture
            .pixels
            .iter()
            .all(|pixel| pixel.iter().any(|value| *value > 20))
    );
    let mut bare = empty_world(Vec3::splat(0.5));
    bare.add(
        "nothing",
        TriangleMesh::default(),
        look("water"),
        Role::Liquid,
    );
    let film = render_film(&bare, &camera, 0.0, &exact_settings(8, 8, 1)).expect("sound");
    assert!(
        film.radiance
            .iter()
            .all(|radiance| (*radiance - Vec3::splat(0.5)).length() < 1e-6)
    );
}

#[test]
fn a_camera_inside_honey_sees_amber() {
    let mut world = empty_world(Vec3::ONE);
    world.add(
        "honey",
        icosphere(Vec3::ZERO, 0.05, 4),
        look("honey"),
        Role::Liquid,
    );
    let film = render_film(
        &world,
        &Camera::look_at(Vec3::ZERO, Vec3::X),
        0.0,
        &exact_settings(16, 16, 16),
    )
    .expect("sound");
    let mean = film.radiance.iter().sum::<Vec3>() / film.radiance.len() as f32;
    // Straight through 5 cm two thirds of the red light would come; on ways that haze has bent, a quarter of that and more.
    assert!(mean.x > 0.15, "{mean}");
    for radiance in film.radiance {
        assert!(
            radiance.is_finite() && radiance.x > radiance.y && radiance.y > radiance.z,
            "{radiance}"
        );
    }
}

#[test]
fn a_moving_edge_is_blurred_over_its_way() {
    // A black wall whose edge sweeps from x = -0.5 to 0.5 while the shutter is open hides half of the time at x = 0.
    let mut world = empty_world(Vec3::ONE);
    let mut wall = cuboid(vec3(-5.0, 0.0, 0.0), vec3(5.0, 5.0, 0.01));
    wall.velocities = vec![vec3(2.0, 0.0, 0.0); wall.positions.len()];
    world.add("wall", wall, bare_paint(Vec3::ZERO), Role::Solid);
    let brightness = |x: f32, shutter: f32| {
        let mut camera = narrow_camera(vec3(x, 0.0, 4.0), vec3(x, 0.0, 0.0));
        camera.shutter = shutter;
        render_film(&world, &camera, 0.0, &exact_settings(1, 1, 1024))
            .expect("sound")
            .radiance[0]
            .x
    };
    assert!((brightness(0.0, 0.5) - 0.5).abs() < 5e-3);
    assert!((brightness(0.25, 0.5) - 0.75).abs() < 5e-3);
    assert!((brightness(-0.4, 0.5) - 0.1).abs() < 5e-3);
    assert_eq!(
        [
            brightness(0.51, 0.5),
            brightness(-0.51, 0.5),
            brightness(0.01, 0.0)
        ],
        [1.0, 0.0, 1.0]
    );
}

#[test]
fn only_what_is_out_of_focus_is_blurred() {
    let mut world = empty_world(Vec3::ONE);
    world.add(
        "wall",
        cuboid(vec3(-5.0, 0.0, 0.0), vec3(5.0, 5.0, 0.01)),
        bare_paint(Vec3::ZERO),
        Role::Solid,
    );
    let brightness = |focus: f32| {
        let mut camera = narrow_camera(vec3(0.05, 0.0, 4.0), vec3(0.05, 0.0, 0.0));
        camera.lens = Some(Lens {
            aperture_radius: 0.2,
            focus_distance: Some(focus),
        });
        render_film(&world, &camera, 0.0, &exact_settings(1, 1, 512))
            .expect("sound")
            .radiance[0]
            .x
    };
    assert_eq!(brightness(3.99), 1.0);
    // Focused half-way, the circle of confusion at the wall has the lens's radius: x = 0.05 lies a quarter of it inside.
    let expected = {
        let t: f32 = 0.25;
        0.5 + (t * (1.0 - t * t).sqrt() + t.asin()) / std::f32::consts::PI
    };
    assert!(
        (brightness(1.995) - expected).abs() < 0.02,
        "{} {expected}",
        brightness(1.995)
    );
}

#[test]
fn bad_input_is_refused_by_name() {
    let camera = Camera::look_at(Vec3::Z, Vec3::ZERO);
    let attempt = |change: &dyn Fn(&mut World, &mut Camera, &mut ImageSettings)| -> String {
        let (mut world, mut camera, mut settings) =
            (still_life(), camera.clone(), small(Quality::draft()));
        change(&mut world, &mut camera, &mut settings);
        render(&world, &camera, 0.0, &settings)
            .expect_err("must be refused")
            .to_string()
    };
    let mesh = |world: &mut World, change: &dyn Fn(&mut TriangleMesh)| {
        let mut mesh = (*world.objects[0].mesh).clone();
        change(&mut mesh);
        world.objects[0].mesh = mesh.into();
    };
    let cases: Vec<(String, &str)> = vec![
        (
            attempt(&|_, _, settings| settings.width = 0),
            "image size 0×64",
        ),
        (
            attempt(&|_, _, settings| settings.height = 0),
            "image size 96×0",
        ),
        (
            attempt(&|_, _, settings| settings.width = 1 << 20),
            "between 1 and 16384",
        ),
        (
            attempt(&|_, _, settings| settings.quality.samples = 0),
            "quality.samples is 0",
        ),
        (
            attempt(&|_, _, settings| settings.exposure = f32::NAN),
            "image.exposure is NaN",
        ),
        (
            attempt(&|world, _, _| mesh(world, &|mesh| mesh.positions[7].y = f32::NAN)),
            "honey: position 7 is",
        ),
        (
            attempt(&|world, _, _| mesh(world, &|mesh| mesh.positions[3].x = f32::INFINITY)),
            "not finite",
        ),
        (
            attempt(&|world, _, _| mesh(world, &|mesh| mesh.triangles[2] = [0, 1, 999_999])),
            "triangle 2 names vertex 999999",
        ),
        (
            attempt(&|world, _, _| mesh(world, &|mesh| mesh.colours = vec![Vec3::ONE; 3])),
            "3 colour entries",
        ),
        (
            attempt(&|world, _, _| {
                mesh(world, &|mesh| {
                    mesh.temperatures = vec![f32::NAN; mesh.positions.len()]
                })
            }),
            "temperature 0",
        ),
        (
            attempt(&|world, _, _| world.objects[0].look.roughness = 2.0),
            "honey.look.roughness is 2.0; it must be between 0 and 1",
        ),
        (
            attempt(&|world, _, _| world.contact_gap = -1.0),
            "contact_gap",
        ),
        (
            attempt(&|world, _, _| world.lights.area[0].radiance.x = -1.0),
            "lights.area.radiance",
        ),
        (
            attempt(&|world, _, _| world.lights.sky.zenith.x = f32::NAN),
            "lights.sky",
        ),
        (
            attempt(&|_, camera, _| camera.field_of_view = 0.0),
            "camera.field_of_view",
        ),
        (
            attempt(&|_, camera, _| *camera = Camera::look_at(Vec3::ONE, Vec3::ONE)),
            "camera.path",
        ),
        (
            attempt(&|_, camera, _| camera.shutter = -0.1),
            "camera.shutter",
        ),
    ];
    for (message, expected) in cases {
        assert!(
            message.contains(expected),
            "`{message}` does not say `{expected}`"
        );
    }
}

#[test]
fn exposure_doubles_light_per_stop() {
    let world = empty_world(Vec3::splat(0.1));
    let settings = ImageSettings {
        tone: ToneMap::Linear,
        ..small(Quality::draft())
    };
    let level = |exposure: f32| {
        let camera = Camera::look_at(Vec3::Z, Vec3::ZERO);
        render(
            &world,
            &camera,
            0.0,
            &ImageSettings {
                exposure,
                ..settings
            },
        )
        .expect("sound")
        .pixels[0][0]
    };
    // sRGB of 0.1, 0.2 and 0.4.
    assert_eq!([level(0.0), level(1.0), level(2.0)], [89, 124, 170]);
}
