//! Lamps, shadows, absorption and refraction against closed forms.

mod support;

use glam::{Vec3, vec3};
use ooze_geometry::TriangleMesh;
use ooze_geometry::generate::cuboid;
use ooze_render::{
    AreaLight, Body, EnvironmentPicture, Ground, LightShape, Lights, Look, Pattern, Role, Sky,
    Surroundings, World,
};
use std::sync::Arc;
use support::{bare_paint, clear_body, empty_world, light_along, slab};

const LAMP_RADIUS: f32 = 0.5;
const LAMP_HEIGHT: f32 = 2.0;
/// Dark, so that light between the ground and a pane above it does not matter.
const ALBEDO: f32 = 0.05;

/// A white ground under a disc lamp, in the dark.
fn lamp_world() -> World {
    let mut world = empty_world(Vec3::ZERO);
    world.stage.ground = Some(Ground {
        height: 0.0,
        look: bare_paint(Vec3::splat(ALBEDO)),
        pattern: Pattern::Plain,
        centre: Vec3::ZERO,
        fade_start: 100.0,
        fade_end: 200.0,
    });
    world.lights.area.push(AreaLight {
        softness: 0.0,
        shape: LightShape::Disc {
            radius: LAMP_RADIUS,
        },
        centre: vec3(0.0, LAMP_HEIGHT, 0.0),
        target: Vec3::ZERO,
        radiance: Vec3::splat(5.0),
        visible: false,
    });
    world
}

/// Brightness of the ground at (`x`, 0), seen from the side along z.
fn ground_brightness(world: &World, x: f32) -> f32 {
    light_along(world, vec3(x, 0.4, 3.0), vec3(x, 0.0, 0.0), 2048).x
}

/// Brightness on the axis: radiance × albedo × R² / (R² + H²).
fn on_axis() -> f32 {
    5.0 * ALBEDO * LAMP_RADIUS * LAMP_RADIUS
        / (LAMP_RADIUS * LAMP_RADIUS + LAMP_HEIGHT * LAMP_HEIGHT)
}

#[test]
fn ground_under_a_disc_lamp_has_the_closed_form_brightness() {
    let found = ground_brightness(&lamp_world(), 0.0);
    assert!(
        (found / on_axis() - 1.0).abs() < 2e-3,
        "{found} {}",
        on_axis()
    );
}

#[test]
fn a_window_in_a_picture_of_surroundings_lights_the_ground_as_its_solid_angle_says() {
    // Rows 0 to 3 of 32 are the cap within 22.5° of the zenith: E = π L sin²(22.5°), of which paint reflects its share.
    let (width, height) = (64_usize, 32_usize);
    let pixels = (0..width * height)
        .map(|index| Vec3::splat(if index < 4 * width { 30.0 } else { 0.0 }))
        .collect();
    let picture = EnvironmentPicture::from_pixels(width, height, pixels).expect("sound");
    for (turn, brightness) in [(0.0, 1.0), (77.0, 2.0)] {
        let mut world = empty_world(Vec3::ZERO);
        world.add(
            "floor",
            slab(-1.0, 0.0),
            bare_paint(Vec3::splat(0.5)),
            Role::Solid,
        );
        world.lights = Lights::of_picture(Surroundings {
            picture: Arc::new(picture.clone()),
            turn,
            brightness,
            visible: true,
        });
        let found = light_along(&world, Vec3::new(3.0, 2.0, 0.0), Vec3::ZERO, 512).x;
        let expected = 0.5 * 30.0 * brightness * 22.5_f32.to_radians().sin().powi(2);
        assert!((found / expected - 1.0).abs() < 0.03, "{found} {expected}");
    }
}

#[test]
fn penumbra_of_a_half_plane_is_half_and_umbra_is_black() {
    // A roof over x < 0 at height h hides exactly half of the lamp from x = 0, all of it below -w and nothing above w,
    // with w = R h / (H - h).
    let height = 1.0;
    let mut world = lamp_world();
    let roof = cuboid(vec3(-25.0, height, 0.0), vec3(25.0, 1e-4, 25.0));
    world.add("roof", roof, bare_paint(Vec3::ZERO), Role::Solid);
    let open = lamp_world();
    let half_width = LAMP_RADIUS * height / (LAMP_HEIGHT - height);
    let half = ground_brightness(&world, 0.0);
    assert!(
        (half / on_axis() - 0.5).abs() < 5e-3,
        "{}",
        half / on_axis()
    );
    assert_eq!(ground_brightness(&world, -half_width - 0.01), 0.0);
    let outside = half_width + 0.01;
    let (lit, free) = (
        ground_brightness(&world, outside),
        ground_brightness(&open, outside),
    );
    assert!((lit / free - 1.0).abs() < 3e-3, "{lit} {free}");
    let (quarter_in, quarter_out) = (
        ground_brightness(&world, -0.5 * half_width),
        ground_brightness(&world, 0.5 * half_width),
    );
    assert!(quarter_in > 0.0 && quarter_in < half && half < quarter_out && quarter_out < lit);
}

