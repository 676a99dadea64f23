//! Viscosity as the velocity of least dissipation (Batty & Bridson 2008).
//!
//! The new velocity minimises ∫ρ|u - u_old|² + 2 dt ∫μ|ε̇(u)|² over the liquid (eq. 11), with one volume fraction for
//! every face, cell and edge of the staggered grid (sec. 5.1, appendix B):
//!
//! ```text
//! A u = diag(V ρ/ρ_ref) u_old,    A = diag(V ρ/ρ_ref) + Gᵀ W G,    W = dt μ V / (ρ_ref dx²)
//! ```
//!
//! where a row of G is a strain rate: the stretching 2 ∂u/∂x at a cell's centre, the shear ∂u/∂y + ∂v/∂x at an edge.
//! The traction-free surface falls out of it. Walls are Dirichlet conditions in the manner of the ghost fluid method
//! (sec. 5.2): the liquid is continued into them, and a difference towards a face inside a wall ends at the wall. The
//! other discretisations of sec. 7 are built from the same rows (`schemes`).
//!
//! Deviations and additions: volume fractions are pooled from one octant grid, so that the fields agree with one
//! another to the last bit of liquid; strain that touches a face without mass is left out, since no velocity is known
//! there; where it matters pressure acts together with viscosity (`stokes`), or the solve would squeeze the liquid in ways that the
//! projection undoes afterwards; the viscosity of an edge is a mean of the cells around it (`edge_mean`), which makes shear stress
//! continuous between liquids where it is the harmonic one; walls may let the liquid slip, which leaves out the shear across them; at slip walls that are not
//! aligned with the grid the condition is first order.

mod adjoint;
mod content;
mod edge_mean;
mod ends;
mod faces;
mod lightening;
mod reaction;
mod rows;
mod schemes;
mod solver;
mod stokes;
mod surroundings;
mod system;
#[cfg(test)]
mod tests;
mod weights;

use glam::IVec3;
use ooze_commons::reduce;
use ooze_core::{Obstacles, StepError, StepReport};
use ooze_field::{Field, FieldByAxis};

use crate::coupling::{BodyFaces, FreeBodies};
use crate::pressure::Coupling;
use crate::reactions::Reactions;
use crate::stages::{continue_change, continue_for_solve};
use crate::{ViscosityScheme, ViscositySettings};

pub(crate) use adjoint::StressRows;
pub(crate) use content::Content;
use faces::Faces;
pub(crate) use lightening::ROOM;
use stokes::Flow;
use weights::Weights;

/// Diffusion number below which viscosity changes nothing that the grid could show.
pub(crate) const NEGLIGIBLE: f64 = 1e-3;

/// Dynamic viscosity in Pa s.
#[derive(Clone, Debug)]
pub(crate) enum CellViscosity {
    /// The same everywhere.
    Uniform(f32),
    /// At cell centres, zero where it is not known.
    Varying {
        cells: Field<f32>,
        /// The largest of them.
        largest: f32,
    },
}

impl CellViscosity {
    /// That of a cell.
    pub(crate) fn at(&self, cell: IVec3) -> f32 {
        match self {
            Self::Uniform(viscosity) => *viscosity,
            Self::Varying { cells, .. } => cells.get(cell),
        }
    }

    pub(crate) fn largest(&self) -> f32 {
        match self {
            Self::Uniform(viscosity) => *viscosity,
            Self::Varying { largest, .. } => *largest,
        }
    }
}

/// What an implicit elastic step adds to the viscosity where strain rates are sampled, in Pa s.
#[derive(Clone)]
pub(crate) struct Stiffening {
    pub(crate) cells: Field<f32>,
    pub(crate) edges: FieldByAxis<f32>,
}

impl Stiffening {
    /// The largest of them.
    pub(crate) fn largest(&self) -> f32 {
        reduce::max(self.cells.values(), |&viscosity| viscosity).max(0.0)
    }
}

