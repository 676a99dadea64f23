//! Worlds and measurements shared by the tests.

// Each test file uses a part of these.
#![allow(dead_code)]

use glam::{Vec3, vec3};
use ooze_geometry::generate::cuboid;
use ooze_geometry::{Aabb, TriangleMesh};
use ooze_render::{
    Body, Camera, ImageSettings, Lights, Look, Quality, Sky, Stage, ToneMap, World, render_film,
};

/// Nothing under a uniform sky.
pub fn empty_world(sky: Vec3) -> World {
    World {
        objects: Vec::new(),
        particles: Vec::new(),
        stage: Stage::bare(),
        lights: Lights {
            area: Vec::new(),
            sky: Sky::uniform(sky),
            surroundings: None,
        },
        contact_gap: 0.0,
    }
}

/// Path tracing without filter, clamp or early stop.
pub fn exact_quality(samples: u32) -> Quality {
    Quality {
        samples,
        samples_max: samples,
        noise: 0.0,
        denoise: 0,
        clamp: 1e6,
        diffuse_bounces: 16,
        bounces: 64,
        ..Quality::finished()
    }
}

/// Settings for a picture of exact quality.
pub fn exact_settings(width: u32, height: u32, samples: u32) -> ImageSettings {
    ImageSettings {
        width,
        height,
        exposure: 0.0,
        tone: ToneMap::Linear,
        quality: exact_quality(samples),
    }
}

/// A camera that sees nearly a single ray from `eye` to `target`.
pub fn narrow_camera(eye: Vec3, target: Vec3) -> Camera {
    let mut camera = Camera::look_at(eye, target);
    camera.field_of_view = 0.01;
    if (target - eye).normalize().y.abs() > 0.99 {
        camera.up = Vec3::Z;
    }
    camera
}

/// The light that arrives along the ray from `eye` to `target`.
pub fn light_along(world: &World, eye: Vec3, target: Vec3, samples: u32) -> Vec3 {
    let film = render_film(
        world,
        &narrow_camera(eye, target),
        0.0,
        &exact_settings(1, 1, samples),
    )
    .expect("a sound world");
    film.radiance[0]
}

/// Paint without a coat.
pub fn bare_paint(colour: Vec3) -> Look {
    Look {
        refractive_index: 1.0,
        ..Look::opaque(colour, 1.0)
    }
}

/// A clear body without absorption worth speaking of.
pub fn clear_body(refractive_index: f32) -> Look {
    Look {
        body: Body::Clear {
            colour: Vec3::ONE,
            depth: 1.0,
            haze: 0.0,
        },
        ..Look::clear(Vec3::ONE, 1.0, refractive_index)
    }
}

/// A horizontal slab between two heights, wide enough to have no sides.
pub fn slab(lower: f32, upper: f32) -> TriangleMesh {
    let bounds = Aabb::new(vec3(-50.0, lower, -50.0), vec3(50.0, upper, 50.0));
    cuboid(bounds.centre(), bounds.extent() * 0.5)
}
