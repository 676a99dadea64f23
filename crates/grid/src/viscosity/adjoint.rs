//! The force of a stress that is there already: elastic stress, for one.
//!
//! A stress does work at the rate Σ V σ:ε̇ over the samples of the strain rate, so that the force on the faces is the
//! adjoint of the strain operator, −Gᵀ V σ, with the rows and the weights of the viscous solve. No row feels a rigid
//! motion; hence, away from walls, these forces add up to nothing and turn nothing. Walls take part as they do in
//! viscosity: liquid that sticks to one is held by its stress, liquid that slips feels none along it.
//!
//! Whoever carries the strain must let it grow at these very rates, G u with the weights V: strain that grows where the force
//! has no row, or does not where it has one, stores more or less than the force does work, and liquid at rest begins to shake.

use std::sync::Arc;

use glam::IVec3;
use ooze_commons::reduce;
use ooze_field::{FieldByAxis, Topology};
use ooze_linalg::UnknownPlace;
use rayon::prelude::*;

use super::ends::BodyEnds;
use super::faces::Faces;
use super::lightening::{Lightened, lighten};
use super::rows::{Air, Form, RowMaker, Sample, SampleKind, StrainRows};
use super::schemes::LEAST_THETA;
use super::system::masses;
use super::weights::Weights;
use super::{Discretisation, ViscousLiquid};
use crate::elasticity::Strain;
use crate::stages::{continue_change, continue_for_solve};

/// Tiles whose rows one task handles.
const CHUNK_TILES: usize = 4;

/// The sum over rows of `part(row, coefficient)` for each unknown. Rows and unknowns are both in the order of tiles: what a
/// chunk of tiles adds to its own unknowns is added at once, what it adds to others after that, in order.
pub(super) fn gathered(
    faces: &Faces,
    strain: &StrainRows,
    part: impl Fn(usize, f32) -> f64 + Sync,
) -> Vec<f64> {
    let topology = faces.row[0].topology();
    let chunks = topology.tile_count().div_ceil(CHUNK_TILES);
    let chunk_of_unknown = |place: &UnknownPlace| {
        let slot = topology.slot_of(IVec3::from_array(place.cell));
        slot as usize / CHUNK_TILES
    };
    let chunk_of_row = |sample: &Sample| {
        let slot = sample.index as usize / topology.tile_cells();
        slot / CHUNK_TILES
    };
    let mut sums = vec![0.0; faces.places.len()];
    let mut parts = Vec::with_capacity(chunks);
    let (mut rest, mut first, mut row) = (sums.as_mut_slice(), 0, 0);
    for chunk in 0..chunks {
        let unknowns =
            faces.places[first..].partition_point(|place| chunk_of_unknown(place) <= chunk);
        let rows = strain.samples[row..].partition_point(|sample| chunk_of_row(sample) <= chunk);
        let (own, later) = rest.split_at_mut(unknowns);
        parts.push((first, own, row..row + rows));
        (rest, first, row) = (later, first + unknowns, row + rows);
    }
    let beyond: Vec<Vec<(u32, f64)>> = parts
        .into_par_iter()
        .map(|(first, own, rows)| {
            let mut beyond = Vec::new();
            for row in rows {
                let (columns, coefficients) = strain.rows.row(row);
                for (&column, &coefficient) in columns.iter().zip(coefficients) {
                    let value = part(row, coefficient);
                    match own.get_mut((column as usize).wrapping_sub(first)) {
                        Some(sum) => *sum += value,
                        None => beyond.push((column, value)),
                    }
                }
            }
            beyond
        })
        .collect();
    for (column, value) in beyond.into_iter().flatten() {
        sums[column as usize] += value;
    }
    sums
}

/// What pushes the faces.
pub(super) struct Push {
    /// Relative density times share of liquid times change of velocity in m/s.
    pub(super) impulse: Vec<f64>,
    /// Relative density times share of liquid.
    pub(super) mass: Vec<f64>,
}

