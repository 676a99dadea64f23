//! The stages that act between the walls which hold the liquid, and the velocities that they leave.

use glam::Vec3;
use ooze_core::{Impulse, Obstacles, StepError, StepReport};
use ooze_field::Field;

use crate::boundary::Boundary;
use crate::coupling::{BodyFaces, FreeBodies};
use crate::elasticity::Strain;
use crate::face_velocity::FaceVelocity;
use crate::gaps::{self, Gap};
use crate::pressure::{Coupling, PressureSystem};
use crate::reactions::Reactions;
use crate::stages::{self, NEARLY_SHUT, Projection};
use crate::viscosity::{
    CellViscosity, Discretisation, Stiffening, StressRows, ViscousLiquid, diffusion_number,
};
use crate::walls;

use super::{Momentum, Standing};

/// A liquid whose momentum changes, or has changed.
pub(crate) struct Moved<'a> {
    momentum: Momentum<'a>,
    standing: Standing<'a>,
    gaps: Vec<Gap>,
    /// Where elastic stress acts by rows, and the rows.
    discretisation: Option<Discretisation>,
    rows: Option<StressRows>,
    pub(crate) grid: FaceVelocity,
    /// The pressure of the step in pascals.
    pub(crate) pressure: Field<f32>,
    reactions: Reactions,
    /// The bodies that the liquid moves along, and the faces that they shut.
    bodies: FreeBodies,
    body_faces: BodyFaces,
}

/// What is left of the stage for others to keep.
pub(crate) struct Parts {
    /// The solids, with the faces open that the liquid leaves or has not reached.
    pub(crate) boundary: Boundary,
    pub(crate) grid: FaceVelocity,
    /// In pascals.
    pub(crate) pressure: Field<f32>,
}

impl<'a> Moved<'a> {
    pub(super) fn new(
        momentum: Momentum<'a>,
        standing: Standing<'a>,
        gaps: Vec<Gap>,
        grid: FaceVelocity,
        pressure: Field<f32>,
    ) -> Self {
        let flat = momentum.liquid.topology().lattice().flat;
        let bodies = FreeBodies::of(momentum.obstacles, flat);
        Self {
            reactions: Reactions::new(momentum.obstacles),
            body_faces: BodyFaces::find(&standing.boundary, &bodies),
            bodies,
            momentum,
            standing,
            gaps,
            discretisation: None,
            rows: None,
            grid,
            pressure,
        }
    }

    /// Has walls stop the liquid that would move into them.
    pub(super) fn hold(&mut self, report: &mut StepReport) {
        let (momentum, standing) = (&self.momentum, &self.standing);
        let coupling = momentum.coupling(&standing.liquid, &standing.boundary);
        let fall = |point: Vec3| {
            let accelerations = momentum.forces.iter();
            let sum: Vec3 = accelerations.map(|force| force.acceleration(point)).sum();
            sum * momentum.dt as f32
        };
        let (obstacles, velocity) = (momentum.obstacles, &self.grid.velocity);
        report.timed("solids", |_| {
            self.reactions.hold(&coupling, obstacles, velocity, fall)
        });
    }

    /// Lets elastic stress push.
    pub(super) fn push(&mut self, report: &mut StepReport) {
        let Self {
            momentum, standing, ..
        } = self;
        let coupling = momentum.coupling(&standing.liquid, &standing.boundary);
        self.discretisation = report.timed("weights", |_| momentum.discretisation(&coupling));
        let (discretisation, grid) = (self.discretisation.as_ref(), &mut self.grid);
        self.rows = report.timed("elasticity", |_| {
            momentum.push(&coupling, discretisation, grid)
        });
        report.timed("elasticity", |_| {
            self.react_to_push();
            self.find_bodies();
        });
    }

    /// Finds where the rows that stress pushes with end at bodies.
    fn find_bodies(&mut self) {
        let mut rows = self.rows.take();
        self.of_stress(|liquid, discretisation, _| {
            if let Some(rows) = &mut rows {
                liquid.find_bodies(discretisation, &self.bodies, rows);
            }
        });
        self.rows = rows;
    }

    /// Has the liquid be strained as the bodies move now.
    pub(super) fn meet_bodies(&mut self) {
        if let Some(rows) = &mut self.rows {
            rows.meet_bodies(&self.bodies);
        }
    }

