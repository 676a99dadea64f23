//! Choices of the force-based liquid, with their defaults written once.

use ooze_commons::choice;
use ooze_core::{Domain, LiquidSetup, Material};

use super::heat::plates;
use crate::kernel::KernelShape;
use crate::liquid::walls::WallForm;
use crate::resolution::Resolution;

choice! {
    /// Smoothing kernels of density and pressure.
    pub enum Kernels {
        /// Poly6 for density and spiky for pressure.
        Published "published";
        /// The cubic spline for both.
        CubicSpline "cubic-spline";
        /// Wendland's function for both.
        Wendland "wendland";
    }
}

impl Kernels {
    /// Kernels of density and of pressure.
    pub fn shapes(self) -> [KernelShape; 2] {
        match self {
            Self::Published => [KernelShape::Poly6, KernelShape::Spiky],
            Self::CubicSpline => [KernelShape::CubicSpline; 2],
            Self::Wendland => [KernelShape::Wendland; 2],
        }
    }
}

choice! {
    /// Where densities come from.
    pub enum DensityRule {
        /// The flow changes them.
        Evolved "evolved";
        /// They are sums over neighbours, as published.
        Summed "summed";
    }
}

choice! {
    /// How neighbours of different velocities act on one another.
    pub enum ViscosityForm {
        /// Along the line between them; right at free surfaces.
        Radial "radial";
        /// Along the difference of their velocities, as published.
        Laplacian "laplacian";
    }
}

/// Settings of the force-based liquid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MuellerSettings {
    /// Distance of particles in cells of the domain.
    pub spacing: f32,
    /// Interaction radius in spacings.
    pub radius: f32,
    /// Compression that the weight of the liquid may cause: the stiffness follows from it.
    pub compression: f32,
    /// Kernels of density and pressure.
    pub kernels: Kernels,
    /// Where densities come from.
    pub density: DensityRule,
    /// Diffusion δ of evolved densities (Molteni & Colagrossi 2009), against noise; 0 for none.
    pub density_diffusion: f32,
    /// The form of viscosity.
    pub viscosity: ViscosityForm,
    /// Share of negative pressures that attract particles: 1 as published, 0 for none.
    pub attraction: f32,
    /// Tension between liquids that do not mix, in N/m; none takes the difference of their surface tensions (Antonow
    /// 1907), zero lets them mix.
    pub interface_tension: Option<f32>,
    /// Artificial viscosity α (Monaghan 1992), against disorder; 0 for none.
    pub artificial_viscosity: f32,
    /// Bulk viscosity in units of the speed of sound times the radius: calms waves of sound, and nothing else.
    pub bulk_viscosity: f32,
    /// What stands for walls.
    pub walls: WallForm,
    /// Strongest pull of sticky walls in m/s².
    pub stickiness: f32,
    /// Diffusivity of colour in m²/s.
    pub diffusivity: f32,
    /// Expansion with temperature in 1/K, of materials that do not say their own.
    pub thermal_expansion: f32,
    /// Diffusivity of heat in m²/s; none takes the materials' own.
    pub heat_diffusivity: Option<f32>,
    /// Whether frames hold the normals of particles at the surface.
    pub normals: bool,
    /// Interaction radii that sound may cross in one sub-step.
    pub cfl: f32,
}

impl Default for MuellerSettings {
    fn default() -> Self {
        Self {
            spacing: 0.5,
            radius: 3.2,
            compression: 0.01,
            kernels: Kernels::Wendland,
            density: DensityRule::Evolved,
            density_diffusion: 0.1,
            viscosity: ViscosityForm::Radial,
            attraction: 1.0,
            interface_tension: None,
            artificial_viscosity: 0.06,
            bulk_viscosity: 0.1,
            walls: WallForm::Distance,
            stickiness: 40.0,
            diffusivity: 0.0,
            thermal_expansion: 0.0,
            heat_diffusivity: None,
            normals: false,
            cfl: 0.25,
        }
    }
}

impl MuellerSettings {
    /// Spacing of the particles in a domain, and reach of their interactions.
    pub fn resolution(&self, domain: &Domain) -> Resolution {
        Resolution::new(domain, self.spacing, self.radius)
    }

    /// Volume that one particle stands for, in cubic metres.
    pub fn particle_volume(&self, domain: &Domain) -> f64 {
        self.resolution(domain).particle_volume()
    }

    /// As published: summed densities, poly6 and spiky kernels, pressures that also attract. Forces of two kernels derive from no
    /// energy: without artificial viscosity (α = 1 by Monaghan 1992) they heat a tank at rest until it boils, and drops under
    /// tension until they fly apart.
    pub fn published() -> Self {
        Self {
            kernels: Kernels::Published,
            density: DensityRule::Summed,
            viscosity: ViscosityForm::Laplacian,
            radius: 2.6,
            compression: 0.02,
            artificial_viscosity: 1.0,
            ..Self::default()
        }
    }

    /// Expansion of a material with temperature in 1/K.
    pub fn expansion(&self, material: &Material) -> f32 {
        let own = material.thermal.and_then(|thermal| thermal.expansion);
        own.unwrap_or(self.thermal_expansion)
    }

    /// Whether heat plays a part.
    pub(super) fn has_heat(&self, setup: &LiquidSetup) -> bool {
        let mut materials = setup.materials.iter();
        let started = setup.initial.iter().map(|liquid| liquid.temperature);
        let emitted = setup.emitters.iter().map(|emitter| emitter.temperature);
        let mut given = started.chain(emitted).chain(plates(&setup.domain));
        materials.any(|material| self.expansion(material) > 0.0)
            || given.any(|given| given.is_some())
    }
}
