//! Texture coordinates stick to the liquid in every method, and are given anew when they fall due.

use std::collections::BTreeMap;
use std::f32::consts::TAU;

use glam::{Quat, Vec3};
use ooze::Simulation;
use ooze_core::{Channels, TextureCoordinates};
use ooze_scene::method_names;

use crate::scene;

const CENTRE: Vec3 = Vec3::new(0.06, 0.1, 0.1);
const VELOCITY: Vec3 = Vec3::new(0.3, 0.1, 0.0);
/// A second, about z.
const TURNS: f32 = 0.6;
const CELL: f32 = 0.2 / 20.0;
const SECONDS: f32 = 0.2;

/// A ball of goo that flies and turns, free of all forces.
fn flight(refresh: &str) -> String {
    format!(
        "
gravity = [0, 0, 0]
[domain]
size = [0.2, 0.2, 0.2]
cells = 20
[time]
frames = 12
frame_rate = 60
[materials.goo]
base = \"water\"
viscosity = 5
[[liquid]]
material = \"goo\"
shape.sphere = {{ centre = [{}, {}, {}], radius = 0.04 }}
velocity = [{}, {}, 0]
spin = [0, 0, {TURNS}]
[texture_coordinates]
{refresh}
[output]
video = false
",
        CENTRE.x, CENTRE.y, CENTRE.z, VELOCITY.x, VELOCITY.y
    )
}

/// What particles hold at the start and at the end of a flight.
fn flown(method: &str, refresh: &str) -> [Channels; 2] {
    let mut simulation = Simulation::of_scene(&scene(&flight(refresh), method)).unwrap();
    let start = simulation.liquid().channels();
    simulation.run(&|| false).unwrap();
    [start, simulation.liquid().channels()]
}

/// Where a point of the ball was some seconds ago.
fn back(point: Vec3, now: f32, ago: f32) -> Vec3 {
    let centre = CENTRE + now * VELOCITY;
    let turned = Quat::from_rotation_z(-TAU * TURNS * ago) * (point - centre);
    turned + centre - ago * VELOCITY
}

/// Distance of a layer from where its liquid was some seconds ago, in cells: the mean, and the largest.
fn strayed(channels: &Channels, layer: usize, ago: f32) -> [f32; 2] {
    let positions = channels.vectors("position").unwrap().iter();
    let layer = channels.vectors(TextureCoordinates::CHANNELS[layer]);
    let pairs = positions.zip(layer.unwrap());
    let off = pairs.map(|(&point, rest)| back(point, SECONDS, ago).distance(*rest) / CELL);
    let (count, sum, most) = off.fold((0.0, 0.0, 0.0), |(count, sum, most), off: f32| {
        (count + 1.0, sum + off, off.max(most))
    });
    [sum / count, most]
}

#[test]
fn coordinates_of_particles_are_where_they_were_at_the_start() {
    for method in method_names() {
        let [start, end] = flown(method, "");
        let level_sets = ["level-set", "goktekin-2011", "carlson-2004-rigid"];
        if end.words("id").is_err() || level_sets.contains(&method) {
            continue;
        }
        let by_identity = |channels: &Channels, name: &str| -> BTreeMap<u32, [u32; 3]> {
            let identities = channels.words("id").unwrap().iter().copied();
            let points = channels.vectors(name).unwrap().iter();
            let bits = points.map(|point| point.to_array().map(f32::to_bits));
            identities.zip(bits).collect()
        };
        let (born, rest) = (
            by_identity(&start, "position"),
            by_identity(&end, "rest_position"),
        );
        assert!(!rest.is_empty() && born == rest, "{method}");
        assert!(end.vectors("rest_position_2").is_err(), "{method}");
    }
}

#[test]
fn coordinates_of_level_sets_fly_and_turn_with_the_liquid() {
    let [_, end] = flown("level-set", "");
    // At the surface what lies outside is continued, and lags behind.
    let [mean, most] = strayed(&end, 0, SECONDS);
    assert!(mean < 0.5 && most < 1.3, "{mean} and {most} cells");
}

#[test]
fn coordinates_that_fall_due_are_given_anew_in_turns() {
    // The second layer is given anew at 0.15 s, the first not yet.
    for method in ["flip", "level-set", "clavet", "mueller"] {
        let [_, end] = flown(method, "refresh = 0.3");
        let ([first, _], [second, _]) =
            (strayed(&end, 0, SECONDS), strayed(&end, 1, SECONDS - 0.15));
        // Particles settle among themselves on their way.
        assert!(first < 0.5 && second < 0.5, "{method}: {first} {second}");
        let [stale, _] = strayed(&end, 1, SECONDS);
        assert!(stale > 1.2, "{method}: {stale}");
    }
}
