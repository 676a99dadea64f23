//! Choices of the FLIP liquid, with their defaults written once.

use ooze_commons::choice;
use ooze_core::Domain;

use crate::flip::particle_volume;

/// The share of FLIP where nothing else is said: a little damping keeps particles from swarming.
const LIVELY: f32 = 0.97;

choice! {
    /// How velocities travel between particles and grid.
    pub enum Transfer {
        /// Blend of FLIP and PIC, see `flip_fraction`.
        Flip(f32 = LIVELY) "flip";
        /// Affine particle-in-cell.
        Apic "apic";
    }
}

choice! {
    /// How particles sample the liquid.
    pub enum Sampling {
        /// Two particles along each axis of a cell: eight a cell, four in flat scenes.
        Fine "fine";
        /// One large particle a cell with a wide kernel.
        Coarse "coarse";
    }
}

choice! {
    /// How the open part of a face enters the pressure equations.
    pub enum WallWeights {
        /// Open share of the face's area: second-order accurate (Ng, Min & Gibou 2009).
        Area "area";
        /// Open share of the volume around the face (Batty, Bertails & Bridson 2007).
        Volume "volume";
    }
}

choice! {
    /// Preconditioner of the pressure solve.
    pub enum PressurePreconditioner {
        /// Iterations do not grow with the grid.
        Multigrid "multigrid";
        /// Modified incomplete Cholesky.
        IncompleteCholesky "incomplete-cholesky";
        /// The diagonal.
        Jacobi "jacobi";
    }
}

/// Settings of the pressure projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PressureSettings {
    /// Residual relative to the right-hand side at which a solve is done.
    pub tolerance: f64,
    /// Iterations after which a solve has failed.
    pub max_iterations: u32,
    /// The preconditioner.
    pub preconditioner: PressurePreconditioner,
    /// Weights of cut faces.
    pub wall_weights: WallWeights,
}

impl Default for PressureSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-6,
            max_iterations: 400,
            preconditioner: PressurePreconditioner::Multigrid,
            wall_weights: WallWeights::Area,
        }
    }
}

choice! {
    /// How viscosity is discretised.
    pub enum ViscosityScheme {
        /// Least dissipation: stable at any step, keeps rotation and lets thick liquids buckle (Batty & Bridson 2008).
        Variational "variational";
        /// Each component of velocity by itself: wrong at free surfaces, see `surface` (Stam 1999; Carlson et al. 2002).
        Decoupled(SurfaceCondition = SurfaceCondition::Neumann) "decoupled";
        /// Implicit diffusion, explicit coupling, in sub-steps (Rasmussen et al. 2004).
        ImplicitExplicit "implicit-explicit";
        /// Explicit, in as many sub-steps as stability asks for.
        Explicit "explicit";
    }
}

impl Eq for ViscosityScheme {}

choice! {
    /// What the decoupled scheme takes for granted at a free surface.
    pub enum SurfaceCondition {
        /// No component changes along the normal: stops rotation (Fält & Roble 2003).
        Neumann "neumann";
        /// The air keeps the velocity that was continued into it: holds surfaces back.
        Dirichlet "dirichlet";
    }
}

choice! {
    /// Preconditioner of the viscous solve.
    pub enum ViscosityPreconditioner {
        /// By the system: a polynomial of the matrix where it is soft, multigrid in compact bodies, a factorisation or aggregation in thin sheets and strands.
        Automatic "automatic";
        /// Iterations hardly grow with the grid or the viscosity.
        Multigrid "multigrid";
        /// Modified incomplete Cholesky, as published.
        IncompleteCholesky "incomplete-cholesky";
        /// The diagonal.
        Jacobi "jacobi";
    }
}

choice! {
    /// The viscosity between cells of different viscosity, where shear is sampled.
    pub enum ShearMean {
        /// Harmonic: layers slide over one another as they should, molten films over what is solid below them.
        Harmonic "harmonic";
        /// Geometric (Carlson 2004, eq. 58): nearest to viscosity that changes smoothly; what is thick holds what is thin beside it.
        Geometric "geometric";
        /// Arithmetic, to compare: what is thick holds what is thin beside it fast.
        Arithmetic "arithmetic";
    }
}

/// Diffusion number of the thickest liquid from which pressure acts together with viscosity: with less, walls would slip by 6 times
/// that much over the square of a gap in cells, a fiftieth in one of four.
const TOGETHER: f64 = 0.05;

choice! {
    /// How pressure acts on viscous liquids.
    pub enum ViscousPressure {
        /// Together with viscosity where that matters, as in all thick liquids; before and after it elsewhere.
        Automatic "automatic";
        /// Together with viscosity: squeezed liquid sticks to walls, and threads resist in full.
        Together "together";
        /// Before viscosity and after it, as published.
        Apart "apart";
    }
}

/// Settings of the viscous stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViscositySettings {
    /// Whether there is viscosity at all.
    pub enabled: bool,
    /// The discretisation.
    pub scheme: ViscosityScheme,
    /// Sub-steps of the explicit schemes in a step, stable or not; none for as many as are stable.
    pub substeps: Option<u32>,
    /// Whether pressure and viscosity are solved for as one, in the variational scheme.
    pub pressure: ViscousPressure,
    /// Viscosity between cells of different viscosity.
    pub edge_mean: ShearMean,
    /// Residual relative to the right-hand side at which a solve is done.
    pub tolerance: f64,
    /// Iterations after which a solve has failed.
    pub max_iterations: u32,
    /// The preconditioner.
    pub preconditioner: ViscosityPreconditioner,
    /// Whether velocities are made free of divergence before the viscous solve too, as published. Without it the
    /// solve mistakes what pressure is about to undo for flow: see `FlipLiquid`.
    pub first_projection: bool,
}

