//! Pressure projection with a second-order free surface and cut-cell walls together (Batty & Bridson 2008, sec. 5.2).
//!
//! Walls enter through the open share of each face, which counts air and liquid alike and leaves solids out; the free
//! surface enters through the ghost-fluid method (eq. 12): between a liquid and an air cell, pressure falls to zero at
//! the fraction θ of the way where the liquid's distance does.
//!
//! The unknown of a cell is P = p dt / (ρ dx), so that subtracting differences of P from velocities projects them.
//! Deviation: face areas instead of volumes weight the walls by default (Ng, Min & Gibou 2009), because they make the
//! fluxes through cut faces exact; `WallWeights::Volume` is the published choice.

use std::sync::Arc;

use glam::IVec3;
use ooze_core::{StepError, StepReport};
use ooze_field::mask::{Mask, TileBits, set_cells};
use ooze_field::{Field, FieldByAxis, Place, Topology, face_fields};
use ooze_linalg::{IncompleteCholesky, Jacobi, Multigrid, MultigridSettings, SymmetricMatrix};
use rayon::prelude::*;

use crate::boundary::Boundary;
use crate::coupling::{BodyRows, FreeBodies, WithBodies};
use crate::solve::{LinearSystem, failed};
use crate::{PressurePreconditioner, PressureSettings};

/// Smallest distance of the surface from a cell centre, as a share of the way to the next centre: keeps the matrix
/// from degenerating (Gibou et al. 2002).
const LEAST_THETA: f32 = 0.01;
/// Marks cells without an unknown.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// The linear system of one moment: it serves every projection until the liquid moves.
pub(crate) struct PressureSystem {
    topology: Arc<Topology>,
    /// Row of each cell.
    row: Field<u32>,
    /// Cell of each row.
    cells: Vec<IVec3>,
    /// The cells that have rows.
    wet: Mask,
    linear: LinearSystem,
}

/// Everything that decides which faces are coupled and how.
pub(crate) struct Coupling<'a> {
    /// Signed distance of the liquid at cell centres, extended into solids.
    pub(crate) liquid: &'a Field<f32>,
    /// The solids.
    pub(crate) boundary: &'a Boundary,
    /// Densities at faces where they differ, and the density that P refers to.
    pub(crate) density: Option<&'a FieldByAxis<f32>>,
    /// The density that pressures refer to, in kg/m³.
    pub(crate) reference_density: f32,
}

/// What lies on the other side of a face.
enum Beyond {
    Liquid(u32),
    /// Air; the surface crosses at this share of the way.
    Air(f32),
}

impl Coupling<'_> {
    /// Weight of a face: its open share, divided by the relative density there.
    #[inline]
    fn weight(&self, axis: usize, face: IVec3) -> f32 {
        self.boundary.open[axis].get(face) * self.mobility(axis, face)
    }

    /// Inverse of the relative density at a face.
    #[inline]
    pub(crate) fn mobility(&self, axis: usize, face: IVec3) -> f32 {
        match self.density {
            Some(density) => self.reference_density / density[axis].get(face),
            None => 1.0,
        }
    }

    #[inline]
    fn beyond(&self, row: &Field<u32>, from: IVec3, to: IVec3) -> Beyond {
        match row.get(to) {
            NO_ROW => {
                let (inside, outside) = (self.liquid.get(from), self.liquid.get(to));
                // A cell beyond an open side of the domain has no unknown, whatever its distance.
                let theta = if outside > 0.0 {
                    inside / (inside - outside)
                } else {
                    1.0
                };
                Beyond::Air(theta.clamp(LEAST_THETA, 1.0))
            }
            other => Beyond::Liquid(other),
        }
    }
}

impl PressureSystem {
    /// Assembles the system for the liquid where it is now.
    pub(crate) fn assemble(
        coupling: &Coupling<'_>,
        settings: PressureSettings,
    ) -> Result<Self, StepError> {
        let topology = Arc::clone(coupling.liquid.topology());
        let (row, cells) = number_cells(coupling, &topology, |slot, local| {
            coupling.liquid.tile(slot)[local] < 0.0
        });
        let axes = topology.lattice().axes();
        let stage = "pressure";
        let matrix = SymmetricMatrix::from_rows(cells.len(), |index, sink| {
            let cell = cells[index];
            for axis in 0..axes {
                for step in [-1, 1] {
                    let (face, other) = across(cell, axis, step);
                    let weight = coupling.weight(axis, face);
                    if weight == 0.0 {
                        continue;
                    }
                    match coupling.beyond(&row, cell, other) {
                        Beyond::Liquid(other) => sink.couple(other as usize, weight),
                        Beyond::Air(theta) => sink.ground(weight / theta),
                    }
                }
            }
        })
        .map_err(|error| failed(stage, error))?;
        let coordinates: Vec<[i32; 3]> = cells.par_iter().map(|cell| cell.to_array()).collect();
        let preconditioner = precondition(&matrix, &coordinates, settings.preconditioner)
            .map_err(|error| failed(stage, error))?;
        Ok(Self {
            topology,
            wet: Mask::of(&row, |row| row != NO_ROW),
            row,
            cells,
            linear: LinearSystem::new(matrix.into(), preconditioner, settings.max_iterations),
        })
    }

