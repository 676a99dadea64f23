//! How solids and the forces within a liquid change its momentum in a step: the stage that all transports share.
//!
//! A transport brings velocities that outer forces have acted on, the liquid's surface, and what its stress is made of. Walls
//! that the liquid has not reached are opened (`gaps`), and so are those that it leaves (`separation`); elastic stress pushes;
//! pressure makes the flow free of divergence. Where the liquid is thick, pressure and viscosity are solved for as one then
//! (`viscosity::stokes`); where it is thin, viscosity diffuses and pressure acts again (Batty & Bridson 2008, sec. 3). The first projection may be saved where nothing holds the liquid against gravity: in free flight
//! results agree to a thousandth, but a tank with walls that the liquid sticks to is stirred, because the viscous solve then
//! sees the whole liquid fall.

mod elastic;
mod moved;

use std::borrow::Cow;

use ooze_core::{Force, Obstacles, StepError, StepReport};
use ooze_field::{Field, FieldByAxis, Place};

use crate::boundary::Boundary;
use crate::face_velocity::FaceVelocity;
use crate::gaps::{self, Parted};
use crate::pressure::{Coupling, PressureSystem};
use crate::separation::{Opened, Separation};
use crate::viscosity::{CellViscosity, Content, Discretisation, ViscousLiquid};
use crate::{PressureSettings, ViscositySettings};

pub(crate) use elastic::{Elastic, RowStress};
pub(crate) use moved::{Moved, Parts};

/// Tolerance of a projection whose only task is to balance a liquid's surface before pressure and viscosity are solved for as one.
const BALANCE: f64 = 1e-5;

/// What the stage needs to know of a liquid between solids.
pub(crate) struct Momentum<'a> {
    /// The solids where they stood at the start of the step.
    pub(crate) obstacles: &'a Obstacles<'a>,
    /// Signed distance of the liquid at cell centres, continued into solids.
    pub(crate) liquid: &'a Field<f32>,
    /// The same as the pressure sees it, if it sees another.
    pub(crate) pressed: Option<&'a Field<f32>>,
    /// Densities at faces in kg/m³, where they differ.
    pub(crate) density: Option<&'a FieldByAxis<f32>>,
    /// The density that pressures refer to, and that of the lightest liquid, in kg/m³.
    pub(crate) reference_density: f32,
    pub(crate) least_density: f32,
    /// The accelerations that have acted on the velocities.
    pub(crate) forces: &'a [Force],
    /// The viscosity, if it is large enough to matter.
    pub(crate) viscosity: Option<&'a CellViscosity>,
    pub(crate) elastic: Elastic<'a>,
    /// What of the liquid carries the stress, where that is not all that its surface encloses.
    pub(crate) content: Option<Content<'a>>,
    /// Whether walls that let go hold the liquid all the same.
    pub(crate) holds: bool,
    pub(crate) pressure_settings: PressureSettings,
    pub(crate) viscosity_settings: ViscositySettings,
    pub(crate) dt: f64,
}

/// The liquid between the walls that hold it.
struct Standing<'a> {
    boundary: Boundary,
    /// Signed distance at cell centres, cut off at walls that the liquid leaves.
    liquid: Cow<'a, Field<f32>>,
    pressed: Option<Cow<'a, Field<f32>>>,
    system: PressureSystem,
}

impl<'a> Momentum<'a> {
    /// Lets everything act on the velocities `grid`, between the solids of `boundary`.
    pub(crate) fn change(
        self,
        boundary: Boundary,
        mut grid: FaceVelocity,
        report: &mut StepReport,
    ) -> Result<Moved<'a>, StepError> {
        let Parted { boundary, gaps } = report.timed("solids", |_| {
            gaps::part(self.liquid, boundary, &mut grid, self.dt)
        });
        let standing = self.stand(boundary, &grid, report)?;
        let pressure = Field::new(self.liquid.topology(), Place::Cell, 0.0);
        let (viscosity, tolerance) = (self.viscosity, self.pressure_settings.tolerance);
        let first_projection = viscosity.is_none() || self.viscosity_settings.first_projection;
        let mut moved = Moved::new(self, standing, gaps, grid, pressure);
        moved.hold(report);
        moved.push(report);
        moved.follow();
        // Pressure comes first too, because viscosity takes the flow to be free of divergence.
        let as_one = viscosity.filter(|viscosity| moved.flows_as_one(viscosity));
        if as_one.is_some() {
            moved.project(BALANCE, report)?;
        } else if first_projection {
            moved.project(tolerance, report)?;
        }
        let done = match as_one {
            Some(viscosity) => moved.flow(viscosity, report)?,
            None => false,
        };
        if let Some(viscosity) = viscosity.filter(|_| !done) {
            moved.diffuse(viscosity, report)?;
            moved.project(tolerance, report)?;
        }
        moved.meet_bodies();
        report.impulses = moved.impulses();
        Ok(moved)
    }

    /// Finds the walls that the liquid leaves, and assembles the pressure system between the others.
    fn stand(
        &self,
        boundary: Boundary,
        grid: &FaceVelocity,
        report: &mut StepReport,
    ) -> Result<Standing<'a>, StepError> {
        let settings = self.pressure_settings;
        let coupling = self.coupling(self.pressed.unwrap_or(self.liquid), &boundary);
        let system = report.timed("assembly", |_| {
            PressureSystem::assemble(&coupling, settings)
        })?;
        report.liquid_cells = system.size();
        let separation = Separation {
            coupling: &coupling,
            obstacles: self.obstacles,
            settings,
            dt: self.dt,
        };
        let opened = report.timed("separation", |report| {
            let push = |boundary: &Boundary, grid: &mut FaceVelocity| {
                let liquid = boundary.cut_off(self.liquid);
                let coupling = self.coupling(&liquid, boundary);
                self.push(&coupling, self.discretisation(&coupling).as_ref(), grid);
            };
            match self.holds {
                true => Ok(None),
                false => separation.find(grid, push, report),
            }
        })?;
        Ok(match opened {
            Some(Opened { boundary, system }) => {
                let cut = |liquid: &Field<f32>| Cow::Owned(boundary.cut_off(liquid));
                Standing {
                    liquid: cut(self.liquid),
                    pressed: self.pressed.map(cut),
                    boundary,
                    system,
                }
            }
            None => Standing {
                boundary,
                liquid: Cow::Borrowed(self.liquid),
                pressed: self.pressed.map(Cow::Borrowed),
                system,
            },
        })
    }

    /// Pascals of a pressure that is told as a velocity of 1 m/s.
    fn pascals(&self) -> f32 {
        let cell_size = self.liquid.topology().lattice().cell_size;
        self.reference_density * cell_size / self.dt as f32
    }

    fn coupling<'b>(&'b self, liquid: &'b Field<f32>, boundary: &'b Boundary) -> Coupling<'b> {
        Coupling {
            liquid,
            boundary,
            density: self.density,
            reference_density: self.reference_density,
        }
    }

    /// The liquid with a viscosity, or with an elastic modulus in its place.
    fn viscous<'b>(
        &'b self,
        coupling: &'b Coupling<'b>,
        viscosity: &'b CellViscosity,
        discretisation: Option<&'b Discretisation>,
    ) -> ViscousLiquid<'b> {
        ViscousLiquid {
            coupling,
            obstacles: self.obstacles,
            viscosity,
            stiffening: None,
            least_density: self.least_density,
            discretisation,
            content: self.content,
            settings: self.viscosity_settings,
        }
    }
}
