//! Keys of viscosity: its stage in the method, and how it varies through a liquid.

use glam::Vec3;

use ooze_grid::{
    ShearMean, SurfaceCondition, ViscosityPreconditioner, ViscosityScheme, ViscousPressure,
};

use crate::keys::{List, Number, count, metres, number, table, vector};
use crate::place::Placed;

/// The two ends of a gradient.
const VALUES: List<Number> = List {
    items: number("Pa s").between(1e-6, 1e12),
    least: 2,
};

table! {
    /// The viscous stage; what is left out is as the preset has it. Liquids too thin to show on the grid skip it.
    struct ViscosityKeys "viscosity" {
        /// Whether liquids are viscous at all.
        enabled: bool [()] optional;
        /// The discretisation.
        scheme: ViscosityScheme [()] optional;
        /// The condition of the decoupled scheme at free surfaces; left out, `neumann`.
        surface: SurfaceCondition [()] optional;
        /// Sub-steps of the explicit schemes in a step, to see what too few of them do; left out, as many as are stable.
        substeps: u64 [count().between(1, 10_000)] optional;
        /// Whether pressure and viscosity are solved for as one in the variational scheme; left out, `automatic`.
        pressure: ViscousPressure [()] optional;
        /// The viscosity between cells of different viscosity; left out, `harmonic`.
        edge_mean: ShearMean [()] optional;
        /// Residual relative to the right-hand side at which a solve is done.
        tolerance: f64 [number("").between(1e-12, 0.1)] optional;
        /// Iterations after which a solve has failed.
        max_iterations: u64 [count().between(1, 100_000)] optional;
        /// The preconditioner.
        preconditioner: ViscosityPreconditioner [()] optional;
        /// Whether pressure acts before viscosity too, as published. Without it a step saves a pressure solve, but liquid
        /// that rests on walls it sticks to creeps: safe in free flight only.
        first_projection: bool [()] optional;
    }
}

table! {
    /// Viscosity that changes through a liquid by equal factors over equal distances, from one point to another; beyond
    /// them it stays as it is there.
    struct ViscosityGradientKeys "viscosity gradient" {
        /// Where it begins to change.
        from: Vec3 [vector(metres())] required;
        /// Where it ends.
        to: Vec3 [vector(metres())] required;
        /// The viscosities at both points.
        values: Vec<Placed<f64>> [VALUES] required;
    }
}
