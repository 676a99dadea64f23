//! The flow of the air around the liquid. Velocities that are continued along normals converge where the surface is hollow or
//! where two fronts come near each other: liquid that a long step carries there would lose volume, so the air is made free of
//! divergence as far as liquid gets in a step. Only the surface follows it: velocities are carried as they were continued.

use glam::IVec3;
use ooze_core::{StepError, StepReport};
use ooze_field::level_set::components;
use ooze_field::{Field, FieldByAxis, Place, face_fields, reduce};
use rayon::prelude::*;

use super::NEARLY_SHUT;
use crate::boundary::Boundary;
use crate::pressure::{Coupling, PressureSystem};
use crate::{Preconditioner, PressureSettings};

/// Residual relative to the right-hand side at which the solve is done: the air only guides the surface for a step.
const TOLERANCE: f64 = 1e-2;
/// Cells beyond those that the liquid may cross.
const SPARE_CELLS: f32 = 1.0;

/// The velocities around a liquid whose own are known.
pub(super) struct AirFlow<'a> {
    /// The level set at cell centres.
    pub(super) liquid: &'a Field<f32>,
    /// Its distance farther away.
    pub(super) far: &'a Field<f32>,
    pub(super) boundary: &'a Boundary,
    /// Cells that the liquid may cross in a step.
    pub(super) cfl: f32,
}

impl AirFlow<'_> {
    /// Velocities that are those of the liquid at its cells' faces, and free of divergence in the air around. Air that
    /// has no way out is left as it is: it vanishes as liquid comes in.
    pub(super) fn without_divergence(
        &self,
        velocity: &FieldByAxis<f32>,
        report: &mut StepReport,
    ) -> Result<FieldByAxis<f32>, StepError> {
        let boundary = self.held(velocity);
        let air = self.vented(&boundary);
        let coupling = Coupling {
            liquid: &air,
            boundary: &boundary,
            density: None,
            reference_density: 1.0,
        };
        let settings = PressureSettings {
            preconditioner: Preconditioner::Jacobi,
            ..PressureSettings::default()
        };
        let mut system = PressureSystem::assemble(&coupling, settings)?;
        let outflow = system.right_hand_side(|cell| -system.divergence(&boundary, velocity, cell));
        let unknown = system.solve("air", TOLERANCE, &outflow, report)?;
        let mut velocity = velocity.clone();
        let mut known = face_fields(air.topology(), 0u8);
        let largest = velocity.each_ref().map(largest_of);
        system.subtract_gradient(&coupling, &unknown, &mut velocity, &mut known);
        // Air whistles through the last chink of a gap; no surface may be dragged along further than a step reaches.
        for (field, largest) in velocity.iter_mut().zip(largest) {
            field.par_tiles_mut().for_each(|(_, tile)| {
                for value in tile {
                    *value = value.clamp(-largest, largest);
                }
            });
        }
        Ok(velocity)
    }

    /// The boundary of the air: faces of liquid cells are shut, and what flows through them flows in.
    fn held(&self, velocity: &FieldByAxis<f32>) -> Boundary {
        let mut held = self.boundary.clone();
        let topology = self.liquid.topology();
        for (axis, &step) in IVec3::AXES[..self.axes()].iter().enumerate() {
            held.open[axis]
                .par_tiles_mut()
                .zip(held.wall_velocity[axis].par_tiles_mut())
                .for_each(|((slot, open), (_, wall))| {
                    for local in 0..open.len() {
                        let face = topology.cell(slot, local);
                        if self.liquid.get(face).min(self.liquid.get(face - step)) < 0.0 {
                            let flow = velocity[axis].tile(slot)[local];
                            wall[local] += open[local] * (flow - wall[local]);
                            open[local] = 0.0;
                        }
                    }
                });
        }
        held
    }

    fn axes(&self) -> usize {
        if self.liquid.topology().lattice().flat {
            2
        } else {
            3
        }
    }

    /// A level set that is negative in the cells of the air around the liquid from which there is a way farther out.
    fn vented(&self, held: &Boundary) -> Field<f32> {
        let topology = self.liquid.topology();
        let half = 0.5 * topology.lattice().cell_size;
        let reach = (self.cfl + SPARE_CELLS) * 2.0 * half;
        let mut air = Field::from_cells(topology, Place::Cell, half, |cell| {
            let around = self.liquid.get(cell) >= 0.0 && self.far.get(cell) < reach;
            if around { -half } else { half }
        });
        let pieces = components(&air);
        let leads_out = |cell: IVec3| {
            (0..self.axes()).any(|axis| {
                let above = cell + IVec3::AXES[axis];
                let below = cell - IVec3::AXES[axis];
                [(cell, below), (above, above)]
                    .into_iter()
                    .any(|(face, other)| {
                        held.open[axis].get(face) > NEARLY_SHUT && air.get(other) > 0.0
                    })
            })
        };
        let mut vents = vec![false; pieces.count as usize + 1];
        for slot in 0..topology.tile_count() {
            for (local, &label) in pieces.labels.tile(slot).iter().enumerate() {
                let vents = &mut vents[label as usize];
                *vents = *vents || (label != 0 && leads_out(topology.cell(slot, local)));
            }
        }
        for (value, &label) in air.values_mut().iter_mut().zip(pieces.labels.values()) {
            if label != 0 && !vents[label as usize] {
                *value = half;
            }
        }
        air
    }
}

fn largest_of(component: &Field<f32>) -> f32 {
    reduce::max(component.values(), |value| value.abs())
}
