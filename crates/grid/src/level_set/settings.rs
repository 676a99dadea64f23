//! Choices of the level-set liquid, with their defaults written once.

use ooze_commons::choice;
use ooze_core::Domain;
use ooze_field::level_set::{Advection, ParticleSettings, PathRule, TrackingSettings};

use crate::flip::particle_volume;
use crate::{
    BodyCoupling, BodySettings, Decay, ElasticityScheme, ElasticitySettings,
    PressurePreconditioner, PressureSettings, Sampling, SurfaceCondition, ViscosityPreconditioner,
    ViscosityScheme, ViscositySettings,
};

choice! {
    /// How velocities are carried by themselves.
    pub enum VelocityAdvection {
        /// The velocity at the place that the flow came from (Stam 1999): damped.
        SemiLagrangian "semi-lagrangian";
        /// With the error of a step there and back taken off (Selle et al. 2008): lively.
        MacCormack "maccormack";
    }
}

choice! {
    /// What happens in the cells that the free surface passes through.
    pub enum SurfaceTreatment {
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
    pub enum WallShape {
        /// Walls cut through cells.
        CutCells "cut-cells";
        /// A cell whose centre is in a solid is solid as a whole (Goktekin 2011, sec. 3.6).
        Voxels "voxels";
    }
}

/// How elastic stress pushes the faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElasticForce {
    /// The adjoint of viscosity's strain operator with its volume weights: internal forces add up to nothing.
    Adjoint,
    /// Plain differences (Goktekin 2011, alg. 1).
    Differences,
}

/// Settings of the level-set liquid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelSetSettings {
    /// Cells that the fastest liquid may cross in one sub-step (λ of Goktekin 2011, eq. 3.33), at most 5.
    pub cfl: f32,
    /// How velocities are carried.
    pub velocity_advection: VelocityAdvection,
    /// How the surface is followed.
    pub tracking: TrackingSettings,
    /// Pressure and velocity at the free surface.
    pub surface: SurfaceTreatment,
    /// How solids lie in the grid.
    pub walls: WallShape,
    /// The pressure projection.
    pub pressure: PressureSettings,
    /// The viscous stage.
    pub viscosity: ViscositySettings,
    /// The elastic stage.
    pub elasticity: ElasticitySettings,
    /// How elastic stress pushes.
    pub elastic_force: ElasticForce,
    /// Offset each connected piece of the liquid so that it keeps its volume.
    pub volume_correction: bool,
    /// How bodies and liquid move one another.
    pub bodies: BodySettings,
}

impl Default for LevelSetSettings {
    fn default() -> Self {
        Self {
            cfl: 2.0,
            velocity_advection: VelocityAdvection::MacCormack,
            tracking: TrackingSettings {
                advection: Advection::MacCormack,
                ..TrackingSettings::default()
            },
            surface: SurfaceTreatment::Ghost,
            walls: WallShape::CutCells,
            pressure: PressureSettings::default(),
            viscosity: ViscositySettings::default(),
            elasticity: ElasticitySettings::default(),
            elastic_force: ElasticForce::Adjoint,
            volume_correction: true,
            bodies: BodySettings::default(),
        }
    }
}

impl LevelSetSettings {
    /// Volume that one particle of a frame stands for, in cubic metres: a marker stands in each cell of half the size.
    pub fn particle_volume(&self, domain: &Domain) -> f64 {
        particle_volume(domain, Sampling::Fine)
    }

    /// The liquid of Goktekin 2011: semi-Lagrangian throughout, pressure zero in air cells, voxelised walls, each component of
    /// velocity diffused by itself, plain conjugate gradients, explicit elastic forces by differences, no correction of volume.
    pub fn goktekin_2011() -> Self {
        let default = Self::default();
        Self {
            cfl: 5.0,
            velocity_advection: VelocityAdvection::SemiLagrangian,
            tracking: TrackingSettings {
                advection: Advection::SemiLagrangian,
                particles: Some(ParticleSettings {
                    path: PathRule::Midpoint,
                    ..ParticleSettings::PUBLISHED
                }),
                ..default.tracking
            },
            surface: SurfaceTreatment::Smooth,
            walls: WallShape::Voxels,
            pressure: PressureSettings {
                preconditioner: PressurePreconditioner::Jacobi,
                max_iterations: 4000,
                ..default.pressure
            },
            viscosity: ViscositySettings {
                scheme: ViscosityScheme::Decoupled(SurfaceCondition::Dirichlet),
                preconditioner: ViscosityPreconditioner::Jacobi,
                first_projection: false,
                ..default.viscosity
            },
            elasticity: ElasticitySettings {
                scheme: ElasticityScheme::Explicit,
                decay: Decay::Explicit,
                ..default.elasticity
            },
            elastic_force: ElasticForce::Differences,
            volume_correction: false,
            ..default
        }
    }

    /// The rigid fluid of Carlson 2004, ch. 5, with velocities that are carried as there; surfaces, walls and solves are those of the
    /// level-set liquid, so that what differs is how bodies are coupled.
    pub fn carlson_2004_rigid() -> Self {
        Self {
            velocity_advection: VelocityAdvection::SemiLagrangian,
            bodies: BodySettings {
                coupling: BodyCoupling::RigidFluid,
                ..BodySettings::default()
            },
            ..Self::default()
        }
    }
}