#[test]
fn rough_and_smooth_metal_show_a_lamp_of_the_right_radiance() {
    // A mirror shows the lamp's own radiance.
    let mut world = lamp_world();
    world.stage.ground = None;
    world.add(
        "mirror",
        slab(-1.0, 0.0),
        Look::metal(Vec3::ONE, 0.0),
        Role::Solid,
    );
    let found = light_along(&world, vec3(0.5, 2.0, 0.0), vec3(0.25, 0.0, 0.0), 16).x;
    assert!((found - 5.0).abs() < 1e-3, "{found}");
}

#[test]
fn shadow_of_a_clear_body_is_tinted_by_what_the_light_passed() {
    let colour = vec3(0.9, 0.5, 0.1);
    let mut world = lamp_world();
    let look = Look {
        body: Body::Clear {
            colour,
            depth: 0.1,
            haze: 0.0,
        },
        ..clear_body(1.0)
    };
    world.add("pane", slab(1.0, 1.1), look, Role::Solid);
    let eye = vec3(0.0, 0.4, 3.0);
    let (found, free) = (
        light_along(&world, eye, Vec3::ZERO, 2048),
        light_along(&lamp_world(), eye, Vec3::ZERO, 2048),
    );
    // Slanted lines pass a little more than the thickness: up to 1 / cos(14°).
    for channel in 0..3 {
        let share = found[channel] / free[channel];
        assert!(
            share <= colour[channel] + 4e-3 && share >= colour[channel].powf(1.032),
            "{channel}: {share}"
        );
    }
}

#[test]
fn surface_of_a_clear_body_dims_a_shadow_as_fresnel_says() {
    let mut world = lamp_world();
    world.add("pane", slab(1.0, 1.1), clear_body(1.5), Role::Solid);
    let eye = vec3(0.0, 0.4, 3.0);
    let share = light_along(&world, eye, Vec3::ZERO, 2048).x
        / light_along(&lamp_world(), eye, Vec3::ZERO, 2048).x;
    assert!((share - 0.96 * 0.96).abs() < 7e-3, "{share}");
}

#[test]
fn looking_through_a_body_of_air_shows_beer_and_lambert() {
    let colour = vec3(0.8, 0.3, 0.05);
    for thickness in [0.05_f32, 0.1, 0.3] {
        let mut world = empty_world(Vec3::ONE);
        let look = Look {
            body: Body::Clear {
                colour,
                depth: 0.1,
                haze: 0.0,
            },
            ..clear_body(1.0)
        };
        world.add("pane", slab(0.0, thickness), look, Role::Liquid);
        let found = light_along(&world, Vec3::Y, Vec3::ZERO, 16);
        for channel in 0..3 {
            let expected = colour[channel].powf(thickness / 0.1);
            assert!(
                (found[channel] - expected).abs() < 1e-4,
                "{thickness}: {} {expected}",
                found[channel]
            );
        }
    }
}

#[test]
fn haze_that_absorbs_nothing_passes_everything_in_a_furnace() {
    let mut world = empty_world(Vec3::ONE);
    let look = Look {
        body: Body::Clear {
            colour: Vec3::ONE,
            depth: 1.0,
            haze: 8.0,
        },
        ..clear_body(1.2)
    };
    world.add(
        "cloud",
        cuboid(Vec3::ZERO, Vec3::splat(0.2)),
        look,
        Role::Liquid,
    );
    let found = light_along(&world, vec3(0.0, 0.4, 1.0), Vec3::ZERO, 256).x;
    assert!((found - 1.0).abs() < 1e-3, "{found}");
}

