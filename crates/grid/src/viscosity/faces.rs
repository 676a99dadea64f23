//! Which faces have an unknown velocity, which ones are prescribed by walls, and which ones know nothing.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::WallCondition;
use ooze_field::{Field, FieldByAxis, Place, Topology, face_fields};
use ooze_linalg::UnknownPlace;
use rayon::prelude::*;

use super::ViscousLiquid;
use super::weights::Weights;
use crate::pressure::NO_ROW;

/// No liquid around the face.
pub(super) const AIR: u32 = u32::MAX;
/// Inside a wall that the liquid sticks to: the face moves with the wall.
pub(super) const STUCK: u32 = u32::MAX - 1;
/// Inside a wall that the liquid slips along, whose normal is the face's: it moves with the wall.
pub(super) const NORMAL: u32 = u32::MAX - 2;
/// Inside a wall that the liquid slips along: nothing is known.
pub(super) const SLIPPING: u32 = u32::MAX - 3;
/// Inside an emitter: the face moves as the emitter says.
pub(super) const DRIVEN: u32 = u32::MAX - 4;
/// Rows of unknowns are below.
pub(super) const FIRST_CODE: u32 = DRIVEN;

/// Cosine between a slip wall's normal and a face's above which the wall prescribes the face's velocity.
const ALIGNED: f32 = 0.7;

/// The faces of a viscous liquid, numbered tile by tile.
pub(crate) struct Faces {
    /// Row of each face, or a code.
    pub(super) row: FieldByAxis<u32>,
    /// Face of each row.
    pub(super) places: Vec<UnknownPlace>,
}

impl Faces {
    /// Numbers the faces that have liquid around them and do not lie in solids, and all others of the cells with a pressure, if
    /// their rows are given.
    pub(super) fn number(
        liquid: &ViscousLiquid<'_>,
        weights: &Weights,
        pressed: Option<&Field<u32>>,
    ) -> Self {
        let topology = Arc::clone(weights.cells.topology());
        let axes = topology.lattice().axes();
        let mut row = face_fields(&topology, AIR);
        let [row_x, row_y, row_z] = &mut row;
        let beside_pressure = |axis: usize, slot: usize, local: usize| {
            let own = |cell: IVec3| pressed.is_some_and(|row| row.get(cell) != NO_ROW);
            let cell = topology.cell(slot, local);
            own(cell) || own(cell - IVec3::AXES[axis])
        };
        let counts: Vec<u32> = row_x
            .par_tiles_mut()
            .zip(row_y.par_tiles_mut())
            .zip(row_z.par_tiles_mut())
            .map(|(((slot, x), (_, y)), (_, z))| {
                let mut count = 0;
                let mut tiles = [x, y, z];
                for local in 0..tiles[0].len() {
                    for (axis, rows) in tiles[..axes].iter_mut().enumerate() {
                        let driven = liquid.coupling.boundary.is_driven(axis, slot, local);
                        rows[local] = match wall_code(liquid, slot, local, axis) {
                            _ if driven => DRIVEN,
                            Some(code) => code,
                            None if weights.faces[axis].tile(slot)[local] > 0.0
                                || beside_pressure(axis, slot, local) =>
                            {
                                count += 1;
                                count - 1
                            }
                            None => AIR,
                        };
                    }
                }
                count
            })
            .collect();
        let mut first = Vec::with_capacity(counts.len());
        let mut total = 0;
        for count in counts {
            first.push(total);
            total += count;
        }
        for field in &mut row {
            field.par_tiles_mut().for_each(|(slot, tile)| {
                for row in tile.iter_mut().filter(|row| **row < FIRST_CODE) {
                    *row += first[slot];
                }
            });
        }
        let places = (0..topology.tile_count())
            .into_par_iter()
            .flat_map_iter(|slot| {
                let row = &row;
                let topology = &topology;
                (0..topology.tile_cells()).flat_map(move |local| {
                    let solved = move |axis: &usize| row[*axis].tile(slot)[local] < FIRST_CODE;
                    (0..axes).filter(solved).map(move |axis| UnknownPlace {
                        cell: topology.cell(slot, local).to_array(),
                        axis: axis as u8,
                    })
                })
            })
            .collect();
        Self { row, places }
    }

