//! Keys of the level-set liquid.

use ooze_grid::{Air, PathRule, SurfaceTreatment, VelocityAdvection, WallShape};

use crate::keys::{choice, count, table};

choice! {
    /// How the level set is moved.
    enum SurfaceAdvectionWord {
        /// The value at the place that the flow came from: loses detail where particles do not bring it back.
        SemiLagrangian "semi-lagrangian";
        /// Semi-Lagrangian there and back, with the error taken off (Selle et al. 2008).
        MacCormack "maccormack";
        /// First-order upwind differences and forward Euler.
        Upwind "upwind";
        /// Second-order ENO and forward Euler.
        Eno2Euler "eno2-euler";
        /// Second-order ENO and second-order Runge-Kutta.
        Eno2 "eno2";
        /// Third-order ENO and second-order Runge-Kutta.
        Eno3 "eno3";
        /// Fifth-order WENO and third-order Runge-Kutta.
        Weno5 "weno5";
    }
}

choice! {
    /// How the level set becomes a distance again after each step.
    enum ReinitialisationWord {
        /// Distances spread from the surface, which stays where it is.
        Marching "marching";
        /// An equation is relaxed, with WENO and Runge-Kutta (Carlson 2004, sec. 6.2.2).
        Relaxation "relaxation";
    }
}

table! {
    /// Stages of the level-set liquid; what is left out is as the preset has it.
    struct LevelSetKeys "level set" {
        /// How the level set is moved.
        advection: SurfaceAdvectionWord [()] optional;
        /// How velocities are carried.
        velocity_advection: VelocityAdvection [()] optional;
        /// Whether particles correct the surface (Enright et al. 2002).
        particles: bool [()] optional;
        /// What particles of the air do.
        air_particles: Air [()] optional;
        /// Particles along each axis of a cell of the level set, which is half as large as the grid's.
        particles_per_axis: u64 [count().between(1, 6)] optional;
        /// How the paths of particles are integrated.
        paths: PathRule [()] optional;
        /// How the level set becomes a distance again.
        reinitialisation: ReinitialisationWord [()] optional;
        /// What happens at the free surface.
        surface: SurfaceTreatment [()] optional;
        /// How solids lie in the grid.
        walls: WallShape [()] optional;
    }
}
