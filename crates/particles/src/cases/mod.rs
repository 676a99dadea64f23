//! Reference cases: small scenes with known answers, and what to measure in them. The crate's tests run them at small
//! sizes; a validation suite may run them larger.

mod drops;
mod tank;

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::{
    Contact, Domain, Force, InitialLiquid, KeyframedSolids, Liquid, LiquidSetup, Material,
    MaterialId, Side, Solids, StepError,
};
use ooze_geometry::Shape;

pub use drops::{
    DropRadii, Oscillation, drop_in_space, elliptical_drop, oscillation, radii, set_straining,
};
pub use tank::{
    DamBreak, MARTIN_MOYCE, TankAtRest, dam_break, dam_break_setup, tank_at_rest, tank_setup,
};

/// Acceleration of gravity in m/s².
pub const GRAVITY: f32 = 9.81;

/// A closed box from the origin with `cells` cells along x.
pub fn closed_box(size: Vec3, cells: i32, flat: bool) -> Domain {
    let cell_size = size.x / cells as f32;
    let mut counts = (size / cell_size).round().as_ivec3().max(IVec3::ONE);
    if flat {
        counts.z = 1;
    }
    Domain {
        lower: Vec3::ZERO,
        cell_size,
        cells: counts,
        flat,
        sides: [[Side::Closed(Contact::default()); 2]; 3],
    }
}

/// One liquid at rest in a domain, without forces.
pub fn single_liquid(domain: Domain, material: Material, shape: Shape) -> LiquidSetup {
    LiquidSetup {
        domain,
        materials: vec![material],
        initial: vec![InitialLiquid {
            name: "liquid".into(),
            shape: Arc::new(shape),
            material: MaterialId(0),
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            viscosity_gradient: None,
        }],
        emitters: Vec::new(),
        drains: Vec::new(),
        forces: Vec::new(),
        seed: 1,
    }
}

/// Gravity along −y.
pub fn down() -> Force {
    Force::Constant {
        acceleration: Vec3::new(0.0, -GRAVITY, 0.0),
    }
}

/// A liquid, its solids and its clock.
pub struct World<L> {
    /// The liquid.
    pub liquid: L,
    /// The solids.
    pub solids: KeyframedSolids,
    /// Seconds since the start.
    pub time: f64,
}

impl<L: Liquid> World<L> {
    /// A liquid without solids.
    pub fn new(liquid: L) -> Self {
        Self::with_solids(liquid, KeyframedSolids::new(Vec::new()))
    }

    /// A liquid and its solids.
    pub fn with_solids(liquid: L, solids: KeyframedSolids) -> Self {
        Self {
            liquid,
            solids,
            time: 0.0,
        }
    }

    /// Takes one step.
    pub fn step(&mut self, dt: f64) -> Result<(), StepError> {
        self.solids.advance(self.time, dt);
        self.liquid.step(self.time, dt, &mut self.solids)?;
        self.time += dt;
        Ok(())
    }

    /// Advances to `end` in stable steps.
    pub fn run(&mut self, end: f64) -> Result<(), StepError> {
        while self.time < end - 1e-9 {
            let stable = self.liquid.stable_step(&self.solids).seconds;
            self.step(stable.min(end - self.time))?;
        }
        Ok(())
    }

    /// Positions in the order of identities.
    pub fn positions(&self) -> Vec<Vec3> {
        self.liquid
            .channels()
            .take_vectors("position")
            .unwrap_or_default()
    }
}
