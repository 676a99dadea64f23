//! The flow of the air around the liquid. Velocities that are continued along normals converge where the surface is hollow or
//! where two fronts come near each other: liquid that a long step carries there would lose volume, so the air is made free of
//! divergence as far as liquid gets in a step. Only the surface follows it: velocities are carried as they were continued.

use glam::IVec3;
use ooze_core::{StepError, StepReport};
use ooze_field::{Field, FieldByAxis, Place, face_fields};
use rayon::prelude::*;

use crate::boundary::Boundary;
use crate::pressure::{Coupling, PressureSystem};
use crate::stages::{self, NEARLY_SHUT};
use crate::{PressurePreconditioner, PressureSettings};

/// Residual relative to the right-hand side at which the solve is done. What is left of the divergence where a drop meets a tank is
/// volume that is lost: 1.01 % of a tank of 40 cells at 1e-2, 0.95 % here.
const TOLERANCE: f64 = 1e-3;
/// Cells beyond those that the liquid may cross.
const SPARE_CELLS: f32 = 1.0;
/// Largest speed of the air, in speeds of the liquid: what is squeezed out between two bodies must get away faster than they come.
const LARGEST_RATIO: f32 = 2.0;

/// The velocities around a liquid whose own are known.
pub(super) struct AirFlow<'a> {
    /// The level set at cell centres.
    pub(super) liquid: &'a Field<f32>,
    /// Its distance farther away.
    pub(super) far: &'a Field<f32>,
    pub(super) boundary: &'a Boundary,
    /// Cells that the liquid may cross in a step.
    pub(super) cfl: f32,
    /// Whether air passes through walls. Air that must get out of the gap before a wall slows down the surface, but not the liquid
    /// behind it: in the many short steps of an elastic liquid that falls it would come down with more energy than it fell with.
    /// Liquid that runs along walls and splashes, on the other hand, keeps its volume only if air does not.
    pub(super) through_walls: bool,
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
            preconditioner: PressurePreconditioner::Jacobi,
            ..PressureSettings::default()
        };
        let mut system = PressureSystem::assemble(&coupling, settings)?;
        let outflow = system.right_hand_side(|cell| -system.divergence(&boundary, velocity, cell));
        let unknown = system.solve("air", TOLERANCE, &outflow, report)?;
        let mut velocity = velocity.clone();
        let mut known = face_fields(air.topology(), 0u8);
        let fastest = LARGEST_RATIO * stages::fastest(&velocity);
        system.subtract_gradient(&coupling, &unknown, &mut velocity, &mut known);
        // Air whistles through the last chink of a gap; no surface may be dragged along further than a step reaches.
        for field in &mut velocity {
            field.par_tiles_mut().for_each(|(_, tile)| {
                for value in tile {
                    *value = value.clamp(-fastest, fastest);
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
                        } else if self.through_walls {
                            open[local] = 1.0;
                        }
                    }
                });
        }
        held
    }

    fn axes(&self) -> usize {
        self.liquid.topology().lattice().axes()
    }

    /// A level set that is negative in the cells of the air around the liquid from which there is a way farther out
    /// through open faces: without one, what flows in has nowhere to go.
    fn vented(&self, held: &Boundary) -> Field<f32> {
        let topology = self.liquid.topology();
        let half = 0.5 * topology.lattice().cell_size;
        let reach = (self.cfl + SPARE_CELLS) * 2.0 * half;
        let around = Field::from_cells(topology, Place::Cell, 0u8, |cell| {
            let outside = self.boundary.room.get(cell) > 0.0;
            u8::from(outside && self.liquid.get(cell) >= 0.0 && self.far.get(cell) < reach)
        });
        let beyond = |cell: IVec3| {
            (0..self.axes()).flat_map(move |axis| {
                let (below, above) = (cell - IVec3::AXES[axis], cell + IVec3::AXES[axis]);
                [(cell, below), (above, above)]
                    .into_iter()
                    .filter(move |&(face, _)| held.open[axis].get(face) > NEARLY_SHUT)
                    .map(|(_, other)| other)
            })
        };
        let mut reached: Vec<IVec3> = (0..topology.tile_count())
            .into_par_iter()
            .flat_map_iter(|slot| {
                let cells = around.tile(slot).iter().enumerate();
                cells
                    .filter(|&(_, &around)| around != 0)
                    .map(move |(local, _)| topology.cell(slot, local))
            })
            .filter(|&cell| {
                beyond(cell).any(|other| around.get(other) == 0 && self.liquid.get(other) >= 0.0)
            })
            .collect();
        let mut air = Field::new(topology, Place::Cell, half);
        while let Some(cell) = reached.pop() {
            let Some(index) = topology.index(cell) else {
                continue;
            };
            let value = &mut air.values_mut()[index];
            if *value > 0.0 {
                *value = -half;
                reached.extend(beyond(cell).filter(|&other| around.get(other) != 0));
            }
        }
        air
    }
}
