//! Where the liquid of a scene will be, from the scene alone: pictures that are made while a run goes on must show the same
//! as those made when it is over, so the camera cannot wait to see where the liquid went.
//!
//! Liquid flies as a stone would until it is stopped, and then spreads on the ground: no faster than a dam breaks, whose
//! front moves at 2√(gh) (Ritter 1892), and no farther than a viscous puddle of all the liquid, r = 0.894 (g V³ t / 3ν)^⅛,
//! or in flat scenes x = 1.411 (g A³ t / 3ν)^⅕ (Huppert 1982). What is elastic or held by walls spreads less; pictures then
//! show a little more of the surroundings.

use glam::Vec3;
use ooze_core::Force;
use ooze_geometry::Aabb;
use ooze_scene::Scene;

use super::particle_volume;

/// Moments of a flight that are looked at.
const MOMENTS: u32 = 32;

/// The box that the liquid of a scene takes up during a run, roughly; empty if there is no liquid.
pub fn subject_of(scene: &Scene) -> Aabb {
    let domain = &scene.setup.domain;
    let space = Aabb::new(domain.lower, domain.upper());
    if scene
        .setup
        .forces
        .iter()
        .any(|force| matches!(force, Force::Swirl { .. }))
    {
        return space;
    }
    let gravity: Vec3 = scene
        .setup
        .forces
        .iter()
        .map(|force| force.acceleration(space.centre()))
        .sum();
    let initial = scene.setup.initial.iter();
    let initial = initial.map(|liquid| (liquid.shape.bounds(), liquid.velocity));
    let emitters = scene.setup.emitters.iter();
    let emitters = emitters.map(|emitter| (emitter.shape.bounds(), emitter.velocity));
    let seconds = scene.time.duration() as f32;
    let flown = initial
        .chain(emitters)
        .map(|(start, velocity)| flight(start, velocity, gravity, seconds, space))
        .fold(Aabb::EMPTY, Aabb::union);
    if flown.is_empty() || gravity == Vec3::ZERO {
        return flown;
    }
    flown
        .union(puddle(scene, flown, gravity))
        .intersection(space)
}

/// The box around all places of something that flies, as far as the ground.
fn flight(start: Aabb, velocity: Vec3, gravity: Vec3, seconds: f32, space: Aabb) -> Aabb {
    let mut flown = Aabb::EMPTY;
    for moment in 0..=MOMENTS {
        let time = seconds * moment as f32 / MOMENTS as f32;
        let way = time * (velocity + 0.5 * time * gravity);
        let place = Aabb::new(start.lower + way, start.upper + way).intersection(space);
        if place.is_empty() {
            // It has met the ground, or another side, on the way.
            return flown.union(swept_to_side(flown, velocity + time * gravity, space));
        }
        flown = flown.union(place);
    }
    flown
}

/// A box drawn out to the side of the space that something which leaves it with a velocity goes through.
fn swept_to_side(from: Aabb, velocity: Vec3, space: Aabb) -> Aabb {
    if from.is_empty() {
        return from;
    }
    let mut swept = from;
    let axis = velocity.abs().max_position();
    if velocity[axis] < 0.0 {
        swept.lower[axis] = space.lower[axis];
    } else {
        swept.upper[axis] = space.upper[axis];
    }
    swept
}

/// The puddle that all the liquid becomes below where it was.
fn puddle(scene: &Scene, above: Aabb, gravity: Vec3) -> Aabb {
    let domain = &scene.setup.domain;
    let strength = f64::from(gravity.length());
    let down = gravity.abs().max_position();
    let volume = scene.prediction().most_particles as f64 * f64::from(particle_volume(scene));
    let viscosities = scene.setup.materials.iter();
    let viscosity = viscosities
        .map(|material| f64::from(material.kinematic_viscosity()))
        .fold(f64::INFINITY, f64::min)
        .max(1e-9);
    let seconds = scene.time.duration();
    let reach = if domain.flat {
        let area = volume / f64::from(domain.upper().z - domain.lower.z);
        1.411 * (strength * area.powi(3) * seconds / (3.0 * viscosity)).powf(0.2)
    } else {
        0.894 * (strength * volume.powi(3) * seconds / (3.0 * viscosity)).powf(0.125)
    };
    let run = 2.0 * (strength * f64::from(above.extent()[down])).sqrt() * seconds;
    let centre = above.centre();
    let half = 0.5 * above.extent();
    let mut spread = above;
    for axis in (0..3).filter(|&axis| axis != down) {
        let half = half[axis].max((reach as f32).min(half[axis] + run as f32));
        spread.lower[axis] = centre[axis] - half;
        spread.upper[axis] = centre[axis] + half;
    }
    spread
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(liquid: &str, frames: u32) -> Aabb {
        let text = format!(
            "name = \"test\"\n[domain]\nsize = [2, 1, 2]\ncells = 32\n[time]\nframe_rate = 10\nframes = {frames}\n{liquid}"
        );
        subject_of(&Scene::parse(&text, "test", "").expect("sound"))
    }

    #[test]
    fn what_is_thrown_flies_and_falls() {
        let honey = "[[liquid]]\nmaterial = \"honey\"\nvelocity = [1, 0, 0]\n\
                     shape.box = { lower = [0.2, 0.7, 0.9], upper = [0.3, 0.8, 1.0] }\n";
        // In 0.2 s it has moved on by 0.2 m and fallen by 0.196 m.
        let early = subject(honey, 2);
        assert!((early.upper.x - 0.5).abs() < 0.01, "{early:?}");
        assert!((early.lower.y - 0.504).abs() < 0.01, "{early:?}");
        // Later it lies on the ground.
        let late = subject(honey, 20);
        assert_eq!(late.lower.y, 0.0);
        assert!(late.upper.x > 0.6 && late.upper.x < 1.2, "{late:?}");
    }

    #[test]
    fn water_spreads_wider_than_honey() {
        let block = "shape.box = { lower = [0.9, 0, 0.9], upper = [1.1, 0.2, 1.1] }\n";
        let width = |material: &str| {
            let liquid = format!("[[liquid]]\nmaterial = \"{material}\"\n{block}");
            subject(&liquid, 20).extent().x
        };
        let (water, honey) = (width("water"), width("honey"));
        assert!(water > 1.9, "{water}");
        assert!(honey > 0.2 && honey < 0.8, "{honey}");
    }
}
