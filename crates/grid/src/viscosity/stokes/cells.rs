//! Which cells have a pressure, and which faces a velocity, where both are solved for at once.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_field::{Field, FieldByAxis};
use ooze_linalg::UnknownPlace;

use super::super::ViscousLiquid;
use super::super::faces::{FIRST_CODE, Faces, NORMAL, SLIPPING, STUCK};
use super::super::weights::Weights;
use crate::pressure::{NO_ROW, number_cells};

/// Share of liquid from which a cell has a pressure: with less its pressure would be next to free.
const LEAST_VOLUME: f32 = 0.01;

/// Width in cells from which air before a wall is a gap.
const GAP: f32 = 0.25;

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
                && (coupling.liquid.tile(slot)[local] < 0.0 || !has_gap(liquid, slot, local))
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

    /// The faces that only pressure moves.
    pub(super) fn gliding(&self) -> &[UnknownPlace] {
        let places = &self.faces.places;
        &places[places.len() - self.gliding..]
    }

    /// Whether a face, by its place in storage, was solved for.
    pub(super) fn is_unknown(&self, axis: usize, index: usize) -> bool {
        // Few faces glide, and what walls get of them is theirs by the closed share all the same.
        matches!(self.faces.row[axis].values()[index], row if row < FIRST_CODE || glides(row))
    }

    /// Whether a face, by its place in storage, was given the velocity of a wall.
    pub(super) fn moves_with_wall(&self, axis: usize, index: usize) -> bool {
        matches!(self.faces.row[axis].values()[index], STUCK | NORMAL)
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

    /// Marks the faces whose velocities are known now, see [`Faces::known_in`]: not those without liquid of their own, which
    /// nothing holds.
    pub(super) fn known_in(&self, liquid: &Field<f32>, weights: &Weights) -> FieldByAxis<u8> {
        let mut known = self.faces.known_in(liquid);
        for ((known, rows), shares) in known.iter_mut().zip(&self.faces.row).zip(&weights.faces) {
            let faces = known.values_mut().iter_mut();
            for ((known, &row), &share) in faces.zip(rows.values()).zip(shares.values()) {
                if row < FIRST_CODE && share == 0.0 {
                    *known = 0;
                }
            }
        }
        for place in self.gliding() {
            known[usize::from(place.axis)].set(IVec3::from_array(place.cell), 1);
        }
        known
    }
}

/// Whether air parts a cell's liquid from a wall that shuts one of its faces: what little there is of it does not fill the cell, and
/// goes on until it has reached the wall.
fn has_gap(liquid: &ViscousLiquid<'_>, slot: usize, local: usize) -> bool {
    let (surface, boundary) = (liquid.coupling.liquid, liquid.coupling.boundary);
    if !boundary.near(slot) {
        return false;
    }
    let topology = surface.topology();
    let (lattice, cell) = (topology.lattice(), topology.cell(slot, local));
    let half = 0.5 * lattice.cell_size;
    let is_parted = |axis: usize, face: IVec3| {
        let centre = boundary.open[axis].position(face);
        let [first, second] = [(axis + 1) % 3, (axis + 2) % 3].map(|across| {
            if lattice.flat && across == 2 {
                Vec3::ZERO
            } else {
                Vec3::AXES[across] * half
            }
        });
        let mut corners = [
            first + second,
            first - second,
            second - first,
            -first - second,
        ];
        corners
            .iter_mut()
            .all(|corner| surface.sample(centre + *corner) > GAP * lattice.cell_size)
    };
    let faces =
        (0..lattice.axes()).flat_map(|axis| [(axis, cell), (axis, cell + IVec3::AXES[axis])]);
    faces
        .filter(|&(axis, face)| boundary.open[axis].get(face) == 0.0)
        .any(|(axis, face)| is_parted(axis, face))
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
