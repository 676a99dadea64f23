//! What pressure answers to outflow: roughly the inverse of D A⁻¹ Dᵀ.
//!
//! As a rule ([`Mobile`]) by one cycle for a Poisson problem whose faces are as mobile as viscosity leaves them: mobility w/m, where
//! A w = m is solved roughly. In a gap whose walls hold the liquid, or in a stiff layer between soft ones, faces answer to pressure by
//! far less than their mass would let them, which the usual approximation with 1/m (Cahouet & Chabard 1988) does not know. To
//! it is added what viscosity itself makes of outflow, 2 s V.
//!
//! Beside walls that thick liquid glides along and that do not lie along the grid, single faces are as mobile as their mass lets them
//! and their neighbours are not, so that no mobility tells what a cell answers ([`Commuting`]). There
//!
//! ```text
//! (D A⁻¹ Dᵀ)⁻¹ ≈ L⁻¹ (D d⁻¹ A d⁻¹ Dᵀ) L⁻¹,      L = D d⁻¹ Dᵀ,      d = diag(A)
//! ```
//!
//! (the commutator of least squares, Elman et al. 2006, scaled by the diagonal) takes a quarter of the iterations, if L is solved to
//! some digits: errors of a single cycle are what A multiplies most.

use ooze_commons::reduce::dot;
use ooze_core::StepError;
use ooze_linalg::{
    FloatingComponents, Multigrid, MultigridSettings, Preconditioner, SolveError, SolveSettings,
    SolveWorkspace, SymmetricMatrix, conjugate_gradients,
};

use super::super::system::STAGE;
use super::system::{MODERATE, StokesSystem};
use crate::pressure::NO_ROW;
use crate::solve::failed;

/// How well L is solved.
const INNER: SolveSettings = SolveSettings {
    relative_tolerance: 1e-3,
    max_iterations: 30,
};

/// An answer of pressures to outflow.
pub(super) enum Schur {
    Mobile(Mobile),
    Commuting(Box<Commuting>),
}

/// One cycle by the mobility of faces, and what viscosity makes of outflow.
pub(super) struct Mobile {
    cycle: Multigrid,
    /// Velocity that a unit of momentum makes at each face.
    mobility: Vec<f64>,
    response: Vec<f64>,
}

/// The commutator of least squares.
pub(super) struct Commuting {
    matrix: SymmetricMatrix,
    cycle: Multigrid,
    /// 1/diag(A).
    softness: Vec<f64>,
    workspace: SolveWorkspace,
    response: Vec<f64>,
    push: Vec<f64>,
    resisted: Vec<f64>,
}

impl Schur {
    /// What suits a system, and the parts of the liquid that walls enclose.
    pub(super) fn new(
        system: &StokesSystem,
        cells: &[[i32; 3]],
        viscous: &mut dyn Preconditioner,
    ) -> Result<(Self, FloatingComponents), StepError> {
        let cycle = |matrix: &SymmetricMatrix| {
            let cycle = Multigrid::new(matrix, cells, &MultigridSettings::default());
            cycle.map_err(|error| failed(STAGE, error))
        };
        if system.glides {
            let diagonal = system.viscous.matrix.diagonal();
            let softness: Vec<f64> = diagonal.iter().map(|entry| 1.0 / entry).collect();
            let matrix = poisson(system, &softness)?;
            let enclosed = FloatingComponents::find(&matrix);
            let commuting = Commuting {
                cycle: cycle(&matrix)?,
                matrix,
                workspace: SolveWorkspace::default(),
                response: vec![0.0; cells.len()],
                push: vec![0.0; softness.len()],
                resisted: vec![0.0; softness.len()],
                softness,
            };
            return Ok((Self::Commuting(Box::new(commuting)), enclosed));
        }
        let mobility = mobility(system, viscous);
        let matrix = poisson(system, &mobility)?;
        let mobile = Mobile {
            cycle: cycle(&matrix)?,
            mobility,
            response: vec![0.0; cells.len()],
        };
        Ok((Self::Mobile(mobile), FloatingComponents::find(&matrix)))
    }