    /// Adds what walls get from elastic stress.
    fn react_to_push(&mut self) {
        let mut reactions = std::mem::take(&mut self.reactions);
        let Momentum { dt, .. } = self.momentum;
        self.of_rows(|liquid, discretisation, rows, strain| {
            liquid.react_to_push(discretisation, rows, strain, dt, &mut reactions);
        });
        self.reactions = reactions;
    }

    /// Has the bodies, and the walls that they are, move as what the liquid has done to them makes them.
    pub(super) fn follow(&mut self) {
        let reactions = &self.reactions;
        self.bodies.follow(|body| reactions.of(body));
        let boundary = &mut self.standing.boundary;
        self.body_faces.move_walls(&self.bodies, boundary);
    }

    /// Makes the velocities free of divergence, to a tolerance relative to what they were.
    pub(super) fn project(
        &mut self,
        tolerance: f64,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let (momentum, grid, pressure) = (&self.momentum, &mut self.grid, &mut self.pressure);
        let (system, coupling) = systems(momentum, &mut self.standing);
        let projection = Projection {
            coupling: &coupling,
            bodies: (&self.bodies, &self.body_faces),
            tolerance,
            dt: momentum.dt,
        };
        let reports = (&mut self.reactions, report);
        projection.apply(system, grid, pressure, reports)?;
        self.follow();
        Ok(())
    }

    /// Lets viscosity act.
    pub(super) fn diffuse(
        &mut self,
        viscosity: &CellViscosity,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let stiffening = self.stiffening();
        let Self {
            momentum, standing, ..
        } = self;
        let coupling = momentum.coupling(&standing.liquid, &standing.boundary);
        let viscous = ViscousLiquid {
            stiffening: stiffening.as_ref(),
            ..momentum.viscous(&coupling, viscosity, self.discretisation.as_ref())
        };
        let reactions = &mut self.reactions;
        let FaceVelocity { velocity, known } = &mut self.grid;
        report.timed("viscosity", |report| {
            let reports = (reactions, report);
            viscous.diffuse(velocity, known, momentum.dt, reports)
        })
    }

    /// Whether pressure and viscosity have to be solved for as one.
    pub(super) fn flows_as_one(&self, viscosity: &CellViscosity) -> bool {
        let Momentum {
            viscosity_settings,
            pressed,
            least_density,
            dt,
            liquid,
            ..
        } = &self.momentum;
        let cell_size = f64::from(liquid.topology().lattice().cell_size);
        let stiffening = self
            .momentum
            .row_stress()
            .and_then(|stress| stress.stiffening);
        let largest = viscosity.largest() + stiffening.map_or(0.0, Stiffening::largest);
        let number = diffusion_number(largest, *least_density, cell_size, *dt);
        let moves_bodies = !self.bodies.is_empty();
        // Surfaces of whole cells have a pressure of their own.
        pressed.is_none() && viscosity_settings.acts_with_pressure(number, moves_bodies)
    }

    /// Lets viscosity and pressure act as one; tells whether they could.
    pub(super) fn flow(
        &mut self,
        viscosity: &CellViscosity,
        report: &mut StepReport,
    ) -> Result<bool, StepError> {
        let stiffening = self.stiffening();
        let (momentum, standing) = (&self.momentum, &self.standing);
        let coupling = momentum.coupling(&standing.liquid, &standing.boundary);
        let viscous = ViscousLiquid {
            stiffening: stiffening.as_ref(),
            ..momentum.viscous(&coupling, viscosity, None)
        };
        let FaceVelocity { velocity, known } = &mut self.grid;
        let (reactions, pressure) = (&mut self.reactions, &mut self.pressure);
        let bodies = (&self.bodies, &self.body_faces);
        let done = report.timed("viscosity", |report| {
            let reports = (reactions, report);
            let unknown = viscous.flow(velocity, known, momentum.dt, bodies, reports)?;
            if let Some(unknown) = &unknown {
                stages::add(pressure, unknown, momentum.pascals());
            }
            Ok(unknown.is_some())
        })?;
        self.follow();
        Ok(done)
    }

    /// What an implicit elastic step adds to viscosity.
    fn stiffening(&self) -> Option<Stiffening> {
        let stress = self.momentum.row_stress()?;
        let (stiffening, rows) = stress.stiffening.zip(self.rows.as_ref())?;
        Some(rows.lightened(stiffening))
    }

    /// What the stage did to the solids: to each body, in their order, and to each closed side of the domain.
    pub(super) fn impulses(&self) -> Vec<Impulse> {
        self.reactions.of_obstacles(self.momentum.obstacles)
    }

