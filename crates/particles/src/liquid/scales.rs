//! Magnitudes of a scene from which stiffnesses are chosen.

use glam::Vec3;
use ooze_core::LiquidSetup;
use ooze_core::seeding::shape_bounds;
use ooze_geometry::Aabb;

/// Share of the energy of a fall that counts beside the weight at rest: blows are short.
const SHARE_OF_FALLS: f32 = 0.4;

/// The constant part of the acceleration, in the middle of the domain.
pub fn gravity(setup: &LiquidSetup) -> Vec3 {
    let middle = 0.5 * (setup.domain.lower + setup.domain.upper());
    setup
        .forces
        .iter()
        .map(|force| force.acceleration(middle))
        .sum()
}

/// The largest energy per mass in J/kg that pressure must withstand: the weight of the deepest liquid at the start, part
/// of the energy of falling through the domain, and the energy of the initial motion.
pub fn largest_energy(setup: &LiquidSetup) -> f32 {
    let domain = &setup.domain;
    let inside = Aabb::new(domain.lower, domain.upper());
    let gravity = gravity(setup);
    let weight = |extent: Vec3| extent.dot(gravity.abs());
    let mut energy: f32 = 0.0;
    let mut reach = Aabb::EMPTY;
    for liquid in &setup.initial {
        let bounds = shape_bounds(domain, &liquid.shape).intersection(inside);
        reach = reach.union(bounds);
        let spin = 0.5 * liquid.spin.length() * bounds.extent().length();
        let speed = liquid.velocity.length() + spin;
        energy = energy.max(weight(bounds.extent()) + 0.5 * SHARE_OF_FALLS * speed * speed);
    }
    for emitter in &setup.emitters {
        reach = reach.union(shape_bounds(domain, &emitter.shape).intersection(inside));
        energy = energy.max(0.5 * SHARE_OF_FALLS * emitter.velocity.length_squared());
    }
    if !reach.is_empty() {
        // From the highest liquid to the bottom, along gravity.
        for axis in 0..3 {
            let fall = if gravity[axis] < 0.0 {
                reach.upper[axis] - inside.lower[axis]
            } else {
                inside.upper[axis] - reach.lower[axis]
            };
            energy = energy.max(SHARE_OF_FALLS * fall * gravity[axis].abs());
        }
    }
    energy
}