/// A viscous liquid where it is now.
pub(crate) struct ViscousLiquid<'a> {
    /// The liquid, the solids on the grid, and densities.
    pub(crate) coupling: &'a Coupling<'a>,
    /// The solids themselves.
    pub(crate) obstacles: &'a Obstacles<'a>,
    pub(crate) viscosity: &'a CellViscosity,
    pub(crate) stiffening: Option<&'a Stiffening>,
    /// Density of the lightest liquid in kg/m³.
    pub(crate) least_density: f32,
    /// [`ViscousLiquid::discretisation`], where it is there already.
    pub(crate) discretisation: Option<&'a Discretisation>,
    /// What of it carries stress, where that is not all that its surface encloses.
    pub(crate) content: Option<Content<'a>>,
    pub(crate) settings: ViscositySettings,
}

/// Volume fractions and numbered faces, the same for every stress of one moment.
pub(crate) struct Discretisation {
    weights: Weights,
    faces: Faces,
}

impl ViscousLiquid<'_> {
    /// Volume fractions and numbered faces.
    pub(crate) fn discretisation(&self) -> Discretisation {
        let weights = Weights::by_volume(self.coupling.liquid);
        let faces = Faces::number(self, &weights, None);
        Discretisation { weights, faces }
    }

    /// Lets viscosity act on the velocities for `dt` seconds. What was solved for becomes known; known faces around it change as
    /// their neighbours do and are drawn along (see `surroundings`), or are no longer known. What walls get is added to the
    /// reactions.
    pub(crate) fn diffuse(
        &self,
        velocity: &mut FieldByAxis<f32>,
        known: &mut FieldByAxis<u8>,
        dt: f64,
        reports: (&mut Reactions, &mut StepReport),
    ) -> Result<(), StepError> {
        continue_for_solve(velocity, known);
        let before = velocity.clone();
        let solved = schemes::advance(self, velocity, dt, reports)?;
        // Air that is held fast must be continued anew, or it would drive the liquid.
        let follows = self.settings.scheme == ViscosityScheme::Variational;
        continue_change(&before, velocity, known, solved.clone(), follows);
        if follows {
            self.draw_along(velocity, known, &solved, dt);
        }
        Ok(())
    }

    /// Lets viscosity and pressure act on the velocities at once for `dt` seconds (see `stokes`). What becomes known is as after
    /// [`ViscousLiquid::diffuse`]. Returns the pressure as a velocity, p dt/(ρ_ref dx), in m/s; none, and nothing has changed, if
    /// that could not be solved. `bodies` are those that move along, and the faces that they shut.
    pub(crate) fn flow(
        &self,
        velocity: &mut FieldByAxis<f32>,
        known: &mut FieldByAxis<u8>,
        dt: f64,
        bodies: (&FreeBodies, &BodyFaces),
        reports: (&mut Reactions, &mut StepReport),
    ) -> Result<Option<Field<f32>>, StepError> {
        continue_for_solve(velocity, known);
        let before = velocity.clone();
        let Some(flow) = stokes::advance(self, velocity, dt, bodies, reports)? else {
            return Ok(None);
        };
        let Flow { solved, pressure } = flow;
        continue_change(&before, velocity, known, solved.clone(), true);
        self.draw_along(velocity, known, &solved, dt);
        Ok(Some(pressure))
    }

    /// How much of a face's cell moves with it: what carries stress there, or the volume within the surface.
    fn face_share(&self, weights: &Weights, axis: usize, face: IVec3) -> f32 {
        let own = |content: Content<'_>| content.face_share(axis, face);
        let volume = || weights.faces[axis].get(face);
        self.content.and_then(own).unwrap_or_else(volume)
    }

    /// The diffusion number of the thickest liquid, if it is the lightest too.
    fn diffusion_number(&self, dt: f64) -> f64 {
        let cell_size = f64::from(self.coupling.liquid.topology().lattice().cell_size);
        diffusion_number(self.viscosity.largest(), self.least_density, cell_size, dt)
    }
}

/// Viscosity times time step over density and cell size squared: how many cells momentum diffuses, squared.
pub(crate) fn diffusion_number(viscosity: f32, density: f32, cell_size: f64, dt: f64) -> f64 {
    f64::from(viscosity) * dt / (f64::from(density) * cell_size * cell_size)
}
