//! What elastic stress does to the velocities.

use crate::elasticity::Strain;
use crate::face_velocity::FaceVelocity;
use crate::pressure::Coupling;
use crate::viscosity::{CellViscosity, Discretisation, Stiffening, StressRows};

use super::Momentum;

/// How the elastic stress of a liquid acts.
pub(crate) enum Elastic<'a> {
    /// There is none.
    None,
    /// By the adjoint of the viscous stage's own strain operator (`viscosity::adjoint`).
    Rows(RowStress<'a>),
    /// In a way of the transport's own, which pushes the velocities.
    Other(&'a (dyn Fn(&mut FaceVelocity) + Sync)),
}

/// Stress where strain rates are sampled.
pub(crate) struct RowStress<'a> {
    /// Stress over the modulus.
    pub(crate) strain: &'a Strain,
    /// In Pa.
    pub(crate) modulus: &'a CellViscosity,
    /// What makes the step as implicit as it must be, unless the viscosity has it already.
    pub(crate) stiffening: Option<&'a Stiffening>,
}

impl<'a> Momentum<'a> {
    /// The stress that acts by rows.
    pub(super) fn row_stress(&self) -> Option<&RowStress<'a>> {
        match &self.elastic {
            Elastic::Rows(stress) => Some(stress),
            Elastic::None | Elastic::Other(_) => None,
        }
    }

    /// Where stress acts by rows; none if it does not.
    pub(super) fn discretisation(&self, coupling: &Coupling<'_>) -> Option<Discretisation> {
        let stress = self.row_stress()?;
        Some(
            self.viscous(coupling, stress.modulus, None)
                .discretisation(),
        )
    }

    /// Lets the stress push, and gives the faces inside emitters their velocity again. Returns the rows that it has pushed with.
    pub(super) fn push(
        &self,
        coupling: &Coupling<'_>,
        discretisation: Option<&Discretisation>,
        grid: &mut FaceVelocity,
    ) -> Option<StressRows> {
        if let Elastic::Other(push) = &self.elastic {
            push(grid);
        }
        let FaceVelocity { velocity, known } = grid;
        let pushed = self
            .row_stress()
            .zip(discretisation)
            .map(|(stress, discretisation)| {
                let liquid = self.viscous(coupling, stress.modulus, None);
                let rows = liquid.stress_rows(discretisation);
                liquid.push(
                    discretisation,
                    &rows,
                    stress.strain,
                    velocity,
                    known,
                    self.dt,
                );
                rows
            });
        coupling.boundary.impose(velocity, known);
        pushed
    }
}
