//! The discretisations of viscosity: least dissipation, and those that Batty & Bridson 2008 compare with it in sec. 7.
//!
//! - Decoupled (Stam 1999; Carlson et al. 2002): each component diffuses by itself. With ∂u/∂n = 0 at the surface (Fält &
//!   Roble 2003) the same volume fractions are used as in the variational scheme, so that nothing but the condition
//!   differs; with Dirichlet conditions cells are full or empty and the air keeps its extrapolated velocity.
//! - Implicit-explicit (Rasmussen et al. 2004) and explicit: whole cells with the tangential condition of Nichols & Hirt
//!   1971, and sub-steps. A volume fraction near zero would have no stable step.

use ooze_core::{SolveSummary, StepError, StepReport};
use ooze_field::FieldByAxis;
use rayon::prelude::*;

use super::faces::Faces;
use super::reaction::WallRows;
use super::rows::{Air, Form, RowMaker};
use super::solver::ViscousSolver;
use super::system::{STAGE, ViscousSystem};
use super::weights::Weights;
use super::{Discretisation, ViscousLiquid};
use crate::reactions::Reactions;
use crate::solve::failed;
use crate::{SurfaceCondition, ViscosityScheme};

/// How near a wall may be to a face, as a share of the way to the face beyond: a larger share would be exact, a smaller
/// one makes the matrix degenerate.
pub(super) const LEAST_THETA: f32 = 0.05;
/// The same where steps are explicit: half a cell does not make stable steps shorter than they are inside.
const LEAST_THETA_EXPLICIT: f32 = 0.5;
/// More sub-steps than this are not worth waiting for.
const MOST_SUBSTEPS: f64 = 10_000.0;

/// Advances the velocities by `dt` seconds of viscosity alone; marks the faces that were solved for or stick to walls.
pub(super) fn advance(
    liquid: &ViscousLiquid<'_>,
    velocity: &mut FieldByAxis<f32>,
    dt: f64,
    (reactions, report): (&mut Reactions, &mut StepReport),
) -> Result<FieldByAxis<u8>, StepError> {
    let distance = liquid.coupling.liquid;
    let (weights, least_theta) = match liquid.settings.scheme {
        ViscosityScheme::Variational | ViscosityScheme::Decoupled(SurfaceCondition::Neumann) => {
            (None, LEAST_THETA)
        }
        ViscosityScheme::Decoupled(SurfaceCondition::Dirichlet) => {
            (Some(Weights::with_air(distance)), LEAST_THETA)
        }
        ViscosityScheme::ImplicitExplicit | ViscosityScheme::Explicit => {
            let weights = Weights::by_whole_cells(distance);
            (Some(weights), LEAST_THETA_EXPLICIT)
        }
    };
    let own = match (weights, liquid.discretisation) {
        (None, Some(_)) => None,
        (None, None) => Some(liquid.discretisation()),
        (Some(weights), _) => {
            let faces = Faces::number(liquid, &weights, None);
            Some(Discretisation { weights, faces })
        }
    };
    let Discretisation { weights, faces } = match (&own, liquid.discretisation) {
        (Some(own), _) => own,
        (None, shared) => shared.expect("without one of its own there is a shared one"),
    };
    let maker = RowMaker {
        liquid,
        weights,
        faces,
        form: Form::Strain,
        air: Air::Unknown,
        least_theta,
        least_share: 0.0,
    };
    let gradient = |traction_free| Form::Gradient { traction_free };
    let mut unknown = faces.velocities(velocity);
    let step = Step {
        velocity: &mut unknown,
        dt,
        reactions,
        report,
    };
    match liquid.settings.scheme {
        ViscosityScheme::Variational => step.implicit(&maker)?,
        ViscosityScheme::Decoupled(surface) => {
            let air = match surface {
                SurfaceCondition::Neumann => Air::Unknown,
                SurfaceCondition::Dirichlet => Air::Held(velocity),
            };
            let form = gradient(false);
            step.implicit(&RowMaker { form, air, ..maker })?;
        }
        ViscosityScheme::ImplicitExplicit => {
            let form = gradient(true);
            step.implicit_explicit(&maker, &RowMaker { form, ..maker })?;
        }
        ViscosityScheme::Explicit => step.explicit(&maker)?,
    }
    let walls = &liquid.coupling.boundary.wall_velocity;
    faces.write(&unknown, walls, velocity);
    Ok(faces.known_in(liquid.coupling.liquid))
}