    /// A value of each unknown, from its axis and cell.
    pub(super) fn gather(&self, value: impl Fn(usize, IVec3) -> f64 + Sync) -> Vec<f64> {
        self.places
            .par_iter()
            .map(|place| value(usize::from(place.axis), IVec3::from_array(place.cell)))
            .collect()
    }

    /// The unknowns' velocities.
    pub(super) fn velocities(&self, velocity: &FieldByAxis<f32>) -> Vec<f64> {
        self.gather(|axis, cell| f64::from(velocity[axis].get(cell)))
    }

    /// Puts the solution on the faces; faces in walls that the liquid sticks to get the wall's velocity.
    pub(super) fn write(
        &self,
        solution: &[f64],
        walls: &FieldByAxis<f32>,
        velocity: &mut FieldByAxis<f32>,
    ) {
        for (axis, field) in velocity.iter_mut().enumerate() {
            field.par_tiles_mut().for_each(|(slot, tile)| {
                let faces = self.row[axis].tile(slot).iter().zip(walls[axis].tile(slot));
                for (value, (&row, &wall)) in tile.iter_mut().zip(faces) {
                    if row < FIRST_CODE {
                        *value = solution[row as usize] as f32;
                    } else if row == STUCK || row == DRIVEN {
                        *value = wall;
                    }
                }
            });
        }
    }

    /// Marks the faces that were solved for, those that move with an emitter, and of those that stick to walls the ones that the
    /// liquid, negative in `liquid`, touches: the velocities of others must not be continued into the air before them, which
    /// would hold back liquid that falls past, and crumbs too small to be solved for.
    pub(super) fn known_in(&self, liquid: &Field<f32>) -> FieldByAxis<u8> {
        self.marked(|axis, slot, local, row| match row {
            STUCK => {
                let cell = liquid.topology().cell(slot, local);
                liquid.get(cell).min(liquid.get(cell - IVec3::AXES[axis])) < 0.0
            }
            row => row < FIRST_CODE || row == DRIVEN,
        })
    }

    /// Marks faces by axis, tile, place in it, and row.
    fn marked(&self, chosen: impl Fn(usize, usize, usize, u32) -> bool + Sync) -> FieldByAxis<u8> {
        let mut known = face_fields(self.row[0].topology(), 0u8);
        for (axis, (row, known)) in self.row.iter().zip(&mut known).enumerate() {
            known.par_tiles_mut().for_each(|(slot, tile)| {
                for (local, (known, &row)) in tile.iter_mut().zip(row.tile(slot)).enumerate() {
                    *known = u8::from(chosen(axis, slot, local, row));
                }
            });
        }
        known
    }
}

/// What walls make of a face; none if it is not inside one.
fn wall_code(liquid: &ViscousLiquid<'_>, slot: usize, local: usize, axis: usize) -> Option<u32> {
    let (boundary, obstacles) = (liquid.coupling.boundary, liquid.obstacles);
    let topology = boundary.distance.topology();
    // No face is further from the node than a cell's edge.
    let far = || boundary.distance.tile(slot)[local] > topology.lattice().cell_size;
    if !boundary.near(slot) || far() {
        return None;
    }
    let cell = topology.cell(slot, local);
    let point = face_position(topology, axis, cell);
    if boundary.is_released(axis, cell) || boundary.distance.sample(point) > 0.0 {
        return None;
    }
    let Some(body) = boundary.body_at(point) else {
        return Some(SLIPPING);
    };
    let aligned = || {
        let normal = if obstacles.is_side(body) {
            obstacles.outward(body, point, 0.0)
        } else {
            boundary.outward(point)
        };
        normal[axis].abs() > ALIGNED
    };
    Some(match obstacles.contact(body).condition {
        WallCondition::NoSlip | WallCondition::Sticky => STUCK,
        WallCondition::Slip | WallCondition::Separating if aligned() => NORMAL,
        WallCondition::Slip | WallCondition::Separating => SLIPPING,
    })
}

/// Centre of a face.
pub(super) fn face_position(topology: &Topology, axis: usize, cell: IVec3) -> Vec3 {
    let offset = Place::Face(axis).offset();
    topology.lattice().to_world(cell.as_vec3() + offset)
}
