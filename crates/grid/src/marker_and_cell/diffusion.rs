//! Viscosity, one component of velocity after another, on the faces with liquid on both sides (Carlson 2004, eqs. 45-49).
//!
//! Where viscosity varies, that of the cell acts along the component and that of the edge across it (eq. 57): ∇·(μ∇u), which
//! leaves out μ_x u_x + μ_y v_x + μ_z w_x and the like of the full stress (eq. 60, sec. 4.5.2). Edges take the mean of the liquid
//! around them; walls and air have no viscosity.
//!
//! Deviation: the thesis holds what walls have inside of them fixed in the solve. That is so here for zero; the mirrored velocity
//! follows the one that is solved for, since a fixed one would turn the sign of a thick liquid's velocity in every step.

use glam::IVec3;
use ooze_core::{StepError, StepReport};
use ooze_field::{Field, FieldByAxis, Place};
use ooze_linalg::SymmetricMatrix;
use rayon::prelude::*;

use super::cells::{Cells, Role};
use super::settings::{EdgeMean, MarkerSettings, OuterFaces, WallFaces};
use crate::pressure::precondition;
use crate::reactions::{Part, Reactions};
use crate::solve::{LinearSystem, failed};
use crate::viscosity::CellViscosity;

/// Marks faces that are not solved for.
const NO_ROW: u32 = u32::MAX;

/// The viscous stage of a step.
pub(super) struct Viscous<'a> {
    pub(super) cells: &'a Cells<'a>,
    pub(super) viscosity: &'a CellViscosity,
    pub(super) settings: &'a MarkerSettings,
    /// In kg/m³; densities are relative to it.
    pub(super) reference_density: f64,
    pub(super) dt: f64,
}

/// What is on the other side of a difference of velocities.
enum Beyond {
    /// A face that is solved for.
    Fluid,
    /// A velocity that is given, at so many times the weight of a neighbour.
    Given(f32, f32),
    /// Nothing that acts.
    Nothing,
}

