//! One step of heat: what cells pass to one another and to the outside.
//!
//! Where little passes in a step, one axis is solved after another along lines of cells (locally one-dimensional, Carlson 2004,
//! eqs. 51-55): cheap, and as accurate as a step that short needs. Where a cell passes a large part of what it holds, or more, all
//! cells are solved at once; enthalpy that is not linear in temperature is met by iteration (after Voller & Swaminathan 1991):
//! each round is linear in temperature with the slopes of the last, and goes on in enthalpy, which steps over no latent heat.
//!
//! Either way heat changes by flows that one cell gets and another gives: whatever the solves miss, none is lost.

use ooze_commons::reduce;
use ooze_core::{BodyHeat, HeatFlow, SolveSummary, StepError, StepReport};
use ooze_linalg::{
    Jacobi, Operator, SolveError, SolveSettings, SolveWorkspace, conjugate_gradients,
    solve_tridiagonal,
};
use rayon::prelude::*;

use super::bodies::WarmBodies;
use super::content::{HeatCells, NO_ROW};
use super::network::Network;
use super::outside::{BODIES, Ways};
use crate::solve::failed;

/// Share of its heat capacity that a cell may pass on in a step for lines to be accurate.
const SHORT: f64 = 0.25;
/// Rounds after which enthalpies are good enough or never will be.
const ROUNDS: usize = 60;
/// What is left of the first round's error in the end.
const TOLERANCE: f64 = 1e-8;
/// The same above which it is told.
const WORTH_TELLING: f64 = 1e-4;
/// What each round's linear solve leaves of its error. With more, bodies that exchange all of their heat in a step end up to some
/// thousandths of a kelvin beyond what is around them.
const LINEAR_TOLERANCE: f64 = 1e-5;

/// The cells, and all ways that heat takes between them and to the outside.
pub(crate) struct Conduction<'a> {
    pub(crate) cells: &'a HeatCells<'a>,
    pub(crate) network: &'a Network,
    /// The last of what bodies give is found here.
    pub(crate) ways: Ways,
    /// Those whose temperature changes by what passes.
    pub(crate) bodies: &'a WarmBodies,
    pub(crate) dt: f64,
}

/// Heat after a step.
pub(crate) struct Conducted {
    /// Enthalpies of the cells in J.
    pub(crate) heat: Vec<f64>,
    pub(crate) flow: HeatFlow,
    pub(crate) bodies: Vec<BodyHeat>,
    /// What cells exchanged with the outside.
    pub(crate) ways: Ways,
}

