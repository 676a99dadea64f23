//! Pressure and viscosity as one: velocities that satisfy momentum, viscous stress and incompressibility together.
//!
//! Solved one after the other, pressure moves thick liquid along walls that viscosity had it stick to: a wall slips by 6 U ν dt/h²
//! where pressure drives the flow through a gap h. And a viscous solve that knows nothing of pressure lets a thread under
//! tension change its volume, so that it resists with 2μ instead of Trouton's 3μ. Here both are unknown at once:
//!
//! ```text
//! A u − Dᵀ P = diag(m) u* + what walls drive,      A = diag(m) + Gᵀ W G  (`system` of the viscous stage)
//!        D u = − what flows through faces that are known
//! ```
//!
//! D sums what flows out of a cell through the open shares α of its faces, as the projections do; P is p dt/(ρ_ref dx) times the
//! cell's share of liquid. Pressure lives in every cell that holds liquid, and velocity on every face of such a cell, whether it
//! has liquid of its own or not: cells that the surface cuts resist in full, and nothing is prescribed at the surface, where
//! p = 2μ ∂uₙ/∂n comes out.
//!
//! Bodies that the liquid moves along are unknowns too (`bodies`).
//!
//! The system is solved by conjugate residuals with one viscous and one pressure cycle an iteration (`cycles`; after Griffith 2009
//! and Cai et al. 2014), from velocities that a projection has balanced against the weight of the liquid, whose surface knows
//! where between cells the liquid ends, which volumes alone do not; what walls hold may begin at rest (`start`).

mod bodies;
pub(super) mod cells;
mod cycles;
mod schur;
mod start;
mod stuck;
mod system;

use ooze_core::{SolveSummary, StepError, StepReport};
use ooze_field::{Field, FieldByAxis, Place};
use ooze_linalg::{Preconditioner, ResidualReport, ViscousChoice, conjugate_residuals};

use super::ViscousLiquid;
use super::reaction::WallRows;
use super::rows::{Air, Form, RowMaker};
use super::schemes::LEAST_THETA;
use super::solver::{ATTEMPTS, PATIENCE, chosen_cycle, suggested_cycle};
use super::system::STAGE;
use super::weights::Weights;
use crate::coupling::{BodyFaces, FreeBodies, Patches};
use crate::reactions::Reactions;
use crate::solve::USELESS_RESIDUAL;
use crate::{ViscosityPreconditioner, ViscositySettings};

use cells::PressedFaces;
use cycles::Cycles;
use system::StokesSystem;

/// Share of a cell's face that counts as liquid at least, so that faces which carry next to nothing follow what is around them.
pub(super) const LEAST_SHARE: f64 = 0.01;
/// Share of a cell that liquid must fill for its pressure to count where pressures are told.
const LEAST_FILLED: f32 = 0.1;
/// Error of velocities, relative to the largest of them, that a tolerance of residuals stands for.
const ERROR: f64 = 100.0;
/// Distance in cells that an error may move liquid in a step, whatever its speed.
const LEAST_WAY: f64 = 1e-9;

/// Iterations after which one after the other is the better choice.
const MOST_ITERATIONS: u32 = 200;

/// What a solve leaves.
pub(super) struct Flow {
    /// The faces that were solved for or stick to walls.
    pub(super) solved: FieldByAxis<u8>,
    /// The pressure as a velocity: p dt/(ρ_ref dx), in m/s.
    pub(super) pressure: Field<f32>,
}

/// Lets viscosity and pressure act on the velocities for `dt` seconds; none, and nothing has changed, if the system could not be
/// solved.
pub(super) fn advance(
    liquid: &ViscousLiquid<'_>,
    velocity: &mut FieldByAxis<f32>,
    dt: f64,
    (free, body_faces): (&FreeBodies, &BodyFaces),
    (reactions, report): (&mut Reactions, &mut StepReport),
) -> Result<Option<Flow>, StepError> {
    let weights = Weights::by_volume(liquid.coupling.liquid);
    let pressed = PressedFaces::find(liquid, &weights);
    let maker = RowMaker {
        liquid,
        weights: &weights,
        faces: &pressed.faces,
        form: Form::Strain,
        air: Air::Unknown,
        least_theta: LEAST_THETA,
        least_share: LEAST_SHARE,
    };
    let patches = Patches::find(body_faces, liquid.coupling.boundary, &pressed.row);
    let system = StokesSystem::assemble(&maker, &pressed, (free, body_faces), &patches, dt)?;
    let mut solution = pressed.faces.velocities(velocity);
    solution.resize(system.size(), 0.0);
    let solver = Solver {
        system: &system,
        pressed: &pressed,
        settings: liquid.settings,
        least: LEAST_WAY * f64::from(pressed.row.topology().lattice().cell_size) / dt,
    };
    if !solution.is_empty() && !solver.solve(&mut solution, report)? {
        return Ok(None);
    }
    let (unknown, pressures, motions) = system.parts(&solution);
    let (viscous, bodies) = (&system.viscous, &system.bodies);
    let motions = bodies.motions(motions);
    let walls = WallRows::of(&maker, &viscous.rows, &viscous.samples);
    let stress = |row| viscous.stress(row, unknown, bodies.strain_rate(row, &motions));
    walls.react(stress, reactions);
    let mut scaled = pressed.spread(pressures, |_, pressure| pressure);
    patches.fill(&mut scaled);
    reactions.press_between(liquid.coupling, &scaled, |axis, index| {
        pressed.is_unknown(axis, index)
    });
    bodies.press(pressures, free, reactions);
    pressed.write(unknown, &liquid.coupling.boundary.wall_velocity, velocity);
    // Faces that stick to a body move with it, as it moves now.
    for face in body_faces
        .iter()
        .filter(|face| pressed.moves_with_wall(face.axis, face.index))
    {
        let change = motions[face.number].along(face.axis, face.arm);
        velocity[face.axis].values_mut()[face.index] += change as f32;
    }
    let filled = weights.cells.values();
    Ok(Some(Flow {
        solved: pressed.known_in(liquid.coupling.liquid, &weights),
        pressure: pressed.spread(pressures, |index, pressure| {
            pressure / filled[index].max(LEAST_FILLED)
        }),
    }))
}

