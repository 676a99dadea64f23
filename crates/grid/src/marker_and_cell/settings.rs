//! Choices of the marker-and-cell liquid, with their defaults written once.

use ooze_commons::choice;
use ooze_core::Domain;

use crate::flip::particle_volume;
use crate::{PressurePreconditioner, Sampling};

choice! {
    /// How velocities are carried by themselves.
    pub enum Convection {
        /// Central differences, forward in time, as published (Carlson 2004, eqs. 25-27): waves of few cells grow unless viscosity
        /// stops them.
        Central "central";
        /// The same with the diffusion that a step forward in time lacks (Lax & Wendroff 1960): stable at any viscosity.
        Balanced "balanced";
        /// The velocity that the flow comes from (donor cells): damped.
        Upwind "upwind";
    }
}

choice! {
    /// How viscosity is integrated in time.
    pub enum Diffusion {
        /// Each component at once: stable at any viscosity (Carlson 2004, eqs. 45-49 and 57).
        Implicit "implicit";
        /// As part of the step forward in time: steps are no longer than Δx²/(6ν) (Carlson 2004, eqs. 20 and 25-27).
        Explicit "explicit";
    }
}

choice! {
    /// The viscosity of an edge from those of the cells around it.
    pub enum EdgeMean {
        /// What is thin decides: melt runs down the side of what is solid (Carlson 2004, eq. 58).
        Geometric "geometric";
        /// What is thick decides: melt sticks to what is solid.
        Arithmetic "arithmetic";
    }
}

choice! {
    /// What the viscous solve takes for granted of velocities in the air and at the surface, which it does not solve for.
    pub enum OuterFaces {
        /// They follow the liquid that they border: nothing holds on to the surface.
        Following "following";
        /// They stay as they were before the solve, as published (Carlson 2004, sec. 4.1.2): in free flight nothing is damped, but
        /// what stands sinks by more the longer the steps, however thick it is.
        Held "held";
    }
}

choice! {
    /// The velocity inside of walls that liquid does not glide along (Carlson 2004, sec. 3.2.3.4).
    pub enum WallFaces {
        /// Opposite to the liquid's: it is zero on the wall.
        Mirrored "mirrored";
        /// Zero: it falls to nothing half a cell inside the wall.
        Zero "zero";
    }
}

/// Settings of the marker-and-cell liquid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkerSettings {
    /// Cells that the fastest liquid may cross in one sub-step, less than one (Carlson 2004, eq. 19).
    pub cfl: f32,
    /// How velocities are carried.
    pub convection: Convection,
    /// How viscosity is integrated.
    pub diffusion: Diffusion,
    /// The viscosity of edges.
    pub edge_mean: EdgeMean,
    /// What the viscous solve takes for granted of the faces around it.
    pub outer_faces: OuterFaces,
    /// The velocity inside of walls that hold liquid.
    pub wall_faces: WallFaces,
    /// Pressure of the air in pascals.
    pub air_pressure: f32,
    /// Residual relative to the right-hand side at which the pressure solve is done (Carlson 2004, table 3).
    pub pressure_tolerance: f64,
    /// Iterations after which it has failed.
    pub pressure_iterations: u32,
    /// Its preconditioner.
    pub pressure_preconditioner: PressurePreconditioner,
    /// The same of the viscous solves (Carlson 2004, table 4).
    pub viscosity_tolerance: f64,
    /// Iterations after which one has failed.
    pub viscosity_iterations: u32,
    /// Their preconditioner.
    pub viscosity_preconditioner: PressurePreconditioner,
}

impl Default for MarkerSettings {
    fn default() -> Self {
        Self {
            cfl: 0.5,
            convection: Convection::Balanced,
            diffusion: Diffusion::Implicit,
            edge_mean: EdgeMean::Geometric,
            outer_faces: OuterFaces::Following,
            wall_faces: WallFaces::Mirrored,
            air_pressure: 0.0,
            pressure_tolerance: 1e-8,
            pressure_iterations: 1000,
            pressure_preconditioner: PressurePreconditioner::Jacobi,
            viscosity_tolerance: 1e-8,
            viscosity_iterations: 1000,
            viscosity_preconditioner: PressurePreconditioner::Jacobi,
        }
    }
}

impl MarkerSettings {
    /// Volume that one marker stands for, in cubic metres.
    pub fn particle_volume(&self, domain: &Domain) -> f64 {
        particle_volume(domain, Sampling::Fine)
    }
}
