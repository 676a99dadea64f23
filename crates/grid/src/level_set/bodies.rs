//! The stages of a step in which free bodies are liquid for a while (`rigid_fluid`).

use ooze_core::{Impulse, Obstacles, StepError, StepReport};
use ooze_field::{Field, FieldByAxis};

use super::step::{Advance, Resistance};
use super::{LevelSetLiquid, VelocityAdvection, transport};
use crate::boundary::Boundary;
use crate::face_velocity::FaceVelocity;
use crate::momentum::{Elastic, Momentum, Moved, Parts};
use crate::rigid_fluid::{BodyCoupling, ImmersedBodies, Surroundings};
use crate::stages;

/// What forces, viscosity and pressure have made of the velocities before these are carried.
pub(super) struct Flowed {
    pub(super) velocity: FieldByAxis<f32>,
    pressure: Field<f32>,
    impulses: Vec<Impulse>,
}

impl LevelSetLiquid {
    /// The bodies that are a part of the liquid, if any is free and that is how they are coupled.
    pub(super) fn immersed(
        &self,
        phi: &Field<f32>,
        obstacles: &Obstacles<'_>,
        dt: f64,
        report: &mut StepReport,
    ) -> Option<ImmersedBodies> {
        let settings = self.settings.bodies;
        if settings.coupling == BodyCoupling::Joint {
            return None;
        }
        let around = Surroundings {
            obstacles,
            phi,
            lattice: self.setup.domain.lattice(),
            wet_before: &self.state.immersed,
            settings,
            forces: &self.setup.forces,
            dt,
        };
        report.timed("coupling", |_| ImmersedBodies::find(&around))
    }
}

impl<'a> Advance<'a> {
    /// Lets forces act on the liquid, and on bodies that are a part of it.
    pub(super) fn force(&self, bodies: Option<&ImmersedBodies>, grid: &mut FaceVelocity) {
        let velocity = &mut grid.velocity;
        if let Some(bodies) = bodies {
            bodies.enter(velocity);
            bodies.weigh(velocity, self.density());
        }
        stages::apply_forces(velocity, &self.liquid.setup.forces, self.dt);
    }

    /// Lets everything act on the velocities where they are, so that they are free of divergence when they are carried.
    pub(super) fn flow_in_place(
        &self,
        phi: &Field<f32>,
        boundary: Boundary,
        bodies: &ImmersedBodies,
        momentum: Momentum<'_>,
        report: &mut StepReport,
    ) -> Result<Flowed, StepError> {
        let (old, cfl) = (&self.liquid.state.velocity, self.liquid.settings.cfl);
        let mut grid = report.timed("advection", |_| {
            let (cells, scheme) = (self.cells, VelocityAdvection::SemiLagrangian);
            transport::advect_velocity(old, cells, phi, &boundary, 0.0, scheme, cfl)
        });
        report.timed("forces", |_| self.force(Some(bodies), &mut grid));
        let mut moved = momentum.change(boundary, grid, report)?;
        report.timed("extrapolation", |_| {
            self.extrapolate(phi, &mut moved, self.obstacles)
        });
        let Parts { grid, pressure, .. } = moved.into_parts();
        Ok(Flowed {
            velocity: grid.velocity,
            pressure,
            impulses: std::mem::take(&mut report.impulses),
        })
    }

    /// The stage that changes momentum, after all but pressure have acted already.
    pub(super) fn projection<'b>(&self, resistance: &'b Resistance) -> Momentum<'b>
    where
        'a: 'b,
    {
        Momentum {
            viscosity: None,
            elastic: Elastic::None,
            forces: &[],
            ..self.momentum(resistance, &|_| {})
        }
    }

    /// Has density and collisions of bodies act once they have moved as liquid.
    pub(super) fn act_on(
        &self,
        bodies: Option<&ImmersedBodies>,
        moved: &mut Moved<'_>,
        report: &mut StepReport,
    ) {
        if let Some(bodies) = bodies {
            let mut impulses = std::mem::take(&mut report.impulses);
            report.timed("coupling", |_| {
                bodies.act(&mut moved.grid, self.density(), &mut impulses)
            });
            report.impulses = impulses;
        }
    }
}

impl Flowed {
    /// Adds what was done to walls, and the pressure, to those of the rest of the step.
    pub(super) fn join(&self, moved: &mut Moved<'_>, report: &mut StepReport) {
        stages::add(&mut moved.pressure, &self.pressure, 1.0);
        for (impulse, before) in report.impulses.iter_mut().zip(&self.impulses) {
            impulse.absorb(before);
        }
    }
}
