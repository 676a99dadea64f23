//! Stress around faces with next to no liquid.
//!
//! A row of stress pulls at all of its faces alike. Where the liquid ends, and where it has just met a wall, some of them carry
//! next to nothing, and would be flung about in steps that are short enough for all others. They could be taken to be heavier
//! than their liquid is; but then the liquid would get less of a push than its strain has stored for it, and a stiff cube that
//! lands on an edge would gain a tenth of its energy. So it is the rows that count for less there: none pulls at a face much more
//! strongly, for its mass, than rows inside the liquid do. Strain grows at the rates of the rows and with their weights, so that
//! force and strain go on agreeing; that liquid is softer, no more.

use rayon::prelude::*;

use super::adjoint::gathered;
use super::rows::{RowMaker, Sample, SampleKind, StrainRows, few_digits};
use super::{Stiffening, StressRows};

/// Stiffness over mass of a face inside the liquid, in units of modulus over density and cell size squared, by axes: two
/// rows of weight 2 for stretching, and two or four of weight 1 for shear.
const INNER_STIFFNESS: [f64; 4] = [0.0, 0.0, 6.0, 8.0];
/// How much more than that a face may bear. The fastest wave inside has ω² dt² = 3 in the longest explicit step, of 4 that are
/// stable: walls on grid planes, whose rows pull a little harder, go on holding with all of their strength.
pub(crate) const ROOM: f64 = 4.0 / 3.0;

/// A place where rows count for less than the liquid there: a cell, or an edge.
pub(super) struct Lightened {
    /// Of its first row.
    sample: Sample,
    /// By which their weights were multiplied.
    factor: f32,
}

/// Makes rows whose faces carry next to nothing count for less, all of a place alike. Returns where.
pub(super) fn lighten(maker: &RowMaker<'_>, strain: &mut StrainRows) -> Vec<Lightened> {
    let burden = burdens(maker, strain);
    let factor = |row: usize| {
        let (columns, _) = strain.rows.row(row);
        let heaviest = columns.iter().map(|&column| burden[column as usize]);
        heaviest.fold(1.0, f64::max).recip()
    };
    // The rows of a place are neighbours.
    let samples = &strain.samples;
    let places: Vec<&[Sample]> = samples
        .chunk_by(|one, next| one.place() == next.place())
        .collect();
    let firsts = places.iter().scan(0, |next, rows| {
        *next += rows.len();
        Some(*next - rows.len())
    });
    let firsts: Vec<usize> = firsts.collect();
    let found: Vec<(usize, usize, f32)> = firsts
        .par_iter()
        .zip(&places)
        .filter_map(|(&first, rows)| {
            let least = (first..first + rows.len()).map(factor).fold(1.0, f64::min);
            (least < 1.0).then_some((first, rows.len(), least as f32))
        })
        .collect();
    let lightened = found.iter().map(|&(first, _, factor)| Lightened {
        sample: samples[first],
        factor,
    });
    let lightened = lightened.collect();
    let weights = strain.rows.weights_mut();
    for (first, count, factor) in found {
        for weight in &mut weights[first..first + count] {
            *weight = few_digits(*weight * factor);
        }
    }
    lightened
}

/// How strongly the rows pull at each face for its mass, over how strongly they may.
fn burdens(maker: &RowMaker<'_>, strain: &StrainRows) -> Vec<f64> {
    let weights = strain.rows.weights();
    let stiffness = gathered(maker.faces, strain, |row, coefficient| {
        f64::from(coefficient * coefficient) * f64::from(weights[row])
    });
    let stretching = strain.samples.par_iter().zip(weights);
    let stretching =
        stretching.filter(|(sample, _)| matches!(sample.kind, SampleKind::Stretching(_)));
    let largest = stretching
        .map(|(_, &weight)| 0.5 * f64::from(weight))
        .reduce(|| 0.0, f64::max);
    let axes = maker.weights.cells.topology().lattice().axes();
    let bearable = ROOM * INNER_STIFFNESS[axes] * largest.max(f64::MIN_POSITIVE);
    let shares = maker
        .faces
        .gather(|axis, cell| f64::from(maker.liquid.face_share(maker.weights, axis, cell)));
    let faces = stiffness.into_par_iter().zip(shares);
    faces
        .map(|(stiffness, share)| stiffness / (bearable * share))
        .collect()
}

impl StressRows {
    /// What an implicit step adds to viscosity, less where the rows count for less.
    pub(crate) fn lightened(&self, stiffening: &Stiffening) -> Stiffening {
        let mut less = stiffening.clone();
        for place in &self.lightened {
            let index = place.sample.index as usize;
            let field = match place.sample.kind {
                SampleKind::Shear(edge) => &mut less.edges[usize::from(edge)],
                SampleKind::Stretching(_) => &mut less.cells,
            };
            field.values_mut()[index] *= place.factor;
        }
        less
    }
}