impl Conduction<'_> {
    /// Lets heat pass for a step, from these temperatures on.
    pub(crate) fn pass(
        mut self,
        temperature: &[f64],
        report: &mut StepReport,
    ) -> Result<Conducted, StepError> {
        self.meet_bodies(temperature);
        if self.largest_share() <= SHORT {
            Ok(self.along_lines(temperature.to_vec()))
        } else {
            self.at_once(temperature.to_vec(), report)
        }
    }

    /// Sets what bodies give if cells end the step with such temperatures. Returns those of the bodies.
    fn meet_bodies(&mut self, temperature: &[f64]) -> Vec<f64> {
        let bodies = self.bodies.after(temperature, self.dt);
        self.ways[BODIES] = self.bodies.exchange(&bodies);
        bodies
    }

    /// The largest part of its heat capacity that a cell passes on in a step, or a body does.
    fn largest_share(&self) -> f64 {
        let share = |row: usize| {
            let passed = self.network.total(row) + self.conductance(row);
            self.dt * passed / self.cells.mixture(row).least_slope()
        };
        let shares = (0..self.cells.len()).into_par_iter().map(share);
        let of_cells = shares.reduce(|| 0.0, f64::max);
        of_cells.max(self.bodies.largest_share(self.dt))
    }

    /// Conductance to the outside in W/K.
    fn conductance(&self, row: usize) -> f64 {
        let ways = self.ways.iter().flatten();
        ways.map(|way| way.conductance[row]).sum()
    }

    /// What comes from the outside at a temperature, in W.
    fn brought_from_outside(&self, row: usize, temperature: f64) -> f64 {
        let ways = self.ways.iter().flatten();
        ways.map(|way| way.power[row] - way.conductance[row] * temperature)
            .sum()
    }

    /// What comes from the outside in the step, by its ways, in J.
    fn flow(&self, temperature: &[f64]) -> HeatFlow {
        let rows: Vec<usize> = (0..temperature.len()).collect();
        let [walls, bodies, air, heaters] = self.ways.each_ref().map(|way| {
            way.as_ref().map_or(0.0, |way| {
                let flow = |row: usize| way.power[row] - way.conductance[row] * temperature[row];
                self.dt * reduce::sum(&rows, |&row| flow(row))
            })
        });
        HeatFlow {
            walls,
            bodies,
            air,
            heaters,
            carried: 0.0,
        }
    }

    /// First the outside, then one axis after another. Bodies have the temperatures to which the cells of before would bring them.
    fn along_lines(mut self, mut temperature: Vec<f64>) -> Conducted {
        let bodies = self.meet_bodies(&temperature);
        let mut heat: Vec<f64> = self.cells.filled.iter().map(|cell| cell.heat).collect();
        temperature
            .par_iter_mut()
            .enumerate()
            .for_each(|(row, own)| {
                let slope = self.cells.mixture(row).slope(*own);
                *own += self.dt * self.brought_from_outside(row, *own)
                    / (slope + self.dt * self.conductance(row));
            });
        let flow = self.flow(&temperature);
        let gains = self.bodies.gains(&bodies, &temperature, self.dt);
        let update = |heat: &mut [f64],
                      temperature: &mut [f64],
                      change: &(dyn Fn(usize, &[f64]) -> f64 + Sync)| {
            let changes: Vec<f64> = (0..heat.len())
                .into_par_iter()
                .map(|row| self.dt * change(row, temperature))
                .collect();
            let rows = heat
                .par_iter_mut()
                .zip(temperature.par_iter_mut())
                .enumerate();
            rows.for_each(|(row, (heat, temperature))| {
                *heat += changes[row];
                *temperature = self.cells.mixture(row).temperature(*heat);
            });
        };
        update(&mut heat, &mut temperature, &|row, temperature| {
            self.brought_from_outside(row, temperature[row])
        });
        for axis in 0..self.network.axes {
            self.solve_lines(axis, &mut temperature);
            update(&mut heat, &mut temperature, &|row, temperature| {
                let links = self.network.links[row][axis].iter();
                let between = links.filter(|link| link.row != NO_ROW);
                between
                    .map(|link| {
                        link.conductance * (temperature[link.row as usize] - temperature[row])
                    })
                    .sum()
            });
        }
        Conducted {
            heat,
            flow,
            bodies: gains,
            ways: self.ways,
        }
    }

    /// Solves (C − dt ∂ₓ k ∂ₓ) T = C T₀ along one axis (eqs. 53-55).
    fn solve_lines(&self, axis: usize, temperature: &mut [f64]) {
        let links = &self.network.links;
        let begins = |row: &u32| {
            let [below, above] = links[*row as usize][axis];
            below.row == NO_ROW && above.row != NO_ROW
        };
        let starts: Vec<u32> = (0..links.len() as u32)
            .into_par_iter()
            .filter(begins)
            .collect();
        let known: &[f64] = temperature;
        let solved: Vec<(Vec<u32>, Vec<f64>)> = starts
            .into_par_iter()
            .map(|start| {
                let next = |&row: &u32| {
                    Some(links[row as usize][axis][1].row).filter(|&row| row != NO_ROW)
                };
                let rows: Vec<u32> = std::iter::successors(Some(start), next).collect();
                let coupling = |&row: &u32| self.dt * links[row as usize][axis][1].conductance;
                let couplings: Vec<f64> = rows[..rows.len() - 1].iter().map(coupling).collect();
                let capacity = |&row: &u32| {
                    let row = row as usize;
                    self.cells.mixture(row).slope(known[row])
                };
                let mut diagonal: Vec<f64> = rows.iter().map(capacity).collect();
                let mut values: Vec<f64> = rows
                    .iter()
                    .zip(&diagonal)
                    .map(|(&row, capacity)| capacity * known[row as usize])
                    .collect();
                for (place, coupling) in couplings.iter().enumerate() {
                    diagonal[place] += coupling;
                    diagonal[place + 1] += coupling;
                }
                solve_tridiagonal(&mut diagonal, &couplings, &mut values);
                (rows, values)
            })
            .collect();
        for (rows, values) in solved {
            for (row, value) in rows.into_iter().zip(values) {
                temperature[row as usize] = value;
            }
        }
    }

    /// All cells at once: E(T) + dt (L + G) T = E₀ + dt Q, with what bodies give as it follows from T.
    fn at_once(
        mut self,
        mut temperature: Vec<f64>,
        report: &mut StepReport,
    ) -> Result<Conducted, StepError> {
        let count = self.cells.len();
        let before: Vec<f64> = self.cells.filled.iter().map(|cell| cell.heat).collect();
        let mut heat = before.clone();
        let mut workspace = SolveWorkspace::default();
        let mut first = None;
        let (mut left, mut residual) = (0.0, Vec::new());
        let mut solves = SolveSummary::default();
        let mut bodies = Vec::new();
        for round in 0..=ROUNDS {
            bodies = self.meet_bodies(&temperature);
            residual = (0..count)
                .into_par_iter()
                .map(|row| {
                    let inflow = self.network.inflow(row, &temperature);
                    let arrived =
                        self.dt * (inflow + self.brought_from_outside(row, temperature[row]));
                    before[row] + arrived - heat[row]
                })
                .collect::<Vec<f64>>();
            let size = reduce::dot(&residual, &residual).sqrt();
            let first = *first.get_or_insert(size);
            left = if first > 0.0 { size / first } else { 0.0 };
            // What is booked belongs to the last temperatures, whether they are good enough or not.
            if left <= TOLERANCE || round == ROUNDS {
                break;
            }
            let operator = HeatOperator::new(&self, &temperature);
            let mut change = vec![0.0; count];
            let iterations = operator.solve(&residual, &mut change, &mut workspace)?;
            solves.absorb(&SolveSummary::single(iterations, 0.0, true));
            let rows = heat
                .par_iter_mut()
                .zip(temperature.par_iter_mut())
                .enumerate();
            rows.for_each(|(row, (heat, temperature))| {
                *heat += operator.slopes[row] * change[row];
                *temperature = self.cells.mixture(row).temperature(*heat);
            });
        }
        let converged = left <= WORTH_TELLING;
        if !converged {
            report.events.push(format!(
                "heat stopped after {ROUNDS} rounds with {left:.1e} of the first error left; none is lost, but some is late"
            ));
        }
        solves.residual_max = left;
        solves.failures = u32::from(!converged);
        report.solve("heat", solves);
        let flow = self.flow(&temperature);
        let gains = self.bodies.gains(&bodies, &temperature, self.dt);
        for (heat, residual) in heat.iter_mut().zip(residual) {
            *heat += residual;
        }
        Ok(Conducted {
            heat,
            flow,
            bodies: gains,
            ways: self.ways,
        })
    }
}