impl Viscous<'_> {
    /// Viscosity between a face and its neighbour along an axis, over density and cell size squared, times the time step.
    fn coupling(&self, axis: usize, face: IVec3, along: usize, step: i32) -> f32 {
        let viscosity = if along == axis {
            let cell = if step > 0 {
                face
            } else {
                face - IVec3::AXES[axis]
            };
            self.viscosity.at(cell)
        } else {
            self.edge(axis, along, face + step.max(0) * IVec3::AXES[along])
        };
        let cell_size = self.cells.cell_size();
        let scale = self.dt / (self.reference_density * cell_size * cell_size);
        (scale * f64::from(viscosity)) as f32
    }

    /// The viscosity of an edge between two axes, below `cell` along both: the mean of the liquid around it (eq. 58).
    fn edge(&self, axis: usize, along: usize, cell: IVec3) -> f32 {
        if let CellViscosity::Uniform(viscosity) = self.viscosity {
            return *viscosity;
        }
        let (a, b) = (IVec3::AXES[axis.min(along)], IVec3::AXES[axis.max(along)]);
        let around = [cell, cell - a, cell - b, cell - a - b];
        let liquid = around
            .into_iter()
            .filter(|&cell| self.cells.is_liquid(cell));
        let (mut count, mut sum, mut product) = (0, 0.0, 1.0);
        for viscosity in liquid.map(|cell| f64::from(self.viscosity.at(cell))) {
            count += 1;
            sum += viscosity;
            product *= viscosity;
        }
        let mean = match (self.settings.edge_mean, count) {
            (_, 0) => 0.0,
            (EdgeMean::Arithmetic, _) => sum / f64::from(count),
            (EdgeMean::Geometric, 1) => product,
            (EdgeMean::Geometric, 2) => product.sqrt(),
            (EdgeMean::Geometric, 3) => product.cbrt(),
            (EdgeMean::Geometric, _) => product.sqrt().sqrt(),
        };
        mean as f32
    }

    fn beyond(&self, velocity: &Field<f32>, axis: usize, face: IVec3) -> Beyond {
        let imposed = || self.cells.imposed[axis].get(face);
        match self.cells.role[axis].get(face) {
            Role::Fluid => Beyond::Fluid,
            Role::Wall | Role::Driven => Beyond::Given(imposed(), 1.0),
            Role::Surface | Role::Air => match self.settings.outer_faces {
                OuterFaces::Following => Beyond::Nothing,
                OuterFaces::Held => Beyond::Given(velocity.get(face), 1.0),
            },
            Role::Gliding => Beyond::Nothing,
            Role::Holding => match self.settings.wall_faces {
                // The difference to the opposite is twice that to the wall.
                WallFaces::Mirrored => Beyond::Given(imposed(), 2.0),
                WallFaces::Zero => Beyond::Given(imposed(), 1.0),
            },
        }
    }

    /// Visits the neighbours of a face: where each is, how strongly it is coupled, and what it is.
    fn each_neighbour(
        &self,
        velocity: &Field<f32>,
        axis: usize,
        face: IVec3,
        mut visit: impl FnMut(IVec3, f32, Beyond),
    ) {
        for along in 0..self.cells.axes() {
            for step in [-1, 1] {
                let other = face + step * IVec3::AXES[along];
                let beyond = self.beyond(velocity, axis, other);
                if !matches!(beyond, Beyond::Nothing) {
                    visit(other, self.coupling(axis, face, along, step), beyond);
                }
            }
        }
    }

    fn faces(&self, axis: usize) -> Vec<IVec3> {
        let roles = self.cells.role[axis].values();
        self.cells.listed(roles, |role| *role == Role::Fluid)
    }

    /// Lets viscosity act at once (eqs. 47-49).
    pub(super) fn solve(
        &self,
        velocity: &mut FieldByAxis<f32>,
        reactions: &mut Reactions,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        for axis in 0..self.cells.axes() {
            let faces = self.faces(axis);
            let solution = self.solve_component(axis, &faces, &velocity[axis], report)?;
            for (&face, value) in faces.iter().zip(solution) {
                velocity[axis].set(face, value as f32);
            }
            self.react(axis, &faces, &velocity[axis], reactions);
        }
        Ok(())
    }

    fn solve_component(
        &self,
        axis: usize,
        faces: &[IVec3],
        velocity: &Field<f32>,
        report: &mut StepReport,
    ) -> Result<Vec<f64>, StepError> {
        let stage = "viscosity";
        let mut row = Field::new(&self.cells.topology, Place::Face(axis), NO_ROW);
        for (number, &face) in faces.iter().enumerate() {
            row.set(face, number as u32);
        }
        let matrix = SymmetricMatrix::from_rows(faces.len(), |number, sink| {
            let face = faces[number];
            sink.diagonal(f64::from(self.cells.density(axis, face)));
            self.each_neighbour(velocity, axis, face, |other, weight, beyond| match beyond {
                Beyond::Fluid => sink.couple(row.get(other) as usize, weight),
                Beyond::Given(_, times) => sink.ground(times * weight),
                Beyond::Nothing => {}
            });
        })
        .map_err(|error| failed(stage, error))?;
        let coordinates: Vec<[i32; 3]> = faces.iter().map(|face| face.to_array()).collect();
        let choice = self.settings.viscosity_preconditioner;
        let preconditioner =
            precondition(&matrix, &coordinates, choice).map_err(|error| failed(stage, error))?;
        let known = |&face: &IVec3| {
            let own = f64::from(self.cells.density(axis, face)) * f64::from(velocity.get(face));
            let mut sum = own;
            self.each_neighbour(velocity, axis, face, |_, weight, beyond| {
                if let Beyond::Given(value, times) = beyond {
                    sum += f64::from(times * weight) * f64::from(value);
                }
            });
            sum
        };
        let right_hand_side: Vec<f64> = faces.par_iter().map(known).collect();
        let own = |&face: &IVec3| f64::from(velocity.get(face));
        let mut solution: Vec<f64> = faces.par_iter().map(own).collect();
        let iterations = self.settings.viscosity_iterations;
        let mut system = LinearSystem::new(matrix.into(), preconditioner, iterations);
        let tolerance = self.settings.viscosity_tolerance;
        system.solve(stage, tolerance, &right_hand_side, &mut solution, report)?;
        Ok(solution)
    }

    /// What viscosity adds to velocities in a step forward in time (eqs. 25-27 and 57).
    pub(super) fn add_explicit(&self, before: &FieldByAxis<f32>, velocity: &mut FieldByAxis<f32>) {
        for axis in 0..self.cells.axes() {
            let faces = self.faces(axis);
            let change = |&face: &IVec3| {
                let own = before[axis].get(face);
                let mut sum = 0.0;
                self.each_neighbour(&before[axis], axis, face, |other, weight, beyond| {
                    sum += match beyond {
                        Beyond::Fluid => weight * (before[axis].get(other) - own),
                        Beyond::Given(value, times) => times * weight * (value - own),
                        Beyond::Nothing => 0.0,
                    };
                });
                sum / self.cells.density(axis, face)
            };
            let changes: Vec<f32> = faces.par_iter().map(change).collect();
            for (face, change) in faces.into_iter().zip(changes) {
                let value = velocity[axis].get(face) + change;
                velocity[axis].set(face, value);
            }
        }
    }

    /// Gives walls what they have taken from liquid with these velocities.
    fn react(
        &self,
        axis: usize,
        faces: &[IVec3],
        velocity: &Field<f32>,
        reactions: &mut Reactions,
    ) {
        let cells = self.cells;
        let mass = self.reference_density * cells.cell_size().powi(3);
        for &face in faces {
            let own = velocity.get(face);
            self.each_neighbour(velocity, axis, face, |other, weight, beyond| {
                let walls = matches!(cells.role[axis].get(other), Role::Wall | Role::Holding);
                let point = cells.point(axis, other);
                if let (true, Beyond::Given(value, times)) = (walls, beyond)
                    && let Some(body) = cells.body(point)
                {
                    let impulse = mass * f64::from(times * weight * (own - value));
                    let along = IVec3::AXES[axis].as_dvec3();
                    reactions.add(Part::Viscous, body, point.as_dvec3(), along * impulse);
                }
            });
        }
    }
}
