//! A blob of goo that is stretched and let go.

use glam::Vec3;
use ooze_core::{Elasticity, Liquid, LiquidSetup, Material, StepError};

use super::{World, change_vectors, drop_in_space, radii};

const RADIUS: f32 = 0.1;

/// A flat blob of goo with a yield strain and a decay rate in 1/s, `across` cells across.
pub fn goo_blob(yield_strain: f32, decay_rate: f32, across: i32) -> LiquidSetup {
    drop_in_space(goo(yield_strain, decay_rate), RADIUS, 1.0, across)
}

/// Goo with a yield strain and a decay rate in 1/s.
pub fn goo(yield_strain: f32, decay_rate: f32) -> Material {
    Material {
        elasticity: Some(Elasticity {
            modulus: 100.0,
            yield_strain,
            decay_rate,
        }),
        ..Material::newtonian("goo", 1000.0, 40.0, 0.0)
    }
}

/// Stretches a blob by a factor, lets go, and returns by how much it remains longer than it was.
pub fn remaining_stretch<L: Liquid>(liquid: L, factor: f32) -> Result<f64, StepError> {
    const PARTS: u32 = 30;
    let mut world = World::new(liquid);
    world.run(0.3)?;
    let shape = |world: &World<L>| {
        let radii = radii(&world.positions());
        (radii.x / radii.y).sqrt()
    };
    let before = shape(&world);
    let centre = Vec3::new(3.0 * RADIUS, 3.0 * RADIUS, 0.0);
    // Slowly: an affine jump would strain the packing of the particles too.
    let part = factor.powf(1.0 / PARTS as f32);
    for step in 1..=PARTS {
        change_vectors(&mut world.liquid, "position", |point, _| {
            let away = point - centre;
            centre + Vec3::new(away.x * part, away.y / part, away.z)
        });
        world.run(0.3 + 0.01 * f64::from(step))?;
    }
    world.run(2.6)?;
    Ok(shape(&world) / before - 1.0)
}
