//! The force of a stress that is there already: elastic stress, for one.
//!
//! A stress does work at the rate Σ V σ:ε̇ over the samples of the strain rate, so that the force on the faces is the
//! adjoint of the strain operator, −Gᵀ V σ, with the rows and the weights of the viscous solve. No row feels a rigid
//! motion; hence, away from walls, these forces add up to nothing and turn nothing. Walls take part as they do in
//! viscosity: liquid that sticks to one is held by its stress, liquid that slips feels none along it.

use ooze_field::{FieldByAxis, level_set};
use rayon::prelude::*;

use super::faces::{Faces, axis_count};
use super::rows::{Air, Form, RowMaker, SampleKind, StrainRows};
use super::schemes::LEAST_THETA;
use super::system::masses;
use super::weights::Weights;
use super::{Grounds, LAYERS_BEFORE, ViscousLiquid, continue_change};
use crate::elasticity::Strain;

/// Stiffness over mass of a face inside the liquid, in units of modulus over density and cell size squared, by axes: two
/// rows of weight 2 for stretching, and two or four of weight 1 for shear.
const INNER_STIFFNESS: [f64; 4] = [0.0, 0.0, 6.0, 8.0];

/// Makes faces with next to no liquid around them as heavy as the stress that `rows` pull at them with needs: they must not
/// move in other ways than their neighbours, whatever the step. Elastic force and implicit step share these masses, so
/// that an implicit step never adds energy.
pub(super) fn weigh_down(mass: &mut [f64], maker: &RowMaker<'_>, strain: &StrainRows) {
    let mut stiffness = vec![0.0; mass.len()];
    let mut largest: f64 = 0.0;
    for (row, sample) in strain.samples.iter().enumerate() {
        if sample.kind == SampleKind::Bulk {
            continue;
        }
        let weight = f64::from(strain.rows.weights()[row]);
        if matches!(sample.kind, SampleKind::Stretching(_)) {
            largest = largest.max(0.5 * weight);
        }
        let (columns, coefficients) = strain.rows.row(row);
        for (&column, &coefficient) in columns.iter().zip(coefficients) {
            stiffness[column as usize] += f64::from(coefficient * coefficient) * weight;
        }
    }
    let axes = axis_count(maker.weights.cells.topology());
    let per_mass = 1.0 / (INNER_STIFFNESS[axes] * largest.max(f64::MIN_POSITIVE));
    let shares = maker
        .faces
        .gather(|axis, cell| f64::from(maker.weights.faces[axis].get(cell)));
    mass.par_iter_mut()
        .zip(stiffness.par_iter().zip(&shares))
        .for_each(|(mass, (stiffness, share))| *mass *= (stiffness * per_mass / share).max(1.0));
}

/// What pushes the faces.
pub(super) struct Push {
    /// Relative density times share of liquid times change of velocity in m/s.
    pub(super) impulse: Vec<f64>,
    /// Relative density times share of liquid, more where there is next to none.
    pub(super) mass: Vec<f64>,
}

impl ViscousLiquid<'_> {
    /// Lets the stress `viscosity · strain` push the velocities for `dt` seconds: here the viscosity is an elastic modulus
    /// in Pa.
    pub(crate) fn push(
        &self,
        grounds: &Grounds,
        strain: &Strain,
        velocity: &mut FieldByAxis<f32>,
        known: &mut FieldByAxis<u8>,
        dt: f64,
    ) {
        level_set::extrapolate_faces(velocity, known, LAYERS_BEFORE);
        let Grounds { weights, faces } = grounds;
        let Push { impulse, mass } = self.impulses(weights, faces, strain, dt);
        let mut moved = faces.velocities(velocity);
        moved
            .par_iter_mut()
            .zip(impulse.par_iter().zip(&mass))
            .for_each(|(velocity, (impulse, mass))| *velocity += impulse / mass);
        let before = velocity.clone();
        let walls = &self.coupling.boundary.wall_velocity;
        faces.write(&moved, walls, velocity);
        continue_change(&before, velocity, known, faces.known(), true);
    }

    /// The force of the stress for `dt` seconds.
    pub(super) fn impulses(
        &self,
        weights: &Weights,
        faces: &Faces,
        strain: &Strain,
        dt: f64,
    ) -> Push {
        let maker = RowMaker {
            liquid: self,
            weights,
            faces,
            form: Form::Strain,
            air: Air::Unknown,
            bulk: 0.0,
            least_theta: LEAST_THETA,
        };
        let largest = f64::from(self.viscosity.largest());
        let cell_size = f64::from(self.coupling.liquid.topology().lattice().cell_size);
        // Rows have weights relative to the largest modulus.
        let rows = maker.rows(1.0 / largest);
        let strength = dt * largest / (f64::from(self.coupling.reference_density) * cell_size);
        let mut impulse = vec![0.0; faces.places.len()];
        for (row, sample) in rows.samples.iter().enumerate() {
            // Weights are those of viscosity, which has 2 ∂u/∂x on the diagonal.
            let (component, share) = match sample.kind {
                SampleKind::Stretching(axis) => (usize::from(axis), 0.5),
                SampleKind::Shear(axis) => (3 + usize::from(axis), 1.0),
                SampleKind::Bulk => continue,
            };
            let strain = strain.component(component).values()[sample.index as usize];
            let weight = f64::from(rows.rows.weights()[row]);
            let stress = share * strength * weight * f64::from(strain);
            let (columns, coefficients) = rows.rows.row(row);
            for (&column, &coefficient) in columns.iter().zip(coefficients) {
                impulse[column as usize] -= f64::from(coefficient) * stress;
            }
        }
        let mut mass = masses(self, faces, weights);
        weigh_down(&mut mass, &maker, &rows);
        Push { impulse, mass }
    }
}
