//! Equations that are relaxed in artificial time: reinitialisation (Carlson 2004, eq. 89 and 90, after Peng et al. 1999) and
//! extension of values along the normal (his eq. 92).

use glam::Vec3;
use rayon::prelude::*;

use super::advection::{for_each_stencil, mixed};
use super::derivative::{Derivative, godunov};
use super::geometry::gradient;
use crate::{Field, FieldByAxis};

/// Artificial time step, in cells (Carlson 2004, sec. 6.2.2).
const TIME_STEP: f32 = 0.5;

/// How long reinitialisation relaxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxation {
    /// Mean change over the artificial time step below which the level set counts as a distance (ε of Carlson 2004, eq. 90).
    pub tolerance: f32,
    /// Steps at most.
    pub most_steps: u32,
    /// The derivatives.
    pub derivative: Derivative,
}

impl Relaxation {
    /// As Carlson 2004, sec. 6.2.2, has it.
    pub const USUAL: Self = Self {
        tolerance: 0.1,
        most_steps: 20,
        derivative: Derivative::Weno5,
    };
}

impl Default for Relaxation {
    fn default() -> Self {
        Self::USUAL
    }
}

/// Makes a level set a signed distance again within `band` metres of its surface by relaxing φ_t + S(φ₀)(|∇φ| - 1) = 0 with
/// Godunov's upwinding and third-order TVD Runge-Kutta, until the mean change falls below the tolerance (eq. 90); beyond,
/// values are limited to ±`band`. Returns the number of steps.
///
/// The surface may move by a share of a cell: upwind differences reach across it. No sample changes sign (Peng et al. 1999).
pub fn relax_to_distance(phi: &mut Field<f32>, band: f32, settings: Relaxation) -> u32 {
    let cell_size = phi.topology().lattice().cell_size;
    phi.limit_outside(band);
    limit(phi, band);
    for taken in 1..=settings.most_steps {
        let step = |phi: &Field<f32>| relaxed(phi, cell_size, settings.derivative);
        let first = step(phi);
        let half = mixed(phi, &step(&first), 0.25);
        let mut next = mixed(phi, &step(&half), 2.0 / 3.0);
        keep_signs(phi, &mut next);
        let change = mean_change(phi, &next) / f64::from(cell_size);
        *phi = next;
        limit(phi, band);
        if change < f64::from(settings.tolerance * TIME_STEP) {
            return taken;
        }
    }
    settings.most_steps
}

/// One artificial time step of forward Euler.
fn relaxed(phi: &Field<f32>, cell_size: f32, derivative: Derivative) -> Field<f32> {
    let axes = phi.topology().lattice().axes();
    let mut next = phi.clone();
    for_each_stencil(phi, &mut next, |_, _, stencils, value| {
        let here = *value;
        let mut steepness = 0.0;
        for stencil in stencils.iter().take(axes) {
            steepness += godunov(derivative.both(stencil), here >= 0.0);
        }
        // Values are metres and derivatives metres per cell: the slope of a distance is the cell size.
        let slope = steepness.sqrt();
        let sign = here / (here * here + steepness).sqrt().max(f32::MIN_POSITIVE);
        *value -= TIME_STEP * sign * (slope - cell_size);
    });
    next
}

/// Samples that would change sides stay next to the surface on their own.
fn keep_signs(before: &Field<f32>, after: &mut Field<f32>) {
    after.par_tiles_mut().for_each(|(slot, tile)| {
        for (value, &before) in tile.iter_mut().zip(before.tile(slot)) {
            if (*value < 0.0) != (before < 0.0) {
                *value = before;
            }
        }
    });
}

/// Mean absolute change of the samples in the band (the left side of eq. 90).
fn mean_change(before: &Field<f32>, after: &Field<f32>) -> f64 {
    let far = before.outside().abs();
    let tiles: Vec<(f64, u64)> = (0..before.topology().tile_count())
        .into_par_iter()
        .map(|slot| {
            let pairs = before.tile(slot).iter().zip(after.tile(slot));
            let near = pairs.filter(|(before, _)| before.abs() < far);
            near.fold((0.0, 0), |(sum, count), (before, after)| {
                (sum + f64::from((after - before).abs()), count + 1)
            })
        })
        .collect();
    let (sum, count) = tiles
        .iter()
        .fold((0.0, 0), |total, tile| (total.0 + tile.0, total.1 + tile.1));
    if count == 0 { 0.0 } else { sum / count as f64 }
}

fn limit(phi: &mut Field<f32>, band: f32) {
    phi.par_tiles_mut().for_each(|(_, tile)| {
        for value in tile {
            *value = value.clamp(-band, band);
        }
    });
}

/// Carries the components of a staggered velocity out from the faces that are `known` along the normal of a level set, by
/// relaxing u_t + n·∇u = 0 with first-order upwinding until it has reached `width` cells (Carlson 2004, eq. 92). Faces that
/// were reached become known.
///
/// Values spread across the faces next to known ones only, so that nothing flows in from where nothing is known.
pub fn extend_faces(
    velocity: &mut FieldByAxis<f32>,
    known: &mut FieldByAxis<u8>,
    phi: &Field<f32>,
    width: f32,
) {
    for (values, known) in velocity.iter_mut().zip(known) {
        extend(values, known, phi, width);
    }
}

fn extend(values: &mut Field<f32>, known: &mut Field<u8>, phi: &Field<f32>, width: f32) {
    let topology = values.topology().clone();
    let axes = topology.lattice().axes();
    let fixed = known.clone();
    let cell_size = topology.lattice().cell_size;
    let near = |point: Vec3| phi.sample(point) < width * cell_size;
    let normals = Field::from_cells(&topology, values.place(), Vec3::ZERO, |cell| {
        let point = values.position(cell);
        if fixed.get(cell) == 0 && near(point) {
            gradient(phi, point).normalize_or_zero()
        } else {
            Vec3::ZERO
        }
    });
    // Where nothing is known yet, a first guess from a known neighbour; without it upwinding would mix in whatever is there.
    for _ in 0..(width / TIME_STEP).ceil() as u32 {
        let (before, reached) = (values.clone(), known.clone());
        values
            .par_tiles_mut()
            .zip(known.par_tiles_mut())
            .for_each(|((slot, tile), (_, known))| {
                for (local, value) in tile.iter_mut().enumerate() {
                    let normal = normals.tile(slot)[local];
                    if normal == Vec3::ZERO {
                        continue;
                    }
                    let cell = topology.cell(slot, local);
                    let (mut change, mut weight, mut guess) = (0.0, 0.0, 0.0);
                    for axis in 0..axes {
                        let step = glam::IVec3::AXES[axis] * normal[axis].signum() as i32;
                        let behind = cell - step;
                        if reached.get(behind) != 0 {
                            let share = normal[axis].abs();
                            change += share * (before.get(behind) - *value);
                            guess += share * before.get(behind);
                            weight += share;
                        }
                    }
                    if weight == 0.0 {
                        continue;
                    }
                    if known[local] == 0 {
                        *value = guess / weight;
                        known[local] = 1;
                    } else {
                        *value += TIME_STEP * change;
                    }
                }
            });
    }
}
