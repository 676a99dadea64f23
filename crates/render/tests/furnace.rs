//! Energy conservation: in surroundings of radiance 1 everything that absorbs nothing has radiance 1.

mod support;

use glam::Vec3;
use ooze_geometry::generate::icosphere;
use ooze_render::{
    Camera, EnvironmentPicture, Lights, Look, Role, Surroundings, World, render_film,
};
use std::sync::Arc;
use support::{clear_body, empty_world, exact_settings};

/// Mean, least and greatest radiance over the pixels of a ball of the given look that fills most of the picture.
fn furnace(look: Look, samples: u32) -> [f64; 3] {
    furnace_in(empty_world(Vec3::ONE), look, samples)
}

/// The same in other surroundings.
fn furnace_in(mut world: World, look: Look, samples: u32) -> [f64; 3] {
    world.add("ball", icosphere(Vec3::ZERO, 1.0, 5), look, Role::Solid);
    let camera = Camera::look_at(Vec3::new(0.0, 0.3, 5.0), Vec3::ZERO);
    let film = render_film(&world, &camera, 0.0, &exact_settings(24, 24, samples)).expect("sound");
    // The ball's outline is at 0.82 of the picture's half height; nearer the middle nothing else is seen.
    let on_ball: Vec<f64> = film
        .radiance
        .iter()
        .enumerate()
        .filter(|(index, _)| {
            let [x, y] = [index % 24, index / 24].map(|place| (place as f64 + 0.5) / 12.0 - 1.0);
            x.hypot(y) < 0.72
        })
        .flat_map(|(_, radiance)| radiance.to_array().map(f64::from))
        .collect();
    assert!(on_ball.len() > 600);
    let mean = on_ball.iter().sum::<f64>() / on_ball.len() as f64;
    let least = on_ball.iter().copied().fold(f64::MAX, f64::min);
    let most = on_ball.iter().copied().fold(f64::MIN, f64::max);
    [mean, least, most]
}

#[test]
fn white_paint_under_a_coat_reflects_everything() {
    for roughness in [0.0, 0.3, 0.8] {
        let [mean, least, most] = furnace(Look::opaque(Vec3::ONE, roughness), 64);
        assert!(
            (mean - 1.0).abs() < 5e-3,
            "roughness {roughness}: mean {mean}"
        );
        assert!(
            least > 0.8 && most < 1.2,
            "roughness {roughness}: {least} to {most}"
        );
    }
}

#[test]
fn a_picture_of_even_light_is_a_furnace_too() {
    let even = EnvironmentPicture::from_pixels(16, 8, vec![Vec3::ONE; 128]).expect("sound");
    let mut world = empty_world(Vec3::ZERO);
    world.lights = Lights::of_picture(Surroundings {
        picture: Arc::new(even),
        turn: 30.0,
        brightness: 1.0,
        visible: true,
    });
    for look in [Look::opaque(Vec3::ONE, 0.3), clear_body(1.5)] {
        let [mean, least, most] = furnace_in(world.clone(), look, 64);
        assert!(
            (mean - 1.0).abs() < 5e-3 && least > 0.8 && most < 1.2,
            "{mean} {least} {most}"
        );
    }
}

#[test]
fn clear_body_passes_everything() {
    for index in [1.1, 1.333, 1.5, 2.4] {
        let [mean, least, most] = furnace(clear_body(index), 16);
        assert!(
            (mean - 1.0).abs() < 1e-3 && least > 0.97 && most < 1.03,
            "index {index}: {mean} {least} {most}"
        );
    }
}

#[test]
fn frosted_glass_loses_only_what_facets_block() {
    let mut look = clear_body(1.5);
    look.roughness = 0.3;
    let [mean, _, most] = furnace(look, 64);
    assert!((mean - 1.0).abs() < 0.01 && most < 1.05, "{mean} {most}");
}

#[test]
fn thin_glass_passes_everything() {
    let mut look = Look::named("thin-glass").expect("preset");
    look.body = ooze_render::Body::ThinGlass { colour: Vec3::ONE };
    let [mean, least, most] = furnace(look, 16);
    assert!(
        (mean - 1.0).abs() < 1e-3 && least > 0.97 && most < 1.03,
        "{mean} {least} {most}"
    );
}

#[test]
fn perfect_metal_reflects_everything() {
    let [mean, least, most] = furnace(Look::metal(Vec3::ONE, 0.0), 16);
    assert!((mean - 1.0).abs() < 1e-3 && least > 0.97 && most < 1.03);
    for roughness in [0.3, 0.7] {
        let [mean, _, most] = furnace(Look::metal(Vec3::ONE, roughness), 64);
        assert!(
            (mean - 1.0).abs() < 0.02 && most < 1.5,
            "roughness {roughness}: {mean} {most}"
        );
    }
}

#[test]
fn milky_body_has_the_colour_it_was_given() {
    // The inversion from colour to scattering albedo is made for thick layers and an even entry.
    for colour in [0.2_f32, 0.5, 0.8] {
        let mut look = Look::scattering(Vec3::splat(colour), Vec3::splat(0.01), 0.5);
        look.refractive_index = 1.0;
        let [mean, ..] = furnace(look, 64);
        assert!(
            (mean - f64::from(colour)).abs() < 0.04,
            "colour {colour}: {mean}"
        );
    }
    let [white, _, most] = furnace(Look::scattering(Vec3::ONE, Vec3::splat(0.05), 0.2), 64);
    assert!(
        white > 0.95 && white < 1.005 && most < 1.3,
        "{white} {most}"
    );
}

#[test]
fn grey_paint_reflects_its_share() {
    let mut look = Look::opaque(Vec3::splat(0.4), 1.0);
    look.refractive_index = 1.0;
    let [mean, ..] = furnace(look, 16);
    assert!((mean - 0.4).abs() < 1e-4, "{mean}");
}
