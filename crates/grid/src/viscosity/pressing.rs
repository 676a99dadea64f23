//! The pressure inside the viscous solve.
//!
//! Where pressure and viscosity are solved one after the other, the viscous solve may change volumes: a thread under
//! tension resists with 2μ instead of Trouton's 3μ. A bulk viscosity ζ(∇·u)² hinders that, but in part only, unless it is so
//! large that the system is hard to solve. Therefore the solve starts from a pressure p that it left behind in the step
//! before, and ζ∇·u corrects it:
//!
//! ```text
//! (M + dt GᵀWG + dt ζ DᵀVD) u = M u_old + dt DᵀV p,    p ← p − ζ D u
//! ```
//!
//! This is the method of multipliers (Hestenes 1969; for Stokes flow Fortin & Glowinski 1983, ch. 2), one iteration a
//! step. Pressure need not vanish at the surface here, as it does in the projections: a free surface bears no traction,
//! p = 2μ ∂uₙ/∂n, and that is what a split solve misses. In slow flow an error of p shrinks to 2μ/(2μ + 3ζ) in a step under
//! tension, a quarter for ζ = 2μ. The sum of kinetic energy and dt p²/2ζ over the volume never grows, at any step.
//!
//! Nor does kinetic energy alone: where the pressure would give back more than viscosity takes, a share θ of it acts. The
//! solution is linear in θ, and without pressure energy is lost, so that one more solve tells the largest θ that raises none
//! ([`allowed_share`]). Where walls move, energy may grow by the work that they do.
//!
//! Three things keep it calm where the liquid is in motion. What is carried is p/ζ, a rate, so that thick liquid does not
//! push thin liquid beside it. Cells count with their volume when it is read between them, as they do in that energy: what
//! a cell at the surface has that is nearly empty is not handed to its neighbours. And a little is forgotten in each step,
//! which amounts to a bulk viscosity of ζ/(1 − κ) where flow is slow.

use glam::Vec3;
use ooze_core::{StepError, StepReport};
use ooze_field::{Field, Place};
use rayon::prelude::*;

use super::CellViscosity;
use super::rows::{RowMaker, SampleKind, StrainRows};
use super::solver::ViscousSolver;
use super::system::ViscousSystem;

/// Share κ of the pressure that is kept from step to step.
const KEPT: f32 = 0.97;

/// A pressure that one viscous solve leaves to the next.
#[derive(Clone, Debug)]
pub(crate) struct CarriedPressure {
    /// Pressure over bulk viscosity at cell centres, in 1/s.
    pub(super) cells: Field<f32>,
    /// The pressure after a solve, in pascals.
    pub(crate) pascals: Field<f32>,
    /// Share of each cell that the pressure holds for, in arbitrary units; none before the first solve.
    volume: Field<f32>,
}

impl CarriedPressure {
    /// What particles brought: pressure over bulk viscosity, in 1/s.
    pub(crate) fn new(cells: Field<f32>) -> Self {
        let blank = Field::new(cells.topology(), Place::Cell, 0.0);
        Self {
            cells,
            pascals: blank.clone(),
            volume: blank,
        }
    }

    /// The outflow of a cell in m/s whose resistance is the pressure that has acted in the solve which was last, by the cell's place
    /// in storage.
    pub(super) fn outflow_resisted(&self, cell: usize) -> f64 {
        f64::from(self.cells.values()[cell] / KEPT * cell_size(&self.cells))
    }

    /// Every cell's value times its share, and the shares: their quotient is the value between the cells.
    pub(crate) fn weighted(mut self) -> WeightedPressure {
        let shares = self.cells.values_mut().iter_mut().zip(self.volume.values());
        for (rate, share) in shares {
            *rate *= share;
        }
        WeightedPressure {
            product: self.cells,
            share: self.volume,
        }
    }
}

/// A carried pressure to be read at any point.
pub(crate) struct WeightedPressure {
    product: Field<f32>,
    share: Field<f32>,
}

impl WeightedPressure {
    /// Pressure over bulk viscosity at a point, in 1/s; zero where no cell around it resisted growth.
    pub(crate) fn sample(&self, point: Vec3) -> f32 {
        let share = self.share.sample(point);
        if share > 0.0 {
            self.product.sample(point) / share
        } else {
            0.0
        }
    }
}

/// A cell whose growth the solve resists.
pub(super) struct Growth {
    row: u32,
    /// Place of the cell in a field's storage.
    cell: u32,
    /// What walls add to the outflow, in m/s.
    known: f32,
    /// Bulk viscosity in Pa s.
    viscosity: f32,
}