#[test]
fn a_pane_displaces_the_view_by_snells_law() {
    // Through a pane of thickness t at incidence θ a ray is displaced along the ground by
    // t (tan θ - tan θ'), with sin θ = n sin θ'.
    let (index, thickness, angle) = (1.5_f32, 0.5_f32, 45.0_f32.to_radians());
    let inner = (angle.sin() / index).asin();
    let shift = thickness * (angle.tan() - inner.tan());
    let mut world = empty_world(Vec3::ONE);
    world.stage.ground = Some(Ground {
        height: -1.0,
        look: bare_paint(Vec3::splat(0.9)),
        // Squares so large that only the edge at x = 0 matters: dark for x > 0 at z > 0.
        pattern: Pattern::Checker {
            size: 40.0,
            colour: Vec3::ZERO,
        },
        centre: vec3(0.0, 0.0, -10.0),
        fade_start: 100.0,
        fade_end: 200.0,
    });
    let brightness = |world: &World, landing: f32| {
        // A ray that would land at x = `landing` if nothing were in its way.
        let eye = vec3(landing - 3.0 * angle.tan(), 2.0, 0.0);
        light_along(world, eye, vec3(landing, -1.0, 0.0), 64).x
    };
    let edge = |world: &World| {
        let bright_below = brightness(world, -0.5) > brightness(world, 0.5);
        let (mut low, mut high) = (-0.5_f32, 0.5_f32);
        for _ in 0..16 {
            let middle = 0.5 * (low + high);
            let bright = brightness(world, middle) > 0.25;
            if bright == bright_below {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    };
    assert!(edge(&world).abs() < 2e-3, "{}", edge(&world));
    world.add("pane", slab(0.0, thickness), clear_body(index), Role::Solid);
    // The view lands nearer, so the aim must go farther.
    assert!(
        (edge(&world) - shift).abs() < 2e-3,
        "{} {shift}",
        edge(&world)
    );
}

/// A deep pool over a black floor under a bright sky, seen from inside at an angle from the vertical.
fn from_inside(angle_degrees: f32) -> f32 {
    let mut world = empty_world(Vec3::ZERO);
    world.lights.sky = Sky {
        zenith: Vec3::ONE,
        horizon: Vec3::ONE,
        nadir: Vec3::ZERO,
    };
    world.add("pool", slab(-10.0, 0.0), clear_body(1.333), Role::Liquid);
    world.add(
        "floor",
        slab(-9.0, -8.0),
        bare_paint(Vec3::ZERO),
        Role::Solid,
    );
    let angle = angle_degrees.to_radians();
    let eye = vec3(0.0, -2.0, 0.0);
    light_along(&world, eye, eye + vec3(angle.sin(), angle.cos(), 0.0), 64).x
}

#[test]
fn camera_inside_a_liquid_sees_the_window_of_snell() {
    // Water's critical angle is 48.6°: inside that cone the sky, outside it the floor mirrored.
    assert!(
        (from_inside(0.0) - 0.98).abs() < 2e-3,
        "{}",
        from_inside(0.0)
    );
    assert!(from_inside(40.0) > 0.93);
    assert!(from_inside(48.0) > 0.5);
    assert_eq!(from_inside(49.5), 0.0);
    assert_eq!(from_inside(70.0), 0.0);
}

/// Share of light from straight above that passes a glass pane lying on a liquid, whose surface ends `gap` below it.
fn through_glass_and_liquid(gap: f32, contact_gap: f32) -> f32 {
    let mut world = empty_world(Vec3::ZERO);
    world.lights.sky = Sky {
        zenith: Vec3::ONE,
        horizon: Vec3::ZERO,
        nadir: Vec3::ZERO,
    };
    world.contact_gap = contact_gap;
    world.add("pane", slab(0.0, 0.1), clear_body(1.5), Role::Solid);
    let liquid = cuboid(
        vec3(0.0, -0.5 - 0.5 * gap, 0.0),
        vec3(20.0, 0.5 - 0.5 * gap, 20.0),
    );
    world.add("liquid", liquid, clear_body(1.333), Role::Liquid);
    light_along(&world, vec3(0.0, -2.0, 0.0), Vec3::ZERO, 4096).x
}

#[test]
fn a_liquid_in_contact_with_glass_shows_no_air_between() {
    let fresnel = |first: f32, second: f32| ((first - second) / (first + second)).powi(2);
    let (air_glass, glass_liquid, liquid_air) =
        (fresnel(1.0, 1.5), fresnel(1.5, 1.333), fresnel(1.333, 1.0));
    // Light reflected twice inside comes back as well: to first order a layer passes (1 - a)(1 - b) / (1 - a b).
    let contact = (1.0 - air_glass)
        * (1.0 - glass_liquid)
        * (1.0 - liquid_air)
        * (1.0 + air_glass * glass_liquid + glass_liquid * liquid_air + air_glass * liquid_air);
    let pressed = through_glass_and_liquid(0.004, 0.01);
    assert!((pressed - contact).abs() < 3e-3, "{pressed} {contact}");
    let apart = through_glass_and_liquid(0.004, 0.0);
    let expected = (1.0 - air_glass).powi(2) * (1.0 - liquid_air).powi(2);
    assert!(
        apart < contact - 0.03 && (apart - expected).abs() < 0.01,
        "{apart} {expected}"
    );
    // Overlap from the start is resolved by priority alone.
    let overlapping = through_glass_and_liquid(-0.03, 0.0);
    assert!(
        (overlapping - contact).abs() < 3e-3,
        "{overlapping} {contact}"
    );
}

#[test]
fn a_glowing_wall_lights_a_surface_like_a_lamp() {
    // A glowing square of side s, far above: brightness = albedo × L s² / (π h²).
    let mut world = lamp_world();
    world.lights.area.clear();
    let mut glow = Look::named("lava")
        .expect("preset")
        .glow
        .expect("lava glows");
    glow.radiance = 6.0;
    glow.default_temperature = glow.reference_temperature;
    let look = Look {
        glow: Some(glow),
        ..bare_paint(Vec3::ZERO)
    };
    let (side, height) = (0.2_f32, 4.0_f32);
    let square = TriangleMesh {
        positions: [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
            .map(|(x, z)| vec3(x * side, height, z * side))
            .to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..TriangleMesh::default()
    };
    world.add("ember", square, look, Role::Solid);
    let found = light_along(&world, vec3(0.0, 0.4, 3.0), Vec3::ZERO, 1024);
    let luminance = found.dot(vec3(0.2126, 0.7152, 0.0722));
    let expected = ALBEDO * 6.0 * side * side / (std::f32::consts::PI * height * height);
    assert!(
        (luminance / expected - 1.0).abs() < 0.02,
        "{luminance} {expected}"
    );
}
