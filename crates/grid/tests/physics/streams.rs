//! Streams of thick liquid: they leave their nozzle at the speed that they should and stay whole as they stretch.

use std::sync::Arc;

use glam::Vec3;
use ooze_core::{Emitter, LiquidSetup, Material, MaterialId, Side};
use ooze_geometry::Shape;
use ooze_grid::FlipSettings;

use crate::support::{World, cuboid, setup, unit_box};

const SPEED: f32 = 0.6;
const NOZZLE: f32 = 0.85;

/// A stream that falls out of an open box.
fn stream(viscosity: f32) -> World {
    let mut domain = unit_box(32, false);
    domain.sides[1][0] = Side::Open;
    let emitter = Emitter {
        name: "stream".into(),
        shape: Arc::new(
            Shape::cylinder(
                Vec3::new(0.5, NOZZLE, 0.5),
                Vec3::new(0.5, NOZZLE + 0.1, 0.5),
                0.09,
            )
            .expect("a fair cylinder"),
        ),
        material: MaterialId(0),
        velocity: Vec3::new(0.0, -SPEED, 0.0),
        start: 0.0,
        stop: 10.0,
        rate: None,
        temperature: None,
    };
    let setup = LiquidSetup {
        materials: vec![Material::newtonian("goo", 1000.0, viscosity, 0.0)],
        initial: Vec::new(),
        emitters: vec![emitter],
        ..setup(domain, cuboid(Vec3::ZERO, Vec3::splat(0.1)))
    };
    let mut world = World::new(setup, FlipSettings::default(), Vec::new());
    world.run(1.0, 0.01);
    world
}

#[test]
fn the_weight_below_does_not_pull_liquid_out_of_a_nozzle() {
    let world = stream(1500.0);
    let particles = &world.liquid.state().particles;
    let inside = particles.position.iter().zip(&particles.velocity);
    let speeds: Vec<f32> = inside
        .filter(|(position, _)| (position.y - NOZZLE - 0.05).abs() < 0.04)
        .map(|(_, velocity)| -velocity.y)
        .collect();
    let mean = speeds.iter().sum::<f32>() / speeds.len() as f32;
    assert!((mean / SPEED - 1.0).abs() < 0.02, "{mean}");
    // Below it the stream gets faster: something does pull.
    let below = world.liquid_speed_at(Vec3::new(0.5, 0.3, 0.5));
    assert!(below > 1.3 * SPEED, "{below}");
}

#[test]
fn a_stretching_stream_does_not_fall_into_layers() {
    let mut world = stream(1500.0);
    // The deviation of one moment is itself known to a tenth only: moments that no particle of the slices is seen in twice.
    let moments = 4u8;
    let deviations: Vec<f32> = (0..moments)
        .map(|moment| {
            world.run(1.0 + 0.4 * f64::from(moment), 0.01);
            unevenness(&world)
        })
        .collect();
    // Layers as the nozzle makes them deviate by 0.8; chance alone would by 0.2.
    let mean = deviations.iter().sum::<f32>() / f32::from(moments);
    assert!(mean < 0.35, "{deviations:?}");
}

/// How much the numbers of particles in slices a third of a spacing thick, far below the nozzle, deviate from their mean.
fn unevenness(world: &World) -> f32 {
    let spacing = 1.0 / 64.0;
    let (low, slices) = (0.1, 48);
    let mut counts = vec![0.0f32; slices];
    for position in world.positions() {
        let slice = (position.y - low) / (spacing / 3.0);
        if (0.0..slices as f32).contains(&slice) {
            counts[slice as usize] += 1.0;
        }
    }
    let mean = counts.iter().sum::<f32>() / slices as f32;
    assert!(mean > 10.0, "{counts:?}");
    let squares = counts.iter().map(|count| (count / mean - 1.0).powi(2));
    (squares.sum::<f32>() / slices as f32).sqrt()
}
