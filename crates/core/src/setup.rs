//! What a liquid is made from: the part of a checked scene that every method shares.

use glam::DVec3;

use crate::{Carried, Domain, Drain, Emitter, Force, InitialLiquid, Material};

/// The liquid side of a scene, free of any method's settings.
#[derive(Clone, Debug)]
pub struct LiquidSetup {
    /// The simulated box.
    pub domain: Domain,
    /// Materials; a `MaterialId` is an index into them.
    pub materials: Vec<Material>,
    /// Liquid at the start.
    pub initial: Vec<InitialLiquid>,
    /// Where liquid is added.
    pub emitters: Vec<Emitter>,
    /// Where liquid is taken away.
    pub drains: Vec<Drain>,
    /// Accelerations, gravity among them.
    pub forces: Vec<Force>,
    /// What the liquid carries beside what its method needs.
    pub carried: Carried,
    /// Seed of every random choice.
    pub seed: u64,
}

impl LiquidSetup {
    /// Potential energy of a unit of mass at a point in J/kg, of all forces that have a potential.
    pub fn potential(&self, point: DVec3) -> f64 {
        let forces = self.forces.iter();
        forces.map(|force| force.potential(point)).sum()
    }
}
