//! What roughly solves for velocities and pressures: a viscous cycle, and a pressure cycle for what flows out after it.
//!
//! The pressure cycle is that of a Poisson problem whose faces are as mobile as viscosity leaves them: mobility w/m, where A w = m
//! is solved roughly. In a gap whose walls hold the liquid, or in a stiff layer between soft ones, faces answer to pressure by
//! far less than their mass would let them, which the usual approximation with 1/m (Cahouet & Chabard 1988) does not know. To
//! it is added what viscosity itself makes of outflow, 2 s V.

use glam::IVec3;
use ooze_commons::reduce::dot;
use ooze_core::StepError;
use ooze_linalg::{
    FloatingComponents, Multigrid, MultigridSettings, Preconditioned, Preconditioner,
    SymmetricMatrix,
};

use super::super::system::STAGE;
use super::system::StokesSystem;
use crate::pressure::NO_ROW;
use crate::solve::failed;

/// Contrast of viscosity up to which velocities are corrected for the pressure that was found; beyond, soft liquid inside stiff one
/// is answered better without.
const MODERATE: f64 = 1e4;

/// The two cycles.
pub(super) struct Cycles<'a> {
    system: &'a StokesSystem,
    viscous: Box<dyn Preconditioner>,
    pressure: Multigrid,
    /// Velocity that a unit of momentum makes at each face.
    mobility: Vec<f64>,
    /// Parts of the liquid that are enclosed by walls, and whether how large the pressure is in them makes no difference: it moves
    /// pistons.
    enclosed: FloatingComponents,
    is_even: bool,
    /// Error of velocities relative to the largest that is small enough, and the smallest in m/s that matters.
    tolerance: f64,
    least: f64,
    /// Scratch memory.
    momentum: Vec<f64>,
    outflow: Vec<f64>,
    response: Vec<f64>,
}

impl<'a> Cycles<'a> {
    pub(super) fn new(
        system: &'a StokesSystem,
        mut viscous: Box<dyn Preconditioner>,
        cells: &[IVec3],
        tolerance: f64,
        least: f64,
    ) -> Result<Self, StepError> {
        let mobility = mobility(system, viscous.as_mut());
        let matrix = poisson(system, &mobility)?;
        let coordinates: Vec<[i32; 3]> = cells.iter().map(|cell| cell.to_array()).collect();
        let pressure = Multigrid::new(&matrix, &coordinates, &MultigridSettings::default());
        let enclosed = FloatingComponents::find(&matrix);
        let is_even = (0..enclosed.count())
            .all(|part| system.bodies.balances(enclosed.rows(part), cells.len()));
        Ok(Self {
            system,
            viscous,
            pressure: pressure.map_err(|error| failed(STAGE, error))?,
            mobility,
            enclosed,
            is_even,
            momentum: vec![0.0; system.faces()],
            tolerance,
            least,
            outflow: vec![0.0; cells.len()],
            response: vec![0.0; cells.len()],
        })
    }

    /// Takes off a right-hand side what no flow can do: enclosed liquid can neither swell nor shrink.
    pub(super) fn make_compatible(&self, right_hand_side: &mut [f64]) {
        if self.is_even {
            let (_, outflow, _) = self.system.parts_mut(right_hand_side);
            self.enclosed.project(outflow);
        }
    }
}

impl Preconditioned for Cycles<'_> {
    fn multiply(&mut self, x: &[f64], product: &mut [f64]) {
        self.system.multiply(x, product);
    }

    fn precondition(&mut self, residual: &[f64], correction: &mut [f64]) {
        let system = self.system;
        let (momentum, outflow, pushes) = system.parts(residual);
        let (velocity, pressure, motions) = system.parts_mut(correction);
        let bodies = &system.bodies;
        bodies.answer(pushes, motions);
        let moved = bodies.motions(motions);
        self.momentum.copy_from_slice(momentum);
        self.outflow.copy_from_slice(outflow);
        let (left, leaving) = (&mut self.momentum, &mut self.outflow);
        bodies.add_motion(&system.viscous, &moved, -1.0, left, leaving);
        self.viscous.apply(&self.momentum, velocity);
        system.outflow(velocity, &mut self.response);
        for (left, outflow) in self.outflow.iter_mut().zip(&self.response) {
            *left -= outflow;
        }
        self.enclosed.project(&mut self.outflow);
        self.pressure.apply(&self.outflow, &mut self.response);
        self.enclosed.project(&mut self.response);
        let parts = self.response.iter().zip(&self.outflow);
        let parts = parts.zip(&system.resistance);
        for (pressure, ((response, outflow), resistance)) in pressure.iter_mut().zip(parts) {
            *pressure = response + resistance * outflow;
        }
        if self.is_even {
            self.enclosed.project(pressure);
        }
        if system.contrast <= MODERATE {
            system.add_push(&self.response, 1.0, Some(&self.mobility), velocity);
        }
    }

    fn is_solved(&self, correction: &[f64], x: &[f64]) -> bool {
        let error = self.system.largest_change(correction);
        error <= self.least || error <= self.tolerance * self.system.largest_speed(x)
    }
}

/// The velocity that a unit of momentum makes at each face while all others get theirs: one step of conjugate gradients for
/// A w = m. No face is less mobile than by itself alone, none more so than its mass lets it.
fn mobility(system: &StokesSystem, viscous: &mut dyn Preconditioner) -> Vec<f64> {
    let (matrix, mass) = (&system.viscous.matrix, &system.viscous.mass);
    let mut way = vec![0.0; mass.len()];
    viscous.apply(mass, &mut way);
    let mut product = vec![0.0; mass.len()];
    matrix.multiply(&way, &mut product);
    let step = dot(mass, &way) / dot(&way, &product);
    let faces = way.iter().zip(mass).zip(matrix.diagonal());
    faces
        .map(|((way, mass), diagonal)| (step * way / mass).clamp(1.0 / diagonal, 1.0 / mass))
        .collect()
}

/// D diag(mobility) Dᵀ.
fn poisson(system: &StokesSystem, mobility: &[f64]) -> Result<SymmetricMatrix, StepError> {
    let matrix = SymmetricMatrix::from_rows(system.outflows.len(), |row, sink| {
        for &(face, share) in system.outflows[row].open() {
            let passage = system.passages[face as usize];
            let weight = (f64::from(share).powi(2) * mobility[face as usize]) as f32;
            let other = match passage.below as usize == row {
                true => passage.above,
                false => passage.below,
            };
            match other {
                NO_ROW => sink.ground(weight),
                other => sink.couple(other as usize, weight),
            }
        }
    });
    matrix.map_err(|error| failed(STAGE, error))
}
