//! Which cells have a pressure, and which faces a velocity, where both are solved for at once.

use std::sync::Arc;

use glam::IVec3;
use ooze_field::{Field, FieldByAxis};
use ooze_linalg::UnknownPlace;

use super::super::ViscousLiquid;
use super::super::faces::{FIRST_CODE, Faces, NORMAL, SLIPPING};
use super::super::weights::Weights;
use crate::pressure::{NO_ROW, number_cells};

/// Share of liquid from which a cell has a pressure: with less its pressure would be next to free.
const LEAST_VOLUME: f32 = 0.01;

/// Cells with a pressure, and the faces around them.
pub(in crate::viscosity) struct PressedFaces {
    /// All faces with liquid and all faces of cells with a pressure. Those that only pressure moves come last: they lie in walls
    /// along which liquid glides and which do not lie along the grid, but let some through.
    pub(in crate::viscosity) faces: Faces,
    /// Which of them those are.
    gliding: usize,
    /// Row of each cell.
    pub(super) row: Field<u32>,
    /// Cell of each row.
    pub(super) cells: Vec<IVec3>,
}

impl PressedFaces {
    pub(in crate::viscosity) fn find(liquid: &ViscousLiquid<'_>, weights: &Weights) -> Self {
        let coupling = liquid.coupling;
        let topology = Arc::clone(weights.cells.topology());
        let (row, cells) = number_cells(coupling, &topology, |slot, local| {
            weights.cells.tile(slot)[local] > LEAST_VOLUME
        });
        let mut faces = Faces::number(liquid, weights, Some(&row));
        let gliding = gliding(liquid, &faces, &row);
        let count = gliding.len();
        faces.places.extend(gliding);
        Self {
            faces,
            gliding: count,
            row,
            cells,
        }
    }

    fn gliding(&self) -> &[UnknownPlace] {
        let places = &self.faces.places;
        &places[places.len() - self.gliding..]
    }

    /// Whether a face, by its place in storage, was solved for.
    pub(super) fn is_unknown(&self, axis: usize, index: usize) -> bool {
        // Few faces glide, and what walls get of them is theirs by the closed share all the same.
        matches!(self.faces.row[axis].values()[index], row if row < FIRST_CODE || glides(row))
    }

    /// Puts velocities on the faces.
    pub(super) fn write(
        &self,
        solution: &[f64],
        walls: &FieldByAxis<f32>,
        velocity: &mut FieldByAxis<f32>,
    ) {
        self.faces.write(solution, walls, velocity);
        let first = self.faces.places.len() - self.gliding;
        for (place, &value) in self.gliding().iter().zip(&solution[first..]) {
            velocity[usize::from(place.axis)].set(IVec3::from_array(place.cell), value as f32);
        }
    }

    /// Marks the faces whose velocities are known now, see [`Faces::known_in`].
    pub(super) fn known_in(&self, liquid: &Field<f32>) -> FieldByAxis<u8> {
        let mut known = self.faces.known_in(liquid);
        for place in self.gliding() {
            known[usize::from(place.axis)].set(IVec3::from_array(place.cell), 1);
        }
        known
    }
}

/// Whether a face lies in a wall along which liquid glides.
fn glides(row: u32) -> bool {
    matches!(row, NORMAL | SLIPPING)
}

/// Faces in walls along which liquid glides that let some through, beside cells with a pressure.
fn gliding(liquid: &ViscousLiquid<'_>, faces: &Faces, pressed: &Field<u32>) -> Vec<UnknownPlace> {
    let boundary = liquid.coupling.boundary;
    let topology = pressed.topology();
    let mut found = Vec::new();
    for slot in (0..topology.tile_count()).filter(|&slot| boundary.near(slot)) {
        for axis in 0..topology.lattice().axes() {
            let open = boundary.open[axis].tile(slot);
            for (local, &row) in faces.row[axis].tile(slot).iter().enumerate() {
                if !glides(row) || open[local] == 0.0 {
                    continue;
                }
                let cell = topology.cell(slot, local);
                let sides = [cell, cell - IVec3::AXES[axis]];
                if sides.iter().any(|&side| pressed.get(side) != NO_ROW) {
                    found.push(UnknownPlace {
                        cell: cell.to_array(),
                        axis: axis as u8,
                    });
                }
            }
        }
    }
    found
}
