//! Many bodies at once.

use glam::Vec3;
use ooze_core::Domain;
use ooze_geometry::Shape;

use crate::support::{ball, body, cuboid, world};

#[test]
fn a_hundred_bodies_that_are_dropped_into_a_box_come_to_rest_in_it() {
    let mut domain = Domain::closed(Vec3::ZERO, Vec3::splat(1.0), 20);
    domain.sides[1][1] = ooze_core::Side::Open;
    let bodies = (0..100).map(|number| {
        let [x, y, z] = [number % 5, number / 25, number / 5 % 5].map(|place| place as f32);
        let at = Vec3::new(0.1 + 0.2 * x + 0.004 * y, 0.2 + 0.25 * y, 0.1 + 0.2 * z);
        let shape = match number % 4 {
            0 => ball(0.07),
            1 => cuboid(Vec3::new(0.08, 0.04, 0.06)),
            2 => Shape::cylinder(Vec3::Y * -0.06, Vec3::Y * 0.06, 0.06).expect("fair"),
            _ => Shape::capsule(Vec3::X * -0.04, Vec3::X * 0.04, 0.04).expect("fair"),
        };
        let mut one = body(&format!("{number}"), shape, at);
        one.friction = 0.4;
        one.restitution = 0.2;
        one
    });
    let mut world = world(&domain, Vec::new(), bodies.collect(), &[]);
    for _ in 0..900 {
        world.step(0.005);
    }
    let mut fastest = 0.0f64;
    for number in 0..100 {
        let place = world.place(number);
        let inside = place.min_element() > 0.03 && place.x < 0.97 && place.z < 0.97;
        assert!(inside && place.y < 1.5, "{number}: {place}");
        fastest = fastest.max(world.velocity(number).length());
    }
    assert!(fastest < 0.5, "{fastest}");
}
