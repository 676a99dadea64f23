//! What constants that were made from a material in SI units amount to: the viscosity, the shear modulus and the stiffness that
//! relaxed particles show.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::Vec3;
use ooze_core::{Elasticity, KeyframedSolids, LiquidSetup, Material, StepError};
use thiserror::Error;

use super::{GRAVITY, World, change_vectors, tank_at_rest, tank_setup};
use crate::{ClavetLiquid, ClavetSettings, ConstantError};

/// A constant that could not be measured.
#[derive(Debug, Error)]
pub enum ShownError {
    /// The material has no constants.
    #[error(transparent)]
    Constants(#[from] ConstantError),
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// How finely constants are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fineness {
    /// Cells along the box.
    pub cells: i32,
    /// Interaction radii that sound may cross in one step.
    pub cfl: f32,
}

/// Side of the box in metres.
const SIDE: f32 = 0.5;
/// Density in kg/m³.
const DENSITY: f32 = 1000.0;
/// Largest speed of the vortex in m/s.
const SPEED: f32 = 0.05;

/// One cell of a Taylor-Green vortex, which fills the box and glides along its walls.
fn vortex(point: Vec3) -> Vec3 {
    let [x, y] = [point.x, point.y].map(|way| way * std::f32::consts::PI / SIDE);
    Vec3::new(x.sin() * y.cos(), -x.cos() * y.sin(), 0.0) * SPEED
}

/// The sum of squares of the vortex's wave numbers in 1/m².
fn wave_square() -> f64 {
    2.0 * (PI / f64::from(SIDE)).powi(2)
}

fn turning(material: Material, fineness: Fineness) -> Result<World<ClavetLiquid>, ShownError> {
    let size = Vec3::new(SIDE, SIDE, 0.0);
    let mut setup = tank_setup(material, size, SIDE, fineness.cells, true);
    setup.forces.clear();
    // Stiffness follows from the speed.
    setup.initial[0].velocity = Vec3::X * 2.0 * SPEED;
    let settings = ClavetSettings {
        compression: 0.003,
        cfl: fineness.cfl,
        ..ClavetSettings::default()
    };
    let mut world = World::new(made(&setup, settings)?);
    change_vectors(&mut world.liquid, "velocity", |point, _| vortex(point));
    Ok(world)
}

fn made(setup: &LiquidSetup, settings: ClavetSettings) -> Result<ClavetLiquid, ConstantError> {
    ClavetLiquid::new(setup.clone(), settings, &KeyframedSolids::new(Vec::new()))
}

/// How much of the vortex there is.
fn amplitude(world: &World<ClavetLiquid>) -> f64 {
    let particles = &world.liquid.state().base.particles;
    let pairs = particles.position.iter().zip(&particles.velocity);
    let parts = pairs.map(|(&point, velocity)| f64::from(velocity.dot(vortex(point))));
    parts.sum()
}

fn decay_rate(viscosity: f32, fineness: Fineness) -> Result<f64, ShownError> {
    let liquid = Material::newtonian("syrup", DENSITY, viscosity, 0.0);
    let mut world = turning(liquid, fineness)?;
    let before = amplitude(&world);
    let end = 0.3;
    world.run(end)?;
    Ok((before / amplitude(&world)).ln() / end)
}

/// The viscosity in Pa s with which a vortex in a liquid of some viscosity decays, beyond what the method itself dissipates.
pub fn viscosity_shown(viscosity: f32, fineness: Fineness) -> Result<f64, ShownError> {
    let beyond = decay_rate(viscosity, fineness)? - decay_rate(0.0, fineness)?;
    Ok(beyond * f64::from(DENSITY) / wave_square())
}

/// The shear modulus in Pa by which a vortex in an elastic material of some shear modulus is stopped and turned round: after a
/// quarter of the time that a standing shear wave swings in.
pub fn modulus_shown(shear_modulus: f32, fineness: Fineness) -> Result<f64, ShownError> {
    const SAMPLES: u32 = 50;
    let jelly = Material {
        elasticity: Some(Elasticity {
            modulus: 2.0 * shear_modulus,
            yield_strain: 1.0,
            decay_rate: 0.0,
        }),
        ..Material::newtonian("jelly", DENSITY, 0.0, 0.0)
    };
    let mut world = turning(jelly, fineness)?;
    let expected = FRAC_PI_2 * (f64::from(DENSITY / shear_modulus) / wave_square()).sqrt();
    let mut last = (0.0, amplitude(&world));
    while last.1 > 0.0 && world.time < 4.0 * expected {
        world.run(world.time + expected / f64::from(SAMPLES))?;
        let now = (world.time, amplitude(&world));
        if now.1 <= 0.0 {
            let stopped = last.0 + (now.0 - last.0) * last.1 / (last.1 - now.1);
            let frequency = FRAC_PI_2 / stopped;
            return Ok(f64::from(DENSITY) * frequency * frequency / wave_square());
        }
        last = now;
    }
    Ok(0.0)
}

/// The compression that the weight of a tank's liquid causes at its floor, by how far the liquid's middle sinks: by two thirds of
/// it where it grows evenly with depth.
pub fn compression_shown(compression: f32, fineness: Fineness) -> Result<f64, ShownError> {
    let depth = 0.8 * SIDE;
    let water = Material::newtonian("water", DENSITY, 1e-3, 0.0);
    let setup = tank_setup(
        water,
        Vec3::new(SIDE, SIDE, 0.0),
        depth,
        fineness.cells,
        true,
    );
    let settings = ClavetSettings {
        compression,
        cfl: fineness.cfl,
        ..ClavetSettings::default()
    };
    // Waves of weight have calmed down by then.
    let end = 10.0 * f64::from(depth / GRAVITY).sqrt();
    let tank = tank_at_rest(made(&setup, settings)?, &setup, depth, end)?;
    Ok(-1.5 * tank.sinking)
}
