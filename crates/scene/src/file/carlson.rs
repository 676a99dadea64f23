//! Keys of the marker-and-cell liquid.

use ooze_grid::{Convection, Diffusion, EdgeMean, OuterFaces, PressurePreconditioner, WallFaces};

use crate::keys::{count, number, table};

table! {
    /// Stages of the marker-and-cell liquid; what is left out is as the preset has it.
    struct CarlsonKeys "carlson" {
        /// How velocities are carried by themselves.
        convection: Convection [()] optional;
        /// How viscosity is integrated in time.
        diffusion: Diffusion [()] optional;
        /// The viscosity of an edge from those of the cells around it.
        edge_mean: EdgeMean [()] optional;
        /// What the viscous solve takes for granted of velocities in the air and at the surface.
        outer_faces: OuterFaces [()] optional;
        /// The velocity inside of walls that liquid does not glide along.
        wall_faces: WallFaces [()] optional;
        /// Pressure of the air.
        air_pressure: f64 [number("Pa").between(-1e9, 1e9)] optional;
        /// Residual relative to the right-hand side at which a viscous solve is done.
        viscosity_tolerance: f64 [number("").between(1e-12, 0.1)] optional;
        /// Iterations after which a viscous solve has failed.
        viscosity_iterations: u64 [count().between(1, 100_000)] optional;
        /// The preconditioner of the viscous solves.
        viscosity_preconditioner: PressurePreconditioner [()] optional;
    }
}
