//! Keys of the level-set liquid.

use ooze_grid::{
    Advection, Air, PathRule, Reinitialisation, SurfaceTreatment, VelocityAdvection, WallShape,
};

use crate::keys::{count, table};

table! {
    /// Stages of the level-set liquid; what is left out is as the preset has it.
    struct LevelSetKeys "level set" {
        /// How the level set is moved.
        advection: Advection [()] optional;
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
        reinitialisation: Reinitialisation [()] optional;
        /// What happens at the free surface.
        surface: SurfaceTreatment [()] optional;
        /// How solids lie in the grid.
        walls: WallShape [()] optional;
    }
}
