//! Keys of the level-set liquid.

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
    /// How velocities are carried by themselves.
    enum VelocityAdvectionWord {
        /// The velocity at the place that the flow came from (Stam 1999): damped.
        SemiLagrangian "semi-lagrangian";
        /// With the error of a step there and back taken off (Selle et al. 2008): lively.
        MacCormack "maccormack";
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

choice! {
    /// What happens in the cells that the free surface passes through.
    enum SurfaceTreatmentWord {
        /// Pressure is zero on the surface itself: second order.
        Ghost "ghost";
        /// Pressure is zero in air cells, velocities at the surface are extended along normals: calm (Carlson 2004, sec. 6.3.1).
        Smooth "smooth";
        /// Pressure is zero in the outermost liquid cells: splashes higher, noisier (Carlson 2004, sec. 6.3.1).
        Lively "lively";
    }
}

choice! {
    /// How solids lie in the grid.
    enum WallShapeWord {
        /// Walls cut through cells.
        CutCells "cut-cells";
        /// A cell whose centre is in a solid is solid as a whole (Goktekin 2011, sec. 3.6).
        Voxels "voxels";
    }
}

choice! {
    /// What particles of the air do: they keep the surface from gaining what is not the liquid's.
    enum AirWord {
        /// There are none: the liquid's particles alone correct the surface (as in Foster & Fedkiw 2001). What meets sticks
        /// longest, with more crumbs around it.
        Absent "absent";
        /// They give way in gaps and sharp creases, so that liquid which meets becomes one.
        Yielding "yielding";
        /// They hold the narrowest gap open (Enright et al. 2002).
        Holding "holding";
    }
}

choice! {
    /// How the paths of particles are integrated.
    enum PathWord {
        /// The midpoint rule.
        Midpoint "midpoint";
        /// Fourth-order Runge-Kutta (Carlson 2004, sec. 6.2.4).
        RungeKutta4 "runge-kutta-4";
    }
}

table! {
    /// Stages of the level-set liquid; what is left out is as the preset has it.
    struct LevelSetKeys "level set" {
        /// How the level set is moved.
        advection: SurfaceAdvectionWord [()] optional;
        /// How velocities are carried.
        velocity_advection: VelocityAdvectionWord [()] optional;
        /// Whether particles correct the surface (Enright et al. 2002).
        particles: bool [()] optional;
        /// What particles of the air do.
        air_particles: AirWord [()] optional;
        /// Particles along each axis of a cell of the level set, which is half as large as the grid's.
        particles_per_axis: u64 [count().between(1, 6)] optional;
        /// How the paths of particles are integrated.
        paths: PathWord [()] optional;
        /// How the level set becomes a distance again.
        reinitialisation: ReinitialisationWord [()] optional;
        /// What happens at the free surface.
        surface: SurfaceTreatmentWord [()] optional;
        /// How solids lie in the grid.
        walls: WallShapeWord [()] optional;
    }
}