/// What solves a system.
struct Solver<'a> {
    system: &'a StokesSystem,
    pressed: &'a PressedFaces,
    settings: ViscositySettings,
    /// Error of velocities in m/s that is small enough in any case.
    least: f64,
}

impl Solver<'_> {
    /// Solves for velocities and pressures, from velocities without pressure; tells whether the solution is of use.
    fn solve(&self, solution: &mut [f64], report: &mut StepReport) -> Result<bool, StepError> {
        let (viscous, places) = (&self.system.viscous, &self.pressed.faces.places);
        let choice = self.settings.preconditioner;
        let most = self.settings.max_iterations.min(MOST_ITERATIONS);
        let faces = self.system.faces();
        let right_hand_side = self.system.right_hand_side(&solution[..faces]);
        if !self.system.glides {
            start::rest_what_is_held(self.system, &right_hand_side, solution);
        }
        let start = solution.to_vec();
        let choose = match self.system.glides {
            true => ViscousChoice::gliding,
            false => ViscousChoice::new,
        };
        let suggested = match choice {
            ViscosityPreconditioner::Automatic => suggested_cycle(viscous, places, choose)?,
            _ => None,
        };
        if let Some(suggested) = suggested {
            let most = most.min(PATIENCE);
            let tried = self.attempt(suggested, most, &right_hand_side, solution);
            match tried {
                Some(tried) => {
                    let name = if tried.solved { STAGE } else { ATTEMPTS };
                    report.solve(name, summary(tried));
                    if tried.solved {
                        self.system.settle_bodies(&right_hand_side, solution);
                        return Ok(true);
                    }
                }
                None => solution.copy_from_slice(&start),
            }
        }
        let chosen = chosen_cycle(viscous, places, choice)?;
        let done = self.attempt(chosen, most, &right_hand_side, solution);
        let Some(done) = done.filter(|done| done.solved || done.residual < USELESS_RESIDUAL) else {
            let event = format!("{STAGE} and pressure could not be solved for as one");
            report.events.push(event);
            return Ok(false);
        };
        if !done.solved {
            report.events.push(format!(
                "{STAGE} and pressure stopped after {} iterations at a residual of {:.1e}",
                done.iterations, done.residual
            ));
        }
        report.solve(STAGE, summary(done));
        self.system.settle_bodies(&right_hand_side, solution);
        Ok(true)
    }

    /// Iterates with a viscous cycle, from the solution that there is; none if that broke down.
    fn attempt(
        &self,
        viscous: Box<dyn Preconditioner>,
        most: u32,
        right_hand_side: &[f64],
        solution: &mut [f64],
    ) -> Option<ResidualReport> {
        let (system, cells) = (self.system, &self.pressed.cells);
        let tolerance = ERROR * self.settings.tolerance;
        let mut cycles = Cycles::new(system, viscous, cells, tolerance, self.least).ok()?;
        let mut compatible = right_hand_side.to_vec();
        cycles.make_compatible(&mut compatible);
        let most = most as usize;
        conjugate_residuals(&mut cycles, &system.units, &compatible, solution, most).ok()
    }
}

fn summary(report: ResidualReport) -> SolveSummary {
    SolveSummary::single(report.iterations as u32, report.residual, report.solved)
}

impl PressedFaces {
    /// Puts a value of each cell with pressure on a field, of its place in storage and its pressure.
    fn spread(&self, pressures: &[f64], value: impl Fn(usize, f32) -> f32 + Sync) -> Field<f32> {
        let mut field = Field::new(self.row.topology(), Place::Cell, 0.0);
        let cells = self.row.values().iter().enumerate();
        for ((index, &row), target) in cells.zip(field.values_mut()) {
            if let Some(&pressure) = pressures.get(row as usize) {
                *target = value(index, pressure as f32);
            }
        }
        field
    }
}