    /// The pressures that answer to an outflow; velocities are corrected for them where that pays.
    pub(super) fn answer(
        &mut self,
        system: &StokesSystem,
        enclosed: &FloatingComponents,
        outflow: &[f64],
        (velocity, pressure): (&mut [f64], &mut [f64]),
    ) {
        match self {
            Self::Mobile(mobile) => {
                mobile.answer(system, enclosed, outflow, (velocity, pressure));
            }
            Self::Commuting(commuting) => commuting.answer(system, enclosed, outflow, pressure),
        }
    }
}

impl Mobile {
    fn answer(
        &mut self,
        system: &StokesSystem,
        enclosed: &FloatingComponents,
        outflow: &[f64],
        (velocity, pressure): (&mut [f64], &mut [f64]),
    ) {
        self.cycle.apply(outflow, &mut self.response);
        enclosed.project(&mut self.response);
        let parts = self.response.iter().zip(outflow).zip(&system.resistance);
        for (pressure, ((response, outflow), resistance)) in pressure.iter_mut().zip(parts) {
            *pressure = response + resistance * outflow;
        }
        // Beyond, soft liquid inside stiff one is answered better without.
        if system.contrast <= MODERATE {
            system.add_push(&self.response, 1.0, Some(&self.mobility), velocity);
        }
    }
}

impl Commuting {
    fn answer(
        &mut self,
        system: &StokesSystem,
        enclosed: &FloatingComponents,
        outflow: &[f64],
        pressure: &mut [f64],
    ) {
        self.solve(outflow, pressure);
        enclosed.project(pressure);
        self.push.fill(0.0);
        system.add_push(pressure, 1.0, Some(&self.softness), &mut self.push);
        let matrix = &system.viscous.matrix;
        matrix.multiply(&self.push, &mut self.resisted);
        for (resisted, softness) in self.resisted.iter_mut().zip(&self.softness) {
            *resisted *= softness;
        }
        let mut response = std::mem::take(&mut self.response);
        system.outflow(&self.resisted, &mut response);
        enclosed.project(&mut response);
        self.solve(&response, pressure);
        enclosed.project(pressure);
        self.response = response;
    }

    /// L⁻¹, to some digits.
    fn solve(&mut self, outflow: &[f64], pressure: &mut [f64]) {
        pressure.fill(0.0);
        let (matrix, cycle) = (&self.matrix, &mut self.cycle);
        let solved = conjugate_gradients(
            matrix,
            cycle,
            outflow,
            pressure,
            &INNER,
            &mut self.workspace,
        );
        if !matches!(solved, Ok(_) | Err(SolveError::NotConverged { .. })) {
            self.cycle.apply(outflow, pressure);
        }
    }
}

/// The velocity that a unit of momentum makes at each face while all others get theirs: one step of conjugate gradients for
/// A w = m. No face is less mobile than by itself alone, none more so than its mass lets it.
fn mobility(system: &StokesSystem, viscous: &mut dyn Preconditioner) -> Vec<f64> {
    let (matrix, mass) = (&system.viscous.matrix, &system.viscous.mass);
    let mut way = vec![0.0; mass.len()];
    viscous.apply(mass, &mut way);
    let mut product = vec![0.0; mass.len()];
    matrix.multiply(&way, &mut product);
    let step = dot(mass, &way) / dot(&way, &product);
    let faces = way.iter().zip(mass).zip(matrix.diagonal());
    faces
        .map(|((way, mass), diagonal)| (step * way / mass).clamp(1.0 / diagonal, 1.0 / mass))
        .collect()
}

/// D diag(mobility) Dᵀ.
fn poisson(system: &StokesSystem, mobility: &[f64]) -> Result<SymmetricMatrix, StepError> {
    let matrix = SymmetricMatrix::from_rows(system.outflows.len(), |row, sink| {
        for &(face, share) in system.outflows[row].open() {
            let passage = system.passages[face as usize];
            let weight = (f64::from(share).powi(2) * mobility[face as usize]) as f32;
            let other = match passage.below as usize == row {
                true => passage.above,
                false => passage.below,
            };
            match other {
                NO_ROW => sink.ground(weight),
                other => sink.couple(other as usize, weight),
            }
        }
    });
    matrix.map_err(|error| failed(STAGE, error))
}