impl ViscositySettings {
    /// Whether pressure acts together with viscosity, for the diffusion number of the thickest liquid. However small it is, it moves
    /// bodies.
    pub(crate) fn acts_with_pressure(&self, number: f64, moves_bodies: bool) -> bool {
        self.scheme == ViscosityScheme::Variational
            && match self.pressure {
                ViscousPressure::Automatic => moves_bodies || number >= TOGETHER,
                ViscousPressure::Together => true,
                ViscousPressure::Apart => false,
            }
    }
}

impl Default for ViscositySettings {
    fn default() -> Self {
        Self {
            enabled: true,
            scheme: ViscosityScheme::Variational,
            substeps: None,
            pressure: ViscousPressure::Automatic,
            edge_mean: ShearMean::Harmonic,
            tolerance: 1e-6,
            max_iterations: 2000,
            preconditioner: ViscosityPreconditioner::Automatic,
            first_projection: true,
        }
    }
}

choice! {
    /// How elastic forces are integrated in time.
    pub enum ElasticityScheme {
        /// Explicit as long as a step is short enough, and no more implicit than it must be beyond.
        Automatic "automatic";
        /// Forces of the strain at the beginning of a step: waves are not damped, but steps are as short as they ask for.
        Explicit "explicit";
        /// Forces of the strain at the end of a step: stable at any step, waves are damped.
        Implicit "implicit";
    }
}

choice! {
    /// How the flow of strain beyond the yield strain is integrated.
    pub enum Decay {
        /// Exactly, at any decay rate.
        Exact "exact";
        /// Forward Euler, in steps shorter than a decay time (Goktekin 2011, eq. 3.29d).
        Explicit "explicit";
    }
}

/// Settings of the elastic stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticitySettings {
    /// Whether materials with elasticity are elastic.
    pub enabled: bool,
    /// Integration of forces.
    pub scheme: ElasticityScheme,
    /// Integration of plastic flow.
    pub decay: Decay,
    /// Whether strain turns with the liquid (the co-rotational or Jaumann derivative, Goktekin 2011, eq. 2.21). Without
    /// it, goo that was squeezed and turned unfolds into the wrong shape.
    pub rotation: bool,
}

impl Default for ElasticitySettings {
    fn default() -> Self {
        Self {
            enabled: true,
            scheme: ElasticityScheme::Automatic,
            decay: Decay::Exact,
            rotation: true,
        }
    }
}

/// Settings of the FLIP liquid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlipSettings {
    /// Transfer of velocities: by a blend of the grid's change added to the particle (FLIP, lively) and the grid's value (PIC,
    /// damped), whose number is the share of FLIP from 0 to 1 (Zhu & Bridson 2005), or by affine functions, which conserve
    /// angular momentum and calm the surface (Jiang et al. 2015).
    pub transfer: Transfer,
    /// Sampling by particles.
    pub sampling: Sampling,
    /// Cells that the fastest liquid may cross in one sub-step.
    pub cfl: f32,
    /// The pressure projection.
    pub pressure: PressureSettings,
    /// The viscous stage.
    pub viscosity: ViscositySettings,
    /// The elastic stage.
    pub elasticity: ElasticitySettings,
    /// Move particles apart where they crowd, so that the liquid keeps its volume.
    pub density_correction: bool,
    /// Offset each connected piece of the surface so that it encloses the volume of its particles.
    pub volume_correction: bool,
}

impl Default for FlipSettings {
    fn default() -> Self {
        Self {
            transfer: Transfer::Flip(LIVELY),
            sampling: Sampling::Fine,
            cfl: 2.0,
            pressure: PressureSettings::default(),
            viscosity: ViscositySettings::default(),
            elasticity: ElasticitySettings::default(),
            density_correction: true,
            volume_correction: true,
        }
    }
}

impl FlipSettings {
    /// Volume that one particle stands for, in cubic metres.
    pub fn particle_volume(&self, domain: &Domain) -> f64 {
        particle_volume(domain, self.sampling)
    }

    /// Affine transfers (Jiang et al. 2015), everything else as usual.
    pub fn apic() -> Self {
        Self {
            transfer: Transfer::Apic,
            ..Self::default()
        }
    }

    /// As published by Batty & Bridson 2008: one large particle a cell, walls weighted by volume, incomplete Cholesky, neither
    /// density nor volume corrected.
    pub fn batty_bridson_2008() -> Self {
        let usual = Self::default();
        Self {
            sampling: Sampling::Coarse,
            pressure: PressureSettings {
                preconditioner: PressurePreconditioner::IncompleteCholesky,
                wall_weights: WallWeights::Volume,
                ..usual.pressure
            },
            viscosity: ViscositySettings {
                preconditioner: ViscosityPreconditioner::IncompleteCholesky,
                pressure: ViscousPressure::Apart,
                ..usual.viscosity
            },
            density_correction: false,
            volume_correction: false,
            ..usual
        }
    }
}
