//! What roughly solves for velocities and pressures: a viscous cycle, and what pressure answers to what flows out after it (`schur`).

use glam::IVec3;
use ooze_core::StepError;
use ooze_linalg::{FloatingComponents, Preconditioned, Preconditioner};

use super::schur::Schur;
use super::system::StokesSystem;

/// The two cycles.
pub(super) struct Cycles<'a> {
    system: &'a StokesSystem,
    viscous: Box<dyn Preconditioner>,
    schur: Schur,
    /// Parts of the liquid that are enclosed by walls, and whether how large the pressure is in them makes no difference: it moves
    /// pistons.
    enclosed: FloatingComponents,
    is_even: bool,
    /// Error of velocities relative to the largest that is small enough, and the smallest in m/s that matters.
    tolerance: f64,
    least: f64,
    /// Scratch memory, for what sticks to bodies only where something does.
    left: Vec<f64>,
    along: Vec<f64>,
    product: Vec<f64>,
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
        let coordinates: Vec<[i32; 3]> = cells.iter().map(|cell| cell.to_array()).collect();
        let (schur, enclosed) = Schur::new(system, &coordinates, viscous.as_mut())?;
        let is_even = (0..enclosed.count())
            .all(|part| system.bodies.balances(enclosed.rows(part), cells.len()));
        let along = if system.stuck.is_any() {
            system.size()
        } else {
            0
        };
        Ok(Self {
            system,
            viscous,
            schur,
            enclosed,
            is_even,
            tolerance,
            least,
            left: vec![0.0; system.size()],
            along: vec![0.0; along],
            product: vec![0.0; along],
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

impl Cycles<'_> {
    /// Moves bodies with what sticks to them, and takes off what is left over what that does.
    fn take_along(&mut self, residual: &[f64]) {
        let system = self.system;
        let (momentum, _, pushes) = system.parts(residual);
        self.along.fill(0.0);
        let (velocity, _, motions) = system.parts_mut(&mut self.along);
        let (bodies, left) = (&system.bodies, (momentum, pushes));
        system.stuck.answer(bodies, left, (velocity, motions));
        system.multiply(&self.along, &mut self.product);
        for (left, product) in self.left.iter_mut().zip(&self.product) {
            *left -= product;
        }
    }
}

impl Preconditioned for Cycles<'_> {
    fn multiply(&mut self, x: &[f64], product: &mut [f64]) {
        self.system.multiply(x, product);
    }

    fn precondition(&mut self, residual: &[f64], correction: &mut [f64]) {
        let system = self.system;
        self.left.copy_from_slice(residual);
        if system.stuck.is_any() {
            self.take_along(residual);
        }
        let (momentum, outflow, pushes) = system.parts_mut(&mut self.left);
        let (velocity, pressure, motions) = system.parts_mut(correction);
        let bodies = &system.bodies;
        bodies.answer(pushes, motions);
        let moved = bodies.motions(motions);
        bodies.add_motion(&system.viscous, &moved, -1.0, momentum, outflow);
        self.viscous.apply(momentum, velocity);
        system.outflow(velocity, &mut self.response);
        for (left, outflow) in outflow.iter_mut().zip(&self.response) {
            *left -= outflow;
        }
        self.enclosed.project(outflow);
        let (schur, enclosed) = (&mut self.schur, &self.enclosed);
        schur.answer(system, enclosed, outflow, (velocity, pressure));
        if self.is_even {
            enclosed.project(pressure);
        }
        if system.stuck.is_any() {
            for (correction, along) in correction.iter_mut().zip(&self.along) {
                *correction += along;
            }
        }
    }

    fn is_solved(&self, correction: &[f64], x: &[f64]) -> bool {
        let error = self.system.largest_change(correction);
        error <= self.least || error <= self.tolerance * self.system.largest_speed(x)
    }
}