    /// The solids, with the faces open that the liquid leaves or has not reached.
    pub(crate) fn boundary(&self) -> &Boundary {
        &self.standing.boundary
    }

    /// The velocities to be changed, and the solids.
    pub(crate) fn grid_and_boundary(&mut self) -> (&mut FaceVelocity, &Boundary) {
        (&mut self.grid, &self.standing.boundary)
    }

    /// The system of the projections, for others who solve with it.
    pub(crate) fn pressure_system(&mut self) -> (&mut PressureSystem, Coupling<'_>) {
        systems(&self.momentum, &mut self.standing)
    }

    /// The rates in 1/s at which stress is strained, each times its row's share of a cell; none if it does not act by rows.
    pub(crate) fn strain_rates(&self) -> Option<Strain> {
        self.of_rows(|liquid, discretisation, rows, _| {
            liquid.strain_rates(discretisation, rows, &self.grid.velocity)
        })
    }

    /// The same rates by themselves, and the shares.
    pub(crate) fn rates_and_shares(&self) -> Option<(Strain, Strain)> {
        self.of_rows(|liquid, discretisation, rows, _| {
            let rates = liquid.plain_strain_rates(discretisation, rows, &self.grid.velocity);
            (rates, liquid.stress_shares(rows))
        })
    }

    /// What is found of the rows that stress has pushed with.
    fn of_rows<T>(
        &self,
        found: impl FnOnce(&ViscousLiquid<'_>, &Discretisation, &StressRows, &Strain) -> T,
    ) -> Option<T> {
        let rows = self.rows.as_ref()?;
        self.of_stress(|liquid, discretisation, strain| found(liquid, discretisation, rows, strain))
    }

    /// What is found where stress acts by rows.
    fn of_stress<T>(
        &self,
        found: impl FnOnce(&ViscousLiquid<'_>, &Discretisation, &Strain) -> T,
    ) -> Option<T> {
        let Self {
            momentum, standing, ..
        } = self;
        let stress = momentum.row_stress()?;
        let discretisation = self.discretisation.as_ref()?;
        let coupling = momentum.coupling(&standing.liquid, &standing.boundary);
        let liquid = momentum.viscous(&coupling, stress.modulus, None);
        Some(found(&liquid, discretisation, stress.strain))
    }

    /// Leaves those velocities known that are the liquid's: not on faces whose open share is not more than `shut`, nor those of jets
    /// through ones that free bodies all but shut; and none is faster than closes the gap before a wall.
    pub(crate) fn close_walls(&mut self, shut: f32) {
        let (boundary, grid) = (&self.standing.boundary, &mut self.grid);
        gaps::limit(grid, boundary, &self.gaps);
        stages::close_walls(&mut grid.known, boundary, shut);
        let cell_size = f64::from(self.momentum.liquid.topology().lattice().cell_size);
        for face in self.body_faces.iter() {
            let speed = grid.velocity[face.axis].values()[face.index].abs();
            // Between a heavy body and the floor that it falls on, next to nothing is pressed out very fast.
            let is_jet = f64::from(speed) * self.momentum.dt > cell_size;
            if face.open <= NEARLY_SHUT && is_jet {
                grid.known[face.axis].values_mut()[face.index] = 0;
            }
        }
        self.impose();
    }

    /// Gives the faces inside solids the velocities that the walls' conditions ask for.
    pub(crate) fn constrain(&mut self, obstacles: &Obstacles<'_>) {
        let boundary = &self.standing.boundary;
        let FaceVelocity { velocity, known } = &mut self.grid;
        walls::constrain(velocity, known, boundary, obstacles);
    }

    /// Gives the faces inside emitters their velocity.
    pub(crate) fn impose(&mut self) {
        let FaceVelocity { velocity, known } = &mut self.grid;
        self.standing.boundary.impose(velocity, known);
    }

    /// Lets go of the rest.
    pub(crate) fn into_parts(self) -> Parts {
        Parts {
            boundary: self.standing.boundary,
            grid: self.grid,
            pressure: self.pressure,
        }
    }
}

/// The pressure system of a liquid between walls, and what it couples.
fn systems<'b>(
    momentum: &'b Momentum<'_>,
    standing: &'b mut Standing<'_>,
) -> (&'b mut PressureSystem, Coupling<'b>) {
    let Standing {
        boundary,
        liquid,
        pressed,
        system,
    } = standing;
    let pressed: &Field<f32> = pressed.as_ref().unwrap_or(liquid);
    (system, momentum.coupling(pressed, boundary))
}
