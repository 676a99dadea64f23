//! Reference cases: small scenes with known answers, and what to measure in them. The crate's tests run them at small
//! sizes; a validation suite may run them larger.

mod blob;
mod constants;
mod drops;
mod swinging;
mod tank;

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::{
    Carried, ChannelData, Contact, Domain, Force, HeatSetup, InitialLiquid, KeyframedSolids,
    Liquid, LiquidSetup, Material, MaterialId, Side, Solids, StepError,
};
use ooze_geometry::Shape;

pub use blob::{goo, goo_blob, remaining_stretch};
pub use constants::{Fineness, ShownError, compression_shown, modulus_shown, viscosity_shown};
pub use drops::{
    DropRadii, Oscillation, STRAINED_DROP, drop_in_space, elliptical_drop, momentum_drift,
    oscillation, radii, strained_drop,
};
pub use swinging::SwingingDrop;
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
            temperature: None,
            hold: None,
        }],
        emitters: Vec::new(),
        drains: Vec::new(),
        forces: Vec::new(),
        heat: HeatSetup::default(),
        carried: Carried::default(),
        texture: None,
        tracers: Vec::new(),
        seed: 1,
    }
}

/// Gravity along −y.
pub fn down() -> Force {
    Force::Constant {
        acceleration: Vec3::new(0.0, -GRAVITY, 0.0),
    }
}

/// Changes a vector channel of a liquid's state: `change` gets each particle's position and value.
pub fn change_vectors<L: Liquid>(liquid: &mut L, name: &str, change: impl Fn(Vec3, Vec3) -> Vec3) {
    let mut saved = liquid.save();
    let (Ok(positions), Ok(values)) = (saved.vectors("position"), saved.vectors(name)) else {
        return;
    };
    let pairs = positions.iter().zip(values);
    let changed = pairs.map(|(&point, &value)| change(point, value)).collect();
    saved.insert(name, ChannelData::Vector(changed));
    // What was saved has the form that is loaded.
    let loaded = liquid.load(saved);
    debug_assert!(loaded.is_ok());
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
