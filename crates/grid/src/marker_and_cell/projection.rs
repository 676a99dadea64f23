//! The pressure that makes velocities free of divergence (Carlson 2004, eqs. 28-39): six and minus one in the matrix, no change of
//! pressure across walls, that of the air in cells of air.
//!
//! The unknown of a cell is P = p dt / (ρ dx), so that subtracting differences of P from velocities projects them. Walls that move
//! are the conditions of Neumann that are not zero: their velocities are part of what flows out of a cell. Liquid that is shut in
//! has a pressure with a mean of zero.

use glam::IVec3;
use ooze_core::{Force, StepError, StepReport};
use ooze_field::level_set::extrapolate;
use ooze_field::{Field, FieldByAxis, Place};
use ooze_linalg::SymmetricMatrix;
use rayon::prelude::*;

use super::cells::{Cells, Kind, Role};
use super::settings::MarkerSettings;
use crate::pressure::precondition;
use crate::reactions::{Part, Reactions};
use crate::solve::{LinearSystem, failed};

/// Marks cells without an unknown.
const NO_ROW: u32 = u32::MAX;
/// Layers of solid cells that pressures are continued into, for those who look.
const WALL_LAYERS: u32 = 1;

/// The pressure stage of a step.
pub(super) struct Projection<'a> {
    pub(super) cells: &'a Cells<'a>,
    pub(super) settings: &'a MarkerSettings,
    /// In kg/m³; densities are relative to it.
    pub(super) reference_density: f64,
    pub(super) forces: &'a [Force],
    pub(super) dt: f64,
}

/// The faces of a cell: axis, face, cell beyond, and which way it is.
fn sides(cell: IVec3, axes: usize) -> impl Iterator<Item = (usize, IVec3, IVec3, i32)> {
    (0..axes).flat_map(move |axis| {
        [-1, 1].map(|step| {
            let other = cell + step * IVec3::AXES[axis];
            (axis, if step < 0 { cell } else { other }, other, step)
        })
    })
}