/// The rows that measure growth.
pub(super) fn growth(maker: &RowMaker<'_>, strain: &StrainRows) -> Vec<Growth> {
    let rows = strain.samples.iter().zip(&strain.known).enumerate();
    rows.filter(|(_, (sample, _))| sample.kind == SampleKind::Bulk)
        .map(|(row, (sample, &known))| {
            let viscosity = match maker.liquid.viscosity {
                CellViscosity::Uniform(viscosity) => *viscosity,
                CellViscosity::Varying { cells, .. } => cells.values()[sample.index as usize],
            };
            Growth {
                row: row as u32,
                cell: sample.index,
                known,
                viscosity: maker.bulk * viscosity,
            }
        })
        .collect()
}

impl ViscousSystem {
    /// Solves for the velocities under a pressure, which raises no energy, and corrects the pressure.
    pub(super) fn solve_under(
        &self,
        pressure: &mut CarriedPressure,
        solver: &mut ViscousSolver<'_>,
        velocity: &mut [f64],
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let unpressed = self.right_hand_side(velocity);
        let mut right_hand_side = unpressed.clone();
        self.press(pressure, &mut right_hand_side);
        let mut alone = velocity.to_vec();
        solver.solve(&right_hand_side, velocity, report)?;
        let allowed = self.product(&alone, &alone) + self.wall_work(velocity).max(0.0);
        if self.product(velocity, velocity) > allowed {
            solver.solve(&unpressed, &mut alone, report)?;
            let push: Vec<f64> = velocity.iter().zip(&alone).map(|(a, b)| a - b).collect();
            let energy = [
                self.product(&alone, &alone),
                self.product(&alone, &push),
                self.product(&push, &push),
            ];
            let share = allowed_share(energy, allowed);
            for ((velocity, alone), push) in velocity.iter_mut().zip(alone).zip(push) {
                *velocity = alone + share * push;
            }
            for rate in pressure.cells.values_mut() {
                *rate *= share as f32;
            }
        }
        self.correct(velocity, pressure);
        Ok(())
    }

    /// Adds the push of a pressure to a right-hand side.
    fn press(&self, pressure: &CarriedPressure, right_hand_side: &mut [f64]) {
        let (rates, cell_size) = (pressure.cells.values(), cell_size(&pressure.cells));
        for growth in &self.growth {
            let (columns, coefficients) = self.rows.row(growth.row as usize);
            // The outflow whose resistance is this pressure.
            let outflow = f64::from(rates[growth.cell as usize] * cell_size);
            let push = f64::from(self.rows.weights()[growth.row as usize]) * outflow;
            for (&column, &coefficient) in columns.iter().zip(coefficients) {
                right_hand_side[column as usize] += f64::from(coefficient) * push;
            }
        }
    }

    /// Corrects a pressure by the growth that is left.
    fn correct(&self, velocity: &[f64], pressure: &mut CarriedPressure) {
        let outflows: Vec<f32> = self
            .growth
            .par_iter()
            .with_min_len(1024)
            .map(|growth| {
                let outflow = self.strain_rate(growth.row as usize, velocity);
                outflow as f32 + growth.known
            })
            .collect();
        let cell_size = cell_size(&pressure.cells);
        let CarriedPressure {
            cells,
            pascals,
            volume,
        } = pressure;
        let (rates, volumes) = (cells.values_mut(), volume.values_mut());
        let pascals = pascals.values_mut();
        for (growth, outflow) in self.growth.iter().zip(outflows) {
            let cell = growth.cell as usize;
            rates[cell] = KEPT * (rates[cell] - outflow / cell_size);
            pascals[cell] = growth.viscosity * rates[cell];
            let weight = self.rows.weights()[growth.row as usize];
            volumes[cell] = weight / growth.viscosity;
        }
    }
}

/// The largest θ from 0 to 1 for which a + 2bθ + cθ² is no more than what is allowed, or than a if that is more.
fn allowed_share([a, b, c]: [f64; 3], allowed: f64) -> f64 {
    let room = (allowed - a).max(0.0);
    // c θ² + 2 b θ = room: written so that nothing cancels, whatever the sign of b.
    let root = (b * b + c * room).sqrt();
    let share = if b > 0.0 {
        room / (b + root)
    } else {
        (root - b) / c
    };
    if share.is_finite() {
        share.min(1.0)
    } else {
        1.0
    }
}

fn cell_size(cells: &Field<f32>) -> f32 {
    cells.topology().lattice().cell_size
}