/// C + dt (L + G), with the slopes C of one round, less what bodies' own temperatures follow.
struct HeatOperator<'a> {
    conduction: &'a Conduction<'a>,
    slopes: Vec<f64>,
    diagonal: Vec<f64>,
}

impl<'a> HeatOperator<'a> {
    fn new(conduction: &'a Conduction<'a>, temperature: &[f64]) -> Self {
        let slopes: Vec<f64> = temperature
            .par_iter()
            .enumerate()
            .map(|(row, &temperature)| conduction.cells.mixture(row).slope(temperature))
            .collect();
        let passed = |row: usize| conduction.network.total(row) + conduction.conductance(row);
        let mut diagonal: Vec<f64> = slopes
            .par_iter()
            .enumerate()
            .map(|(row, slope)| slope + conduction.dt * passed(row))
            .collect();
        conduction.bodies.relieve(&mut diagonal, conduction.dt);
        Self {
            conduction,
            slopes,
            diagonal,
        }
    }

    /// Returns the iterations that it took.
    fn solve(
        &self,
        right_hand_side: &[f64],
        solution: &mut [f64],
        workspace: &mut SolveWorkspace,
    ) -> Result<u32, StepError> {
        let settings = SolveSettings {
            relative_tolerance: LINEAR_TOLERANCE,
            max_iterations: 2000,
        };
        let mut preconditioner = Jacobi::of_diagonal(&self.diagonal);
        let solved = conjugate_gradients(
            self,
            &mut preconditioner,
            right_hand_side,
            solution,
            &settings,
            workspace,
        );
        match solved {
            Ok(solve) => Ok(solve.iterations as u32),
            Err(SolveError::NotConverged { iterations, .. }) => Ok(iterations as u32),
            Err(error) => Err(failed("heat", error)),
        }
    }
}

impl Operator for HeatOperator<'_> {
    fn size(&self) -> usize {
        self.diagonal.len()
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    fn multiply(&self, x: &[f64], y: &mut [f64]) {
        let dt = self.conduction.dt;
        y.par_iter_mut().enumerate().for_each(|(row, y)| {
            let links = self.conduction.network.links[row].iter().flatten();
            let coupled = links.filter(|link| link.row != NO_ROW);
            let others: f64 = coupled
                .map(|link| link.conductance * x[link.row as usize])
                .sum();
            *y = self.diagonal[row] * x[row] - dt * others;
        });
        self.conduction.bodies.couple(x, y, dt);
    }
}