/// A step of the unknown velocities.
struct Step<'a> {
    velocity: &'a mut [f64],
    dt: f64,
    reactions: &'a mut Reactions,
    report: &'a mut StepReport,
}

impl Step<'_> {
    /// One implicit step.
    fn implicit(self, maker: &RowMaker<'_>) -> Result<(), StepError> {
        let Self {
            velocity, report, ..
        } = self;
        let system = ViscousSystem::assemble(maker, self.dt)?;
        let mut solver = ViscousSolver::new(&system, &maker.faces.places, maker.liquid.settings);
        solver.solve(&system.right_hand_side(velocity), velocity, report)?;
        let walls = WallRows::of(maker, &system.rows, &system.samples);
        system.react(&walls, velocity, 1.0, self.reactions);
        Ok(())
    }

    /// Explicit coupling and implicit diffusion of each component, in sub-steps for which the explicit part alone is stable.
    fn implicit_explicit(
        self,
        coupled: &RowMaker<'_>,
        separate: &RowMaker<'_>,
    ) -> Result<(), StepError> {
        let Self {
            velocity,
            dt,
            reactions,
            report,
        } = self;
        let liquid = coupled.liquid;
        let substeps = substeps(liquid, 1.0, dt)?;
        let step = dt / f64::from(substeps);
        let whole = ViscousSystem::assemble(coupled, step)?;
        let diffusion = ViscousSystem::assemble(separate, step)?;
        let walls = WallRows::of(coupled, &whole.rows, &whole.samples);
        let walls_alone = WallRows::of(separate, &diffusion.rows, &diffusion.samples);
        let mut solver = ViscousSolver::new(&diffusion, &separate.faces.places, liquid.settings);
        for _ in 0..substeps {
            let mut right_hand_side = diffusion.right_hand_side(velocity);
            let losses = whole.loss(velocity).into_par_iter();
            right_hand_side
                .par_iter_mut()
                .zip(losses.zip(diffusion.loss(velocity)))
                .for_each(|(side, (all, implicit))| *side -= all - implicit);
            whole.react(&walls, velocity, 1.0, reactions);
            diffusion.react(&walls_alone, velocity, -1.0, reactions);
            solver.solve(&right_hand_side, velocity, report)?;
            diffusion.react(&walls_alone, velocity, 1.0, reactions);
        }
        Ok(())
    }

    /// Forward Euler in stable sub-steps.
    fn explicit(self, maker: &RowMaker<'_>) -> Result<(), StepError> {
        let substeps = substeps(maker.liquid, 2.0, self.dt)?;
        let system = ViscousSystem::assemble(maker, self.dt / f64::from(substeps))?;
        let walls = WallRows::of(maker, &system.rows, &system.samples);
        for _ in 0..substeps {
            system.react(&walls, self.velocity, 1.0, self.reactions);
            let loss = system.loss(self.velocity);
            self.velocity
                .par_iter_mut()
                .zip(loss)
                .zip(&system.mass)
                .for_each(|((velocity, loss), mass)| *velocity -= loss / mass);
            let done = SolveSummary::single(0, 0.0, true);
            self.report.solve(STAGE, done);
        }
        Ok(())
    }
}

/// Sub-steps that keep what is explicit stable. The fastest decay that the grid holds is `factor` · 4 · axes times the
/// diffusion number a step (both ∇·μ∇u and its transpose have 4 · axes for a checkerboard), and forward Euler is stable
/// up to 2. Who wants to see what fewer do may choose their number.
fn substeps(liquid: &ViscousLiquid<'_>, factor: f64, dt: f64) -> Result<u32, StepError> {
    if let Some(chosen) = liquid.settings.substeps {
        return Ok(chosen.max(1));
    }
    let axes = liquid.coupling.liquid.topology().lattice().axes() as f64;
    let wanted = (0.5 * factor * 4.0 * axes * liquid.diffusion_number(dt)).ceil();
    if wanted > MOST_SUBSTEPS {
        return Err(failed(
            STAGE,
            format!(
                "the {:?} scheme needs {wanted} sub-steps for a step of {dt} s to be stable; use the variational scheme",
                liquid.settings.scheme
            ),
        ));
    }
    Ok(wanted.max(1.0) as u32)
}