impl Projection<'_> {
    /// Makes velocities free of divergence, from a guess at the pressure in pascals on. Returns the pressure.
    pub(super) fn apply(
        &self,
        guess: &Field<f32>,
        velocity: &mut FieldByAxis<f32>,
        reactions: &mut Reactions,
        report: &mut StepReport,
    ) -> Result<Field<f32>, StepError> {
        let cells = self.cells;
        let axes = cells.axes();
        let mut liquid = cells.liquid_cells();
        report.liquid_cells = liquid.len();
        liquid.retain(|&cell| {
            let mut faces = sides(cell, axes);
            faces.any(|(axis, face, ..)| cells.role[axis].get(face).is_open())
        });
        let mut row = Field::new(&cells.topology, Place::Cell, NO_ROW);
        for (number, &cell) in liquid.iter().enumerate() {
            row.set(cell, number as u32);
        }
        let mut system = self.system(&liquid, &row)?;
        let right_hand_side: Vec<f64> = liquid
            .par_iter()
            .map(|&cell| self.right_hand_side(velocity, cell))
            .collect();
        let pascals = self.pascals();
        let start = |&cell: &IVec3| f64::from(guess.get(cell)) / pascals;
        let mut solution: Vec<f64> = liquid.par_iter().map(start).collect();
        let tolerance = self.settings.pressure_tolerance;
        system.solve(
            "pressure",
            tolerance,
            &right_hand_side,
            &mut solution,
            report,
        )?;
        let mut unknown = Field::new(&cells.topology, Place::Cell, self.air() as f32);
        for (&cell, &value) in liquid.iter().zip(&solution) {
            unknown.set(cell, value as f32);
        }
        self.subtract_gradient(&unknown, velocity);
        self.press(&liquid, &unknown, reactions);
        Ok(self.seen(unknown))
    }

    /// Pascals of a unit of the unknown.
    fn pascals(&self) -> f64 {
        self.reference_density * self.cells.cell_size() / self.dt
    }

    /// The unknown in air.
    fn air(&self) -> f64 {
        f64::from(self.settings.air_pressure) / self.pascals()
    }

    fn system(&self, liquid: &[IVec3], row: &Field<u32>) -> Result<LinearSystem, StepError> {
        let cells = self.cells;
        let stage = "pressure";
        let matrix = SymmetricMatrix::from_rows(liquid.len(), |number, sink| {
            for (axis, face, other, _) in sides(liquid[number], cells.axes()) {
                let weight = || 1.0 / cells.density(axis, face);
                match cells.role[axis].get(face) {
                    Role::Fluid => sink.couple(row.get(other) as usize, weight()),
                    Role::Surface => sink.ground(weight()),
                    _ => {}
                }
            }
        })
        .map_err(|error| failed(stage, error))?;
        let coordinates: Vec<[i32; 3]> = liquid.iter().map(|cell| cell.to_array()).collect();
        let choice = self.settings.pressure_preconditioner;
        let preconditioner =
            precondition(&matrix, &coordinates, choice).map_err(|error| failed(stage, error))?;
        let iterations = self.settings.pressure_iterations;
        Ok(LinearSystem::new(matrix.into(), preconditioner, iterations))
    }

    fn right_hand_side(&self, velocity: &FieldByAxis<f32>, cell: IVec3) -> f64 {
        let cells = self.cells;
        let of_side = |(axis, face, _, step): (usize, IVec3, IVec3, i32)| {
            let inflow = -f64::from(step) * f64::from(velocity[axis].get(face));
            let air = match cells.role[axis].get(face) {
                Role::Surface => self.air() / f64::from(cells.density(axis, face)),
                _ => 0.0,
            };
            inflow + air
        };
        sides(cell, cells.axes()).map(of_side).sum()
    }

    fn subtract_gradient(&self, unknown: &Field<f32>, velocity: &mut FieldByAxis<f32>) {
        let cells = self.cells;
        for (axis, velocity) in velocity.iter_mut().enumerate().take(cells.axes()) {
            let step = IVec3::AXES[axis];
            velocity.par_tiles_mut().for_each(|(slot, tile)| {
                for (local, role) in cells.role[axis].tile(slot).iter().enumerate() {
                    if role.is_open() {
                        let face = cells.topology.cell(slot, local);
                        let difference = unknown.tile(slot)[local] - unknown.get(face - step);
                        tile[local] -= difference / cells.density(axis, face);
                    }
                }
            });
        }
    }

    /// Gives walls the pressure of the liquid before them, with the weight of the half cell between.
    fn press(&self, liquid: &[IVec3], unknown: &Field<f32>, reactions: &mut Reactions) {
        let cells = self.cells;
        let mass = self.reference_density * cells.cell_size().powi(3);
        for &cell in liquid {
            for (axis, face, _, step) in sides(cell, cells.axes()) {
                let point = cells.point(axis, face);
                if cells.role[axis].get(face) == Role::Wall
                    && let Some(body) = cells.body(point)
                {
                    let pull = self
                        .forces
                        .iter()
                        .map(|force| force.acceleration(point)[axis]);
                    let weight = 0.5 * self.dt * f64::from(pull.sum::<f32>() * step as f32);
                    let density = f64::from(cells.density(axis, face));
                    let push = f64::from(unknown.get(cell)) - self.air() + density * weight;
                    let outward = (step * IVec3::AXES[axis]).as_dvec3();
                    let impulse = outward * (mass * push);
                    reactions.add(Part::Pressure, body, point.as_dvec3(), impulse);
                }
            }
        }
    }

    /// The pressure in pascals, which does not change across walls.
    fn seen(&self, mut unknown: Field<f32>) -> Field<f32> {
        let pascals = self.pascals() as f32;
        for value in unknown.values_mut() {
            *value *= pascals;
        }
        let known = |cell| u8::from(self.cells.kind.get(cell) != Kind::Solid);
        let mut known = Field::from_cells(&self.cells.topology, Place::Cell, 0, known);
        extrapolate(&mut unknown, &mut known, WALL_LAYERS);
        unknown
    }
}