    /// Number of liquid cells.
    pub(crate) fn size(&self) -> usize {
        self.cells.len()
    }

    /// Whether a cell has an unknown.
    #[inline]
    fn is_liquid(&self, cell: IVec3) -> bool {
        self.row.get(cell) != NO_ROW
    }

    /// A right-hand side with one entry for each liquid cell.
    pub(crate) fn right_hand_side(&self, value: impl Fn(IVec3) -> f32 + Sync) -> Vec<f64> {
        self.cells
            .par_iter()
            .map(|&cell| f64::from(value(cell)))
            .collect()
    }

    /// Solves for P. An unfinished solve that is good enough to use is noted in the report.
    pub(crate) fn solve(
        &mut self,
        name: &'static str,
        tolerance: f64,
        right_hand_side: &[f64],
        report: &mut StepReport,
    ) -> Result<Field<f32>, StepError> {
        let mut solution = vec![0.0; self.cells.len()];
        self.linear
            .solve(name, tolerance, right_hand_side, &mut solution, report)?;
        Ok(self.spread(&solution))
    }

    /// The same among bodies that give way; a cell full of liquid has a mass of `mass` kg.
    pub(crate) fn solve_with(
        &mut self,
        bodies: (&BodyRows, &FreeBodies, f64),
        (name, tolerance): (&'static str, f64),
        right_hand_side: &[f64],
        report: &mut StepReport,
    ) -> Result<Field<f32>, StepError> {
        let mut solution = vec![0.0; self.cells.len()];
        let matrix = Arc::clone(self.linear.matrix());
        let (rows, bodies, mass) = bodies;
        let operator = WithBodies::new(&matrix, rows, bodies, mass);
        let named = (name, tolerance);
        self.linear
            .solve_as(&operator, named, right_hand_side, &mut solution, report)?;
        Ok(self.spread(&solution))
    }

    /// Row of each cell.
    pub(crate) fn rows(&self) -> &Field<u32> {
        &self.row
    }

    /// Puts a value of each row on a field.
    fn spread(&self, solution: &[f64]) -> Field<f32> {
        let mut field = Field::new(&self.topology, Place::Cell, 0.0);
        let row = &self.row;
        field.par_tiles_mut().for_each(|(slot, tile)| {
            for (value, &row) in tile.iter_mut().zip(row.tile(slot)) {
                if row != NO_ROW {
                    *value = solution[row as usize] as f32;
                }
            }
        });
        field
    }

    /// Net outflow of each liquid cell through its open faces and moving walls, in m/s (divergence times dx).
    pub(crate) fn divergence(
        &self,
        boundary: &Boundary,
        velocity: &FieldByAxis<f32>,
        cell: IVec3,
    ) -> f32 {
        let mut outflow = 0.0;
        for axis in 0..self.topology.lattice().axes() {
            for step in [-1, 1] {
                let (face, _) = across(cell, axis, step);
                let open = boundary.open[axis].get(face);
                let flux = open * velocity[axis].get(face)
                    + (1.0 - open) * boundary.shut_velocity(axis, face);
                outflow += step as f32 * flux;
            }
        }
        outflow
    }

    /// The change that P makes to a face's velocity, for every open face that touches liquid: `change(axis, face, Δ)`
    /// is stored where it is not none. `known` marks those faces.
    pub(crate) fn subtract_gradient(
        &self,
        coupling: &Coupling<'_>,
        unknown: &Field<f32>,
        velocity: &mut FieldByAxis<f32>,
        known: &mut FieldByAxis<u8>,
    ) {
        for axis in 0..self.topology.lattice().axes() {
            let open = &coupling.boundary.open[axis];
            velocity[axis]
                .par_tiles_mut()
                .zip(known[axis].par_tiles_mut())
                .for_each(|((slot, velocities), (_, known))| {
                    for local in set_cells(&self.wet_faces(slot, axis)) {
                        if open.tile(slot)[local] == 0.0 {
                            continue;
                        }
                        let face = self.topology.cell(slot, local);
                        if let Some(difference) = self.difference(coupling, unknown, axis, face) {
                            velocities[local] -= difference * coupling.mobility(axis, face);
                            known[local] = 1;
                        }
                    }
                });
        }
    }

    /// Marks the open faces that touch liquid: those whose velocity the pressure decides.
    pub(crate) fn faces(&self, coupling: &Coupling<'_>) -> FieldByAxis<u8> {
        let mut faces = face_fields(&self.topology, 0u8);
        for (axis, field) in faces[..self.topology.lattice().axes()]
            .iter_mut()
            .enumerate()
        {
            let open = &coupling.boundary.open[axis];
            field.par_tiles_mut().for_each(|(slot, tile)| {
                for local in set_cells(&self.wet_faces(slot, axis)) {
                    tile[local] = u8::from(open.tile(slot)[local] > 0.0);
                }
            });
        }
        faces
    }

    /// The faces of a tile normal to an axis that touch liquid.
    fn wet_faces(&self, slot: usize, axis: usize) -> TileBits {
        let below = self.wet.next(slot, axis, false);
        std::array::from_fn(|layer| self.wet.tile(slot)[layer] | below[layer])
    }

    /// Difference of P across a face with at least one liquid side, with the ghost value on an air side.
    #[inline]
    fn difference(
        &self,
        coupling: &Coupling<'_>,
        unknown: &Field<f32>,
        axis: usize,
        face: IVec3,
    ) -> Option<f32> {
        let mut below = face;
        below[axis] -= 1;
        match (self.is_liquid(below), self.is_liquid(face)) {
            (true, true) => Some(unknown.get(face) - unknown.get(below)),
            (true, false) => Some(match coupling.beyond(&self.row, below, face) {
                Beyond::Air(theta) => -unknown.get(below) / theta,
                Beyond::Liquid(_) => 0.0,
            }),
            (false, true) => Some(match coupling.beyond(&self.row, face, below) {
                Beyond::Air(theta) => unknown.get(face) / theta,
                Beyond::Liquid(_) => 0.0,
            }),
            (false, false) => None,
        }
    }
}

/// The face of `cell` towards `step` along an axis, and the cell beyond it.
#[inline]
fn across(cell: IVec3, axis: usize, step: i32) -> (IVec3, IVec3) {
    let mut other = cell;
    other[axis] += step;
    (if step < 0 { cell } else { other }, other)
}

/// Gives a row to each cell of the domain that is liquid, by its tile and place there, and that has an open face.
pub(crate) fn number_cells(
    coupling: &Coupling<'_>,
    topology: &Arc<Topology>,
    is_liquid: impl Fn(usize, usize) -> bool + Sync,
) -> (Field<u32>, Vec<IVec3>) {
    let mut row = Field::new(topology, Place::Cell, NO_ROW);
    let lattice = *topology.lattice();
    let axes = topology.lattice().axes();
    let counts: Vec<u32> = row
        .par_tiles_mut()
        .map(|(slot, tile)| {
            let mut count = 0;
            for (local, row) in tile.iter_mut().enumerate() {
                if !is_liquid(slot, local) {
                    continue;
                }
                let cell = topology.cell(slot, local);
                let inside = cell.cmpge(IVec3::ZERO) & cell.cmplt(lattice.cells);
                let open = |axis: usize| {
                    [-1, 1].into_iter().any(|step| {
                        let (face, _) = across(cell, axis, step);
                        // The solid behind a wall that lets go is as air, not liquid.
                        coupling.boundary.open[axis].get(face) > 0.0
                            && !coupling.boundary.is_released(axis, face)
                    })
                };
                if inside.all() && (0..axes).any(open) {
                    *row = count;
                    count += 1;
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
    row.par_tiles_mut().for_each(|(slot, tile)| {
        for row in tile.iter_mut().filter(|row| **row != NO_ROW) {
            *row += first[slot];
        }
    });
    let cells = (0..topology.tile_count())
        .into_par_iter()
        .flat_map_iter(|slot| {
            let rows = row.tile(slot).iter().enumerate();
            rows.filter(|&(_, &row)| row != NO_ROW)
                .map(move |(local, _)| topology.cell(slot, local))
        })
        .collect();
    (row, cells)
}

/// The preconditioner of a matrix whose unknowns are cells, or faces of one axis.
pub(crate) fn precondition(
    matrix: &SymmetricMatrix,
    coordinates: &[[i32; 3]],
    choice: PressurePreconditioner,
) -> Result<Box<dyn ooze_linalg::Preconditioner>, ooze_linalg::PreconditionerError> {
    Ok(match choice {
        PressurePreconditioner::Multigrid => Box::new(Multigrid::new(
            matrix,
            coordinates,
            &MultigridSettings::default(),
        )?),
        PressurePreconditioner::IncompleteCholesky => {
            Box::new(IncompleteCholesky::new(matrix, coordinates)?)
        }
        PressurePreconditioner::Jacobi => Box::new(Jacobi::new(matrix)?),
    })
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use ooze_core::random::uniform;
    use ooze_core::{Collider, Contact, Domain, KeyframedSolids, Obstacles, Side};
    use ooze_field::face_fields;
    use ooze_geometry::{Motion, Pose, Shape};

    use super::*;
    use crate::boundary::FixedTiles;
    use crate::{PressureSettings, WallWeights};

    const CELLS: i32 = 24;

    /// A tank with a slanted surface of water, a cut-cell ball in it and random velocities.
    fn projected(preconditioner: PressurePreconditioner, weights: WallWeights) -> (f64, f64) {
        let domain = Domain {
            lower: Vec3::ZERO,
            cell_size: 1.0 / CELLS as f32,
            cells: IVec3::splat(CELLS),
            flat: false,
            sides: [[Side::Closed(Contact::default()); 2]; 3],
        };
        let ball = Shape::sphere(Vec3::new(0.45, 0.3, 0.52), 0.21).expect("a fair ball");
        let solids = KeyframedSolids::new(vec![Collider {
            name: "ball".into(),
            shape: Arc::new(ball),
            motion: Motion::fixed(Pose::IDENTITY).expect("a fair pose"),
            contact: Contact::default(),
        }]);
        let obstacles = Obstacles::new(&domain, &solids);
        let topology = Arc::new(Topology::full(domain.lattice()));
        let boundary =
            Boundary::rasterize(&topology, &obstacles, weights, &mut FixedTiles::default());
        let liquid = Field::from_points(&topology, Place::Cell, 1.0, |point| {
            point.y - 0.5 - 0.2 * point.x
        });
        let coupling = Coupling {
            liquid: &liquid,
            boundary: &boundary,
            density: None,
            reference_density: 1000.0,
        };
        let settings = PressureSettings {
            preconditioner,
            wall_weights: weights,
            ..PressureSettings::default()
        };
        let mut system = PressureSystem::assemble(&coupling, settings).expect("a fair system");
        let mut velocity = face_fields(&topology, 0.0f32);
        for (axis, field) in velocity.iter_mut().enumerate() {
            for (index, value) in field.values_mut().iter_mut().enumerate() {
                *value = uniform(axis as u64, index as u64) - 0.5;
            }
        }
        let norm = |system: &PressureSystem, velocity: &FieldByAxis<f32>| {
            let outflow =
                system.right_hand_side(|cell| system.divergence(&boundary, velocity, cell));
            outflow
                .iter()
                .map(|value| value * value)
                .sum::<f64>()
                .sqrt()
        };
        let before = norm(&system, &velocity);
        let right_hand_side =
            system.right_hand_side(|cell| -system.divergence(&boundary, &velocity, cell));
        let mut report = StepReport::default();
        let unknown = system
            .solve(
                "pressure",
                settings.tolerance,
                &right_hand_side,
                &mut report,
            )
            .expect("the solve converges");
        let mut known = face_fields(&topology, 0);
        system.subtract_gradient(&coupling, &unknown, &mut velocity, &mut known);
        let iterations = report.solves["pressure"].iterations;
        (norm(&system, &velocity) / before, f64::from(iterations))
    }

    #[test]
    fn projection_leaves_no_more_divergence_than_the_tolerance_allows() {
        let tolerance = PressureSettings::default().tolerance;
        for weights in [WallWeights::Area, WallWeights::Volume] {
            let (left, multigrid) = projected(PressurePreconditioner::Multigrid, weights);
            assert!(left < 10.0 * tolerance, "{weights:?}: {left}");
            let (left, cholesky) = projected(PressurePreconditioner::IncompleteCholesky, weights);
            assert!(left < 10.0 * tolerance, "{weights:?}: {left}");
            let (left, jacobi) = projected(PressurePreconditioner::Jacobi, weights);
            assert!(left < 10.0 * tolerance, "{weights:?}: {left}");
            assert!(multigrid < cholesky && cholesky < jacobi);
        }
    }
}