/// The strain rates that stress works on, with weights relative to the largest modulus: the same rows make the force of a
/// stress and the rates at which it is strained, so that the force does just the work that the strain stores.
pub(crate) struct StressRows {
    pub(super) strain: StrainRows,
    /// Which of them count for less than the liquid around them (see `lightening`).
    pub(super) lightened: Vec<Lightened>,
    /// Where they end at bodies that move along with the liquid (see `ends`).
    pub(super) ends: BodyEnds,
}

/// What a row counts for: its component of a [`Strain`], the share of its weight that is a volume, since weights are those of
/// viscosity, which has 2 ∂u/∂x on the diagonal, and the strain rate for a unit of velocity per cell.
fn meaning(kind: SampleKind) -> (usize, f64, f64) {
    match kind {
        SampleKind::Stretching(axis) => (usize::from(axis), 0.5, 1.0),
        SampleKind::Shear(axis) => (3 + usize::from(axis), 1.0, 0.5),
    }
}

impl ViscousLiquid<'_> {
    pub(super) fn stress_maker<'a>(
        &'a self,
        weights: &'a Weights,
        faces: &'a Faces,
    ) -> RowMaker<'a> {
        RowMaker {
            liquid: self,
            weights,
            faces,
            form: Form::Strain,
            air: Air::Unknown,
            least_theta: LEAST_THETA,
            least_share: 0.0,
        }
    }

    /// The rows of a liquid whose viscosity is an elastic modulus in Pa.
    pub(crate) fn stress_rows(&self, discretisation: &Discretisation) -> StressRows {
        let maker = self.stress_maker(&discretisation.weights, &discretisation.faces);
        let mut strain = maker.rows(1.0 / f64::from(self.viscosity.largest()));
        let lightened = lighten(&maker, &mut strain);
        StressRows {
            strain,
            lightened,
            ends: BodyEnds::default(),
        }
    }

    /// Lets the stress `viscosity · strain` push the velocities for `dt` seconds: here the viscosity is an elastic modulus
    /// in Pa.
    pub(crate) fn push(
        &self,
        discretisation: &Discretisation,
        rows: &StressRows,
        strain: &Strain,
        velocity: &mut FieldByAxis<f32>,
        known: &mut FieldByAxis<u8>,
        dt: f64,
    ) {
        continue_for_solve(velocity, known);
        let faces = &discretisation.faces;
        let Push { impulse, mass } = self.impulses(discretisation, rows, strain, dt);
        let mut moved = faces.velocities(velocity);
        moved
            .par_iter_mut()
            .zip(impulse.par_iter().zip(&mass))
            .for_each(|(velocity, (impulse, mass))| *velocity += impulse / mass);
        let before = velocity.clone();
        let walls = &self.coupling.boundary.wall_velocity;
        faces.write(&moved, walls, velocity);
        let found = faces.known_in(self.coupling.liquid);
        continue_change(&before, velocity, known, found, true);
    }

    /// The force of the stress for `dt` seconds.
    pub(super) fn impulses(
        &self,
        discretisation: &Discretisation,
        rows: &StressRows,
        strain: &Strain,
        dt: f64,
    ) -> Push {
        let Discretisation { weights, faces } = discretisation;
        let stress = self.row_stresses(rows, strain, dt);
        let rows = &rows.strain;
        let impulse = gathered(faces, rows, |row, coefficient| {
            -f64::from(coefficient) * stress(row)
        });
        let mass = masses(self, faces, weights, 0.0);
        Push { impulse, mass }
    }

    /// The stress in each row times `dt` seconds, as [`Push::impulse`] counts it.
    pub(super) fn row_stresses<'b>(
        &self,
        rows: &'b StressRows,
        strain: &'b Strain,
        dt: f64,
    ) -> impl Fn(usize) -> f64 + Sync + use<'b> {
        let rows = &rows.strain;
        let largest = f64::from(self.viscosity.largest());
        let cell_size = f64::from(self.coupling.liquid.topology().lattice().cell_size);
        let strength = dt * largest / (f64::from(self.coupling.reference_density) * cell_size);
        move |row| {
            let sample = rows.samples[row];
            let (component, share, _) = meaning(sample.kind);
            let strain = strain.component(component).values()[sample.index as usize];
            let weight = f64::from(rows.rows.weights()[row]);
            share * strength * weight * f64::from(strain)
        }
    }

    /// The rates in 1/s at which the velocities strain the liquid where stress resists, each times its row's share of a cell's
    /// volume and its modulus over the largest; zero where there is no row.
    pub(crate) fn strain_rates(
        &self,
        discretisation: &Discretisation,
        rows: &StressRows,
        velocity: &FieldByAxis<f32>,
    ) -> Strain {
        self.rates_times(discretisation, rows, velocity, |share| share)
    }

    /// The same rates by themselves.
    pub(crate) fn plain_strain_rates(
        &self,
        discretisation: &Discretisation,
        rows: &StressRows,
        velocity: &FieldByAxis<f32>,
    ) -> Strain {
        self.rates_times(discretisation, rows, velocity, |_| 1.0)
    }

    /// The rates, each times a function of its row's share.
    fn rates_times(
        &self,
        discretisation: &Discretisation,
        rows: &StressRows,
        velocity: &FieldByAxis<f32>,
        weigh: impl Fn(f64) -> f64 + Sync,
    ) -> Strain {
        let strain = &rows.strain;
        let topology = self.coupling.liquid.topology();
        let per_metre = 1.0 / f64::from(topology.lattice().cell_size);
        let moving = discretisation.faces.velocities(velocity);
        rows.on_samples(topology, |row, share, rate| {
            let (columns, coefficients) = strain.rows.row(row);
            let entries = columns.iter().zip(coefficients);
            let known = f64::from(strain.known[row]);
            let difference = entries.fold(known, |sum, (&column, &coefficient)| {
                sum + f64::from(coefficient) * moving[column as usize]
            });
            weigh(share) * rate * per_metre * difference
        })
    }

    /// The shares of a cell's volume, times modulus over the largest, with which rows count; zero where there is none.
    pub(crate) fn stress_shares(&self, rows: &StressRows) -> Strain {
        rows.on_samples(self.coupling.liquid.topology(), |_, share, _| share)
    }

    /// What strain stores in J/m³ times the volume of a cell, summed over the rows: just what their force can do work with.
    pub(crate) fn stored(&self, rows: &StressRows, strain: &Strain) -> f64 {
        let rows = &rows.strain;
        let sum = reduce::sum_indices(rows.samples.len(), |row| {
            let sample = rows.samples[row];
            let (component, share, rate) = meaning(sample.kind);
            let value = f64::from(strain.component(component).values()[sample.index as usize]);
            // Shear counts twice, as both of the entries off the diagonal.
            share * f64::from(rows.rows.weights()[row]) * value * value / rate
        });
        let cell_volume = self.coupling.liquid.topology().lattice().cell_volume();
        0.5 * f64::from(self.viscosity.largest()) * cell_volume * sum
    }
}

impl StressRows {
    /// The value of each row where it is sampled, from its number, its share of a cell's volume times modulus over the largest,
    /// and the strain rate for a unit of velocity per cell; zero where there is no row.
    fn on_samples(
        &self,
        topology: &Arc<Topology>,
        value: impl Fn(usize, f64, f64) -> f64 + Sync,
    ) -> Strain {
        let rows = &self.strain;
        let values: Vec<f32> = (0..rows.samples.len())
            .into_par_iter()
            .map(|row| {
                let (_, share, rate) = meaning(rows.samples[row].kind);
                let weight = share * f64::from(rows.rows.weights()[row]);
                value(row, weight, rate) as f32
            })
            .collect();
        let mut samples = Strain::zero(topology);
        for (sample, value) in rows.samples.iter().zip(values) {
            let (component, ..) = meaning(sample.kind);
            samples.component_mut(component).values_mut()[sample.index as usize] = value;
        }
        samples
    }
}
